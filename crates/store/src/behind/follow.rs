//! The live side: which parts of the graph a revision has changed, as rows.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use codeweft_db::{File, Origin, RootDb, SymbolId, Unit};
use codeweft_graph::RevisionCache;
use codeweft_graph::export::{FileStamp, GraphParts, JoinStamp, ListStamp, PartFile};
use rustc_hash::{FxHashMap, FxHashSet};

use super::batch::Batch;
use super::thread::Store;

/// The pause while the thread opens the file.
const OPENING: Duration = Duration::from_millis(20);

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
pub(super) struct SentFile {
    pub(super) stamp: FileStamp,
    pub(super) unsaved: bool,
    /// See [`codeweft_graph::export::FilePart::locals`]; `None` if its rows were in the file already.
    pub(super) locals: Option<u64>,
    /// A hash of what its calls may run; `None` if it is not known.
    pub(super) runs: Option<u64>,
}

/// How far a pass over a revision is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Phase {
    /// Whether the file has the rows of these texts already.
    Adopt,
    Files,
    Joins,
    Sets,
    Done,
}

/// Paths of files, each with the text.
type PathsAndTexts = Arc<[(Arc<str>, Arc<str>)]>;

/// A pass over a revision.
pub(super) struct Pass {
    pub(super) revision: u64,
    pub(super) unsaved: Vec<String>,
    pub(super) phase: Phase,
    pub(super) files: Arc<[PartFile]>,
    pub(super) next: usize,
    /// Whether stamps differ by texts and uses alone.
    pub(super) has_same_rest: bool,
    /// The files of which some symbols have other ids, and so have to be sent.
    pub(super) renamed: FxHashSet<SymbolId>,
    /// Whether everything has to be sent.
    pub(super) all: bool,
    /// What the pairs and the sets of this revision are made of, once it is known.
    pub(super) joins: Option<JoinStamp>,
    /// The paths and texts of all files, libraries' too, once they are needed.
    pub(super) texts: Option<PathsAndTexts>,
    /// What the graph shares in this revision.
    pub(super) cache: RevisionCache,
}

/// The live side of a store. It is lent a revision for a slice at a time, and keeps what it has found out when a write
/// interrupts it: a step may unwind.
pub struct Behind {
    pub(super) store: Store,
    pub(super) salt: String,
    /// The number of the file that was opened, and what is known to be in it.
    pub(super) opened: u64,
    pub(super) sent: FxHashMap<Arc<str>, SentFile>,
    pub(super) pending: Batch,
    pub(super) pass: Option<Pass>,
    /// Whether a first pass is done: the file has no other files.
    pub(super) is_complete: bool,
    /// What the list of files and `numbered` are made of.
    pub(super) list: Option<Arc<ListStamp>>,
    /// The same of the last pass that has looked at all files.
    pub(super) stamped: Option<Arc<ListStamp>>,
    pub(super) numbered: FxHashMap<SymbolId, u32>,
    /// The texts of libraries.
    pub(super) libraries: FxHashMap<File, Arc<str>>,
    /// The names and origins of units.
    pub(super) units: FxHashMap<Unit, (u32, bool)>,
    /// What the pairs in the file are made of.
    pub(super) pairs: Option<JoinStamp>,
    pub(super) has_other_locals: bool,
    /// What the sets in the file are made of.
    pub(super) sets: Option<JoinStamp>,
    /// The files whose sets are not those of the last pass.
    pub(super) sets_of: FxHashSet<Arc<str>>,
    pub(super) all_sets: bool,
    pub(super) hashes: FxHashMap<Arc<str>, (Arc<str>, blake3::Hash)>,
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
            list: None,
            stamped: None,
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
        self.stamped = None;
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
        let list = Arc::new(parts.list_stamp());
        let is_same_list = self.list.as_ref() == Some(&list);
        let has_same_rest = self.stamped.as_ref() == Some(&list);
        let old_files = self.pass.as_ref().map(|pass| pass.files.clone());
        let (files, numbered) = match old_files.filter(|_| is_same_list) {
            Some(files) => (files, self.numbered.clone()),
            None => (parts.files().into(), parts.numbered()),
        };
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
        self.list = Some(list);
        self.numbered = numbered;
        self.libraries = libraries;
        self.units = units;
        self.pass = Some(Pass {
            revision: revision.revision,
            unsaved: revision.unsaved.to_vec(),
            phase,
            files,
            next: 0,
            has_same_rest,
            renamed,
            all,
            joins: None,
            texts: None,
            cache,
        });
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
