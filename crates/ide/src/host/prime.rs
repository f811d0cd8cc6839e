//! What questions will need is asked before they come, behind everything else: a file or a unit at
//! a time, nothing while somebody asks or types.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use codeweft_db::{CancellationToken, File, Language, RootDb, Unit, UnitGraph, UnwindReason, file_report};
use codeweft_vfs::ClientId;

use super::Class;
use super::core::{Core, locked};
use super::workers::{Job, Next, Work};

/// After an editor's question nothing is done for so long.
const QUIET: Duration = Duration::from_millis(30);

/// After a write: who types goes on typing, and what is asked of a large package cannot be left at
/// every moment.
const SETTLED: Duration = Duration::from_millis(100);

/// So long a worker is held at a time.
const SLICE: Duration = Duration::from_millis(3);

/// How far it is.
#[derive(Default)]
pub(super) struct Primed {
    /// Whether a job is on its way.
    queued: AtomicBool,
    plan: Mutex<Plan>,
    pub(super) done: AtomicUsize,
    pub(super) total: AtomicUsize,
}

#[derive(Default)]
struct Plan {
    /// The revision that it is for; 0: none.
    revision: u64,
    items: Vec<Item>,
    next: usize,
}

/// What is asked at a time.
#[derive(Clone, Copy)]
enum Item {
    File(&'static dyn Language, File),
    Unit(&'static dyn Language, Unit),
}

/// Begins, or begins anew after a write.
pub(super) fn start(core: &Arc<Core>) {
    if core.primed.queued.swap(true, Ordering::SeqCst) {
        return;
    }
    core.workers.push(Job {
        number: core.next_number(),
        client: ClientId(0),
        class: Class::Background,
        work: Box::new(Priming(Arc::downgrade(core))),
    });
}

struct Priming(Weak<Core>);

impl Work for Priming {
    fn run(&mut self) -> Next {
        let Some(core) = self.0.upgrade() else {
            return Next::Done;
        };
        let now = Instant::now();
        let last = core.gate.last_write();
        if let Some(quiet) = last.map(|last| last + SETTLED).filter(|&quiet| quiet > now) {
            return Next::Later(quiet);
        }
        if core.is_wanted(QUIET) {
            return Next::Later(now + QUIET);
        }
        let cancel = CancellationToken::default();
        let Some(snapshot) = core.gate.enter(&cancel) else {
            return Next::Later(now + QUIET);
        };
        let revision = snapshot.revision();
        let mut plan = locked(&core.primed.plan);
        let asked = catch_unwind(AssertUnwindSafe(|| {
            if plan.revision != revision {
                *plan = Plan {
                    revision,
                    items: items(&snapshot.db),
                    next: 0,
                };
            }
            while let Some(&item) = plan.items.get(plan.next) {
                // One that breaks is not tried again.
                plan.next += 1;
                ask(&snapshot.db, item);
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
            return Next::Later(Instant::now());
        }
        core.primed.queued.store(false, Ordering::SeqCst);
        // A write between the plan and this found a job on its way.
        if core.gate.revision() != revision {
            start(&core);
        }
        Next::Done
    }
}

fn items(db: &RootDb) -> Vec<Item> {
    let rooms = codeweft_graph::languages::ALL;
    let units: Vec<(&'static dyn Language, Unit)> = UnitGraph::try_get(db)
        .map(|universe| universe.units(db).clone())
        .iter()
        .flat_map(|units| units.iter())
        .filter_map(|&unit| {
            let room = rooms.iter().find(|room| room.lang() == unit.lang(db))?;
            Some((*room, unit))
        })
        .collect();
    let mut items = Vec::new();
    for &(room, unit) in &units {
        let files = unit.files(db).iter();
        items.extend(files.map(|&file| Item::File(room, file)));
        items.push(Item::Unit(room, unit));
    }
    items
}

fn ask(db: &RootDb, item: Item) {
    match item {
        Item::File(room, file) => {
            room.uses(db, file);
            file_report(db, file);
        }
        Item::Unit(room, unit) => {
            room.index(db, unit);
            room.identifiers(db, unit);
            room.hierarchy(db, unit);
            room.imports(db, unit);
            room.symbols(db, unit);
        }
    }
}
