//! Which methods run for each other in one step, by the rows of types and interfaces, and the closure
//! over embedded interfaces. [`super::dispatch`] and the flow graph are built on it.

use std::sync::Arc;

use codeweft_db::{NameId, SymbolId};
use rustc_hash::FxHashSet;

use super::implements;
use super::overrides;
use crate::query_context::QueryContext;
use crate::symbols;

/// Returns the methods of types in the transitive closure of `directly`, which maps an
/// interface's method to the methods of types and of interfaces embedded in them.
pub(crate) fn transitive_targets(
    query: &QueryContext<'_>,
    method: SymbolId,
    directly: impl Fn(SymbolId) -> FxHashSet<SymbolId>,
) -> Vec<SymbolId> {
    let mut seen = FxHashSet::from_iter([method]);
    let mut pending = vec![method];
    let mut targets = Vec::new();
    while let Some(method) = pending.pop() {
        for run in directly(method) {
            if !symbols::is_interface_method(query, run) {
                targets.push(run);
            } else if seen.insert(run) {
                pending.push(run);
            }
        }
    }
    targets
}

/// Returns the methods that the types satisfying a structural interface have instead of
/// `method`.
pub(crate) fn direct_targets(query: &QueryContext<'_>, method: SymbolId) -> FxHashSet<SymbolId> {
    let mut targets = FxHashSet::default();
    let Some(interface) = query.key(method).parent else {
        return targets;
    };
    let Some((language, types)) = implements::language_types(query, method) else {
        return targets;
    };
    for at in types.interface_rows(query.db, &query.units, interface) {
        let methods = types.row(at).methods.iter();
        let Some(wanted) = methods.clone().find(|row| row.symbol == method) else {
            continue;
        };
        for (ty, _) in types.satisfying(query.db, language, at) {
            if let Some(row) = types.row(ty).method(wanted.name)
                && row.symbol != method
            {
                targets.insert(row.symbol);
            }
        }
    }
    targets
}

/// Returns the methods of structural interfaces that `method` satisfies in some type.
pub(crate) fn directly_dispatched_from(
    query: &QueryContext<'_>,
    method: SymbolId,
) -> FxHashSet<SymbolId> {
    let mut found = FxHashSet::default();
    let Some((language, types)) = implements::language_types(query, method) else {
        return found;
    };
    let Some(name) = row_name(query, method) else {
        return found;
    };
    let interfaces = types.with_method(true, name);
    let pending = types.generic_with_method(name);
    if interfaces.is_empty() && pending.is_empty() {
        return found;
    }
    let by_method = types.by_method(name);
    let having = by_method.get(&method).map_or(&[][..], Vec::as_slice);
    for &interface in interfaces.iter().chain(pending) {
        let Some(wanted) = types.row(interface).method(name) else {
            continue;
        };
        if wanted.symbol == method || found.contains(&wanted.symbol) {
            continue;
        }
        let satisfied = having
            .iter()
            .any(|&at| types.satisfies(query.db, language, at, interface).is_some());
        if satisfied {
            found.insert(wanted.symbol);
        }
    }
    found
}

/// Returns the name of a method as rows have it: an unexported Go name is qualified by its
/// package.
pub(super) fn row_name(query: &QueryContext<'_>, method: SymbolId) -> Option<NameId> {
    query.key(method).parent?;
    let language = query.language(method)?;
    Some(language.method_name(query.db, method))
}

/// Returns the transitive closure of `directly`, which maps a method to the interfaces' methods
/// that it satisfies in one step. A type may satisfy an interface with the method of an embedded
/// interface.
pub(crate) fn transitive_sources(
    method: SymbolId,
    directly: impl Fn(SymbolId) -> FxHashSet<SymbolId>,
) -> Vec<SymbolId> {
    let mut found = FxHashSet::default();
    let mut pending = vec![method];
    while let Some(method) = pending.pop() {
        for source in directly(method) {
            if found.insert(source) {
                pending.push(source);
            }
        }
    }
    found.into_iter().collect()
}

/// Returns the methods of interfaces and bases whose calls may run `method`, by the rows of types
/// and classes alone.
pub(crate) fn dispatched_from_by_rows(
    query: &QueryContext<'_>,
    method: SymbolId,
) -> Arc<[SymbolId]> {
    query.cache.types.dispatched_from.sorted(method, || {
        if overrides::classes_of(query, method).is_some() {
            let mut found: Vec<SymbolId> =
                overrides::overridden(query, method).into_keys().collect();
            found.extend(directly_dispatched_from(query, method));
            return found;
        }
        transitive_sources(method, |method| directly_dispatched_from(query, method))
    })
}
