//! The merged flow graph: the fragments of all units as one graph.
//!
//! Each fragment occupies a slot. A patch compares fragments by pointer, then by content, and
//! removes and adds only those that changed, so its cost depends on the edit and not on the graph:
//!
//! ```text
//! slots before: 0: f (Arc#1)   1: g (Arc#2)
//! rows now:        f (Arc#1)      g (Arc#3)
//! f: same pointer, kept        g: equal edges, positions replaced; else removed and added
//! ```

use std::collections::hash_map::Entry;
use std::sync::Arc;

use codeweft_db::{File, FileFlows, FlowNode, FlowSite, FlowValue, Flows, Reason, SymbolId, Unit};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::instance_counts::InstanceCounts;

/// The number of a node. Numbers depend on the history of patches and never influence an answer.
pub(crate) type FlowNodeId = u32;

/// The number of a value; as [`FlowNodeId`].
pub(crate) type FlowValueId = u32;

/// One end of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EdgeEnd {
    /// The node at the other end.
    pub(crate) node: FlowNodeId,
    /// See [`codeweft_db::FlowEdge::pass`].
    pub(crate) pass: u32,
}

/// The identity of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FlowNodeKey {
    /// A node shared by all fragments.
    Shared(FlowNode),
    /// A local of the fragment in this slot.
    Local(u32),
}

#[derive(Debug)]
pub(super) struct FlowNodeData {
    pub(super) key: FlowNodeKey,
    pub(super) preds: SmallVec<[EdgeEnd; 2]>,
    pub(super) succs: SmallVec<[EdgeEnd; 2]>,
    /// The values that begin here, each with its fragment's slot.
    pub(super) sources: SmallVec<[(FlowValueId, u32); 1]>,
}

impl FlowNodeData {
    fn new(key: FlowNodeKey) -> FlowNodeData {
        FlowNodeData {
            key,
            preds: SmallVec::new(),
            succs: SmallVec::new(),
            sources: SmallVec::new(),
        }
    }
}

/// A fragment in its slot.
pub(super) struct Fragment {
    pub(super) file: File,
    pub(super) flows: Arc<Flows>,
    /// The nodes of its locals, sorted by their numbers in the fragment.
    pub(super) locals: Box<[(u32, FlowNodeId)]>,
}

/// The fragments of a unit and their slots.
#[derive(Default)]
struct UnitFragments {
    rows: Arc<[FileFlows]>,
    slots: Vec<u32>,
}

/// The merged flow graph of one language.
#[derive(Default)]
pub(crate) struct MergedFlowGraph {
    /// The fragments of each unit that has any, in the order of the units.
    parts: Vec<(Unit, UnitFragments)>,
    fragments: Vec<Option<Fragment>>,
    free_fragments: Vec<u32>,
    by_file: FxHashMap<File, Vec<u32>>,
    ids: FxHashMap<FlowNode, FlowNodeId>,
    pub(super) nodes: Vec<FlowNodeData>,
    free_nodes: Vec<FlowNodeId>,
    numbers: FxHashMap<FlowValue, FlowValueId>,
    pub(super) values: Vec<FlowValue>,
    /// The nodes where each value begins, one entry per source.
    pub(super) starts: Vec<SmallVec<[FlowNodeId; 2]>>,
    /// The values that are functions, by symbol.
    of_symbol: FxHashMap<SymbolId, SmallVec<[FlowValueId; 2]>>,
    /// The unknown values, in order of their reasons.
    pub(super) unknowns: Vec<(Reason, FlowValueId)>,
    /// The instances of generic declarations.
    pub(super) instances: InstanceCounts,
    /// The fragments with calls of an interface's method, one entry per call.
    by_method: FxHashMap<SymbolId, Vec<u32>>,
    /// The types that methods of interface literals are called on, with the number of fragments.
    literals: FxHashMap<SymbolId, FxHashMap<u32, u32>>,
    /// The fragments with calls of the function held by a node, one entry per call.
    by_function: FxHashMap<FlowNodeId, SmallVec<[u32; 1]>>,
}

