//! Stamps of files: metadata that changes when a file changes.

use std::sync::{Arc, RwLock};
use std::time::{Duration, SystemTime};

use rustc_hash::FxHashMap;

use crate::sync::{read, write};

/// A file that changed this shortly before it was read may change again within one tick of the
/// file system's clock.
const TICK: Duration = Duration::from_millis(20);

/// Metadata that shows a change of a file without reading it. The modification time alone is not enough:
/// checkouts and `cp -p` keep it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileStamp {
    /// The modification time since the epoch.
    modified_ns: i128,
    /// The time of the last change of the inode, name and rights included; it cannot be set back.
    changed_ns: i128,
    size: u64,
    /// Device and inode: another file of the same name is another one.
    identity: (u64, u64),
    /// Whether a later change may leave the stamp equal.
    racy: bool,
}

impl FileStamp {
    /// Returns the stamp of `path` now; `None` if there is nothing or it cannot be queried.
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
            // A time in the future comes from another clock.
            racy: modified_ns == 0 || (0..TICK.as_nanos() as i128).contains(&(now - last)),
        })
    }

    /// Returns the size of the file in bytes.
    pub(crate) fn size(self) -> u64 {
        self.size
    }

    /// Returns whether the file has surely not changed.
    pub(crate) fn holds(self, now: Option<FileStamp>) -> bool {
        !self.racy && self.shows_no_change(now)
    }

    /// As [`FileStamp::holds`], but also true for a file that may have changed within one clock tick.
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

/// The stamps of files when they were last read, for all threads.
#[derive(Default)]
pub(crate) struct FileStamps {
    by_path: RwLock<FxHashMap<Arc<str>, ReadFile>>,
}

/// The last read of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ReadFile {
    /// The stamp before it was read; `None` if there was no file.
    pub(crate) stamp: Option<FileStamp>,
    /// The revision of the vfs that has the text.
    pub(crate) vfs_revision: u64,
}

impl FileStamps {
    /// Records a read.
    pub(crate) fn set(&self, path: &Arc<str>, read: ReadFile) {
        let mut by_path = write(&self.by_path);
        by_path.insert(path.clone(), read);
    }

    /// Renews the stamp of a read whose text is unchanged.
    pub(crate) fn renew(&self, path: &Arc<str>, read: ReadFile, stamp: Option<FileStamp>) {
        let mut by_path = write(&self.by_path);
        // A read meanwhile is newer.
        if by_path.get(path) == Some(&read) {
            by_path.insert(path.clone(), ReadFile { stamp, ..read });
        }
    }

    /// Returns the last read of a file; `None` if there was none.
    pub(crate) fn get(&self, path: &str) -> Option<ReadFile> {
        read(&self.by_path).get(path).copied()
    }
}
