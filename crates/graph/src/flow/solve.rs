//! Solves the flow graph: the values of a node (backward) and the nodes of a value (forward).
//!
//! Values propagate along edges. An edge may carry a filter, a type that a value must be assignable
//! to (`x.(T)`, a conversion). The solution is the least fixpoint of
//!
//! ```text
//! values(n) = begins(n) ∪ ⋃ { filter(values(p), pass) | edge p -pass-> n }
//! ```
//!
//! Both directions compute it exactly: `v` is in `values(n)` if and only if `n` is in
//! `reached({v})`.
//!
//! **Backward**, on demand for one node: collect the slice of all nodes that flow into it and are
//! not solved yet, find its strongly connected components, and solve them in topological order, so
//! that all inputs from outside a component are final. Inside a component, nodes connected by
//! cycles of unfiltered edges have equal sets and form one group; the groups are iterated to a
//! fixpoint with a worklist of bit sets:
//!
//! ```text
//!   v1 -> a -> b -> c        slice of c: {c, b, a, d}
//!              ^    |        components: {a}, {b, c, d}
//!              +-d<-+        b, c, d: one group, one shared set {v1}
//! ```
//!
//! **Forward**, for up to 64 values at once: a worklist of nodes, each with one bit per value.
//!
//! Equal sets are stored once, and a component is written only when it is finished, so a cancelled
//! query leaves the memos consistent.

use std::collections::VecDeque;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use codeweft_db::NONE;
use rustc_hash::FxHashMap;

use super::components::components;
use super::merged::{EdgeEnd, FlowNodeId, FlowValueId};
use super::reached_nodes::ReachedNodes;
use super::solved_sets::{ReachedByValue, SolvedNodes, ValueSet};
use crate::memo::locked;

/// A graph that values flow through.
pub(crate) trait ValueFlowGraph {
    /// Visits the values that begin at a node.
    fn begins(&self, node: FlowNodeId, visit: &mut dyn FnMut(FlowValueId));
    /// Visits the nodes where a value begins.
    fn starts(&self, value: FlowValueId, visit: &mut dyn FnMut(FlowNodeId));
    /// Visits the edges into a node.
    fn preds(&self, node: FlowNodeId, visit: &mut dyn FnMut(EdgeEnd));
    /// Visits the edges out of a node.
    fn succs(&self, node: FlowNodeId, visit: &mut dyn FnMut(EdgeEnd));
    /// Returns whether a value passes the filter of a type.
    fn passes(&self, value: FlowValueId, through: u32) -> bool;
    /// Unwinds if the query is cancelled.
    fn check(&self);
}

/// The solved sets. Only finished sets are written, so unwinding leaves them consistent.
#[derive(Default)]
pub(crate) struct SolvedSets {
    known: Mutex<SolvedNodes>,
    reached: Mutex<ReachedByValue>,
}

/// Returns the values of a set that pass a type.
fn filtered(
    graph: &impl ValueFlowGraph,
    known: &Mutex<SolvedNodes>,
    set: &ValueSet,
    pass: u32,
) -> ValueSet {
    if pass == NONE || set.is_empty() {
        return set.clone();
    }
    let key = (set.as_ptr() as usize, pass);
    if let Some(passing) = locked(known).filtered.get(&key) {
        return passing.clone();
    }
    let passing: ValueSet = set
        .iter()
        .copied()
        .filter(|&value| graph.passes(value, pass))
        .collect();
    let mut known = locked(known);
    let passing = known.intern(passing);
    known.filtered.insert(key, passing.clone());
    passing
}

/// Returns the union of sets; one of them if it contains the others.
fn union(mut sets: Vec<ValueSet>) -> ValueSet {
    sets.sort_unstable_by_key(|set| (std::cmp::Reverse(set.len()), set.as_ptr()));
    sets.dedup_by(|a, b| Arc::ptr_eq(a, b));
    let Some((largest, others)) = sets.split_first() else {
        return ValueSet::default();
    };
    let mut all: Vec<FlowValueId> = Vec::new();
    for other in others {
        let missing = |value: &&FlowValueId| largest.binary_search(value).is_err();
        all.extend(other.iter().filter(missing));
    }
    if all.is_empty() {
        return largest.clone();
    }
    all.extend(largest.iter());
    distinct(all).into()
}

/// The number of values that are propagated forward at once: one bit each.
const BATCH_SIZE: usize = u64::BITS as usize;

impl SolvedSets {
    /// Returns how much memory they take, about.
    pub(crate) fn bytes(&self) -> usize {
        let known = locked(&self.known).total_bytes();
        known + locked(&self.reached).bytes
    }

    /// Returns the sets that were solved last, of at most so many bytes: half of it for each direction.
    pub(crate) fn newest(&self, budget: usize) -> SolvedSets {
        SolvedSets {
            known: Mutex::new(locked(&self.known).newest(budget / 2)),
            reached: Mutex::new(locked(&self.reached).newest(budget / 2)),
        }
    }

