//! Texts by path: what is on disk, what clients have open, and which of them holds.

mod entry;
mod log;

use std::sync::{Arc, RwLock, RwLockReadGuard, RwLockWriteGuard};

use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

use self::entry::{EffectiveText, OpenedText, PathEntry, same};
use self::log::ChangeLog;
use crate::positions::{BOM, ClientText};
use crate::text::would_leave_out;
use crate::{DEFAULT_MAX_SIZE, Edit, Encoding, LineIndex, UnreadReason};

/// What the disk holds at a path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum DiskState {
    /// No file, or none that was told of.
    #[default]
    Absent,
    /// A text, behind the byte-order mark that may stand before it.
    Text(Arc<str>),
    /// A file that is not read.
    LeftOut(UnreadReason),
}

/// One client with documents of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ClientId(pub u32);

/// A document as its client has it, be it the text that holds or not.
#[derive(Clone, Debug)]
pub struct Document {
    /// The client's number of it.
    pub version: i32,
    /// Behind a byte-order mark.
    pub text: Arc<str>,
    /// The lines of `text`; they know whether the client has a byte-order mark before it.
    pub lines: Arc<LineIndex>,
}

/// Why an edit of a document was not made.
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
    /// The text that holds now; `None`: there is none any more ([`Vfs::declarations_of_excluded`] may say why).
    pub text: Option<Arc<str>>,
}

/// Texts by path, for many threads. Paths are absolute and normalised
/// ([`normalise`](crate::normalise)).
///
/// At each path one text holds, the *effective* one. Without an open document it is the disk's.
/// With some it is that of the document whose text changed last, of equal ones the one that was
/// opened last:
///
/// - Opening with the disk's text, or with the text that holds, is no change of it; another text
///   is one. So is every edit that leaves another text than it found, and saving over a disk that
///   the document had yielded to.
/// - A document is *clean* when its text is the one that it was opened or last saved over, or the
///   disk's. A clean document yields to what the disk is told to hold after that, be it a newer
///   text, no file or one that is left out, until its client changes it. A document that is not
///   clean holds whatever the disk does.
/// - A text that would be left out if it stood on disk as it is (binary, too large, not in the
///   encoding of its coding line) leaves the path without a text while it holds, as saving it
///   would. The disk's own text is none of them.
/// - A byte-order mark is no part of a text, on disk or from a client.
///
/// A document's own text and its positions are the client's alone: where its text is not the
/// effective one, its positions mean nothing to the database.
pub struct Vfs {
    entries: DashMap<Arc<str>, PathEntry, FxBuildHasher>,
    max_size: u64,
    // Taken in this order: `batch`, a guard of `entries`, `log`.
    /// Written while a client's documents close one after the other.
    batch: RwLock<()>,
    log: ChangeLog,
}

impl Default for Vfs {
    fn default() -> Self {
        Vfs::new(DEFAULT_MAX_SIZE)
    }
}

impl Vfs {
    /// Empty. Documents of more than `max_size` bytes are left out.
    pub fn new(max_size: u64) -> Vfs {
        Vfs {
            entries: DashMap::default(),
            max_size,
            batch: RwLock::default(),
            log: ChangeLog::default(),
        }
    }

    /// Tells what the disk holds, be it what was told before: clean documents yield to what is told
    /// after they were opened or saved.
    pub fn set_disk(&self, path: &str, disk: DiskState) {
        if disk == DiskState::Absent && !self.entries.contains_key(path) {
            return;
        }
        self.update(path, |entry| entry.set_disk(disk));
    }

    /// A client opened a document, or opened it once more.
    pub fn open(&self, client: ClientId, path: &str, version: i32, text: &str) {
        self.open_over(client, path, version, text, None);
    }

