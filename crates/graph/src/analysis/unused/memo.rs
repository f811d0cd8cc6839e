//! What questions about unused symbols share.

use std::sync::{Arc, OnceLock};

use codeweft_db::{File, Reason, SymbolId};

use crate::answer::UnusedReason;
use crate::completeness::unresolved_sites::SiteLocation;

/// A site that could use a symbol.
pub(crate) type DoubtSite = (File, SiteLocation, Reason);

/// A declaration that no code but tests reaches.
#[derive(Clone, Debug)]
pub(crate) struct UnusedSymbol {
    /// The symbol.
    pub(crate) symbol: SymbolId,
    /// Why it is believed unused, if tests do not count.
    pub(crate) reason: UnusedReason,
    /// The sites that could use it, or what uses it, distinct.
    pub(crate) doubts: Arc<[DoubtSite]>,
}

/// The memos of questions about unused symbols.
#[derive(Default)]
pub(crate) struct UnusedMemos {
    /// All that is unused in this revision.
    pub(super) found: OnceLock<Arc<[UnusedSymbol]>>,
}
