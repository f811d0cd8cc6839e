//! The printed names that queries of one revision share.

use std::sync::{Arc, OnceLock};

use codeweft_db::{Lang, SymbolId};

use super::facts::SymbolFacts;
use crate::memo::{Garbage, Memo};

/// The printed names of one revision.
#[derive(Default)]
pub(crate) struct SymbolMemos {
    /// Printed ids, by symbol.
    pub(crate) ids: Memo<SymbolId, Arc<str>>,
    /// What filters and counts read of symbols.
    pub(crate) facts: Memo<SymbolId, SymbolFacts>,
    /// All packages and modules, absent ones included.
    pub(crate) packages: OnceLock<Vec<NamedPackage>>,
}

impl SymbolMemos {
    /// Returns the memos of the next revision.
    pub(crate) fn next(self) -> (SymbolMemos, Garbage) {
        (SymbolMemos::default(), Box::new(self))
    }

    /// Takes out what questions have computed and can compute again.
    pub(crate) fn give_back(&self) -> Garbage {
        Box::new((self.ids.take(), self.facts.take()))
    }
}

/// A package or module with its printed name.
pub(crate) struct NamedPackage {
    pub(crate) symbol: SymbolId,
    pub(crate) lang: Lang,
    pub(crate) id: Arc<str>,
    pub(crate) external: bool,
}
