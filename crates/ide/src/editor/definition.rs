//! Go to definition and declaration: LSP `textDocument/definition` and `declaration`.

use codeweft_db::{DeclarationRange, File, NameTarget, Span, SymbolId, file_ranges};
use codeweft_vfs::{Encoding, Position};

use super::data::Location;
use super::query::{Cursor, EditorQuery};
use codeweft_workspace::Snapshot;

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
    let cursor = query.cursor(path, at);
    cursor.map_or_else(Vec::new, |cursor| query.definition(&cursor))
}

/// As [`definition`], but in Python the declaration in the stub, if there is one (PEP 561).
pub fn declaration(
    snapshot: &Snapshot<'_>,
    path: &str,
    at: Position,
    encoding: Encoding,
) -> Vec<Location> {
    let query = EditorQuery::new(snapshot, encoding);
    let Some(cursor) = query.cursor(path, at) else {
        return Vec::new();
    };
    let stubbed = cursor.symbol().and_then(|symbol| query.in_stub(symbol));
    match stubbed.and_then(|declaration| query.location(declaration.file, declaration.name)) {
        Some(location) => vec![location],
        None => query.definition(&cursor),
    }
}

impl EditorQuery<'_> {
    fn definition(&self, cursor: &Cursor) -> Vec<Location> {
        let symbol = match &cursor.found {
            NameTarget::Local {
                place: declaration, ..
            } => {
                return self
                    .location(declaration.file, declaration.name)
                    .into_iter()
                    .collect();
            }
            NameTarget::Symbol(symbol) => *symbol,
        };
        if self.in_import_path(cursor) {
            let files = self.graph.files_of_package(symbol).into_iter();
            let clauses = files.map(|file| self.clause(file));
            let clauses: Vec<DeclarationRange> = clauses
                .filter(|clause| clause.span.start < clause.span.end)
                .collect();
            if !clauses.is_empty() {
                let clauses = clauses.iter();
                return clauses
                    .filter_map(|clause| self.location(clause.file, clause.name))
                    .collect();
            }
        }
        let embedded = self
            .graph
            .embedded_at(symbol, cursor.file, cursor.name.start);
        if let Some(ty) = embedded {
            return self.all_declared(vec![ty]);
        }
        let mut symbols = self.meant(cursor);
        symbols.extend(
            self.graph
                .equal_resolutions(cursor.file, cursor.name.start, symbol),
        );
        self.all_declared(symbols)
    }

    fn in_import_path(&self, cursor: &Cursor) -> bool {
        let ranges = file_ranges(self.snapshot.db(), cursor.file);
        let around = |span: &Span| span.start <= cursor.name.start && cursor.name.end <= span.end;
        ranges.imports.iter().any(around)
    }

    /// Returns the declaration of a symbol in the stub beside its module: a file of the same module.
    fn in_stub(&self, symbol: SymbolId) -> Option<DeclarationRange> {
        let db = self.snapshot.db();
        let declared = self.graph.declaration_range(symbol)?;
        let path = self.path(declared.file)?;
        let (own, of_stub) = declared.file.lang(db).stub_extension?;
        let base = path.strip_suffix(own)?.strip_suffix('.')?;
        let stub = self.file(&format!("{base}.{of_stub}"))?;
        let language = self.language(stub)?;
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
        let name = self.graph.name(symbol);
        let text = stub.text(db);
        for (at, _) in text.match_indices(name.as_str()) {
            self.snapshot.check();
            let span = codeweft_graph::token(text, at as u32);
            let is_word = span.end as usize == at + name.len();
            let line = text[..at].rsplit('\n').next().unwrap_or("");
            let is_declared = language.begins_declaration(line.trim());
            if is_word && is_declared && self.means(stub, at as u32, symbol) {
                return Some(DeclarationRange {
                    name: span,
                    span,
                    ..start
                });
            }
        }
        None
    }

    fn means(&self, file: File, at: u32, symbol: SymbolId) -> bool {
        self.graph.name_at(file, at) == Some(NameTarget::Symbol(symbol))
    }
}
