//! The tables over all files that a query reads.
//!
//! An edit of a file subtracts what the file had and adds what it has: no row of another file changes. How many files have
//! a term is counted when a query is answered, so nothing else depends on how many files there are.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use smallvec::{Array, SmallVec};

use crate::layout::Layout;
use crate::lex::FileLex;
use crate::paths;
use crate::words::{TermId, stems};

/// A file as the index takes it.
#[derive(Clone, Debug)]
pub struct IndexedFile {
    /// From the workspace's root, with `/`.
    pub path: Box<str>,
    /// The words of its text.
    pub lex: Arc<FileLex>,
    /// What it imports of the workspace, in any order.
    pub imports: Arc<[ImportTarget]>,
}

/// What an import of a file leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImportTarget {
    /// A file, by its path: a module of its own.
    File(Box<str>),
    /// The files of a folder with the extension of the importing file: a package.
    Folder(Box<str>),
}

/// What an edit changes: files that are new or other than before, and paths that are gone.
#[derive(Clone, Debug, Default)]
pub struct Difference {
    /// Files whose words or imports are not those in the index.
    pub changed: Vec<IndexedFile>,
    /// Paths that are no file of the workspace any more.
    pub removed: Vec<Box<str>>,
}

/// The number of a file in an index; orders nothing.
pub(crate) type FileId = u32;

