//! Coalesces events into batches: paths are collected until the disk has been quiet for a while.
//!
//! ```text
//! quiet = 50 ms
//! t/ms    0     40    60                110
//! event   b     a     b
//!                     └──── quiet ──────┘ batch [a, b]
//! ```
//!
//! Endless events delay a batch by at most [`MAX_DELAY`]. While git holds the lock of its index, a
//! batch waits for the end of the checkout, at most [`MAX_DELAY_LOCKED`].

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Maximum delay of a batch while events go on.
pub(super) const MAX_DELAY: Duration = Duration::from_millis(500);

/// Maximum delay of a batch while git holds the lock of its index, so that a checkout is one batch.
pub(super) const MAX_DELAY_LOCKED: Duration = Duration::from_secs(5);

/// A lock without any event for this long was left behind by a killed git.
const STALE_LOCK: Duration = Duration::from_secs(1);

/// Maximum number of paths in a batch; beyond it a rescan of all files is cheaper.
const MAX_PATHS: usize = 65_536;

/// The changes on disk between two moments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Batch {
    /// Files and folders to look at: absolute, sorted, distinct. A folder includes everything below
    /// it; a path that no longer exists may have been a file or a folder.
    pub paths: Vec<String>,
    /// Whether everything must be looked at, because events were lost or ignore rules may have
    /// changed.
    pub rescan: bool,
}

/// Collects paths into batches. Has no clock: the current time is an argument, and never decreases.
pub(super) struct Coalescer {
    /// A batch is due after no event has occurred for this long.
    quiet: Duration,
    paths: BTreeSet<String>,
    rescan: bool,
    /// The times of the first and the last event of the batch; `None` if there is none.
    began: Option<(Instant, Instant)>,
    locked: bool,
    /// The time when git released the lock during this batch.
    unlocked: Option<Instant>,
}

impl Coalescer {
    /// Creates a coalescer whose batches are due after `quiet` without events.
    pub(super) fn new(quiet: Duration) -> Coalescer {
        Coalescer {
            quiet,
            paths: BTreeSet::new(),
            rescan: false,
            began: None,
            locked: false,
            unlocked: None,
        }
    }

    /// Records an event at a path.
    pub(super) fn record(&mut self, path: String, now: Instant) {
        self.happened(now);
        if self.paths.len() < MAX_PATHS {
            self.paths.insert(path);
        } else if !self.paths.contains(&path) {
            self.paths.clear();
            self.rescan = true;
        }
    }

    /// Records that events were lost.
    pub(super) fn record_lost(&mut self, now: Instant) {
        self.happened(now);
        self.rescan = true;
    }

    /// Records that git took or released the lock of its index.
    pub(super) fn set_locked(&mut self, locked: bool, now: Instant) {
        if self.locked && !locked {
            self.unlocked = Some(now);
        }
        self.locked = locked;
        if let Some((_, last)) = &mut self.began {
            *last = now;
        }
    }

    /// Returns when the batch is due; `None` if there were no events.
    pub(super) fn due(&self) -> Option<Instant> {
        let (first, last) = self.began?;
        let limit = first + MAX_DELAY_LOCKED;
        if self.locked {
            return Some(limit);
        }
        // What git does after a checkout belongs to it.
        let from = self.unlocked.map_or(first, |at| at.max(first));
        Some((last + self.quiet).min(from + MAX_DELAY).min(limit))
    }

    /// Takes the batch if it is due.
    pub(super) fn take_due(&mut self, now: Instant) -> Option<Batch> {
        if self.due().is_none_or(|due| now < due) {
            return None;
        }
        if self
            .began
            .is_some_and(|(_, last)| now.duration_since(last) >= STALE_LOCK)
        {
            self.locked = false;
        }
        self.take()
    }

    /// Takes the batch, due or not.
    pub(super) fn take(&mut self) -> Option<Batch> {
        self.began.take()?;
        self.unlocked = None;
        Some(Batch {
            paths: std::mem::take(&mut self.paths).into_iter().collect(),
            rescan: std::mem::take(&mut self.rescan),
        })
    }

