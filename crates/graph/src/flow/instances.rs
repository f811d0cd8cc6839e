//! Generic code and its instances: what flows at a place that is keyed by type parameters flows at
//! the place that it is in each instance, and the other way round.

use codeweft_db::{FlowInstantiated, FlowNode, FlowValue, Lang, NONE, Reason, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::merged::{EdgeEnd, FlowNodeId, FlowValueId, MergedFlowGraph};
use crate::query_context::QueryContext;

/// Of so many instances a place is followed; of more, anything may come.
const MOST_LINKS: usize = 10_000;

/// Type arguments that hold type parameters are replaced so often.
const MOST_SUBSTITUTIONS: u32 = 8;

/// So many places are asked for at once.
const CHUNK: usize = 256;

/// The links between generic places and what they are in instances.
#[derive(Default)]
pub(super) struct InstanceLinks {
    /// By the place that they lead to, and by the place that they come from.
    preds: FxHashMap<FlowNodeId, Vec<EdgeEnd>>,
    succs: FxHashMap<FlowNodeId, Vec<EdgeEnd>>,
    /// Values of concrete types that a generic place holds in an instance.
    values: FxHashMap<FlowNodeId, Vec<FlowValueId>>,
    /// The inverse of `values`.
    starts: FxHashMap<FlowValueId, Vec<FlowNodeId>>,
    /// The places that were asked for.
    asked: FxHashSet<FlowNodeId>,
}

/// What a place is in instances, or that they are too many.
type InstanceNodes = Option<Vec<FlowInstantiated>>;

impl InstanceLinks {
    /// Adds the links of all places that were not asked for yet.
    pub(super) fn add(
        &mut self,
        question: &QueryContext<'_>,
        lang: Lang,
        joined: &mut MergedFlowGraph,
    ) {
        if joined.instances.is_empty() {
            return;
        }
        let mut open = joined.shared();
        open.retain(|(node, _)| !self.asked.contains(node));
        let mut substituted = 0;
        while !open.is_empty() {
            let chunks: Vec<&[(FlowNodeId, FlowNode)]> = open.chunks(CHUNK).collect();
            let linked = question.map(&chunks, |languages, db, chunk| {
                let language = languages.of(lang);
                let places = chunk.iter().map(|&(_, place)| match language {
                    Some(language) => linked(language, db, joined, place),
                    None => Some(Vec::new()),
                });
                places.collect::<Vec<InstanceNodes>>()
            });
            let linked = linked.into_iter().flatten();
            let mut next = Vec::new();
            for (&(node, _), linked) in open.iter().zip(linked) {
                self.asked.insert(node);
                match linked.filter(|linked| linked.is_empty() || substituted < MOST_SUBSTITUTIONS)
                {
                    Some(linked) => self.link(joined, node, linked, &mut next),
                    None => self.begin(joined, node, FlowValue::Unknown(Reason::UnknownReceiver)),
                }
            }
            open = next;
            substituted += 1;
        }
    }

    fn link(
        &mut self,
        joined: &mut MergedFlowGraph,
        node: FlowNodeId,
        linked: Vec<FlowInstantiated>,
        next: &mut Vec<(FlowNodeId, FlowNode)>,
    ) {
        for instantiated in linked {
            match instantiated {
                FlowInstantiated::Place(place, _) | FlowInstantiated::From(place) => {
                    let other = joined.intern(place);
                    self.edge(other, node, NONE);
                    if let FlowInstantiated::Place(_, pass) = instantiated {
                        self.edge(node, other, pass);
                    }
                    if !self.asked.contains(&other) && !next.contains(&(other, place)) {
                        next.push((other, place));
                    }
                }
                FlowInstantiated::Value(value) => self.begin(joined, node, value),
                FlowInstantiated::Nothing => {}
            }
        }
    }

    fn edge(&mut self, from: FlowNodeId, to: FlowNodeId, pass: u32) {
        if from != to {
            let half = |node| EdgeEnd { node, pass };
            self.preds.entry(to).or_default().push(half(from));
            self.succs.entry(from).or_default().push(half(to));
        }
    }

    fn begin(&mut self, joined: &mut MergedFlowGraph, node: FlowNodeId, value: FlowValue) {
        let value = joined.intern_value(value);
        self.values.entry(node).or_default().push(value);
        self.starts.entry(value).or_default().push(node);
    }

    /// The places that values come from, or that they go to.
    pub(super) fn halves(&self, node: FlowNodeId, backward: bool) -> &[EdgeEnd] {
        let halves = if backward { &self.preds } else { &self.succs };
        halves.get(&node).map_or(&[], Vec::as_slice)
    }

    /// The values that a place holds in instances.
    pub(super) fn values(&self, node: FlowNodeId) -> &[FlowValueId] {
        self.values.get(&node).map_or(&[], Vec::as_slice)
    }

    /// The places that hold a value in instances.
    pub(super) fn starts(&self, value: FlowValueId) -> &[FlowNodeId] {
        self.starts.get(&value).map_or(&[], Vec::as_slice)
    }
}

/// What a place is in the instances of the declarations whose type parameters it is keyed by.
fn linked(
    language: &dyn codeweft_db::Language,
    db: &dyn codeweft_db::Db,
    joined: &MergedFlowGraph,
    place: FlowNode,
) -> InstanceNodes {
    let mut found = Vec::new();
    let owners: Vec<SymbolId> = language.flow_owners(db, place).into_iter().collect();
    for owner in owners {
        let Some(instances) = joined.instances.get(&owner) else {
            continue;
        };
        if found.len() + instances.len() > MOST_LINKS {
            return None;
        }
        for args in instances.keys() {
            let one = language.flow_instantiate(db, place, owner, args);
            if one != FlowInstantiated::Nothing {
                found.push(one);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    Some(found)
}
