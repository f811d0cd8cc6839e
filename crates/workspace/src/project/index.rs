//! Indexing of a whole workspace: every query that a request may need runs once, so that later requests find
//! its memo. Entry point: [`ProjectDatabase::index_all`].

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use codeweft_db::{File, Language, Origin, Resolution, RootDb, Unit, UnitGraph, file_report};

use serde::Serialize;

use super::database::ProjectDatabase;
use super::memory::{Memory, process_memory};
use super::progress::{Phase, Progress};
use super::skipped_files::SkippedFile;
use super::unread::UnreadFile;
use crate::parallel;

/// The result of [`ProjectDatabase::index_all`]: counts, times and memory.
#[derive(Clone, Debug, Default, Serialize)]
pub struct IndexReport {
    /// The root of the workspace.
    pub root: String,
    /// The number of files of the workspace.
    pub files: usize,
    /// The number of files of libraries that the workspace imports.
    pub library_files: usize,
    /// The size of all of them in bytes.
    pub source_bytes: u64,
    /// The number of units: a package, and up to two more for its tests.
    pub units: usize,
    /// The number of declarations.
    pub symbols: usize,
    /// The number of calls with one known target.
    pub edges: usize,
    /// The number of calls without a known target.
    pub unresolved_sites: usize,
    /// Files that were not read.
    #[serde(rename = "left_out")]
    pub unread: Vec<UnreadFile>,
    /// Files that are not visible, because they have a secret.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<SkippedFile>,
    /// The number of files that the build configuration excludes.
    pub excluded_files: usize,
    /// Files that were read, but not in every line.
    pub not_in_full: Vec<PartiallyReadFile>,
    /// Notes of the languages about the layout for users: (path, words).
    pub notes: Vec<(String, String)>,
    /// The duration of each phase.
    pub times: PhaseTimes,
    /// The memory of the process at the end.
    pub memory: Memory,
}

/// A file that was read, but not in every line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct PartiallyReadFile {
    /// As answers print it.
    pub file: String,
    /// 1-based lines where something could not be read.
    pub lines: Vec<u32>,
    /// The reason in words.
    pub reason: String,
}

/// The duration of each phase in milliseconds.
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

/// The counts of one file.
#[derive(Default)]
struct FileCounts {
    edges: usize,
    unresolved: usize,
    not_in_full: Option<PartiallyReadFile>,
}

impl ProjectDatabase {
    /// Runs every query that a request may need of a file or a unit, on `threads` threads (0: as many as a
    /// request may use), follows all values, and counts.
    pub fn index_all(&self, threads: usize, progress: &(dyn Fn(Progress) + Sync)) -> IndexReport {
        self.index(threads, true, progress)
    }

