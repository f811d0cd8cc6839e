//! Stamps of files: what shows that a file has changed without reading it.

use std::sync::{Arc, RwLock};
use std::time::{Duration, SystemTime};

use rustc_hash::FxHashMap;

/// A file that changed this shortly before it was read may change again within one tick of the
/// file system's clock.
const TICK: Duration = Duration::from_millis(20);

/// By what a change of a file shows without reading it. A time alone is not enough: checkouts
/// and `cp -p` keep it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileStamp {
    /// Since the epoch.
    modified_ns: i128,
    /// When the entry itself last changed, its name and rights too; nobody can set it back.
    changed_ns: i128,
    size: u64,
    /// Device and number: another file of the same name is another one.
    identity: (u64, u64),
    /// Whether it may have changed since without showing.
    racy: bool,
}

impl FileStamp {
    /// Of what is at `path` now; `None` where nothing is, or it cannot be asked.
    pub(crate) fn of(path: &str) -> Option<FileStamp> {
        let metadata = std::fs::metadata(path).ok()?;
        let now = nanoseconds(Some(SystemTime::now()));
        let modified_ns = nanoseconds(metadata.modified().ok());
        let (changed_ns, identity) = unix(&metadata).unwrap_or((modified_ns, (0, 0)));
        let last = modified_ns.max(changed_ns);
        Some(FileStamp {
            modified_ns,
            changed_ns,
            size: metadata.len(),
            identity,
            // A time in the future is some other clock's.
            racy: modified_ns == 0 || (0..TICK.as_nanos() as i128).contains(&(now - last)),
        })
    }

    /// Whether what is there now shows no change.
    pub(crate) fn holds(self, now: Option<FileStamp>) -> bool {
        !self.racy && self.shows_no_change(now)
    }

    /// As [`FileStamp::holds`], but for what a file that had just been changed does not show.
    pub(crate) fn shows_no_change(self, now: Option<FileStamp>) -> bool {
        let racy = self.racy;
        now.is_some_and(|now| self == FileStamp { racy, ..now })
    }
}

fn nanoseconds(time: Option<SystemTime>) -> i128 {
    let since = time.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_nanos() as i128)
}

#[cfg(unix)]
fn unix(metadata: &std::fs::Metadata) -> Option<(i128, (u64, u64))> {
    use std::os::unix::fs::MetadataExt as _;
    let changed = i128::from(metadata.ctime()) * 1_000_000_000 + i128::from(metadata.ctime_nsec());
    Some((changed, (metadata.dev(), metadata.ino())))
}

#[cfg(not(unix))]
fn unix(_: &std::fs::Metadata) -> Option<(i128, (u64, u64))> {
    None
}

/// When files were last read, for all threads.
#[derive(Default)]
pub(crate) struct FileStamps {
    by_path: RwLock<FxHashMap<Arc<str>, ReadFile>>,
}

/// One file as it was last read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ReadFile {
    /// Of before it was read; `None`: there was no file.
    pub(crate) stamp: Option<FileStamp>,
    /// The revision of the vfs that has what was read.
    pub(crate) told: u64,
}

impl FileStamps {
    /// A file was read.
    pub(crate) fn set(&self, path: &Arc<str>, looked: ReadFile) {
        let mut by_path = self
            .by_path
            .write()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        by_path.insert(path.clone(), looked);
    }

    /// A file that had been `looked` at was looked at again, and holds the same.
    pub(crate) fn renew(&self, path: &Arc<str>, looked: ReadFile, stamp: Option<FileStamp>) {
        let mut by_path = self
            .by_path
            .write()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        // Whoever has read it meanwhile knows better.
        if by_path.get(path) == Some(&looked) {
            by_path.insert(path.clone(), ReadFile { stamp, ..looked });
        }
    }

    /// A file as it was last read; `None`: it never was.
    pub(crate) fn get(&self, path: &str) -> Option<ReadFile> {
        let by_path = self
            .by_path
            .read()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        by_path.get(path).copied()
    }
}
