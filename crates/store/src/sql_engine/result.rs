//! What an operation found, before filters.

use super::links::{LiteralCalls, ResultRow, TargetsOfSites};
use super::open_sites::OpenSites;
use super::walk::Walked;

/// The greatest depth that the engine walks.
pub(super) const STEPS: u32 = 6;

/// What an operation found, before filters.
#[derive(Default)]
pub(super) struct Answer {
    /// The rows, in the order of the answer.
    pub(super) rows: Vec<ResultRow>,
    /// The cycles of a walk.
    pub(super) cycles: Vec<Vec<String>>,
    /// The number of cycles.
    pub(super) cycles_total: u32,
    /// Whether a walk ended at its limit.
    pub(super) bounded: bool,
    /// The sites that could belong to the answer.
    pub(super) open: OpenSites,
    /// The noun for no result, if it is not that of the operation.
    pub(super) none: Option<&'static str>,
    /// Whether the rows are listed as they are, without filters and limits.
    pub(super) unfiltered: bool,
    /// `Some(n)`: completeness was computed for the first `n` nodes only.
    pub(super) partial: Option<u32>,
    /// For several targets: which of them each site belongs to.
    pub(super) targets_of_sites: TargetsOfSites,
    /// The hidden calls of function literals.
    pub(super) literal_calls: LiteralCalls,
    /// Whether libraries could add what the database does not have.
    pub(super) lacks_libraries: bool,
    /// Whether the depth was cut to what the engine walks, and more could have been found below it.
    pub(super) lacks_steps: bool,
    /// Whether that makes the answer a part of what the request wants.
    pub(super) cut: bool,
}

impl Answer {
    /// Returns the rows of an operation without levels.
    pub(super) fn list(rows: Vec<ResultRow>, open: OpenSites) -> Answer {
        Answer {
            rows,
            open,
            ..Answer::default()
        }
    }

    /// Returns the rows of a walk.
    pub(super) fn of_walk(walked: Walked, open: OpenSites) -> Answer {
        Answer {
            rows: walked.listed,
            cycles: walked.cycles,
            cycles_total: walked.cycles_total,
            bounded: walked.bounded,
            open,
            ..Answer::default()
        }
    }
}
