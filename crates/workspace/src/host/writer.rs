//! The writer: the only thread that changes the database.
//!
//! ```text
//! load ──> publish revision 1 ──> loop { take all pending changes ──> prepare ──> apply ──> resolve }
//!                                                                        │          │
//!              reads the disk, lowers texts, compares, lays out units ───┘          └── shuts the gate
//!              (large texts go to the preparer and come back as pending inputs)
//! ```

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
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
use crate::settings::{CurrentSettings, NAME};
use crate::sync::lock;

/// The stack of the thread, in bytes: loading and type inference recurse with the code.
const STACK: usize = 32 << 20;

/// A write that waits this long for readers is logged.
const STALL: Duration = Duration::from_millis(250);

/// Starts the writer, which loads the workspace first, under the settings `applied`.
///
/// # Errors
/// The system cannot start a thread.
pub(super) fn start(
    core: Arc<HostCore>,
    options: HostOptions,
    applied: Arc<CurrentSettings>,
) -> std::io::Result<()> {
    thread::Builder::new()
        .name("writer".to_owned())
        .stack_size(STACK)
        .spawn(move || {
            let served = catch_unwind(AssertUnwindSafe(|| serve(&core, options, applied)));
            if let Err(panic) = served {
                let words = panic_message(panic.as_ref());
                core.figures.panicked("writer", &words);
                core.set_state(HostState::Failed(format!("the writer broke: {words}")));
            }
        })?;
    Ok(())
}

fn serve(core: &Arc<HostCore>, options: HostOptions, applied: Arc<CurrentSettings>) {
    let started = Instant::now();
    let progress = |progress: Progress| core.set_state(HostState::Loading(progress));
    let loaded = catch_unwind(AssertUnwindSafe(|| {
        ProjectDatabase::load_with(
            LoadOptions {
                settings: options.settings,
                threads: options.threads,
                variables: options.variables,
                progress: &progress,
                languages: core.languages,
                on_demand: true,
                cache: options.cache,
                ..LoadOptions::new(options.root)
            },
            core.vfs.clone(),
        )
    }));
    let mut database = match loaded {
        Ok(Ok(database)) => database,
        Ok(Err(error)) => return core.set_state(HostState::Failed(error.to_string())),
        Err(panic) => {
            let words = panic_message(panic.as_ref());
            let why = format!("reading the workspace broke: {words}");
            eprintln!("codeweft: {why}");
            return core.set_state(HostState::Failed(why));
        }
    };
    let tables = database.db().tables();
    // It cannot be set yet: this is the only load.
    let _ = core.figures.tables.set(tables.clone());
    lock(&core.figures.timeline).add_phases(started, &database.load_phases());
    core.set_disk(database.disk());
    if core.settings.is_some() {
        database.set_settings(&applied.settings.values, applied.warning.clone());
    }
    let janitor = core.janitor.clone();
    let drop_sink = move |garbage| janitor.drop_later(garbage);
    // It cannot be set yet: the database is new.
    let _ = database.db().tables().drop_sink.set(Box::new(drop_sink));
    let done = {
        let core = Arc::downgrade(core);
        move |text, ir| {
            if let Some(core) = core.upgrade() {
                core.changes.push_ready(text, ir);
            }
        }
    };
    let preparer = match Preparer::start(database.db().tables().clone(), done) {
        Ok(preparer) => preparer,
        Err(error) => return core.set_state(HostState::Failed(error.to_string())),
    };
    let mut writer = Writer {
        core: core.clone(),
        database,
        preparer,
        deferred: FxHashMap::default(),
        applied,
    };
    // Documents that were opened during the load are in the first revision that readers see.
    let log = core.changes.take_now();
    let last = log.last;
    writer.write(log);
    core.gate.publish(writer.database.read_state());
    let took = started.elapsed().as_millis() as u64;
    core.figures.load_ms.store(took.max(1), Ordering::Relaxed);
    core.set_state(HostState::Ready);
    writer.resolve(last);
    prime::start(core);
    while let Some(mut log) = core.changes.take() {
        let last = log.last;
        let impacts = std::mem::take(&mut log.impacts);
        writer.write(log);
        writer.resolve(last);
        for impact in impacts {
            if let Some(again) = impact.run(core, &mut writer.database) {
                core.changes.push_impact(again);
            }
            prime::start(core);
        }
    }
    writer.preparer.end();
}

