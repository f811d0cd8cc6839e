//! Queries for tests, which pause when a test says so.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use codeweft_db::{Db, File};

use crate::sync::{lock, wait_for};

/// Pauses of queries, and the numbers of their runs. One for each database: a table of its own beside salsa.
#[derive(Default)]
pub struct Hooks {
    state: Mutex<Pauses>,
    moved: Condvar,
}

/// The state of each query, by its name.
#[derive(Default)]
struct Pauses {
    /// Queries whose next run pauses.
    set: BTreeMap<&'static str, Pause>,
    /// The numbers of runs that pause now.
    paused: BTreeMap<&'static str, usize>,
    /// The numbers of runs so far.
    runs: BTreeMap<&'static str, usize>,
    /// Whether the runs that pause may continue.
    released: BTreeMap<&'static str, bool>,
}

/// The kind of a pause.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// It checks for cancellation all the time.
    Cancellable,
    /// It does not check for cancellation until it is released.
    Uncancellable,
}

impl Hooks {
    /// Makes the next run of `query` pause.
    pub fn pause(&self, query: &'static str, pause: Pause) {
        let mut state = lock(&self.state);
        state.set.insert(query, pause);
        state.released.insert(query, false);
    }

    /// Waits until a run of `query` pauses.
    pub fn wait_for_pause(&self, query: &'static str) {
        let mut state = lock(&self.state);
        while state.paused.get(query).copied().unwrap_or(0) == 0 {
            state = self.wait(state);
        }
    }

    /// Continues the runs of `query` that pause.
    pub fn release(&self, query: &'static str) {
        lock(&self.state).released.insert(query, true);
        self.moved.notify_all();
    }

    /// Returns the number of runs of `query` so far.
    pub fn runs(&self, query: &'static str) -> usize {
        lock(&self.state).runs.get(query).copied().unwrap_or(0)
    }

    fn run(&self, db: &dyn Db, query: &'static str) {
        let mut state = lock(&self.state);
        *state.runs.entry(query).or_default() += 1;
        let Some(pause) = state.set.remove(query) else {
            return;
        };
        *state.paused.entry(query).or_default() += 1;
        let paused = PausedRun { hooks: self, query };
        self.moved.notify_all();
        while !state.released.get(query).copied().unwrap_or(false) {
            if pause == Pause::Cancellable {
                drop(state);
                db.unwind_query_if_cancelled();
                state = lock(&self.state);
            }
            state = self.wait(state);
        }
        drop(state);
        drop(paused);
    }

    fn wait<'a>(&self, state: MutexGuard<'a, Pauses>) -> MutexGuard<'a, Pauses> {
        wait_for(&self.moved, state, Duration::from_millis(1))
    }
}

/// Counts as a paused run while it lives.
struct PausedRun<'a> {
    hooks: &'a Hooks,
    query: &'static str,
}

impl Drop for PausedRun<'_> {
    fn drop(&mut self) {
        if let Some(paused) = lock(&self.hooks.state).paused.get_mut(self.query) {
            *paused -= 1;
        }
    }
}

fn run(db: &dyn Db, query: &'static str) {
    db.shared().language_tables.get::<Hooks>().run(db, query);
}

/// Returns the size of a file's text in bytes.
#[salsa::tracked(returns(copy))]
pub fn size(db: &dyn Db, file: File) -> usize {
    run(db, "size");
    file.text(db).len()
}

/// Returns twice [`size`].
#[salsa::tracked(returns(copy))]
pub fn double(db: &dyn Db, file: File) -> usize {
    run(db, "double");
    size(db, file) * 2
}

/// As [`size`], but panics if the text contains `Fragile`.
#[salsa::tracked(returns(copy))]
pub fn fragile(db: &dyn Db, file: File) -> usize {
    run(db, "fragile");
    assert!(!file.text(db).contains("Fragile"), "the fixture breaks");
    file.text(db).len()
}
