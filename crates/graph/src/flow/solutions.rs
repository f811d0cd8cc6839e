//! What was solved in a flow graph, under a budget.
//!
//! Solutions are kept for later questions. A question takes hold of them where it begins and keeps
//! them to its end; between questions a new set is made without the oldest, so that nothing vanishes
//! while it is used. All of it can be solved again, so a budget changes no answer:
//!
//! ```text
//! question 1  solves a, b                 a b
//! question 2  holds a b, solves c         a b c      over the budget at its end
//! question 3                              b c        a is solved again if it is needed
//! ```

use std::sync::{Arc, OnceLock};

use codeweft_db::{NameId, Reason};
use rustc_hash::FxHashSet;

use super::graph::{CallGoal, MatchingValues};
use super::merged::{FlowNodeId, FlowValueId};
use super::solve::SolvedSets;
use crate::memo::Memo;

/// Solutions that stay valid as long as the graph and the types are the same.
#[derive(Default)]
pub(crate) struct Solutions {
    pub(super) solved: SolvedSets,
    /// The nodes that dispatch links to the node of a parameter or result; `true` means backward.
    pub(super) linked: Memo<(FlowNodeId, bool), Arc<[FlowNodeId]>>,
    pub(super) matching_values: Memo<(NameId, CallGoal), Arc<MatchingValues>>,
    pub(super) escapes: OnceLock<Arc<[(FlowNodeId, Reason)]>>,
    /// The values at any node of `escapes`.
    pub(super) escaping_values: OnceLock<FxHashSet<FlowValueId>>,
}

/// The part of the budget that is kept of solutions that exceed it, in quarters: the next questions
/// do not exceed it at once.
const KEPT_QUARTERS: usize = 3;

/// The bytes of an entry of `linked`, without its list.
const LINKED_BYTES: usize = 48;

impl Solutions {
    /// Returns how much memory they take, about.
    pub(super) fn bytes(&self) -> usize {
        let matching = self.matching_values.lock();
        let matching = matching.values().map(|values| values.bytes());
        let matching: usize = matching.sum();
        let linked = self.linked.lock().len() * LINKED_BYTES;
        self.solved.bytes() + matching + linked
    }

    /// Returns the newest of them if all exceed a number of bytes.
    pub(super) fn within(&self, budget: usize) -> Option<Solutions> {
        if self.bytes() <= budget {
            return None;
        }
        let kept = Solutions {
            solved: self.solved.newest(budget / 4 * KEPT_QUARTERS),
            ..Solutions::default()
        };
        if let Some(escapes) = self.escapes.get() {
            kept.escapes.get_or_init(|| escapes.clone());
        }
        Some(kept)
    }
}

/// How many bytes of solutions are kept for each thousand bytes of source text.
const DEFAULT_PER_MILLE: usize = 500;

/// Solutions of so many bytes are kept without looking at the size of the source texts.
pub(super) const ALWAYS_KEPT: usize = 1 << 20;

/// The bound on the memory of solutions between questions.
pub(crate) struct SolutionBudget {
    /// Bytes for each thousand bytes of source text.
    pub(crate) per_mille: usize,
    /// The bytes of source text, counted when they are first needed.
    source: OnceLock<usize>,
}

impl Default for SolutionBudget {
    fn default() -> SolutionBudget {
        SolutionBudget::per_mille(DEFAULT_PER_MILLE)
    }
}

impl SolutionBudget {
    /// Creates a budget of so many bytes for each thousand bytes of source text.
    pub(crate) fn per_mille(per_mille: usize) -> SolutionBudget {
        SolutionBudget {
            per_mille,
            source: OnceLock::new(),
        }
    }

    /// Returns the bytes that may be kept; `source` returns the bytes of source text.
    pub(super) fn bytes(&self, source: impl FnOnce() -> usize) -> usize {
        self.source.get_or_init(source) / 1_000 * self.per_mille
    }
}
