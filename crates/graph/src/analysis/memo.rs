//! The memos of analyses.

use std::sync::{Arc, OnceLock};

use codeweft_db::{File, FileUses, SymbolId};
use rustc_hash::FxHashMap;

use super::unused::memo::UnusedMemos;
use crate::memo::{Garbage, Memo};

/// What analyses of one revision share.
#[derive(Default)]
pub(crate) struct AnalysisMemos {
    /// The uses of all symbols in the workspace, counted.
    pub(crate) counts: OnceLock<Arc<ReferenceCounts>>,
    /// The counts of each file with what they were counted from and the package of the file then: kept
    /// while both are the same.
    pub(crate) counts_of_file: Memo<File, (Arc<FileUses>, SymbolId, Arc<FileCounts>)>,
    /// The number of lines of a text.
    pub(crate) lines: Memo<File, (Arc<str>, u32)>,
    /// Unused symbols.
    pub(crate) unused: UnusedMemos,
}

impl AnalysisMemos {
    /// Returns the memos of the next revision, and the garbage of this one.
    pub(crate) fn next(self) -> (AnalysisMemos, Garbage) {
        let next = AnalysisMemos {
            counts: OnceLock::new(),
            counts_of_file: self.counts_of_file,
            lines: self.lines,
            unused: UnusedMemos::default(),
        };
        (next, Box::new((self.counts, self.unused)))
    }

    /// Takes out what questions have computed and can compute again.
    pub(crate) fn give_back(&self) -> Garbage {
        Box::new((self.counts_of_file.take(), self.lines.take()))
    }
}

/// The number of sites of one symbol.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct ReferenceCount {
    /// All of them.
    pub(crate) all: u32,
    /// Those in other packages than the symbol's own.
    pub(crate) external: u32,
}

/// The sites of all symbols in the workspace.
#[derive(Default)]
pub(crate) struct ReferenceCounts(FxHashMap<SymbolId, ReferenceCount>);

impl ReferenceCounts {
    /// Returns the number of sites of a symbol.
    pub(crate) fn of(&self, symbol: SymbolId) -> ReferenceCount {
        self.0.get(&symbol).copied().unwrap_or_default()
    }

    /// Adds sites of a symbol; `is_own` if they are in its own package.
    pub(crate) fn add(&mut self, target: SymbolId, sites: u32, is_own: bool) {
        let count = self.0.entry(target).or_default();
        count.all += sites;
        if !is_own {
            count.external += sites;
        }
    }
}

/// The sites of a file: target, their number, and whether the target is of the file's package.
pub(crate) type FileCounts = [(SymbolId, u32, bool)];
