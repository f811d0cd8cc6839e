//! The context of a request: from positions to symbols, and from declarations to ranges.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use codeweft_db::{
    DeclarationRange, File, Language, NameTarget, NodeKind, Origin, Span, SymbolId, file_ranges,
};
use codeweft_graph::{EditorGraph, NameUse, token};
use codeweft_vfs::{Encoding, LineIndex, Position, Range};
use rustc_hash::FxHashMap;

use super::data::{Location, SymbolItem};
use codeweft_workspace::Snapshot;

/// A request with its encoding and a cache of line indexes.
pub(super) struct EditorQuery<'s> {
    pub(super) snapshot: &'s Snapshot<'s>,
    pub(super) graph: EditorGraph<'s>,
    encoding: Encoding,
    lines: RefCell<FxHashMap<File, Rc<LineIndex>>>,
}

/// The name at a position.
pub(super) struct Cursor {
    pub(super) file: File,
    /// The name.
    pub(super) name: Span,
    /// The symbol or local that it names.
    pub(super) found: NameTarget,
}

impl Cursor {
    /// Returns the symbol, if it is one of the graph.
    pub(super) fn symbol(&self) -> Option<SymbolId> {
        match self.found {
            NameTarget::Symbol(symbol) => Some(symbol),
            NameTarget::Local { .. } => None,
        }
    }
}

impl EditorQuery<'_> {
    /// Returns the symbols that a cursor names, its own first, then redefinitions; none on a local.
    pub(super) fn meant(&self, cursor: &Cursor) -> Vec<SymbolId> {
        let Some(symbol) = cursor.symbol() else {
            return Vec::new();
        };
        let redefinitions = self.graph.redefinitions(symbol).into_iter();
        let others = redefinitions.filter(|&other| other != symbol);
        std::iter::once(symbol).chain(others).collect()
    }
}

