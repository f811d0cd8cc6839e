//! A cached view of folders outside the workspace: every folder is listed once.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use codeweft_db::FileSystem;
use rustc_hash::FxHashMap;

use super::paths::join;

/// Folders and files that are not loaded, by absolute path.
pub(crate) struct OutsideFiles<'a> {
    reader: &'a dyn FileSystem,
    folders: RefCell<FxHashMap<String, Rc<[String]>>>,
}

impl<'a> OutsideFiles<'a> {
    /// Returns a view that has listed nothing yet.
    pub(crate) fn new(reader: &'a dyn FileSystem) -> OutsideFiles<'a> {
        OutsideFiles {
            reader,
            folders: RefCell::default(),
        }
    }

    /// Returns the names in a folder, sorted; folders end in `/`. Empty if there is no such folder.
    pub(crate) fn list(&self, dir: &str) -> Rc<[String]> {
        if let Some(known) = self.folders.borrow().get(dir) {
            return known.clone();
        }
        let mut names = self.reader.list(dir);
        names.sort_unstable();
        let names: Rc<[String]> = names.into();
        self.folders
            .borrow_mut()
            .insert(dir.to_owned(), names.clone());
        names
    }

    /// Returns whether a folder contains a file of this name.
    pub(crate) fn has_file(&self, dir: &str, name: &str) -> bool {
        holds(&self.list(dir), name)
    }

    /// Returns whether a folder contains a folder of this name.
    pub(crate) fn has_folder(&self, dir: &str, name: &str) -> bool {
        holds(&self.list(dir), &format!("{name}/"))
    }

    /// Returns the text of a file.
    pub(crate) fn read(&self, dir: &str, name: &str) -> Option<Arc<str>> {
        self.reader.read(&join(dir, name))
    }

    /// Returns an environment variable.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        self.reader.variable(name)
    }
}

/// Returns whether a sorted list of names contains this one.
pub(crate) fn holds(names: &[String], name: &str) -> bool {
    names
        .binary_search_by(|known| known.as_str().cmp(name))
        .is_ok()
}
