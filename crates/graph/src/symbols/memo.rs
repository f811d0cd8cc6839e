//! The printed names that queries of one revision share.

use std::sync::{Arc, OnceLock};

use codeweft_db::{File, Lang, SymbolId};

use crate::memo::{Garbage, Memo};

/// What filters and counts read of a symbol.
#[derive(Clone)]
pub(crate) struct SymbolFacts {
    /// The file that declares it.
    pub(crate) file: Option<File>,
    /// Whether it belongs to a library, to an absent package or to the builtins.
    pub(crate) external: bool,
    /// Its language and the id of its package.
    pub(crate) package: (Option<Lang>, Arc<str>),
}

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