    /// As [`ProjectDatabase::index_all`]; without `values` the flow of values is left to the first question
    /// that needs it.
    pub fn index(
        &self,
        threads: usize,
        values: bool,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> IndexReport {
        let threads = match threads {
            0 => self.threads(),
            threads => threads,
        };
        let db = &self.db;
        let run = ParallelRun {
            db,
            threads,
            progress,
        };
        let units = units_with_language(db);

        let started = Instant::now();
        let mut files: Vec<(Option<&dyn Language>, File)> = Vec::new();
        for &(language, unit) in &units {
            let built = language.files(db, unit);
            files.extend(built.iter().map(|&file| (Some(language), file)));
            let excluded = language.excluded(db, unit);
            files.extend(excluded.iter().map(|&file| (None, file)));
        }
        files.sort_by_key(|(_, file)| std::cmp::Reverse(file.text(db).len()));
        let counts = run.each(Phase::Resolve, &files, |db, &(language, file)| {
            count_file(db, language, file)
        });
        let resolve = started.elapsed();

        let started = Instant::now();
        let joined = run.each(Phase::Join, &units, |db, &(language, unit)| {
            join_unit(db, language, unit)
        });
        // A query that panics here panics again, and is reported, when a request needs it.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            if values {
                codeweft_graph::solve_value_flow(db, &self.cache, threads);
            }
            codeweft_graph::join_units(db, &self.cache, threads);
        }));
        let join = started.elapsed();

        let mut report = loaded(self);
        report.units = units.len();
        report.excluded_files = files.iter().filter(|(built, _)| built.is_none()).count();
        for (&(_, file), counts) in files.iter().zip(counts) {
            match counts {
                Some(counts) => {
                    report.edges += counts.edges;
                    report.unresolved_sites += counts.unresolved;
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
        report.skipped = self.skipped_files();
        report.times.resolve_ms = millis(resolve);
        report.times.join_ms = millis(join);
        report.times.total_ms += millis(resolve) + millis(join);
        report.memory = process_memory();
        report
    }
}

/// Returns the units whose language is known, each with it.
pub(crate) fn units_with_language(db: &RootDb) -> Vec<(&'static dyn Language, Unit)> {
    let Some(graph) = UnitGraph::try_get(db) else {
        return Vec::new();
    };
    let units = graph.units(db).iter();
    units
        .filter_map(|&unit| Some((db.tables().language(unit.lang(db))?, unit)))
        .collect()
}

/// Returns the report of a load, before any query ran.
fn loaded(database: &ProjectDatabase) -> IndexReport {
    let ProjectDatabase { db, sources, .. } = database;
    let count = |origin| {
        let present = sources.table.present_sources();
        let files = present.filter(|(_, entry)| entry.origin == origin);
        files.fold((0, 0), |(files, bytes), (_, entry)| {
            (files + 1, bytes + entry.file.text(db).len() as u64)
        })
    };
    let (files, bytes) = count(Origin::Workspace);
    let (library_files, library_bytes) = count(Origin::Library);
    let times = database.load_times;
    IndexReport {
        root: sources.root.to_string(),
        files,
        library_files,
        source_bytes: bytes + library_bytes,
        unread: sources.unread.all(),
        notes: database.notes().to_vec(),
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

/// Work on all items of a phase, on several threads, with progress.
struct ParallelRun<'a> {
    db: &'a RootDb,
    threads: usize,
    progress: &'a (dyn Fn(Progress) + Sync),
}

impl ParallelRun<'_> {
    /// Does `work` for each item and returns the results in the order of the items; `None` for an item whose
    /// query panicked.
    fn each<T: Sync, R: Send>(
        &self,
        phase: Phase,
        items: &[T],
        work: impl Fn(&RootDb, &T) -> R + Sync,
    ) -> Vec<Option<R>> {
        let done = AtomicUsize::new(0);
        let total = items.len();
        let handles = (0..self.threads.min(total).max(1))
            .map(|_| self.db.clone())
            .collect();
        let progress = self.progress;
        parallel::each(handles, items, |db, item| {
            let result = catch_unwind(AssertUnwindSafe(|| work(db, item))).ok();
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress(Progress { phase, done, total });
            result
        })
    }
}

/// Runs the queries of a file and counts. `language` is that of a file that is built; for others only the
/// report is computed.
fn count_file(db: &RootDb, language: Option<&dyn Language>, file: File) -> FileCounts {
    let uses = language
        .map(|language| language.uses(db, file))
        .unwrap_or_default();
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
            .filter(|site| site.role.is_call() && site.resolution == Resolution::Exact)
            .count(),
        unresolved: uses.unresolved.len(),
        not_in_full: (!words.is_empty()).then(|| PartiallyReadFile {
            file: file.path(db).to_string(),
            lines: report.error_lines.to_vec(),
            reason: words.join("; "),
        }),
    }
}

/// Runs the queries of a unit that requests need. Returns the number of its declarations.
fn join_unit(db: &RootDb, language: &dyn Language, unit: Unit) -> usize {
    language.index(db, unit);
    language.identifiers(db, unit);
    language.hierarchy(db, unit);
    language.imports(db, unit);
    language.symbols(db, unit).rows.len()
}

/// Returns a duration in whole milliseconds.
fn millis(time: Duration) -> u64 {
    time.as_millis() as u64
}
