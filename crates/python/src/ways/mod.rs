//! The ways into a function that no call of a text shows: what decorates it, what runs it by its
//! name, which texts could look it up by a name.

mod below;
mod computed;
mod declared;
mod importing;
mod leaving;
mod literals;
mod names;
mod supers;

use codeweft_db::{Db, File, Reason, SymbolId};

pub(crate) use below::{open_above, open_below};
pub(crate) use importing::{importers, imports};
pub(crate) use leaving::{counts, leaves};
pub(crate) use literals::spells;
pub(crate) use supers::supers;

/// Where a symbol could be called from though no call names it: a file, a byte offset, and why.
pub(crate) fn hidden(db: &dyn Db, symbol: SymbolId) -> Vec<(File, u32, Reason)> {
    let mut found = declared::ways(db, symbol);
    computed::ways(db, symbol, &mut found);
    found
}
