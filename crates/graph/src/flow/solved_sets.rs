//! What was solved, with its size: the values of nodes and the nodes of values, oldest first.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::merged::{FlowNodeId, FlowValueId};
use super::reached_nodes::ReachedNodes;

/// The nodes that values reach.
#[derive(Default)]
pub(super) struct ReachedByValue {
    pub(super) nodes: FxHashMap<FlowValueId, Arc<ReachedNodes>>,
    /// The values in the order in which they were solved.
    order: Vec<FlowValueId>,
    pub(super) bytes: usize,
}

impl ReachedByValue {
    /// Remembers the nodes of a value.
    pub(super) fn insert(&mut self, value: FlowValueId, nodes: Arc<ReachedNodes>) {
        let bytes = nodes.bytes() + ENTRY_BYTES;
        if self.nodes.insert(value, nodes).is_none() {
            self.order.push(value);
            self.bytes += bytes;
        }
    }

    /// Returns what was solved last, of at most so many bytes.
    pub(super) fn newest(&self, budget: usize) -> ReachedByValue {
        let mut kept = ReachedByValue::default();
        for value in self.order.iter().rev() {
            if let Some(nodes) = self.nodes.get(value) {
                if kept.bytes + nodes.bytes() + ENTRY_BYTES > budget {
                    break;
                }
                kept.insert(*value, nodes.clone());
            }
        }
        kept.order.reverse();
        kept
    }
}

/// The bytes of an entry of a map of solutions, without what it points to.
const ENTRY_BYTES: usize = 40;

/// The value sets of solved nodes.
#[derive(Default)]
pub(super) struct SolvedNodes {
    pub(super) values: FxHashMap<FlowNodeId, ValueSet>,
    /// Interned sets: equal sets are one allocation.
    sets: FxHashSet<ValueSet>,
    /// Filtered sets by the address of the source set, which lives as long as this table.
    pub(super) filtered: FxHashMap<(usize, u32), ValueSet>,
    /// The nodes in the order in which they were solved.
    order: Vec<FlowNodeId>,
    /// The bytes of `sets`.
    bytes: usize,
}

/// Value numbers in ascending order.
pub(super) type ValueSet = Arc<[FlowValueId]>;

impl SolvedNodes {
    /// Returns the interned set that equals `set`.
    pub(super) fn intern(&mut self, set: ValueSet) -> ValueSet {
        match self.sets.get(&set) {
            Some(known) => known.clone(),
            None => {
                self.bytes += size_of_val(&set[..]) + ENTRY_BYTES;
                self.sets.insert(set.clone());
                set
            }
        }
    }

    /// Remembers the values at a node.
    pub(super) fn insert(&mut self, node: FlowNodeId, set: ValueSet) {
        let set = self.intern(set);
        if self.values.insert(node, set).is_none() {
            self.order.push(node);
        }
    }

    /// Returns how much memory all of it takes, about.
    pub(super) fn total_bytes(&self) -> usize {
        self.bytes + (self.values.len() + self.filtered.len()) * ENTRY_BYTES
    }

    /// Returns what was solved last, of at most so many bytes.
    pub(super) fn newest(&self, budget: usize) -> SolvedNodes {
        let mut kept = SolvedNodes::default();
        for node in self.order.iter().rev() {
            if let Some(set) = self.values.get(node) {
                let mut bytes = ENTRY_BYTES;
                if !kept.sets.contains(set) {
                    bytes += size_of_val(&set[..]) + ENTRY_BYTES;
                }
                if kept.total_bytes() + bytes > budget {
                    break;
                }
                kept.insert(*node, set.clone());
            }
        }
        kept.order.reverse();
        kept
    }
}
