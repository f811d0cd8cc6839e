//! Queries that depend on themselves, and on long chains of other queries.
//!
//! Modules, classes and functions refer to each other in cycles. Salsa runs the queries of such a
//! cycle again and again until no result changes. A query begins with [`Provisional::initial`], and
//! after each iteration [`recover`] decides what the others see of it in the next:
//!
//! ```text
//! iterations           of declarations   of star imports   of values
//! the new result       0 ..= 8                             0 ..= 12
//! merged with the last                   0 ..= 8           13 ..= 24
//! given up             9 ..              9 ..              25 ..
//! ```
//!
//! Taking the new result alone drops what was true only of an earlier, smaller input, so that the
//! fixpoint does not depend on which query of the cycle was executed first. But results may then
//! alternate for ever, as those of a class whose base is computed from the class itself. Merging makes
//! them grow monotonically, which ends where the lattice is finite; and what still changes is given
//! up: it becomes unknown where the type can say so, else it stays as it is.

use std::cell::Cell;

use codeweft_db::Db;

use crate::whole_file::Before;

/// The iterations after which a query of a cycle stops to follow its new results.
pub(crate) struct Rounds {
    /// Before this iteration a new result replaces the last one.
    replace: u32,
    /// Before this iteration a new result is merged with the last one.
    merge: u32,
}

impl Rounds {
    /// For declarations: they seldom change after the first iterations, and have nothing to merge.
    pub(crate) const DECLARATIONS: Rounds = Rounds::new(9, 9);

    /// For star imports: a set of names that only grows.
    pub(crate) const STAR_IMPORTS: Rounds = Rounds::new(0, 9);

    /// For values.
    pub(crate) const VALUES: Rounds = Rounds::new(13, 25);

    const fn new(replace: u32, merge: u32) -> Rounds {
        Rounds { replace, merge }
    }
}

/// The result of a query that may depend on itself; `K` is the query's key.
pub(crate) trait Provisional<K>: Clone {
    /// When to replace, merge and give up.
    const ROUNDS: Rounds = Rounds::DECLARATIONS;

    /// Returns the result that the others see first: nothing.
    fn initial(db: &dyn Db, key: K) -> Self;

    /// Adds the last result.
    fn merge(&mut self, _last: &Self) {}

    /// Returns the result after too many iterations. `is_first` for the first of them: later ones may
    /// keep the last result.
    fn given_up(self, _db: &dyn Db, last: &Self, _key: K, _is_first: bool) -> Self {
        last.clone()
    }
}

/// Returns the result that a query of a cycle begins with: salsa's `cycle_initial`.
pub(crate) fn initial<K, T: Provisional<K>>(db: &dyn Db, _: salsa::Id, key: K) -> T {
    T::initial(db, key)
}

/// Returns the provisional result of a query of a cycle after an iteration: salsa's `cycle_fn`.
pub(crate) fn recover<K, T: Provisional<K>>(
    db: &dyn Db,
    cycle: &salsa::Cycle<'_>,
    last: &T,
    mut new: T,
    key: K,
) -> T {
    let iteration = cycle.iteration();
    if iteration < T::ROUNDS.replace {
        new
    } else if iteration < T::ROUNDS.merge {
        new.merge(last);
        new
    } else {
        new.given_up(db, last, key, iteration == T::ROUNDS.merge)
    }
}

thread_local! {
    /// The number of recursive queries that run on this thread.
    static RUNNING: Cell<u32> = const { Cell::new(0) };
}

/// Returns whether a recursive query runs on this thread. Salsa runs a query on the thread that
/// reads it, so this is whether the reader may be part of a cycle.
pub(crate) fn is_in_recursion() -> bool {
    RUNNING.get() > 0
}

/// A recursive query that runs on this thread, until it is dropped.
struct Running {
    /// A recursive query depends on single names, also where a file is read as a whole.
    _before: Before,
}

impl Running {
    fn begin() -> Running {
        RUNNING.set(RUNNING.get() + 1);
        Running {
            _before: Before::replaced_by(None),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.set(RUNNING.get().saturating_sub(1));
    }
}

/// Runs the body of a recursive query. Every query with a fixpoint goes through here, since
/// [`is_in_recursion`] depends on it.
pub(crate) fn recursive<R>(run: impl FnOnce() -> R) -> R {
    let _running = Running::begin();
    on_enough_stack(run)
}

/// Runs what may read queries as deep as code refers to code, on more stack if little is left.
pub(crate) fn on_enough_stack<R>(run: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(1 << 18, 1 << 20, run)
}