/// The words of all files. After any differences it equals one that is built of the same files.
#[derive(Debug, Default)]
pub struct Index {
    files: Vec<Option<IndexedFile>>,
    free: Vec<FileId>,
    by_path: FxHashMap<Box<str>, FileId>,
    by_name: FxHashMap<Box<str>, SmallVec<[FileId; 4]>>,
    by_folder: FxHashMap<Box<str>, SmallVec<[FileId; 4]>>,
    /// Of each term the files whose text has it, with the number of the term among the file's.
    postings: FxHashMap<TermId, SmallVec<[(FileId, u32); 2]>>,
    /// Of each term the files whose path has it: whether as a word of the file name, else of a folder.
    path_postings: FxHashMap<TermId, SmallVec<[(FileId, f64); 1]>>,
    definitions: FxHashMap<TermId, SmallVec<[FileId; 4]>>,
    /// Computed by the first query after a change of paths or imports.
    layout: OnceLock<Layout>,
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
            self.remove(&path);
        }
        for file in difference.changed {
            self.set(file);
        }
    }

    /// Returns the file at a path.
    pub fn file(&self, path: &str) -> Option<&IndexedFile> {
        self.by_id(*self.by_path.get(path)?)
    }

    /// Returns the number of files.
    pub fn len(&self) -> usize {
        self.by_path.len()
    }

    /// Returns whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.by_path.is_empty()
    }

    /// Returns all files, in no order.
    pub fn files(&self) -> impl Iterator<Item = &IndexedFile> {
        self.files.iter().flatten()
    }

    pub(crate) fn by_id(&self, id: FileId) -> Option<&IndexedFile> {
        self.files.get(id as usize)?.as_ref()
    }

    pub(crate) fn id(&self, path: &str) -> Option<FileId> {
        self.by_path.get(path).copied()
    }

    /// Returns one more than the greatest number of a file.
    pub(crate) fn id_bound(&self) -> usize {
        self.files.len()
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = FileId> {
        self.by_path.values().copied()
    }

    /// Returns the files whose name, without folders, is this.
    pub(crate) fn named(&self, name: &str) -> &[FileId] {
        self.by_name.get(name).map_or(&[], SmallVec::as_slice)
    }

    pub(crate) fn in_folder(&self, folder: &str) -> &[FileId] {
        self.by_folder.get(folder).map_or(&[], SmallVec::as_slice)
    }

    pub(crate) fn postings(&self, term: TermId) -> &[(FileId, u32)] {
        self.postings.get(&term).map_or(&[], SmallVec::as_slice)
    }

    pub(crate) fn path_postings(&self, term: TermId) -> &[(FileId, f64)] {
        self.path_postings
            .get(&term)
            .map_or(&[], SmallVec::as_slice)
    }

    /// Returns the files that declare a name, as it is written.
    pub(crate) fn defining(&self, name: &str) -> &[FileId] {
        let files = self.definitions.get(&TermId::of(name));
        files.map_or(&[], SmallVec::as_slice)
    }

    pub(crate) fn layout(&self) -> &Layout {
        self.layout.get_or_init(|| Layout::of(self))
    }

    /// Returns every row of every table with paths for numbers, sorted: equal for indexes of the same files.
    #[cfg(test)]
    pub(crate) fn rows(&self) -> Vec<String> {
        let path = |id: FileId| self.by_id(id).map_or("?", |file| &*file.path);
        let mut rows = Vec::new();
        let mut add = |table: &str, key: String, id: FileId, value: String| {
            rows.push(format!("{table} {key} {} {value}", path(id)));
        };
        for (key, ids) in &self.by_name {
            ids.iter()
                .for_each(|&id| add("name", key.to_string(), id, String::new()));
        }
        for (key, ids) in &self.by_folder {
            ids.iter()
                .for_each(|&id| add("folder", key.to_string(), id, String::new()));
        }
        for (key, ids) in &self.definitions {
            ids.iter()
                .for_each(|&id| add("definition", format!("{key:?}"), id, String::new()));
        }
        for (key, list) in &self.postings {
            list.iter()
                .for_each(|&(id, row)| add("text", format!("{key:?}"), id, row.to_string()));
        }
        for (key, list) in &self.path_postings {
            list.iter()
                .for_each(|&(id, count)| add("path", format!("{key:?}"), id, count.to_string()));
        }
        for (key, &id) in &self.by_path {
            add("file", key.to_string(), id, String::new());
        }
        let layout = self.layout();
        for (&id, at) in layout.order.iter().zip(0..) {
            for &other in layout.neighbours(at) {
                let other = layout
                    .order
                    .get(other as usize)
                    .map_or("?", |&other| path(other));
                add("near", other.to_owned(), id, String::new());
            }
        }
        rows.sort_unstable();
        rows
    }

    fn remove(&mut self, path: &str) {
        let Some(id) = self.by_path.remove(path) else {
            return;
        };
        let Some(file) = self.files.get_mut(id as usize).and_then(Option::take) else {
            return;
        };
        self.layout = OnceLock::new();
        self.subtract_text(id, &file.lex);
        let (folder, name) = paths::split(path);
        subtract(&mut self.by_folder, folder, |&other| other == id);
        subtract(&mut self.by_name, name, |&other| other == id);
        for (term, _) in path_terms(path) {
            subtract(&mut self.path_postings, &term, |&(other, _)| other == id);
        }
        self.free.push(id);
    }

    fn set(&mut self, file: IndexedFile) {
        let Some(&id) = self.by_path.get(&file.path) else {
            self.insert(file);
            return;
        };
        let Some(slot) = self.files.get_mut(id as usize) else {
            return;
        };
        let Some(old) = slot.replace(file.clone()) else {
            return;
        };
        if old.imports != file.imports {
            self.layout = OnceLock::new();
        }
        if !Arc::ptr_eq(&old.lex, &file.lex) && old.lex != file.lex {
            self.subtract_text(id, &old.lex);
            self.add_text(id, &file.lex);
        }
    }

    fn insert(&mut self, file: IndexedFile) {
        let id = self.free.pop().unwrap_or_else(|| {
            self.files.push(None);
            self.files.len() as FileId - 1
        });
        self.layout = OnceLock::new();
        let (folder, name) = paths::split(&file.path);
        self.by_folder.entry(folder.into()).or_default().push(id);
        self.by_name.entry(name.into()).or_default().push(id);
        for (term, count) in path_terms(&file.path) {
            self.path_postings
                .entry(term)
                .or_default()
                .push((id, count));
        }
        self.add_text(id, &file.lex);
        self.by_path.insert(file.path.clone(), id);
        if let Some(slot) = self.files.get_mut(id as usize) {
            *slot = Some(file);
        }
    }

    fn subtract_text(&mut self, id: FileId, lex: &FileLex) {
        for term in lex.terms().terms() {
            subtract(&mut self.postings, term, |&(other, _)| other == id);
        }
        for name in lex.definitions() {
            subtract(&mut self.definitions, name, |&other| other == id);
        }
    }

    fn add_text(&mut self, id: FileId, lex: &FileLex) {
        for (&term, number) in lex.terms().terms().iter().zip(0..) {
            self.postings.entry(term).or_default().push((id, number));
        }
        for name in lex.definitions() {
            self.definitions.entry(*name).or_default().push(id);
        }
    }
}

/// Removes the row of a file; a list without rows goes too, so that nothing is left of a file.
fn subtract<K, Q, A>(
    table: &mut FxHashMap<K, SmallVec<A>>,
    key: &Q,
    is_of_file: impl Fn(&A::Item) -> bool,
) where
    K: std::hash::Hash + Eq + std::borrow::Borrow<Q>,
    Q: std::hash::Hash + Eq + ?Sized,
    A: Array,
{
    let Some(rows) = table.get_mut(key) else {
        return;
    };
    if let Some(at) = rows.iter().position(is_of_file) {
        rows.swap_remove(at);
    }
    if rows.is_empty() {
        table.remove(key);
    }
}

/// Returns the terms of a path: 1 for each word of the file name, half for each of a folder.
pub(crate) fn path_terms(path: &str) -> Vec<(TermId, f64)> {
    let (folder, name) = paths::split(path);
    let mut counts: Vec<(TermId, f64)> = Vec::new();
    for (words, count) in [(name, 1.0), (folder, 0.5)] {
        for stem in stems(words) {
            let term = TermId::of(&stem);
            match counts.iter_mut().find(|(other, _)| *other == term) {
                Some((_, own)) => *own += count,
                None => counts.push((term, count)),
            }
        }
    }
    counts
}