    /// As [`Vfs::open`], of a path that the disk was not told of yet: `base` is what it holds now.
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
        let left_out = would_leave_out(path, &text, self.max_size);
        let lines = if bom {
            LineIndex::after_bom(text)
        } else {
            LineIndex::new(text)
        };
        let given = OpenedText {
            version,
            lines: Arc::new(lines),
            left_out,
        };
        self.update(path, |entry| entry.open(client, given, base));
    }

    /// A client changed its document: edits in order, each in the text that the one before left,
    /// all positions in the client's own text. `version` is only noted.
    ///
    /// # Errors
    /// Nothing is changed then.
    pub fn edit(
        &self,
        client: ClientId,
        path: &str,
        version: i32,
        edits: &[Edit],
        encoding: Encoding,
    ) -> Result<(), EditError> {
        loop {
            // Large texts are copied without a lock; a client edits its document in order, so that
            // once is mostly enough.
            let document = self.document(client, path).ok_or(EditError::NotOpen)?;
            let before = document.lines;
            let mut typed = ClientText::new(&before);
            if !edits.iter().all(|edit| typed.edit(edit, encoding)) {
                return Err(EditError::TooLarge);
            }
            let disk = match self.disk(path) {
                DiskState::Text(text) => Some(text),
                DiskState::Absent | DiskState::LeftOut(_) => None,
            };
            let lines = typed.into_document(disk);
            let given = OpenedText {
                version,
                left_out: would_leave_out(path, lines.text(), self.max_size),
                lines: Arc::new(lines),
            };
            if self.update(path, |entry| entry.change(client, &before, given)) {
                return Ok(());
            }
        }
    }

    /// A client saved its document: its text is what the disk holds, or will be told to hold.
    pub fn save(&self, client: ClientId, path: &str) {
        if self.is_open(path) {
            self.update(path, |entry| entry.save(client));
        }
    }

    /// A client closed its document.
    pub fn close(&self, client: ClientId, path: &str) {
        if self.is_open(path) {
            self.update(path, |entry| entry.close(client));
        }
    }

    /// A client has gone: all its documents are closed, and [`Vfs::changes_since`] shows all of it
    /// or nothing.
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

    /// A client's document.
    pub fn document(&self, client: ClientId, path: &str) -> Option<Document> {
        self.entries.get(path)?.document(client)
    }

    /// The text that holds at a path.
    pub fn text(&self, path: &str) -> Option<Arc<str>> {
        self.entries.get(path)?.effective().text().cloned()
    }

    /// Why what holds at a path is no text, where it is there.
    pub fn left_out(&self, path: &str) -> Option<UnreadReason> {
        match self.entries.get(path)?.effective() {
            EffectiveText::LeftOut(reason) => Some(reason.clone()),
            EffectiveText::Absent | EffectiveText::Text(_) => None,
        }
    }

    /// What the disk holds at a path, as it was told last.
    pub fn disk(&self, path: &str) -> DiskState {
        self.entries
            .get(path)
            .map_or(DiskState::Absent, |entry| entry.disk().clone())
    }

    /// Whether anybody has told what the disk holds at a path.
    pub fn is_told(&self, path: &str) -> bool {
        self.entries.get(path).is_some_and(|entry| entry.is_told())
    }

    /// Whether a client has a document open at a path.
    pub fn is_open(&self, path: &str) -> bool {
        self.entries.get(path).is_some_and(|entry| entry.is_open())
    }

    /// The paths whose effective text is not the disk's text, sorted. A document without a file is
    /// one of them; one that is left out, on disk too, is not.
    pub fn unsaved(&self) -> Vec<Arc<str>> {
        self.log.unsaved()
    }

    /// The number of the last change, to ask [`Vfs::changes_since`] with later.
    pub fn revision(&self) -> u64 {
        self.log.last()
    }

    /// The paths whose effective text changed after `revision`, each once with the text of now,
    /// sorted by path, and the revision that they lead to. A text that changed back is listed.
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
            self.log.note(key, &mut entry.noted, changed, unsaved);
        }
        result
    }

    fn batch_to_read(&self) -> RwLockReadGuard<'_, ()> {
        self.batch
            .read()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn batch_to_write(&self) -> RwLockWriteGuard<'_, ()> {
        self.batch
            .write()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;
