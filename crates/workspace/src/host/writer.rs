//! The writer: the one thread that changes the database.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use codeweft_db::panic_message;
use rustc_hash::FxHashMap;

use super::changes::PendingLog;
use super::core::HostCore;
use super::options::HostOptions;
use super::prepare::Preparer;
use super::prime;
use super::request::ChangeId;
use super::state::HostState;
use crate::project::{
    DeferredLowering, LoadOptions, NewText, PendingInputs, Progress, ProjectDatabase, Transaction,
};

/// Loading and typing recurse with the code.
const STACK: usize = 32 << 20;

/// A write that waits so long for readers is told.
const STALL: Duration = Duration::from_millis(250);

/// Starts the writer, which loads first.
///
/// # Errors
/// The system gives no thread.
pub(super) fn start(core: Arc<HostCore>, options: HostOptions) -> std::io::Result<()> {
    thread::Builder::new()
        .name("writer".to_owned())
        .stack_size(STACK)
        .spawn(move || {
            let served = catch_unwind(AssertUnwindSafe(|| serve(&core, options)));
            if let Err(panic) = served {
                let words = panic_message(panic.as_ref());
                core.figures.panicked("writer", &words);
                core.set_state(HostState::Failed(format!("the writer broke: {words}")));
            }
        })?;
    Ok(())
}

fn serve(core: &Arc<HostCore>, options: HostOptions) {
    let started = Instant::now();
    let progress = |progress: Progress| core.set_state(HostState::Loading(progress));
    let loaded = catch_unwind(AssertUnwindSafe(|| {
        ProjectDatabase::load_with(
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
    let world = match loaded {
        Ok(Ok(world)) => world,
        Ok(Err(error)) => return core.set_state(HostState::Failed(error.to_string())),
        Err(panic) => {
            let words = panic_message(panic.as_ref());
            let why = format!("reading the workspace broke: {words}");
            eprintln!("codeweft: {why}");
            return core.set_state(HostState::Failed(why));
        }
    };
    let janitor = core.janitor.clone();
    let spent = move |large| janitor.drop_later(large);
    // Nobody else sets it: the World is new.
    let _ = world.db().tables().drop_sink.set(Box::new(spent));
    let done = {
        let core = Arc::downgrade(core);
        move |text, ir| {
            if let Some(core) = core.upgrade() {
                core.changes.push_ready(text, ir);
            }
        }
    };
    let preparer = match Preparer::start(world.db().tables().clone(), done) {
        Ok(preparer) => preparer,
        Err(error) => return core.set_state(HostState::Failed(error.to_string())),
    };
    let mut writer = Writer {
        core: core.clone(),
        world,
        preparer,
        deferred: FxHashMap::default(),
    };
    // What was opened while it was read is in the first revision that anybody sees.
    let log = core.changes.take_now();
    let last = log.last;
    writer.show(log);
    core.gate.show(writer.world.view());
    let took = started.elapsed().as_millis() as u64;
    core.figures.load_ms.store(took.max(1), Ordering::Relaxed);
    core.set_state(HostState::Ready);
    writer.resolve(last);
    prime::start(core);
    while let Some(log) = core.changes.take() {
        let last = log.last;
        writer.show(log);
        writer.resolve(last);
    }
    writer.preparer.end();
}

/// Whoever writes, and what it has.
struct Writer {
    core: Arc<HostCore>,
    world: ProjectDatabase,
    preparer: Arc<Preparer>,
    /// Paths of large texts that are being lowered, with the first change that is not shown for it.
    deferred: FxHashMap<Arc<str>, u64>,
}

impl Writer {
    /// Brings the database to what changed.
    fn show(&mut self, log: PendingLog) {
        let prepared = catch_unwind(AssertUnwindSafe(|| self.prepare(log)));
        match prepared {
            Ok(transaction) => self.apply(transaction),
            Err(panic) => {
                let words = panic_message(panic.as_ref());
                self.core.figures.panicked("prepare", &words);
                // What broke is tried again with the next change.
                self.world.show_all_again();
            }
        }
    }

    /// Tells who waits that everything up to `last` is shown, but for large texts.
    fn resolve(&self, last: u64) {
        let shown = self.deferred.values().min().map_or(last, |first| first - 1);
        self.core.resolve(ChangeId(shown), self.world.revision());
    }

    /// All that can be done while readers read.
    fn prepare(&mut self, log: PendingLog) -> Transaction {
        if log.recheck {
            self.world.look_everywhere();
        }
        if !log.disk.is_empty() {
            self.world.look(&log.disk);
        }
        let news = PendingInputs {
            opened: log.opened,
            looked: log.recheck || !log.disk.is_empty(),
            ready: log.ready,
        };
        let mut large = DeferredTexts {
            preparer: &self.preparer,
            deferred: &mut self.deferred,
            first: &log.first,
            next: log.taken + 1,
        };
        self.world.prepare(news, &mut large)
    }

    fn apply(&mut self, transaction: Transaction) {
        let (core, world) = (&self.core, &mut self.world);
        if !transaction.shows() {
            return;
        }
        if !transaction.writes() {
            world.apply(transaction);
            return core.gate.show(world.view());
        }
        let tables = world.db().tables().clone();
        let before = world.revision();
        let stalled = {
            let core = Arc::downgrade(core);
            move || {
                if let Some(core) = core.upgrade() {
                    core.tell_stall();
                }
            }
        };
        let due = core.timer.at(Instant::now() + STALL, stalled);
        core.gate.write(&tables, || {
            // Whatever breaks, readers go on with what is there then.
            let applied = catch_unwind(AssertUnwindSafe(|| world.apply(transaction)));
            if let Err(panic) = applied {
                core.figures
                    .panicked("write", &panic_message(panic.as_ref()));
            }
            world.view()
        });
        core.timer.forget(due);
        if world.revision() != before {
            core.figures.writes.fetch_add(1, Ordering::Relaxed);
            prime::start(core);
        }
    }
}

/// Large texts are shown later than the others.
struct DeferredTexts<'a> {
    preparer: &'a Preparer,
    deferred: &'a mut FxHashMap<Arc<str>, u64>,
    /// The first change of each path in this transaction.
    first: &'a FxHashMap<Arc<str>, u64>,
    /// The first change of this transaction.
    next: u64,
}

impl DeferredLowering for DeferredTexts<'_> {
    fn accept(&mut self, text: &NewText) -> bool {
        let first = self.first.get(&text.path).copied().unwrap_or(self.next);
        self.deferred.entry(text.path.clone()).or_insert(first);
        self.preparer.take(text.clone());
        true
    }

    fn cancel(&mut self, path: &str) {
        if self.deferred.remove(path).is_some() {
            self.preparer.forget(path);
        }
    }
}
