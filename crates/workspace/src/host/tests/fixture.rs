//! Queries of a language that is none, which stop where a test says.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use codeweft_db::{Db, File};

/// Where queries stop, and how often they came by. One for each database: a table of its own
/// beside salsa.
#[derive(Default)]
pub struct Hooks {
    state: Mutex<Stops>,
    moved: Condvar,
}

#[derive(Default)]
struct Stops {
    /// The places where the next one to come stops.
    set: BTreeMap<&'static str, Stop>,
    /// Who stands somewhere now.
    standing: BTreeMap<&'static str, usize>,
    /// How often somebody came by.
    passed: BTreeMap<&'static str, usize>,
    /// The places from where all may go on.
    released: BTreeMap<&'static str, bool>,
}

/// How a query stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// It looks for cancellation all the time.
    Listening,
    /// It looks for nothing until it is told to go on.
    Deaf,
}

impl Hooks {
    /// The next to come to `place` stops there.
    pub fn stop_at(&self, place: &'static str, stop: Stop) {
        let mut state = self.locked();
        state.set.insert(place, stop);
        state.released.insert(place, false);
    }

    /// Waits until somebody stands at `place`.
    pub fn reached(&self, place: &'static str) {
        let mut state = self.locked();
        while state.standing.get(place).copied().unwrap_or(0) == 0 {
            state = self.wait(state);
        }
    }

    /// Who stands at `place` goes on.
    pub fn release(&self, place: &'static str) {
        self.locked().released.insert(place, true);
        self.moved.notify_all();
    }

    /// How often somebody came to `place`.
    pub fn passed(&self, place: &'static str) -> usize {
        self.locked().passed.get(place).copied().unwrap_or(0)
    }

    fn pass(&self, db: &dyn Db, place: &'static str) {
        let mut state = self.locked();
        *state.passed.entry(place).or_default() += 1;
        let Some(stop) = state.set.remove(place) else {
            return;
        };
        *state.standing.entry(place).or_default() += 1;
        let standing = Standing { hooks: self, place };
        self.moved.notify_all();
        while !state.released.get(place).copied().unwrap_or(false) {
            if stop == Stop::Listening {
                drop(state);
                db.unwind_query_if_cancelled();
                state = self.locked();
            }
            state = self.wait(state);
        }
        drop(state);
        drop(standing);
    }

    fn locked(&self) -> MutexGuard<'_, Stops> {
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn wait<'a>(&self, state: MutexGuard<'a, Stops>) -> MutexGuard<'a, Stops> {
        let moment = Duration::from_millis(1);
        match self.moved.wait_timeout(state, moment) {
            Ok((state, _)) => state,
            Err(poisoned) => poisoned.into_inner().0,
        }
    }
}

/// Stands at a place while it lives.
struct Standing<'a> {
    hooks: &'a Hooks,
    place: &'static str,
}

impl Drop for Standing<'_> {
    fn drop(&mut self) {
        if let Some(standing) = self.hooks.locked().standing.get_mut(self.place) {
            *standing -= 1;
        }
    }
}

fn pass(db: &dyn Db, place: &'static str) {
    db.shared().language_tables.get::<Hooks>().pass(db, place);
}

/// How many bytes the text of a file has.
#[salsa::tracked(returns(copy))]
pub fn size(db: &dyn Db, file: File) -> usize {
    pass(db, "size");
    file.text(db).len()
}

/// Twice [`size`].
#[salsa::tracked(returns(copy))]
pub fn double(db: &dyn Db, file: File) -> usize {
    pass(db, "double");
    size(db, file) * 2
}

/// Breaks where the text says so.
#[salsa::tracked(returns(copy))]
pub fn fragile(db: &dyn Db, file: File) -> usize {
    pass(db, "fragile");
    assert!(!file.text(db).contains("Fragile"), "the fixture breaks");
    file.text(db).len()
}
