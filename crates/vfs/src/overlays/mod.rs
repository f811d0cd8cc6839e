//! The effective text of each path: from the disk, or from a document that a client has open.

mod entry;
mod log;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock, RwLockReadGuard, RwLockWriteGuard};

use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

use self::entry::{EffectiveText, OpenedText, PathEntry, same};
use self::log::ChangeLog;
use crate::positions::BOM;
use crate::sync::{read, write};
use crate::text::unread_in_editor;
use crate::{CodingLines, DEFAULT_MAX_SIZE, Edit, Encoding, LineIndex, UnreadReason, read_text};

/// The state of the disk at a path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum DiskState {
    /// No file, or none reported.
    #[default]
    Absent,
    /// A text, without the byte-order mark that may precede it.
    Text(Arc<str>),
    /// A file that is not read.
    Unread(UnreadReason),
}

/// A client with documents of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ClientId(pub u32);

/// A document as its client has it, whether its text is the effective one or not.
#[derive(Clone, Debug)]
pub struct Document {
    /// The client's version number.
    pub version: i32,
    /// The text without a byte-order mark.
    pub text: Arc<str>,
    /// The lines of `text`; they record whether the client has a byte-order mark before it.
    pub lines: Arc<LineIndex>,
}

/// The reason why an edit of a document was not applied.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EditError {
    /// The client has no such document.
    #[error("the document is not open")]
    NotOpen,
    /// Positions in it would not fit into 32 bits.
    #[error("the document would be over 4 GiB")]
    TooLarge,
}

/// A path whose effective text changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Absolute, normalised.
    pub path: Arc<str>,
    /// The effective text; `None` if there is none any more ([`Vfs::unread`] may have the reason).
    pub text: Option<Arc<str>>,
}

/// The texts of all paths, for use by many threads. Paths are absolute and normalised
/// ([`normalise`](crate::normalise)).
///
/// Each path has one *effective* text. Without an open document it is the disk's. Otherwise it is
/// that of the document whose text changed last; of equal ones, of the one opened last:
///
/// - Opening with the disk's text or the effective text is no change; opening with another text is.
///   So is every edit that alters the text, and saving over contents of the disk to which the
///   document had yielded.
/// - A document is *clean* if its text is the one over which it was opened or last saved, or the
///   disk's. It was opened over its first text if the disk is reported to have that only later.
///   A clean document yields to contents of the disk that are reported later (a newer text,
///   no file or an unread one) until its client changes it. A document that is not clean stays
///   effective whatever is on disk.
/// - A text that would be unread if it were on disk (binary, too large, not in the encoding of its
///   coding line) leaves the path without a text while it is effective, as saving it would. The
///   disk's own text is exempt.
/// - A byte-order mark is not part of a text, on disk or from a client.
///
/// The text and the positions of a document belong to its client: if its text is not the effective
/// one, its positions have no meaning for the database.
///
/// ```
/// use codeweft_vfs::{ClientId, DiskState, Vfs};
///
/// let (vfs, editor) = (Vfs::default(), ClientId(1));
/// vfs.set_disk("/w/a.go", DiskState::Text("old".into()));
/// vfs.open(editor, "/w/a.go", 1, "edited");
/// assert_eq!(vfs.text("/w/a.go").as_deref(), Some("edited"));
/// vfs.close(editor, "/w/a.go");
/// assert_eq!(vfs.text("/w/a.go").as_deref(), Some("old"));
/// ```
pub struct Vfs {
    entries: DashMap<Arc<str>, PathEntry, FxBuildHasher>,
    max_size: AtomicU64,
    coding: CodingLines,
    // Lock order: `batch`, a guard of `entries`, `log`.
    /// Written while a client's documents close one after the other.
    batch: RwLock<()>,
    log: ChangeLog,
}

impl Default for Vfs {
    fn default() -> Self {
        Vfs::new(DEFAULT_MAX_SIZE, CodingLines::default())
    }
}