/// The parts of the graph that a patch changed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct FlowGraphDelta {
    /// Whether edges, sources or instances changed: all solutions are invalid.
    pub(crate) graph: bool,
    /// Whether the set of instances changed.
    pub(crate) instances: bool,
    /// Whether the set of called interface methods changed, or the types they are called on.
    pub(crate) calls: bool,
}

impl MergedFlowGraph {
    /// Returns whether no unit has a fragment.
    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Patches the graph to that of these units.
    pub(crate) fn patch(&mut self, units: &[(Unit, Arc<[FileFlows]>)]) -> FlowGraphDelta {
        let mut changed = FlowGraphDelta::default();
        let units = units.iter().filter(|(_, rows)| !rows.is_empty());
        let before = self.parts.iter().map(|(unit, _)| unit);
        if !before.eq(units.clone().map(|(unit, _)| unit)) {
            self.set_units(units.clone().map(|(unit, _)| *unit), &mut changed);
        }
        for (at, (_, rows)) in units.enumerate() {
            let part = &mut self.parts[at].1;
            if !Arc::ptr_eq(&part.rows, rows) {
                let slots = std::mem::take(&mut part.slots);
                let slots = self.patch_unit(slots, rows, &mut changed);
                let rows = rows.clone();
                self.parts[at].1 = UnitFragments { rows, slots };
            }
        }
        changed.instances = self.instances.take_changed();
        changed
    }

    /// Gives each of `units` its part, an empty one if it is new, and removes all others.
    fn set_units(&mut self, units: impl Iterator<Item = Unit>, changed: &mut FlowGraphDelta) {
        let parts = std::mem::take(&mut self.parts).into_iter();
        let mut parts: FxHashMap<Unit, UnitFragments> = parts.collect();
        let own = units.map(|unit| (unit, parts.remove(&unit).unwrap_or_default()));
        self.parts = own.collect();
        for slot in parts.into_values().flat_map(|part| part.slots) {
            self.remove(slot, changed);
        }
    }

    /// Replaces the content of a unit's slots by new rows; returns the new slots.
    fn patch_unit(
        &mut self,
        old: Vec<u32>,
        rows: &[FileFlows],
        changed: &mut FlowGraphDelta,
    ) -> Vec<u32> {
        let mut unchanged: FxHashMap<(File, *const Flows), Vec<u32>> = FxHashMap::default();
        for &slot in old.iter().rev() {
            if let Some(fragment) = &self.fragments[slot as usize] {
                let key = (fragment.file, Arc::as_ptr(&fragment.flows));
                unchanged.entry(key).or_default().push(slot);
            }
        }
        let mut kept: FxHashSet<u32> = FxHashSet::default();
        let mut slots: Vec<Option<u32>> = rows
            .iter()
            .map(|row| {
                let slot = unchanged
                    .get_mut(&(row.file, Arc::as_ptr(&row.flows)))?
                    .pop()?;
                kept.insert(slot);
                Some(slot)
            })
            .collect();
        // Unmatched slots are paired with new rows in text order, file by file.
        let mut unmatched: FxHashMap<File, std::collections::VecDeque<u32>> = FxHashMap::default();
        for slot in old.into_iter().filter(|slot| !kept.contains(slot)) {
            if let Some(fragment) = &self.fragments[slot as usize] {
                unmatched.entry(fragment.file).or_default().push_back(slot);
            }
        }
        for (row, slot) in rows.iter().zip(&mut slots) {
            if slot.is_some() {
                continue;
            }
            let before = unmatched
                .get_mut(&row.file)
                .and_then(|unmatched| unmatched.pop_front());
            *slot = Some(match before {
                Some(before) if self.replace_positions(before, &row.flows, changed) => before,
                Some(before) => {
                    self.remove(before, changed);
                    self.add(row, changed)
                }
                None => self.add(row, changed),
            });
        }
        for slot in unmatched.into_values().flatten() {
            self.remove(slot, changed);
        }
        slots.into_iter().flatten().collect()
    }

    /// Replaces a fragment by one with the same graph but other positions; returns whether that was
    /// possible.
    fn replace_positions(
        &mut self,
        slot: u32,
        flows: &Arc<Flows>,
        changed: &mut FlowGraphDelta,
    ) -> bool {
        let unchanged =
            |fragment: &&Fragment| *fragment.flows == **flows || fragment.flows.same_graph(flows);
        let Some(fragment) = self.fragment(slot).filter(unchanged) else {
            return false;
        };
        changed.calls |= !fragment.flows.same_calls(flows);
        self.remove_sites(slot);
        if let Some(fragment) = &mut self.fragments[slot as usize] {
            fragment.flows = flows.clone();
        }
        self.add_sites(slot);
        true
    }

