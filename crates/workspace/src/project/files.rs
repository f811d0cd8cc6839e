//! The files of a workspace by their paths.

use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_db::{File, Lang, Origin};
use codeweft_documents::DOCUMENT;
use rustc_hash::FxHashMap;

/// Every file that the database has ever held, by its absolute path.
#[derive(Clone, Default)]
pub(crate) struct FileTable {
    by_path: FxHashMap<Arc<str>, LoadedFile>,
}

/// A file of the workspace or of a library.
#[derive(Clone)]
pub(crate) struct LoadedFile {
    pub(crate) file: File,
    pub(crate) lang: Lang,
    pub(crate) origin: Origin,
    /// Whether it was ever opened or edited: then its text has LOW durability.
    pub(super) touched: bool,
    /// Whether it exists now; a deleted file keeps its `File` for its return.
    pub(crate) present: bool,
}

impl FileTable {
    /// Returns the file at an absolute path, if there ever was one.
    pub(crate) fn get(&self, path: &str) -> Option<&LoadedFile> {
        self.by_path.get(path)
    }

    /// As [`FileTable::get`], with the path as the table holds it.
    pub(crate) fn entry(&self, path: &str) -> Option<(&Arc<str>, &LoadedFile)> {
        self.by_path.get_key_value(path)
    }

    /// Returns the number of files that there ever were.
    pub(crate) fn len(&self) -> usize {
        self.by_path.len()
    }

    /// Returns all files with their paths, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Arc<str>, &LoadedFile)> {
        self.by_path.iter()
    }

    /// Adds a file, or replaces the one at its path.
    pub(super) fn insert(&mut self, path: Arc<str>, file: LoadedFile) {
        self.by_path.insert(path, file);
    }

    /// Forgets the file at a path.
    pub(super) fn remove(&mut self, path: &str) {
        self.by_path.remove(path);
    }

    /// Marks a file as existing or not.
    pub(super) fn set_present(&mut self, path: &str, present: bool) {
        if let Some(entry) = self.by_path.get_mut(path) {
            entry.present = present;
        }
    }

    /// Marks a file as opened or edited.
    pub(super) fn set_touched(&mut self, path: &str, touched: bool) {
        if let Some(entry) = self.by_path.get_mut(path) {
            entry.touched = touched;
        }
    }

    /// Returns the files that exist now with their paths, in no order.
    pub(super) fn present(&self) -> impl Iterator<Item = (&Arc<str>, &LoadedFile)> {
        self.iter().filter(|(_, entry)| entry.present)
    }

    /// Returns the files of the workspace that exist now with their paths, in no order.
    pub(super) fn present_in_workspace(&self) -> impl Iterator<Item = (&Arc<str>, &LoadedFile)> {
        let present = self.present();
        present.filter(|(_, entry)| entry.origin == Origin::Workspace)
    }

    /// Returns the source files that exist now with their paths, in no order: all but documents.
    pub(super) fn present_sources(&self) -> impl Iterator<Item = (&Arc<str>, &LoadedFile)> {
        self.present().filter(|(_, entry)| entry.lang != DOCUMENT)
    }

    /// Returns the documents that exist now, sorted by path.
    pub(super) fn documents(&self) -> Vec<File> {
        let present = self.present();
        let documents = present.filter(|(_, entry)| entry.lang == DOCUMENT);
        let mut documents: Vec<_> = documents.map(|(path, entry)| (path, entry.file)).collect();
        documents.sort_unstable_by_key(|&(path, _)| path);
        documents.into_iter().map(|(_, file)| file).collect()
    }

    /// Returns the number of source files that exist, libraries' included.
    pub(crate) fn present_count(&self) -> usize {
        self.present_sources().count()
    }

    /// Returns the numbers of files that exist, by the wire name of their language: of the workspace, and of
    /// libraries as far as `is_on_disk` holds for their paths.
    pub(super) fn count_by_language(
        &self,
        is_on_disk: impl Fn(&str) -> bool,
    ) -> BTreeMap<&'static str, (usize, usize)> {
        let mut languages = BTreeMap::new();
        for (path, entry) in self.present_sources() {
            let (own, libraries) = languages.entry(entry.lang.wire_name()).or_insert((0, 0));
            match entry.origin {
                Origin::Workspace => *own += 1,
                Origin::Library => *libraries += usize::from(is_on_disk(path)),
            }
        }
        languages
    }

    /// Returns the files of a language (by its wire name) that exist below the root, relative to it; sorted.
    pub(super) fn below(&self, root: &str, language: &str) -> Vec<String> {
        let mut files: Vec<String> = self
            .present()
            .filter(|(_, entry)| entry.lang.wire_name() == language)
            .filter_map(|(path, _)| codeweft_vfs::relative(root, path))
            .map(str::to_owned)
            .collect();
        files.sort();
        files
    }
}

/// Returns a path as answers print it: below the root relative to it, also if only imports lead there, as to
/// Go's `testdata` folders; else absolute.
pub(crate) fn printed<'a>(root: &str, path: &'a str) -> &'a str {
    codeweft_vfs::relative(root, path).unwrap_or(path)
}
