//! Memory that questions have taken is given back once none has come for a while.
//!
//! What a question about the graph solves is kept for the next one. Agents send several in a row, then
//! none for a long time; an editor's requests solve little and do not count.
//!
//! ```text
//! 10:00:00  a question ends     the timer is set for 10:01:00
//! 10:00:40  another ends
//! 10:01:00  too early           the timer is set for 10:01:40
//! 10:01:40  everything that can be solved again is given back
//! ```

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use codeweft_db::RequestCancellation;

use super::core::HostCore;
use super::request::Priority;
use crate::sync::lock;

/// The time after the last question.
pub(super) const IDLE_TIME: Duration = Duration::from_secs(60);

/// The time after which to try again if a write is in progress.
const AFTER_WRITE: Duration = Duration::from_secs(1);

/// When the last question ended that has left something to give back.
#[derive(Default)]
pub(super) struct LastQuestion(Mutex<Option<Instant>>);

/// Notes that a request ended at a time.
pub(super) fn note(core: &Arc<HostCore>, class: Priority, now: Instant) {
    if !matches!(class, Priority::Agent | Priority::Deep) {
        return;
    }
    let is_set = lock(&core.last_question.0).replace(now).is_some();
    if !is_set {
        set_timer(core, now + IDLE_TIME);
    }
}

fn set_timer(core: &Arc<HostCore>, at: Instant) {
    let weak = Arc::downgrade(core);
    core.timer.at(at, move || {
        if let Some(core) = weak.upgrade() {
            give_back(&core, Instant::now());
        }
    });
}

/// Gives everything back if no question ended within [`IDLE_TIME`] before `now`; else sets the timer
/// again. Returns whether it did.
pub(super) fn give_back(core: &Arc<HostCore>, now: Instant) -> bool {
    let last = *lock(&core.last_question.0);
    let Some(last) = last else {
        return false;
    };
    if now < last + IDLE_TIME {
        set_timer(core, last + IDLE_TIME);
        return false;
    }
    // Not to wait for a write: deadlines are of this thread.
    let is_open = core.gate.published_at_once().is_some();
    let snapshot = is_open.then(|| core.gate.enter(&RequestCancellation::default()));
    let Some(snapshot) = snapshot.flatten() else {
        set_timer(core, now + AFTER_WRITE);
        return false;
    };
    *lock(&core.last_question.0) = None;
    let garbage = snapshot.cache().give_back();
    drop(snapshot);
    core.janitor.drop_later(garbage);
    true
}
