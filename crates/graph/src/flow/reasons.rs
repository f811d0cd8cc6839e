//! Explanations of flow results: the shortest chain from the origin of a value to a call.
//!
//! ```text
//! shapes.Square: app/main.go:12 (argument) -> parameter 1 of app.draw
//!     -> field shape of app.Canvas -> here
//! ```
//!
//! The way is searched breadth first from both ends, a step at a time from the one that takes less: a
//! value of a common type leads to much of a program, and to a common parameter leads much. From the
//! call back only nodes that the value reaches are looked at. The chain is then read off the layers of
//! nodes on shortest ways, choosing the smallest name in each so that the result is deterministic.

use codeweft_db::{FlowNode, NONE, SymbolId};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use super::merged::{FlowNodeId, FlowValueId};
use super::names;
use super::names::ValueOrigin;
use super::queries::FlowQueries;
use super::sites::FlowCallSite;
use super::solve::ValueFlowGraph;

/// How many nodes a printed chain names; a longer one is shortened in the middle.
const MAX_CHAIN_NODES: usize = 12;

/// The nodes on the shortest ways of a value to a node, by their distance to it: the node itself first,
/// last origins of the value. A layer may have nodes that no origin leads to, but none that does not lead
/// to the node.
struct ShortestWays {
    value: FlowValueId,
    layers: Vec<Vec<FlowNodeId>>,
    /// The nodes of all layers, and others.
    seen: FixedBitSet,
}

/// A search in one direction: the nodes by their distance from where it began.
struct Search {
    layers: Vec<Vec<FlowNodeId>>,
    seen: FixedBitSet,
}

impl Search {
    /// Begins a search at some nodes, in a graph of so many.
    fn from(nodes: Vec<FlowNodeId>, count: usize) -> Search {
        let mut seen = FixedBitSet::with_capacity(count);
        nodes.iter().for_each(|&node| seen.insert(node as usize));
        Search {
            layers: vec![nodes],
            seen,
        }
    }

    fn has_seen(&self, node: FlowNodeId) -> bool {
        self.seen.contains(node as usize)
    }

    /// Returns the nodes that are farthest.
    fn last(&self) -> &[FlowNodeId] {
        &self.layers[self.layers.len() - 1]
    }

    /// Returns the nodes that are farthest from where both searches began. Only those may be seen by both
    /// when searches meet.
    fn met(&self, other: &Search) -> Vec<FlowNodeId> {
        let (few, many) = if self.last().len() < other.last().len() {
            (self, other)
        } else {
            (other, self)
        };
        let met = few.last().iter().filter(|&&node| many.has_seen(node));
        met.copied().collect()
    }
}