    fn add(&mut self, row: &FileFlows, changed: &mut FlowGraphDelta) -> u32 {
        changed.graph = true;
        let slot = self.free_fragments.pop().unwrap_or_else(|| {
            self.fragments.push(None);
            self.fragments.len() as u32 - 1
        });
        let flows = &row.flows;
        let mut locals: Vec<u32> = Vec::new();
        let ends = flows.edges.iter().flat_map(|edge| [edge.from, edge.to]);
        let others = flows.sources.iter().map(|source| source.to);
        let others = others.chain(flows.sites.iter().map(|site| site.at));
        for key in ends.chain(others) {
            if let FlowNode::Local(number) = key {
                locals.push(number);
            }
        }
        locals.sort_unstable();
        locals.dedup();
        let nodes: Vec<(u32, FlowNodeId)> = locals
            .into_iter()
            .map(|number| (number, self.new_node(FlowNodeKey::Local(slot))))
            .collect();
        self.fragments[slot as usize] = Some(Fragment {
            file: row.file,
            flows: flows.clone(),
            locals: nodes.into(),
        });
        self.by_file.entry(row.file).or_default().push(slot);
        for edge in &flows.edges {
            let (from, to) = (
                self.intern_in(slot, edge.from),
                self.intern_in(slot, edge.to),
            );
            let pass = edge.pass;
            self.nodes[from as usize]
                .succs
                .push(EdgeEnd { node: to, pass });
            self.nodes[to as usize]
                .preds
                .push(EdgeEnd { node: from, pass });
        }
        for source in &flows.sources {
            let (node, value) = (
                self.intern_in(slot, source.to),
                self.intern_value(source.value),
            );
            self.nodes[node as usize].sources.push((value, slot));
            self.starts[value as usize].push(node);
        }
        for instance in &flows.instances {
            self.instances.add(instance.owner, &instance.args);
        }
        self.add_sites(slot);
        slot
    }

    fn remove(&mut self, slot: u32, changed: &mut FlowGraphDelta) {
        self.remove_sites(slot);
        let Some(fragment) = self.fragments[slot as usize].take() else {
            return;
        };
        changed.graph = true;
        let flows = &fragment.flows;
        for edge in &flows.edges {
            let ends = self
                .node_of(&fragment, edge.from)
                .zip(self.node_of(&fragment, edge.to));
            let Some((from, to)) = ends else { continue };
            let pass = edge.pass;
            remove_one(
                &mut self.nodes[from as usize].succs,
                EdgeEnd { node: to, pass },
            );
            remove_one(
                &mut self.nodes[to as usize].preds,
                EdgeEnd { node: from, pass },
            );
        }
        for source in &flows.sources {
            let node = self.node_of(&fragment, source.to);
            let Some((node, value)) = node.zip(self.value(source.value)) else {
                continue;
            };
            remove_one(&mut self.nodes[node as usize].sources, (value, slot));
            remove_one(&mut self.starts[value as usize], node);
        }
        for instance in &flows.instances {
            self.instances.remove(instance.owner, &instance.args);
        }
        for &(_, node) in &fragment.locals {
            self.nodes[node as usize] = FlowNodeData::new(FlowNodeKey::Local(slot));
            self.free_nodes.push(node);
        }
        if let Some(slots) = self.by_file.get_mut(&fragment.file) {
            slots.retain(|&other| other != slot);
            if slots.is_empty() {
                self.by_file.remove(&fragment.file);
            }
        }
        self.free_fragments.push(slot);
    }

