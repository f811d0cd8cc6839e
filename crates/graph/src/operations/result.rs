//! The result of an operation, before filters.

use codeweft_db::SymbolId;

use super::caller_walk::CallerWalk;
use super::literal_calls::LiteralCalls;
use super::traversal::{Traversal, VisitedNode};
use crate::answer::GraphResult;
use crate::completeness::unresolved_sites::UnresolvedSites;
use crate::link::Link;
use crate::query_context::QueryContext;
use crate::rendering::filtering::ResultRow;
use crate::symbols;
use crate::targets_of_sites::TargetsOfSites;

/// Completeness is computed for at most this many nodes of a traversal.
pub const MAX_COMPLETENESS_NODES: usize = 1_000;

/// The result of an operation, before filters.
pub(crate) struct OperationResult {
    /// The rows, in the order of the answer.
    pub(crate) rows: Vec<ResultRow>,
    /// The walk that has the links of rows whose sites are only counted.
    pub(crate) caller_walk: CallerWalk,
    /// The cycles of a traversal.
    pub(crate) cycles: Vec<Vec<String>>,
    /// The number of cycles.
    pub(crate) cycles_total: u32,
    /// Whether a traversal stopped at its node limit.
    pub(crate) bounded: bool,
    /// The unresolved sites that could belong to the answer.
    pub(crate) unresolved: UnresolvedSites,
    /// The noun for no result, if it is not that of the operation.
    pub(crate) none: Option<&'static str>,
    /// Whether the rows are listed as they are, without filters and limits.
    pub(crate) unfiltered: bool,
    /// Results without a symbol, already printed.
    pub(crate) printed: Vec<GraphResult>,
    /// `Some(n)`: completeness was computed for the first `n` nodes only.
    pub(crate) partial: Option<u32>,
    /// For several targets: which of them each site belongs to.
    pub(crate) targets_of_sites: TargetsOfSites,
    /// The hidden calls of function literals.
    pub(crate) literal_calls: LiteralCalls,
}

impl OperationResult {
    /// Creates the result of an operation without levels.
    pub(crate) fn list(rows: Vec<ResultRow>, unresolved: UnresolvedSites) -> OperationResult {
        OperationResult {
            rows,
            caller_walk: CallerWalk::default(),
            cycles: Vec::new(),
            cycles_total: 0,
            bounded: false,
            unresolved,
            none: None,
            unfiltered: false,
            printed: Vec::new(),
            partial: None,
            targets_of_sites: TargetsOfSites::default(),
            literal_calls: LiteralCalls::default(),
        }
    }

    /// Creates the result of a traversal.
    pub(crate) fn from_traversal(
        traversal: Traversal,
        unresolved: UnresolvedSites,
    ) -> OperationResult {
        let rows = traversal.listed.into_iter().map(ResultRow::from).collect();
        OperationResult {
            cycles: traversal.cycles,
            cycles_total: traversal.cycles_total,
            bounded: traversal.bounded,
            ..OperationResult::list(rows, unresolved)
        }
    }
}

impl From<VisitedNode> for ResultRow {
    fn from(listed: VisitedNode) -> ResultRow {
        ResultRow {
            depth: Some(listed.depth),
            links: listed.links,
            counted: listed.counted,
            ..ResultRow::plain(listed.symbol)
        }
    }
}

/// Turns neighbours into rows, ordered by id.
pub(crate) fn listed(
    query: &QueryContext<'_>,
    neighbours: Vec<(SymbolId, Vec<Link>)>,
) -> Vec<ResultRow> {
    let mut rows: Vec<ResultRow> = neighbours
        .into_iter()
        .map(|(symbol, links)| ResultRow {
            links,
            ..ResultRow::plain(symbol)
        })
        .collect();
    rows.sort_by_cached_key(|row| (query.lang(row.symbol), symbols::id(query, row.symbol)));
    rows
}