    /// Returns the values at a node if it is solved already.
    pub(crate) fn known(&self, node: FlowNodeId) -> Option<ValueSet> {
        locked(&self.known).values.get(&node).cloned()
    }

    /// Returns whether one of some values reaches a node, if that is solved already.
    pub(crate) fn known_to_reach(&self, values: &[FlowValueId], node: FlowNodeId) -> Option<bool> {
        let known = locked(&self.known);
        let here = known.values.get(&node)?;
        Some(values.iter().any(|value| here.binary_search(value).is_ok()))
    }

    /// Returns the values at a node, ascending by number; solves backward.
    pub(crate) fn values(&self, graph: &impl ValueFlowGraph, node: FlowNodeId) -> ValueSet {
        if let Some(known) = locked(&self.known).values.get(&node) {
            return known.clone();
        }
        let slice = BackwardSlice::new(graph, node, &self.known);
        for members in components(&slice.starts, &slice.targets) {
            graph.check();
            let sets = slice.solve(graph, &members, &self.known);
            let mut known = locked(&self.known);
            for (node, set) in sets {
                known.insert(node, set);
            }
        }
        let known = locked(&self.known);
        known.values.get(&node).cloned().unwrap_or_default()
    }

    /// Returns for each value the nodes that it reaches; solves forward.
    pub(crate) fn reached(
        &self,
        graph: &impl ValueFlowGraph,
        values: &[FlowValueId],
    ) -> Vec<Arc<ReachedNodes>> {
        let missing: Vec<FlowValueId> = {
            let known = locked(&self.reached);
            let missing = values.iter().copied();
            distinct(
                missing
                    .filter(|value| !known.nodes.contains_key(value))
                    .collect(),
            )
        };
        for batch in missing.chunks(BATCH_SIZE) {
            let found = forward(graph, batch);
            let found = found
                .into_iter()
                .map(|nodes| Arc::new(ReachedNodes::new(nodes)));
            let mut known = locked(&self.reached);
            for (&value, nodes) in batch.iter().zip(found) {
                known.insert(value, nodes);
            }
        }
        let known = locked(&self.reached);
        let nothing = || Arc::new(ReachedNodes::Few(Box::default()));
        values
            .iter()
            .map(|value| known.nodes.get(value).cloned().unwrap_or_else(nothing))
            .collect()
    }
}

/// The values at a node, one bit each, and those not yet propagated from it.
#[derive(Clone, Copy, Default)]
struct NodeValues {
    here: u64,
    pending: u64,
}

/// The number of nodes of a page.
const PAGE_SIZE: usize = 256;

/// Nodes with the values at them, and the queue of nodes with values to propagate. Pages that no
/// value reaches are not allocated.
#[derive(Default)]
struct Worklist {
    pages: Vec<Option<Box<[NodeValues; PAGE_SIZE]>>>,
    queue: VecDeque<FlowNodeId>,
}

impl Worklist {
    fn at(&mut self, node: FlowNodeId) -> &mut NodeValues {
        let page = node as usize / PAGE_SIZE;
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, || None);
        }
        let page =
            self.pages[page].get_or_insert_with(|| Box::new([NodeValues::default(); PAGE_SIZE]));
        &mut page[node as usize % PAGE_SIZE]
    }

    fn add(&mut self, node: FlowNodeId, bits: u64) {
        let at = self.at(node);
        let new = bits & !at.here;
        if new != 0 {
            let waits = at.pending != 0;
            at.here |= new;
            at.pending |= new;
            if !waits {
                self.queue.push_back(node);
            }
        }
    }

    /// Returns for each of `values` values the nodes it is at, ascending.
    fn nodes_of_values(&self, values: usize) -> Vec<Vec<FlowNodeId>> {
        let mut found = vec![Vec::new(); values];
        let pages = self.pages.iter().zip((0..).step_by(PAGE_SIZE));
        for (page, first) in pages.filter_map(|(page, first)| Some((page.as_ref()?, first))) {
            for (at, node) in page.iter().zip(first..) {
                for bit in ones(at.here) {
                    found[bit as usize].push(node);
                }
            }
        }
        found
    }
}

