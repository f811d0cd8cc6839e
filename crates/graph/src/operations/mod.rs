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
const MOST_ASKED: usize = 1_000;

/// What an operation found, before filters.
pub(crate) struct OperationResult {
    /// In the order of the answer.
    pub(crate) drafts: Vec<ResultRow>,
    /// Rings of a walk.
    pub(crate) rings: Vec<Vec<String>>,
    /// How many rings there are.
    pub(crate) rings_total: u32,
    /// Whether a walk ended at its bound.
    pub(crate) bounded: bool,
    /// What could still belong to it.
    pub(crate) openings: UnresolvedSites,
    /// How it is spoken of.
    pub(crate) speech: AnswerNouns,
    /// Whether filters and cuts apply.
    pub(crate) whole: bool,
    /// Results that are no symbols, printed already.
    pub(crate) printed: Vec<GraphResult>,
    /// Of only so many nodes it was asked what could still belong to the answer.
    pub(crate) partial: Option<u32>,
    /// Where there are several targets: which of them the sites are of.
    pub(crate) aims: TargetsOfSites,
}

impl OperationResult {
    /// A plain list.
    pub(crate) fn list(
        drafts: Vec<ResultRow>,
        openings: UnresolvedSites,
        speech: AnswerNouns,
    ) -> OperationResult {
        OperationResult {
            drafts,
            rings: Vec::new(),
            rings_total: 0,
            bounded: false,
            openings,
            speech,
            whole: false,
            printed: Vec::new(),
            partial: None,
            aims: TargetsOfSites::default(),
        }
    }

    /// The end of a walk.
    pub(crate) fn walk(
        walk: Traversal,
        openings: UnresolvedSites,
        speech: AnswerNouns,
    ) -> OperationResult {
        let drafts = walk.listed.into_iter().map(ResultRow::from).collect();
        OperationResult {
            rings: walk.rings,
            rings_total: walk.rings_total,
            bounded: walk.bounded,
            ..OperationResult::list(drafts, openings, speech)
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
        let mut drafts: Vec<ResultRow> = neighbours
            .into_iter()
            .map(|(symbol, links)| ResultRow {
                links,
                ..ResultRow::plain(symbol)
            })
            .collect();
        drafts.sort_by_cached_key(|draft| (self.lang(draft.symbol), self.id(draft.symbol)));
        drafts
    }
}
