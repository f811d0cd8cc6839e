//! The live side: which parts of the graph a revision has changed, as rows.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use codeweft_db::{File, Origin, RootDb, SymbolId, Unit};
use codeweft_graph::RevisionCache;
use codeweft_graph::export::{DetailedPackage, FileStamp, GraphParts, JoinStamp, PartFile};
use rustc_hash::{FxHashMap, FxHashSet};

use super::batch::{Batch, FileChange, FileRows, size_of};
use super::thread::Store;
use crate::sqlite::gather::Gathered;

/// The size of rows of a first pass that are sent before its end, in bytes.
const CHUNK: usize = 8 << 20;

/// The pause while the thread has as much to write as it may.
const NO_ROOM: Duration = Duration::from_millis(50);

/// The pause while the thread opens the file.
const OPENING: Duration = Duration::from_millis(20);

/// The time after a write before all calls are solved again: further edits may follow, and each solves anew.
const SETTLED: Duration = Duration::from_millis(500);

/// Where a store is.
#[derive(Clone, Debug)]
pub struct FollowOptions {
    /// The file.
    pub path: PathBuf,
    /// What else rows depend on but the texts: the build of the program, the settings. A file that was written with
    /// another one is compared row by row.
    pub salt: String,
}

/// A revision to follow.
#[derive(Clone, Copy)]
pub struct FollowedRevision<'a> {
    /// The database.
    pub db: &'a RootDb,
    /// What the questions of this revision share.
    pub cache: &'a RevisionCache,
    /// The number of the revision.
    pub revision: u64,
    /// The paths of the files whose texts differ from the disk's, sorted.
    pub unsaved: &'a [String],
    /// The time since the last write.
    pub since_write: Duration,
}

/// What to do after a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FollowStep {
    /// Nothing: the store has been sent this revision.
    Done,
    /// The next step.
    Again,
    /// The next step, after this time.
    Wait(Duration),
}

/// What a store has done.
#[derive(Clone)]
pub struct BehindFigures(Store);

impl BehindFigures {
    /// Returns the figures: the path, `revision` and `dispatch_revision` (0 before the first), `bytes` of the file,
    /// `batches` and `rows` written, and what is wrong.
    pub fn json(&self) -> serde_json::Value {
        let figures = self.0.figures();
        let bytes = std::fs::metadata(self.0.path())
            .ok()
            .map(|found| found.len());
        serde_json::json!({
            "path": self.0.path(),
            "revision": figures.revision,
            "dispatch_revision": figures.dispatch_revision,
            "bytes": bytes,
            "batches": figures.batches,
            "rows": figures.rows.all(),
            "error": figures.error,
            "note": figures.note,
        })
    }

    /// Waits until everything that was sent is in the file, at most for `longest`; returns whether it is.
    pub fn flush(&self, longest: Duration) -> bool {
        self.0.flush(longest)
    }
}

/// What is known of a file that was sent.
struct SentFile {
    stamp: FileStamp,
    unsaved: bool,
    /// See [`codeweft_graph::export::FilePart::locals`]; `None` if its rows were in the file already.
    locals: Option<u64>,
    /// A hash of what its calls may run; `None` if it is not known.
    runs: Option<u64>,
}

/// How far a pass over a revision is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Phase {
    /// Whether the file has the rows of these texts already.
    Adopt,
    Files,
    Joins,
    Sets,
    Done,
}

/// A pass over a revision.
struct Pass {
    revision: u64,
    unsaved: Vec<String>,
    phase: Phase,
    files: Vec<PartFile>,
    next: usize,
    /// The files of which some symbols have other ids, and so have to be sent.
    renamed: FxHashSet<SymbolId>,
    /// Whether everything has to be sent.
    all: bool,
    /// What the graph shares in this revision.
    cache: RevisionCache,
}

