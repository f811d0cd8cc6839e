//! Which methods may run where one is called, and which calls may run a method: by the rows of
//! types and interfaces. Where a language follows values, [`crate::flow::FlowQueries`] adds what no row
//! tells, and is asked first.

use std::sync::Arc;

use codeweft_db::{NameId, SymbolClass, SymbolId};
use rustc_hash::FxHashSet;

use crate::query_context::QueryContext;

impl QueryContext<'_> {
    /// The methods that may run where an interface's method is called: those of the types that
    /// satisfy the interface, for some type arguments where it is generic. Where such a type has
    /// the method from an interface that it embeds, the methods that may run there. In nominal
    /// languages also where a class's method is called: its overrides.
    pub(crate) fn dispatch_targets(&self, method: SymbolId) -> Arc<[SymbolId]> {
        if !self.is_dispatched(method) {
            return Arc::default();
        }
        let nominal = self.classes_of(method).is_some();
        if !nominal && let Some(flow_queries) = self.flow_queries_of(method) {
            return flow_queries.dispatch_targets(method);
        }
        self.cache.dispatch_targets.get(method, || {
            if nominal {
                let mut dispatch_targets: Vec<SymbolId> =
                    self.overrides(method).into_keys().collect();
                let structural = self.direct_targets(method).into_iter();
                dispatch_targets.extend(structural.filter(|&run| run != method));
                return dispatch_targets;
            }
            self.transitive_targets(method, |method| self.direct_targets(method))
        })
    }

    /// The methods of types that run where a method is called, through the methods of interfaces
    /// that types embed; `directly` gives what runs by one interface alone.
    pub(crate) fn transitive_targets(
        &self,
        method: SymbolId,
        directly: impl Fn(SymbolId) -> FxHashSet<SymbolId>,
    ) -> Vec<SymbolId> {
        let mut seen = FxHashSet::from_iter([method]);
        let mut pending = vec![method];
        let mut dispatch_targets = Vec::new();
        while let Some(method) = pending.pop() {
            for run in directly(method) {
                if !self.is_interface_method(run) {
                    dispatch_targets.push(run);
                } else if seen.insert(run) {
                    pending.push(run);
                }
            }
        }
        dispatch_targets
    }

    /// Whether another method may run where this one is called.
    fn is_dispatched(&self, method: SymbolId) -> bool {
        let key = self.key(method);
        let nominal = || {
            let language = self.language(method);
            language.is_some_and(|language| language.is_nominal())
        };
        key.class == SymbolClass::Method && (self.is_interface_method(method) || nominal())
    }

    /// The methods that implement a structural interface's: those of the types that satisfy the
    /// interface, by promotion too (Go spec, Implementing an interface). A type that has the method
    /// from an interface which it embeds implements it with no method of its own, though calls of
    /// it run what implements that one: see [`QueryContext::dispatch_targets`].
    pub(crate) fn implementing_methods(&self, method: SymbolId) -> Vec<SymbolId> {
        if !self.is_interface_method(method) {
            return Vec::new();
        }
        let found = match self.flow_queries_of(method) {
            Some(flow_queries) if !flow_queries.is_implemented(method) => return Vec::new(),
            Some(flow_queries) => flow_queries.direct_targets(method),
            None => self.direct_targets(method),
        };
        let found = found.into_iter();
        found
            .filter(|&run| !self.is_interface_method(run))
            .collect()
    }

    /// The methods of structural interfaces that a method of a type implements: the inverse of
    /// [`QueryContext::implementing_methods`].
    pub(crate) fn implemented_methods(&self, method: SymbolId) -> Vec<SymbolId> {
        let is_method = self.key(method).class == SymbolClass::Method;
        if !is_method || self.is_interface_method(method) {
            return Vec::new();
        }
        let Some(flow_queries) = self.flow_queries_of(method) else {
            return self.directly_dispatched_from(method).into_iter().collect();
        };
        let found = flow_queries.directly_dispatched_from(method).into_iter();
        found
            .filter(|&source| flow_queries.is_implemented(source))
            .collect()
    }

    /// What a structural interface's method runs in the types that satisfy the interface.
    pub(crate) fn direct_targets(&self, method: SymbolId) -> FxHashSet<SymbolId> {
        let mut dispatch_targets = FxHashSet::default();
        let Some(interface) = self.key(method).parent else {
            return dispatch_targets;
        };
        let Some((language, types)) = self.language_types(method) else {
            return dispatch_targets;
        };
        for at in self.interface_rows(&types, interface) {
            let methods = types.row(at).methods.iter();
            let Some(wanted) = methods.clone().find(|row| row.symbol == method) else {
                continue;
            };
            for (ty, _) in types.satisfying(self.db, language, at) {
                if let Some(row) = types.row(ty).method(wanted.name)
                    && row.symbol != method
                {
                    dispatch_targets.insert(row.symbol);
                }
            }
        }
        dispatch_targets
    }

    /// The methods of interfaces and bases that a method stands for: the inverse of
    /// [`QueryContext::dispatch_targets`]. Every type that has the method counts, by promotion too.
    pub(crate) fn dispatched_from(&self, method: SymbolId) -> Arc<[SymbolId]> {
        if self.key(method).class != SymbolClass::Method {
            return Arc::default();
        }
        let nominal = self.classes_of(method).is_some();
        if !nominal && self.is_interface_method(method) {
            return Arc::default();
        }
        if !nominal && let Some(flow_queries) = self.flow_queries_of(method) {
            return flow_queries.dispatched_from(method);
        }
        self.cache.dispatched_from.get(method, || {
            if nominal {
                let mut found: Vec<SymbolId> = self.overridden(method).into_keys().collect();
                found.extend(self.directly_dispatched_from(method));
                return found;
            }
            transitive_sources(method, |method| self.directly_dispatched_from(method))
        })
    }

    /// The methods of structural interfaces that a method is what satisfies.
    pub(crate) fn directly_dispatched_from(&self, method: SymbolId) -> FxHashSet<SymbolId> {
        let mut found = FxHashSet::default();
        let Some((language, types)) = self.language_types(method) else {
            return found;
        };
        let Some(name) = self.row_name(method) else {
            return found;
        };
        let interfaces = types.with_method(true, name);
        let pending = types.generic_with_method(name);
        if interfaces.is_empty() && pending.is_empty() {
            return found;
        }
        let by_method = types.by_method(name);
        let having = by_method.get(&method).map_or(&[][..], Vec::as_slice);
        for &interface in interfaces.iter().chain(pending) {
            let Some(wanted) = types.row(interface).method(name) else {
                continue;
            };
            if wanted.symbol == method || found.contains(&wanted.symbol) {
                continue;
            }
            let stands = having
                .iter()
                .any(|&at| types.satisfies(self.db, language, at, interface).is_some());
            if stands {
                found.insert(wanted.symbol);
            }
        }
        found
    }

    /// The name of a method in rows: of an unexported one it carries its package.
    pub(crate) fn row_name(&self, method: SymbolId) -> Option<NameId> {
        self.key(method).parent?;
        let language = self.language(method)?;
        Some(language.method_name(self.db, method))
    }
}

/// The methods of interfaces that a method stands for, also where a type has the method from an
/// interface that it embeds: `directly` gives those of one step.
pub(crate) fn transitive_sources(
    method: SymbolId,
    directly: impl Fn(SymbolId) -> FxHashSet<SymbolId>,
) -> Vec<SymbolId> {
    let mut found = FxHashSet::default();
    let mut pending = vec![method];
    while let Some(method) = pending.pop() {
        for source in directly(method) {
            if found.insert(source) {
                pending.push(source);
            }
        }
    }
    found.into_iter().collect()
}
