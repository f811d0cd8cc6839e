//! The least fixpoint of flow, backward from places and forward from values. Both are exact and
//! agree: a value is among those of a place if and only if it reaches the place.

use std::collections::VecDeque;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use codeweft_db::NONE;
use rustc_hash::{FxHashMap, FxHashSet};

use super::components::components;
use super::merged::{EdgeEnd, FlowNodeId, FlowValueId};

/// A graph that values flow through.
pub(crate) trait ValueFlowGraph {
    /// The values that begin at a place.
    fn begins(&self, node: FlowNodeId, visit: &mut dyn FnMut(FlowValueId));
    /// The places where a value begins.
    fn starts(&self, value: FlowValueId, visit: &mut dyn FnMut(FlowNodeId));
    /// What flows into a place.
    fn preds(&self, node: FlowNodeId, visit: &mut dyn FnMut(EdgeEnd));
    /// Where a place flows to.
    fn succs(&self, node: FlowNodeId, visit: &mut dyn FnMut(EdgeEnd));
    /// Whether a value passes through a place of a type.
    fn passes(&self, value: FlowValueId, through: u32) -> bool;
    /// Unwinds where the work should end.
    fn check(&self);
}

/// What was solved. Only what is finished is written, so that an unwinding leaves it whole.
#[derive(Default)]
pub(crate) struct SolvedSets {
    known: Mutex<SolvedNodes>,
    reached: Mutex<FxHashMap<FlowValueId, Arc<ReachedNodes>>>,
}

/// The sets of places that are solved.
#[derive(Default)]
struct SolvedNodes {
    values: FxHashMap<FlowNodeId, ValueSet>,
    /// Equal sets are one.
    sets: FxHashSet<ValueSet>,
    /// What of a set passes a type, by the set's address: sets stay as long as this.
    filtered: FxHashMap<(usize, u32), ValueSet>,
}

/// Values, ascending.
type ValueSet = Arc<[FlowValueId]>;

impl SolvedNodes {
    /// The one set that is equal to a set.
    fn one(&mut self, set: ValueSet) -> ValueSet {
        match self.sets.get(&set) {
            Some(known) => known.clone(),
            None => {
                self.sets.insert(set.clone());
                set
            }
        }
    }
}

/// What of a set passes a type.
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
    let passing = known.one(passing);
    known.filtered.insert(key, passing.clone());
    passing
}

/// All values of some sets; one of them where it holds the others.
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

/// So many values are followed forward at once.
const BATCH: usize = u64::BITS as usize;

/// The lock, taken over from a thread that unwound: nothing half-made is under it.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The places that a value reaches.
pub(crate) enum ReachedNodes {
    /// Sorted.
    Few(Box<[FlowNodeId]>),
    /// A bit each.
    Many(Box<[u64]>),
}

impl ReachedNodes {
    /// Of a list in ascending order.
    fn new(nodes: Vec<FlowNodeId>) -> ReachedNodes {
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

    /// All of several.
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

    /// Whether a place is among them.
    pub(crate) fn contains(&self, node: FlowNodeId) -> bool {
        match self {
            ReachedNodes::Few(nodes) => nodes.binary_search(&node).is_ok(),
            ReachedNodes::Many(bits) => {
                let word = bits.get(node as usize / 64);
                word.is_some_and(|word| word >> (node % 64) & 1 == 1)
            }
        }
    }

    /// All of them, ascending.
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

impl SolvedSets {
    /// The values at a place, where they were solved already.
    pub(crate) fn known(&self, node: FlowNodeId) -> Option<ValueSet> {
        locked(&self.known).values.get(&node).cloned()
    }

    /// The values at a place, ascending by number.
    pub(crate) fn values(&self, graph: &impl ValueFlowGraph, node: FlowNodeId) -> ValueSet {
        if let Some(known) = locked(&self.known).values.get(&node) {
            return known.clone();
        }
        let slice = BackwardSlice::behind(graph, node, &self.known);
        for members in components(&slice.starts, &slice.targets) {
            graph.check();
            let sets = slice.solve(graph, &members, &self.known);
            let mut known = locked(&self.known);
            for (node, set) in sets {
                let set = known.one(set);
                known.values.insert(node, set);
            }
        }
        let known = locked(&self.known);
        known.values.get(&node).cloned().unwrap_or_default()
    }

    /// The places that values reach, each.
    pub(crate) fn reached(
        &self,
        graph: &impl ValueFlowGraph,
        values: &[FlowValueId],
    ) -> Vec<Arc<ReachedNodes>> {
        let missing: Vec<FlowValueId> = {
            let known = locked(&self.reached);
            let missing = values.iter().copied();
            distinct(missing.filter(|value| !known.contains_key(value)).collect())
        };
        for batch in missing.chunks(BATCH) {
            let found = forward(graph, batch);
            let found = found
                .into_iter()
                .map(|nodes| Arc::new(ReachedNodes::new(nodes)));
            let mut known = locked(&self.reached);
            known.extend(batch.iter().copied().zip(found));
        }
        let known = locked(&self.reached);
        let nothing = || Arc::new(ReachedNodes::Few(Box::default()));
        values
            .iter()
            .map(|value| known.get(value).cloned().unwrap_or_else(nothing))
            .collect()
    }
}

/// Which of the values are at a place, and which of them were not yet followed on.
#[derive(Clone, Copy, Default)]
struct NodeValues {
    here: u64,
    pending: u64,
}

/// So many places lie on a page.
const PAGE: usize = 256;

/// Places with the values at them, and those whose values are to be followed on. Pages that no
/// value reaches are not made.
#[derive(Default)]
struct Worklist {
    pages: Vec<Option<Box<[NodeValues; PAGE]>>>,
    queue: VecDeque<FlowNodeId>,
}

impl Worklist {
    fn at(&mut self, node: FlowNodeId) -> &mut NodeValues {
        let page = node as usize / PAGE;
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, || None);
        }
        let page = self.pages[page].get_or_insert_with(|| Box::new([NodeValues::default(); PAGE]));
        &mut page[node as usize % PAGE]
    }

