//! A file system that caches what a layout reads.

use std::cell::RefCell;
use std::rc::Rc;

use codeweft_db::FileSystem;
use rustc_hash::{FxHashMap, FxHashSet};

use super::modfile::ModFile;
use super::paths::join;

/// A file system with a cache for one layout.
pub(super) struct CachedFileSystem<'a> {
    pub(super) reader: &'a dyn FileSystem,
    /// The folders with a loaded file that is no test.
    loaded: FxHashSet<&'a str>,
    holds_go: RefCell<FxHashMap<String, bool>>,
    mod_files: RefCell<FxHashMap<String, Option<Rc<ModFile>>>>,
}

impl<'a> CachedFileSystem<'a> {
    pub(super) fn new(
        reader: &'a dyn FileSystem,
        loaded: FxHashSet<&'a str>,
    ) -> CachedFileSystem<'a> {
        CachedFileSystem {
            reader,
            loaded,
            holds_go: RefCell::default(),
            mod_files: RefCell::default(),
        }
    }

    /// Returns whether a file of this folder that is no test is loaded.
    pub(super) fn is_loaded(&self, dir: &str) -> bool {
        self.loaded.contains(dir)
    }

    /// Returns whether a folder contains a Go file that is no test.
    pub(super) fn holds_go(&self, dir: &str) -> bool {
        if self.is_loaded(dir) {
            return true;
        }
        if let Some(&known) = self.holds_go.borrow().get(dir) {
            return known;
        }
        let holds = self.reader.list(dir).iter().any(|name| {
            name.ends_with(".go") && !name.ends_with("_test.go") && !name.starts_with(['_', '.'])
        });
        self.holds_go.borrow_mut().insert(dir.to_owned(), holds);
        holds
    }

    /// Returns whether a folder exists and is not empty.
    pub(super) fn is_folder(&self, dir: &str) -> bool {
        self.is_loaded(dir) || !self.reader.list(dir).is_empty()
    }

    /// Returns the `go.mod` of a folder.
    pub(super) fn go_mod(&self, dir: &str) -> Option<Rc<ModFile>> {
        self.mod_file(&join(dir, "go.mod"))
    }

    /// Returns a `go.mod`, `go.work` or `.mod` by its path.
    pub(super) fn mod_file(&self, path: &str) -> Option<Rc<ModFile>> {
        if let Some(known) = self.mod_files.borrow().get(path) {
            return known.clone();
        }
        let file = self
            .reader
            .read(path)
            .map(|text| Rc::new(ModFile::read(&text)));
        self.mod_files
            .borrow_mut()
            .insert(path.to_owned(), file.clone());
        file
    }
}
