//! The state of a workspace that one thread writes.

use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_db::{EventRecording, GoConfig, GoSettings, Origin, RequestCancellation, RootDb};
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

/// A workspace in memory: its database, what it knows of the disk, and what editors have open.
///
/// It is the only one that writes to the database. Reading goes through [`ProjectDatabase::ask`], or through
/// [`ProjectDatabase::db`] for tests and measurements.
pub struct ProjectDatabase {
    pub(super) db: RootDb,
    pub(super) recording: Option<EventRecording>,
    /// Absolute, with `/`, without a final one.
    pub(super) root: Arc<str>,
    pub(super) settings: BTreeMap<String, String>,
    pub(super) threads: usize,
    pub(super) disk: WorkspaceDisk,
    /// How files stood on disk when they were read.
    pub(super) stamps: Arc<FileStamps>,
    /// Whether the layout looked at something that is not as it was.
    pub(super) stale: bool,
    /// What is on disk and in editors, of the files of `files`.
    pub(super) vfs: Arc<Vfs>,
    /// The revision of `vfs` that the database shows.
    pub(super) shown: u64,
    pub(super) files: Arc<FileMap>,
    pub(super) units: UnitMap,
    pub(super) revision: u64,
    /// What the last texts of files said that were opened or edited.
    pub(super) last: FxHashMap<Arc<str>, PreviousLowering>,
    /// What the next edits are parsed from.
    pub(super) trees: RecentTrees,
    /// What questions of this revision share.
    pub(super) kept: Arc<RevisionCache>,
    pub(super) left_out: Arc<UnreadFiles>,
    /// See [`ProjectDatabase::unsaved`].
    pub(super) unsaved: Arc<[String]>,
    pub(super) notes: Vec<(String, String)>,
    pub(super) load_times: LoadTimes,
}

impl ProjectDatabase {
    /// The root of the workspace, absolute.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// The database, for tests and measurements.
    pub fn db(&self) -> &RootDb {
        &self.db
    }

    /// The events of a World that was loaded with [`LoadOptions::recording`].
    pub fn recording(&self) -> Option<&EventRecording> {
        self.recording.as_ref()
    }

    /// How many effective changes there were.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// How many threads a question may use.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Whether there is any file to ask about.
    pub fn has_sources(&self) -> bool {
        self.files.values().any(|entry| entry.present)
    }

    /// How many files were read, by the wire name of their language: of the workspace, of
    /// libraries on disk.
    pub fn languages(&self) -> std::collections::BTreeMap<&'static str, (usize, usize)> {
        let mut languages = std::collections::BTreeMap::new();
        for (path, entry) in self.files.iter().filter(|(_, entry)| entry.present) {
            let (own, libraries) = languages.entry(entry.lang.wire_name()).or_insert((0, 0));
            match entry.origin {
                Origin::Workspace => *own += 1,
                // What has no stamp is Codeweft's own text of a builtin.
                Origin::Library => *libraries += usize::from(self.stamps.get(path).is_some()),
            }
        }
        languages
    }

    /// The files of a language (by its wire name) below the root that were read, relative to it;
    /// sorted. With those that only an import led to, like Go's `testdata`.
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

    /// The build configuration of Go; `None` before there is one.
    pub fn go(&self) -> Option<GoSettings> {
        let config = GoConfig::try_get(&self.db)?;
        Some((**config.settings(&self.db)).clone())
    }

    /// The files that were not read, sorted.
    pub fn left_out(&self) -> Vec<UnreadFile> {
        self.left_out.all()
    }

    /// What the languages want a user to know about the layout: (path, words).
    pub fn notes(&self) -> &[(String, String)] {
        &self.notes
    }

    /// The files, as answers print them, whose text is not what is on disk; sorted.
    pub fn unsaved(&self) -> &Arc<[String]> {
        &self.unsaved
    }

    /// This revision, lent to a question whose work `cancel` may end.
    pub fn snapshot(&self, cancel: &RequestCancellation) -> Snapshot<'_> {
        Snapshot::new(self.db.for_request(cancel), self.beside())
    }

    /// This revision, to be lent to readers on other threads. It must be gone before the next
    /// change.
    pub(crate) fn view(&self) -> ReadState {
        ReadState {
            db: self.db.clone(),
            shown: self.beside(),
        }
    }

    pub(super) fn beside(&self) -> RevisionState {
        RevisionState {
            root: self.root.clone(),
            threads: self.threads,
            files: self.files.clone(),
            kept: self.kept.clone(),
            left_out: self.left_out.clone(),
            unsaved: self.unsaved.clone(),
            revision: self.revision,
            stamps: self.stamps.clone(),
            told: self.shown,
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

    /// A path as answers print it: relative to the root inside it.
    pub(super) fn printed<'a>(&self, path: &'a str) -> &'a str {
        printed(&self.root, path)
    }
}
