//! Changes of editors and of the disk: compared with the database first, then set in one transaction.
//!
//! ```text
//! vfs.changes_since(vfs_revision)   text equal to the database's: nothing, or the file is back
//!                                   new text: lower (from the last lowering, if the edit allows), then
//!                                     edited_text | saved_text, header and items if they differ
//!                                   no text: the file is gone
//! a file came or went, a header changed, or the layout is stale: lay out units
//! ```

use std::path::{Path, PathBuf};
use std::sync::Arc;

use codeweft_db::{Db as _, FileIr, LARGE_TEXT, RootDb};
use codeweft_graph::RevisionCache;
use codeweft_vfs::{Change, ClientId, Edit, Encoding};

use super::database::ProjectDatabase;
use super::lowering::NewText;
use super::text_changes::TextChanges;
use super::transaction::Transaction;

/// A batch of up to this many files from disk counts as editing; a larger one is a checkout, and the texts
/// keep their durability.
const SMALL_BATCH: usize = 8;

/// The client of [`ProjectDatabase::open`], [`change`](ProjectDatabase::change) and
/// [`close`](ProjectDatabase::close).
const LOCAL: ClientId = ClientId(0);

/// Lowers large texts deferred; they come back as [`PendingInputs::ready`].
pub(crate) trait DeferredLowering {
    /// Returns whether the text was accepted and will come back. It replaces an earlier one of the same path.
    fn accept(&mut self, text: &NewText) -> bool;

    /// Forgets the path: its current text is in the database.
    fn cancel(&mut self, path: &str);
}

/// Defers nothing: every text is lowered inside the transaction.
pub(super) struct LowerInline;

impl DeferredLowering for LowerInline {
    fn accept(&mut self, _: &NewText) -> bool {
        false
    }

    fn cancel(&mut self, _: &str) {}
}

/// Inputs of a transaction beside the changes of the vfs.
#[derive(Default)]
pub(crate) struct PendingInputs {
    /// Documents that were opened: their texts count as edited, before the first keystroke.
    pub opened: Vec<Arc<str>>,
    /// Files and folders that may have changed on disk; `None` if nothing was reported.
    pub disk: Option<Vec<PathBuf>>,
    /// Whether all files of the workspace may have changed on disk.
    pub recheck: bool,
    /// Deferred texts that are lowered now; `None` if lowering panicked.
    pub ready: Vec<(NewText, Option<FileIr>)>,
}

impl ProjectDatabase {
    /// Opens a document with this text. It counts as edited from now on, before the first keystroke, unless it
    /// is a library's. Returns the revision that contains it.
    pub fn open(&mut self, path: &Path, text: &str) -> u64 {
        let Some(path) = self.sources.absolute(path) else {
            return self.revision;
        };
        self.sources.vfs.open(LOCAL, &path, 0, text);
        self.commit(PendingInputs {
            opened: vec![path.into()],
            ..PendingInputs::default()
        })
    }

    /// Replaces the text of an open document. Returns the revision that contains it.
    pub fn change(&mut self, path: &Path, text: &str) -> u64 {
        let Some(path) = self.sources.absolute(path) else {
            return self.revision;
        };
        let whole = [Edit {
            range: None,
            text: text.to_owned(),
        }];
        let vfs = &self.sources.vfs;
        let edited = vfs.edit(LOCAL, &path, 0, &whole, Encoding::Utf8);
        if edited.is_err() {
            vfs.open(LOCAL, &path, 0, text);
        }
        self.commit(PendingInputs::default())
    }

    /// Closes a document: the text on disk is effective again. Returns the revision that contains it.
    pub fn close(&mut self, path: &Path) -> u64 {
        if let Some(path) = self.sources.absolute(path) {
            self.sources.vfs.close(LOCAL, &path);
        }
        self.commit(PendingInputs::default())
    }

    /// Checks files and folders that may have changed, come or gone on disk. Returns the revision that contains
    /// what was found.
    pub fn disk_changed(&mut self, paths: &[impl AsRef<Path>]) -> u64 {
        let paths = paths.iter().map(|path| path.as_ref().to_owned());
        self.commit(PendingInputs {
            disk: Some(paths.collect()),
            ..PendingInputs::default()
        })
    }

    /// Checks all files of the workspace on disk. Returns the revision that contains what was found.
    pub fn recheck(&mut self) -> u64 {
        self.commit(PendingInputs {
            recheck: true,
            ..PendingInputs::default()
        })
    }

    /// Brings the database to the state of the vfs and the disk. Returns the revision that contains it.
    fn commit(&mut self, inputs: PendingInputs) -> u64 {
        let transaction = self.prepare(inputs, &mut LowerInline);
        self.apply(transaction)
    }

