//! What questions will need is asked before they come, behind everything else: a file or a unit at
//! a time, nothing while somebody asks or types.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use codeweft_db::{RequestCancellation, UnwindReason};
use codeweft_vfs::ClientId;

use super::core::HostCore;
use super::priming_plan::{self, PrimingPlan};
use super::request::Priority;
use super::workers::{Job, StepOutcome, WorkStep};
use crate::sync::lock;

/// After an editor's question nothing is done for so long.
const QUIET: Duration = Duration::from_millis(30);

/// After a write: who types goes on typing, and what is asked of a large package cannot be left at
/// every moment.
const SETTLED: Duration = Duration::from_millis(100);

/// So long a worker is held at a time.
const SLICE: Duration = Duration::from_millis(3);

/// Begins, or begins anew after a write.
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

struct PrimingRun(Weak<HostCore>);

impl WorkStep for PrimingRun {
    fn run(&mut self) -> StepOutcome {
        let Some(core) = self.0.upgrade() else {
            return StepOutcome::Done;
        };
        let now = Instant::now();
        let last = core.gate.last_write();
        if let Some(quiet) = last.map(|last| last + SETTLED).filter(|&quiet| quiet > now) {
            return StepOutcome::Later(quiet);
        }
        if core.is_wanted(QUIET) {
            return StepOutcome::Later(now + QUIET);
        }
        let cancel = RequestCancellation::default();
        let Some(snapshot) = core.gate.enter(&cancel) else {
            return StepOutcome::Later(now + QUIET);
        };
        let revision = snapshot.revision();
        let mut plan = lock(&core.primed.plan);
        let asked = catch_unwind(AssertUnwindSafe(|| {
            if plan.revision != revision {
                *plan = PrimingPlan {
                    revision,
                    items: priming_plan::tasks(&snapshot.db),
                    next: 0,
                };
            }
            while let Some(&item) = plan.items.get(plan.next) {
                // One that breaks is not tried again.
                plan.next += 1;
                priming_plan::run(&snapshot.db, item);
                if now.elapsed() > SLICE || core.is_wanted(QUIET) {
                    break;
                }
            }
        }));
        drop(snapshot);
        let total = plan.items.len();
        if let Err(payload) = asked
            && !matches!(UnwindReason::of(payload.as_ref()), UnwindReason::Panic(_))
        {
            plan.next = plan.next.saturating_sub(1);
        }
        let all = plan.next >= total && plan.revision == revision;
        core.primed.done.store(plan.next, Ordering::Relaxed);
        core.primed.total.store(total, Ordering::Relaxed);
        drop(plan);
        if !all {
            return StepOutcome::Later(Instant::now());
        }
        core.primed.queued.store(false, Ordering::SeqCst);
        // A write between the plan and this found a job on its way.
        if core.gate.revision() != revision {
            start(&core);
        }
        StepOutcome::Done
    }
}
