//! The operations, one file a family.

mod calls;
mod declarations;
mod impact;
mod imports;
mod types;
pub(crate) mod uses;

use codeweft_db::SymbolId;

use crate::answer::{ApiError, GraphRequest, GraphResult, Operation};
use crate::completeness::UnresolvedSites;
use crate::filtering::ResultRow;
use crate::query_context::QueryContext;
use crate::targets::Target;
use crate::targets_of_sites::TargetsOfSites;
use crate::traversal::Traversal;
use crate::verdict::AnswerNouns;

/// Of how many nodes it is asked what could still belong to the answer.
const MAX_COMPLETENESS_NODES: usize = 1_000;

/// What an operation found, before filters.
pub(crate) struct OperationResult {
    /// In the order of the answer.
    pub(crate) rows: Vec<ResultRow>,
    /// Rings of a walk.
    pub(crate) cycles: Vec<Vec<String>>,
    /// How many rings there are.
    pub(crate) cycles_total: u32,
    /// Whether a walk ended at its bound.
    pub(crate) bounded: bool,
    /// What could still belong to it.
    pub(crate) unresolved: UnresolvedSites,
    /// How it is spoken of.
    pub(crate) nouns: AnswerNouns,
    /// Whether filters and cuts apply.
    pub(crate) whole: bool,
    /// Results that are no symbols, printed already.
    pub(crate) printed: Vec<GraphResult>,
    /// Of only so many nodes it was asked what could still belong to the answer.
    pub(crate) partial: Option<u32>,
    /// Where there are several targets: which of them the sites are of.
    pub(crate) targets_of_sites: TargetsOfSites,
}

impl OperationResult {
    /// A plain list.
    pub(crate) fn list(
        rows: Vec<ResultRow>,
        unresolved: UnresolvedSites,
        nouns: AnswerNouns,
    ) -> OperationResult {
        OperationResult {
            rows,
            cycles: Vec::new(),
            cycles_total: 0,
            bounded: false,
            unresolved,
            nouns,
            whole: false,
            printed: Vec::new(),
            partial: None,
            targets_of_sites: TargetsOfSites::default(),
        }
    }

    /// The end of a walk.
    pub(crate) fn walk(
        walk: Traversal,
        unresolved: UnresolvedSites,
        nouns: AnswerNouns,
    ) -> OperationResult {
        let rows = walk.listed.into_iter().map(ResultRow::from).collect();
        OperationResult {
            cycles: walk.cycles,
            cycles_total: walk.cycles_total,
            bounded: walk.bounded,
            ..OperationResult::list(rows, unresolved, nouns)
        }
    }
}

impl QueryContext<'_> {
    /// Runs the operation of a request.
    pub(crate) fn run(
        &self,
        request: &GraphRequest,
        target: &Target,
    ) -> Result<OperationResult, ApiError> {
        Ok(match request.operation {
            Operation::Callers => self.callers(request, target),
            Operation::Callees => self.callees(request, target),
            Operation::Dependencies => self.dependencies(request, target),
            Operation::Dependents => self.dependents(request, target),
            Operation::TypeUsages => self.type_usages(request, target),
            Operation::Implementations => self.implementations(target),
            Operation::Implements => self.implements(target),
            Operation::References => self.references(request, target),
            Operation::Definition => self.definition(request, target),
            Operation::Path => self.path(request, target)?,
            Operation::Impact => self.impact(request, target),
        })
    }

    /// Results of several lists of neighbours, in order of id.
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
