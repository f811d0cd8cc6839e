//! The queries that priming runs, in order, and how far it is.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use codeweft_db::{File, Language, RootDb, Unit, UnitGraph, file_report};

/// How far it is.
#[derive(Default)]
pub(super) struct PrimingProgress {
    /// Whether a job is on its way.
    pub(super) queued: AtomicBool,
    pub(super) plan: Mutex<PrimingPlan>,
    pub(super) done: AtomicUsize,
    pub(super) total: AtomicUsize,
}

#[derive(Default)]
pub(super) struct PrimingPlan {
    /// The revision that it is for; 0: none.
    pub(super) revision: u64,
    pub(super) items: Vec<PrimingTask>,
    pub(super) next: usize,
}

/// What is asked at a time.
#[derive(Clone, Copy)]
pub(super) enum PrimingTask {
    File(&'static dyn Language, File),
    Unit(&'static dyn Language, Unit),
}

pub(super) fn tasks(db: &RootDb) -> Vec<PrimingTask> {
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
        items.extend(files.map(|&file| PrimingTask::File(room, file)));
        items.push(PrimingTask::Unit(room, unit));
    }
    items
}

pub(super) fn run(db: &RootDb, item: PrimingTask) {
    match item {
        PrimingTask::File(room, file) => {
            room.uses(db, file);
            file_report(db, file);
        }
        PrimingTask::Unit(room, unit) => {
            room.index(db, unit);
            room.identifiers(db, unit);
            room.hierarchy(db, unit);
            room.imports(db, unit);
            room.symbols(db, unit);
        }
    }
}
