//! The index from one revision to the next: what an edit changed is subtracted and added.
//!
//! Which files differ is found by the addresses of queries' results: those of a file that nothing has touched are the same
//! objects. The index never changes an answer: after any edits it equals one that is built of the same files.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};
use std::time::Duration;

use codeweft_db::{Db as _, File, RootDb};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::index::{Difference, ImportTarget, Index, IndexedFile};
use crate::lex::FileLex;
use crate::source::{self, file_lex};

/// The time between two looks whether another request has read what has changed.
const POLL: Duration = Duration::from_millis(1);

/// The index of the last revision that a question was about.
#[derive(Default)]
pub struct KeptIndex {
    known: Mutex<Known>,
    index: RwLock<Index>,
}

/// The words of a file, and what it imports.
type KnownFile = (Arc<FileLex>, Arc<[ImportTarget]>);

/// What is in the index.
#[derive(Default)]
struct Known {
    revision: Option<u64>,
    files: FxHashMap<Box<str>, KnownFile>,
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
        let files = read(db, prepare, known.revision.is_none());
        let difference = known.difference(files);
        let mut index = self.index.write().unwrap_or_else(PoisonError::into_inner);
        index.apply(difference);
        known.revision = Some(revision);
    }
}

/// Returns the files of the workspace as an index takes them, built anew from the results of queries.
pub fn read(db: &RootDb, prepare: &dyn Fn(&[File]), is_first: bool) -> Vec<IndexedFile> {
    let units = source::units(db);
    let mut files: Vec<File> = Vec::new();
    let mut imports: FxHashMap<File, Vec<ImportTarget>> = FxHashMap::default();
    let mut seen: FxHashSet<File> = FxHashSet::default();
    for &unit in &units {
        db.unwind_if_cancelled();
        let own = unit.files(db).iter().copied();
        files.extend(own.filter(|&file| seen.insert(file) && !source::is_excluded(db, file)));
        for (file, target) in source::imports(db, unit) {
            imports.entry(file).or_default().push(target);
        }
    }
    if is_first {
        prepare(&files);
    }
    let indexed = files.into_iter().map(|file| {
        db.unwind_if_cancelled();
        let mut targets = imports.remove(&file).unwrap_or_default();
        targets.sort_unstable();
        targets.dedup();
        IndexedFile {
            path: file.path(db).as_ref().into(),
            lex: file_lex(db, file),
            imports: targets.into(),
        }
    });
    indexed.collect()
}

impl Known {
    /// Returns in what the files differ from those that are known, and takes them over.
    fn difference(&mut self, files: Vec<IndexedFile>) -> Difference {
        let mut difference = Difference::default();
        let mut gone: FxHashSet<Box<str>> = self.files.keys().cloned().collect();
        for file in files {
            gone.remove(&file.path);
            let same = self.files.get(&file.path).is_some_and(|(lex, imports)| {
                Arc::ptr_eq(lex, &file.lex) && *imports == file.imports
            });
            if !same {
                let known = (file.lex.clone(), file.imports.clone());
                self.files.insert(file.path.clone(), known);
                difference.changed.push(file);
            }
        }
        for path in gone {
            self.files.remove(&path);
            difference.removed.push(path);
        }
        difference
    }
}