impl Vfs {
    /// Creates an empty set of texts. Documents of more than `max_size` bytes are unread, as are
    /// those that could not be written in the encoding that their coding line names.
    pub fn new(max_size: u64, coding: CodingLines) -> Vfs {
        Vfs {
            entries: DashMap::default(),
            max_size: AtomicU64::new(max_size),
            coding,
            batch: RwLock::default(),
            log: ChangeLog::default(),
        }
    }

    /// Replaces the size in bytes above which documents are unread, for those that are open too.
    pub fn set_max_size(&self, max_size: u64) {
        self.max_size.store(max_size, Ordering::Relaxed);
        let open = self.entries.iter().filter(|entry| entry.is_open());
        let open: Vec<Arc<str>> = open.map(|entry| entry.key().clone()).collect();
        for path in open {
            self.update(&path, |entry| {
                entry.set_unread(|text| self.unread_in_editor(&path, text));
            });
        }
    }

    fn max_size(&self) -> u64 {
        self.max_size.load(Ordering::Relaxed)
    }

    /// Returns why a document's text would be unread if it were on disk.
    fn unread_in_editor(&self, path: &str, text: &str) -> Option<UnreadReason> {
        unread_in_editor(path, text, self.max_size(), &self.coding)
    }

    /// Reads a file from the disk, as it would be reported to [`Vfs::set_disk`].
    ///
    /// # Errors The reason why the file is unread.
    pub fn read(&self, path: &str) -> Result<Arc<str>, UnreadReason> {
        read_text(path, self.max_size(), &self.coding).map(|text| text.text)
    }

    /// Reports the state of the disk, even if it is the same as before: clean documents yield to
    /// what is reported after they were opened or saved.
    pub fn set_disk(&self, path: &str, disk: DiskState) {
        if disk == DiskState::Absent && !self.entries.contains_key(path) {
            return;
        }
        self.update(path, |entry| entry.set_disk(disk));
    }

    /// Opens a document of a client, or opens it again.
    pub fn open(&self, client: ClientId, path: &str, version: i32, text: &str) {
        self.open_over(client, path, version, text, None);
    }

    /// Opens a document as [`Vfs::open`] does, at a path whose disk state was not reported yet:
    /// `base` is the text on disk.
    pub fn open_over(
        &self,
        client: ClientId,
        path: &str,
        version: i32,
        text: &str,
        base: Option<Arc<str>>,
    ) {
        let (text, bom) = match text.strip_prefix(BOM) {
            Some(text) => (text, true),
            None => (text, false),
        };
        let known = self.entries.get(path).and_then(|entry| entry.known(text));
        let text = known.unwrap_or_else(|| text.into());
        let unread = self.unread_in_editor(path, &text);
        let lines = if bom {
            LineIndex::after_bom(text)
        } else {
            LineIndex::new(text)
        };
        let given = OpenedText {
            version,
            lines: Arc::new(lines),
            unread,
        };
        self.update(path, |entry| entry.open(client, given, base));
    }

    /// Edits a client's document: edits apply in order, each to the result of the one before, and
    /// all positions refer to the client's own text. `version` is only recorded.
    ///
    /// # Errors The document is not open or would become too large; nothing is changed then.
    pub fn edit(
        &self,
        client: ClientId,
        path: &str,
        version: i32,
        edits: &[Edit],
        encoding: Encoding,
    ) -> Result<(), EditError> {
        loop {
            // Large texts are copied without a lock. A client edits its document in order, so one
            // attempt usually suffices.
            let document = self.document(client, path).ok_or(EditError::NotOpen)?;
            let before = document.lines;
            let disk = match self.disk(path) {
                DiskState::Text(text) => Some(text),
                DiskState::Absent | DiskState::Unread(_) => None,
            };
            let lines = before
                .edited(edits, encoding, disk)
                .ok_or(EditError::TooLarge)?;
            let given = OpenedText {
                version,
                unread: self.unread_in_editor(path, lines.text()),
                lines: Arc::new(lines),
            };
            if self.update(path, |entry| entry.change(client, &before, given)) {
                return Ok(());
            }
        }
    }

