//! Ways in which a function is reached without a call in the loaded sources: decorators, the
//! language and C code calling it by name, lookups by computed names, values that escape.
//!
//! [`hidden_callers`] collects them for one symbol; each is a location and a [`Reason`] for the
//! completeness section of an answer.
//!
//! ```python
//! @app.route("/")          # declared: the framework holds the function
//! def index(): ...
//! class Plugin(Base): ...  # subclasses: `Base` is from an absent package
//! getattr(mod, name)()     # computed: any function of `mod`
//! register(index)          # values: `index` escapes as an argument
//! ```

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

/// Returns where a symbol could be called from though no call names it: file, byte offset and
/// reason.
pub(crate) fn hidden(db: &dyn Db, symbol: SymbolId) -> Vec<(File, u32, Reason)> {
    let mut found = declared::ways(db, symbol);
    computed::ways(db, symbol, &mut found);
    found
}
