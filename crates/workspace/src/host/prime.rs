//! Priming: runs the queries that requests will need before they come, at the lowest priority. It also
//! lowers the files of libraries, which the load leaves for the first question that needs them; that comes
//! first, since questions take more care as long as it is not done.
//!
//! ```text
//! after load and after each write that made a revision: start
//! step: written to within AFTER_WRITE, or a request within QUIET? ──> later
//!       else run tasks of the plan (a file or a unit at a time) until SLICE is over or a request comes
//!       ──> later, until the plan is done; a write cancels the step, and a new revision makes a new plan
//! ```
//!
//! Behind it comes what follows the revisions (see [`super::follower`]).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use codeweft_db::{File, RequestCancellation, UnwindReason};
use codeweft_vfs::ClientId;

use super::core::HostCore;
use super::priming_plan::{self, PrimingPlan, PrimingTask};
use super::request::Priority;
use super::workers::{Job, StepOutcome, WorkStep};
use crate::project::{NewText, Snapshot};
use crate::sync::lock;

/// The pause after a request of an editor.
const QUIET: Duration = Duration::from_millis(30);

/// The pause after a write: further keystrokes follow, and a query of a large package does not check for
/// cancellation at every moment.
const AFTER_WRITE: Duration = Duration::from_millis(100);

/// The pause after a write of a follower that no longer waits for quiet.
const BEFORE_QUESTION: Duration = Duration::from_millis(20);

/// The time for which a step may occupy a worker.
const SLICE: Duration = Duration::from_millis(3);

/// Starts priming, unless a job is queued already.
pub(super) fn start(core: &Arc<HostCore>) {
    if core.primed.queued.swap(true, Ordering::SeqCst) {
        return;
    }
    core.workers.push(Job {
        number: core.next_number(),
        client: ClientId(0),
        class: Priority::Background,
        work: Box::new(PrimingRun(Arc::downgrade(core))),
    });
}

/// Takes a file whose lowering panics out of the database, as the load does: it is unread then, and
/// requests that need it are answered without it.
pub(super) fn note_broken(core: &HostCore, snapshot: &Snapshot<'_>, file: File) {
    let mut files = snapshot.state.files.iter();
    if let Some((path, entry)) = files.find(|(_, entry)| entry.file == file) {
        let text = NewText {
            path: path.clone(),
            lang: entry.lang,
            text: file.saved_text(&snapshot.db).clone(),
        };
        core.changes.push_ready(text, None);
    }
}

struct PrimingRun(Weak<HostCore>);

impl WorkStep for PrimingRun {
    fn run(&mut self) -> StepOutcome {
        let Some(core) = self.0.upgrade() else {
            return StepOutcome::Done;
        };
        let now = Instant::now();
        let is_starved = core.follower.is_starved();
        let last = core.gate.last_write();
        if is_starved {
            // Behind an edit comes its question.
            let soon = last.map(|last| last + BEFORE_QUESTION);
            if let Some(soon) = soon.filter(|&soon| soon > now) {
                return StepOutcome::Later(soon);
            }
            if core.workers.has_requests() {
                return StepOutcome::Later(now + SLICE);
            }
            return self.follow(&core);
        }
        if let Some(quiet) = last
            .map(|last| last + AFTER_WRITE)
            .filter(|&quiet| quiet > now)
        {
            return StepOutcome::Later(quiet);
        }
        if core.is_busy(QUIET) {
            return StepOutcome::Later(now + QUIET);
        }
        let cancel = RequestCancellation::default();
        let Some(snapshot) = core.gate.enter(&cancel) else {
            return StepOutcome::Later(now + QUIET);
        };
        let revision = snapshot.revision();
        let mut plan = lock(&core.primed.plan);
        let result = catch_unwind(AssertUnwindSafe(|| {
            if plan.revision != revision {
                *plan = PrimingPlan::new(&snapshot.db, revision);
            }
            while let Some(&task) = plan.tasks.get(plan.next) {
                // A task that panics is not run again.
                plan.next += 1;
                priming_plan::run(&snapshot.db, task);
                if now.elapsed() > SLICE || core.is_busy(QUIET) {
                    break;
                }
            }
        }));
        let total = plan.tasks.len();
        if let Err(payload) = result {
            let at = plan.next.saturating_sub(1);
            match UnwindReason::of(payload.as_ref()) {
                UnwindReason::Panic(_) => {
                    // A plan that panicked while it was made has left the old one.
                    if plan.revision == revision
                        && let Some(PrimingTask::Lower(file) | PrimingTask::Excluded(file)) =
                            plan.tasks.get(at)
                    {
                        note_broken(&core, &snapshot, *file);
                    }
                }
                _ => plan.next = at,
            }
        }
        let all = plan.next >= total && plan.revision == revision;
        if plan.next >= plan.unread && plan.revision == revision {
            // No write comes in between while the snapshot is held.
            snapshot.db.tables().set_may_have_unread_files(false);
        }
        if all {
            snapshot.db.tables().set_may_have_unresolved_files(false);
            lock(&core.figures.timeline).note_primed(Instant::now());
        }
        drop(snapshot);
        core.primed.done.store(plan.next, Ordering::Relaxed);
        core.primed.total.store(total, Ordering::Relaxed);
        drop(plan);
        if !all {
            return StepOutcome::Later(Instant::now());
        }
        if core.follower.is_behind() {
            return self.follow(&core);
        }
        self.end(&core, revision)
    }
}

impl PrimingRun {
    /// Runs a step of the follower.
    fn follow(&self, core: &Arc<HostCore>) -> StepOutcome {
        let cancel = RequestCancellation::default();
        let Some(snapshot) = core.gate.enter(&cancel) else {
            return StepOutcome::Later(Instant::now() + QUIET);
        };
        let revision = snapshot.revision();
        let next = core.follower.step(core, &snapshot);
        drop(snapshot);
        match next {
            Some(next) => StepOutcome::Later(next),
            // The plan of priming may be unfinished.
            None if lock(&core.primed.plan).revision != revision => {
                StepOutcome::Later(Instant::now())
            }
            None => self.end(core, revision),
        }
    }

    /// Ends the job, unless there is another revision than it has seen.
    fn end(&self, core: &Arc<HostCore>, revision: u64) -> StepOutcome {
        core.primed.queued.store(false, Ordering::SeqCst);
        // A write between the plan and this line found the job still queued and started none.
        if core.gate.revision() != revision || core.follower.is_behind() {
            start(core);
        }
        StepOutcome::Done
    }
}