    fn add_sites(&mut self, slot: u32) {
        let Some(flows) = self.fragment(slot).map(|fragment| fragment.flows.clone()) else {
            return;
        };
        for &(method, ty) in &flows.literals {
            *self
                .literals
                .entry(method)
                .or_default()
                .entry(ty)
                .or_default() += 1;
        }
        for site in &flows.sites {
            // A node that a fragment only calls through may get values by dispatch or instances, so
            // it is interned. A local without edges has no node.
            let node = match site.at {
                FlowNode::Local(_) => self.node_in(slot, site.at),
                _ => Some(self.intern(site.at)),
            };
            match (site.method, node) {
                (Some(method), _) => self.by_method.entry(method).or_default().push(slot),
                (None, Some(node)) => self.by_function.entry(node).or_default().push(slot),
                (None, None) => {}
            }
        }
    }

    fn remove_sites(&mut self, slot: u32) {
        let Some(flows) = self.fragment(slot).map(|fragment| fragment.flows.clone()) else {
            return;
        };
        for (method, ty) in &flows.literals {
            let Entry::Occupied(mut types) = self.literals.entry(*method) else {
                continue;
            };
            if let Some(count) = types.get_mut().get_mut(ty) {
                *count -= 1;
            }
            types.get_mut().retain(|_, count| *count > 0);
            if types.get().is_empty() {
                types.remove();
            }
        }
        for site in &flows.sites {
            match site.method {
                Some(method) => {
                    if let Entry::Occupied(mut slots) = self.by_method.entry(method) {
                        remove_one(slots.get_mut(), slot);
                        if slots.get().is_empty() {
                            slots.remove();
                        }
                    }
                }
                None => {
                    let node = self.node_in(slot, site.at);
                    if let Some(node) = node
                        && let Entry::Occupied(mut slots) = self.by_function.entry(node)
                    {
                        remove_one(slots.get_mut(), slot);
                        if slots.get().is_empty() {
                            slots.remove();
                        }
                    }
                }
            }
        }
    }

    fn new_node(&mut self, key: FlowNodeKey) -> FlowNodeId {
        match self.free_nodes.pop() {
            Some(node) => {
                self.nodes[node as usize] = FlowNodeData::new(key);
                node
            }
            None => {
                self.nodes.push(FlowNodeData::new(key));
                self.nodes.len() as u32 - 1
            }
        }
    }

    /// Returns the node shared by all fragments, creating it if needed.
    pub(super) fn intern(&mut self, key: FlowNode) -> FlowNodeId {
        if let Some(&node) = self.ids.get(&key) {
            return node;
        }
        let node = self.new_node(FlowNodeKey::Shared(key));
        self.ids.insert(key, node);
        node
    }

    fn intern_in(&mut self, slot: u32, key: FlowNode) -> FlowNodeId {
        match self.node_in(slot, key) {
            Some(node) => node,
            None => self.intern(key),
        }
    }

    pub(super) fn intern_value(&mut self, value: FlowValue) -> FlowValueId {
        if let Some(&number) = self.numbers.get(&value) {
            return number;
        }
        let number = self.values.len() as u32;
        self.values.push(value);
        self.starts.push(SmallVec::new());
        self.numbers.insert(value, number);
        if let FlowValue::Unknown(reason) = value {
            self.unknowns.push((reason, number));
            self.unknowns.sort_unstable();
        }
        if let FlowValue::Function(symbol)
        | FlowValue::InterfaceMethod(symbol)
        | FlowValue::Literal(symbol, _) = value
        {
            self.of_symbol.entry(symbol).or_default().push(number);
        }
        number
    }

    pub(super) fn fragment(&self, slot: u32) -> Option<&Fragment> {
        self.fragments.get(slot as usize)?.as_ref()
    }

    fn node_of(&self, fragment: &Fragment, key: FlowNode) -> Option<FlowNodeId> {
        match key {
            FlowNode::Local(number) => {
                let locals = &fragment.locals;
                let at = locals.binary_search_by_key(&number, |&(number, _)| number);
                Some(locals[at.ok()?].1)
            }
            key => self.ids.get(&key).copied(),
        }
    }

    /// Returns the node that a key has in a fragment; `None` if nothing flows to or from it.
    pub(super) fn node_in(&self, slot: u32, key: FlowNode) -> Option<FlowNodeId> {
        self.node_of(self.fragment(slot)?, key)
    }

    /// Returns the node shared by all fragments, if anything flows to or from it.
    pub(crate) fn node(&self, key: FlowNode) -> Option<FlowNodeId> {
        self.ids.get(&key).copied()
    }

