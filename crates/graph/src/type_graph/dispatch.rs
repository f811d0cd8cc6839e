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
//! `dispatched_from(b)`. The relation also holds between a class's method and its overrides.
//!
//! The rows of types and interfaces give the relation. In a language with value flow (Go)
//! [`crate::flow::FlowQueries`] extends it by types that have no rows, and takes precedence here.

use std::sync::Arc;

use codeweft_db::{SymbolClass, SymbolId};

use super::overrides;
use super::satisfaction;
use crate::flow;
use crate::query_context::QueryContext;
use crate::symbols;
use crate::symbols::MethodOwner;

/// Returns the methods that may run where `method` is called: for an interface's method those
/// of the types that satisfy the interface (a generic one with some type arguments). If such a
/// type has the method from an embedded interface, the targets of that one. For a class's method
/// its overrides too.
pub(crate) fn dispatch_targets(query: &QueryContext<'_>, method: SymbolId) -> Arc<[SymbolId]> {
    let of_class = match symbols::method_owner(query, method) {
        None | Some(MethodOwner::Type) => return Arc::default(),
        Some(owner) => owner == MethodOwner::Class,
    };
    if !of_class && let Some(flow_queries) = flow::dispatching_queries_of(query, method) {
        return flow_queries.dispatch_targets(method);
    }
    query.cache.types.dispatch_targets.sorted(method, || {
        if of_class {
            let mut targets: Vec<SymbolId> =
                overrides::overrides(query, method).into_keys().collect();
            let structural = satisfaction::direct_targets(query, method).into_iter();
            targets.extend(structural.filter(|&run| run != method));
            return targets;
        }
        satisfaction::transitive_targets(query, method, |method| {
            satisfaction::direct_targets(query, method)
        })
    })
}

/// Returns the methods that implement the method of a structural interface: those of the types
/// that satisfy it, promoted ones included (Go spec, Implementing an interface). A type that
/// has the method from an embedded interface has no method of its own to list; calls of it
/// still run the targets of [`dispatch_targets`].
pub(crate) fn implementing_methods(query: &QueryContext<'_>, method: SymbolId) -> Vec<SymbolId> {
    if !symbols::is_interface_method(query, method) {
        return Vec::new();
    }
    let found = match flow::dispatching_queries_of(query, method) {
        Some(flow_queries) if !flow_queries.is_implemented(method) => return Vec::new(),
        Some(flow_queries) => flow_queries.direct_targets(method),
        None => satisfaction::direct_targets(query, method),
    };
    let found = found.into_iter();
    found
        .filter(|&run| !symbols::is_interface_method(query, run))
        .collect()
}

/// Returns the methods of structural interfaces that a type's method implements: the inverse of
/// [`implementing_methods`].
pub(crate) fn implemented_methods(query: &QueryContext<'_>, method: SymbolId) -> Vec<SymbolId> {
    let is_method = query.key(method).class == SymbolClass::Method;
    if !is_method || symbols::is_interface_method(query, method) {
        return Vec::new();
    }
    let Some(flow_queries) = flow::dispatching_queries_of(query, method) else {
        return satisfaction::directly_dispatched_from(query, method)
            .into_iter()
            .collect();
    };
    let found = flow_queries.directly_dispatched_from(method).into_iter();
    found
        .filter(|&source| flow_queries.is_implemented(source))
        .collect()
}

/// Returns the methods of interfaces and bases whose calls may run `method`: the inverse of
/// [`dispatch_targets`]. All types that have the method count, promoted methods
/// included.
pub(crate) fn dispatched_from(query: &QueryContext<'_>, method: SymbolId) -> Arc<[SymbolId]> {
    let of_class = match symbols::method_owner(query, method) {
        None | Some(MethodOwner::Interface) => return Arc::default(),
        Some(owner) => owner == MethodOwner::Class,
    };
    if flow::is_only_named(query, method) {
        return Arc::default();
    }
    if !of_class && let Some(flow_queries) = flow::dispatching_queries_of(query, method) {
        return flow_queries.dispatched_from(method);
    }
    satisfaction::dispatched_from_by_rows(query, method)
}
