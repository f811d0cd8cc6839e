//! Many events become one batch: paths are gathered until the disk has been quiet for a while.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// How long a batch is put off at most while events go on.
pub(super) const LONGEST: Duration = Duration::from_millis(500);

/// How long a batch is put off at most while git holds the lock of its index: a checkout is one
/// batch.
pub(super) const LONGEST_LOCKED: Duration = Duration::from_secs(5);

/// A lock without any event for so long is one that a killed git left behind.
const LOCK_RESTS: Duration = Duration::from_secs(1);

/// So many paths are not named any more: looking at all files is cheaper.
const MOST_PATHS: usize = 65_536;

/// What happened on disk between two moments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Batch {
    /// Files and folders to look at: absolute, sorted, each once. A folder stands for all below
    /// it; what is not there any more may have been either.
    pub paths: Vec<String>,
    /// Events were lost, or what is ignored may have changed: everything is to be looked at.
    pub rescan: bool,
}

/// Gathers paths into batches. It has no clock of its own: every moment is told to it, none
/// before the last.
pub(super) struct Coalescer {
    /// A batch is due when nothing has happened for so long.
    quiet: Duration,
    paths: BTreeSet<String>,
    rescan: bool,
    /// The first and the last event of the batch; `None` while there is nothing to give.
    began: Option<(Instant, Instant)>,
    locked: bool,
    /// When git let go of the lock during this batch.
    unlocked: Option<Instant>,
}

impl Coalescer {
    /// Gives a batch once nothing has happened for `quiet`.
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

    /// Something happened at a path.
    pub(super) fn note(&mut self, path: String, now: Instant) {
        self.happened(now);
        if self.paths.len() < MOST_PATHS {
            self.paths.insert(path);
        } else if !self.paths.contains(&path) {
            self.paths.clear();
            self.rescan = true;
        }
    }

    /// Nobody knows what happened.
    pub(super) fn note_rescan(&mut self, now: Instant) {
        self.happened(now);
        self.rescan = true;
    }

    /// Git took the lock of its index, or let go of it.
    pub(super) fn set_locked(&mut self, locked: bool, now: Instant) {
        if self.locked && !locked {
            self.unlocked = Some(now);
        }
        self.locked = locked;
        if let Some((_, last)) = &mut self.began {
            *last = now;
        }
    }

    /// When the batch is to be given; `None` while there is nothing to give.
    pub(super) fn due(&self) -> Option<Instant> {
        let (first, last) = self.began?;
        let most = first + LONGEST_LOCKED;
        if self.locked {
            return Some(most);
        }
        // What git does after a checkout belongs to it.
        let from = self.unlocked.map_or(first, |at| at.max(first));
        Some((last + self.quiet).min(from + LONGEST).min(most))
    }

    /// The batch, if it is due.
    pub(super) fn take_due(&mut self, now: Instant) -> Option<Batch> {
        if self.due().is_none_or(|due| now < due) {
            return None;
        }
        if self
            .began
            .is_some_and(|(_, last)| now.duration_since(last) >= LOCK_RESTS)
        {
            self.locked = false;
        }
        self.take()
    }

    /// The batch as it stands, due or not.
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

    /// A coalescer whose moments are milliseconds from an arbitrary start.
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

        fn note(&mut self, path: &str, ms: u64) {
            let now = self.at(ms);
            self.coalescer.note(path.to_owned(), now);
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
        clock.note("b", 0);
        clock.note("a", 40);
        clock.note("b", 60);
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
            clock.note("a", ms);
        }
        assert_eq!(clock.due(), Some(500));
        assert_eq!(clock.take_due(500).expect("due"), ["a"]);
        clock.note("a", 510);
        assert_eq!(clock.due(), Some(560));
    }

    #[test]
    fn a_checkout_is_one_batch_however_long_its_pauses_are() {
        let mut clock = Clock::new();
        clock.lock(true, 0);
        assert_eq!(clock.due(), None);
        clock.note("a", 10);
        clock.note("b", 2_000);
        assert_eq!(clock.take_due(2_600), None);
        clock.note("c", 3_000);
        clock.lock(false, 3_100);
        // What git still writes is waited for as after any event.
        assert_eq!(clock.due(), Some(3_150));
        clock.note("d", 3_140);
        assert_eq!(clock.due(), Some(3_190));
        assert_eq!(clock.take_due(3_190).expect("due"), ["a", "b", "c", "d"]);
    }

    #[test]
    fn the_lock_of_git_puts_a_batch_off_for_five_seconds_at_most() {
        let mut clock = Clock::new();
        clock.lock(true, 0);
        for ms in (100..5_100).step_by(500) {
            assert_eq!(clock.take_due(ms), None);
            clock.note("a", ms);
        }
        assert_eq!(clock.due(), Some(5_100));
        assert_eq!(clock.take_due(5_100).expect("due"), ["a"]);
        // The checkout goes on.
        clock.note("b", 5_110);
        assert_eq!(clock.due(), Some(10_110));
    }

    #[test]
    fn a_lock_that_a_killed_git_left_holds_one_batch_only() {
        let mut clock = Clock::new();
        clock.lock(true, 0);
        clock.note("a", 10);
        assert_eq!(clock.take_due(5_010).expect("due"), ["a"]);
        clock.note("b", 6_000);
        assert_eq!(clock.due(), Some(6_050));
    }

    #[test]
    fn a_flush_gives_what_is_there_at_once_and_nothing_twice() {
        let mut clock = Clock::new();
        assert_eq!(clock.coalescer.take(), None);
        clock.lock(true, 0);
        clock.note("a", 0);
        assert_eq!(clock.coalescer.take().expect("a batch").paths, ["a"]);
        assert_eq!(clock.coalescer.take(), None);
        assert_eq!(clock.due(), None);
    }

    #[test]
    fn lost_events_are_told_with_the_paths_that_are_known() {
        let mut clock = Clock::new();
        clock.note("a", 0);
        let now = clock.at(10);
        clock.coalescer.note_rescan(now);
        let batch = clock.coalescer.take().expect("a batch");
        assert!(batch.rescan);
        assert_eq!(batch.paths, ["a"]);
        clock.note("a", 20);
        assert!(!clock.coalescer.take().expect("a batch").rescan);
    }

    #[test]
    fn too_many_paths_become_a_look_at_everything() {
        let mut clock = Clock::new();
        for n in 0..MOST_PATHS {
            clock.note(&n.to_string(), 0);
        }
        clock.note("0", 1);
        assert!(!clock.coalescer.rescan);
        clock.note("one more", 2);
        let batch = clock.coalescer.take().expect("a batch");
        assert!(batch.rescan);
        assert_eq!(batch.paths, [""; 0]);
    }
}