    fn happened(&mut self, now: Instant) {
        match &mut self.began {
            Some((_, last)) => *last = now,
            None => self.began = Some((now, now)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: Duration = Duration::from_millis(50);

    /// A coalescer whose times are milliseconds from an arbitrary start.
    struct Clock {
        start: Instant,
        coalescer: Coalescer,
    }

    impl Clock {
        fn new() -> Clock {
            Clock {
                start: Instant::now(),
                coalescer: Coalescer::new(QUIET),
            }
        }

        fn at(&self, ms: u64) -> Instant {
            self.start + Duration::from_millis(ms)
        }

        fn record(&mut self, path: &str, ms: u64) {
            let now = self.at(ms);
            self.coalescer.record(path.to_owned(), now);
        }

        fn lock(&mut self, locked: bool, ms: u64) {
            let now = self.at(ms);
            self.coalescer.set_locked(locked, now);
        }

        fn due(&self) -> Option<u64> {
            let due = self.coalescer.due()?;
            Some(due.duration_since(self.start).as_millis() as u64)
        }

        fn take_due(&mut self, ms: u64) -> Option<Vec<String>> {
            let now = self.at(ms);
            Some(self.coalescer.take_due(now)?.paths)
        }
    }

    #[test]
    fn a_batch_is_due_once_it_has_been_quiet() {
        let mut clock = Clock::new();
        assert_eq!(clock.due(), None);
        clock.record("b", 0);
        clock.record("a", 40);
        clock.record("b", 60);
        assert_eq!(clock.due(), Some(110));
        assert_eq!(clock.take_due(109), None);
        assert_eq!(clock.take_due(110).expect("due"), ["a", "b"]);
        assert_eq!(clock.due(), None);
    }

    #[test]
    fn events_without_an_end_put_a_batch_off_for_half_a_second_at_most() {
        let mut clock = Clock::new();
        for ms in (0..500).step_by(10) {
            assert_eq!(clock.take_due(ms), None);
            clock.record("a", ms);
        }
        assert_eq!(clock.due(), Some(500));
        assert_eq!(clock.take_due(500).expect("due"), ["a"]);
        clock.record("a", 510);
        assert_eq!(clock.due(), Some(560));
    }

    #[test]
    fn a_checkout_is_one_batch_however_long_its_pauses_are() {
        let mut clock = Clock::new();
        clock.lock(true, 0);
        assert_eq!(clock.due(), None);
        clock.record("a", 10);
        clock.record("b", 2_000);
        assert_eq!(clock.take_due(2_600), None);
        clock.record("c", 3_000);
        clock.lock(false, 3_100);
        // What git still writes is waited for as after any event.
        assert_eq!(clock.due(), Some(3_150));
        clock.record("d", 3_140);
        assert_eq!(clock.due(), Some(3_190));
        assert_eq!(clock.take_due(3_190).expect("due"), ["a", "b", "c", "d"]);
    }

    #[test]
    fn the_lock_of_git_puts_a_batch_off_for_five_seconds_at_most() {
        let mut clock = Clock::new();
        clock.lock(true, 0);
        for ms in (100..5_100).step_by(500) {
            assert_eq!(clock.take_due(ms), None);
            clock.record("a", ms);
        }
        assert_eq!(clock.due(), Some(5_100));
        assert_eq!(clock.take_due(5_100).expect("due"), ["a"]);
        // The checkout continues.
        clock.record("b", 5_110);
        assert_eq!(clock.due(), Some(10_110));
    }

    #[test]
    fn a_lock_that_a_killed_git_left_holds_one_batch_only() {
        let mut clock = Clock::new();
        clock.lock(true, 0);
        clock.record("a", 10);
        assert_eq!(clock.take_due(5_010).expect("due"), ["a"]);
        clock.record("b", 6_000);
        assert_eq!(clock.due(), Some(6_050));
    }

    #[test]
    fn a_flush_gives_what_is_there_at_once_and_nothing_twice() {
        let mut clock = Clock::new();
        assert_eq!(clock.coalescer.take(), None);
        clock.lock(true, 0);
        clock.record("a", 0);
        assert_eq!(clock.coalescer.take().expect("a batch").paths, ["a"]);
        assert_eq!(clock.coalescer.take(), None);
        assert_eq!(clock.due(), None);
    }

    #[test]
    fn lost_events_are_reported_with_the_paths_that_are_known() {
        let mut clock = Clock::new();
        clock.record("a", 0);
        let now = clock.at(10);
        clock.coalescer.record_lost(now);
        let batch = clock.coalescer.take().expect("a batch");
        assert!(batch.rescan);
        assert_eq!(batch.paths, ["a"]);
        clock.record("a", 20);
        assert!(!clock.coalescer.take().expect("a batch").rescan);
    }

    #[test]
    fn too_many_paths_become_a_look_at_everything() {
        let mut clock = Clock::new();
        for n in 0..MAX_PATHS {
            clock.record(&n.to_string(), 0);
        }
        clock.record("0", 1);
        assert!(!clock.coalescer.rescan);
        clock.record("one more", 2);
        let batch = clock.coalescer.take().expect("a batch");
        assert!(batch.rescan);
        assert_eq!(batch.paths, [""; 0]);
    }
}
