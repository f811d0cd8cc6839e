//! The plan of priming: the queries that it runs, in order, and how far it is.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use codeweft_db::{File, Language, RootDb, Unit, file_identifiers, file_report, read_saved_parts};

use crate::project::units_with_language;

/// The progress of priming.
#[derive(Default)]
pub(super) struct PrimingProgress {
    /// Whether a job is queued or running.
    pub(super) queued: AtomicBool,
    pub(super) plan: Mutex<PrimingPlan>,
    pub(super) done: AtomicUsize,
    pub(super) total: AtomicUsize,
}

#[derive(Default)]
pub(super) struct PrimingPlan {
    /// The revision that the plan is for; 0 for none.
    pub(super) revision: u64,
    pub(super) tasks: Vec<PrimingTask>,
    /// The number of tasks, at the beginning, after which no file is unread.
    pub(super) unread: usize,
    pub(super) next: usize,
}

/// The queries that run without a pause.
#[derive(Clone, Copy)]
pub(super) enum PrimingTask {
    /// A file that is built: what the load has left of it.
    Lower(File),
    /// A file that is built.
    File(&'static dyn Language, File),
    /// A unit, after its files.
    Unit(&'static dyn Language, Unit),
    /// A file that is not built: what the completeness of an answer reads of it.
    Excluded(File),
}

impl PrimingPlan {
    /// Returns the plan of a revision: what the load has left, first of the files that are built;
    /// then the files of each unit, and the unit.
    pub(super) fn new(db: &RootDb, revision: u64) -> PrimingPlan {
        let units = units_with_language(db);
        let mut lowered = Vec::new();
        let mut excluded = Vec::new();
        let mut rest = Vec::new();
        for (language, unit) in units {
            let built = language.files(db, unit);
            lowered.extend(built.iter().map(|&file| PrimingTask::Lower(file)));
            if unit.lang(db).lower_parts.is_some() {
                let not_built = language.excluded(db, unit);
                excluded.extend(not_built.iter().map(|&file| PrimingTask::Excluded(file)));
            }
            rest.extend(built.iter().map(|&file| PrimingTask::File(language, file)));
            rest.push(PrimingTask::Unit(language, unit));
        }
        let mut tasks = lowered;
        tasks.append(&mut excluded);
        let unread = tasks.len();
        tasks.append(&mut rest);
        PrimingPlan {
            revision,
            tasks,
            unread,
            next: 0,
        }
    }
}

/// Runs the queries of a task, as requests will.
pub(super) fn run(db: &RootDb, task: PrimingTask) {
    match task {
        PrimingTask::Lower(file) => read_saved_parts(db, file),
        PrimingTask::File(language, file) => {
            language.uses(db, file);
            file_report(db, file);
        }
        PrimingTask::Unit(language, unit) => {
            language.index(db, unit);
            language.identifiers(db, unit);
            language.hierarchy(db, unit);
            language.imports(db, unit);
            language.symbols(db, unit);
        }
        PrimingTask::Excluded(file) => {
            file_identifiers(db, file);
            file_report(db, file);
        }
    }
}
