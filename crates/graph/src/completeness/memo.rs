//! The unresolved sites that queries of one revision share.

use std::sync::Arc;

use codeweft_db::{File, Lang, NameId, Reason, SymbolId};

use super::escapes::EscapingUse;
use super::unresolved_sites::SiteList;
use crate::memo::{Garbage, Memo};

/// Sites, each a file, a byte offset and a reason.
pub(crate) type OffsetSites = Arc<[(File, u32, Reason)]>;

/// The unresolved sites of one revision.
#[derive(Default)]
pub(crate) struct UnresolvedMemos {
    /// The sites that could call a symbol, or with `true` a literal made in it, where they are few.
    pub(crate) of_callers: Memo<(SymbolId, bool), SiteList>,
    /// The unknown bases of the subclasses of a class that the class does not have.
    pub(crate) unknown_bases_below: Memo<SymbolId, OffsetSites>,
    /// The declarations of a name in the workspace.
    pub(crate) declared: Memo<(Lang, NameId), Arc<[SymbolId]>>,
    /// Where a symbol is passed on as a value, in all units, each with the unit's number.
    pub(crate) escaping_uses: Memo<SymbolId, Arc<[(usize, EscapingUse)]>>,
    /// The sites in the body of a symbol that could call more than is known.
    pub(crate) of_callees: Memo<SymbolId, SiteList>,
    /// The operations in the body of a symbol that may call more than its uses have.
    pub(crate) possible_callees: Memo<SymbolId, SiteList>,
}

impl UnresolvedMemos {
    /// Takes out what questions have computed and can compute again.
    pub(crate) fn give_back(&self) -> Garbage {
        let possible = self.possible_callees.take();
        let lists = (self.of_callers.take(), self.of_callees.take(), possible);
        let of_classes = (self.unknown_bases_below.take(), self.escaping_uses.take());
        Box::new((lists, of_classes, self.declared.take()))
    }
}
