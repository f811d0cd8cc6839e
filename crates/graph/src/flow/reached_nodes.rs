//! Sets of nodes: what a value reaches.

use std::sync::Arc;

use super::merged::FlowNodeId;
use super::solve::distinct;

/// The nodes that a value reaches.
pub(crate) enum ReachedNodes {
    /// A sorted list.
    Few(Box<[FlowNodeId]>),
    /// One bit per node number.
    Many(Box<[u64]>),
}

impl ReachedNodes {
    /// Creates a set from an ascending list, in the smaller representation.
    pub(super) fn new(nodes: Vec<FlowNodeId>) -> ReachedNodes {
        let bound = nodes.last().map_or(0, |&last| last as usize + 1);
        if nodes.len() < bound.div_ceil(32) {
            return ReachedNodes::Few(nodes.into());
        }
        let mut bits = vec![0; bound.div_ceil(64)];
        for node in nodes {
            bits[node as usize / 64] |= 1 << (node % 64);
        }
        ReachedNodes::Many(bits.into())
    }

    /// Returns how much memory the set takes, about.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            ReachedNodes::Few(nodes) => size_of_val(&nodes[..]),
            ReachedNodes::Many(words) => size_of_val(&words[..]),
        }
    }

    /// Returns the union of several sets.
    pub(crate) fn union(mut all: Vec<Arc<ReachedNodes>>) -> Arc<ReachedNodes> {
        if all.len() == 1 {
            return all.remove(0);
        }
        let few: Option<Vec<&[FlowNodeId]>> = all
            .iter()
            .map(|reached| match &**reached {
                ReachedNodes::Few(nodes) => Some(&**nodes),
                ReachedNodes::Many(_) => None,
            })
            .collect();
        if let Some(few) = few {
            return Arc::new(ReachedNodes::new(distinct(few.concat())));
        }
        let mut bits: Vec<u64> = Vec::new();
        let mut add = |word: usize, more: u64| {
            if bits.len() <= word {
                bits.resize(word + 1, 0);
            }
            bits[word] |= more;
        };
        for reached in &all {
            match &**reached {
                ReachedNodes::Few(nodes) => {
                    nodes
                        .iter()
                        .for_each(|node| add(*node as usize / 64, 1 << (node % 64)));
                }
                ReachedNodes::Many(words) => {
                    words
                        .iter()
                        .enumerate()
                        .for_each(|(at, &word)| add(at, word));
                }
            }
        }
        Arc::new(ReachedNodes::Many(bits.into()))
    }

    /// Returns whether a node is in the set.
    pub(crate) fn contains(&self, node: FlowNodeId) -> bool {
        match self {
            ReachedNodes::Few(nodes) => nodes.binary_search(&node).is_ok(),
            ReachedNodes::Many(bits) => {
                let word = bits.get(node as usize / 64);
                word.is_some_and(|word| word >> (node % 64) & 1 == 1)
            }
        }
    }

    /// Returns all nodes in ascending order.
    pub(crate) fn nodes(&self) -> Vec<FlowNodeId> {
        match self {
            ReachedNodes::Few(nodes) => nodes.to_vec(),
            ReachedNodes::Many(bits) => {
                let words = bits.iter().zip((0..).step_by(64));
                let ones = words.flat_map(|(&word, first)| {
                    (0..64)
                        .filter(move |bit| word >> bit & 1 == 1)
                        .map(move |bit| first + bit)
                });
                ones.collect()
            }
        }
    }
}