impl FlowQueries<'_> {
    /// Returns the shortest chain that brings a target to a call; of several the first as printed.
    pub(crate) fn reason(&self, site: &FlowCallSite, target: SymbolId) -> Option<String> {
        let mut shortest: Vec<ShortestWays> = Vec::new();
        let (values, ends) = self.values_and_ends(site, target)?;
        for &value in &values {
            for &end in &ends {
                let known = shortest
                    .first()
                    .map_or(usize::MAX, |ways| ways.layers.len());
                let Some(ways) = self.shortest_ways(value, end, known) else {
                    continue;
                };
                if ways.layers.len() < known {
                    shortest.clear();
                }
                shortest.push(ways);
            }
        }
        shortest
            .into_iter()
            .filter_map(|ways| self.chain(ways))
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

    /// Returns the shortest ways of a value to a node, of at most so many layers; `None` if there is none.
    fn shortest_ways(
        &self,
        value: FlowValueId,
        end: FlowNodeId,
        most_layers: usize,
    ) -> Option<ShortestWays> {
        if !self.any_reaches(&[value], end) {
            return None;
        }
        let count = self.flow.merged.nodes.len();
        let mut back = Search::from(vec![end], count);
        // The origins may be many, and the call be next to one.
        let mut forward: Option<Search> = None;
        let met = loop {
            let last = back.last();
            let met: Vec<FlowNodeId> = match &forward {
                Some(forward) => forward.met(&back),
                None => {
                    let begins = |node: &&FlowNodeId| self.begins_at(value, **node);
                    last.iter().filter(begins).copied().collect()
                }
            };
            if !met.is_empty() {
                break met;
            }
            let steps = forward
                .as_ref()
                .map_or(0, |forward| forward.layers.len() - 1);
            let is_at_end = |search: &Search| search.last().is_empty();
            if is_at_end(&back)
                || forward.as_ref().is_some_and(is_at_end)
                || back.layers.len() + steps >= most_layers
            {
                return None;
            }
            let cost = self.cost(last, true);
            match &mut forward {
                None if self.count_starts(value) < cost => {
                    let mut starts = Vec::new();
                    self.starts(value, &mut |node| starts.push(node));
                    starts.sort_unstable();
                    starts.dedup();
                    forward = Some(Search::from(starts, count));
                }
                Some(forward) if self.cost(forward.last(), false) < cost => {
                    self.step(value, forward, false);
                }
                _ => self.step(value, &mut back, true),
            }
        };
        let Search {
            mut layers,
            mut seen,
        } = back;
        layers.pop();
        layers.push(met);
        // Of what the origins lead to, that which leads to where the searches met.
        if let Some(forward) = &forward {
            seen.union_with(&forward.seen);
            for nearer in forward.layers.iter().rev().skip(1) {
                let neighbours = self.neighbours(value, layers.last()?, &seen, true);
                let layer = nearer.iter().filter(|node| neighbours.contains(node));
                layers.push(layer.copied().collect());
            }
        }
        Some(ShortestWays {
            value,
            layers,
            seen,
        })
    }

    /// Returns about how many edges a step from these nodes looks at.
    fn cost(&self, nodes: &[FlowNodeId], backward: bool) -> usize {
        let degrees = nodes.iter().map(|&node| self.degree(node, backward));
        degrees.sum()
    }

    /// Continues a search by a step of a value, backward through nodes that the value reaches.
    fn step(&self, value: FlowValueId, search: &mut Search, backward: bool) {
        let mut next = Vec::new();
        let Search { layers, seen } = search;
        for &node in layers.last().into_iter().flatten() {
            self.check();
            self.visit(node, backward, &mut |edge| {
                if !seen.contains(edge.node as usize)
                    && may_pass(self, value, edge.pass)
                    && (!backward || self.any_reaches(&[value], edge.node))
                {
                    seen.insert(edge.node as usize);
                    next.push(edge.node);
                }
            });
        }
        layers.push(next);
    }

    /// Returns the nodes among those seen that a step of a value from some nodes leads to.
    fn neighbours(
        &self,
        value: FlowValueId,
        nodes: &[FlowNodeId],
        seen: &FixedBitSet,
        backward: bool,
    ) -> FxHashSet<FlowNodeId> {
        let mut neighbours = FxHashSet::default();
        for &node in nodes {
            self.check();
            self.visit(node, backward, &mut |edge| {
                if seen.contains(edge.node as usize) && may_pass(self, value, edge.pass) {
                    neighbours.insert(edge.node);
                }
            });
        }
        neighbours
    }

    /// Returns whether a value begins at a node.
    fn begins_at(&self, value: FlowValueId, node: FlowNodeId) -> bool {
        let mut begins = false;
        self.begins(node, &mut |other| begins |= other == value);
        begins
    }

    /// Returns the chain that is the first as printed of the shortest ways of a value.
    fn chain(&self, ways: ShortestWays) -> Option<String> {
        let ShortestWays {
            value,
            mut layers,
            seen,
        } = ways;
        let first = layers.pop()?;
        let origins: Vec<(Option<ValueOrigin>, FlowNodeId)> = first
            .iter()
            .map(|&node| (names::origin(self, value, node), node))
            .collect();
        let origin = origins.iter().map(|(origin, _)| origin).min()?.clone();
        let own = origins.iter().filter(|(other, _)| *other == origin);
        let mut here: Vec<FlowNodeId> = own.map(|(_, node)| *node).collect();
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
            let neighbours = self.neighbours(value, &here, &seen, false);
            let follows = next.iter().filter(|node| neighbours.contains(node));
            here = follows.copied().collect();
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
