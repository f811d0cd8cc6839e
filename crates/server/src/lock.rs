//! Locks that end with their process: `flock` on descriptors that no child inherits.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

/// The pause between two tries to take a lock that another holds.
const AGAIN: Duration = Duration::from_millis(10);

/// A lock that is held until it is dropped, or its process ends in whatever way.
#[derive(Debug)]
pub struct FileLock {
    descriptor: OwnedFd,
}

impl FileLock {
    /// Locks the file that `descriptor` is open on; `None` if another process holds the lock.
    ///
    /// # Errors
    /// The file system has no locks.
    pub fn try_take(descriptor: OwnedFd) -> io::Result<Option<FileLock>> {
        loop {
            return match flock(&descriptor, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => Ok(Some(FileLock { descriptor })),
                Err(Errno::WOULDBLOCK) => Ok(None),
                Err(Errno::INTR) => continue,
                Err(error) => Err(error.into()),
            };
        }
    }

    /// As [`FileLock::try_take`], tried again until `patience` is over.
    ///
    /// # Errors
    /// As [`FileLock::try_take`], and those of `descriptor`.
    pub fn take(
        mut descriptor: impl FnMut() -> io::Result<OwnedFd>,
        patience: Duration,
    ) -> io::Result<Option<FileLock>> {
        let until = Instant::now() + patience;
        loop {
            if let Some(lock) = FileLock::try_take(descriptor()?)? {
                return Ok(Some(lock));
            }
            if Instant::now() >= until {
                return Ok(None);
            }
            sleep(AGAIN);
        }
    }

    /// Returns the descriptor of the locked file.
    pub(super) fn descriptor(&self) -> impl AsFd {
        self.descriptor.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn a_lock_is_held_until_it_is_dropped() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = || File::open(folder.path()).map(OwnedFd::from);
        let lock = FileLock::try_take(open().expect("opened")).expect("locks");
        assert!(lock.is_some());
        let other = FileLock::take(open, Duration::from_millis(30)).expect("locks");
        assert!(other.is_none());
        drop(lock);
        assert!(
            FileLock::take(open, Duration::ZERO)
                .expect("locks")
                .is_some()
        );
    }
}
