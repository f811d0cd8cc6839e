//! The removal of segments that are too many, too old or of no use, by one process at a time.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rustix::fs::FlockOperation;

use crate::Records;
use crate::folder;
use crate::segment::SegmentFile;
use crate::writer::OpenSegment;

/// The size in bytes below which segments are merged.
const SMALL: u64 = 1 << 20;

/// The number of small segments from which they are merged.
const MANY: usize = 16;

/// The age of an unfinished segment that is not written any more.
const ABANDONED: Duration = Duration::from_secs(3600);

struct Segment {
    path: PathBuf,
    size: u64,
    used: SystemTime,
}

/// Removes what was abandoned, merges small segments, and removes those used least recently until four
/// fifths of `max_size` (in bytes) are left, if there is more than that. Does nothing where another process
/// is at it. What cannot be removed stays.
pub(crate) fn collect(folder: &Path, max_size: u64) {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true).mode(0o600);
    let Ok(lock) = options.open(folder.join("gc.lock")) else {
        return;
    };
    if rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
        return;
    }
    for path in folder::unfinished(folder).unwrap_or_default() {
        let modified = path.metadata().and_then(|metadata| metadata.modified());
        if modified.is_ok_and(|then| then.elapsed().is_ok_and(|age| age > ABANDONED)) {
            let _ = fs::remove_file(path);
        }
    }
    merge(folder);
    let mut segments = segments(folder);
    let mut size: u64 = segments.iter().map(|segment| segment.size).sum();
    if size <= max_size {
        return;
    }
    segments.sort_by_key(|segment| segment.used);
    for segment in segments {
        if size <= max_size / 5 * 4 {
            return;
        }
        if fs::remove_file(&segment.path).is_ok() {
            size -= segment.size;
        }
    }
}

fn segments(folder: &Path) -> Vec<Segment> {
    let paths = folder::segments(folder).unwrap_or_default();
    let segments = paths.into_iter().filter_map(|path| {
        let metadata = path.metadata().ok()?;
        Some(Segment {
            path,
            size: metadata.len(),
            used: metadata.modified().ok()?,
        })
    });
    segments.collect()
}

/// Writes the records of many small segments of this build to one. Readers of a removed one keep their
/// open file.
fn merge(folder: &Path) {
    let mut small = Vec::new();
    for Segment { path, size, .. } in segments(folder) {
        match SegmentFile::open(&path) {
            Ok(Some((segment, table))) if size < SMALL => {
                small.push((path, Arc::new(segment), table));
            }
            _ => {}
        }
    }
    if small.len() < MANY {
        return;
    }
    let merged = || -> std::io::Result<()> {
        let mut to = OpenSegment::create(folder)?;
        for (_, segment, table) in &small {
            for row in table {
                to.bytes.copy(row, segment);
            }
            to.write()?;
        }
        to.end(&Records::default())
    };
    if merged().is_ok() {
        for (path, ..) in small {
            let _ = fs::remove_file(path);
        }
    }
}
