//! What a revision changes of the file, as plain rows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use codeweft_graph::export::FileRow;

use crate::sqlite::gather::Gathered;

/// The rows of a file.
pub(crate) struct FileRows {
    /// The file itself.
    pub(crate) row: FileRow,
    /// Whether its text differs from the disk's.
    pub(crate) unsaved: bool,
    /// Its declarations and exact edges.
    pub(crate) part: Gathered,
}

/// What became of a file.
pub(crate) enum FileChange {
    /// It has these rows.
    Rows(Box<FileRows>),
    /// It is no file of a package any more.
    Gone,
}

/// What a revision changes. Parts are whole: the writer compares them with the file and writes only rows that differ.
#[derive(Default)]
pub(crate) struct Batch {
    /// The revision of the live database.
    pub(crate) revision: u64,
    /// Files with other rows, by path.
    pub(crate) files: BTreeMap<Arc<str>, FileChange>,
    /// What the calls of files may run, by path; `None` for nothing.
    pub(crate) runs: BTreeMap<Arc<str>, Option<Gathered>>,
    /// All `implements` edges, if they may be others.
    pub(crate) pairs: Option<Vec<Gathered>>,
    /// The nodes of all packages of the workspace, if they may be others.
    pub(crate) packages: Option<Vec<Gathered>>,
    /// The paths of all files, where it is not known which of them the database has.
    pub(crate) paths: Option<BTreeSet<Arc<str>>>,
    /// Whether the exact rows are those of `revision` with this batch.
    pub(crate) is_level: bool,
    /// Whether the sets are those of `revision` with this batch.
    pub(crate) has_level_sets: bool,
    /// What all rows were made from, once everything is level; see [`super::thread::Opened::inputs`].
    pub(crate) inputs: Option<String>,
    /// The size in memory, about.
    pub(crate) bytes: usize,
}

impl Batch {
    /// Adds what came after: the last part of a file wins.
    pub(crate) fn merge(&mut self, newer: Batch) {
        self.revision = newer.revision;
        self.files.extend(newer.files);
        self.runs.extend(newer.runs);
        self.pairs = newer.pairs.or(self.pairs.take());
        self.packages = newer.packages.or(self.packages.take());
        self.paths = newer.paths.or(self.paths.take());
        self.has_level_sets = newer.has_level_sets;
        self.is_level = newer.is_level;
        self.inputs = newer.inputs;
        self.bytes += newer.bytes;
    }
}

/// Returns the size of rows in memory, about.
pub(crate) fn size_of(part: &Gathered) -> usize {
    let texts = part.symbols.iter().map(|symbol| {
        let signature = symbol.signature.as_ref().map_or(0, String::len);
        let id = symbol.id.as_ref().map_or(0, |id| id.len());
        320 + id + signature + symbol.parameters.len() * 96
    });
    let sets = part.sets.iter().map(|set| 32 + set.len() * 4);
    texts.sum::<usize>()
        + sets.sum::<usize>()
        + part.uses.len() * 28
        + part.runs.len() * 32
        + part.implements.len() * 64
}
