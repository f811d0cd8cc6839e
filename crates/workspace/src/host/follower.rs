//! What follows the revisions in the background: it is lent each one, slice by slice, behind priming.
//!
//! ```text
//! write ──> priming, in slices ──> the follower, in slices ──> nothing until the next write
//!              ^                        │ a write interrupts it: it keeps what it has found out
//!              └────────────────────────┘
//! ```
//!
//! It begins [`AFTER_WRITE`] behind the last write. While someone types, no pause may be long enough. Once a follower is [`PATIENCE`] behind it no longer waits
//! for quiet and comes first; from then on it takes the time between two edits.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use codeweft_db::UnwindReason;

use super::core::HostCore;
use crate::project::Snapshot;
use crate::sync::lock;

/// How long a follower may be behind before it comes first: each edit is slower that comes while it works.
const PATIENCE: Duration = Duration::from_secs(4);

/// How long after a write a follower begins: longer than the pauses between two keystrokes.
const AFTER_WRITE: Duration = Duration::from_millis(300);

/// The time for which one step may occupy a worker.
const SLICE: Duration = Duration::from_millis(3);

/// The pause of a follower that was interrupted by its own panic.
const AFTER_PANIC: Duration = Duration::from_secs(1);

/// The number of panics after which a follower is ended.
const MAX_PANICS: u32 = 3;

/// Something that follows the revisions of a host.
pub trait Follower: Send {
    /// Does a part of the work for a revision, until `is_over`. It may unwind when a write waits, and is called again
    /// with the next revision then.
    fn step(&mut self, view: FollowedView<'_>) -> FollowerStep;

    /// Returns a function that returns figures, for `stats`; `None` without any.
    fn figures(&self) -> Option<FollowerFigures>;
}

/// Returns figures of a follower, at any time, from any thread.
pub type FollowerFigures = Box<dyn Fn() -> serde_json::Value + Send + Sync>;

/// A revision that a follower is lent.
pub struct FollowedView<'a> {
    /// The revision.
    pub snapshot: &'a Snapshot<'a>,
    /// The time since the last write.
    pub since_write: Duration,
    /// Returns whether the slice is over, or a request waits.
    pub is_over: &'a dyn Fn() -> bool,
}

/// The continuation after a step of a follower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FollowerStep {
    /// Nothing is left to do for this revision.
    Done,
    /// The next step.
    Again,
    /// The next step, after this time.
    Wait(Duration),
}

/// The follower of a host, and how far behind it is.
#[derive(Default)]
pub(super) struct FollowerState {
    /// Locked while it runs.
    follower: Mutex<Option<Box<dyn Follower>>>,
    figures: Mutex<Option<FollowerFigures>>,
    lag: Mutex<Lag>,
}

/// How far behind a follower is.
#[derive(Default)]
struct Lag {
    has_follower: bool,
    /// The number of changes so far.
    changes: u64,
    /// Since when the newest is not followed; `None` if it is.
    behind: Option<Instant>,
    /// Whether a revision was ever followed to its end.
    was_level: bool,
    panics: u32,
}

impl FollowerState {
    /// Sets the follower.
    pub(super) fn set(&self, follower: Box<dyn Follower>) {
        *lock(&self.figures) = follower.figures();
        *lock(&self.follower) = Some(follower);
        lock(&self.lag).has_follower = true;
        self.note_write();
    }

    /// Returns the figures of the follower, and for how many milliseconds it has been behind.
    pub(super) fn figures(&self) -> Option<serde_json::Value> {
        let mut figures = lock(&self.figures).as_ref()?();
        let behind = lock(&self.lag).behind;
        let lag = behind.map_or(0, |since| since.elapsed().as_millis() as u64);
        figures["lag_ms"] = lag.into();
        Some(figures)
    }

    /// Notes that there is another revision, or state beside it.
    pub(super) fn note_write(&self) {
        let mut lag = lock(&self.lag);
        lag.changes += 1;
        if lag.has_follower {
            lag.behind.get_or_insert_with(Instant::now);
        }
    }

    /// Returns whether there is something to follow.
    pub(super) fn is_behind(&self) -> bool {
        lock(&self.lag).behind.is_some()
    }

    /// Returns whether it has been behind for so long that it comes first. The first revision, which takes long, never
    /// does.
    pub(super) fn is_starved(&self) -> bool {
        let lag = lock(&self.lag);
        lag.was_level && lag.behind.is_some_and(|since| since.elapsed() > PATIENCE)
    }

    /// Removes a follower that broke too often; returns whether it did.
    fn broke(&self) -> bool {
        let mut lag = lock(&self.lag);
        lag.panics += 1;
        if lag.panics < MAX_PANICS {
            return false;
        }
        lag.has_follower = false;
        lag.behind = None;
        true
    }

    /// Runs a step; returns when the next one is due, `None` if there is none.
    pub(super) fn step(&self, core: &HostCore, snapshot: &Snapshot<'_>) -> Option<Instant> {
        let began = Instant::now();
        let last = core.gate.last_write();
        let due = last
            .map(|last| last + AFTER_WRITE)
            .filter(|due| *due > began);
        if due.is_some() && !self.is_starved() {
            return due;
        }
        let seen = lock(&self.lag).changes;
        let mut follower = lock(&self.follower);
        let running = follower.as_mut()?;
        let is_over = || began.elapsed() > SLICE || core.workers.has_requests();
        let view = FollowedView {
            snapshot,
            since_write: last.map_or(Duration::MAX, |last| last.elapsed()),
            is_over: &is_over,
        };
        let stepped = catch_unwind(AssertUnwindSafe(|| running.step(view)));
        match stepped {
            Ok(FollowerStep::Done) => {
                let mut lag = lock(&self.lag);
                lag.was_level = true;
                // The state beside a revision changes without waiting for readers.
                if lag.changes != seen {
                    return Some(Instant::now());
                }
                lag.behind = None;
                None
            }
            Ok(FollowerStep::Again) => Some(Instant::now()),
            Ok(FollowerStep::Wait(time)) => Some(Instant::now() + time),
            Err(payload) => match UnwindReason::of(payload.as_ref()) {
                UnwindReason::Panic(words) => {
                    core.figures.panicked("store", &words);
                    if self.broke() {
                        *follower = None;
                        return None;
                    }
                    Some(Instant::now() + AFTER_PANIC)
                }
                _ => Some(Instant::now()),
            },
        }
    }
}
