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
    pub(crate) fn runs(&self, method: SymbolId) -> Arc<[SymbolId]> {
        if !self.may_run_another(method) {
            return Arc::default();
        }
        let nominal = self.classes_of(method).is_some();
        if !nominal && let Some(slices) = self.slices_of(method) {
            return slices.runs(method);
        }
        self.kept.runs.get(method, || {
            if nominal {
                let mut runs: Vec<SymbolId> = self.overrides(method).into_keys().collect();
                let structural = self.runs_directly(method).into_iter();
                runs.extend(structural.filter(|&run| run != method));
                return runs;
            }
            self.all_runs(method, |method| self.runs_directly(method))
        })
    }

    /// The methods of types that run where a method is called, through the methods of interfaces
    /// that types embed; `directly` gives what runs by one interface alone.
    pub(crate) fn all_runs(
        &self,
        method: SymbolId,
        directly: impl Fn(SymbolId) -> FxHashSet<SymbolId>,
    ) -> Vec<SymbolId> {
        let mut seen = FxHashSet::from_iter([method]);
        let mut open = vec![method];
        let mut runs = Vec::new();
        while let Some(method) = open.pop() {
            for run in directly(method) {
                if !self.is_interface_method(run) {
                    runs.push(run);
                } else if seen.insert(run) {
                    open.push(run);
                }
            }
        }
        runs
    }

    /// Whether another method may run where this one is called.
    fn may_run_another(&self, method: SymbolId) -> bool {
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
    /// it run what implements that one: see [`QueryContext::runs`].
    pub(crate) fn implementing(&self, method: SymbolId) -> Vec<SymbolId> {
        if !self.is_interface_method(method) {
            return Vec::new();
        }
        let found = match self.slices_of(method) {
            Some(slices) if !slices.is_implemented(method) => return Vec::new(),
            Some(slices) => slices.runs_directly(method),
            None => self.runs_directly(method),
        };
        let found = found.into_iter();
        found
            .filter(|&run| !self.is_interface_method(run))
            .collect()
    }

    /// The methods of structural interfaces that a method of a type implements: the inverse of
    /// [`QueryContext::implementing`].
    pub(crate) fn implemented_by(&self, method: SymbolId) -> Vec<SymbolId> {
        let is_method = self.key(method).class == SymbolClass::Method;
        if !is_method || self.is_interface_method(method) {
            return Vec::new();
        }
        let Some(slices) = self.slices_of(method) else {
            return self.stands_for_directly(method).into_iter().collect();
        };
        let found = slices.stands_for_directly(method).into_iter();
        found
            .filter(|&stood| slices.is_implemented(stood))
            .collect()
    }

    /// What a structural interface's method runs in the types that satisfy the interface.
    pub(crate) fn runs_directly(&self, method: SymbolId) -> FxHashSet<SymbolId> {
        let mut runs = FxHashSet::default();
        let Some(interface) = self.key(method).parent else {
            return runs;
        };
        let Some((language, types)) = self.language_types(method) else {
            return runs;
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
                    runs.insert(row.symbol);
                }
            }
        }
        runs
    }

    /// The methods of interfaces and bases that a method stands for: the inverse of
    /// [`QueryContext::runs`]. Every type that has the method counts, by promotion too.
    pub(crate) fn stands_for(&self, method: SymbolId) -> Arc<[SymbolId]> {
        if self.key(method).class != SymbolClass::Method {
            return Arc::default();
        }
        let nominal = self.classes_of(method).is_some();
        if !nominal && self.is_interface_method(method) {
            return Arc::default();
        }
        if !nominal && let Some(slices) = self.slices_of(method) {
            return slices.stands_for(method);
        }
        self.kept.stands_for.get(method, || {
            if nominal {
                let mut found: Vec<SymbolId> = self.overridden(method).into_keys().collect();
                found.extend(self.stands_for_directly(method));
                return found;
            }
            all_stood_for(method, |method| self.stands_for_directly(method))
        })
    }

    /// The methods of structural interfaces that a method is what satisfies.
    pub(crate) fn stands_for_directly(&self, method: SymbolId) -> FxHashSet<SymbolId> {
        let mut found = FxHashSet::default();
        let Some((language, types)) = self.language_types(method) else {
            return found;
        };
        let Some(name) = self.row_name(method) else {
            return found;
        };
        let interfaces = types.with_method(true, name);
        let open = types.open_with_method(name);
        if interfaces.is_empty() && open.is_empty() {
            return found;
        }
        let by_method = types.by_method(name);
        let having = by_method.get(&method).map_or(&[][..], Vec::as_slice);
        for &interface in interfaces.iter().chain(open) {
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
pub(crate) fn all_stood_for(
    method: SymbolId,
    directly: impl Fn(SymbolId) -> FxHashSet<SymbolId>,
) -> Vec<SymbolId> {
    let mut found = FxHashSet::default();
    let mut open = vec![method];
    while let Some(method) = open.pop() {
        for stood in directly(method) {
            if found.insert(stood) {
                open.push(stood);
            }
        }
    }
    found.into_iter().collect()
}
