//! The index from one revision to the next: what an edit changed is subtracted and added.
//!
//! Which files differ is found by the addresses of queries' results: those of a file that nothing has touched are the same
//! objects. The index never changes an answer: after any edits it equals one that is built of the same files.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};
use std::time::Duration;

use codeweft_db::{Db as _, File, ImportRow, RootDb, Unit};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::index::{Difference, ImportTarget, Index, IndexedFile};
use crate::lex::FileLex;
use crate::source;

/// The time between two looks whether another request has read what has changed.
const POLL: Duration = Duration::from_millis(1);

/// The index of the last revision that a question was about.
#[derive(Default)]
pub struct KeptIndex {
    known: Mutex<Known>,
    index: RwLock<Index>,
}

/// What is in the index.
#[derive(Default)]
struct Known {
    revision: Option<u64>,
    units: Vec<KnownUnit>,
    /// The files in the order of the units. Without words those that are kept out.
    files: Vec<KnownFile>,
}

/// What of a unit decides which files are in the index, and what they import.
#[derive(PartialEq)]
struct KnownUnit {
    unit: Unit,
    files: Arc<[File]>,
    imports: Arc<[ImportRow]>,
}

struct KnownFile {
    file: File,
    lex: Option<Arc<FileLex>>,
    imports: Arc<[ImportTarget]>,
}

impl KeptIndex {
    /// Calls `read` with the index of a revision. `prepare` gets the files before their words are read, so that several threads
    /// may read them.
    pub fn with<R>(
        &self,
        db: &RootDb,
        revision: u64,
        prepare: &dyn Fn(&[File]),
        read: impl FnOnce(&Index) -> R,
    ) -> R {
        self.update(db, revision, prepare);
        read(&self.index.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits for another request that reads what has changed, or for the end of this one.
    fn lock(&self, db: &RootDb) -> MutexGuard<'_, Known> {
        loop {
            match self.known.try_lock() {
                Ok(known) => return known,
                Err(TryLockError::Poisoned(known)) => return known.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    db.unwind_if_cancelled();
                    std::thread::sleep(POLL);
                }
            }
        }
    }

    /// Takes over what has changed up to a revision.
    fn update(&self, db: &RootDb, revision: u64, prepare: &dyn Fn(&[File])) {
        // A request that is cancelled while it reads changes nothing of what is known.
        let mut known = self.lock(db);
        if known.revision == Some(revision) {
            return;
        }
        let is_first = known.revision.is_none();
        let units = known_units(db);
        let difference = if !is_first && known.units == units {
            known.edited(db)
        } else {
            let files = known_files(db, &units, prepare, is_first);
            let difference = known.difference(db, &files);
            (known.units, known.files) = (units, files);
            difference
        };
        let mut index = self.index.write().unwrap_or_else(PoisonError::into_inner);
        index.apply(difference);
        known.revision = Some(revision);
    }
}

/// Returns the files of the workspace as an index takes them, built anew from the results of queries.
pub fn read(db: &RootDb, prepare: &dyn Fn(&[File])) -> Vec<IndexedFile> {
    let files = known_files(db, &known_units(db), prepare, true);
    files.iter().filter_map(|file| file.indexed(db)).collect()
}

fn known_units(db: &RootDb) -> Vec<KnownUnit> {
    let units = source::units(db).into_iter().filter_map(|unit| {
        db.unwind_if_cancelled();
        Some(KnownUnit {
            unit,
            files: unit.files(db).clone(),
            imports: source::import_rows(db, unit)?,
        })
    });
    units.collect()
}

fn known_files(
    db: &RootDb,
    units: &[KnownUnit],
    prepare: &dyn Fn(&[File]),
    is_first: bool,
) -> Vec<KnownFile> {
    let mut files: Vec<File> = Vec::new();
    let mut imports: FxHashMap<File, Vec<ImportTarget>> = FxHashMap::default();
    let mut seen: FxHashSet<File> = FxHashSet::default();
    for unit in units {
        db.unwind_if_cancelled();
        files.extend(unit.files.iter().filter(|&&file| seen.insert(file)));
        for (file, target) in source::imports(db, unit.unit, &unit.imports) {
            imports.entry(file).or_default().push(target);
        }
    }
    if is_first {
        let visible = files.iter().filter(|&&file| !source::is_excluded(db, file));
        prepare(&visible.copied().collect::<Vec<_>>());
    }
    let known = files.into_iter().map(|file| {
        db.unwind_if_cancelled();
        let mut targets = imports.remove(&file).unwrap_or_default();
        targets.sort_unstable();
        targets.dedup();
        KnownFile {
            file,
            lex: source::visible_lex(db, file),
            imports: targets.into(),
        }
    });
    known.collect()
}

impl KnownFile {
    fn path(&self, db: &RootDb) -> Box<str> {
        self.file.path(db).as_ref().into()
    }

    /// Returns the file as an index takes it; `None` for one that is kept out.
    fn indexed(&self, db: &RootDb) -> Option<IndexedFile> {
        Some(IndexedFile {
            path: self.path(db),
            lex: self.lex.clone()?,
            imports: self.imports.clone(),
        })
    }

    fn is_same(&self, other: &KnownFile) -> bool {
        is_same_lex(self.lex.as_ref(), other.lex.as_ref()) && self.imports == other.imports
    }
}

fn is_same_lex(one: Option<&Arc<FileLex>>, other: Option<&Arc<FileLex>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (None, None) => true,
        _ => false,
    }
}

impl Known {
    /// Takes over the words of the files where the units, their files and imports are those that are known, and returns in
    /// what they differ.
    fn edited(&mut self, db: &RootDb) -> Difference {
        let lexes = self.files.iter().map(|known| {
            db.unwind_if_cancelled();
            source::visible_lex(db, known.file)
        });
        // All are read before any is taken over: a request that is cancelled changes nothing.
        let lexes: Vec<Option<Arc<FileLex>>> = lexes.collect();
        let mut difference = Difference::default();
        for (known, lex) in self.files.iter_mut().zip(lexes) {
            if is_same_lex(known.lex.as_ref(), lex.as_ref()) {
                continue;
            }
            known.lex = lex;
            difference.add(db, known);
        }
        difference
    }

    /// Returns in what files differ from those that are known.
    fn difference(&self, db: &RootDb, files: &[KnownFile]) -> Difference {
        let known = self.files.iter().map(|file| (file.file, file));
        let mut known: FxHashMap<File, &KnownFile> = known.collect();
        let mut difference = Difference::default();
        for file in files {
            let before = known.remove(&file.file);
            if before.is_none_or(|before| !before.is_same(file)) {
                difference.add(db, file);
            }
        }
        let gone = known.into_values().map(|file| file.path(db));
        // A file that was deleted and made anew is another input with the same path.
        let paths: FxHashSet<&str> = difference.changed.iter().map(|file| &*file.path).collect();
        let gone: Vec<Box<str>> = gone.filter(|path| !paths.contains(&**path)).collect();
        difference.removed.extend(gone);
        difference
    }
}

impl Difference {
    fn add(&mut self, db: &RootDb, file: &KnownFile) {
        match file.indexed(db) {
            Some(file) => self.changed.push(file),
            None => self.removed.push(file.path(db)),
        }
    }
}
