//! Other states of the workspace's texts: brought into the database for a moment, and taken out again.
//!
//! ```text
//! texts of the vfs ── enter(other) ──> other texts, read ── leave ──> texts of the vfs
//! ```
//!
//! The vfs, the stamps and the list of unsaved files stay as they are, since no reader sees the other state.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use codeweft_db::RequestCancellation;
use codeweft_vfs::Change;

use super::change::LowerInline;
use super::database::ProjectDatabase;
use super::snapshot::Snapshot;
use super::text_changes::TextChanges;
use super::transaction::Transaction;

/// The texts of files by absolute path; `None` for a file that does not exist. Other files are as they are.
pub(crate) type OtherTexts = BTreeMap<Arc<str>, Option<Arc<str>>>;

/// A database that may have other texts than the vfs. No reader may be left while it has.
pub(super) struct OtherStates<'a> {
    database: &'a mut ProjectDatabase,
    /// The texts of the vfs for all files of the other states.
    original: OtherTexts,
}

impl<'a> OtherStates<'a> {
    /// Returns a database for states in which these files may differ.
    pub(super) fn new(
        database: &'a mut ProjectDatabase,
        paths: impl Iterator<Item = Arc<str>>,
    ) -> OtherStates<'a> {
        let text = |path: &str| {
            let sources = &database.sources;
            let entry = sources.table.get(path).filter(|entry| entry.present);
            match entry {
                Some(entry) => Some(entry.file.text(&database.db).clone()),
                // No source file: what a layout reads.
                None => sources.disk.read_unnoted(path),
            }
        };
        let original = paths.map(|path| (path.clone(), text(&path))).collect();
        OtherStates { database, original }
    }

    /// Returns the texts of a state, for the files of all states.
    pub(super) fn whole(&self, texts: Option<&OtherTexts>) -> OtherTexts {
        let mut whole = self.original.clone();
        whole.extend(texts.cloned().unwrap_or_default());
        whole
    }

    /// Returns the database.
    pub(super) fn database(&self) -> &ProjectDatabase {
        self.database
    }

    /// Brings texts into the database, and lays out units again if they ask for it.
    pub(super) fn enter(&mut self, texts: &OtherTexts) {
        let unread = self.database.sources.unread.clone();
        let transaction = self.prepare(texts);
        self.database.apply(transaction);
        // A file that cannot be read may have a text in another state.
        self.database.sources.unread = unread;
    }

    fn prepare(&mut self, texts: &OtherTexts) -> Transaction {
        let database = &mut *self.database;
        let disk = database.sources.disk.clone();
        let mut relayout = false;
        let mut changed: Vec<Change> = Vec::new();
        for (path, text) in texts {
            // A layout that misses a file of a package must not read that of the disk.
            let differs = disk.replace(path, text.clone());
            if database.sources.is_source(path) {
                let (path, text) = (path.clone(), text.clone());
                changed.push(Change { path, text });
            } else if disk.depends_on(path) {
                relayout |= differs;
            }
        }
        let mut transaction = Transaction::default();
        let mut changes = TextChanges {
            db: &database.db,
            sources: &mut database.sources,
            lowerings: &mut database.lowerings,
            transaction: &mut transaction,
        };
        relayout |= changes.set_changed(changed, &mut LowerInline);
        if relayout {
            database.lay_out(&mut transaction, &|_| {});
        }
        transaction
    }

    /// Returns a snapshot of the state that the database has, for a request that `cancel` may end.
    pub(super) fn snapshot(&self, cancel: &RequestCancellation) -> Snapshot<'_> {
        // The writer reads itself here: no write waits for that.
        let tables = self.database.db.tables();
        tables.write_pending.store(false, Ordering::SeqCst);
        self.database.snapshot(cancel)
    }

    /// Brings the texts of the vfs back, which the disk has too unless an editor has not saved them.
    pub(super) fn leave(mut self) {
        let original = std::mem::take(&mut self.original);
        self.enter(&original);
        self.database.sources.disk.forget_replaced();
    }
}
