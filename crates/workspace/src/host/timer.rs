//! What is due later: deadlines, and work that waits for a quiet moment.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Instant;

use crate::sync::lock;

type TimerCallback = Box<dyn FnOnce() + Send>;

/// When something is due, and a number that tells it from others of the same moment.
pub(super) type Due = (Instant, u64);

/// Calls what is due, on a thread of its own.
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
    /// The system gives no thread.
    pub(super) fn start() -> std::io::Result<Arc<Timer>> {
        let timer = Arc::new(Timer::default());
        let serving = timer.clone();
        thread::Builder::new()
            .name("timer".to_owned())
            .spawn(move || serving.serve())?;
        Ok(timer)
    }

    /// Has `call` called at `when`. It is dropped uncalled where the timer ends before.
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

    /// It is not due any more.
    pub(super) fn forget(&self, due: Due) {
        let call = lock(&self.state).calls.remove(&due);
        drop(call);
    }

    /// Ends the thread; what is not yet due is dropped.
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
                Some((at, _)) => match self.woken.wait_timeout(state, at - now) {
                    Ok((state, _)) => state,
                    Err(poisoned) => poisoned.into_inner().0,
                },
                None => self
                    .woken
                    .wait(state)
                    .unwrap_or_else(|poisoned| poisoned.into_inner()),
            };
        }
    }
}
