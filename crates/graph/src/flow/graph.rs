//! The flow graph of a language with what was solved in it, kept from revision to revision.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use codeweft_db::{FileFlows, Lang, NameId, SymbolId, Unit};
use rustc_hash::FxHashMap;

use super::dispatch_table::DispatchTable;
use super::instances::InstanceLinks;
use super::merged::{FlowValueId, MergedFlowGraph};
use super::reached_nodes::ReachedNodes;
use super::solutions::{SolutionBudget, Solutions};
use crate::fan_out::FanOut;
use crate::memo::{Garbage, Memo, SymbolMemo, locked};
use crate::type_graph::table::JoinedTypes;

/// A flow graph with what was solved in it.
pub(crate) type HeldFlowGraph = (Arc<FlowGraph>, Arc<Solutions>);

/// The flow graphs of one revision.
#[derive(Default)]
pub(crate) struct FlowMemos {
    /// The graphs, by language. One is made under the lock, from the one of an earlier revision.
    pub(super) graphs: Memo<Lang, Arc<FlowGraph>>,
    /// The graphs of an earlier revision, until the first query patches them to this one.
    pub(super) previous: Memo<Lang, Arc<FlowGraph>>,
    /// The bound on what is solved and kept.
    pub(crate) budget: SolutionBudget,
}

impl FlowMemos {
    /// Returns the memos of the next revision.
    pub(crate) fn next(self) -> (FlowMemos, Garbage) {
        let mut previous = self.previous.into_map();
        previous.extend(self.graphs.into_map());
        let outdated: Vec<Garbage> = previous
            .values()
            .flat_map(|graph| std::mem::take(&mut *locked(&graph.outdated)))
            .collect();
        let next = FlowMemos {
            previous: previous.into(),
            ..FlowMemos::with_budget(self.budget.per_mille)
        };
        (next, Box::new(outdated))
    }

    /// Creates empty memos that keep at most so many bytes of solutions for each thousand bytes of
    /// source text.
    pub(crate) fn with_budget(per_mille: usize) -> FlowMemos {
        FlowMemos {
            budget: SolutionBudget::per_mille(per_mille),
            ..FlowMemos::default()
        }
    }

    /// Takes out what questions have computed and can compute again. Those that run keep what they
    /// hold.
    pub(crate) fn give_back(&self) -> Garbage {
        let of_memo = |memo: &Memo<Lang, Arc<FlowGraph>>| -> Vec<Garbage> {
            let graphs: Vec<_> = memo.lock().values().cloned().collect();
            graphs.iter().map(|graph| graph.give_back()).collect()
        };
        Box::new((of_memo(&self.graphs), of_memo(&self.previous)))
    }
}

/// The flow graph of one language at one revision, with what was solved in it.
pub(crate) struct FlowGraph {
    pub(super) merged: MergedFlowGraph,
    pub(super) instances: InstanceLinks,
    /// The types and interfaces that `hierarchy` was computed from.
    pub(super) types: Arc<JoinedTypes>,
    pub(super) hierarchy: DispatchCaches,
    pub(super) relation: DispatchRelation,
    /// Another one for each graph with other calls, values or types.
    pub(super) version: u64,
    /// What was solved so far; a question holds what it began with.
    solutions: Mutex<Arc<Solutions>>,
    /// What the patch to this revision made invalid. To drop it takes as long as to patch, so it waits for the next revision,
    /// which hands it to another thread.
    outdated: Mutex<Vec<Garbage>>,
}

/// The versions of graphs that were given.
static VERSIONS: AtomicU64 = AtomicU64::new(1);

/// Properties of methods and types that stay valid as long as the types are the same.
#[derive(Default)]
pub(super) struct DispatchCaches {
    /// By rows, in one step.
    pub(super) dispatch_targets: SymbolMemo,
    pub(super) dispatched_from: SymbolMemo,
    pub(super) names: Memo<SymbolId, NameId>,
    pub(super) tables: Memo<NameId, Arc<DispatchTable>>,
    pub(super) passes: Memo<(u32, u32), bool>,
}

