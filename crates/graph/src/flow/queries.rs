//! The joined graph with its links by class hierarchy and by instance, as values flow through it.

use std::sync::Arc;

use codeweft_db::{FlowNode, FlowValue, Language, NONE};

use super::FlowGraph;
use super::merged::{EdgeEnd, FlowNodeId, FlowNodeKey, FlowValueId};
use super::solve::{ReachedNodes, ValueFlowGraph, locked};
use crate::query_context::QueryContext;

/// The flow graph of a language, asked by one question.
pub(crate) struct FlowQueries<'q> {
    pub(super) question: &'q QueryContext<'q>,
    pub(super) language: &'q dyn Language,
    pub(super) flow: Arc<FlowGraph>,
}

impl FlowQueries<'_> {
    /// The value of a number.
    pub(super) fn value(&self, value: FlowValueId) -> FlowValue {
        self.flow.joined.values[value as usize]
    }

    /// What a node stands for.
    pub(super) fn place(&self, node: FlowNodeId) -> FlowNodeKey {
        self.flow.joined.nodes[node as usize].place
    }

    /// The values at a place, by number.
    pub(super) fn values(&self, node: FlowNodeId) -> Arc<[FlowValueId]> {
        self.flow.solved.solved.values(self, node)
    }

    /// The places that values reach, each.
    pub(super) fn reached(&self, values: &[FlowValueId]) -> Vec<Arc<ReachedNodes>> {
        self.flow.solved.solved.reached(self, values)
    }

    /// Whether one of these values reaches a place: by what was solved backward, where it was.
    pub(super) fn any_reaches(&self, values: &[FlowValueId], node: FlowNodeId) -> bool {
        if let Some(here) = self.flow.solved.solved.known(node) {
            return values.iter().any(|value| here.binary_search(value).is_ok());
        }
        let reached = self.reached(values);
        reached.iter().any(|reached| reached.contains(node))
    }

    /// The parameters and results that the class hierarchy links a place to, backward or forward:
    /// an argument of an interface's method goes to every method that may run, and what those
    /// return comes out of it. Receivers flow by their types alone.
    fn linked(&self, node: FlowNodeId, backward: bool) -> Arc<[FlowNodeId]> {
        let FlowNodeKey::Shared(place) = self.place(node) else {
            return Arc::default();
        };
        let (method, downward) = match place {
            FlowNode::Parameter(_, FlowNode::RECEIVER) => return Arc::default(),
            FlowNode::Parameter(method, _) => (method, !backward),
            FlowNode::Result(method, _) => (method, backward),
            _ => return Arc::default(),
        };
        let known = &self.flow.solved.linked;
        if let Some(linked) = locked(known).get(&(node, backward)) {
            return linked.clone();
        }
        let methods = match downward {
            true => self.runs(method),
            false => self.stands_for(method),
        };
        let linked = methods.iter().filter_map(|&other| {
            self.flow.joined.node(match place {
                FlowNode::Parameter(_, number) => FlowNode::Parameter(other, number),
                FlowNode::Result(_, number) => FlowNode::Result(other, number),
                _ => place,
            })
        });
        let linked: Arc<[FlowNodeId]> = linked.collect();
        locked(known).insert((node, backward), linked.clone());
        linked
    }

    fn visit(&self, node: FlowNodeId, backward: bool, visit: &mut dyn FnMut(EdgeEnd)) {
        let known = &self.flow.joined.nodes[node as usize];
        let halves = match backward {
            true => &known.preds,
            false => &known.succs,
        };
        halves.iter().for_each(|&half| visit(half));
        let free = |node| EdgeEnd { node, pass: NONE };
        let instances = self.flow.instances.halves(node, backward).iter();
        instances.for_each(|&half| visit(half));
        let linked = self.linked(node, backward);
        linked.iter().for_each(|&node| visit(free(node)));
    }
}

impl ValueFlowGraph for FlowQueries<'_> {
    fn begins(&self, node: FlowNodeId, visit: &mut dyn FnMut(FlowValueId)) {
        let sources = self.flow.joined.nodes[node as usize].sources.iter();
        sources.for_each(|&(value, _)| visit(value));
        let instances = self.flow.instances.values(node).iter();
        instances.for_each(|&value| visit(value));
    }

    fn starts(&self, value: FlowValueId, visit: &mut dyn FnMut(FlowNodeId)) {
        let starts = self.flow.joined.starts[value as usize].iter();
        starts.for_each(|&node| visit(node));
        let instances = self.flow.instances.starts(value).iter();
        instances.for_each(|&node| visit(node));
    }

    fn preds(&self, node: FlowNodeId, visit: &mut dyn FnMut(EdgeEnd)) {
        self.visit(node, true, visit);
    }

    fn succs(&self, node: FlowNodeId, visit: &mut dyn FnMut(EdgeEnd)) {
        self.visit(node, false, visit);
    }

    /// What may be anything passes everywhere.
    fn passes(&self, value: FlowValueId, through: u32) -> bool {
        let plain = self.value(value);
        if matches!(plain, FlowValue::Unknown(_)) {
            return true;
        }
        let known = &self.flow.hierarchy.passes;
        if let Some(&passes) = locked(known).get(&(value, through)) {
            return passes;
        }
        let passes = self
            .language
            .flow_assignable(self.question.db, plain, through);
        locked(known).insert((value, through), passes);
        passes
    }

    fn check(&self) {
        self.question.look_up();
    }
}
