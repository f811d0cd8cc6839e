//! The disk's side of a Host: its watch, and the barrier before an agent's question.

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

/// So long a question waits for the events of what was written before it.
const BARRIER: Duration = Duration::from_millis(25);

/// Where no watch can be relied on, up to so many files are looked at before an agent's question
/// (20,000 take 40 ms).
const MOST_LOOKED_AT: usize = 20_000;

/// So long the events of a load wait for its end.
const LONGEST_LOAD: Duration = Duration::from_secs(3600);

/// What waits for the barrier.
type BarrierCallback = Box<dyn FnOnce(ChangeId) + Send>;

/// The watch of a Host. Its threads end when it is dropped.
pub(super) struct HostWatch {
    watch: Arc<Watch>,
    calls: Sender<BarrierCallback>,
}

impl HostWatch {
    /// Watches the disk for `core`, where `options` ask for it.
    ///
    /// # Errors
    /// The system gives no thread.
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
                // What is being read is looked at when that is done.
                let _ = core.wait(ChangeId::default(), Instant::now() + LONGEST_LOAD);
                if !batch.paths.is_empty() {
                    core.changes.push(HostChange::Disk(batch.paths));
                }
                if batch.rescan {
                    core.changes.push(HostChange::Recheck);
                }
            }
        };
        let watched = WatchOptions {
            cookies: options.cookies.clone(),
            ..WatchOptions::default()
        };
        let watch = Arc::new(Watch::start(&core.root, watched, sink));
        let (calls, waiting) = channel();
        let (core, barriers) = (core.clone(), watch.clone());
        thread::Builder::new()
            .name("barrier".to_owned())
            .spawn(move || serve(&core, &barriers, &waiting))?;
        Ok(Some(HostWatch { watch, calls }))
    }

    /// Calls `then`, on another thread, with a ticket that shows all that was written to disk
    /// before this call.
    pub(super) fn settle(&self, then: impl FnOnce(ChangeId) + Send + 'static) {
        // A thread that has broken drops `then`, which tells the one who asked.
        let _ = self.calls.send(Box::new(then));
    }

    /// How the watch is, for people.
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
        // One barrier for all that wait.
        let mut calls = vec![first];
        calls.extend(waiting.try_iter());
        let ticket = settled(core, watch);
        for call in calls {
            let _ = catch_unwind(AssertUnwindSafe(|| call(ticket)));
        }
    }
}

fn settled(core: &HostCore, watch: &Watch) -> ChangeId {
    if watch.barrier(BARRIER) {
        return core.changes.now();
    }
    let few = core
        .gate
        .shown()
        .is_some_and(|shown| shown.files.len() <= MOST_LOOKED_AT);
    match few {
        true => core.changes.push(HostChange::Recheck),
        // The files that the answer shows are looked at all the same.
        false => core.changes.now(),
    }
}
