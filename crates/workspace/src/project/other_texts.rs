//! Another state of the workspace's texts: brought into the database for a moment, and taken out again.
//!
//! ```text
//! texts of the vfs ── enter(other) ──> other texts, read ── enter(original) ──> texts of the vfs
//! ```
//!
//! The vfs, the stamps and the list of unsaved files stay as they are, since no reader sees the other state.

use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_db::RequestCancellation;
use codeweft_vfs::Change;

use super::change::LowerInline;
use super::database::ProjectDatabase;
use super::snapshot::Snapshot;
use super::text_changes::TextChanges;
use super::transaction::Transaction;

/// The texts of files by absolute path; `None` for a file that does not exist. Other files are as they are.
pub(crate) type OtherTexts = BTreeMap<Arc<str>, Option<Arc<str>>>;

impl ProjectDatabase {
    /// Returns the texts that the database has now for the files of other states.
    pub(crate) fn texts_of(&self, paths: impl Iterator<Item = Arc<str>>) -> OtherTexts {
        let texts = paths.map(|path| {
            let entry = self.sources.table.get(&path).filter(|entry| entry.present);
            let text = match entry {
                Some(entry) => Some(entry.file.text(&self.db).clone()),
                // No source file: what a layout reads.
                None => self.sources.disk.read_unnoted(&path),
            };
            (path, text)
        });
        texts.collect()
    }

    /// Brings texts into the database, and lays out units again if they ask for it. No reader may be left.
    pub(crate) fn enter(&mut self, texts: &OtherTexts) {
        let unread = self.sources.unread.clone();
        let transaction = self.prepare_texts(texts);
        self.apply(transaction);
        // A file that cannot be read may have a text in another state.
        self.sources.unread = unread;
    }

    fn prepare_texts(&mut self, texts: &OtherTexts) -> Transaction {
        let disk = self.sources.disk.clone();
        let mut relayout = false;
        let mut changed: Vec<Change> = Vec::new();
        for (path, text) in texts {
            // A layout that misses a file of a package must not read that of the disk.
            let differs = disk.replace(path, text.clone());
            if self.sources.is_source(path) {
                let (path, text) = (path.clone(), text.clone());
                changed.push(Change { path, text });
            } else if disk.depends_on(path) {
                relayout |= differs;
            }
        }
        let mut transaction = Transaction::default();
        let mut changes = TextChanges {
            db: &self.db,
            sources: &mut self.sources,
            lowerings: &mut self.lowerings,
            transaction: &mut transaction,
        };
        relayout |= changes.set_changed(changed, &mut LowerInline);
        if relayout {
            self.lay_out(&mut transaction, &|_| {});
        }
        transaction
    }

    /// Ends the time of other texts: layouts read the disk again, whose texts the database has.
    pub(crate) fn forget_other_texts(&mut self) {
        self.sources.disk.forget_replaced();
    }

    /// Returns a snapshot of the state that the database has, for a request that `cancel` may end.
    pub(crate) fn inside(&self, cancel: &RequestCancellation) -> Snapshot<'_> {
        self.db
            .tables()
            .write_pending
            .store(false, std::sync::atomic::Ordering::SeqCst);
        self.snapshot(cancel)
    }
}