    fn arrive(&mut self, node: FlowNodeId, bits: u64) {
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

    /// The places that each of so many values is at, ascending.
    fn places(&self, values: usize) -> Vec<Vec<FlowNodeId>> {
        let mut found = vec![Vec::new(); values];
        let pages = self.pages.iter().zip((0..).step_by(PAGE));
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

/// Follows at most 64 values forward, all at once: the places that each reaches, ascending.
fn forward(graph: &impl ValueFlowGraph, values: &[FlowValueId]) -> Vec<Vec<FlowNodeId>> {
    let mut front = Worklist::default();
    for (bit, &value) in values.iter().enumerate() {
        graph.starts(value, &mut |node| front.arrive(node, 1 << bit));
    }
    let mut passing: FxHashMap<u32, (u64, u64)> = FxHashMap::default();
    while let Some(node) = front.queue.pop_front() {
        graph.check();
        let bits = std::mem::take(&mut front.at(node).pending);
        graph.succs(node, &mut |half| {
            let bits = match half.pass {
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
            front.arrive(half.node, bits);
        });
    }
    front.places(values.len())
}

/// The numbers of the bits that are set.
fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(bit)
    })
}

/// All that flows to a place, as far as it is not solved yet.
struct BackwardSlice {
    nodes: Vec<FlowNodeId>,
    numbers: FxHashMap<FlowNodeId, u32>,
    /// The preds inside the slice, by number: see [`components`].
    starts: Vec<u32>,
    targets: Vec<u32>,
    passes: Vec<u32>,
    /// The preds that are solved already.
    solved: Vec<Vec<EdgeEnd>>,
}

impl BackwardSlice {
    fn behind(
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
            graph.preds(node, &mut |half| preds.push(half));
            preds.sort_unstable_by_key(|half| (half.node, half.pass));
            preds.dedup();
            let known = locked(known);
            let mut solved = Vec::new();
            for &half in &preds {
                if known.values.contains_key(&half.node) {
                    solved.push(half);
                    continue;
                }
                let count = slice.nodes.len() as u32;
                let number = *slice.numbers.entry(half.node).or_insert_with(|| {
                    slice.nodes.push(half.node);
                    count
                });
                slice.targets.push(number);
                slice.passes.push(half.pass);
            }
            slice.solved.push(solved);
            slice.starts.push(slice.targets.len() as u32);
            at += 1;
        }
        slice
    }

    /// The preds of a node that lie in the slice, with what passes.
    fn preds(&self, number: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let edges = self.starts[number as usize]..self.starts[number as usize + 1];
        edges.map(|edge| (self.targets[edge as usize], self.passes[edge as usize]))
    }

    /// The sets of a component whose preds outside are all in `known`.
    fn solve(
        &self,
        graph: &impl ValueFlowGraph,
        members: &[u32],
        known: &Mutex<SolvedNodes>,
    ) -> Vec<(FlowNodeId, ValueSet)> {
        let inside: FxHashMap<u32, u32> = members.iter().copied().zip(0..).collect();
        let groups = self.groups(members, &inside);
        // What comes into each group from outside the component.
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

    /// The members of a component by the groups that edges without a filter make rings of: their
    /// sets are equal.
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

    /// What begins in a group and what flows into it from outside the component.
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
            sets.filter_map(|half| Some((known.values.get(&half.node)?.clone(), half.pass)))
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

/// The least sets that hold `begins` and are closed under `edges` of (from, pass, to).
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
    // Of each filter which values were asked, and which pass.
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
                    let (asked, passing) = &mut filter[word];
                    for bit in ones(bits & !*asked) {
                        *asked |= 1 << bit;
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

/// Sorted and without repeats.
fn distinct<T: Ord + Hash>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list.dedup();
    list
}
