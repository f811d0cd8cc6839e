//! Texts by path: what is on disk, what is open in an editor, and which of them holds.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

use crate::LeftOutReason;

/// What the disk holds at a path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum DiskState {
    /// No file, or none that was told of.
    #[default]
    Absent,
    /// A text.
    Text(Arc<str>),
    /// A file that is not read.
    LeftOut(LeftOutReason),
}

/// One client with documents of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ClientId(pub u32);

/// A document as its client has it.
#[derive(Clone, Debug)]
pub struct Document {
    /// The client's number of it.
    pub version: i32,
    /// After a byte-order mark.
    pub text: Arc<str>,
    /// The lines of `text`.
    pub lines: Arc<crate::LineIndex>,
}

/// Why an edit of a document was not made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EditError {
    /// The client has no such document.
    #[error("the document is not open")]
    NotOpen,
}

/// A path whose effective text changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Absolute, normalised.
    pub path: Arc<str>,
    /// The text that holds now; `None`: there is none any more.
    pub text: Option<Arc<str>>,
}

#[derive(Default)]
struct Entry {
    disk: DiskState,
    overlay: Option<Arc<str>>,
    /// The number of the last change of the effective text, 0: none.
    changed: u64,
}

impl Entry {
    fn effective(&self) -> Option<&Arc<str>> {
        match (&self.overlay, &self.disk) {
            (Some(text), _) | (None, DiskState::Text(text)) => Some(text),
            (None, DiskState::Absent | DiskState::LeftOut(_)) => None,
        }
    }
}

/// The paths that changed, each once, by the number of its last change.
#[derive(Default)]
struct Log {
    last: u64,
    paths: BTreeMap<u64, Arc<str>>,
}

/// Texts by path, for many threads. An overlay, the text of an open document, beats the disk's;
/// closing it brings the disk's back. Paths are absolute and normalised
/// ([`normalise`](crate::normalise)).
#[derive(Default)]
pub struct Vfs {
    entries: DashMap<Arc<str>, Entry, FxBuildHasher>,
    // Locked inside a guard of `entries`, never the other way round.
    log: Mutex<Log>,
}

impl Vfs {
    /// Tells what the disk holds.
    pub fn set_disk(&self, path: &str, disk: DiskState) {
        self.update(path, |entry| entry.disk = disk);
    }

    /// A document was opened with this text.
    pub fn open(&self, path: &str, text: Arc<str>) {
        self.update(path, |entry| entry.overlay = Some(text));
    }

    /// An open document has this whole text now. Of a document that is not open it opens it.
    pub fn change(&self, path: &str, text: Arc<str>) {
        self.open(path, text);
    }

    /// A document was closed: the disk's text holds again.
    pub fn close(&self, path: &str) {
        self.update(path, |entry| entry.overlay = None);
    }

    /// The text that holds at a path.
    pub fn text(&self, path: &str) -> Option<Arc<str>> {
        self.entries.get(path)?.effective().cloned()
    }

    /// What the disk holds at a path, as it was told last.
    pub fn disk(&self, path: &str) -> DiskState {
        self.entries
            .get(path)
            .map_or(DiskState::Absent, |entry| entry.disk.clone())
    }

    /// Whether a document is open at a path.
    pub fn is_open(&self, path: &str) -> bool {
        self.entries
            .get(path)
            .is_some_and(|entry| entry.overlay.is_some())
    }

    /// The open documents whose text differs from the disk's, sorted.
    pub fn unsaved(&self) -> Vec<Arc<str>> {
        let mut paths: Vec<_> = self
            .entries
            .iter()
            .filter(|entry| match (&entry.overlay, &entry.disk) {
                (Some(open), DiskState::Text(disk)) => open != disk,
                (open, _) => open.is_some(),
            })
            .map(|entry| entry.key().clone())
            .collect();
        paths.sort_unstable();
        paths
    }

    /// The number of the last change, to ask [`Vfs::changes_since`] with later.
    pub fn revision(&self) -> u64 {
        self.log().last
    }

    /// The paths whose effective text changed after `revision`, each once with the text of now,
    /// sorted by path, and the revision that they lead to. A text that changed back is listed.
    pub fn changes_since(&self, revision: u64) -> (u64, Vec<Change>) {
        let (last, mut paths) = {
            let log = self.log();
            let paths: Vec<_> = log
                .paths
                .range(revision.saturating_add(1)..)
                .map(|(_, path)| path.clone())
                .collect();
            (log.last, paths)
        };
        paths.sort_unstable();
        let changes = paths.into_iter().map(|path| Change {
            text: self.text(&path),
            path,
        });
        (last, changes.collect())
    }

