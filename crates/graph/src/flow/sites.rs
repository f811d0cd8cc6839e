//! Calls in the flow graph: what a call runs, and which calls run a function.
//!
//! Calls of interface methods and calls of function values are solved in either direction:
//!
//! ```text
//! callees: site -> node -> values at the node (backward) -> method of each value
//! callers: function -> values that run it -> nodes they reach (forward) -> calls through them
//! ```

use std::sync::Arc;

use codeweft_db::{File, FlowNode, FlowSite, FlowTarget, FlowValue, NameId, Reason, SymbolId};
use rustc_hash::FxHashSet;

use super::dispatch_table::DispatchTable;
use super::graph::{CallGoal, MatchingValues};
use super::merged::{FlowNodeId, FlowValueId};
use super::queries::FlowQueries;
use super::reached_nodes::ReachedNodes;

/// The targets of a call.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct CallTargets {
    /// Sorted by number, without duplicates.
    pub(crate) targets: Vec<SymbolId>,
    /// The functions of which the call runs a literal made inside, without those of `targets`;
    /// sorted by number, without duplicates.
    pub(crate) literal_owners: Vec<SymbolId>,
    /// Why other targets are possible; `None` if the list is complete.
    pub(crate) unknown: Option<Reason>,
}

/// The relation of a call to a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dispatch {
    /// The call runs the method.
    Runs,
    /// The call may run the method: an unknown value reaches it.
    Unknown(Reason),
    /// The call does not run the method.
    Excluded,
}