/// The state of the writer thread.
struct Writer {
    core: Arc<HostCore>,
    database: ProjectDatabase,
    preparer: Arc<Preparer>,
    /// Paths of large texts that are being lowered, with the first change that readers do not see for it.
    deferred: FxHashMap<Arc<str>, u64>,
    /// The settings that the database has.
    applied: Arc<CurrentSettings>,
}

impl Writer {
    /// Brings the database to the state after these changes.
    fn write(&mut self, log: PendingLog) {
        let prepared = catch_unwind(AssertUnwindSafe(|| self.prepare(log)));
        match prepared {
            Ok(transaction) => self.apply(transaction),
            Err(panic) => {
                let words = panic_message(panic.as_ref());
                self.core.figures.panicked("prepare", &words);
                // The next change compares everything again.
                self.database.compare_all_again();
            }
        }
    }

    /// Releases the requests that wait for changes up to `last`, or up to the first deferred text.
    fn resolve(&self, last: u64) {
        let visible = self.deferred.values().min().map_or(last, |first| first - 1);
        self.core
            .resolve(ChangeId(visible), self.database.revision());
    }

    /// Does all work that readers can read beside.
    fn prepare(&mut self, log: PendingLog) -> Transaction {
        if log.settings || log.layout || log.recheck || !log.disk.is_empty() {
            self.follow_settings();
        }
        let disk = log.disk.into_iter().map(PathBuf::from);
        let inputs = PendingInputs {
            opened: log.opened,
            disk: (log.layout || disk.len() > 0).then(|| disk.collect()),
            recheck: log.recheck,
            ready: log.ready,
        };
        let mut large = DeferredTexts {
            preparer: &self.preparer,
            deferred: &mut self.deferred,
            first: &log.first,
            next: log.taken + 1,
        };
        self.database.prepare(inputs, &mut large)
    }

    /// Brings the database to the settings that follow from their file now.
    fn follow_settings(&mut self) {
        let Some(settings) = &self.core.settings else {
            return;
        };
        settings.look();
        let current = settings.current();
        if current == self.applied {
            return;
        }
        match &current.warning {
            Some(warning) => eprintln!("codeweft: {}", warning.words),
            None => eprintln!("codeweft: other settings hold, those of {NAME}"),
        }
        let (values, warning) = (&current.settings.values, current.warning.clone());
        self.database.set_settings(values, warning);
        self.core.set_disk(self.database.disk());
        self.applied = current;
    }

    fn apply(&mut self, transaction: Transaction) {
        let (core, database) = (&self.core, &mut self.database);
        if !transaction.is_visible() {
            return;
        }
        if !transaction.writes() {
            database.apply(transaction);
            core.gate.publish(database.read_state());
            // A file that is saved now is a change to a follower.
            core.follower.note_write();
            if core.follower.is_behind() {
                prime::start(core);
            }
            return;
        }
        let tables = database.db().tables().clone();
        let before = database.revision();
        let stalled = {
            let core = Arc::downgrade(core);
            move || {
                if let Some(core) = core.upgrade() {
                    core.log_stall();
                }
            }
        };
        let due = core.timer.at(Instant::now() + STALL, stalled);
        core.gate.write(&tables, || {
            // After a panic readers go on with the inputs that were set.
            let applied = catch_unwind(AssertUnwindSafe(|| database.apply(transaction)));
            if let Err(panic) = applied {
                core.figures
                    .panicked("write", &panic_message(panic.as_ref()));
            }
            database.read_state()
        });
        core.timer.forget(due);
        if database.revision() != before {
            core.figures.writes.fetch_add(1, Ordering::Relaxed);
            core.follower.note_write();
            prime::start(core);
        }
    }
}

/// Hands large texts to the preparer, and records the changes that wait for them.
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
