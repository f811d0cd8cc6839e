//! Fan-out of one job over many items on the query's threads.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use codeweft_db::{Db, RootDb};

use crate::covered_languages::Languages;

/// The time one thread works alone: queries with warm memos never start threads.
const SINGLE_THREAD_TIME: Duration = Duration::from_millis(1);

/// The clock is read after 1, 2, 4, 8, ... items and then once in so many: with warm memos reading
/// it takes as long as an item.
const CLOCK_INTERVAL: usize = 64;

/// The stack of a helper thread in bytes; query chains nest deeply.
const STACK_SIZE: usize = 64 << 20;

/// The threads of a query, each with its own database handle, and the languages that it covers.
pub(crate) struct FanOut<'a> {
    /// The database of the query.
    pub(crate) root: &'a RootDb,
    /// The number of threads.
    pub(crate) threads: NonZero<usize>,
    /// The covered languages.
    pub(crate) languages: Languages<'a>,
}

impl FanOut<'_> {
    /// Runs `job` over `items` on all threads; returns the results in the order of `items`. A job
    /// gets the database handle of its own thread.
    pub(crate) fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        job: impl Fn(Languages<'_>, &dyn Db, &T) -> R + Sync,
    ) -> Vec<R> {
        self.map_after(SINGLE_THREAD_TIME, items, job)
    }

    /// As [`FanOut::map`], for jobs that need the whole database.
    pub(crate) fn map_roots<T: Sync, R: Send>(
        &self,
        items: &[T],
        job: impl Fn(&RootDb, &T) -> R + Sync,
    ) -> Vec<R> {
        fan_out(self.root, self.threads, SINGLE_THREAD_TIME, items, job)
    }

    /// As [`FanOut::map`] with all threads from the first item on, for items that take long.
    pub(crate) fn map_at_once<T: Sync, R: Send>(
        &self,
        items: &[T],
        job: impl Fn(Languages<'_>, &dyn Db, &T) -> R + Sync,
    ) -> Vec<R> {
        self.map_after(Duration::ZERO, items, job)
    }

    fn map_after<T: Sync, R: Send>(
        &self,
        alone: Duration,
        items: &[T],
        job: impl Fn(Languages<'_>, &dyn Db, &T) -> R + Sync,
    ) -> Vec<R> {
        let languages = self.languages;
        let job = |db: &RootDb, item: &T| job(languages, db, item);
        fan_out(self.root, self.threads, alone, items, job)
    }
}

/// Runs `job` over `items`, on one thread for the time `alone`; returns the results in the order of
/// `items`, whatever thread ran them. A panic of a job, including a cancelled read, propagates.
fn fan_out<T: Sync, R: Send>(
    db: &RootDb,
    threads: NonZero<usize>,
    alone: Duration,
    items: &[T],
    job: impl Fn(&RootDb, &T) -> R + Sync,
) -> Vec<R> {
    let started = Instant::now();
    let mut results = Vec::with_capacity(items.len());
    let is_over = |done: usize| {
        let reads_clock = done.is_power_of_two() || done.is_multiple_of(CLOCK_INTERVAL);
        threads.get() > 1 && reads_clock && started.elapsed() >= alone
    };
    while results.len() < items.len() && !is_over(results.len()) {
        db.unwind_if_cancelled();
        results.push(job(db, &items[results.len()]));
    }
    let left = items.len() - results.len();
    if left == 0 {
        return results;
    }
    let next = AtomicUsize::new(results.len());
    let work = |db: &RootDb| {
        let mut part = Vec::new();
        loop {
            db.unwind_if_cancelled();
            let at = next.fetch_add(1, Ordering::Relaxed);
            match items.get(at) {
                Some(item) => part.push((at, job(db, item))),
                None => return part,
            }
        }
    };
    let work = &work;
    let mut rest = thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads.get().min(left))
            .filter_map(|_| {
                let db = db.clone();
                thread::Builder::new()
                    .stack_size(STACK_SIZE)
                    .spawn_scoped(scope, move || work(&db))
                    .ok()
            })
            .collect();
        let mut rest = work(db);
        for helper in helpers {
            match helper.join() {
                Ok(part) => rest.extend(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        rest
    });
    rest.sort_unstable_by_key(|(at, _)| *at);
    results.extend(rest.into_iter().map(|(_, result)| result));
    results
}
