//! A barrier for events, by cookie files (as in watchman): a file of our own is renamed, and when
//! its event arrives, all earlier events have been delivered, since they are in the same queue.
//!
//! ```text
//! queue of events    a.go   b.go   cookie-17-0-4   c.go
//!                    └── delivered ──┘      │
//!                         wait(4) returns ──┘
//! ```

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Instant;

use crate::sync::{lock, wait_for};

/// The common prefix of cookie names.
const PREFIX: &str = "cookie-";

/// The cookies of one folder, at most one of them pending. Each has a name of its own, so that a
/// late event of one is never taken for the next.
pub(super) struct CookieBarrier {
    folder: PathBuf,
    /// Distinguishes the cookies of this watch from those of others in the folder.
    owner: String,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The last cookie that was sent; 0: none.
    sent: u64,
    /// The last cookie whose event has arrived.
    seen: u64,
    /// The last cookie whose sender has stopped waiting.
    given_up: u64,
}

impl CookieBarrier {
    /// Creates a barrier with its cookies in an existing, watched folder.
    pub(super) fn new(folder: PathBuf) -> CookieBarrier {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        CookieBarrier {
            folder,
            owner: format!("{PREFIX}{}-{next}-", std::process::id()),
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Returns the folder of the cookies.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the first cookie that will be sent after this call. A pending one may be older than
    /// the caller's writes.
    pub(super) fn next(&self) -> u64 {
        self.state().sent + 1
    }

    /// Waits until the event of cookie `wanted` or of a later one has arrived. Returns `false` at
    /// `deadline`, or if the cookie cannot be written.
    ///
    /// At most one cookie is pending; all callers that arrive meanwhile share the next one.
    pub(super) fn wait(&self, wanted: u64, deadline: Instant) -> bool {
        let mut state = self.state();
        let mut own = 0;
        while state.seen < wanted {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                self.give_up(state, own);
                return false;
            }
            if state.sent <= state.seen.max(state.given_up) {
                state.sent += 1;
                own = state.sent;
                drop(state);
                let sent = self.send(own);
                state = self.state();
                if !sent {
                    self.give_up(state, own);
                    return false;
                }
                continue;
            }
            state = wait_for(&self.changed, state, left);
        }
        true
    }

    /// Returns the number of a cookie if an event's path is one; 0 for a cookie of another watch.
    pub(super) fn cookie(&self, path: &Path) -> Option<u64> {
        if path.parent() != Some(&self.folder) {
            return None;
        }
        let name = path.file_name()?.to_str()?;
        if !name.starts_with(PREFIX) {
            return None;
        }
        let number = name.strip_prefix(&self.owner);
        Some(number.and_then(|number| number.parse().ok()).unwrap_or(0))
    }

    /// Records that the event of a cookie has arrived, and all events before it have been
    /// delivered.
    pub(super) fn seen(&self, number: u64) {
        let mut state = self.state();
        if number > state.seen && number <= state.sent {
            state.seen = number;
            self.changed.notify_all();
        }
    }

    /// Gives up on cookie `own`, so that another can be sent.
    fn give_up(&self, mut state: MutexGuard<'_, State>, own: u64) {
        if own > state.given_up {
            state.given_up = own;
            self.changed.notify_all();
        }
    }

    fn send(&self, number: u64) -> bool {
        let name = |number: u64| self.folder.join(format!("{}{number}", self.owner));
        std::fs::rename(name(number - 1), name(number)).is_ok()
            || std::fs::File::create(name(number)).is_ok()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

impl Drop for CookieBarrier {
    fn drop(&mut self) {
        let last = self.state().sent;
        let _ = std::fs::remove_file(self.folder.join(format!("{}{last}", self.owner)));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn barrier() -> (tempfile::TempDir, CookieBarrier) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let barrier = CookieBarrier::new(folder.path().to_owned());
        (folder, barrier)
    }

    fn later() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    /// Returns the number of the cookie that is in the folder.
    fn lying(barrier: &CookieBarrier) -> Option<u64> {
        let mut entries = std::fs::read_dir(barrier.folder()).expect("listed");
        let entry = entries.next()?.expect("an entry");
        barrier.cookie(&entry.path())
    }

    fn until_it_lies(barrier: &CookieBarrier, number: u64) {
        while lying(barrier) != Some(number) {
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_wait_ends_with_the_event_of_its_own_cookie() {
        let (_folder, barrier) = barrier();
        std::thread::scope(|scope| {
            for number in 1..=3 {
                let wanted = barrier.next();
                assert_eq!(wanted, number);
                let waiting = scope.spawn({
                    let barrier = &barrier;
                    move || barrier.wait(number, later())
                });
                until_it_lies(&barrier, number);
                barrier.seen(number - 1);
                barrier.seen(number + 1);
                assert!(!waiting.is_finished());
                barrier.seen(number);
                assert!(waiting.join().expect("no panic"));
            }
        });
    }

    #[test]
    fn callers_that_arrive_while_a_cookie_is_pending_share_the_next_one() {
        let (_folder, barrier) = barrier();
        std::thread::scope(|scope| {
            let first = scope.spawn(|| barrier.wait(1, later()));
            until_it_lies(&barrier, 1);
            let others: Vec<_> = (0..4)
                .map(|_| barrier.next())
                .map(|wanted| {
                    scope.spawn({
                        let barrier = &barrier;
                        move || barrier.wait(wanted, later())
                    })
                })
                .collect();
            barrier.seen(1);
            assert!(first.join().expect("no panic"));
            until_it_lies(&barrier, 2);
            assert!(others.iter().all(|other| !other.is_finished()));
            barrier.seen(2);
            assert!(
                others
                    .into_iter()
                    .all(|other| other.join().expect("no panic"))
            );
        });
        assert_eq!(barrier.next(), 3);
    }

    #[test]
    fn an_event_that_never_comes_ends_its_own_wait_only() {
        let (_folder, barrier) = barrier();
        std::thread::scope(|scope| {
            let first = scope.spawn(|| barrier.wait(1, Instant::now() + Duration::from_millis(5)));
            let next = scope.spawn(|| {
                until_it_lies(&barrier, 1);
                barrier.wait(2, later())
            });
            assert!(!first.join().expect("no panic"));
            until_it_lies(&barrier, 2);
            barrier.seen(2);
            assert!(next.join().expect("no panic"));
        });
    }

    #[test]
    fn a_folder_that_cannot_be_written_says_so_at_once() {
        let (folder, barrier) = barrier();
        drop(folder);
        assert!(!barrier.wait(1, later()));
        assert!(!barrier.wait(2, later()));
    }

    #[test]
    fn only_own_cookies_have_numbers() {
        let (folder, barrier) = barrier();
        let at = |name: &str| barrier.cookie(&folder.path().join(name));
        assert_eq!(at(&format!("{}7", barrier.owner)), Some(7));
        assert_eq!(at("cookie-1-x-7"), Some(0));
        assert_eq!(at("sock"), None);
        assert_eq!(barrier.cookie(Path::new("/elsewhere/cookie-1")), None);
    }
}