    /// Records that a client saved its document: its text is on disk, or will be reported to be.
    pub fn save(&self, client: ClientId, path: &str) {
        if self.is_open(path) {
            self.update(path, |entry| entry.save(client));
        }
    }

    /// Closes a client's document.
    pub fn close(&self, client: ClientId, path: &str) {
        if self.is_open(path) {
            self.update(path, |entry| entry.close(client));
        }
    }

    /// Closes all documents of a client; [`Vfs::changes_since`] returns either all of these changes
    /// or none.
    pub fn leave(&self, client: ClientId) {
        let _batch = self.batch_to_write();
        let open: Vec<Arc<str>> = self
            .entries
            .iter()
            .filter(|entry| entry.document(client).is_some())
            .map(|entry| entry.key().clone())
            .collect();
        for path in open {
            self.close(client, &path);
        }
    }

    /// Returns a client's document.
    pub fn document(&self, client: ClientId, path: &str) -> Option<Document> {
        self.entries.get(path)?.document(client)
    }

    /// Returns the effective text of a path.
    pub fn text(&self, path: &str) -> Option<Arc<str>> {
        self.entries.get(path)?.effective().text().cloned()
    }

    /// Returns why a path has no effective text, though it exists.
    pub fn unread(&self, path: &str) -> Option<UnreadReason> {
        match self.entries.get(path)?.effective() {
            EffectiveText::Unread(reason) => Some(reason.clone()),
            EffectiveText::Absent | EffectiveText::Text(_) => None,
        }
    }

    /// Returns the last reported state of the disk at a path.
    pub fn disk(&self, path: &str) -> DiskState {
        self.entries
            .get(path)
            .map_or(DiskState::Absent, |entry| entry.disk().clone())
    }

    /// Returns whether a state of the disk was reported at a path.
    pub fn is_disk_known(&self, path: &str) -> bool {
        self.entries
            .get(path)
            .is_some_and(|entry| entry.is_disk_known())
    }

    /// Returns whether a client has a document open at a path.
    pub fn is_open(&self, path: &str) -> bool {
        self.entries.get(path).is_some_and(|entry| entry.is_open())
    }

    /// Returns the paths whose effective text is not the disk's text, sorted. A document without a
    /// file is one of them; an unread one is not, even if it is also unread on disk.
    pub fn unsaved(&self) -> Vec<Arc<str>> {
        self.log.unsaved()
    }

    /// Returns the number of the last change, for [`Vfs::changes_since`].
    pub fn revision(&self) -> u64 {
        self.log.last()
    }

    /// Returns the current revision and the paths whose effective text changed after `revision`,
    /// each once with its current text, sorted by path. A text that changed back is listed.
    pub fn changes_since(&self, revision: u64) -> (u64, Vec<Change>) {
        let _batch = self.batch_to_read();
        let (last, paths) = self.log.since(revision);
        let changes = paths.into_iter().map(|path| Change {
            text: self.text(&path),
            path,
        });
        (last, changes.collect())
    }

    fn update<T>(&self, path: &str, change: impl FnOnce(&mut PathEntry) -> T) -> T {
        let mut entry = self.entries.entry(path.into()).or_default();
        let before = entry.effective().text().cloned();
        let was_unsaved = entry.unsaved;
        let result = change(&mut entry);
        let changed = match (&before, entry.effective().text()) {
            (Some(before), Some(after)) => !same(before, after),
            (None, None) => false,
            _ => true,
        };
        entry.unsaved = entry.is_unsaved();
        if changed || entry.unsaved != was_unsaved {
            let unsaved = entry.unsaved;
            let key = entry.key().clone();
            self.log
                .record(key, &mut entry.logged_change, changed, unsaved);
        }
        result
    }

    fn batch_to_read(&self) -> RwLockReadGuard<'_, ()> {
        read(&self.batch)
    }

    fn batch_to_write(&self) -> RwLockWriteGuard<'_, ()> {
        write(&self.batch)
    }
}

#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;
