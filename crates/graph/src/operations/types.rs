//! The operations `implementations` and `implements`, by structural and by nominal relations.
//!
//! Structural: a type implements an interface by its method set (Go spec, Implementing an
//! interface; Python's protocols). Nominal: a class implements its bases, listed with their
//! distance.

use codeweft_db::{NameId, NodeKind, SymbolId};
use rustc_hash::FxHashSet;

use super::result::OperationResult;
use crate::completeness;
use crate::completeness::unresolved_sites::UnresolvedSites;
use crate::query_context::QueryContext;
use crate::rendering::filtering::ResultRow;
use crate::symbols;
use crate::targets::resolved::Target;
use crate::type_graph;
use crate::type_graph::classes::Distances;
use crate::type_graph::implements::ImplementsPair;

/// Finds the types that satisfy an interface or the subclasses of a class; for a method the
/// methods that may run where it is called.
pub(super) fn implementations(query: &QueryContext<'_>, target: &Target) -> OperationResult {
    let mut rows = Vec::new();
    let mut unresolved = UnresolvedSites::default();
    for &symbol in &target.symbols {
        rows.extend(implementers(query, symbol));
        unresolved.extend(possible_implementers(query, symbol));
    }
    OperationResult::list(by_depth_and_id(query, rows), unresolved)
}

/// Returns the implementations of one symbol, unordered.
pub(crate) fn implementers(query: &QueryContext<'_>, symbol: SymbolId) -> Vec<ResultRow> {
    let classes = type_graph::classes_of(query, symbol);
    if query.kind(symbol) == NodeKind::Method {
        return match classes {
            None => plain(type_graph::implementing_methods(query, symbol)),
            Some(_) => {
                let mut rows = at_distance(type_graph::overrides(query, symbol));
                rows.extend(one_step(type_graph::direct_targets(query, symbol)));
                rows.retain(|row| row.symbol != symbol);
                rows
            }
        };
    }
    let pairs = type_graph::pairs_of_interface(query, symbol).into_iter();
    match classes {
        None => pairs.map(|pair| row(pair.ty, pair)).collect(),
        Some(classes) => {
            let mut rows = at_distance(classes.all_subclasses(symbol));
            rows.extend(one_step(pairs.map(|pair| pair.ty)));
            rows.retain(|row| row.symbol != symbol);
            rows
        }
    }
}

/// Returns incomplete files that could declare an implementation: they mention the names of all
/// methods of an interface, or the name of a class.
pub(crate) fn possible_implementers(query: &QueryContext<'_>, symbol: SymbolId) -> UnresolvedSites {
    let of_class = symbols::is_of_class(query, symbol);
    let names = match query.kind(symbol) {
        NodeKind::Method if of_class || symbols::is_interface_method(query, symbol) => {
            vec![query.key(symbol).name]
        }
        NodeKind::Interface if !of_class => method_names(query, symbol),
        NodeKind::Interface | NodeKind::Class => vec![query.key(symbol).name],
        _ => Vec::new(),
    };
    let mut unresolved = match query.lang(symbol) {
        Some(lang) => completeness::possible_declarers(query, &query.units.of_lang(lang), &names),
        None => UnresolvedSites::default(),
    };
    let class = match query.kind(symbol) {
        NodeKind::Interface | NodeKind::Class => Some(symbol),
        NodeKind::Method => query.key(symbol).parent,
        _ => None,
    };
    if let Some(class) = class.filter(|_| of_class) {
        unresolved.extend(completeness::possible_classes(query, class));
    }
    unresolved
}

/// Finds the interfaces that a type satisfies or the bases of a class; for a method the methods
/// that it may run for.
pub(super) fn implements(query: &QueryContext<'_>, target: &Target) -> OperationResult {
    let mut rows = Vec::new();
    let mut unresolved = UnresolvedSites::default();
    for &symbol in &target.symbols {
        rows.extend(implemented(query, symbol));
        unresolved.extend(possible_supertypes(query, symbol));
    }
    OperationResult::list(by_depth_and_id(query, rows), unresolved)
}

