//! The source files of a workspace: the table of them, their texts on disk and in editors, their stamps, and
//! those that were not read.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use codeweft_db::{Lang, Origin};
use codeweft_vfs::Vfs;

use super::disk::WorkspaceDisk;
use super::files::{FileTable, printed};
use super::lowering;
use super::stamps::FileStamps;
use super::unread::{UnreadFile, UnreadFiles};

/// The source files of a workspace and of the libraries that it imports.
///
/// The parts that readers share are in an [`Arc`]: a change copies one first if a reader still holds it.
pub(super) struct SourceFiles {
    /// The root of the workspace: absolute, with `/`, without a final one.
    pub(super) root: Arc<str>,
    /// The number of threads that read, stamp and lower files.
    pub(super) threads: usize,
    pub(super) disk: Arc<WorkspaceDisk>,
    /// The texts of files on disk and in editors.
    pub(super) vfs: Arc<Vfs>,
    /// The stamps of files when they were read.
    pub(super) stamps: Arc<FileStamps>,
    pub(super) table: Arc<FileTable>,
    pub(super) unread: Arc<UnreadFiles>,
    /// Whether something on disk that the layout depends on has changed.
    pub(super) layout_is_stale: bool,
}

impl SourceFiles {
    /// Returns the files of the workspace at `root`, before any was read.
    pub(super) fn new(
        root: Arc<str>,
        threads: usize,
        disk: WorkspaceDisk,
        vfs: Arc<Vfs>,
    ) -> SourceFiles {
        SourceFiles {
            root,
            threads,
            disk: Arc::new(disk),
            vfs,
            stamps: Arc::default(),
            table: Arc::default(),
            unread: Arc::default(),
            layout_is_stale: false,
        }
    }

    /// Returns a path as answers print it.
    pub(super) fn printed<'a>(&self, path: &'a str) -> &'a str {
        printed(&self.root, path)
    }

    /// Returns the absolute form of a path that may be relative to the root; `None` if it is no path of the
    /// vfs.
    pub(super) fn absolute(&self, path: &Path) -> Option<String> {
        codeweft_vfs::normalise(Path::new(&*self.root), path)
    }

    /// Returns the files, as answers print them, whose text differs from the disk's; sorted.
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

    /// Returns the numbers of files that were read, by the wire name of their language: of the workspace, of
    /// libraries on disk.
    pub(super) fn count_by_language(&self) -> BTreeMap<&'static str, (usize, usize)> {
        // A file without a stamp is Codeweft's own text of a builtin.
        let is_on_disk = |path: &str| self.stamps.get(path).is_some();
        self.table.count_by_language(is_on_disk)
    }

    /// Returns whether a path is that of a source file of the workspace, whether or not there is one now.
    pub(super) fn is_source(&self, path: &str) -> bool {
        let known = self.table.get(path);
        known.is_some_and(|entry| entry.origin == Origin::Workspace)
            || self.disk.workspace_language(path).is_some()
    }

    /// Returns the language of a new file of the workspace.
    pub(super) fn language_of_new(&self, path: &str) -> Option<Lang> {
        let lang = self.disk.language(path)?;
        codeweft_vfs::relative(&self.root, path)?;
        Some(lang)
    }

    /// Returns whether a file may be read as a library's: it was not read already, its lowering did not
    /// panic, and it is no file of the workspace that cannot be read. One that the workspace excludes may be.
    pub(super) fn may_be_library(&self, path: &str) -> bool {
        self.table.get(path).is_none_or(|entry| !entry.present)
            && !self.unread.is_of_workspace(path)
            && !self.unread.has_reason(path, lowering::BROKE)
    }

    /// Marks a file as existing or not; one that does not exist is in no unit. Returns whether that changed.
    pub(super) fn set_present(&mut self, path: &str, present: bool) -> bool {
        let entry = self.table.get(path);
        if entry.is_none_or(|entry| entry.present == present) {
            return false;
        }
        Arc::make_mut(&mut self.table).set_present(path, present);
        true
    }

    /// Records that a file could not be read. One that the table does not have counts as the workspace's.
    pub(super) fn note_unread(&mut self, path: &str, reason: String) {
        let origin = self.table.get(path).map(|entry| entry.origin);
        self.note_unread_of(path, origin.unwrap_or(Origin::Workspace), reason);
    }

    /// As [`SourceFiles::note_unread`], for a file whose origin is known.
    pub(super) fn note_unread_of(&mut self, path: &str, origin: Origin, reason: String) {
        let unread = UnreadFile {
            file: self.printed(path).to_owned(),
            reason,
            hides: origin == Origin::Workspace,
        };
        Arc::make_mut(&mut self.unread).set(path, unread);
    }
}
