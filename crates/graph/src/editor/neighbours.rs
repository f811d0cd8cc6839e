//! Callers, callees and references: the symbols that uses link to a symbol.

use codeweft_db::{NodeKind, SymbolId};

use super::editor_graph::EditorGraph;
use super::names::{NameUse, name_uses};
use crate::answer::Operation;
use crate::link::{Link, Links};
use crate::operations;
use crate::operations::IncludedCalls;
use crate::targets;

/// A neighbour with the uses that link it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Neighbour {
    /// The neighbour.
    pub symbol: SymbolId,
    /// The uses, by path, then position.
    pub sites: Vec<NameUse>,
}

/// Returns the callers at depth 1; empty for symbols that cannot be called.
pub fn callers(graph: &EditorGraph<'_>, symbols: &[SymbolId]) -> Vec<Neighbour> {
    let step = |symbol| operations::callers_of(&graph.query, symbol, IncludedCalls::default());
    neighbours(
        graph,
        merged_neighbours(graph, symbols, Operation::Callers, step),
    )
}

/// Returns the number of callers.
pub fn count_callers(graph: &EditorGraph<'_>, symbols: &[SymbolId]) -> usize {
    let step = |symbol| operations::callers_of(&graph.query, symbol, IncludedCalls::default());
    merged_neighbours(graph, symbols, Operation::Callers, step).len()
}

/// Returns the callees at depth 1; empty for symbols that call nothing.
pub fn callees(graph: &EditorGraph<'_>, symbols: &[SymbolId]) -> Vec<Neighbour> {
    let step = |symbol| operations::callees_of(&graph.query, symbol, IncludedCalls::default());
    neighbours(
        graph,
        merged_neighbours(graph, symbols, Operation::Callees, step),
    )
}

/// Returns the references, by path, then position.
pub fn references(graph: &EditorGraph<'_>, symbols: &[SymbolId]) -> Vec<NameUse> {
    let links = merged_neighbours(graph, symbols, Operation::References, |symbol| {
        operations::references_of(&graph.query, symbol)
    });
    let mut name_uses = name_uses(graph, links.into_iter().flat_map(|(_, links)| links));
    name_uses.dedup();
    name_uses
}

/// Returns the number of references.
pub fn count_references(graph: &EditorGraph<'_>, symbols: &[SymbolId]) -> usize {
    let is_package = |&symbol: &SymbolId| graph.query.kind(symbol) == NodeKind::Package;
    if symbols.iter().any(is_package) {
        // An import may be recorded as a statement and as a use at the same position.
        return references(graph, symbols).len();
    }
    let by_declaration = merged_neighbours(graph, symbols, Operation::References, |symbol| {
        operations::references_of(&graph.query, symbol)
    });
    by_declaration.iter().map(|(_, links)| links.len()).sum()
}

/// Returns the neighbours of those symbols that an operation takes, each once, with one link
/// per position.
fn merged_neighbours(
    graph: &EditorGraph<'_>,
    symbols: &[SymbolId],
    operation: Operation,
    step: impl Fn(SymbolId) -> Vec<(SymbolId, Vec<Link>)>,
) -> Vec<(SymbolId, Vec<Link>)> {
    let query = &graph.query;
    let rules = operation.target_rules();
    let taken = symbols.iter().copied();
    let mut taken = taken.filter(|&symbol| targets::takes(query, &rules, symbol));
    let found = taken.next().map_or_else(Vec::new, &step);
    let Some(second) = taken.next() else {
        return found;
    };
    let mut links = Links::default();
    let others = step(second).into_iter().chain(taken.flat_map(&step));
    for (neighbour, own) in found.into_iter().chain(others) {
        own.into_iter().for_each(|link| links.add(neighbour, link));
    }
    links.finish()
}

fn neighbours(graph: &EditorGraph<'_>, neighbours: Vec<(SymbolId, Vec<Link>)>) -> Vec<Neighbour> {
    let rows = operations::listed(&graph.query, neighbours).into_iter();
    let neighbours = rows.map(|row| {
        graph.query.db.unwind_if_cancelled();
        Neighbour {
            symbol: row.symbol,
            sites: name_uses(graph, row.links),
        }
    });
    neighbours.collect()
}