/// Propagates at most 64 values forward together; returns for each the nodes it reaches, ascending.
fn forward(graph: &impl ValueFlowGraph, values: &[FlowValueId]) -> Vec<Vec<FlowNodeId>> {
    let mut front = Worklist::default();
    for (bit, &value) in values.iter().enumerate() {
        graph.starts(value, &mut |node| front.add(node, 1 << bit));
    }
    let mut passing: FxHashMap<u32, (u64, u64)> = FxHashMap::default();
    while let Some(node) = front.queue.pop_front() {
        graph.check();
        let bits = std::mem::take(&mut front.at(node).pending);
        graph.succs(node, &mut |edge| {
            let bits = match edge.pass {
                NONE => bits,
                through => {
                    let (known, passes) = passing.entry(through).or_default();
                    for bit in ones(bits & !*known) {
                        *known |= 1 << bit;
                        if graph.passes(values[bit as usize], through) {
                            *passes |= 1 << bit;
                        }
                    }
                    bits & *passes
                }
            };
            front.add(edge.node, bits);
        });
    }
    front.nodes_of_values(values.len())
}

/// Iterates over the numbers of the bits that are set.
fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(bit)
    })
}

/// The unsolved nodes that flow into a node, with the edges between them.
struct BackwardSlice {
    nodes: Vec<FlowNodeId>,
    numbers: FxHashMap<FlowNodeId, u32>,
    /// The edges into each node of the slice, as in [`components`]: `targets[starts[n]..starts[n +
    /// 1]]`.
    starts: Vec<u32>,
    targets: Vec<u32>,
    passes: Vec<u32>,
    /// The edges from nodes that are solved already.
    solved: Vec<Vec<EdgeEnd>>,
}

impl BackwardSlice {
    fn new(
        graph: &impl ValueFlowGraph,
        node: FlowNodeId,
        known: &Mutex<SolvedNodes>,
    ) -> BackwardSlice {
        let mut slice = BackwardSlice {
            nodes: vec![node],
            numbers: FxHashMap::from_iter([(node, 0)]),
            starts: vec![0],
            targets: Vec::new(),
            passes: Vec::new(),
            solved: Vec::new(),
        };
        let mut at = 0;
        let mut preds = Vec::new();
        while let Some(&node) = slice.nodes.get(at) {
            graph.check();
            preds.clear();
            graph.preds(node, &mut |edge| preds.push(edge));
            preds.sort_unstable_by_key(|edge| (edge.node, edge.pass));
            preds.dedup();
            let known = locked(known);
            let mut solved = Vec::new();
            for &edge in &preds {
                if known.values.contains_key(&edge.node) {
                    solved.push(edge);
                    continue;
                }
                let count = slice.nodes.len() as u32;
                let number = *slice.numbers.entry(edge.node).or_insert_with(|| {
                    slice.nodes.push(edge.node);
                    count
                });
                slice.targets.push(number);
                slice.passes.push(edge.pass);
            }
            slice.solved.push(solved);
            slice.starts.push(slice.targets.len() as u32);
            at += 1;
        }
        slice
    }

    /// Returns the edges into a node from inside the slice, as (source, filter).
    fn preds(&self, number: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let edges = self.starts[number as usize]..self.starts[number as usize + 1];
        edges.map(|edge| (self.targets[edge as usize], self.passes[edge as usize]))
    }

    /// Returns the sets of a component, given that the sets of all sources outside of it are in
    /// `known`.
    fn solve(
        &self,
        graph: &impl ValueFlowGraph,
        members: &[u32],
        known: &Mutex<SolvedNodes>,
    ) -> Vec<(FlowNodeId, ValueSet)> {
        let inside: FxHashMap<u32, u32> = members.iter().copied().zip(0..).collect();
        let groups = self.groups(members, &inside);
        // The values that enter each group from outside the component.
        let outer: Vec<ValueSet> = groups
            .iter()
            .map(|group| {
                graph.check();
                let group: Vec<u32> = group.iter().map(|&at| members[at as usize]).collect();
                self.outer(graph, &group, &inside, known)
            })
            .collect();
        if let ([group], [set]) = (&groups[..], &outer[..]) {
            let nodes = group
                .iter()
                .map(|&at| self.nodes[members[at as usize] as usize]);
            return nodes.map(|node| (node, set.clone())).collect();
        }
        let mut group_of = vec![0u32; members.len()];
        for (number, group) in groups.iter().enumerate() {
            for &at in group {
                group_of[at as usize] = number as u32;
            }
        }
        let mut edges: Vec<(u32, u32, u32)> = Vec::new();
        for (at, &member) in members.iter().enumerate() {
            for (pred, pass) in self.preds(member) {
                if let Some(&pred) = inside.get(&pred) {
                    let (from, to) = (group_of[pred as usize], group_of[at]);
                    if from != to {
                        edges.push((from, pass, to));
                    }
                }
            }
        }
        let sets = fixpoint(graph, &outer, distinct(edges));
        let mut found = Vec::with_capacity(members.len());
        for (group, set) in groups.iter().zip(sets) {
            let nodes = group
                .iter()
                .map(|&at| self.nodes[members[at as usize] as usize]);
            found.extend(nodes.map(|node| (node, set.clone())));
        }
        found
    }

