//! What the calls through places run, and who calls a function so.

use std::sync::Arc;

use codeweft_db::{File, FlowNode, FlowSite, FlowTarget, FlowValue, NameId, Reason, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::merged::{FlowNodeId, FlowValueId};
use super::queries::FlowQueries;
use super::solve::{ReachedNodes, locked};

/// What is looked for at calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum CallGoal {
    /// A method.
    Runs(SymbolId),
    /// A value that stands for anything.
    Unknown(FlowValueId),
}

/// What a name runs on each value.
#[derive(Clone, Default)]
pub(super) struct DispatchTable {
    /// So many values were asked.
    pub(super) asked: usize,
    pub(super) by_value: FxHashMap<FlowValueId, FlowTarget>,
    pub(super) by_method: FxHashMap<SymbolId, Vec<FlowValueId>>,
    /// The values whose method is that of what a field holds.
    pub(super) by_field: FxHashMap<SymbolId, Vec<FlowValueId>>,
    /// The values by the method that is declared for them, also of an embedded interface.
    pub(super) by_target: FxHashMap<SymbolId, Vec<FlowValueId>>,
}

/// The values on which a call runs what is looked for.
pub(super) struct MatchingValues {
    values: Vec<FlowValueId>,
    /// Where any of them is.
    reached: Arc<ReachedNodes>,
}

/// What a call runs.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct CallTargets {
    /// Sorted by number, distinct.
    pub(crate) targets: Vec<SymbolId>,
    /// Why others may run, too.
    pub(crate) unknown: Option<Reason>,
}

/// What a call has to do with a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dispatch {
    /// It runs it.
    Runs,
    /// It may, and nobody can tell.
    Unknown(Reason),
    /// It does not.
    Excluded,
}

impl DispatchTable {
    /// The values on which the name runs a method.
    pub(super) fn values_of(&self, method: SymbolId) -> &[FlowValueId] {
        self.by_method.get(&method).map_or(&[], Vec::as_slice)
    }

    /// The values that have this very method, an interface's where a field holds what runs.
    pub(super) fn values_of_target(&self, method: SymbolId) -> &[FlowValueId] {
        self.by_target.get(&method).map_or(&[], Vec::as_slice)
    }

    /// The methods that values have, each with the values.
    pub(super) fn by_target(&self) -> impl Iterator<Item = (SymbolId, &[FlowValueId])> + '_ {
        let all = self.by_target.iter();
        all.map(|(&method, values)| (method, values.as_slice()))
    }

    /// The embedded fields that the name's method is run through, each with the values that have
    /// it; in no order that means anything.
    pub(super) fn fields(&self) -> impl Iterator<Item = (SymbolId, &[FlowValueId])> + '_ {
        self.by_field
            .iter()
            .map(|(&field, values)| (field, values.as_slice()))
    }
}

