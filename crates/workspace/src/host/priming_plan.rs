//! The plan of priming: the queries that it runs, in order, and how far it is.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use codeweft_db::{File, Language, RootDb, Unit, file_report};

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
    pub(super) next: usize,
}

/// The queries that run without a pause.
#[derive(Clone, Copy)]
pub(super) enum PrimingTask {
    File(&'static dyn Language, File),
    Unit(&'static dyn Language, Unit),
}

/// Returns the tasks of a revision: the files of each unit, then the unit.
pub(super) fn tasks(db: &RootDb) -> Vec<PrimingTask> {
    let mut tasks = Vec::new();
    for (language, unit) in units_with_language(db) {
        let files = unit.files(db).iter();
        tasks.extend(files.map(|&file| PrimingTask::File(language, file)));
        tasks.push(PrimingTask::Unit(language, unit));
    }
    tasks
}

/// Runs the queries of a task, as requests will.
pub(super) fn run(db: &RootDb, task: PrimingTask) {
    match task {
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
    }
}