/// The live side of a store. It is lent a revision for a slice at a time, and keeps what it has found out when a write
/// interrupts it: a step may unwind.
pub struct Behind {
    store: Store,
    salt: String,
    /// The number of the file that was opened, and what is known to be in it.
    opened: u64,
    sent: FxHashMap<Arc<str>, SentFile>,
    pending: Batch,
    pass: Option<Pass>,
    /// Whether a first pass is done: the file has no other files.
    is_complete: bool,
    numbered: FxHashMap<SymbolId, u32>,
    /// The texts of libraries.
    libraries: FxHashMap<File, Arc<str>>,
    /// The names and origins of units.
    units: FxHashMap<Unit, (u32, bool)>,
    /// What the pairs in the file are made of.
    pairs: Option<JoinStamp>,
    has_other_locals: bool,
    /// What the sets in the file are made of.
    sets: Option<JoinStamp>,
    /// The files whose sets are not those of the last pass.
    sets_of: FxHashSet<Arc<str>>,
    all_sets: bool,
    hashes: FxHashMap<Arc<str>, (Arc<str>, blake3::Hash)>,
}

impl Behind {
    /// Starts the store's thread, which opens the file.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn start(options: FollowOptions) -> io::Result<Behind> {
        Ok(Behind {
            store: Store::start(options.path)?,
            salt: options.salt,
            opened: 0,
            sent: FxHashMap::default(),
            pending: Batch::default(),
            pass: None,
            is_complete: false,
            numbered: FxHashMap::default(),
            libraries: FxHashMap::default(),
            units: FxHashMap::default(),
            pairs: None,
            has_other_locals: false,
            sets: None,
            sets_of: FxHashSet::default(),
            all_sets: false,
            hashes: FxHashMap::default(),
        })
    }

    /// Returns what the store has done.
    pub fn figures(&self) -> BehindFigures {
        BehindFigures(self.store.clone())
    }

    #[cfg(test)]
    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// Returns whether the exact rows of a revision were sent.
    pub fn has_sent(&self, revision: u64) -> bool {
        let of_pass = self.pass.as_ref().filter(|pass| pass.revision == revision);
        of_pass.is_some_and(|pass| pass.phase >= Phase::Sets)
    }

    /// Does a part of the work for a revision, until `is_over`.
    pub fn step(
        &mut self,
        revision: FollowedRevision<'_>,
        is_over: &dyn Fn() -> bool,
    ) -> FollowStep {
        let Some(opened) = self.store.opened() else {
            return FollowStep::Wait(OPENING);
        };
        if opened.number != self.opened {
            self.forget();
            self.opened = opened.number;
        }
        let is_of =
            |pass: &Pass| pass.revision == revision.revision && pass.unsaved == revision.unsaved;
        if !self.pass.as_ref().is_some_and(is_of) {
            let phase = match &opened.inputs {
                Some(_) if self.sent.is_empty() && !self.is_complete => Phase::Adopt,
                _ => Phase::Files,
            };
            self.begin(revision, phase);
        }
        let Some(phase) = self.pass.as_ref().map(|pass| pass.phase) else {
            return FollowStep::Again;
        };
        match phase {
            Phase::Adopt => self.adopt(revision, opened.inputs.as_deref(), is_over),
            Phase::Files => self.send_files(revision, is_over),
            Phase::Joins => self.send_joins(revision),
            Phase::Sets => self.send_sets(revision, is_over),
            Phase::Done => FollowStep::Done,
        }
    }

    /// Forgets what the file has: it is another one.
    fn forget(&mut self) {
        self.sent.clear();
        self.pending = Batch::default();
        self.pass = None;
        self.is_complete = false;
        self.pairs = None;
        self.sets = None;
        self.sets_of.clear();
        self.all_sets = false;
    }

    fn begin(&mut self, revision: FollowedRevision<'_>, phase: Phase) {
        let cache = RevisionCache::default();
        let parts = GraphParts::new(revision.db, &cache);
        let files = parts.files();
        let numbered = parts.numbered();
        let mut renamed: FxHashSet<SymbolId> = FxHashSet::default();
        for (&symbol, &number) in &numbered {
            if self.numbered.get(&symbol).copied().unwrap_or(1) != number {
                renamed.insert(symbol);
            }
        }
        for (&symbol, &number) in &self.numbered {
            if numbered.get(&symbol).copied().unwrap_or(1) != number {
                renamed.insert(symbol);
            }
        }
        let (libraries, units) = outside(revision.db);
        let other_library = libraries.iter().any(|(file, text)| {
            let known = self.libraries.get(file);
            known.is_some_and(|known| !Arc::ptr_eq(known, text))
        });
        let other_unit = units.iter().any(|(unit, about)| {
            let known = self.units.get(unit);
            known.is_some_and(|known| known != about)
        });
        drop(parts);
        // From here on nothing unwinds. What a broken pass had to send is still to be sent.
        let old = self.pass.take();
        let mut all = other_library || other_unit;
        if let Some(old) = old.filter(|old| old.phase <= Phase::Files) {
            renamed.extend(old.renamed);
            all |= old.all;
        }
        self.numbered = numbered;
        self.libraries = libraries;
        self.units = units;
        self.pass = Some(Pass {
            revision: revision.revision,
            unsaved: revision.unsaved.to_vec(),
            phase,
            files,
            next: 0,
            renamed,
            all,
            cache,
        });
    }

    /// Takes the rows of the file as they are if they were made from equal texts.
    fn adopt(
        &mut self,
        revision: FollowedRevision<'_>,
        inputs: Option<&str>,
        is_over: &dyn Fn() -> bool,
    ) -> FollowStep {
        let Some(own) = self.inputs(revision, is_over) else {
            return FollowStep::Again;
        };
        let Some(pass) = &mut self.pass else {
            return FollowStep::Again;
        };
        if Some(own.as_str()) != inputs {
            pass.phase = Phase::Files;
            return FollowStep::Again;
        }
        let parts = GraphParts::new(revision.db, &pass.cache);
        while let Some(file) = pass.files.get(pass.next) {
            let path = file.file().path(revision.db).clone();
            let sent = SentFile {
                stamp: parts.stamp(file),
                unsaved: is_unsaved(revision, &path),
                locals: None,
                runs: None,
            };
            self.sent.insert(path, sent);
            pass.next += 1;
            if is_over() {
                return FollowStep::Again;
            }
        }
        let shared = GraphParts::new(revision.db, revision.cache);
        let joins = shared.joins(true);
        self.pairs = Some(joins.clone());
        self.sets = Some(joins);
        self.is_complete = true;
        pass.phase = Phase::Done;
        let batch = Batch {
            revision: revision.revision,
            is_level: true,
            has_level_sets: true,
            inputs: Some(own),
            ..Batch::default()
        };
        self.store.post(self.opened, batch);
        FollowStep::Done
    }

    /// Sends the files with other rows.
    fn send_files(
        &mut self,
        revision: FollowedRevision<'_>,
        is_over: &dyn Fn() -> bool,
    ) -> FollowStep {
        let Some(pass) = &mut self.pass else {
            return FollowStep::Again;
        };
        let parts = GraphParts::new(revision.db, &pass.cache);
        while let Some(file) = pass.files.get(pass.next) {
            let path = file.file().path(revision.db).clone();
            let stamp = parts.stamp(file);
            let unsaved = is_unsaved(revision, &path);
            let known = self.sent.get(&path);
            let is_same = known
                .is_some_and(|known| known.stamp == stamp && known.unsaved == unsaved)
                && !pass.all
                && (pass.renamed.is_empty() || !parts.names_any(file, &pass.renamed));
            if !is_same {
                if !self.store.has_room() {
                    return FollowStep::Wait(NO_ROOM);
                }
                if let Some(part) = parts.file(file) {
                    let gathered = gathered(part.package);
                    let known = self.sent.get(&path);
                    let locals = known.and_then(|known| known.locals);
                    let runs = known.and_then(|known| known.runs);
                    self.has_other_locals |= locals != Some(part.locals);
                    self.sets_of.insert(path.clone());
                    self.pending.bytes += size_of(&gathered) + part.row.text.len();
                    let rows = FileRows {
                        row: part.row,
                        unsaved,
                        part: gathered,
                    };
                    let change = FileChange::Rows(Box::new(rows));
                    self.pending.files.insert(path.clone(), change);
                    let sent = SentFile {
                        stamp,
                        unsaved,
                        locals: Some(part.locals),
                        runs,
                    };
                    self.sent.insert(path, sent);
                }
            }
            pass.next += 1;
            if self.pending.bytes > CHUNK && !self.is_complete {
                let batch = std::mem::take(&mut self.pending);
                let revision = revision.revision;
                self.store.post(self.opened, Batch { revision, ..batch });
            }
            if is_over() {
                return FollowStep::Again;
            }
        }
        pass.next = 0;
        pass.phase = Phase::Joins;
        // A later pass has nothing to send for it.
        pass.all = false;
        pass.renamed.clear();
        FollowStep::Again
    }

    /// Sends the files that are gone, packages and `implements` edges, with which the exact rows are level.
    fn send_joins(&mut self, revision: FollowedRevision<'_>) -> FollowStep {
        let Some(pass) = &mut self.pass else {
            return FollowStep::Again;
        };
        if !self.store.has_room() {
            return FollowStep::Wait(NO_ROOM);
        }
        let shared = GraphParts::new(revision.db, revision.cache);
        let joins = shared.joins(false);
        let are_same = self
            .pairs
            .as_ref()
            .is_some_and(|known| known.has_pairs_of(&joins));
        if !are_same || self.has_other_locals {
            let pairs = shared.implements();
            self.pending.pairs = Some(pairs.into_iter().map(gathered).collect());
            let packages = shared.packages();
            self.pending.packages = Some(packages.into_iter().map(gathered).collect());
        }
        // From here on nothing unwinds.
        self.pairs = Some(joins);
        self.has_other_locals = false;
        let files = pass.files.iter();
        let paths: BTreeSet<Arc<str>> = files
            .map(|file| file.file().path(revision.db).clone())
            .collect();
        let gone = self.sent.keys().filter(|path| !paths.contains(*path));
        let gone: Vec<Arc<str>> = gone.cloned().collect();
        for path in gone {
            self.sent.remove(&path);
            self.sets_of.remove(&path);
            self.pending.files.insert(path, FileChange::Gone);
        }
        if !self.is_complete {
            self.pending.paths = Some(paths);
            self.is_complete = true;
        }
        let batch = std::mem::take(&mut self.pending);
        let batch = Batch {
            revision: revision.revision,
            is_level: true,
            ..batch
        };
        self.store.post(self.opened, batch);
        pass.phase = Phase::Sets;
        FollowStep::Again
    }

    /// Sends what calls may run, with which everything is level.
    fn send_sets(
        &mut self,
        revision: FollowedRevision<'_>,
        is_over: &dyn Fn() -> bool,
    ) -> FollowStep {
        let Some(pass) = &mut self.pass else {
            return FollowStep::Again;
        };
        if revision.since_write < SETTLED {
            return FollowStep::Wait(SETTLED - revision.since_write);
        }
        let shared = GraphParts::new(revision.db, revision.cache);
        let joins = shared.joins(true);
        let are_same = self
            .sets
            .as_ref()
            .is_some_and(|known| known.has_runs_of(&joins));
        if !are_same && !self.all_sets {
            self.all_sets = true;
            pass.next = 0;
        }
        while let Some(file) = pass.files.get(pass.next) {
            let path = file.file().path(revision.db).clone();
            if self.all_sets || self.sets_of.contains(&path) {
                if !self.store.has_room() {
                    return FollowStep::Wait(NO_ROOM);
                }
                let runs = shared.runs(file);
                let hash = hash_of(runs.as_ref());
                let is_new = self.sets_of.contains(&path);
                let known = self.sent.get_mut(&path);
                let is_same = known.as_ref().is_some_and(|known| known.runs == Some(hash));
                if !is_same || is_new {
                    let gathered = runs.map(gathered);
                    self.pending.bytes += gathered.as_ref().map_or(64, size_of);
                    self.pending.runs.insert(path, gathered);
                    if let Some(known) = known {
                        known.runs = Some(hash);
                    }
                }
            }
            pass.next += 1;
            if self.pending.bytes > CHUNK {
                let batch = std::mem::take(&mut self.pending);
                let batch = Batch {
                    revision: revision.revision,
                    is_level: true,
                    ..batch
                };
                self.store.post(self.opened, batch);
            }
            if is_over() {
                return FollowStep::Again;
            }
        }
        let Some(inputs) = self.inputs(revision, is_over) else {
            return FollowStep::Again;
        };
        let Some(pass) = &mut self.pass else {
            return FollowStep::Again;
        };
        let batch = std::mem::take(&mut self.pending);
        let batch = Batch {
            revision: revision.revision,
            is_level: true,
            has_level_sets: true,
            inputs: Some(inputs),
            ..batch
        };
        self.store.post(self.opened, batch);
        self.sets = Some(joins);
        self.sets_of.clear();
        self.all_sets = false;
        pass.phase = Phase::Done;
        pass.cache = RevisionCache::default();
        FollowStep::Done
    }

    /// Returns a hash of all that rows are made from; `None` if it takes another step.
    fn inputs(
        &mut self,
        revision: FollowedRevision<'_>,
        is_over: &dyn Fn() -> bool,
    ) -> Option<String> {
        let pass = self.pass.as_mut()?;
        let texts = GraphParts::new(revision.db, &pass.cache).texts();
        for (path, text) in &texts {
            let known = self.hashes.get(path);
            if known.is_none_or(|(of, _)| !Arc::ptr_eq(of, text)) {
                let hash = blake3::hash(text.as_bytes());
                self.hashes.insert(path.clone(), (text.clone(), hash));
                if is_over() {
                    return None;
                }
            }
        }
        let mut hasher = blake3::Hasher::new();
        let mut add = |part: &[u8]| {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        };
        add(self.salt.as_bytes());
        for language in codeweft_graph::languages::ALL {
            add(language.configuration(revision.db).as_bytes());
        }
        for (path, _) in &texts {
            add(path.as_bytes());
            if let Some((_, hash)) = self.hashes.get(path) {
                add(hash.as_bytes());
            }
        }
        for path in revision.unsaved {
            add(path.as_bytes());
        }
        if self.hashes.len() > texts.len() + 1024 {
            let known: FxHashSet<&Arc<str>> = texts.iter().map(|(path, _)| path).collect();
            self.hashes.retain(|path, _| known.contains(path));
        }
        Some(hasher.finalize().to_hex().to_string())
    }
}

