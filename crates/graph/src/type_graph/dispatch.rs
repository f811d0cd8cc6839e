//! Method dispatch by class hierarchy: which methods may run where a method is called, and the
//! inverse.
//!
//! ```go
//! type Shape interface { Area() float64 }
//! type Square struct{ side float64 }
//! func (s Square) Area() float64 { … }
//! ```
//!
//! `dispatch_targets(Shape.Area)` is `{Square.Area}`; `dispatched_from(Square.Area)` is
//! `{Shape.Area}`. The two are inverse: `b` is in `dispatch_targets(a)` if and only if `a` is in
//! `dispatched_from(b)`. In nominal languages (Python) the relation also holds between a class's
//! method and its overrides.
//!
//! The rows of types and interfaces give the relation. In a language with value flow (Go)
//! [`crate::flow::FlowQueries`] extends it by types that have no rows, and takes precedence here.

use std::sync::Arc;

use codeweft_db::{NameId, SymbolClass, SymbolId};
use rustc_hash::FxHashSet;

use crate::query_context::QueryContext;

impl QueryContext<'_> {
    /// Returns the methods that may run where `method` is called: for an interface's method those
    /// of the types that satisfy the interface (a generic one with some type arguments). If such a
    /// type has the method from an embedded interface, the targets of that one. In nominal
    /// languages also the overrides of a class's method.
    pub(crate) fn dispatch_targets(&self, method: SymbolId) -> Arc<[SymbolId]> {
        if !self.is_dispatched(method) {
            return Arc::default();
        }
        let nominal = self.classes_of(method).is_some();
        if !nominal && let Some(flow_queries) = self.flow_queries_of(method) {
            return flow_queries.dispatch_targets(method);
        }
        self.cache.types.dispatch_targets.sorted(method, || {
            if nominal {
                let mut targets: Vec<SymbolId> = self.overrides(method).into_keys().collect();
                let structural = self.direct_targets(method).into_iter();
                targets.extend(structural.filter(|&run| run != method));
                return targets;
            }
            self.transitive_targets(method, |method| self.direct_targets(method))
        })
    }

    /// Returns the methods of types in the transitive closure of `directly`, which maps an
    /// interface's method to the methods of types and of interfaces embedded in them.
    pub(crate) fn transitive_targets(
        &self,
        method: SymbolId,
        directly: impl Fn(SymbolId) -> FxHashSet<SymbolId>,
    ) -> Vec<SymbolId> {
        let mut seen = FxHashSet::from_iter([method]);
        let mut pending = vec![method];
        let mut targets = Vec::new();
        while let Some(method) = pending.pop() {
            for run in directly(method) {
                if !self.is_interface_method(run) {
                    targets.push(run);
                } else if seen.insert(run) {
                    pending.push(run);
                }
            }
        }
        targets
    }

    /// Returns whether calls of a method may run another one.
    fn is_dispatched(&self, method: SymbolId) -> bool {
        let key = self.key(method);
        let nominal = || {
            let language = self.language(method);
            language.is_some_and(|language| language.is_nominal())
        };
        key.class == SymbolClass::Method && (self.is_interface_method(method) || nominal())
    }

    /// Returns the methods that implement the method of a structural interface: those of the types
    /// that satisfy it, promoted ones included (Go spec, Implementing an interface). A type that
    /// has the method from an embedded interface has no method of its own to list; calls of it
    /// still run the targets of [`QueryContext::dispatch_targets`].
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

    /// Returns the methods of structural interfaces that a type's method implements: the inverse of
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

    /// Returns the methods that the types satisfying a structural interface have in place of
    /// `method`.
    pub(crate) fn direct_targets(&self, method: SymbolId) -> FxHashSet<SymbolId> {
        let mut targets = FxHashSet::default();
        let Some(interface) = self.key(method).parent else {
            return targets;
        };
        let Some((language, types)) = self.language_types(method) else {
            return targets;
        };
        for at in types.interface_rows(self.db, &self.units, interface) {
            let methods = types.row(at).methods.iter();
            let Some(wanted) = methods.clone().find(|row| row.symbol == method) else {
                continue;
            };
            for (ty, _) in types.satisfying(self.db, language, at) {
                if let Some(row) = types.row(ty).method(wanted.name)
                    && row.symbol != method
                {
                    targets.insert(row.symbol);
                }
            }
        }
        targets
    }

    /// Returns the methods of interfaces and bases whose calls may run `method`: the inverse of
    /// [`QueryContext::dispatch_targets`]. All types that have the method count, promoted methods
    /// included.
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
        self.cache.types.dispatched_from.sorted(method, || {
            if nominal {
                let mut found: Vec<SymbolId> = self.overridden(method).into_keys().collect();
                found.extend(self.directly_dispatched_from(method));
                return found;
            }
            transitive_sources(method, |method| self.directly_dispatched_from(method))
        })
    }

    /// Returns the methods of structural interfaces that `method` satisfies in some type.
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
            let satisfied = having
                .iter()
                .any(|&at| types.satisfies(self.db, language, at, interface).is_some());
            if satisfied {
                found.insert(wanted.symbol);
            }
        }
        found
    }

    /// Returns the name of a method as rows have it: an unexported Go name is qualified by its
    /// package.
    pub(crate) fn row_name(&self, method: SymbolId) -> Option<NameId> {
        self.key(method).parent?;
        let language = self.language(method)?;
        Some(language.method_name(self.db, method))
    }
}

/// Returns the transitive closure of `directly`, which maps a method to the interfaces' methods
/// that it satisfies in one step. A type may satisfy an interface with the method of an embedded
/// interface.
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
