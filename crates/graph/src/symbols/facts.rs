//! What filters and counts read of each of many symbols.

use codeweft_db::SymbolId;

use super::ids::package_id;
use super::memo::SymbolFacts;
use super::packages::is_external;
use crate::query_context::QueryContext;

/// Returns the facts of a symbol.
pub(crate) fn facts(query: &QueryContext<'_>, symbol: SymbolId) -> SymbolFacts {
    let known = &query.cache.symbols.facts;
    known.get_or(symbol, || SymbolFacts {
        file: query.file(symbol),
        external: is_external(query, symbol),
        package: (query.lang(symbol), package_id(query, symbol)),
    })
}