    /// Returns the nodes that calls are made through.
    pub(super) fn called_through(&self) -> Vec<FlowNodeId> {
        let fragments = self.fragments.iter().flatten();
        let nodes = fragments.flat_map(|fragment| {
            let sites = fragment.flows.sites.iter();
            sites.filter_map(|site| self.node_of(fragment, site.at))
        });
        let mut nodes: Vec<FlowNodeId> = nodes.collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Returns all nodes shared by fragments.
    pub(super) fn shared(&self) -> Vec<(FlowNodeId, FlowNode)> {
        self.ids.iter().map(|(&key, &node)| (node, key)).collect()
    }

    /// Returns the number of a value, if it has one.
    pub(crate) fn value(&self, value: FlowValue) -> Option<FlowValueId> {
        self.numbers.get(&value).copied()
    }

    /// Returns the values that are a function or its literals.
    pub(crate) fn values_of(&self, symbol: SymbolId) -> &[FlowValueId] {
        self.of_symbol.get(&symbol).map_or(&[], |values| values)
    }

    /// Returns the call at a position, with the slot of its fragment.
    pub(crate) fn site(&self, file: File, body: u32, occ: u32) -> Option<(u32, FlowSite)> {
        self.by_file.get(&file)?.iter().find_map(|&slot| {
            let sites = &self.fragment(slot)?.flows.sites;
            let bodies = sites.first()?.body..=sites.last()?.body;
            if !bodies.contains(&body) {
                return None;
            }
            Some((slot, *self.fragment(slot)?.flows.site(body, occ)?))
        })
    }

    /// Returns the calls in a file, fragment by fragment.
    pub(super) fn sites_in(&self, file: File) -> impl Iterator<Item = &FlowSite> {
        let slots = self.by_file.get(&file).map_or(&[][..], Vec::as_slice);
        let fragments = slots.iter().filter_map(|&slot| self.fragment(slot));
        fragments.flat_map(|fragment| fragment.flows.sites.iter())
    }

    /// Returns the types that a method of an interface literal is called on, ascending.
    pub(super) fn literals_of(&self, method: SymbolId) -> SmallVec<[u32; 2]> {
        let types = self.literals.get(&method).into_iter().flatten();
        let mut types: SmallVec<[u32; 2]> = types.map(|(&ty, _)| ty).collect();
        types.sort_unstable();
        types
    }

    /// Returns the interface methods that calls name.
    pub(super) fn called_methods(&self) -> impl Iterator<Item = SymbolId> + '_ {
        self.by_method.keys().copied()
    }

    /// Returns the calls of the function held by a node.
    pub(crate) fn calls_at(&self, node: FlowNodeId) -> Vec<(File, FlowSite)> {
        let slots = self.by_function.get(&node).map_or(&[][..], |slots| slots);
        let mut calls = Vec::new();
        for slot in distinct(slots) {
            let Some(fragment) = self.fragment(slot) else {
                continue;
            };
            let sites = fragment.flows.sites.iter();
            let own = sites.filter(|site| {
                site.method.is_none() && self.node_of(fragment, site.at) == Some(node)
            });
            calls.extend(own.map(|site| (fragment.file, *site)));
        }
        calls
    }
}

fn distinct(slots: &[u32]) -> Vec<u32> {
    let mut slots = slots.to_vec();
    slots.sort_unstable();
    slots.dedup();
    slots
}

/// Removes one of several equal elements.
fn remove_one<T: PartialEq>(list: &mut impl UnorderedList<T>, one: T) {
    list.remove_one(one);
}

/// A list whose order has no meaning.
trait UnorderedList<T> {
    fn remove_one(&mut self, one: T);
}

impl<T: PartialEq> UnorderedList<T> for Vec<T> {
    fn remove_one(&mut self, one: T) {
        if let Some(at) = self.iter().position(|other| *other == one) {
            self.swap_remove(at);
        }
    }
}

impl<T: PartialEq, A: smallvec::Array<Item = T>> UnorderedList<T> for SmallVec<A> {
    fn remove_one(&mut self, one: T) {
        if let Some(at) = self.iter().position(|other| *other == one) {
            self.swap_remove(at);
        }
    }
}