impl Drop for Behind {
    fn drop(&mut self) {
        self.store.end();
    }
}

/// The texts of libraries, and the names and origins of units.
type Outside = (FxHashMap<File, Arc<str>>, FxHashMap<Unit, (u32, bool)>);

/// Reads what no file of the workspace has, but its rows depend on.
fn outside(db: &RootDb) -> Outside {
    let (mut libraries, mut about) = Outside::default();
    for unit in codeweft_graph::export::units(db) {
        let is_library = unit.origin(db) == Origin::Library;
        about.insert(unit, (unit.name(db).number(), is_library));
        if is_library {
            let files = unit.files(db).iter();
            libraries.extend(files.map(|&file| (file, file.text(db).clone())));
        }
    }
    (libraries, about)
}

fn is_unsaved(revision: FollowedRevision<'_>, path: &str) -> bool {
    let unsaved = revision.unsaved;
    unsaved
        .binary_search_by(|one| one.as_str().cmp(path))
        .is_ok()
}

/// Returns rows as numbers. Kinds that the tables do not have leave a part without rows: the whole-file writer reports
/// them.
fn gathered(package: DetailedPackage) -> Gathered {
    Gathered::of_part(package).unwrap_or_default()
}

/// Returns a hash of printed edges.
fn hash_of(package: Option<&DetailedPackage>) -> u64 {
    use std::hash::{Hash as _, Hasher as _};
    let mut hasher = rustc_hash::FxHasher::default();
    for edge in package.iter().flat_map(|package| &package.rows.edges) {
        (&edge.from, &edge.to, &edge.resolution, &edge.reason).hash(&mut hasher);
        (edge.in_literal, edge.of_literal).hash(&mut hasher);
        if let Some(location) = &edge.location {
            (location.line, location.column).hash(&mut hasher);
        }
    }
    hasher.finish()
}