/// Returns what one symbol implements, unordered.
pub(crate) fn implemented(query: &QueryContext<'_>, symbol: SymbolId) -> Vec<ResultRow> {
    let classes = type_graph::classes_of(query, symbol);
    match (query.kind(symbol), classes) {
        (NodeKind::Method, None) => plain(type_graph::implemented_methods(query, symbol)),
        (NodeKind::Method, Some(_)) => {
            let mut rows = at_distance(type_graph::overridden(query, symbol));
            rows.extend(one_step(type_graph::directly_dispatched_from(
                query, symbol,
            )));
            rows
        }
        (NodeKind::Interface, None) => Vec::new(),
        (_, None) => {
            let pairs = type_graph::pairs_of_type(query, symbol).into_iter();
            pairs.map(|pair| row(pair.interface, pair)).collect()
        }
        (_, Some(classes)) => {
            let pairs = type_graph::pairs_of_type(query, symbol).into_iter();
            let mut rows = at_distance(classes.all_bases(symbol));
            rows.extend(one_step(pairs.map(|pair| pair.interface)));
            rows.retain(|row| row.symbol != symbol);
            rows
        }
    }
}

/// Returns the unknown bases of a class and of the classes above it; for a method also those of
/// subclasses, which inherit it.
pub(crate) fn possible_supertypes(query: &QueryContext<'_>, symbol: SymbolId) -> UnresolvedSites {
    let mut unresolved = UnresolvedSites::default();
    let (Some(language), Some(classes)) = (
        query.language(symbol),
        type_graph::classes_of(query, symbol),
    ) else {
        return unresolved;
    };
    let mut classes_checked = match query.kind(symbol) {
        NodeKind::Interface | NodeKind::Class => vec![symbol],
        NodeKind::Method => query.key(symbol).parent.into_iter().collect(),
        _ => Vec::new(),
    };
    if query.kind(symbol) == NodeKind::Method
        && let Some(&class) = classes_checked.first()
    {
        classes_checked.extend(classes.all_subclasses(class).into_keys());
    }
    for class in classes_checked {
        unresolved.add_offsets(language.unknown_bases(query.db, class));
    }
    unresolved
}

/// Returns the unqualified names of the methods that an interface declares itself.
fn method_names(query: &QueryContext<'_>, interface: SymbolId) -> Vec<NameId> {
    let Some((unit, _)) = query.row(interface) else {
        return Vec::new();
    };
    let symbols = query.symbols(unit);
    let Some(row) = symbols.row(interface) else {
        return Vec::new();
    };
    let children = symbols.children(row);
    let methods = children.map(|child| &symbols.rows[child as usize]);
    methods
        .filter(|row| row.kind == NodeKind::Method)
        .map(|row| row.name)
        .collect()
}

/// Orders rows by depth and id and keeps each result once, at its smallest depth.
fn by_depth_and_id(query: &QueryContext<'_>, mut rows: Vec<ResultRow>) -> Vec<ResultRow> {
    rows.sort_by_cached_key(|row| {
        (
            row.depth,
            query.lang(row.symbol),
            symbols::id(query, row.symbol),
            row.type_args.clone(),
            row.receiver,
        )
    });
    let mut seen = FxHashSet::default();
    rows.retain(|row| seen.insert((row.symbol, row.type_args.clone())));
    rows
}

fn row(symbol: SymbolId, pair: ImplementsPair) -> ResultRow {
    ResultRow {
        receiver: Some(pair.receiver),
        type_args: pair.type_args,
        ..ResultRow::plain(symbol)
    }
}

fn plain(symbols: impl IntoIterator<Item = SymbolId>) -> Vec<ResultRow> {
    symbols.into_iter().map(ResultRow::plain).collect()
}

fn at_distance(symbols: Distances) -> Vec<ResultRow> {
    let symbols = symbols.into_iter();
    symbols
        .map(|(symbol, distance)| ResultRow {
            depth: Some(distance),
            ..ResultRow::plain(symbol)
        })
        .collect()
}

/// Returns rows at distance 1, the distance of structural matches.
fn one_step(symbols: impl IntoIterator<Item = SymbolId>) -> Vec<ResultRow> {
    at_distance(symbols.into_iter().map(|symbol| (symbol, 1)).collect())
}
