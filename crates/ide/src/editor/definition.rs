//! Go to definition and declaration.

use codeweft_db::{DeclarationRange, File, NameTarget, Span, SymbolId, file_ranges};
use codeweft_vfs::{Encoding, Position};

use super::data::Location;
use super::query::{Cursor, EditorQuery};
use codeweft_workspace::Snapshot;

/// Returns the locations that define the name at a position: of a use its declaration, several where branches
/// bind the name anew, it has twins, or the members of a union have it; of a call through an interface the
/// interface's method; of a declaration itself, of an embedded field its type; of an import path every file of the package by
/// its clause (Go), or the start of the module (Python); of a local, a parameter or a label
/// where it is bound first.
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

/// As [`definition`]; in Python the stub's where there is one (PEP 561).
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
    match stubbed.and_then(|place| query.location(place.file, place.name)) {
        Some(location) => vec![location],
        None => query.definition(&cursor),
    }
}

impl EditorQuery<'_> {
    fn definition(&self, cursor: &Cursor) -> Vec<Location> {
        let symbol = match &cursor.found {
            NameTarget::Local { place, .. } => {
                return self.location(place.file, place.name).into_iter().collect();
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

    /// Returns where the stub beside a symbol's module declares it: a file of the same module.
    fn in_stub(&self, symbol: SymbolId) -> Option<DeclarationRange> {
        let db = self.snapshot.db();
        let declared = self.graph.declaration_range(symbol)?;
        let path = self.path(declared.file)?;
        let (own, of_stub) = declared.file.lang(db).stub_extension?;
        let base = path.strip_suffix(own)?.strip_suffix('.')?;
        let stub = self.file(&format!("{base}.{of_stub}"))?;
        let room = self.language(stub)?;
        if room.module(db, stub) != room.module(db, declared.file) {
            return None;
        }
        let start = DeclarationRange {
            file: stub,
            span: Span::default(),
            name: Span::default(),
        };
        if room.module(db, stub) == Some(symbol) {
            return Some(start);
        }
        let name = self.graph.name(symbol);
        let text = stub.text(db);
        for (at, _) in text.match_indices(name.as_str()) {
            self.snapshot.check();
            let span = codeweft_graph::token(text, at as u32);
            let is_word = span.end as usize == at + name.len();
            let line = text[..at].rsplit('\n').next().unwrap_or("");
            let is_declared = room.begins_declaration(line.trim());
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