impl FlowQueries<'_> {
    /// The call through a place, if there is one.
    pub(crate) fn site(&self, file: File, body: u32, occ: u32) -> Option<FlowCallSite> {
        let (slot, site) = self.flow.joined.site(file, body, occ)?;
        Some(self.of_fragment(slot, &site))
    }

    fn of_fragment(&self, slot: u32, site: &FlowSite) -> FlowCallSite {
        FlowCallSite {
            node: self.flow.joined.node_in(slot, site.at),
            method: site.method,
        }
    }

    /// What a call runs: backward from its place.
    pub(crate) fn targets(&self, site: &FlowCallSite) -> CallTargets {
        let mut found = CallTargets::default();
        match site.method {
            Some(method) => {
                let table = self.table(self.named(method), method);
                let mut seen = FxHashSet::default();
                self.methods_at(site.node, &table, &mut found, &mut seen);
                let runs = self.runs(method);
                found.targets.retain(|run| runs.binary_search(run).is_ok());
            }
            None => self.functions_at(site.node, &mut found),
        }
        found.targets.sort_unstable();
        found.targets.dedup();
        found
    }

    fn methods_at(
        &self,
        node: Option<FlowNodeId>,
        table: &DispatchTable,
        found: &mut CallTargets,
        seen: &mut FxHashSet<FlowNodeId>,
    ) {
        let mut open: Vec<FlowNodeId> = node.into_iter().collect();
        while let Some(node) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            for &value in self.values(node).iter() {
                if let FlowValue::Unknown(reason) = self.value(value) {
                    note(&mut found.unknown, reason);
                }
                match table.by_value.get(&value) {
                    Some(&FlowTarget::Method(method)) => found.targets.push(method),
                    Some(&FlowTarget::Through(field, _)) => {
                        open.extend(self.flow.joined.node(FlowNode::Variable(field)));
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
                FlowValue::Function(function) | FlowValue::Literal(function, _) => {
                    found.targets.push(function);
                }
                FlowValue::InterfaceMethod(method) => {
                    found.targets.extend(self.runs(method).iter());
                }
                FlowValue::Unknown(reason) => note(&mut found.unknown, reason),
                FlowValue::Type(_) => {}
            }
        }
    }

    /// What a call of a method has to do with a method: by the values at its place where they were
    /// solved, else forward from the values that run the method.
    pub(crate) fn dispatch(&self, site: &FlowCallSite, method: SymbolId) -> Dispatch {
        let (Some(node), Some(called)) = (site.node, site.method) else {
            return Dispatch::Excluded;
        };
        let named = self.named(called);
        let table = self.table(named, called);
        if let Some(here) = self.flow.solved.solved.known(node)
            && table.by_field.is_empty()
        {
            let holds = |value: &FlowValueId| here.binary_search(value).is_ok();
            if table.values_of(method).iter().any(holds) {
                return Dispatch::Runs;
            }
            let mut unknowns = self.flow.joined.unknowns.iter();
            return match unknowns.find(|(_, value)| holds(value)) {
                Some(&(reason, _)) => Dispatch::Unknown(reason),
                None => Dispatch::Excluded,
            };
        }
        let carriers = self.carriers(named, called, CallGoal::Runs(method));
        if carriers.reached.contains(node) {
            return Dispatch::Runs;
        }
        match self.unknown_at(named, called, node) {
            Some(reason) => Dispatch::Unknown(reason),
            None => Dispatch::Excluded,
        }
    }

    /// Why a call of a method at a place may run others, too.
    fn unknown_at(&self, named: NameId, called: SymbolId, node: FlowNodeId) -> Option<Reason> {
        let mut unknowns = self.flow.joined.unknowns.iter();
        let reaching = unknowns.find(|(_, value)| {
            let carriers = self.carriers(named, called, CallGoal::Unknown(*value));
            carriers.reached.contains(node)
        });
        reaching.map(|&(reason, _)| reason)
    }

    /// Why the call of a function value may run others, too; `None` where all are known.
    pub(crate) fn unknown(&self, site: &FlowCallSite) -> Option<Reason> {
        let node = site.node?;
        match site.method {
            Some(called) => self.unknown_at(self.named(called), called, node),
            None => {
                let mut unknowns = self.flow.joined.unknowns.iter().copied();
                let reaching = unknowns.find(|&(_, value)| self.any_reaches(&[value], node));
                reaching.map(|(reason, _)| reason)
            }
        }
    }

    /// The values that bring a function to the calls of function values: itself, its literals, and
    /// the methods of interfaces that it stands for.
    pub(super) fn as_values(&self, function: SymbolId) -> Vec<FlowValueId> {
        let joined = &self.flow.joined;
        let is_method =
            |value: &FlowValueId| matches!(self.value(*value), FlowValue::InterfaceMethod(_));
        let own = joined.values_of(function).iter().copied();
        let mut values: Vec<FlowValueId> = own.filter(|value| !is_method(value)).collect();
        // No call runs an interface's method itself.
        for &stood in self.question.stands_for(function).iter() {
            let of_stood = joined.values_of(stood).iter().copied();
            values.extend(of_stood.filter(is_method));
        }
        values
    }

    /// Solves the places of all calls, so that questions find them solved.
    pub(crate) fn solve_all(&self) {
        let left = self.escapes();
        let left = left.iter().map(|&(node, _)| node);
        for node in self.flow.joined.called_through().into_iter().chain(left) {
            self.values(node);
        }
    }

    /// The calls of function values that run a function.
    pub(crate) fn calls_by_value(&self, function: SymbolId) -> Vec<(File, FlowSite)> {
        let mut nodes = FxHashSet::default();
        for reached in self.reached(&self.as_values(function)) {
            nodes.extend(reached.nodes());
        }
        let mut calls = Vec::new();
        for node in nodes {
            self.question.look_up();
            calls.extend(self.flow.joined.calls_at(node));
        }
        calls
    }

    /// The places that a value leaves what any text shows at, each with why.
    fn escapes(&self) -> Arc<[(FlowNodeId, Reason)]> {
        if let Some(known) = locked(&self.flow.solved.escapes).get(&()) {
            return known.clone();
        }
        let mut found = Vec::new();
        for (node, place) in self.flow.joined.shared() {
            self.question.look_up();
            let reason = self.language.flow_escapes(self.question.db, place);
            found.extend(reason.map(|reason| (node, reason)));
        }
        let found: Arc<[(FlowNodeId, Reason)]> = found.into();
        locked(&self.flow.solved.escapes).insert((), found.clone());
        found
    }

    /// Where a function leaves what any text shows, as a value or, a method, with one. Nothing
    /// there finds a method that is not public.
    pub(crate) fn leaves(&self, function: SymbolId) -> Vec<(FlowNode, Reason)> {
        let escapes = self.escapes();
        if escapes.is_empty() {
            return Vec::new();
        }
        let mut values = self.as_values(function);
        let is_method = self.question.key(function).class == codeweft_db::SymbolClass::Method;
        if is_method
            && self
                .question
                .row(function)
                .is_none_or(|(_, row)| row.public)
        {
            let named = self.named(function);
            let carriers = self.carriers(named, function, CallGoal::Runs(function));
            values.extend(&carriers.values);
        }
        let mut left: Vec<(FlowNodeId, Reason)> = escapes.to_vec();
        left.retain(|&(node, _)| self.any_reaches(&values, node));
        let left = left.iter();
        left.filter_map(|&(node, reason)| match self.place(node) {
            super::merged::FlowNodeKey::Shared(place) => Some((place, reason)),
            super::merged::FlowNodeKey::Local(_) => None,
        })
        .collect()
    }

    /// The values on which a call of a name runs what is looked for: also those whose embedded
    /// field holds such a value.
    pub(super) fn carriers(
        &self,
        named: NameId,
        method: SymbolId,
        goal: CallGoal,
    ) -> Arc<MatchingValues> {
        let known = &self.flow.solved.carriers;
        if let Some(carriers) = locked(known).get(&(named, goal)) {
            return carriers.clone();
        }
        let table = self.table(named, method);
        let mut values: Vec<FlowValueId> = match goal {
            CallGoal::Runs(run) => table.values_of(run).to_vec(),
            CallGoal::Unknown(value) => {
                // All are asked for sooner or later: they are followed at once.
                let unknowns = self.flow.joined.unknowns.iter();
                let unknowns: Vec<FlowValueId> = unknowns.map(|&(_, value)| value).collect();
                self.reached(&unknowns);
                vec![value]
            }
        };
        let fields = table.fields();
        let mut fields: Vec<(FlowNodeId, &[FlowValueId])> = fields
            .filter_map(|(field, values)| {
                let node = self.flow.joined.node(FlowNode::Variable(field))?;
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
        let carriers = Arc::new(MatchingValues {
            values,
            reached: ReachedNodes::union(reached),
        });
        locked(known).insert((named, goal), carriers.clone());
        carriers
    }
}

/// A call through a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FlowCallSite {
    /// The place; `None` where nothing flows to it.
    pub(super) node: Option<FlowNodeId>,
    /// See [`FlowSite::method`].
    pub(crate) method: Option<SymbolId>,
}

/// Of several reasons the first.
fn note(known: &mut Option<Reason>, reason: Reason) {
    *known = Some(known.map_or(reason, |known| known.min(reason)));
}
