//! The state of a workspace that one thread writes.

use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_db::{
    Configuration, EventRecording, LanguageConfig, Origin, RequestCancellation, RootDb,
};
use codeweft_graph::RevisionCache;
use codeweft_vfs::Vfs;
use rustc_hash::FxHashMap;

use super::disk::WorkspaceDisk;
use super::files::{FileMap, printed};
use super::lowering::{PreviousLowering, RecentTrees};
use super::progress::LoadTimes;
use super::snapshot::{ReadState, RevisionState, Snapshot};
use super::stamps::FileStamps;
use super::units::UnitMap;
use super::unread::{UnreadFile, UnreadFiles};

/// A workspace in memory: its database, the stamps of its files on disk, and the open documents.
///
/// All writes to the database go through it. Reading goes through [`ProjectDatabase::ask`] or
/// [`ProjectDatabase::snapshot`], or through [`ProjectDatabase::db`] for tests and measurements.
pub struct ProjectDatabase {
    pub(super) db: RootDb,
    pub(super) recording: Option<EventRecording>,
    /// Absolute, with `/`, without a final one.
    pub(super) root: Arc<str>,
    pub(super) settings: BTreeMap<String, String>,
    pub(super) threads: usize,
    pub(super) disk: WorkspaceDisk,
    /// The stamps of files when they were read.
    pub(super) stamps: Arc<FileStamps>,
    /// Whether something on disk that the layout depends on has changed.
    pub(super) stale: bool,
    /// The texts of files on disk and in editors.
    pub(super) vfs: Arc<Vfs>,
    /// The revision of `vfs` that is in the database.
    pub(super) vfs_revision: u64,
    pub(super) files: Arc<FileMap>,
    pub(super) units: UnitMap,
    pub(super) revision: u64,
    /// The last texts of opened or edited files, lowered.
    pub(super) last_lowered: FxHashMap<Arc<str>, PreviousLowering>,
    /// The trees that the next edits are parsed from.
    pub(super) trees: RecentTrees,
    /// The cache that the requests of this revision share.
    pub(super) cache: Arc<RevisionCache>,
    pub(super) unread: Arc<UnreadFiles>,
    /// See [`ProjectDatabase::unsaved`].
    pub(super) unsaved: Arc<[String]>,
    pub(super) notes: Vec<(String, String)>,
    pub(super) load_times: LoadTimes,
}

impl ProjectDatabase {
    /// Returns the root of the workspace, absolute.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// Returns the database, for tests and measurements.
    pub fn db(&self) -> &RootDb {
        &self.db
    }

    /// Returns the events, if the workspace was loaded with [`crate::LoadOptions::recording`].
    pub fn recording(&self) -> Option<&EventRecording> {
        self.recording.as_ref()
    }

    /// Returns the number of effective changes so far; 1 after the load.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns how many threads a request may use.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Returns whether there is any source file.
    pub fn has_sources(&self) -> bool {
        self.files.values().any(|entry| entry.present)
    }

    /// Returns the numbers of files that were read, by the wire name of their language: of the workspace, of
    /// libraries on disk.
    pub fn languages(&self) -> std::collections::BTreeMap<&'static str, (usize, usize)> {
        let mut languages = std::collections::BTreeMap::new();
        for (path, entry) in self.files.iter().filter(|(_, entry)| entry.present) {
            let (own, libraries) = languages.entry(entry.lang.wire_name()).or_insert((0, 0));
            match entry.origin {
                Origin::Workspace => *own += 1,
                // A file without a stamp is Codeweft's own text of a builtin.
                Origin::Library => *libraries += usize::from(self.stamps.get(path).is_some()),
            }
        }
        languages
    }

    /// Returns the files of a language (by its wire name) below the root that were read, relative to it;
    /// sorted. Includes those that only an import led to, like Go's `testdata`.
    pub fn sources(&self, language: &str) -> Vec<String> {
        let entries = self.files.iter();
        let mut sources: Vec<String> = entries
            .filter(|(_, entry)| entry.present && entry.lang.wire_name() == language)
            .filter_map(|(path, _)| codeweft_vfs::relative(&self.root, path))
            .map(str::to_owned)
            .collect();
        sources.sort();
        sources
    }

    /// Returns the build configuration of a language, by its wire name; `None` if it has none.
    pub fn configuration(&self, language: &str) -> Option<Arc<Configuration>> {
        let mut languages = self.db.tables().languages().iter();
        let known = languages.find(|known| known.lang().wire_name() == language)?;
        let config = LanguageConfig::of(&self.db, known.lang())?;
        Some(config.value(&self.db).clone())
    }

    /// Returns the files that were not read, sorted.
    pub fn left_out(&self) -> Vec<UnreadFile> {
        self.unread.all()
    }

    /// Returns notes of the languages about the layout for users: (path, words).
    pub fn notes(&self) -> &[(String, String)] {
        &self.notes
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

    pub(super) fn revision_state(&self) -> RevisionState {
        RevisionState {
            root: self.root.clone(),
            threads: self.threads,
            files: self.files.clone(),
            cache: self.cache.clone(),
            unread: self.unread.clone(),
            unsaved: self.unsaved.clone(),
            revision: self.revision,
            stamps: self.stamps.clone(),
            vfs_revision: self.vfs_revision,
        }
    }

    pub(super) fn list_unsaved(&self) -> Arc<[String]> {
        let mut unsaved: Vec<String> = self
            .vfs
            .unsaved()
            .iter()
            .map(|path| self.printed(path).to_owned())
            .collect();
        unsaved.sort();
        unsaved.into()
    }

    /// Returns a path as answers print it.
    pub(super) fn printed<'a>(&self, path: &'a str) -> &'a str {
        printed(&self.root, path)
    }
}
