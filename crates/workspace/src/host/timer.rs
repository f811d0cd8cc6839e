//! A timer thread: deadlines, and work that waits for a quiet window.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Instant;

use crate::sync::{lock, wait, wait_for};

type TimerCallback = Box<dyn FnOnce() + Send>;

/// The time of a callback, and a number that is different for each.
pub(super) type Due = (Instant, u64);

/// Runs callbacks at their times, on a thread of its own.
#[derive(Default)]
pub(super) struct Timer {
    state: Mutex<TimerQueue>,
    woken: Condvar,
}

#[derive(Default)]
struct TimerQueue {
    calls: BTreeMap<Due, TimerCallback>,
    numbers: u64,
    ended: bool,
}

impl Timer {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub(super) fn start() -> std::io::Result<Arc<Timer>> {
        let timer = Arc::new(Timer::default());
        let serving = timer.clone();
        thread::Builder::new()
            .name("timer".to_owned())
            .spawn(move || serving.serve())?;
        Ok(timer)
    }

    /// Schedules `call` for `when`. It is dropped without a call if the timer ends before.
    pub(super) fn at(&self, when: Instant, call: impl FnOnce() + Send + 'static) -> Due {
        let mut state = lock(&self.state);
        state.numbers += 1;
        let due = (when, state.numbers);
        if state.ended {
            drop(state);
            drop(call);
            return due;
        }
        let first = state
            .calls
            .first_key_value()
            .is_none_or(|(&at, _)| due < at);
        state.calls.insert(due, Box::new(call));
        drop(state);
        if first {
            self.woken.notify_all();
        }
        due
    }

    /// Removes a callback.
    pub(super) fn forget(&self, due: Due) {
        let call = lock(&self.state).calls.remove(&due);
        drop(call);
    }

    /// Ends the thread, and drops the callbacks that are not yet due.
    pub(super) fn end(&self) {
        let calls = {
            let mut state = lock(&self.state);
            state.ended = true;
            std::mem::take(&mut state.calls)
        };
        self.woken.notify_all();
        drop(calls);
    }

    fn serve(&self) {
        let mut state = lock(&self.state);
        while !state.ended {
            let now = Instant::now();
            let first = state.calls.first_key_value().map(|(&due, _)| due);
            state = match first {
                Some(due) if due.0 <= now => {
                    let call = state.calls.remove(&due);
                    drop(state);
                    if let Some(call) = call {
                        let _ = catch_unwind(AssertUnwindSafe(call));
                    }
                    lock(&self.state)
                }
                Some((at, _)) => wait_for(&self.woken, state, at - now),
                None => wait(&self.woken, state),
            };
        }
    }
}
