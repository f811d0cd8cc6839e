//! The relations between types: what implements, embeds or extends what.

use codeweft_db::{DeclaredIn, SymbolId};
use rustc_hash::FxHashSet;

use super::editor_graph::EditorGraph;
use crate::answer::Operation;
use crate::operations;
use crate::query_context::QueryContext;
use crate::rendering::filtering::ResultRow;
use crate::symbols;
use crate::targets;
use crate::visibility;

/// Returns the implementations, by depth and id; empty for kinds without implementations.
pub fn implementations(graph: &EditorGraph<'_>, symbols: &[SymbolId]) -> Vec<SymbolId> {
    let operation = Operation::Implementations;
    each_taken(graph, symbols, operation, operations::implementers)
}

/// Returns what symbols implement, by depth and id; empty for kinds that implement nothing.
pub fn implements(graph: &EditorGraph<'_>, symbols: &[SymbolId]) -> Vec<SymbolId> {
    each_taken(
        graph,
        symbols,
        Operation::Implements,
        operations::implemented,
    )
}

/// Returns whether a symbol is a class or the method of one, whose declaration lists what it
/// implements.
pub fn is_of_class(graph: &EditorGraph<'_>, symbol: SymbolId) -> bool {
    symbols::is_of_class(&graph.query, symbol)
}

/// Returns what a type implements, embeds or extends in one step.
pub fn supertypes(graph: &EditorGraph<'_>, symbol: SymbolId) -> Vec<SymbolId> {
    let query = &graph.query;
    if !query.kind(symbol).is_type() {
        return Vec::new();
    }
    let mut found = one_step(operations::implemented(query, symbol));
    if let DeclaredIn::Unit(unit) = query.key(symbol).declared_in
        && let Some(language) = query.language(symbol)
    {
        let units = query.units.named(unit.lang(query.db), unit.name(query.db));
        for &unit in units {
            let hierarchy = language.hierarchy(query.db, unit);
            let own = hierarchy.supertypes.iter().filter(|row| row.from == symbol);
            found.extend(own.map(|row| row.to));
        }
    }
    found.retain(|&other| other != symbol);
    symbols::in_order(query, found)
}

/// Returns what implements, embeds or extends a type in one step.
pub fn subtypes(graph: &EditorGraph<'_>, symbol: SymbolId) -> Vec<SymbolId> {
    let query = &graph.query;
    if !query.kind(symbol).is_type() {
        return Vec::new();
    }
    let mut found = if targets::takes(query, &Operation::Implementations.target_rules(), symbol) {
        one_step(operations::implementers(query, symbol))
    } else {
        Vec::new()
    };
    let visible_units = visibility::visible_units(query, symbol);
    let embedding = query.map(&visible_units, |languages, db, &unit| {
        let hierarchy = languages.of(unit.lang(db))?.hierarchy(db, unit);
        let own = hierarchy.supertypes.iter().filter(|row| row.to == symbol);
        Some(own.map(|row| row.from).collect::<Vec<SymbolId>>())
    });
    found.extend(embedding.into_iter().flatten().flatten());
    found.retain(|&other| other != symbol);
    symbols::in_order(query, found)
}

/// Returns what `related` finds for the symbols that an operation takes, by depth and id.
fn each_taken(
    graph: &EditorGraph<'_>,
    symbols: &[SymbolId],
    operation: Operation,
    related: impl Fn(&QueryContext<'_>, SymbolId) -> Vec<ResultRow>,
) -> Vec<SymbolId> {
    let rules = operation.target_rules();
    let taken = symbols.iter().copied();
    let taken = taken.filter(|&symbol| targets::takes(&graph.query, &rules, symbol));
    let found = taken.flat_map(|symbol| related(&graph.query, symbol));
    in_depth_order(graph, found.collect())
}

fn in_depth_order(graph: &EditorGraph<'_>, rows: Vec<ResultRow>) -> Vec<SymbolId> {
    let mut found: Vec<(Option<u32>, SymbolId)> =
        rows.iter().map(|row| (row.depth, row.symbol)).collect();
    let query = &graph.query;
    found.sort_by_cached_key(|&(depth, symbol)| {
        (depth, query.lang(symbol), symbols::id(query, symbol))
    });
    let mut seen = FxHashSet::default();
    found.retain(|&(_, symbol)| seen.insert(symbol));
    found.into_iter().map(|(_, symbol)| symbol).collect()
}

fn one_step(rows: Vec<ResultRow>) -> Vec<SymbolId> {
    let near = rows
        .iter()
        .filter(|row| row.depth.is_none_or(|depth| depth == 1));
    near.map(|row| row.symbol).collect()
}
