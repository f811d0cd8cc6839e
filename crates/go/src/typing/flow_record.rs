//! The part of the value flow graph that a walk collects.

use codeweft_db::{
    FlowEdge, FlowInstance, FlowNode, FlowSite, FlowSource, FlowValue, Flows, SymbolId, distinct,
};
use rustc_hash::FxHashSet;

/// The value flow found so far.
#[derive(Default)]
pub struct FlowRecord {
    pub(super) edges: Vec<FlowEdge>,
    pub(super) sources: Vec<FlowSource>,
    pub(super) sites: Vec<FlowSite>,
    pub(super) instances: FxHashSet<FlowInstance>,
    pub(super) literals: Vec<(SymbolId, u32)>,
    /// Functions that are already linked to a signature.
    pub(super) linked: FxHashSet<(SymbolId, u32)>,
}

impl FlowRecord {
    /// Removes the source of an unknown value for a node if that was recorded last.
    pub(super) fn drop_unknown(&mut self, node: FlowNode) {
        let is_last = self
            .sources
            .last()
            .is_some_and(|last| last.to == node && matches!(last.value, FlowValue::Unknown(_)));
        if is_last {
            self.sources.pop();
        }
    }

    /// Returns the fragment, with each list sorted and distinct, and empties the record.
    pub fn take(&mut self) -> Flows {
        let FlowRecord {
            edges,
            sources,
            sites,
            instances,
            literals,
            linked: _,
        } = std::mem::take(self);
        Flows {
            edges: distinct(edges),
            sources: distinct(sources),
            sites: distinct(sites),
            instances: distinct(instances.into_iter().collect()),
            literals: distinct(literals),
        }
    }
}