impl<'s> EditorQuery<'s> {
    pub(super) fn new(snapshot: &'s Snapshot<'_>, encoding: Encoding) -> EditorQuery<'s> {
        EditorQuery {
            snapshot,
            graph: EditorGraph::new(snapshot.db(), snapshot.cache(), snapshot.threads()),
            encoding,
            lines: RefCell::default(),
        }
    }

    /// Returns the file at an absolute path, if it exists.
    pub(super) fn file(&self, path: &str) -> Option<File> {
        self.snapshot.file(path)
    }

    /// Returns the absolute path of a file; `None` for a built-in one.
    pub(super) fn path(&self, file: File) -> Option<String> {
        let db = self.snapshot.db();
        let printed: &str = file.path(db);
        match (file.origin(db), printed.starts_with('/')) {
            (_, true) => Some(printed.to_owned()),
            (Origin::Workspace, false) => Some(format!("{}/{printed}", self.snapshot.root())),
            (Origin::Library, false) => None,
        }
    }

    fn lines(&self, file: File) -> Rc<LineIndex> {
        let mut known = self.lines.borrow_mut();
        let text = || file.text(self.snapshot.db()).clone();
        let lines = known.entry(file);
        lines
            .or_insert_with(|| Rc::new(LineIndex::new(text())))
            .clone()
    }

    /// Converts a byte range of a file.
    pub(super) fn range(&self, file: File, span: Span) -> Range {
        let lines = self.lines(file);
        lines.range(span.start, span.end, self.encoding)
    }

    /// Returns the byte offset of a position; `None` behind the last line.
    fn offset(&self, file: File, at: Position) -> Option<u32> {
        let lines = self.lines(file);
        let offset = lines.offset(at, self.encoding);
        (lines.position(offset, self.encoding).line == at.line).then_some(offset)
    }

    /// Returns the name at a position. At a token boundary the identifier wins.
    pub(super) fn cursor(&self, path: &str, at: Position) -> Option<Cursor> {
        let file = self.file(path)?;
        let offset = self.offset(file, at)?;
        let text = file.text(self.snapshot.db());
        let ranges = file_ranges(self.snapshot.db(), file);
        let (before, after) = text.split_at_checked(offset as usize)?;
        let word = word_around(before, after);
        let inside = |span: &&Span| span.start <= offset && offset < span.end.max(span.start);
        let quoted = ranges.imports.iter().find(inside).filter(|span| {
            let path = text.get(span.start as usize..).unwrap_or("");
            path.starts_with(['"', '`'])
        });
        let (name, at) = match (quoted, word) {
            (Some(span), _) => (*span, offset),
            (None, Some(word)) => (word, offset.min(word.end - 1)),
            (None, None) if after.starts_with(char::is_whitespace) || after.is_empty() => {
                return None;
            }
            (None, None) => (token(text, offset), offset),
        };
        // Only the name of a package clause is a name.
        let clause = ranges.package;
        if clause.start < clause.end && name.start == clause.start {
            return None;
        }
        let at = char_begin(text, at);
        let found = self.graph.name_at(file, at)?;
        Some(Cursor { file, name, found })
    }

    /// Returns the location of a name in a file.
    pub(super) fn location(&self, file: File, span: Span) -> Option<Location> {
        Some(Location {
            path: self.path(file)?,
            range: self.range(file, span),
        })
    }

    /// Returns the location of the name that declares a symbol.
    pub(super) fn declared(&self, symbol: SymbolId) -> Option<Location> {
        self.snapshot.check();
        let declaration = self.graph.declaration_range(symbol)?;
        self.location(declaration.file, declaration.name)
    }

    /// Returns the locations that declare symbols, in their order, without duplicates.
    pub(super) fn all_declared(&self, symbols: Vec<SymbolId>) -> Vec<Location> {
        let symbols = symbols.into_iter();
        let mut seen = BTreeSet::new();
        let locations = symbols.filter_map(|symbol| self.declared(symbol));
        locations
            .filter(|location| seen.insert(location.clone()))
            .collect()
    }

    /// Returns a symbol as an item; `None` without a text that an editor can open.
    pub(super) fn item(&self, symbol: SymbolId) -> Option<SymbolItem> {
        self.snapshot.check();
        self.item_at(symbol, &self.graph.declaration_range(symbol)?)
    }

    /// Returns symbols as items.
    pub(super) fn items(&self, symbols: Vec<SymbolId>) -> Vec<SymbolItem> {
        let symbols = symbols.into_iter();
        symbols.filter_map(|symbol| self.item(symbol)).collect()
    }

    /// Returns a package as an item in one of its files.
    pub(super) fn item_in(&self, package: SymbolId, file: File) -> Option<SymbolItem> {
        self.item_at(package, &self.clause(file))
    }

    pub(super) fn item_at(
        &self,
        symbol: SymbolId,
        declaration: &DeclarationRange,
    ) -> Option<SymbolItem> {
        let around = Span {
            start: declaration.span.start.min(declaration.name.start),
            end: declaration.span.end.max(declaration.name.end),
        };
        Some(SymbolItem {
            id: self.graph.id(symbol),
            name: self.graph.name(symbol),
            kind: self.graph.kind(symbol),
            container: self.graph.container(symbol).to_string(),
            is_module: declaration.file.lang(self.snapshot.db()).packages_are_files,
            path: self.path(declaration.file)?,
            range: self.range(declaration.file, around),
            selection: self.range(declaration.file, declaration.name),
        })
    }

    /// Returns the package clause of a file; without one the start of the text.
    pub(super) fn clause(&self, file: File) -> DeclarationRange {
        let span = file_ranges(self.snapshot.db(), file).package;
        let text = file.text(self.snapshot.db());
        let clause = text.get(..span.end as usize).unwrap_or("");
        let name = word_around(clause, "").filter(|word| word.start >= span.start);
        DeclarationRange {
            file,
            span,
            name: name.unwrap_or(span),
        }
    }

    /// Returns names in files as locations, without those that no editor can open.
    pub(super) fn locations(&self, used: impl IntoIterator<Item = NameUse>) -> Vec<Location> {
        let used = used.into_iter().filter_map(|one| {
            self.snapshot.check();
            self.location(one.file, one.span)
        });
        used.collect()
    }

    /// Returns the language crate of a file.
    pub(super) fn language(&self, file: File) -> Option<&'static dyn Language> {
        let db = self.snapshot.db();
        db.tables().language(file.lang(db))
    }

    /// Returns whether a symbol can have callers.
    pub(super) fn is_called(&self, symbol: SymbolId) -> bool {
        matches!(
            self.graph.kind(symbol),
            NodeKind::Function | NodeKind::Method | NodeKind::Class | NodeKind::Package
        )
    }
}

/// Returns the identifier that touches the boundary between two parts of a text.
fn word_around(before: &str, after: &str) -> Option<Span> {
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let left = before.len() - before.trim_end_matches(in_word).len();
    let right = after.len() - after.trim_start_matches(in_word).len();
    let span = Span {
        start: (before.len() - left) as u32,
        end: (before.len() + right) as u32,
    };
    (left + right > 0).then_some(span)
}

/// Returns the offset of the character that a byte belongs to.
fn char_begin(text: &str, at: u32) -> u32 {
    let mut at = (at as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at as u32
}
