//! Indexing everything, leaving no work for questions.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use codeweft_db::{File, Language, Origin, Resolution, RootDb, Unit, UnitGraph, file_report};
use serde::Serialize;

use super::database::ProjectDatabase;
use super::memory::{Memory, process_memory};
use super::progress::{Phase, Progress};
use super::unread::UnreadFile;
use crate::parallel;

/// What [`ProjectDatabase::index_all`] did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct IndexReport {
    /// The root of the workspace.
    pub root: String,
    /// Files of the workspace.
    pub files: usize,
    /// Files of libraries that the workspace imports.
    pub library_files: usize,
    /// The bytes of all of them.
    pub source_bytes: u64,
    /// Packages, each with its tests in up to two units more.
    pub units: usize,
    /// Declarations.
    pub symbols: usize,
    /// Calls with one known target.
    pub edges: usize,
    /// Calls without a known target.
    pub unresolved_sites: usize,
    /// Files that were not read.
    pub left_out: Vec<UnreadFile>,
    /// Files that the build configuration leaves out.
    pub excluded_files: usize,
    /// Files that were read, but not in every line.
    pub not_in_full: Vec<PartiallyReadFile>,
    /// What the languages want a user to know: (path, words).
    pub notes: Vec<(String, String)>,
    /// How long it took.
    pub times: PhaseTimes,
    /// How much memory the process holds at the end.
    pub memory: Memory,
}

/// A file that was read, but not in every line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct PartiallyReadFile {
    /// As answers print it.
    pub file: String,
    /// 1-based lines where something could not be read.
    pub lines: Vec<u32>,
    /// Why, in words.
    pub reason: String,
}

/// Milliseconds by phase.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
#[expect(missing_docs, reason = "the phases by name")]
pub struct PhaseTimes {
    pub walk_ms: u64,
    pub read_ms: u64,
    pub lower_ms: u64,
    pub layout_ms: u64,
    pub resolve_ms: u64,
    pub join_ms: u64,
    pub total_ms: u64,
}

/// What one file has.
#[derive(Default)]
struct FileCounts {
    edges: usize,
    open: usize,
    not_in_full: Option<PartiallyReadFile>,
}

