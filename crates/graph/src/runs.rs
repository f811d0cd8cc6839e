//! Which methods may run where one is called, and which calls may run a method.

use std::sync::Arc;

use codeweft_db::{NameId, SymbolClass, SymbolId};
use rustc_hash::FxHashSet;

use crate::hierarchy::Types;
use crate::question::Question;

impl Question<'_> {
    /// The methods that may run where an interface's method is called: those of the types that
    /// satisfy the interface. Where such a type has the method from an interface that it embeds,
    /// the methods that may run there. In nominal languages also where a class's method is called:
    /// its overrides.
    pub(crate) fn runs(&self, method: SymbolId) -> Arc<[SymbolId]> {
        if !self.may_run_another(method) {
            return Arc::default();
        }
        self.kept.runs.get(method, || {
            if self.classes_of(method).is_some() {
                let mut runs: Vec<SymbolId> = self.overrides(method).into_keys().collect();
                let structural = self.runs_directly(method).into_iter();
                runs.extend(structural.filter(|&run| run != method));
                return runs;
            }
            let mut seen = FxHashSet::from_iter([method]);
            let mut open = vec![method];
            let mut runs = Vec::new();
            while let Some(method) = open.pop() {
                for run in self.runs_directly(method) {
                    if !self.is_interface_method(run) {
                        runs.push(run);
                    } else if seen.insert(run) {
                        open.push(run);
                    }
                }
            }
            runs
        })
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
                if let Some(row) = types.row(ty).method(wanted.name) {
                    runs.insert(row.symbol);
                }
            }
        }
        runs
    }

    /// The methods of interfaces and bases that a method stands for: the inverse of
    /// [`Question::runs`]. Every type that has the method counts, by promotion too.
    pub(crate) fn stands_for(&self, method: SymbolId) -> Arc<[SymbolId]> {
        if self.key(method).class != SymbolClass::Method {
            return Arc::default();
        }
        let nominal = self.classes_of(method).is_some();
        if !nominal && self.is_interface_method(method) {
            return Arc::default();
        }
        self.kept.stands_for.get(method, || {
            if nominal {
                let mut found: Vec<SymbolId> = self.overridden(method).into_keys().collect();
                found.extend(self.stands_for_directly(method));
                return found;
            }
            let mut found = FxHashSet::default();
            let mut open = vec![method];
            while let Some(method) = open.pop() {
                for stood in self.stands_for_directly(method) {
                    if found.insert(stood) {
                        open.push(stood);
                    }
                }
            }
            found.into_iter().collect()
        })
    }

    /// The methods of structural interfaces that a method is what satisfies.
    pub(crate) fn stands_for_directly(&self, method: SymbolId) -> FxHashSet<SymbolId> {
        let mut found = FxHashSet::default();
        let Some((language, types)) = self.language_types(method) else {
            return found;
        };
        let Some(name) = self.row_name(&types, method) else {
            return found;
        };
        let interfaces = types.with_method(true, name);
        if interfaces.is_empty() {
            return found;
        }
        let by_method = types.by_method(name);
        let having = by_method.get(&method).map_or(&[][..], Vec::as_slice);
        for &interface in interfaces.iter() {
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
    pub(crate) fn row_name(&self, types: &Types, method: SymbolId) -> Option<NameId> {
        let key = self.key(method);
        key.parent?;
        Some(self.name_in_rows(types, method).unwrap_or(key.name))
    }

    /// As [`Question::row_name`]; `None` where no row has the method.
    pub(crate) fn name_in_rows(&self, types: &Types, method: SymbolId) -> Option<NameId> {
        let parent = self.key(method).parent?;
        let rows = types.rows_of(self, parent);
        rows.into_iter().find_map(|at| {
            let mut methods = types.row(at).methods.iter();
            Some(methods.find(|row| row.symbol == method)?.name)
        })
    }
}
