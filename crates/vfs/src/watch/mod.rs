//! Watches a folder and reports changes below it as batches of paths.
//!
//! Events only name paths; the receiver must look at what is there now. Each folder that a walk
//! enters is watched individually, so that nothing below an ignored folder is.
//!
//! ```text
//! notify events ──> Watcher (thread) ──> Coalescer ──> Batch { paths, rescan } ──> sink
//!                      │ event of a cookie file
//!                      └──> CookieBarrier: Watch::barrier returns
//! ```

mod barrier;
mod coalescer;
mod git;
mod watcher;

#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use crate::Exclude;
use crate::sync::{lock, wait_for};
use barrier::CookieBarrier;
pub use coalescer::Batch;
use watcher::{Message, Watcher};

/// The settings of a watch.
#[derive(Clone, Debug)]
pub struct WatchOptions {
    /// A batch is delivered after no event has occurred for this long.
    pub quiet: Duration,
    /// Interval of full rescans if some or all folders cannot be watched.
    pub poll: Duration,
    /// Maximum number of watched folders. The system has a limit of its own.
    pub max_folders: usize,
    /// An existing folder outside the root for the cookie files of the barrier; `None`: a temporary
    /// one.
    pub cookies: Option<PathBuf>,
    /// Additional exclude patterns of the settings.
    pub exclude: Option<Exclude>,
}

impl Default for WatchOptions {
    fn default() -> Self {
        WatchOptions {
            quiet: Duration::from_millis(50),
            poll: Duration::from_secs(5),
            max_folders: usize::MAX,
            cookies: None,
            exclude: None,
        }
    }
}

/// The state of a watch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WatchState {
    /// Whether all folders that existed at the start are watched. As long as this is `false`,
    /// events must not be relied on.
    pub armed: bool,
    /// Whether events arrive.
    pub alive: bool,
    /// Number of watched folders.
    pub watches: usize,
    /// Whether there are more folders than may be watched (on Linux `fs.inotify.max_user_watches`).
    pub limit_reached: bool,
}

impl WatchState {
    /// Returns whether every change leads to an event.
    pub fn is_reliable(self) -> bool {
        self.armed && self.alive && !self.limit_reached
    }
}

/// A watch of one root. Its thread ends when it is dropped.
pub struct Watch {
    shared: Arc<Shared>,
    to_watcher: Sender<Message>,
    thread: Option<JoinHandle<()>>,
}

/// The state that the thread of a watch shares with its owner.
struct Shared {
    state: Mutex<WatchState>,
    changed: Condvar,
    /// `None` if there is no folder for cookies.
    barrier: Option<CookieBarrier>,
}

impl Watch {
    /// Starts watching below `root`, an absolute folder without links in its path. Returns at once;
    /// see [`Watch::armed`].
    ///
    /// `sink` is called with each batch on the watch's own thread. The first batch requests a
    /// rescan, because changes before the watch was armed were not seen.
    pub fn start(
        root: &str,
        options: WatchOptions,
        sink: impl FnMut(Batch) + Send + 'static,
    ) -> Watch {
        let temporary = match options.cookies {
            Some(_) => None,
            None => cookie_folder(),
        };
        let cookies = options.cookies.as_ref().or(temporary.as_ref());
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
            // Events name the folder by the path under which it is watched.
            barrier: cookies
                .and_then(|folder| std::fs::canonicalize(folder).ok())
                .map(CookieBarrier::new),
        });
        let (to_watcher, messages) = channel();
        let (root, events, watcher_shared) = (root.to_owned(), to_watcher.clone(), shared.clone());
        let thread = Builder::new()
            .name("watcher".to_owned())
            .spawn(move || {
                let mut watcher = Watcher::new(root, options, sink, watcher_shared);
                // `notify` panics if its own thread has ended.
                let run = || watcher.run(&events, &messages);
                if catch_unwind(AssertUnwindSafe(run)).is_err() {
                    watcher.poll_only(&messages);
                }
                drop(watcher);
                if let Some(folder) = temporary {
                    let _ = std::fs::remove_dir_all(folder);
                }
            })
            .ok();
        Watch {
            shared,
            to_watcher,
            thread,
        }
    }

    /// Waits until everything that happened on disk before this call has been passed to the sink.
    /// Returns `false` if that takes longer than `timeout` or events cannot be relied on.
    pub fn barrier(&self, timeout: Duration) -> bool {
        let deadline = Instant::now() + timeout;
        match &self.shared.barrier {
            Some(barrier) if self.state().is_reliable() => {
                barrier.wait(barrier.next(), deadline) && self.state().is_reliable()
            }
            _ => false,
        }
    }

    /// Waits until all folders that existed at the start are watched. Returns `false` after
    /// `timeout`, or if that is impossible.
    pub fn armed(&self, timeout: Duration) -> bool {
        let deadline = Instant::now() + timeout;
        let mut state = self.shared.state();
        while !state.armed {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = wait_for(&self.shared.changed, state, left);
        }
        true
    }

    /// Returns the state of the watch, for display.
    pub fn state(&self) -> WatchState {
        *self.shared.state()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.to_watcher.send(Message::Stop);
        if let Some(thread) = self.thread.take() {
            // A sink may own the last handle of the owner of the watch.
            if thread.thread().id() != std::thread::current().id() {
                let _ = thread.join();
            }
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, WatchState> {
        lock(&self.state)
    }

    fn update(&self, change: impl FnOnce(&mut WatchState)) {
        change(&mut self.state());
        self.changed.notify_all();
    }
}

/// Creates a temporary folder for cookies.
fn cookie_folder() -> Option<PathBuf> {
    let base = std::env::temp_dir();
    let process = std::process::id();
    (0..1000)
        .map(|n| base.join(format!("codeweft-cookies-{process}-{n}")))
        .find(|folder| std::fs::create_dir(folder).is_ok())
}
