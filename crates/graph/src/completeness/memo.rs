//! The incomplete files that queries of one revision share.

use std::sync::Arc;

use codeweft_db::{File, Identifiers, Reason, Unit};

use crate::memo::{Garbage, Memo};

/// The incomplete files of one revision.
#[derive(Default)]
pub(crate) struct CompletenessMemos {
    /// Excluded and broken files, by unit.
    pub(crate) incomplete: Memo<Unit, Arc<[IncompleteFile]>>,
}

impl CompletenessMemos {
    /// Returns the memos of the next revision.
    pub(crate) fn next(self) -> (CompletenessMemos, Garbage) {
        (CompletenessMemos::default(), Box::new(self))
    }
}

/// A file with syntax errors or an excluded file.
pub(crate) struct IncompleteFile {
    /// The file.
    pub(crate) file: File,
    /// The 1-based line of the first error; `None` if the whole file is excluded.
    pub(crate) line: Option<u32>,
    /// The reason.
    pub(crate) reason: Reason,
    /// The identifiers that occur in the file.
    pub(crate) identifiers: Arc<Identifiers>,
}