impl FlowQueries<'_> {
    /// Returns the call at a position, if it goes through a node.
    pub(crate) fn site(&self, file: File, body: u32, occ: u32) -> Option<FlowCallSite> {
        let (slot, site) = self.flow.merged.site(file, body, occ)?;
        Some(FlowCallSite {
            node: self.flow.merged.node_in(slot, site.at),
            method: site.method,
        })
    }

    /// Returns what a call runs; solves backward from its node.
    pub(crate) fn targets(&self, site: &FlowCallSite) -> CallTargets {
        let mut found = CallTargets::default();
        match site.method {
            Some(method) => {
                let table = self.table(self.method_name(method), method);
                let mut seen = FxHashSet::default();
                self.methods_at(site.node, &table, &mut found, &mut seen);
                let dispatch_targets = self.dispatch_targets(method);
                found
                    .targets
                    .retain(|run| dispatch_targets.binary_search(run).is_ok());
            }
            None => self.functions_at(site.node, &mut found),
        }
        found.targets.sort_unstable();
        found.targets.dedup();
        let runs = |owner: &SymbolId| found.targets.binary_search(owner).is_ok();
        found.literal_owners.retain(|owner| !runs(owner));
        found.literal_owners.sort_unstable();
        found.literal_owners.dedup();
        found
    }

    fn methods_at(
        &self,
        node: Option<FlowNodeId>,
        table: &DispatchTable,
        found: &mut CallTargets,
        seen: &mut FxHashSet<FlowNodeId>,
    ) {
        let mut pending: Vec<FlowNodeId> = node.into_iter().collect();
        while let Some(node) = pending.pop() {
            if !seen.insert(node) {
                continue;
            }
            for &value in self.values(node).iter() {
                if let FlowValue::Unknown(reason) = self.value(value) {
                    keep_smaller(&mut found.unknown, reason);
                }
                match table.target(value) {
                    Some(FlowTarget::Method(method)) => found.targets.push(method),
                    Some(FlowTarget::Through(field, _)) => {
                        pending.extend(self.flow.merged.node(FlowNode::Variable(field)));
                    }
                    None => {}
                }
            }
        }
    }

    fn functions_at(&self, node: Option<FlowNodeId>, found: &mut CallTargets) {
        let values = node.map_or_else(Arc::default, |node| self.values(node));
        for &value in values.iter() {
            match self.value(value) {
                FlowValue::Function(function) => found.targets.push(function),
                FlowValue::Literal(owner, _) => found.literal_owners.push(owner),
                FlowValue::InterfaceMethod(method) => {
                    found.targets.extend(self.dispatch_targets(method).iter());
                }
                FlowValue::Unknown(reason) => keep_smaller(&mut found.unknown, reason),
                FlowValue::Type(_) => {}
            }
        }
    }

    /// Returns for each node whether calls of `called` through it run `method`: by the values at the
    /// node if they are solved, else forward from the values that run the method.
    pub(crate) fn dispatch(
        &self,
        called: SymbolId,
        nodes: impl Iterator<Item = Option<FlowNodeId>>,
        method: SymbolId,
    ) -> Vec<Dispatch> {
        let method_name = self.method_name(called);
        let table = self.table(method_name, called);
        let running = table.values_of(method);
        let at = |node: FlowNodeId| {
            self.query.poll_cancellation();
            if let Some(here) = self.solutions.solved.known(node)
                && !table.has_fields()
            {
                if shares_value(running, &here) {
                    return Dispatch::Runs;
                }
                let holds = |value: &FlowValueId| here.binary_search(value).is_ok();
                let mut unknowns = self.flow.merged.unknowns.iter();
                return match unknowns.find(|(_, value)| holds(value)) {
                    Some(&(reason, _)) => Dispatch::Unknown(reason),
                    None => Dispatch::Excluded,
                };
            }
            let matching_values = self.matching_values(method_name, called, CallGoal::Runs(method));
            if matching_values.reached.contains(node) {
                return Dispatch::Runs;
            }
            match self.unknown_at(method_name, called, node) {
                Some(reason) => Dispatch::Unknown(reason),
                None => Dispatch::Excluded,
            }
        };
        nodes
            .map(|node| node.map_or(Dispatch::Excluded, at))
            .collect()
    }

    /// Returns why a method call through a node may run other methods too.
    fn unknown_at(
        &self,
        method_name: NameId,
        called: SymbolId,
        node: FlowNodeId,
    ) -> Option<Reason> {
        let mut unknowns = self.flow.merged.unknowns.iter();
        let reaching = unknowns.find(|(_, value)| {
            let matching_values =
                self.matching_values(method_name, called, CallGoal::Unknown(*value));
            matching_values.reached.contains(node)
        });
        reaching.map(|&(reason, _)| reason)
    }

    /// Returns why a call may run other targets too; `None` if all are known.
    pub(crate) fn unknown(&self, site: &FlowCallSite) -> Option<Reason> {
        let node = site.node?;
        match site.method {
            Some(called) => self.unknown_at(self.method_name(called), called, node),
            None => {
                let unknowns = &self.flow.merged.unknowns;
                // The unknown values share one forward pass.
                let all: Vec<FlowValueId> = unknowns.iter().map(|&(_, value)| value).collect();
                if !self.any_reaches(&all, node) {
                    return None;
                }
                let mut unknowns = unknowns.iter();
                let reaching = unknowns.find(|&&(_, value)| self.any_reaches(&[value], node));
                reaching.map(|&(reason, _)| reason)
            }
        }
    }

    /// Returns the values that carry a function to calls of function values: the function and
    /// method values of interfaces that dispatch to it.
    pub(super) fn function_values(&self, function: SymbolId) -> Vec<FlowValueId> {
        let merged = &self.flow.merged;
        let is_method =
            |value: &FlowValueId| matches!(self.value(*value), FlowValue::InterfaceMethod(_));
        let own = merged.values_of(function).iter().copied();
        let is_own = |value: &FlowValueId| matches!(self.value(*value), FlowValue::Function(_));
        let mut values: Vec<FlowValueId> = own.filter(is_own).collect();
        if self.language.is_dynamically_typed() {
            return values;
        }
        // An interface's method itself never runs; only the methods it dispatches to do.
        for &source in self.run_for(function).iter() {
            let of_source = merged.values_of(source).iter().copied();
            values.extend(of_source.filter(is_method));
        }
        values
    }

    /// Returns the literals made inside a function.
    pub(super) fn literal_values(&self, function: SymbolId) -> Vec<FlowValueId> {
        let own = self.flow.merged.values_of(function).iter().copied();
        let is_literal = |value: &FlowValueId| matches!(self.value(*value), FlowValue::Literal(..));
        own.filter(is_literal).collect()
    }

    /// Solves the nodes of all calls ahead of queries.
    pub(crate) fn solve_all(&self) {
        let escaping = self.escape_nodes();
        let escaping = escaping.iter().map(|&(node, _)| node);
        for node in self
            .flow
            .merged
            .called_through()
            .into_iter()
            .chain(escaping)
        {
            self.values(node);
        }
    }

    /// Returns the calls of function values that run a function, and with `true` those that run
    /// only a literal made inside it.
    pub(crate) fn calls_by_value(&self, function: SymbolId) -> Vec<(File, FlowSite, bool)> {
        let nodes = self.nodes_reached(&self.function_values(function));
        let by_literals = self.nodes_reached(&self.literal_values(function));
        let only_by_literals = by_literals.difference(&nodes).map(|&node| (node, true));
        let all = nodes.iter().map(|&node| (node, false));
        let mut calls = Vec::new();
        for (node, of_literal) in all.chain(only_by_literals) {
            self.query.poll_cancellation();
            let sites = self.flow.merged.calls_at(node).into_iter();
            calls.extend(sites.map(|(file, site)| (file, site, of_literal)));
        }
        calls
    }

    /// Follows the values of functions and of their literals, many at a time.
    pub(crate) fn follow_functions(&self, functions: &[SymbolId]) {
        let mut values = Vec::new();
        for &function in functions {
            self.query.poll_cancellation();
            values.extend(self.function_values(function));
            values.extend(self.literal_values(function));
        }
        self.reached(&values);
    }

    fn nodes_reached(&self, values: &[FlowValueId]) -> FxHashSet<FlowNodeId> {
        let mut nodes = FxHashSet::default();
        for reached in self.reached(values) {
            nodes.extend(reached.nodes());
        }
        nodes
    }

    /// Returns the nodes through which values escape the analysed sources, each with its reason.
    fn escape_nodes(&self) -> Arc<[(FlowNodeId, Reason)]> {
        let known = self.solutions.escapes.get_or_init(|| {
            let mut found = Vec::new();
            for (node, key) in self.flow.merged.shared() {
                self.query.poll_cancellation();
                let reason = self.language.flow_escapes(self.query.db, key);
                found.extend(reason.map(|reason| (node, reason)));
            }
            found.into()
        });
        known.clone()
    }

    /// Returns the values at any of the nodes, if all of them are solved already.
    fn escaping_values(
        &self,
        escape_nodes: &[(FlowNodeId, Reason)],
    ) -> Option<&FxHashSet<FlowValueId>> {
        let solutions = &self.solutions;
        if let Some(known) = solutions.escaping_values.get() {
            return Some(known);
        }
        let mut nodes = escape_nodes.iter();
        if !nodes.all(|&(node, _)| solutions.solved.known(node).is_some()) {
            return None;
        }
        let escaping = || {
            let sets = escape_nodes.iter().map(|&(node, _)| self.values(node));
            sets.flat_map(|set| set.to_vec()).collect()
        };
        Some(solutions.escaping_values.get_or_init(escaping))
    }

    /// Returns the nodes through which a function escapes the analysed sources: as a value or, for
    /// a method, with its receiver; with `literals` also those through which a literal made inside
    /// it does. Outside code cannot name an unexported method.
    pub(crate) fn escapes_of(&self, function: SymbolId, literals: bool) -> Vec<(FlowNode, Reason)> {
        let escape_nodes = self.escape_nodes();
        if escape_nodes.is_empty() {
            return Vec::new();
        }
        let mut values = self.function_values(function);
        if literals {
            values.extend(self.literal_values(function));
        }
        let is_method = self.query.key(function).class == codeweft_db::SymbolClass::Method;
        if is_method && self.query.row(function).is_none_or(|(_, row)| row.public) {
            let method_name = self.method_name(function);
            let table = self.table(method_name, function);
            if !table.has_fields() {
                values.extend(table.values_of(function));
            } else {
                let goal = CallGoal::Runs(function);
                values.extend(&self.matching_values(method_name, function, goal).values);
            }
        }
        if let Some(escaping) = self.escaping_values(&escape_nodes)
            && !values.iter().any(|value| escaping.contains(value))
        {
            return Vec::new();
        }
        let mut escaping: Vec<(FlowNodeId, Reason)> = escape_nodes.to_vec();
        escaping.retain(|&(node, _)| self.any_reaches(&values, node));
        let escaping = escaping.iter();
        escaping
            .filter_map(|&(node, reason)| match self.key(node) {
                super::merged::FlowNodeKey::Shared(key) => Some((key, reason)),
                super::merged::FlowNodeKey::Local(_) => None,
            })
            .collect()
    }

    /// Returns the values on which a call of a name runs the goal, including values whose embedded
    /// field holds such a value.
    pub(super) fn matching_values(
        &self,
        method_name: NameId,
        method: SymbolId,
        goal: CallGoal,
    ) -> Arc<MatchingValues> {
        let known = &self.solutions.matching_values;
        if let Some(matching_values) = known.get(&(method_name, goal)) {
            return matching_values;
        }
        let table = self.table(method_name, method);
        let mut values: Vec<FlowValueId> = match goal {
            CallGoal::Runs(run) => table.values_of(run).to_vec(),
            CallGoal::Unknown(value) => {
                // All unknown values will be needed; they share one forward pass.
                let unknowns = self.flow.merged.unknowns.iter();
                let unknowns: Vec<FlowValueId> = unknowns.map(|&(_, value)| value).collect();
                self.reached(&unknowns);
                vec![value]
            }
        };
        let fields = table.fields();
        let mut fields: Vec<(FlowNodeId, &[FlowValueId])> = fields
            .filter_map(|(field, values)| {
                let node = self.flow.merged.node(FlowNode::Variable(field))?;
                Some((node, values))
            })
            .collect();
        let mut reached: Vec<Arc<ReachedNodes>> = Vec::new();
        let mut new = values.clone();
        while !new.is_empty() {
            let here = self.reached(&std::mem::take(&mut new));
            fields.retain(|&(node, values)| {
                let holds = here.iter().any(|reached| reached.contains(node));
                if holds {
                    new.extend(values);
                }
                !holds
            });
            new.retain(|value| !values.contains(value));
            values.extend(&new);
            reached.extend(here);
        }
        let matching_values = Arc::new(MatchingValues {
            values,
            reached: ReachedNodes::union(reached),
        });
        known.insert((method_name, goal), matching_values.clone());
        matching_values
    }
}

/// Returns the calls in a file that go through a node.
pub(crate) fn sites_in(flow_queries: &FlowQueries<'_>, file: File) -> Vec<FlowSite> {
    flow_queries.flow.merged.sites_in(file).copied().collect()
}

/// Returns whether two ascending lists have a value in common: the shorter one is looked up.
fn shares_value(a: &[FlowValueId], b: &[FlowValueId]) -> bool {
    let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    few.iter().any(|value| many.binary_search(value).is_ok())
}

/// A call through a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FlowCallSite {
    /// The node; `None` if nothing flows to it.
    pub(crate) node: Option<FlowNodeId>,
    /// See [`FlowSite::method`].
    pub(crate) method: Option<SymbolId>,
}

/// Keeps the smaller of two reasons.
fn keep_smaller(known: &mut Option<Reason>, reason: Reason) {
    *known = Some(known.map_or(reason, |known| known.min(reason)));
}