impl ProjectDatabase {
    /// Asks every query that a question may ask of a file or a unit, on `threads` threads
    /// (0: as many as the World has), and counts.
    pub fn index_all(&self, threads: usize, progress: &(dyn Fn(Progress) + Sync)) -> IndexReport {
        let threads = match threads {
            0 => self.threads,
            threads => threads,
        };
        let db = &self.db;
        let rooms = db.tables().languages();
        let units: Vec<(&dyn Language, Unit)> = UnitGraph::try_get(db)
            .map(|universe| universe.units(db).clone())
            .iter()
            .flat_map(|units| units.iter())
            .filter_map(|&unit| {
                let room = rooms.iter().find(|room| room.lang() == unit.lang(db))?;
                Some((*room, unit))
            })
            .collect();

        let started = Instant::now();
        let mut files: Vec<(Option<&dyn Language>, File)> = Vec::new();
        for &(room, unit) in &units {
            let chosen = room.files(db, unit);
            files.extend(chosen.iter().map(|&file| (Some(room), file)));
            let excluded = room.excluded(db, unit);
            files.extend(excluded.iter().map(|&file| (None, file)));
        }
        files.sort_by_key(|(_, file)| std::cmp::Reverse(file.text(db).len()));
        let counts = self.on_threads(
            threads,
            Phase::Resolve,
            &files,
            progress,
            |db, &(room, file)| count_file(db, room, file),
        );
        let resolve = started.elapsed();

        let started = Instant::now();
        let joined = self.on_threads(
            threads,
            Phase::Join,
            &units,
            progress,
            |db, &(room, unit)| join_unit(db, room, unit),
        );
        // A query that breaks here breaks again, and is told, where it is asked for.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            codeweft_graph::solve_value_flow(db, &self.cache, threads);
        }));
        let join = started.elapsed();

        let mut report = self.report();
        report.units = units.len();
        report.excluded_files = files.iter().filter(|(room, _)| room.is_none()).count();
        for (&(_, file), counts) in files.iter().zip(counts) {
            match counts {
                Some(counts) => {
                    report.edges += counts.edges;
                    report.unresolved_sites += counts.open;
                    report.not_in_full.extend(counts.not_in_full);
                }
                None => report.not_in_full.push(PartiallyReadFile {
                    file: file.path(db).to_string(),
                    lines: Vec::new(),
                    reason: "resolving it broke; please report this".to_owned(),
                }),
            }
        }
        report.symbols = joined.into_iter().flatten().sum();
        report.not_in_full.sort();
        report.times.resolve_ms = millis(resolve);
        report.times.join_ms = millis(join);
        report.times.total_ms += millis(resolve) + millis(join);
        report.memory = process_memory();
        report
    }

    /// What is known without asking anything.
    fn report(&self) -> IndexReport {
        let present = |origin| {
            self.files
                .values()
                .filter(move |entry| entry.present && entry.origin == origin)
        };
        let bytes = |origin| {
            present(origin)
                .map(|entry| entry.file.text(&self.db).len() as u64)
                .sum::<u64>()
        };
        let times = self.load_times;
        IndexReport {
            root: self.root.to_string(),
            files: present(Origin::Workspace).count(),
            library_files: present(Origin::Library).count(),
            source_bytes: bytes(Origin::Workspace) + bytes(Origin::Library),
            left_out: self.unread.all(),
            notes: self.notes.clone(),
            times: PhaseTimes {
                walk_ms: millis(times.walk),
                read_ms: millis(times.read),
                lower_ms: millis(times.lower),
                layout_ms: millis(times.layout),
                total_ms: millis(times.walk + times.read + times.lower + times.layout),
                ..PhaseTimes::default()
            },
            ..IndexReport::default()
        }
    }

    /// `None` stands for an item that a query broke on.
    fn on_threads<T: Sync, R: Send>(
        &self,
        threads: usize,
        phase: Phase,
        items: &[T],
        progress: &(dyn Fn(Progress) + Sync),
        work: impl Fn(&RootDb, &T) -> R + Sync,
    ) -> Vec<Option<R>> {
        let done = AtomicUsize::new(0);
        let total = items.len();
        let handles = (0..threads.min(total).max(1))
            .map(|_| self.db.clone())
            .collect();
        parallel::each(handles, items, |db, item| {
            let result = catch_unwind(AssertUnwindSafe(|| work(db, item))).ok();
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress(Progress { phase, done, total });
            result
        })
    }
}

/// `room` is the language of a file that is built; of others only the report counts.
fn count_file(db: &RootDb, room: Option<&dyn Language>, file: File) -> FileCounts {
    let uses = room.map(|room| room.uses(db, file)).unwrap_or_default();
    let report = file_report(db, file);
    let mut words: Vec<&str> = Vec::new();
    if !report.error_lines.is_empty() {
        words.push("lines that the grammar does not know");
    }
    if report.cut {
        words.push("nesting deeper than the bound");
    }
    FileCounts {
        edges: uses
            .iter()
            .flat_map(|(_, sites)| sites)
            .filter(|one| one.role.is_call() && one.resolution == Resolution::Exact)
            .count(),
        open: uses.unresolved.len(),
        not_in_full: (!words.is_empty()).then(|| PartiallyReadFile {
            file: file.path(db).to_string(),
            lines: report.error_lines.to_vec(),
            reason: words.join("; "),
        }),
    }
}

/// How many declarations a unit has, once all that a question may ask of it is there.
fn join_unit(db: &RootDb, room: &dyn Language, unit: Unit) -> usize {
    room.index(db, unit);
    room.identifiers(db, unit);
    room.hierarchy(db, unit);
    room.imports(db, unit);
    room.symbols(db, unit).rows.len()
}

fn millis(time: Duration) -> u64 {
    time.as_millis() as u64
}
