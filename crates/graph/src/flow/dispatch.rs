//! The dispatch relation of interface methods, extended by flow values.
//!
//! A call of an interface's method may run a method of any type that satisfies the interface. The
//! rows of [`crate::type_graph::table::TypeTable`] give the relation for declared types and interfaces,
//! generic ones with some type arguments. The values of the flow graph add what has no rows:
//! interface literals, struct literals and instances of generic types that are not written
//! anywhere.
//!
//! ```go
//! // The literal has no row; Square satisfies it because a value of it flows to r.
//! func run(r interface{ Area() float64 }) { r.Area() }
//! ```
//!
//! Calls, answers and the links of the flow graph all use this one relation, so that callers and
//! callees stay inverse.

use std::sync::Arc;

use codeweft_db::{FlowValue, NameId, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::dispatch_table::DispatchTable;
use super::merged::FlowValueId;
use super::queries::FlowQueries;
use super::solve::ValueFlowGraph;
use crate::symbols;
use crate::symbols::MethodOwner;
use crate::type_graph;
use crate::type_graph::satisfaction::transitive_sources;

impl FlowQueries<'_> {
    /// See [`dispatch_targets`](crate::type_graph::dispatch::dispatch_targets).
    pub(crate) fn dispatch_targets(&self, method: SymbolId) -> Arc<[SymbolId]> {
        let known = &self.flow.relation.dispatch_targets;
        known.sorted(method, || {
            let directly = |method| self.direct_targets(method);
            type_graph::transitive_targets(self.query, method, directly)
        })
    }

    /// See [`dispatched_from`](crate::type_graph::dispatch::dispatched_from).
    pub(crate) fn dispatched_from(&self, method: SymbolId) -> Arc<[SymbolId]> {
        let known = &self.flow.relation.dispatched_from;
        known.sorted(method, || {
            transitive_sources(method, |method| self.directly_dispatched_from(method))
        })
    }

    /// Returns the methods whose values run a function: as [`FlowQueries::dispatched_from`], but
    /// none for a function or an interface's own method.
    pub(super) fn run_for(&self, function: SymbolId) -> Arc<[SymbolId]> {
        let query = self.query;
        match symbols::method_owner(query, function) {
            None | Some(MethodOwner::Interface) => Arc::default(),
            Some(MethodOwner::Class) => type_graph::dispatched_from_by_rows(query, function),
            Some(MethodOwner::Type) => self.dispatched_from(function),
        }
    }

    /// Returns the methods that `called` runs in one step: those of types that satisfy the
    /// interface, and of interfaces embedded in such types.
    pub(crate) fn direct_targets(&self, called: SymbolId) -> FxHashSet<SymbolId> {
        let known = &self.flow.hierarchy.dispatch_targets;
        let rows = known.sorted(called, || {
            let targets = type_graph::direct_targets(self.query, called);
            targets.into_iter().collect()
        });
        let mut targets: FxHashSet<SymbolId> = rows.iter().copied().collect();
        let method_name = self.method_name(called);
        let calls = self.called_by_name().get(&method_name);
        if !calls.is_some_and(|calls| calls.contains(&called)) {
            // A method of an interface literal that is never called has no known receiver type and
            // runs nothing.
            return targets;
        }
        let table = self.table(method_name, called);
        let interfaces = self.interfaces_of(called);
        for (target, values) in table.by_target() {
            if target != called && !targets.contains(&target) && self.any_fits(values, &interfaces)
            {
                targets.insert(target);
            }
        }
        targets
    }

    /// Returns the methods of interfaces whose calls run `method` in one step.
    pub(crate) fn directly_dispatched_from(&self, method: SymbolId) -> FxHashSet<SymbolId> {
        let known = &self.flow.hierarchy.dispatched_from;
        let rows = known.sorted(method, || {
            let dispatched_from = type_graph::directly_dispatched_from(self.query, method);
            dispatched_from.into_iter().collect()
        });
        let mut dispatched_from: FxHashSet<SymbolId> = rows.iter().copied().collect();
        let method_name = self.method_name(method);
        let Some(called) = self.called_by_name().get(&method_name) else {
            return dispatched_from;
        };
        let table = self.table(method_name, method);
        let values = table.values_of_target(method);
        for &called in called {
            if called != method
                && !dispatched_from.contains(&called)
                && self.any_fits(values, &self.interfaces_of(called))
            {
                dispatched_from.insert(called);
            }
        }
        dispatched_from
    }

    /// Returns the methods of interfaces that calls name or that are used as values, by name.
    fn called_by_name(&self) -> &FxHashMap<NameId, Vec<SymbolId>> {
        self.flow.relation.called.get_or_init(|| {
            let mut by_name: FxHashMap<NameId, Vec<SymbolId>> = FxHashMap::default();
            let function_values = (0..).zip(&self.flow.merged.values);
            let function_values = function_values.filter(|&(value, _)| self.flow.is_live(value));
            let function_values = function_values.filter_map(|(_, value)| match *value {
                FlowValue::InterfaceMethod(method) => Some(method),
                _ => None,
            });
            let called: FxHashSet<SymbolId> = self
                .flow
                .merged
                .called_methods()
                .chain(function_values)
                .collect();
            for called in called {
                by_name
                    .entry(self.method_name(called))
                    .or_default()
                    .push(called);
            }
            by_name
        })
    }

    /// Returns the types that a method of an interface is called on, by number: the declaring
    /// interface, or for a literal's method the types at its calls.
    fn interfaces_of(&self, called: SymbolId) -> SmallVec<[u32; 2]> {
        let declared = self.language.flow_interface(self.query.db, called);
        match declared {
            Some(declared) => SmallVec::from_slice(&[declared]),
            None => self.flow.merged.literals_of(called),
        }
    }

    /// Returns whether types implement the interface that declares a method. Type arguments satisfy
    /// a constraint but no type implements it (Go spec, General interfaces). Nothing is known of a
    /// literal without calls.
    pub(crate) fn is_implemented(&self, method: SymbolId) -> bool {
        let is_constraint = |&one: &u32| {
            let db = self.query.db;
            self.language.flow_has_type_set(db, one)
        };
        !self.interfaces_of(method).iter().all(is_constraint)
    }

    /// Returns whether one of the values is live and has the methods of one of the interfaces. If
    /// no interface is known, every value has them.
    fn any_fits(&self, values: &[FlowValueId], interfaces: &[u32]) -> bool {
        values.iter().any(|&value| {
            self.flow.is_live(value)
                && (interfaces.is_empty()
                    || interfaces
                        .iter()
                        .any(|&through| self.passes(value, through)))
        })
    }

    /// Returns the name that a method is called by.
    pub(super) fn method_name(&self, method: SymbolId) -> NameId {
        let known = &self.flow.hierarchy.names;
        known.get_or(method, || {
            let db = self.query.db;
            self.language.method_name(db, method)
        })
    }

    /// Returns what a name runs on each value; `method` is any method of that name. Evaluates only
    /// the values that are new since the last call.
    pub(super) fn table(&self, method_name: NameId, method: SymbolId) -> Arc<DispatchTable> {
        let values = &self.flow.merged.values;
        let tables = &self.flow.hierarchy.tables;
        let known = tables.get(&method_name).unwrap_or_default();
        if known.evaluated == values.len() {
            return known;
        }
        let new = values.iter().zip(0..).skip(known.evaluated);
        let new = new.filter_map(|(value, number)| {
            let FlowValue::Type(ty) = *value else {
                return None;
            };
            self.check();
            let target = self.language.flow_target(self.query.db, ty, method)?;
            Some((number, target))
        });
        let table = Arc::new(known.with(new, values.len()));
        tables.insert(method_name, table.clone());
        table
    }
}
