//! Snapshots: one revision of the database, lent to a request.

use std::marker::PhantomData;
use std::sync::Arc;

use codeweft_db::{Db as _, File, RootDb};
use codeweft_graph::RevisionCache;
use codeweft_knowledge::{KeptGraph, KnowledgeSettings};
use codeweft_retrieval::{KeptIndex, RetrievalSettings};

use super::files::FileTable;
use super::meaning::KeptMeaning;
use super::retrieval_history::KeptHistory;
use super::stamps::FileStamps;
use super::unread::UnreadFiles;
use crate::settings::SettingsWarning;

/// A handle of one revision: the database and the state beside it. A snapshot is only lent to a closure and cannot
/// leave its thread (it is not [`Send`]), so that a pending write never waits for a forgotten one.
pub struct Snapshot<'a> {
    // Dropped before the handle: a write that has waited for the handle takes the cache apart.
    pub(crate) state: RevisionState,
    pub(crate) db: RootDb,
    not_send: PhantomData<(*const (), &'a ())>,
}

/// The state that the gate publishes: a handle that each reader clones, and the state beside the database.
pub(crate) struct ReadState {
    pub(crate) db: RootDb,
    pub(crate) state: RevisionState,
}

/// The state beside the database in one revision. Cheap to clone.
#[derive(Clone)]
pub(crate) struct RevisionState {
    /// The root of the workspace, absolute.
    pub(crate) root: Arc<str>,
    /// The number of threads that a request may use.
    pub(crate) threads: usize,
    /// Every file that the database has ever held, by its absolute path.
    pub(crate) files: Arc<FileTable>,
    /// The cache that the requests of this revision share.
    pub(crate) cache: Arc<RevisionCache>,
    /// The knowledge graph of the last question about it; shared with later revisions.
    pub(crate) knowledge: Arc<KeptGraph>,
    pub(crate) knowledge_settings: Arc<KnowledgeSettings>,
    /// The index of words of the last question about it; shared with later revisions.
    pub(crate) retrieval: Arc<KeptIndex>,
    pub(crate) retrieval_settings: Arc<RetrievalSettings>,
    /// The model of the settings with its vectors, as it was loaded last; shared with later revisions.
    pub(crate) meaning: KeptMeaning,
    /// The history of the repository, as it was read last; shared with later revisions.
    pub(crate) history: KeptHistory,
    /// The files that were not read.
    pub(crate) unread: Arc<UnreadFiles>,
    /// The files, as answers print them, whose text differs from the disk's; sorted.
    pub(crate) unsaved: Arc<[String]>,
    /// What is wrong with the file of the settings.
    pub(crate) settings_warning: Option<SettingsWarning>,
    /// The number of effective changes so far.
    pub(crate) revision: u64,
    /// The stamps of files when they were last read; shared with later revisions.
    pub(crate) stamps: Arc<FileStamps>,
    /// The revision of the vfs that is in the database.
    pub(crate) vfs_revision: u64,
}

impl Snapshot<'_> {
    pub(crate) fn new<'a>(db: RootDb, state: RevisionState) -> Snapshot<'a> {
        Snapshot {
            state,
            db,
            not_send: PhantomData,
        }
    }

    /// Unwinds if the request was cancelled or a write is pending. To be called in every loop.
    pub fn check(&self) {
        self.db.unwind_if_cancelled();
    }

    /// Returns the database.
    pub fn db(&self) -> &RootDb {
        &self.db
    }

    /// Returns the cache that the requests of this revision share.
    pub fn cache(&self) -> &Arc<RevisionCache> {
        &self.state.cache
    }

    /// Returns how many threads a request may use.
    pub fn threads(&self) -> usize {
        self.state.threads
    }

    /// Returns the root of the workspace, absolute.
    pub fn root(&self) -> &str {
        &self.state.root
    }

    /// Returns the file at an absolute path, if it exists now.
    pub fn file(&self, path: &str) -> Option<File> {
        let entry = self.state.files.get(path)?;
        entry.present.then_some(entry.file)
    }

    /// Returns the revision.
    pub fn revision(&self) -> u64 {
        self.state.revision
    }

    /// Returns the files, as answers print them, whose text differs from the disk's; sorted.
    pub fn unsaved(&self) -> &Arc<[String]> {
        &self.state.unsaved
    }
}

impl Snapshot<'_> {
    /// Returns whether the database has `text` for the file at the absolute `path`; true for a file that it
    /// does not have.
    pub(crate) fn has_text(&self, path: &str, text: &Arc<str>) -> bool {
        match self.state.files.get(path) {
            Some(entry) if entry.present => {
                let own = entry.file.text(&self.db);
                Arc::ptr_eq(own, text) || own == text
            }
            _ => true,
        }
    }
}
