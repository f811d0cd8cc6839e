//! Go to definition and declaration: LSP `textDocument/definition` and `declaration`.

use codeweft_db::{DeclarationRange, File, NameTarget, Span, SymbolId, file_ranges};
use codeweft_graph::editor;
use codeweft_vfs::{Encoding, Position};
use codeweft_workspace::Snapshot;

use super::cursor::Cursor;
use super::data::Location;
use super::declarations::{declaration_locations, package_clause};
use super::query::EditorQuery;

/// Returns the locations that define the name at a position.
///
/// ```text
/// use                       its declaration; several if branches redefine it or members of a union have it
/// call through interface    the interface's method
/// declaration               itself; for an embedded field its type
/// import path               Go: the package clause of every file; Python: the start of the module
/// local, parameter, label   its first binding
/// ```
pub fn definition(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
) -> Vec<Location> {
    let query = EditorQuery::new(snapshot, encoding);
    let cursor = Cursor::at(&query, path, at);
    cursor.map_or_else(Vec::new, |cursor| definitions_of(&query, &cursor))
}

/// As [`definition`], but in Python the declaration in the stub, if there is one (PEP 561).
pub fn declaration(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
) -> Vec<Location> {
    let query = EditorQuery::new(snapshot, encoding);
    let Some(cursor) = Cursor::at(&query, path, at) else {
        return Vec::new();
    };
    let stubbed = cursor.symbol().and_then(|symbol| in_stub(&query, symbol));
    match stubbed.and_then(|declaration| query.location(declaration.file, declaration.name)) {
        Some(location) => vec![location],
        None => definitions_of(&query, &cursor),
    }
}

fn definitions_of(query: &EditorQuery<'_>, cursor: &Cursor) -> Vec<Location> {
    let symbol = match &cursor.found {
        NameTarget::Local { declaration, .. } => {
            return query
                .location(declaration.file, declaration.name)
                .into_iter()
                .collect();
        }
        NameTarget::Symbol(symbol) => *symbol,
    };
    if in_import_path(query, cursor) {
        let files = editor::files_of_package(&query.graph, symbol).into_iter();
        let clauses = files.map(|file| package_clause(query, file));
        let clauses: Vec<DeclarationRange> = clauses
            .filter(|clause| clause.span.start < clause.span.end)
            .collect();
        if !clauses.is_empty() {
            let clauses = clauses.iter();
            return clauses
                .filter_map(|clause| query.location(clause.file, clause.name))
                .collect();
        }
    }
    let embedded = editor::embedded_at(&query.graph, symbol, cursor.file, cursor.name.start);
    if let Some(ty) = embedded {
        return declaration_locations(query, vec![ty]);
    }
    let mut symbols = cursor.symbols(query);
    symbols.extend(editor::equal_resolutions(
        &query.graph,
        cursor.file,
        cursor.name.start,
        symbol,
    ));
    declaration_locations(query, symbols)
}

fn in_import_path(query: &EditorQuery<'_>, cursor: &Cursor) -> bool {
    let ranges = file_ranges(query.snapshot.db(), cursor.file);
    let around = |span: &Span| span.start <= cursor.name.start && cursor.name.end <= span.end;
    ranges.imports.iter().any(around)
}

/// Returns the declaration of a symbol in the stub beside its module: a file of the same module.
fn in_stub(query: &EditorQuery<'_>, symbol: SymbolId) -> Option<DeclarationRange> {
    let db = query.snapshot.db();
    let declared = query.graph.declaration_range(symbol)?;
    let path = query.path(declared.file)?;
    let (own, of_stub) = declared.file.lang(db).stub_extension?;
    let base = path.strip_suffix(own)?.strip_suffix('.')?;
    let stub = query.file(&format!("{base}.{of_stub}"))?;
    let language = query.language(stub)?;
    if language.module(db, stub) != language.module(db, declared.file) {
        return None;
    }
    let start = DeclarationRange {
        file: stub,
        span: Span::default(),
        name: Span::default(),
    };
    if language.module(db, stub) == Some(symbol) {
        return Some(start);
    }
    let name = query.graph.name(symbol);
    let text = stub.text(db);
    for (at, _) in text.match_indices(name.as_str()) {
        query.snapshot.check();
        let span = editor::token(text, at as u32);
        let is_word = span.end as usize == at + name.len();
        let line = text[..at].rsplit('\n').next().unwrap_or("");
        let is_declared = language.begins_declaration(line.trim());
        if is_word && is_declared && means(query, stub, at as u32, symbol) {
            return Some(DeclarationRange {
                name: span,
                span,
                ..start
            });
        }
    }
    None
}

fn means(query: &EditorQuery<'_>, file: File, at: u32, symbol: SymbolId) -> bool {
    editor::name_at(&query.graph, file, at) == Some(NameTarget::Symbol(symbol))
}
