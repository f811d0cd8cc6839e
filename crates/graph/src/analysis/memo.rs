//! The memos of analyses.

use std::sync::{Arc, OnceLock};

use codeweft_db::{File, FileUses, SymbolId};

use super::reference_counts::{FileCounts, ReferenceCounts};
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
        let (unused, garbage) = self.unused.next();
        let next = AnalysisMemos {
            counts: OnceLock::new(),
            counts_of_file: self.counts_of_file,
            lines: self.lines,
            unused,
        };
        (next, Box::new((self.counts, garbage)))
    }

    /// Takes out what questions have computed and can compute again.
    pub(crate) fn give_back(&self) -> Garbage {
        let unused = self.unused.give_back();
        Box::new((self.counts_of_file.take(), self.lines.take(), unused))
    }
}
