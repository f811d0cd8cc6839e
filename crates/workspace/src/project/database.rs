//! The state of a workspace that one thread writes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use codeweft_db::{Configuration, EventRecording, FileSystem, RequestCancellation, RootDb};
use codeweft_graph::RevisionCache;
use codeweft_knowledge::{KeptGraph, KnowledgeSettings};
use codeweft_retrieval::{KeptIndex, RetrievalSettings};

use super::disk::WorkspaceDisk;
use super::incremental::PreviousLowerings;
use super::meaning::KeptMeaning;
use super::progress::LoadTimes;
use super::retrieval_history::KeptHistory;
use super::snapshot::{ReadState, RevisionState, Snapshot};
use super::sources::SourceFiles;
use super::units::UnitGraphBuilder;
use super::unread::UnreadFile;
use crate::settings::SettingsWarning;

/// A workspace in memory: its database, the stamps of its files on disk, and the open documents.
///
/// All writes to the database go through it. Reading goes through [`ProjectDatabase::ask`] or
/// [`ProjectDatabase::snapshot`], or through [`ProjectDatabase::db`] for tests and measurements.
pub struct ProjectDatabase {
    pub(super) db: RootDb,
    pub(super) recording: Option<EventRecording>,
    pub(super) sources: SourceFiles,
    pub(super) units: UnitGraphBuilder,
    pub(super) lowerings: PreviousLowerings,
    /// The revision of the vfs that is in the database.
    pub(super) vfs_revision: u64,
    pub(super) revision: u64,
    /// The cache that the requests of this revision share.
    pub(super) cache: Arc<RevisionCache>,
    /// The knowledge graph of the last question about it; shared with later revisions.
    pub(super) knowledge: Arc<KeptGraph>,
    pub(super) knowledge_settings: Arc<KnowledgeSettings>,
    /// The index of words of the last question about it; shared with later revisions.
    pub(super) retrieval: Arc<KeptIndex>,
    pub(super) retrieval_settings: Arc<RetrievalSettings>,
    pub(super) meaning: KeptMeaning,
    /// The history of the repository, as it was read last; shared with later revisions.
    pub(super) history: KeptHistory,
    /// See [`ProjectDatabase::unsaved`].
    pub(super) unsaved: Arc<[String]>,
    /// What is wrong with the file of the settings, for answers.
    pub(super) settings_warning: Option<SettingsWarning>,
    /// Whether the next preparation walks the workspace, because the settings are new.
    pub(super) walk_is_stale: bool,
    /// Whether the state beside the database differs from the one that was published last.
    pub(super) state_is_new: bool,
    pub(super) load_times: LoadTimes,
    /// See [`crate::LoadOptions::on_demand`].
    pub(super) on_demand: bool,
}

impl ProjectDatabase {
    /// Returns the root of the workspace, absolute.
    pub fn root(&self) -> &str {
        &self.sources.root
    }

    /// Returns the name of the model that the settings name for what declarations mean.
    pub fn model(&self) -> Option<&str> {
        self.retrieval_settings.model.as_deref()
    }

    /// Returns the disk as layouts read it.
    pub fn file_system(&self) -> &dyn FileSystem {
        &*self.sources.disk
    }

    /// Returns the database, for tests and measurements.
    pub fn db(&self) -> &RootDb {
        &self.db
    }

    /// Leaves the database to the end of the process, which is faster than to drop it. Texts that were lowered
    /// are in the cache then, unless that takes longer than `longest`.
    pub fn leave(self, longest: Duration) {
        if let Some(cache) = self.db.tables().cache() {
            cache.flush(longest);
        }
        std::mem::forget(self);
    }

    /// Returns the events, if the workspace was loaded with [`crate::LoadOptions::recording`].
    pub fn recording(&self) -> Option<&EventRecording> {
        self.recording.as_ref()
    }

    /// Returns the disk, as this workspace reads it.
    pub(crate) fn disk(&self) -> Arc<WorkspaceDisk> {
        self.sources.disk.clone()
    }

    /// Returns the phases of the load with their durations. Phases that alternate are joined.
    pub(crate) fn load_phases(&self) -> [(&'static str, Duration); 4] {
        let times = &self.load_times;
        [
            ("walk", times.walk),
            ("read", times.read),
            ("lower", times.lower),
            ("layout", times.layout),
        ]
    }

    /// Returns the number of effective changes so far; 1 after the load.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns how many threads a request may use.
    pub fn threads(&self) -> usize {
        self.sources.threads
    }

    /// Returns whether there is any source file.
    pub fn has_sources(&self) -> bool {
        self.sources.table.present_sources().next().is_some()
    }

    /// Returns the numbers of files that were read, by the wire name of their language: of the workspace, of
    /// libraries on disk.
    pub fn languages(&self) -> BTreeMap<&'static str, (usize, usize)> {
        self.sources.count_by_language()
    }

    /// Returns the files of a language (by its wire name) below the root that were read, relative to it;
    /// sorted. Includes those that only an import led to, like Go's `testdata`.
    pub fn sources(&self, language: &str) -> Vec<String> {
        self.sources.table.below(&self.sources.root, language)
    }

    /// Returns the build configuration of a language, by its wire name; `None` if it has none.
    pub fn configuration(&self, language: &str) -> Option<Arc<Configuration>> {
        let mut languages = self.db.tables().languages().iter();
        let known = languages.find(|known| known.lang().wire_name() == language)?;
        let config = self.db.tables().configuration(known.lang())?;
        Some(config.value(&self.db).clone())
    }

    /// Returns the files that were not read, sorted.
    pub fn unread(&self) -> Vec<UnreadFile> {
        self.sources.unread.all()
    }

    /// Returns notes of the languages about the layout for users: (path, words).
    pub fn notes(&self) -> &[(String, String)] {
        self.units.notes()
    }

    /// Returns the files, as answers print them, whose text differs from the disk's; sorted.
    pub fn unsaved(&self) -> &Arc<[String]> {
        &self.unsaved
    }

    /// Returns a snapshot of this revision for a request that `cancel` may end.
    pub fn snapshot(&self, cancel: &RequestCancellation) -> Snapshot<'_> {
        Snapshot::new(self.db.for_request(cancel), self.revision_state())
    }

    /// Returns this revision for readers on other threads. It must be dropped before the next write.
    pub(crate) fn read_state(&self) -> ReadState {
        ReadState {
            db: self.db.clone(),
            state: self.revision_state(),
        }
    }

    fn revision_state(&self) -> RevisionState {
        let sources = &self.sources;
        RevisionState {
            root: sources.root.clone(),
            threads: sources.threads,
            files: sources.table.clone(),
            cache: self.cache.clone(),
            knowledge: self.knowledge.clone(),
            knowledge_settings: self.knowledge_settings.clone(),
            retrieval: self.retrieval.clone(),
            retrieval_settings: self.retrieval_settings.clone(),
            meaning: self.meaning.clone(),
            history: self.history.clone(),
            unread: sources.unread.clone(),
            unsaved: self.unsaved.clone(),
            settings_warning: self.settings_warning.clone(),
            revision: self.revision,
            stamps: sources.stamps.clone(),
            vfs_revision: self.vfs_revision,
        }
    }
}
