//! The tables over all files that a query reads.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::lex::FileLex;

/// A file as the index takes it.
#[derive(Clone, Debug)]
pub struct IndexedFile {
    /// From the workspace's root, with `/`.
    pub path: Box<str>,
    /// The words of its text.
    pub lex: Arc<FileLex>,
    /// The files of the workspace that it imports, by path, in any order.
    pub imports: Arc<[Box<str>]>,
}

/// What an edit changes: files that are new or other than before, and paths that are gone.
#[derive(Clone, Debug, Default)]
pub struct Difference {
    /// Files whose words or imports are not those in the index.
    pub changed: Vec<IndexedFile>,
    /// Paths that are no file of the workspace any more.
    pub removed: Vec<Box<str>>,
}

/// The words of all files. After any differences it equals one that is built of the same files.
#[derive(Debug, Default)]
pub struct Index {
    files: FxHashMap<Box<str>, IndexedFile>,
}

impl Index {
    /// Returns the index of files.
    pub fn build(files: impl IntoIterator<Item = IndexedFile>) -> Index {
        let mut index = Index::default();
        let changed = files.into_iter().collect();
        index.apply(Difference {
            changed,
            removed: Vec::new(),
        });
        index
    }

    /// Takes the files of a difference over.
    pub fn apply(&mut self, difference: Difference) {
        for path in difference.removed {
            self.files.remove(&path);
        }
        for file in difference.changed {
            self.files.insert(file.path.clone(), file);
        }
    }
}
