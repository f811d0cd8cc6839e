//! One revision, lent to a question.

use std::marker::PhantomData;
use std::sync::Arc;

use codeweft_db::{Db as _, File, RootDb};
use codeweft_graph::RevisionCache;

use super::files::FileMap;
use super::stamps::FileStamps;
use super::unread::UnreadFiles;

/// One revision of the database and what the Host knows beside it. It is only ever lent to a
/// closure and cannot leave its thread: nobody keeps one while a write waits.
pub struct Snapshot<'a> {
    // Dropped before the handle: a write that has waited for the handle changes it.
    pub(crate) shown: RevisionState,
    pub(crate) db: RootDb,
    not_send: PhantomData<(*const (), &'a ())>,
}

/// What is lent to readers: a handle that each copies, and what stands beside the database.
pub(crate) struct ReadState {
    pub(crate) db: RootDb,
    pub(crate) shown: RevisionState,
}

/// What stands beside the database in one revision.
#[derive(Clone)]
pub(crate) struct RevisionState {
    /// The root of the workspace, absolute.
    pub(crate) root: Arc<str>,
    /// How many threads a question may use.
    pub(crate) threads: usize,
    /// Every file that the database has ever held, by its absolute path.
    pub(crate) files: Arc<FileMap>,
    /// What questions of this revision share.
    pub(crate) kept: Arc<RevisionCache>,
    /// What was not read.
    pub(crate) left_out: Arc<UnreadFiles>,
    /// The files, as answers print them, whose text is not the disk's; sorted.
    pub(crate) unsaved: Arc<[String]>,
    /// How many effective changes there were.
    pub(crate) revision: u64,
    /// How files stood on disk when they were last read; goes on beside the revision.
    pub(crate) stamps: Arc<FileStamps>,
    /// The revision of the vfs that this one shows.
    pub(crate) told: u64,
}

impl Snapshot<'_> {
    pub(crate) fn new<'a>(db: RootDb, shown: RevisionState) -> Snapshot<'a> {
        Snapshot {
            shown,
            db,
            not_send: PhantomData,
        }
    }

    /// Unwinds where the question was cancelled or a write waits. To be called in every loop.
    pub fn check(&self) {
        self.db.unwind_if_cancelled();
    }

    /// The database.
    pub fn db(&self) -> &RootDb {
        &self.db
    }

    /// What questions of this revision share.
    pub fn cache(&self) -> &Arc<RevisionCache> {
        &self.shown.kept
    }

    /// How many threads a question may use.
    pub fn threads(&self) -> usize {
        self.shown.threads
    }

    /// The root of the workspace, absolute.
    pub fn root(&self) -> &str {
        &self.shown.root
    }

    /// The file at an absolute path, if it is there now.
    pub fn file(&self, path: &str) -> Option<File> {
        let entry = self.shown.files.get(path)?;
        entry.present.then_some(entry.file)
    }

    /// The revision.
    pub fn revision(&self) -> u64 {
        self.shown.revision
    }

    /// The files, as answers print them, whose text is not the disk's; sorted.
    pub fn unsaved(&self) -> &Arc<[String]> {
        &self.shown.unsaved
    }
}

impl Snapshot<'_> {
    /// Whether `text` is what the database has of the file at `path`, an absolute one. Of a file
    /// that it has not it is anything.
    pub(crate) fn shows(&self, path: &str, text: &Arc<str>) -> bool {
        match self.shown.files.get(path) {
            Some(entry) if entry.present => {
                let own = entry.file.text(&self.db);
                Arc::ptr_eq(own, text) || own == text
            }
            _ => true,
        }
    }
}

impl RevisionState {
    /// How many files are there, libraries' too.
    pub(crate) fn present(&self) -> usize {
        self.files.values().filter(|entry| entry.present).count()
    }
}
