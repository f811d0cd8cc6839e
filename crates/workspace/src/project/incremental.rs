//! Lowering of edited texts from what is left of the last text of the same file: its lowering, or its syntax
//! tree.
//!
//! ```text
//! new text of a file ── edit inside one declaration ──> its last lowering, with that declaration lowered again
//!                    └─ otherwise ───────────────────> parsed from its last tree, if that is among the recent
//! ```

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use codeweft_db::{
    CachedTree, Db as _, File, FileIr, Lang, RootDb, Shared, file_bodies, file_identifiers,
    file_ranges, file_report, lower_text_edited, lower_text_next,
};
use rustc_hash::FxHashMap;

use super::lowering::{self, NewText};

/// The number of edited files whose syntax trees are kept, without large ones.
const MAX_TREES: usize = 4;

/// The last lowerings of opened or edited files, and the trees of some of them.
pub(super) struct PreviousLowerings {
    by_path: FxHashMap<Arc<str>, PreviousLowering>,
    trees: RecentTrees,
}

impl PreviousLowerings {
    /// Returns none yet.
    pub(super) fn new() -> PreviousLowerings {
        PreviousLowerings {
            by_path: FxHashMap::default(),
            trees: RecentTrees::of(MAX_TREES),
        }
    }

    /// Lowers the next text of a file in the database from its last lowering, if the edit allows.
    pub(super) fn lower_from_last(
        &self,
        db: &RootDb,
        file: File,
        text: &NewText,
    ) -> Option<FileIr> {
        let own = file.text(db);
        let last = self.by_path.get(&text.path);
        match last.filter(|last| Arc::ptr_eq(&last.text, own)) {
            Some(last) => last.next(db.shared(), text),
            None => PreviousLowering::of(db, file).next(db.shared(), text),
        }
    }

    /// Lowers new texts of files, a single one from its tree; `None` for a text whose lowering panicked.
    pub(super) fn lower_whole(
        &mut self,
        shared: &Shared,
        threads: usize,
        texts: &[NewText],
    ) -> Vec<Option<FileIr>> {
        match texts {
            [one] => vec![self.lower_from_tree(shared, one)],
            _ => lowering::lower_all(shared, threads, texts),
        }
    }

    /// Lowers a text from the last tree of its file and keeps the new tree; `None` if lowering panicked.
    pub(super) fn lower_from_tree(&mut self, shared: &Shared, text: &NewText) -> Option<FileIr> {
        let NewText { path, lang, text } = text;
        self.trees.lower(shared, path, text, *lang, &|| false)
    }

    /// Records the last lowering of a file. Returns the one before.
    pub(super) fn set(
        &mut self,
        path: Arc<str>,
        last: PreviousLowering,
    ) -> Option<PreviousLowering> {
        self.by_path.insert(path, last)
    }
}

/// A text with its lowering, whose parts the database shares.
#[derive(Clone)]
pub(super) struct PreviousLowering {
    pub text: Arc<str>,
    pub ir: FileIr,
}

impl PreviousLowering {
    /// Returns the lowering of a file in the database.
    pub(super) fn of(db: &RootDb, file: File) -> PreviousLowering {
        PreviousLowering {
            text: file.text(db).clone(),
            ir: FileIr {
                header: file.header(db).clone(),
                items: file.items(db).clone(),
                bodies: file_bodies(db, file),
                ranges: file_ranges(db, file),
                identifiers: file_identifiers(db, file),
                report: file_report(db, file),
            },
        }
    }

    /// Lowers the next text of the file from this one; `None` if the result might differ from lowering the
    /// whole text.
    pub(super) fn next(&self, shared: &Shared, text: &NewText) -> Option<FileIr> {
        let NewText { text, lang, .. } = text;
        let names = &shared.names;
        let lower = || lower_text_edited(&self.text, &self.ir, text, *lang, names, &|| false);
        catch_unwind(AssertUnwindSafe(lower)).ok()?
    }
}

/// The syntax trees of the files that were edited last: the next edit of one of them is parsed from its tree.
pub(crate) struct RecentTrees {
    /// The most recent one last.
    recent: Vec<(Arc<str>, CachedTree)>,
    /// A tree costs some thirty times its text.
    max: usize,
}

impl RecentTrees {
    /// Keeps the trees of at most this many files.
    pub(crate) fn of(max: usize) -> RecentTrees {
        RecentTrees {
            recent: Vec::new(),
            max,
        }
    }

    /// Lowers the text of the file at `path`; `None` if `stop` returned true or lowering panicked.
    pub(crate) fn lower(
        &mut self,
        shared: &Shared,
        path: &Arc<str>,
        text: &str,
        lang: Lang,
        stop: &dyn Fn() -> bool,
    ) -> Option<FileIr> {
        let at = self.recent.iter().position(|(other, _)| other == path);
        let mut last = at.map(|at| self.recent.remove(at).1).unwrap_or_default();
        let lower = || lower_text_next(text, lang, &shared.names, &mut last, stop);
        // After a panic the tree is not kept.
        let ir = catch_unwind(AssertUnwindSafe(lower)).ok()?;
        shared.defer_drop(last.take_garbage());
        if self.recent.len() >= self.max {
            self.recent.remove(0);
        }
        self.recent.push((path.clone(), last));
        ir
    }
}
