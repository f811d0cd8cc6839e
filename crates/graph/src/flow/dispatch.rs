//! What methods of interfaces stand for: one relation for calls, answers and the links of the graph.
//!
//! A method of an interface may run a method of a type that satisfies the interface. Rows tell that
//! of declared types and interfaces, generic ones for some type arguments. Values tell the rest:
//! of interface literals, which have no rows, and of struct literals and instances that no text
//! spells.

use std::sync::Arc;

use codeweft_db::{FlowTarget, FlowValue, NameId, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::merged::FlowValueId;
use super::queries::FlowQueries;
use super::sites::DispatchTable;
use super::solve::{ValueFlowGraph, locked};
use crate::revision_cache::SymbolMemo;
use crate::runs::all_stood_for;

/// The relation as it was found: as long as the graph, its calls and the types are the same.
#[derive(Default)]
pub(super) struct DispatchRelation {
    runs: SymbolMemo,
    stands_for: SymbolMemo,
    called: std::sync::OnceLock<FxHashMap<NameId, Vec<SymbolId>>>,
}

impl FlowQueries<'_> {
    /// See [`crate::query_context::QueryContext::runs`].
    pub(crate) fn runs(&self, method: SymbolId) -> Arc<[SymbolId]> {
        let known = &self.flow.relation.runs;
        known.get(method, || {
            let directly = |method| self.runs_directly(method);
            self.question.all_runs(method, directly)
        })
    }

    /// See [`crate::query_context::QueryContext::stands_for`].
    pub(crate) fn stands_for(&self, method: SymbolId) -> Arc<[SymbolId]> {
        let known = &self.flow.relation.stands_for;
        known.get(method, || {
            all_stood_for(method, |method| self.stands_for_directly(method))
        })
    }

    /// The methods that one step runs: of types that satisfy the interface, and of interfaces that
    /// such types embed.
    pub(crate) fn runs_directly(&self, called: SymbolId) -> FxHashSet<SymbolId> {
        let known = &self.flow.hierarchy.runs;
        let rows = known.get(called, || {
            let runs = self.question.runs_directly(called);
            runs.into_iter().collect()
        });
        let mut runs: FxHashSet<SymbolId> = rows.iter().copied().collect();
        let named = self.named(called);
        let calls = self.called_by_name().get(&named);
        if !calls.is_some_and(|calls| calls.contains(&called)) {
            // No call tells what an interface literal's method is called on, and none runs it.
            return runs;
        }
        let table = self.table(named, called);
        let interfaces = self.interfaces_of(called);
        for (target, values) in table.by_target() {
            if target != called && !runs.contains(&target) && self.any_fits(values, &interfaces) {
                runs.insert(target);
            }
        }
        runs
    }

    /// The methods of interfaces whose calls run a method in one step.
    pub(crate) fn stands_for_directly(&self, method: SymbolId) -> FxHashSet<SymbolId> {
        let known = &self.flow.hierarchy.stands_for;
        let rows = known.get(method, || {
            let stands_for = self.question.stands_for_directly(method);
            stands_for.into_iter().collect()
        });
        let mut stands_for: FxHashSet<SymbolId> = rows.iter().copied().collect();
        let named = self.named(method);
        let Some(called) = self.called_by_name().get(&named) else {
            return stands_for;
        };
        let table = self.table(named, method);
        let values = table.values_of_target(method);
        for &called in called {
            if called != method
                && !stands_for.contains(&called)
                && self.any_fits(values, &self.interfaces_of(called))
            {
                stands_for.insert(called);
            }
        }
        stands_for
    }

    /// The methods of interfaces that calls name or that are used as values, by name.
    fn called_by_name(&self) -> &FxHashMap<NameId, Vec<SymbolId>> {
        self.flow.relation.called.get_or_init(|| {
            let mut by_name: FxHashMap<NameId, Vec<SymbolId>> = FxHashMap::default();
            let as_values = (0..).zip(&self.flow.joined.values);
            let as_values = as_values.filter(|&(value, _)| self.is_live(value));
            let as_values = as_values.filter_map(|(_, value)| match *value {
                FlowValue::InterfaceMethod(method) => Some(method),
                _ => None,
            });
            let called: FxHashSet<SymbolId> =
                self.flow.joined.called_methods().chain(as_values).collect();
            for called in called {
                by_name.entry(self.named(called)).or_default().push(called);
            }
            by_name
        })
    }

    /// The types that a method of an interface is called on, by number: the interface that declares
    /// it, or those that calls of a literal's method are made on.
    fn interfaces_of(&self, called: SymbolId) -> SmallVec<[u32; 2]> {
        let declared = self.language.flow_interface(self.question.db, called);
        match declared {
            Some(declared) => SmallVec::from_slice(&[declared]),
            None => self.flow.joined.literals_of(called),
        }
    }

    /// Whether types implement the interface that declares a method. None implements a constraint,
    /// which type arguments satisfy, and of a literal that no call is made on nothing is known.
    pub(crate) fn is_implemented(&self, method: SymbolId) -> bool {
        let is_constraint = |&one: &u32| {
            let db = self.question.db;
            self.language.flow_has_type_set(db, one)
        };
        !self.interfaces_of(method).iter().all(is_constraint)
    }

    /// Whether one of these values is in the graph and has the methods of one of these interfaces.
    /// Of an interface that nobody knows, every value has them.
    fn any_fits(&self, values: &[FlowValueId], interfaces: &[u32]) -> bool {
        values.iter().any(|&value| {
            self.is_live(value)
                && (interfaces.is_empty()
                    || interfaces
                        .iter()
                        .any(|&through| self.passes(value, through)))
        })
    }

    /// Whether a value begins anywhere: numbers of those that begin no more are kept.
    fn is_live(&self, value: FlowValueId) -> bool {
        !self.flow.joined.starts[value as usize].is_empty()
            || !self.flow.instances.starts(value).is_empty()
    }

    /// By which name a method is called.
    pub(super) fn named(&self, method: SymbolId) -> NameId {
        let known = &self.flow.hierarchy.named;
        if let Some(&named) = locked(known).get(&method) {
            return named;
        }
        let named = self.language.method_name(self.question.db, method);
        locked(known).insert(method, named);
        named
    }

    /// What a name runs on each value; `method` is one of that name.
    pub(super) fn table(&self, named: NameId, method: SymbolId) -> Arc<DispatchTable> {
        let values = &self.flow.joined.values;
        let known = locked(&self.flow.hierarchy.tables).get(&named).cloned();
        let known = known.unwrap_or_default();
        if known.asked == values.len() {
            return known;
        }
        let mut table = DispatchTable::clone(&known);
        for (value, number) in values.iter().zip(0..).skip(known.asked) {
            let FlowValue::Type(ty) = *value else {
                continue;
            };
            self.check();
            let Some(target) = self.language.flow_target(self.question.db, ty, method) else {
                continue;
            };
            table.by_value.insert(number, target);
            let (FlowTarget::Method(run) | FlowTarget::Through(_, run)) = target;
            table.by_target.entry(run).or_default().push(number);
            match target {
                FlowTarget::Method(run) => table.by_method.entry(run).or_default().push(number),
                FlowTarget::Through(field, _) => {
                    table.by_field.entry(field).or_default().push(number);
                }
            }
        }
        table.asked = values.len();
        let table = Arc::new(table);
        locked(&self.flow.hierarchy.tables).insert(named, table.clone());
        table
    }
}
