//! Classes and the methods that run instead of those of their bases.

use std::sync::Arc;

use codeweft_db::{DeclaredIn, Lang, Language, NameId, NodeKind, SymbolClass, SymbolId};

use super::classes::{Classes, Distances, JoinedClasses};
use crate::query_context::QueryContext;

impl QueryContext<'_> {
    /// Returns the classes of a language; `None` if it is not nominal.
    pub(crate) fn classes(&self, lang: Lang) -> Option<Arc<JoinedClasses>> {
        if !self.languages.of(lang)?.is_nominal() {
            return None;
        }
        let memos = &self.cache.types;
        Some(memos.classes.get_or(lang, || {
            let units = self.units.of_lang(self.db, lang);
            Classes::read(&self.fan_out, units, memos.previous_classes.get(&lang))
        }))
    }

    /// Returns the classes of a symbol's language; `None` if it is not nominal.
    pub(crate) fn classes_of(&self, symbol: SymbolId) -> Option<Arc<JoinedClasses>> {
        self.classes(self.lang(symbol)?)
    }

    /// Returns the methods that run instead of a class's method for objects of its subclasses, each
    /// with the distance of its class. A method of an unrelated class (a mixin) gets the distance
    /// of the nearest subclass it runs for:
    ///
    /// ```python
    /// class Handler:
    ///     def emit(self): ...
    /// class Loud:
    ///     def emit(self): ...
    /// class LoudHandler(Loud, Handler): ...   # overrides(Handler.emit) = {Loud.emit: 1}
    /// ```
    pub(crate) fn overrides(&self, method: SymbolId) -> Distances {
        let mut found = Distances::default();
        let Some((language, classes, class)) = self.nominal_method(method) else {
            return found;
        };
        let all_subclasses = classes.all_subclasses(class);
        for (&subclass, &distance) in &all_subclasses {
            let resolved = language.resolve_method(self.db, subclass, method);
            let Some(run) = resolved.filter(|&run| run != method) else {
                continue;
            };
            let own = self
                .key(run)
                .parent
                .and_then(|own| all_subclasses.get(&own));
            let distance = own.copied().unwrap_or(distance);
            for run in [run]
                .into_iter()
                .chain(language.conditional_redefinitions(self.db, run))
            {
                let known = found.entry(run).or_insert(distance);
                *known = (*known).min(distance);
            }
        }
        found
    }

    /// Returns the methods of bases that a method runs instead of: the inverse of
    /// [`QueryContext::overrides`], with the same distances.
    pub(crate) fn overridden(&self, method: SymbolId) -> Distances {
        let mut found = Distances::default();
        let Some((language, classes, class)) = self.nominal_method(method) else {
            return found;
        };
        let name = self.key(method).name;
        let mut own = language.conditional_redefinitions(self.db, method);
        own.push(method);
        let own_bases = classes.all_bases(class);
        let runs_for_own = language.resolve_method(self.db, class, method) == Some(method);
        let mut running = vec![class];
        running.extend(classes.all_subclasses(class).into_keys());
        for object in running {
            if language.resolve_method(self.db, object, method) != Some(method) {
                continue;
            }
            for (base, distance) in classes.all_bases(object) {
                let of_own = own_bases.get(&base);
                if object != class && runs_for_own && of_own.is_some() {
                    continue;
                }
                let distance = of_own.copied().unwrap_or(distance);
                for declared in self.methods_named(base, name) {
                    let resolved = language.resolve_method(self.db, object, declared);
                    if !own.contains(&declared) && resolved.is_some_and(|run| own.contains(&run)) {
                        let known = found.entry(declared).or_insert(distance);
                        *known = (*known).min(distance);
                    }
                }
            }
        }
        found
    }

    /// Returns whether a symbol is a class: it has a body that runs and can be called to construct
    /// an object. Abstract classes and protocols count, although their kind is interface.
    pub(crate) fn is_class(&self, symbol: SymbolId) -> bool {
        match self.kind(symbol) {
            NodeKind::Class => true,
            NodeKind::Interface => self
                .language(symbol)
                .is_some_and(|language| language.is_nominal()),
            _ => false,
        }
    }

    /// Returns the language crate, the classes and the class of a method of a nominal language.
    pub(crate) fn nominal_method(
        &self,
        method: SymbolId,
    ) -> Option<(&dyn Language, Arc<JoinedClasses>, SymbolId)> {
        let key = self.key(method);
        if key.class != SymbolClass::Method {
            return None;
        }
        Some((
            self.language(method)?,
            self.classes_of(method)?,
            key.parent?,
        ))
    }

    /// Returns the methods of a name that a class declares itself.
    pub(crate) fn methods_named(&self, class: SymbolId, name: NameId) -> Vec<SymbolId> {
        let DeclaredIn::Unit(unit) = self.key(class).declared_in else {
            return Vec::new();
        };
        let units = self.units.named(unit.lang(self.db), unit.name(self.db));
        let mut found = self.declared(units, Some(class), name);
        found.extend(self.declared_inside(class, name));
        found.retain(|&symbol| self.kind(symbol) == NodeKind::Method);
        found.sort_unstable();
        found.dedup();
        found
    }
}
