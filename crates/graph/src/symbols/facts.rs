//! What filters and counts read of each of many symbols.

use std::sync::Arc;

use codeweft_db::{File, Lang, SymbolId};

use super::ids::package_id;
use super::packages::is_external;
use crate::query_context::QueryContext;

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

/// Returns the facts of a symbol.
pub(crate) fn facts(query: &QueryContext<'_>, symbol: SymbolId) -> SymbolFacts {
    let known = &query.cache.symbols.facts;
    known.get_or(symbol, || SymbolFacts {
        file: query.file(symbol),
        external: is_external(query, symbol),
        package: (query.lang(symbol), package_id(query, symbol)),
    })
}
