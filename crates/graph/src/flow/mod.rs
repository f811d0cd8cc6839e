//! The flow graph of variables: which values reach the places that calls are made through.
//!
//! The languages give fragments, one for each part of a file's bodies; [`joined`] makes one graph
//! of them, which later revisions patch. What an interface's method takes and gives is linked with
//! what the methods take and give that it may run, and generic code with its instances; these links
//! are no part of any fragment. [`solve`] finds the values of a place and the places of a value.

mod components;
mod dispatch;
mod instances;
mod merged;
mod queries;
mod reasons;
mod sites;
mod solve;

#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex};

use codeweft_db::{FileFlows, Lang, NameId, Reason, SymbolId, Unit};
use rustc_hash::FxHashMap;

use crate::hierarchy::TypeTable;
use crate::query_context::QueryContext;
use crate::revision_cache::SymbolMemo;
use dispatch::DispatchRelation;
use instances::InstanceLinks;
use merged::{FlowNodeId, MergedFlowGraph};
pub(crate) use queries::FlowQueries;
pub(crate) use reasons::ForwardReach;
pub(crate) use sites::{Dispatch, FlowCallSite};
use solve::SolvedSets;
pub(crate) use solve::locked;

/// The flow graph of one language at one revision, with what was solved in it.
pub(crate) struct FlowGraph {
    joined: MergedFlowGraph,
    instances: InstanceLinks,
    /// What methods run and stand for was read from these.
    types: Arc<TypeTable>,
    hierarchy: DispatchCaches,
    relation: DispatchRelation,
    solved: Solutions,
}

/// What was found by its key. Only what is finished is written.
type KeyedCache<K, V> = Mutex<FxHashMap<K, Arc<V>>>;

/// What the class hierarchy says of methods: as long as the types are the same.
#[derive(Default)]
struct DispatchCaches {
    /// By rows, in one step.
    runs: SymbolMemo,
    stands_for: SymbolMemo,
    named: Mutex<FxHashMap<SymbolId, NameId>>,
    tables: KeyedCache<NameId, sites::DispatchTable>,
    passes: Mutex<FxHashMap<(u32, u32), bool>>,
}

/// What was solved: as long as the graph and the types are the same.
#[derive(Default)]
struct Solutions {
    solved: SolvedSets,
    /// The places that the class hierarchy links a place to: of parameters and results.
    linked: KeyedCache<(FlowNodeId, bool), [FlowNodeId]>,
    carriers: KeyedCache<(NameId, sites::CallGoal), sites::MatchingValues>,
    escapes: KeyedCache<(), [(FlowNodeId, Reason)]>,
}

impl FlowGraph {
    /// The graph of these units, made from that of an earlier revision where there is one.
    fn next(
        question: &QueryContext<'_>,
        lang: Lang,
        earlier: Option<FlowGraph>,
        units: &[(Unit, Arc<[FileFlows]>)],
        types: Arc<TypeTable>,
    ) -> FlowGraph {
        let mut flow = earlier.unwrap_or_else(|| FlowGraph {
            joined: MergedFlowGraph::default(),
            instances: InstanceLinks::default(),
            types: types.clone(),
            hierarchy: DispatchCaches::default(),
            relation: DispatchRelation::default(),
            solved: Solutions::default(),
        });
        let changed = flow.joined.patch(units);
        let same_types = Arc::ptr_eq(&flow.types, &types);
        if !same_types {
            flow.types = types;
            flow.hierarchy = DispatchCaches::default();
        }
        if changed.graph || changed.calls || !same_types {
            flow.relation = DispatchRelation::default();
        }
        if changed.graph || !same_types {
            flow.solved = Solutions::default();
            if changed.instances || !same_types {
                flow.instances = InstanceLinks::default();
            }
            flow.instances.add(question, lang, &mut flow.joined);
        }
        flow
    }
}

impl QueryContext<'_> {
    /// How values flow in a language; `None` where it does not follow them.
    pub(crate) fn slices(&self, lang: Lang) -> Option<FlowQueries<'_>> {
        let language = self.languages.of(lang)?;
        let flow = self.flow(lang);
        (!flow.joined.is_empty()).then_some(FlowQueries {
            question: self,
            language,
            flow,
        })
    }

    /// As [`QueryContext::queries`], in the language of a symbol.
    pub(crate) fn slices_of(&self, symbol: SymbolId) -> Option<FlowQueries<'_>> {
        self.slices(self.lang(symbol)?)
    }

    fn flow(&self, lang: Lang) -> Arc<FlowGraph> {
        if let Some(known) = locked(&self.kept.flows).get(&lang) {
            return known.clone();
        }
        let units = self.units_of(lang);
        let read = self.map(&units, |languages, db, &unit| {
            let language = languages.of(lang);
            language.map_or_else(Arc::default, |language| language.flows(db, unit))
        });
        let units: Vec<(Unit, Arc<[FileFlows]>)> = units.iter().copied().zip(read).collect();
        let types = match units.iter().all(|(_, rows)| rows.is_empty()) {
            true => Arc::default(),
            false => self.types(lang),
        };
        let mut flows = locked(&self.kept.flows);
        if let Some(known) = flows.get(&lang) {
            return known.clone();
        }
        let earlier = locked(&self.kept.earlier.flows).remove(&lang);
        let earlier = earlier.and_then(Arc::into_inner);
        let flow = Arc::new(FlowGraph::next(self, lang, earlier, &units, types));
        flows.insert(lang, flow.clone());
        flow
    }
}
