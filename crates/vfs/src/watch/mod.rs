//! What happens on disk below a root, as batches of paths to look at.
//!
//! Events only name paths; what is there now is for the receiver to find out. Every folder that a
//! walk looks into is watched on its own, so that nothing below an ignored one is.

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
use barrier::CookieBarrier;
pub use coalescer::Batch;
use watcher::{Message, Watcher};

/// How to watch.
#[derive(Clone, Debug)]
pub struct WatchOptions {
    /// A batch is given when nothing has happened for so long.
    pub quiet: Duration,
    /// Where nothing can be watched, or not everything, a look at all files is asked for so often.
    pub poll: Duration,
    /// At most so many folders are watched. The system has a limit of its own.
    pub most_folders: usize,
    /// An own folder, outside the root and there already, for the cookies of the barrier; `None`:
    /// a temporary one.
    pub cookies: Option<PathBuf>,
    /// Patterns of the settings that leave out more.
    pub exclude: Option<Exclude>,
}

impl Default for WatchOptions {
    fn default() -> Self {
        WatchOptions {
            quiet: Duration::from_millis(50),
            poll: Duration::from_secs(5),
            most_folders: usize::MAX,
            cookies: None,
            exclude: None,
        }
    }
}

/// How a watch is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WatchState {
    /// All folders are watched that were there at the start. Until then, and where it is not so,
    /// nobody may rely on events.
    pub armed: bool,
    /// Events come.
    pub alive: bool,
    /// How many folders are watched.
    pub watches: usize,
    /// More folders are there than may be watched (on Linux `fs.inotify.max_user_watches`).
    pub limit_reached: bool,
}

impl WatchState {
    /// Whether every change will be told by an event.
    pub fn is_reliable(self) -> bool {
        self.armed && self.alive && !self.limit_reached
    }
}

/// A watch of one root. Its thread ends when it is dropped.
pub struct Watch {
    shared: Arc<Shared>,
    to_thread: Sender<Message>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread of a watch tells the others.
struct Shared {
    state: Mutex<WatchState>,
    changed: Condvar,
    /// `None`: there is no folder for cookies.
    barrier: Option<CookieBarrier>,
}

impl Watch {
    /// Watches below `root`, an absolute folder without links in it. Returns at once: see
    /// [`Watch::armed`].
    ///
    /// `sink` is given every batch, on the watch's own thread, one after the other. The first asks
    /// for a look at everything: what happened before the watch was armed was not seen.
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
            // Events name the folder as it was watched.
            barrier: cookies
                .and_then(|folder| std::fs::canonicalize(folder).ok())
                .map(CookieBarrier::new),
        });
        let (to_thread, messages) = channel();
        let (root, events, of_thread) = (root.to_owned(), to_thread.clone(), shared.clone());
        let thread = Builder::new()
            .name("watcher".to_owned())
            .spawn(move || {
                let mut watcher = Watcher::new(root, options, sink, of_thread);
                // `notify` panics where its own thread has ended.
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
            to_thread,
            thread,
        }
    }

    /// Everything that happened on disk before this call has been given to the sink, if it
    /// returns `true`. `false`: not within `timeout`, or events cannot be relied on.
    pub fn barrier(&self, timeout: Duration) -> bool {
        let deadline = Instant::now() + timeout;
        match &self.shared.barrier {
            Some(barrier) if self.state().is_reliable() => {
                barrier.wait(barrier.next(), deadline) && self.state().is_reliable()
            }
            _ => false,
        }
    }

    /// Waits until all folders are watched that were there at the start. `false`: not within
    /// `timeout`, or never.
    pub fn armed(&self, timeout: Duration) -> bool {
        let deadline = Instant::now() + timeout;
        let mut state = self.shared.state();
        while !state.armed {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = match self.shared.changed.wait_timeout(state, left) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
        true
    }

    /// How it is, for people.
    pub fn state(&self) -> WatchState {
        *self.shared.state()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.to_thread.send(Message::Stop);
        if let Some(thread) = self.thread.take() {
            // A sink may own the last handle of what owns the watch.
            if thread.thread().id() != std::thread::current().id() {
                let _ = thread.join();
            }
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, WatchState> {
        // The state is whole at every moment that could panic.
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn update(&self, change: impl FnOnce(&mut WatchState)) {
        change(&mut self.state());
        self.changed.notify_all();
    }
}

/// A new folder among the temporary ones.
fn cookie_folder() -> Option<PathBuf> {
    let base = std::env::temp_dir();
    let process = std::process::id();
    (0..1000)
        .map(|n| base.join(format!("codeweft-cookies-{process}-{n}")))
        .find(|folder| std::fs::create_dir(folder).is_ok())
}