    fn update(&self, path: &str, change: impl FnOnce(&mut Entry)) {
        let mut entry = self.entries.entry(path.into()).or_default();
        let before = entry.effective().cloned();
        change(&mut entry);
        let after = entry.effective();
        let same = match (&before, after) {
            (Some(before), Some(after)) => Arc::ptr_eq(before, after) || before == after,
            (None, None) => true,
            _ => false,
        };
        if same {
            return;
        }
        let mut log = self.log();
        log.last += 1;
        let number = log.last;
        let old = entry.changed;
        entry.changed = number;
        log.paths.remove(&old);
        log.paths.insert(number, entry.key().clone());
    }

    fn log(&self) -> std::sync::MutexGuard<'_, Log> {
        // The log is whole at every moment that could panic.
        self.log
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_disk(text: &str) -> DiskState {
        DiskState::Text(text.into())
    }

    fn now(vfs: &Vfs) -> Option<String> {
        vfs.text("/w/a.go").map(|text| text.to_string())
    }

    #[test]
    fn an_overlay_beats_the_disk_until_it_is_closed() {
        let vfs = Vfs::default();
        vfs.set_disk("/w/a.go", on_disk("disk"));
        vfs.open("/w/a.go", "open".into());
        vfs.set_disk("/w/a.go", on_disk("newer"));
        assert_eq!(now(&vfs).as_deref(), Some("open"));
        assert_eq!(&*vfs.unsaved(), [Arc::from("/w/a.go")]);
        vfs.close("/w/a.go");
        assert_eq!(now(&vfs).as_deref(), Some("newer"));
        assert_eq!(vfs.unsaved().len(), 0);
    }

    #[test]
    fn opening_with_the_disks_text_is_no_change() {
        let vfs = Vfs::default();
        vfs.set_disk("/w/a.go", on_disk("same"));
        let (revision, _) = vfs.changes_since(0);
        vfs.open("/w/a.go", "same".into());
        vfs.close("/w/a.go");
        assert_eq!(vfs.changes_since(revision), (revision, Vec::new()));
    }

    #[test]
    fn a_path_is_listed_once_with_its_text_of_now() {
        let vfs = Vfs::default();
        vfs.open("/w/b.go", "b".into());
        vfs.open("/w/a.go", "1".into());
        let between = vfs.revision();
        vfs.change("/w/a.go", "2".into());
        let (last, changes) = vfs.changes_since(0);
        let shown: Vec<_> = changes
            .iter()
            .map(|change| (&*change.path, change.text.as_deref()))
            .collect();
        assert_eq!(shown, [("/w/a.go", Some("2")), ("/w/b.go", Some("b"))]);
        assert_eq!(vfs.changes_since(between).1.len(), 1);
        assert_eq!(vfs.changes_since(last).1, []);
    }

    #[test]
    fn a_document_without_a_file_is_gone_when_it_is_closed() {
        let vfs = Vfs::default();
        vfs.open("/w/a.go", "new".into());
        vfs.close("/w/a.go");
        let (_, changes) = vfs.changes_since(0);
        assert_eq!(changes.len(), 1);
        assert_eq!(changes[0].text, None);
    }

    #[test]
    fn a_file_that_is_left_out_has_no_text_but_an_open_document_of_it_has() {
        let vfs = Vfs::default();
        vfs.set_disk("/w/a.go", DiskState::LeftOut(LeftOutReason::Binary));
        assert_eq!(now(&vfs), None);
        vfs.open("/w/a.go", "text".into());
        assert_eq!(now(&vfs).as_deref(), Some("text"));
    }

    #[test]
    fn no_change_is_lost_between_threads() {
        let vfs = Vfs::default();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let vfs = &vfs;
                scope.spawn(move || {
                    for n in 0..200 {
                        vfs.open(&format!("/w/{}.go", n % 50), format!("{thread} {n}").into());
                    }
                });
            }
            let mut seen = 0;
            for _ in 0..50 {
                let (revision, changes) = vfs.changes_since(seen);
                assert!(revision >= seen && changes.len() <= 50);
                seen = revision;
            }
        });
        let (last, changes) = vfs.changes_since(0);
        assert_eq!(changes.len(), 50);
        assert_eq!(vfs.changes_since(last).1, []);
    }
}
