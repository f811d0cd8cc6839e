//! The names by which texts mention a symbol.

use std::iter;
use std::sync::Arc;

use codeweft_db::{DeclaredIn, Language, NameId, NamedSymbol, Origin, SymbolId};

use crate::query_context::QueryContext;
use crate::type_graph::overrides::classes_of;

/// Returns the names by which a text can mention a symbol; none of a symbol without a language. A
/// constructor runs where a class or a subclass of it is called, so it has the names of these in the
/// workspace:
///
/// ```python
/// class Root:
///     def __init__(self): ...      # __init__ Root Leaf
/// class Leaf(Root): ...
/// Leaf()
/// ```
pub(crate) fn search_names(query: &QueryContext<'_>, symbol: SymbolId) -> Arc<[NameId]> {
    query.caches.search_names.get_or(symbol, || {
        let Some(language) = query.language(symbol) else {
            return Arc::default();
        };
        let mut names = language.search_names(query.db, symbol).into_vec();
        // The name of the class itself is among them.
        let below = constructed_classes(query, language, symbol)
            .into_iter()
            .skip(1);
        let keys = below.map(|class| query.key(class));
        let of_workspace = keys.filter(|key| match key.declared_in {
            DeclaredIn::Unit(unit) => unit.origin(query.db) == Origin::Workspace,
            DeclaredIn::Absent(_) | DeclaredIn::Builtin(_) => false,
        });
        names.extend(of_workspace.map(|key| key.name));
        names.sort_unstable();
        names.dedup();
        names.into()
    })
}

/// Returns the class that a method constructs, then those below it; none of another symbol.
pub(crate) fn constructed_classes(
    query: &QueryContext<'_>,
    language: &dyn Language,
    symbol: SymbolId,
) -> Vec<SymbolId> {
    let Some(class) = language.constructed_class(query.db, symbol) else {
        return Vec::new();
    };
    let classes = classes_of(query, class);
    let below = classes.map(|classes| classes.all_subclasses(class).into_keys());
    iter::once(class)
        .chain(below.into_iter().flatten())
        .collect()
}

/// Returns a symbol with its names.
pub(crate) fn named(query: &QueryContext<'_>, symbol: SymbolId, of_callers: bool) -> NamedSymbol {
    let names = search_names(query, symbol);
    NamedSymbol {
        symbol,
        names,
        of_callers,
    }
}
