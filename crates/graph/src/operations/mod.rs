//! The operations, one module per family. [`operation_table`] lists them.

mod calls;
mod declarations;
mod impact;
mod imports;
mod types;
pub(crate) mod uses;

use codeweft_db::SymbolId;

use crate::answer::{ApiError, GraphRequest, GraphResult, Operation, operation_table};
use crate::filtering::ResultRow;
use crate::query_context::QueryContext;
use crate::targets::Target;
use crate::targets_of_sites::TargetsOfSites;
use crate::traversal::Traversal;
use crate::unresolved_sites::UnresolvedSites;

/// Completeness is computed for at most this many nodes of a traversal.
const MAX_COMPLETENESS_NODES: usize = 1_000;

/// The result of an operation, before filters.
pub(crate) struct OperationResult {
    /// The rows, in the order of the answer.
    pub(crate) rows: Vec<ResultRow>,
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
}

impl OperationResult {
    /// Creates the result of an operation without levels.
    pub(crate) fn list(rows: Vec<ResultRow>, unresolved: UnresolvedSites) -> OperationResult {
        OperationResult {
            rows,
            cycles: Vec::new(),
            cycles_total: 0,
            bounded: false,
            unresolved,
            none: None,
            unfiltered: false,
            printed: Vec::new(),
            partial: None,
            targets_of_sites: TargetsOfSites::default(),
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

/// The function of an operation.
type Run = fn(&QueryContext<'_>, &GraphRequest, &Target) -> Result<OperationResult, ApiError>;

impl QueryContext<'_> {
    /// Runs the operation of a request.
    pub(crate) fn run(
        &self,
        request: &GraphRequest,
        target: &Target,
    ) -> Result<OperationResult, ApiError> {
        macro_rules! call {
            ($($variant:ident($name:literal) { spec: $spec:expr, run: $run:expr, })*) => {
                match request.operation {
                    $(Operation::$variant => {
                        let run: Run = $run;
                        run(self, request, target)
                    })*
                }
            };
        }
        operation_table!(call)
    }

    /// Turns neighbours into rows, ordered by id.
    pub(crate) fn listed(
        &self,
        neighbours: Vec<(SymbolId, Vec<crate::link::Link>)>,
    ) -> Vec<ResultRow> {
        let mut rows: Vec<ResultRow> = neighbours
            .into_iter()
            .map(|(symbol, links)| ResultRow {
                links,
                ..ResultRow::plain(symbol)
            })
            .collect();
        rows.sort_by_cached_key(|row| (self.lang(row.symbol), self.id(row.symbol)));
        rows
    }
}
