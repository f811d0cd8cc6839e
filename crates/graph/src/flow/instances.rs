//! Generic code in the flow graph.
//!
//! A node whose type mentions a type parameter represents one node per instance. Values flow
//! between the two:
//!
//! ```go
//! func each[T Shape](list []T) { for _, x := range list { x.Area() } }
//! each[Square](squares)   // T = Square: elements of []T are linked with elements of []Square
//! ```

use codeweft_db::{FlowInstantiated, FlowNode, FlowValue, Lang, NONE, Reason, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::merged::{EdgeEnd, FlowNodeId, FlowValueId, MergedFlowGraph};
use crate::fan_out::FanOut;

/// A node with more instances than this may hold any value.
const MAX_INSTANCE_LINKS: usize = 10_000;

/// Type arguments that contain type parameters are substituted at most this often; deeper nodes may
/// hold any value.
const MAX_SUBSTITUTIONS: u32 = 8;

/// The number of nodes that one job instantiates.
const CHUNK_SIZE: usize = 256;

/// The edges between generic nodes and their instances.
#[derive(Default)]
pub(super) struct InstanceLinks {
    /// The edges by target and by source.
    preds: FxHashMap<FlowNodeId, Vec<EdgeEnd>>,
    succs: FxHashMap<FlowNodeId, Vec<EdgeEnd>>,
    /// The values of concrete types that a generic node holds in an instance.
    values: FxHashMap<FlowNodeId, Vec<FlowValueId>>,
    /// The inverse of `values`.
    starts: FxHashMap<FlowValueId, Vec<FlowNodeId>>,
    /// The nodes that were instantiated already.
    visited: FxHashSet<FlowNodeId>,
}

/// The instances of a node; `None` if there are too many.
type InstanceNodes = Option<Vec<FlowInstantiated>>;

impl InstanceLinks {
    /// Adds the edges of all nodes that were not instantiated yet.
    pub(super) fn add(&mut self, fan_out: &FanOut<'_>, lang: Lang, merged: &mut MergedFlowGraph) {
        if merged.instances.is_empty() {
            return;
        }
        let mut pending = merged.shared();
        pending.retain(|(node, _)| !self.visited.contains(node));
        let mut substituted = 0;
        while !pending.is_empty() {
            let chunks: Vec<&[(FlowNodeId, FlowNode)]> = pending.chunks(CHUNK_SIZE).collect();
            let linked = fan_out.map(&chunks, |languages, db, chunk| {
                let language = languages.of(lang);
                let keys = chunk.iter().map(|&(_, key)| match language {
                    Some(language) => linked(language, db, merged, key),
                    None => Some(Vec::new()),
                });
                keys.collect::<Vec<InstanceNodes>>()
            });
            let linked = linked.into_iter().flatten();
            let mut next = Vec::new();
            for (&(node, _), linked) in pending.iter().zip(linked) {
                self.visited.insert(node);
                match linked.filter(|linked| linked.is_empty() || substituted < MAX_SUBSTITUTIONS) {
                    Some(linked) => self.link(merged, node, linked, &mut next),
                    None => self.begin(merged, node, FlowValue::Unknown(Reason::UnknownReceiver)),
                }
            }
            pending = next;
            substituted += 1;
        }
    }

    fn link(
        &mut self,
        merged: &mut MergedFlowGraph,
        node: FlowNodeId,
        linked: Vec<FlowInstantiated>,
        next: &mut Vec<(FlowNodeId, FlowNode)>,
    ) {
        for instantiated in linked {
            match instantiated {
                FlowInstantiated::Node(key, _) | FlowInstantiated::From(key) => {
                    let other = merged.intern(key);
                    self.edge(other, node, NONE);
                    if let FlowInstantiated::Node(_, pass) = instantiated {
                        self.edge(node, other, pass);
                    }
                    if !self.visited.contains(&other) && !next.contains(&(other, key)) {
                        next.push((other, key));
                    }
                }
                FlowInstantiated::Value(value) => self.begin(merged, node, value),
                FlowInstantiated::Nothing => {}
            }
        }
    }

    fn edge(&mut self, from: FlowNodeId, to: FlowNodeId, pass: u32) {
        if from != to {
            let edge = |node| EdgeEnd { node, pass };
            self.preds.entry(to).or_default().push(edge(from));
            self.succs.entry(from).or_default().push(edge(to));
        }
    }

    fn begin(&mut self, merged: &mut MergedFlowGraph, node: FlowNodeId, value: FlowValue) {
        let value = merged.intern_value(value);
        self.values.entry(node).or_default().push(value);
        self.starts.entry(value).or_default().push(node);
    }

    /// Returns the edges into or out of a node.
    pub(super) fn edges(&self, node: FlowNodeId, backward: bool) -> &[EdgeEnd] {
        let edges = if backward { &self.preds } else { &self.succs };
        edges.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Returns the values that a node holds in instances.
    pub(super) fn values(&self, node: FlowNodeId) -> &[FlowValueId] {
        self.values.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Returns the nodes that hold a value in instances.
    pub(super) fn starts(&self, value: FlowValueId) -> &[FlowNodeId] {
        self.starts.get(&value).map_or(&[], Vec::as_slice)
    }
}

/// Returns what a node is in the instances of the declarations whose type parameters it mentions.
fn linked(
    language: &dyn codeweft_db::Language,
    db: &dyn codeweft_db::Db,
    merged: &MergedFlowGraph,
    key: FlowNode,
) -> InstanceNodes {
    let mut found = Vec::new();
    let owners: Vec<SymbolId> = language.flow_owners(db, key).into_iter().collect();
    for owner in owners {
        let Some(instances) = merged.instances.of(owner) else {
            continue;
        };
        if found.len() + instances.len() > MAX_INSTANCE_LINKS {
            return None;
        }
        for args in instances.keys() {
            let one = language.flow_instantiate(db, key, owner, args);
            if one != FlowInstantiated::Nothing {
                found.push(one);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    Some(found)
}
