//! The writer: the one thread that changes the database.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::asking::words;
use super::core::{Core, locked};
use super::{HostOptions, State, Ticket};
use crate::world::{Elsewhere, LoadOptions, News, Transaction};
use crate::{Progress, World};

/// Loading and typing recurse with the code.
const STACK: usize = 32 << 20;

/// A write that waits so long for readers is told.
const STALL: Duration = Duration::from_millis(250);

/// What has changed and is not yet shown.
#[derive(Default)]
pub(super) struct Changes {
    log: Mutex<Log>,
    woken: Condvar,
}

#[derive(Default)]
pub(super) struct Log {
    last: u64,
    taken: u64,
    /// Paths to look at on disk.
    disk: Vec<String>,
    /// Documents that were opened: their texts fall to LOW.
    opened: Vec<Arc<str>>,
    /// The whole disk is to be looked at.
    recheck: bool,
    ended: bool,
}

/// One change.
pub(super) enum Change {
    /// A document was opened; its text stands in the vfs.
    Opened(Arc<str>),
    /// Documents changed; their texts stand in the vfs.
    Documents,
    /// These may have changed on disk.
    Disk(Vec<String>),
    /// Anything may have changed on disk.
    Recheck,
}

impl Changes {
    /// Notes a change. Never waits for a write.
    pub(super) fn push(&self, change: Change) -> Ticket {
        let mut log = locked(&self.log);
        log.last += 1;
        match change {
            Change::Opened(path) => log.opened.push(path),
            Change::Documents => {}
            Change::Disk(paths) => log.disk.extend(paths),
            Change::Recheck => log.recheck = true,
        }
        let ticket = Ticket(log.last);
        drop(log);
        self.woken.notify_all();
        ticket
    }

    pub(super) fn now(&self) -> Ticket {
        Ticket(locked(&self.log).last)
    }

    pub(super) fn end(&self) {
        locked(&self.log).ended = true;
        self.woken.notify_all();
    }

    /// Waits for changes and takes all of them; `None`: it is over.
    fn take(&self) -> Option<Log> {
        let mut log = locked(&self.log);
        loop {
            if log.ended {
                return None;
            }
            if log.last > log.taken {
                log.taken = log.last;
                return Some(Log {
                    last: log.last,
                    taken: log.last,
                    disk: std::mem::take(&mut log.disk),
                    opened: std::mem::take(&mut log.opened),
                    recheck: std::mem::take(&mut log.recheck),
                    ended: false,
                });
            }
            log = self
                .woken
                .wait(log)
                .unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }
}

/// Starts the writer, which loads first.
///
/// # Errors
/// The system gives no thread.
pub(super) fn start(core: Arc<Core>, options: HostOptions) -> std::io::Result<()> {
    thread::Builder::new()
        .name("writer".to_owned())
        .stack_size(STACK)
        .spawn(move || serve(&core, options))?;
    Ok(())
}

fn serve(core: &Arc<Core>, options: HostOptions) {
    let started = Instant::now();
    let progress = |progress: Progress| core.set_state(State::Loading(progress));
    let loaded = catch_unwind(AssertUnwindSafe(|| {
        World::load_with(
            LoadOptions {
                settings: options.settings,
                threads: options.threads,
                variables: options.variables,
                progress: &progress,
                ..LoadOptions::new(options.root)
            },
            core.vfs.clone(),
        )
    }));
    let mut world = match loaded {
        Ok(Ok(world)) => world,
        Ok(Err(error)) => return core.set_state(State::Failed(error.to_string())),
        Err(panic) => {
            let words = words(panic.as_ref());
            let why = format!("reading the workspace broke: {words}");
            eprintln!("codeweft: {why}");
            return core.set_state(State::Failed(why));
        }
    };
    // What was opened while it was read, in the first revision that anybody sees.
    let log = core.changes.take_now();
    let last = Ticket(log.last);
    show(core, &mut world, log);
    core.gate.show(world.view());
    let took = started.elapsed().as_millis() as u64;
    core.figures.load_ms.store(took.max(1), Ordering::Relaxed);
    core.set_state(State::Ready);
    core.resolve(last, world.revision());
    while let Some(log) = core.changes.take() {
        let last = Ticket(log.last);
        show(core, &mut world, log);
        core.resolve(last, world.revision());
    }
}

/// Brings the database to what changed.
fn show(core: &Arc<Core>, world: &mut World, log: Log) {
    let looked = log.recheck || !log.disk.is_empty();
    let prepared = catch_unwind(AssertUnwindSafe(|| {
        if log.recheck {
            world.look_everywhere();
        }
        if !log.disk.is_empty() {
            world.look(&log.disk);
        }
        let news = News {
            opened: log.opened,
            looked,
            ready: Vec::new(),
        };
        world.prepare(news, &mut Never)
    }));
    match prepared {
        Ok(transaction) => apply(core, world, transaction),
        Err(panic) => core.figures.panicked("write", &words(panic.as_ref())),
    }
}

struct Never;

impl Elsewhere for Never {
    fn takes(&mut self, _: &crate::world::NewText) -> bool {
        false
    }

    fn forgets(&mut self, _: &str) {}
}

fn apply(core: &Arc<Core>, world: &mut World, transaction: Transaction) {
    if !transaction.shows() {
        return;
    }
    if !transaction.writes() {
        world.apply(transaction);
        return core.gate.show(world.view());
    }
    let tables = world.db().tables().clone();
    let before = world.revision();
    core.gate.write(&tables, || {
        // Whatever breaks, readers go on with what is there then.
        let applied = catch_unwind(AssertUnwindSafe(|| world.apply(transaction)));
        if let Err(panic) = applied {
            core.figures.panicked("write", &words(panic.as_ref()));
        }
        world.view()
    });
    if world.revision() != before {
        core.figures.writes.fetch_add(1, Ordering::Relaxed);
    }
    let _ = STALL;
}

impl Changes {
    fn take_now(&self) -> Log {
        let mut log = locked(&self.log);
        log.taken = log.last;
        Log {
            last: log.last,
            taken: log.last,
            disk: std::mem::take(&mut log.disk),
            opened: std::mem::take(&mut log.opened),
            recheck: std::mem::take(&mut log.recheck),
            ended: log.ended,
        }
    }
}