    /// Groups the members of a component by cycles of unfiltered edges: the members of a group have
    /// equal sets.
    fn groups(&self, members: &[u32], inside: &FxHashMap<u32, u32>) -> Vec<Vec<u32>> {
        if let [_] = members {
            return vec![vec![0]];
        }
        let (mut starts, mut targets) = (vec![0], Vec::new());
        for &member in members {
            let free = self.preds(member).filter(|&(_, pass)| pass == NONE);
            targets.extend(free.filter_map(|(pred, _)| inside.get(&pred)));
            starts.push(targets.len() as u32);
        }
        components(&starts, &targets)
    }

    /// Returns the values that begin in a group or flow into it from outside the component.
    fn outer(
        &self,
        graph: &impl ValueFlowGraph,
        group: &[u32],
        inside: &FxHashMap<u32, u32>,
        known: &Mutex<SolvedNodes>,
    ) -> ValueSet {
        let mut begins: Vec<FlowValueId> = Vec::new();
        let mut preds: Vec<EdgeEnd> = Vec::new();
        for &number in group {
            graph.begins(self.nodes[number as usize], &mut |value| begins.push(value));
            preds.extend(&self.solved[number as usize]);
            let own = self
                .preds(number)
                .filter(|(pred, _)| !inside.contains_key(pred));
            preds.extend(own.map(|(pred, pass)| EdgeEnd {
                node: self.nodes[pred as usize],
                pass,
            }));
        }
        let mut sets: Vec<(ValueSet, u32)> = {
            let known = locked(known);
            let sets = preds.iter();
            sets.filter_map(|edge| Some((known.values.get(&edge.node)?.clone(), edge.pass)))
                .collect()
        };
        sets.sort_unstable_by_key(|(set, pass)| (set.as_ptr(), *pass));
        sets.dedup_by(|a, b| Arc::ptr_eq(&a.0, &b.0) && a.1 == b.1);
        let sets = sets
            .iter()
            .map(|(set, pass)| filtered(graph, known, set, *pass));
        let mut sets: Vec<ValueSet> = sets.filter(|set| !set.is_empty()).collect();
        if !begins.is_empty() {
            sets.push(distinct(begins).into());
        }
        union(sets)
    }
}

/// Returns the least sets that contain `begins` and are closed under `edges` of (from, filter, to).
/// Each step propagates only the values that are new since the node was last taken from the queue.
fn fixpoint(
    graph: &impl ValueFlowGraph,
    begins: &[ValueSet],
    edges: Vec<(u32, u32, u32)>,
) -> Vec<ValueSet> {
    let values = distinct(begins.iter().flat_map(|set| set.iter().copied()).collect());
    let words = values.len().div_ceil(64);
    let mut sets = vec![vec![0u64; words]; begins.len()];
    for (set, begins) in sets.iter_mut().zip(begins) {
        for value in begins.iter() {
            if let Ok(at) = values.binary_search(value) {
                set[at / 64] |= 1 << (at % 64);
            }
        }
    }
    let mut pending = sets.clone();
    let mut queued = vec![true; begins.len()];
    let mut queue: VecDeque<usize> = (0..begins.len()).collect();
    // For each filter the values that were tested, and those that pass.
    let mut filters: FxHashMap<u32, Vec<(u64, u64)>> = FxHashMap::default();
    while let Some(from) = queue.pop_front() {
        graph.check();
        queued[from] = false;
        let delta = std::mem::replace(&mut pending[from], vec![0; words]);
        let first = edges.partition_point(|edge| (edge.0 as usize) < from);
        let own = edges[first..]
            .iter()
            .take_while(|edge| edge.0 as usize == from);
        for &(_, pass, to) in own {
            let to = to as usize;
            for (word, &bits) in delta.iter().enumerate() {
                let mut bits = bits & !sets[to][word];
                if bits != 0 && pass != NONE {
                    let filter = filters.entry(pass).or_insert_with(|| vec![(0, 0); words]);
                    let (tested, passing) = &mut filter[word];
                    for bit in ones(bits & !*tested) {
                        *tested |= 1 << bit;
                        if graph.passes(values[word * 64 + bit as usize], pass) {
                            *passing |= 1 << bit;
                        }
                    }
                    bits &= *passing;
                }
                if bits != 0 {
                    sets[to][word] |= bits;
                    pending[to][word] |= bits;
                    if !std::mem::replace(&mut queued[to], true) {
                        queue.push_back(to);
                    }
                }
            }
        }
    }
    let sets = sets.into_iter().map(|set| {
        let words = set.into_iter().zip((0..).step_by(64));
        let members = words.flat_map(|(word, first): (u64, usize)| {
            ones(word).map(move |bit| first + bit as usize)
        });
        members.map(|at| values[at]).collect()
    });
    sets.collect()
}

/// Sorts a list and removes duplicates.
pub(super) fn distinct<T: Ord + Hash>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list.dedup();
    list
}
