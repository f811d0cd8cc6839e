//! The context of a request: files by path, and positions of texts in the client's encoding.

use std::cell::RefCell;
use std::rc::Rc;

use codeweft_db::{File, Language, Origin, Span};
use codeweft_graph::editor::{EditorGraph, NameUse};
use codeweft_vfs::{Encoding, LineIndex, Position, Range};
use codeweft_workspace::Snapshot;
use rustc_hash::FxHashMap;

use super::data::Location;

/// A request with its encoding and a cache of line indexes.
pub(super) struct EditorQuery<'s> {
    pub(super) snapshot: &'s Snapshot<'s>,
    pub(super) graph: EditorGraph<'s>,
    encoding: Encoding,
    lines: RefCell<FxHashMap<File, Rc<LineIndex>>>,
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

    /// Returns the language crate of a file.
    pub(super) fn language(&self, file: File) -> Option<&'static dyn Language> {
        let db = self.snapshot.db();
        db.tables().language(file.lang(db))
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
    pub(super) fn offset(&self, file: File, at: Position) -> Option<u32> {
        let lines = self.lines(file);
        let offset = lines.offset(at, self.encoding);
        (lines.position(offset, self.encoding).line == at.line).then_some(offset)
    }

    /// Returns the location of a name in a file.
    pub(super) fn location(&self, file: File, span: Span) -> Option<Location> {
        Some(Location {
            path: self.path(file)?,
            range: self.range(file, span),
        })
    }

    /// Returns names in files as locations, without those that no editor can open.
    pub(super) fn locations(&self, used: impl IntoIterator<Item = NameUse>) -> Vec<Location> {
        let used = used.into_iter().filter_map(|one| {
            self.snapshot.check();
            self.location(one.file, one.span)
        });
        used.collect()
    }
}