    /// Prepares the transaction that brings the database to the state of the vfs, after what may have changed on
    /// disk was read. Readers may read meanwhile.
    pub(crate) fn prepare(
        &mut self,
        inputs: PendingInputs,
        deferred: &mut dyn DeferredLowering,
    ) -> Transaction {
        let PendingInputs {
            opened,
            disk,
            recheck,
            ready,
        } = inputs;
        let recheck = recheck | std::mem::take(&mut self.walk_is_stale);
        if recheck {
            self.sources.scan_all();
        }
        if let Some(paths) = &disk {
            self.sources.scan(paths);
        }
        let mut transaction = Transaction::default();
        let mut changes = TextChanges {
            db: &self.db,
            sources: &mut self.sources,
            lowerings: &mut self.lowerings,
            transaction: &mut transaction,
        };
        for path in &opened {
            changes.mark_opened(path);
        }
        let (vfs_revision, changed) = changes.sources.vfs.changes_since(self.vfs_revision);
        self.vfs_revision = vfs_revision;
        let mut relayout = changes.set_changed(changed, deferred);
        relayout |= changes.set_ready(ready, deferred);
        let stale = std::mem::take(&mut self.sources.layout_is_stale);
        if relayout || stale {
            self.lay_out(&mut transaction, &|_| {});
        }
        let unsaved = self.sources.list_unsaved();
        // The list of unread files may differ.
        let disk_checked = recheck || disk.is_some();
        transaction.state_differs |= disk_checked || unsaved != self.unsaved;
        transaction.state_differs |= std::mem::take(&mut self.state_is_new);
        self.unsaved = unsaved;
        transaction
    }

    /// Makes the next preparation compare everything, after one that panicked.
    pub(crate) fn compare_all_again(&mut self) {
        self.vfs_revision = 0;
        self.sources.layout_is_stale = true;
    }

    /// Sets the prepared inputs, once all readers have left. Returns the revision.
    pub(crate) fn apply(&mut self, transaction: Transaction) -> u64 {
        if transaction.differs {
            self.revision += 1;
        }
        if transaction.lays_out {
            self.expect_unread_files();
        }
        if transaction.redeclares {
            self.expect_unverified_files();
        }
        if transaction.writes() {
            // Readers leave, and drop their clones of the last revision's state.
            self.db.wait_for_readers();
            transaction.apply(&mut self.db);
            let last = std::mem::take(&mut self.cache);
            self.cache = next_cache(&self.db, last);
        }
        self.revision
    }
}

impl TextChanges<'_> {
    /// Queues the changes of the vfs; texts that `deferred` accepts come back later. Returns whether the layout
    /// must be computed again.
    pub(super) fn set_changed(
        &mut self,
        changed: Vec<Change>,
        deferred: &mut dyn DeferredLowering,
    ) -> bool {
        let (mut texts, flipped) = self.compare(changed, deferred);
        let small = texts.len() <= SMALL_BATCH;
        let mut edited: Vec<(NewText, FileIr)> = Vec::new();
        if small {
            texts.retain(|text| match self.lower_from_last(text) {
                Some(ir) => {
                    deferred.cancel(&text.path);
                    edited.push((text.clone(), ir));
                    false
                }
                None => true,
            });
        }
        texts.retain(|text| {
            let taken = text.text.len() >= LARGE_TEXT && deferred.accept(text);
            if !taken {
                deferred.cancel(&text.path);
            }
            !taken
        });
        let threads = self.sources.threads;
        let irs = self
            .lowerings
            .lower_whole(self.db.shared(), threads, &texts);
        let mut relayout = flipped;
        for (text, ir) in edited {
            relayout |= self.set_text(text, Some(ir), small);
        }
        // Also a text that is not the newest any more: a request may wait for the change that set it.
        for (text, ir) in texts.into_iter().zip(irs) {
            relayout |= self.set_text(text, ir, small);
        }
        relayout
    }

    /// Compares the changes of the vfs with the database. Returns the texts that are new, and whether a file
    /// came back or went.
    fn compare(
        &mut self,
        changed: Vec<Change>,
        deferred: &mut dyn DeferredLowering,
    ) -> (Vec<NewText>, bool) {
        let mut flipped = false;
        let mut texts: Vec<NewText> = Vec::new();
        for Change { path, text } in changed {
            match (self.sources.table.get(&path), text) {
                (Some(entry), Some(text)) if *entry.file.text(self.db) == text => {
                    deferred.cancel(&path);
                    flipped |= self.sources.set_present(&path, true);
                }
                (Some(entry), Some(text)) => {
                    let lang = entry.lang;
                    texts.push(NewText { path, lang, text });
                }
                (None, Some(text)) => {
                    if let Some(lang) = self.sources.language_of_new(&path) {
                        texts.push(NewText { path, lang, text });
                    }
                }
                (_, None) => {
                    deferred.cancel(&path);
                    flipped |= self.sources.set_present(&path, false);
                }
            }
        }
        self.transaction.differs |= flipped;
        (texts, flipped)
    }

    /// Queues deferred texts that are lowered now, if they are still the vfs's. Returns whether the layout must
    /// be computed again.
    fn set_ready(
        &mut self,
        ready: Vec<(NewText, Option<FileIr>)>,
        deferred: &mut dyn DeferredLowering,
    ) -> bool {
        let mut relayout = false;
        for (text, ir) in ready {
            let holds = self.sources.vfs.text(&text.path);
            if holds.is_some_and(|holds| Arc::ptr_eq(&holds, &text.text)) {
                deferred.cancel(&text.path);
                relayout |= self.set_text(text, ir, true);
            } else {
                self.db.shared().defer_drop((text, ir));
            }
        }
        relayout
    }
}

/// Returns the cache of the next revision, which keeps joins whose parts are the same.
fn next_cache(db: &RootDb, last: Arc<RevisionCache>) -> Arc<RevisionCache> {
    // No reader has a clone any more: the write has waited for them.
    let (next, garbage) = Arc::try_unwrap(last).unwrap_or_default().next();
    db.shared().defer_drop(garbage);
    Arc::new(next)
}