impl FlowGraph {
    /// Returns what was solved so far.
    pub(super) fn solutions(&self) -> Arc<Solutions> {
        locked(&self.solutions).clone()
    }

    /// Replaces what was solved so far, for later questions; returns the old ones.
    pub(super) fn set_solutions(&self, solutions: Solutions) -> Arc<Solutions> {
        std::mem::replace(&mut *locked(&self.solutions), Arc::new(solutions))
    }

    /// Takes out what questions have computed and can compute again.
    fn give_back(&self) -> Garbage {
        let outdated = std::mem::take(&mut *locked(&self.outdated));
        let solutions = self.set_solutions(Solutions::default());
        let tables = self.hierarchy.tables.take();
        let passes = self.hierarchy.passes.take();
        Box::new((outdated, solutions, tables, passes))
    }

    /// Returns whether a value begins at any node; numbers of values that no longer begin anywhere
    /// are not reused.
    pub(super) fn is_live(&self, value: FlowValueId) -> bool {
        !self.merged.starts[value as usize].is_empty() || !self.instances.starts(value).is_empty()
    }

    /// Creates the graph of these units by patching an earlier revision's, if there is one, and
    /// drops the memos that the patch invalidates. Without `types`, as in languages whose types are checked when the code runs,
    /// the memos are those of one revision.
    pub(super) fn next(
        fan_out: &FanOut<'_>,
        lang: Lang,
        previous: Option<FlowGraph>,
        units: &[(Unit, Arc<[FileFlows]>)],
        types: Option<Arc<JoinedTypes>>,
    ) -> FlowGraph {
        let has_types = types.is_some();
        let types = types.unwrap_or_default();
        let mut flow = previous.unwrap_or_else(|| FlowGraph {
            merged: MergedFlowGraph::default(),
            instances: InstanceLinks::default(),
            types: types.clone(),
            hierarchy: DispatchCaches::default(),
            relation: DispatchRelation::default(),
            version: 0,
            solutions: Mutex::default(),
            outdated: Mutex::default(),
        });
        let mut outdated: Vec<Garbage> = Vec::new();
        let changed = flow.merged.patch(units);
        let same_types = Arc::ptr_eq(&flow.types, &types);
        if !same_types {
            flow.types = types;
            outdated.push(Box::new(std::mem::take(&mut flow.hierarchy)));
        }
        let has_other_types = has_types && !same_types;
        if changed.graph || changed.calls || has_other_types || flow.version == 0 {
            flow.version = VERSIONS.fetch_add(1, Ordering::Relaxed);
        }
        if changed.graph || changed.calls || !same_types {
            outdated.push(Box::new(std::mem::take(&mut flow.relation)));
        }
        if changed.graph || !same_types {
            outdated.push(Box::new(flow.set_solutions(Solutions::default())));
            if changed.instances || !same_types {
                flow.instances = InstanceLinks::default();
            }
            flow.instances.add(fan_out, lang, &mut flow.merged);
        }
        locked(&flow.outdated).extend(outdated);
        flow
    }
}

/// The memoised relation; valid as long as the graph, its calls and the types are the same.
#[derive(Default)]
pub(super) struct DispatchRelation {
    pub(super) dispatch_targets: SymbolMemo,
    pub(super) dispatched_from: SymbolMemo,
    pub(super) called: OnceLock<FxHashMap<NameId, Vec<SymbolId>>>,
}

/// The goal of a search for calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum CallGoal {
    /// Calls that run this method.
    Runs(SymbolId),
    /// Calls that this unknown value reaches.
    Unknown(FlowValueId),
}

/// The values on which a call runs the goal.
pub(super) struct MatchingValues {
    pub(super) values: Vec<FlowValueId>,
    /// The nodes that any of them reaches.
    pub(super) reached: Arc<ReachedNodes>,
}

impl MatchingValues {
    /// Returns how much memory they take, about.
    pub(super) fn bytes(&self) -> usize {
        size_of::<MatchingValues>() + size_of_val(&self.values[..]) + self.reached.bytes()
    }
}
