//! The disk watch of an analysis host, and the barrier before an agent's request.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use codeweft_vfs::{Watch, WatchOptions};

use super::changes::HostChange;
use super::core::HostCore;
use super::options::HostOptions;
use super::request::ChangeId;

/// The time for which a request waits for the events of earlier writes to disk.
const BARRIER: Duration = Duration::from_millis(25);

/// If the watch is not reliable, up to this many files are checked before an agent's request (20,000 take
/// 40 ms).
const MAX_CHECKED: usize = 20_000;

/// The time for which events that come during the load wait for its end.
const LONGEST_LOAD: Duration = Duration::from_secs(3600);

/// A continuation behind the barrier.
type BarrierCallback = Box<dyn FnOnce(ChangeId) + Send>;

/// The watch of an analysis host. Its threads end when it is dropped.
pub(super) struct HostWatch {
    watch: Arc<Watch>,
    calls: Sender<BarrierCallback>,
}

impl HostWatch {
    /// Watches the disk for `core`; `None` if `options` disable the watch.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub(super) fn start(
        core: &Arc<HostCore>,
        options: &HostOptions,
    ) -> std::io::Result<Option<HostWatch>> {
        if !options.watch {
            return Ok(None);
        }
        let sink = {
            let core = core.clone();
            move |batch: codeweft_vfs::Batch| {
                // Events during the load are handled after it.
                let _ = core.wait(ChangeId::default(), Instant::now() + LONGEST_LOAD);
                if !batch.paths.is_empty() {
                    core.changes.push(HostChange::Disk(batch.paths));
                }
                if batch.rescan {
                    core.changes.push(HostChange::Recheck);
                }
            }
        };
        let mut watched = WatchOptions {
            cookies: options.cookies.clone(),
            ..WatchOptions::default()
        };
        let quiet = options.settings.get("watch_debounce_ms");
        if let Some(quiet) = quiet.and_then(|quiet| quiet.parse().ok()) {
            watched.quiet = Duration::from_millis(quiet);
        }
        let watch = Arc::new(Watch::start(&core.root, watched, sink));
        let (calls, waiting) = channel();
        let (core, barriers) = (core.clone(), watch.clone());
        thread::Builder::new()
            .name("barrier".to_owned())
            .spawn(move || serve(&core, &barriers, &waiting))?;
        Ok(Some(HostWatch { watch, calls }))
    }

    /// Calls `then`, on another thread, with the id of a change that includes everything that was written to
    /// disk before this call.
    pub(super) fn after_disk_events(&self, then: impl FnOnce(ChangeId) + Send + 'static) {
        // If the thread has panicked, `then` is dropped, which completes its request with an error.
        let _ = self.calls.send(Box::new(then));
    }

    /// Returns the state of the watch for people.
    pub(super) fn stats(&self) -> serde_json::Value {
        let state = self.watch.state();
        serde_json::json!({
            "reliable": state.is_reliable(),
            "alive": state.alive,
            "folders": state.watches,
            "limit_reached": state.limit_reached,
        })
    }
}

fn serve(core: &HostCore, watch: &Watch, waiting: &Receiver<BarrierCallback>) {
    while let Ok(first) = waiting.recv() {
        // One barrier serves all that wait.
        let mut calls = vec![first];
        calls.extend(waiting.try_iter());
        let change = pass_barrier(core, watch);
        for call in calls {
            let _ = catch_unwind(AssertUnwindSafe(|| call(change)));
        }
    }
}

/// Passes the barrier; returns the id of a change that includes all earlier writes to disk. Environments
/// and installed packages are outside the watched folders, so what the layout read of them is checked; so
/// is the file of the settings.
fn pass_barrier(core: &HostCore, watch: &Watch) -> ChangeId {
    let is_passed = watch.barrier(BARRIER);
    core.look_at_settings();
    let disk = core.disk();
    if disk.is_some_and(|disk| disk.layout_is_stale()) {
        core.changes.push(HostChange::Layout);
    }
    if is_passed {
        return core.changes.now();
    }
    let is_small = core
        .gate
        .published()
        .is_some_and(|state| state.files.len() <= MAX_CHECKED);
    if is_small {
        core.changes.push(HostChange::Recheck)
    } else {
        core.changes.now()
    }
}
