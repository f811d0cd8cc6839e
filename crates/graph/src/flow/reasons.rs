//! Explanations of flow results: the shortest chain from the origin of a value to a call.
//!
//! ```text
//! shapes.Square: app/main.go:12 (argument) -> parameter 1 of app.draw
//!     -> field shape of app.Canvas -> here
//! ```
//!
//! The distance of a value is found breadth first and memoised; the chain is then read off the
//! layers of nodes on shortest paths, choosing the smallest name in each layer so that the result
//! is deterministic.

use codeweft_db::{FlowNode, NONE, SymbolId};
use rustc_hash::FxHashSet;

use super::graph::ForwardReach;
use super::merged::{FlowNodeId, FlowValueId};
use super::names;
use super::names::ValueOrigin;
use super::queries::FlowQueries;
use super::sites::FlowCallSite;
use super::solve::ValueFlowGraph;

/// How many forward searches are kept.
const MAX_CACHED_REACHES: usize = 32;

/// How many nodes a printed chain names; a longer one is shortened in the middle.
const MAX_CHAIN_NODES: usize = 12;

impl FlowQueries<'_> {
    /// Returns the shortest chain that brings a target to a call; of several the first as printed.
    pub(crate) fn reason(&self, site: &FlowCallSite, target: SymbolId) -> Option<String> {
        let mut shortest: Vec<(FlowValueId, FlowNodeId)> = Vec::new();
        let mut steps = u32::MAX;
        let (values, ends) = self.values_and_ends(site, target)?;
        for &value in &values {
            for &end in ends.iter().filter(|&&end| self.any_reaches(&[value], end)) {
                let Some(distance) = self.distance(value, end) else {
                    continue;
                };
                if distance < steps {
                    shortest.clear();
                    steps = distance;
                }
                if distance == steps {
                    shortest.push((value, end));
                }
            }
        }
        let chains = shortest.into_iter();
        chains
            .filter_map(|(value, end)| self.chain(value, end, steps))
            .min()
    }

    /// Returns the values that run a target, and the nodes where such a value makes the call run
    /// it: the node of the call, and embedded fields of values there.
    fn values_and_ends(
        &self,
        site: &FlowCallSite,
        target: SymbolId,
    ) -> Option<(Vec<FlowValueId>, Vec<FlowNodeId>)> {
        let node = site.node?;
        let Some(method) = site.method else {
            let mut values = self.function_values(target);
            values.extend(self.literal_values(target));
            return Some((values, vec![node]));
        };
        let table = self.table(self.method_name(method), method);
        let mut ends = vec![node];
        let mut at = 0;
        while let Some(&end) = ends.get(at) {
            at += 1;
            for (field, values) in table.fields() {
                let field = self.flow.merged.node(FlowNode::Variable(field));
                if let Some(field) = field.filter(|field| !ends.contains(field))
                    && self.any_reaches(values, end)
                {
                    ends.push(field);
                }
            }
        }
        Some((table.values_of(target).to_vec(), ends))
    }

    /// Returns the distance of a value to a node, if it reaches it.
    fn distance(&self, value: FlowValueId, end: FlowNodeId) -> Option<u32> {
        self.with_forward_reach(value, |reach| {
            loop {
                if let Some(&distance) = reach.distances.get(&end) {
                    return Some(distance);
                }
                let node = reach.queue.pop_front()?;
                let distance = reach
                    .distances
                    .get(&node)
                    .map_or(0, |&distance| distance + 1);
                self.check();
                self.succs(node, &mut |edge| {
                    if !reach.distances.contains_key(&edge.node) && may_pass(self, value, edge.pass)
                    {
                        reach.distances.insert(edge.node, distance);
                        reach.queue.push_back(edge.node);
                    }
                });
            }
        })
    }

    /// Continues the search of a value.
    fn with_forward_reach<T>(
        &self,
        value: FlowValueId,
        work: impl FnOnce(&mut ForwardReach) -> T,
    ) -> T {
        let key = (self.language.lang(), value);
        let forward_reaches = &self.query.caches.forward_reaches;
        let known = forward_reaches.borrow_mut().remove(&key);
        let mut reach = known.unwrap_or_else(|| {
            let mut reach = ForwardReach::default();
            self.starts(value, &mut |node| {
                if reach.distances.insert(node, 0).is_none() {
                    reach.queue.push_back(node);
                }
            });
            reach
        });
        let done = work(&mut reach);
        let mut forward_reaches = forward_reaches.borrow_mut();
        if forward_reaches.len() >= MAX_CACHED_REACHES {
            forward_reaches.clear();
        }
        forward_reaches.insert(key, reach);
        done
    }

    /// Returns the chain of `steps` steps from an origin of a value to a node.
    fn chain(&self, value: FlowValueId, end: FlowNodeId, steps: u32) -> Option<String> {
        // The nodes on shortest paths, by distance, from the end backward.
        let mut layers: Vec<FxHashSet<FlowNodeId>> = vec![FxHashSet::from_iter([end])];
        self.with_forward_reach(value, |reach| {
            for distance in (0..steps).rev() {
                let mut layer = FxHashSet::default();
                for &node in &layers[layers.len() - 1] {
                    self.check();
                    self.preds(node, &mut |edge| {
                        if reach.distances.get(&edge.node) == Some(&distance)
                            && may_pass(self, value, edge.pass)
                        {
                            layer.insert(edge.node);
                        }
                    });
                }
                layers.push(layer);
            }
        });
        let first = layers.pop()?;
        let origins: Vec<(Option<ValueOrigin>, FlowNodeId)> = first
            .iter()
            .map(|&node| (names::origin(self, value, node), node))
            .collect();
        let origin = origins.iter().map(|(origin, _)| origin).min()?.clone();
        let own = origins.iter().filter(|(other, _)| *other == origin);
        let mut here: FxHashSet<FlowNodeId> = own.map(|(_, node)| *node).collect();
        let mut names: Vec<String> = Vec::new();
        loop {
            let named: Vec<(String, FlowNodeId)> = here
                .iter()
                .map(|&node| (names::name_of_node(self, node), node))
                .collect();
            let name = named.iter().map(|(name, _)| name).min()?.clone();
            here = named
                .into_iter()
                .filter(|(other, _)| *other == name)
                .map(|(_, n)| n)
                .collect();
            if names.last() != Some(&name) {
                names.push(name);
            }
            let Some(next) = layers.pop() else { break };
            let mut follows = FxHashSet::default();
            for &node in &here {
                self.succs(node, &mut |edge| {
                    if next.contains(&edge.node) && may_pass(self, value, edge.pass) {
                        follows.insert(edge.node);
                    }
                });
            }
            here = follows;
        }
        let mut text = names::name_of_value(self, value);
        text.push_str(": ");
        if let Some((path, line, role)) = origin {
            text.push_str(&match line {
                0 => format!("({role}) -> "),
                line => format!("{path}:{line} ({role}) -> "),
            });
        }
        if names.len() > MAX_CHAIN_NODES {
            let tail = names.split_off(names.len() - MAX_CHAIN_NODES / 2);
            names.truncate(MAX_CHAIN_NODES / 2);
            names.push("…".to_owned());
            names.extend(tail);
        }
        names.push("here".to_owned());
        text.push_str(&names.join(" -> "));
        Some(text)
    }
}

fn may_pass(queries: &FlowQueries<'_>, value: FlowValueId, pass: u32) -> bool {
    pass == NONE || queries.passes(value, pass)
}
