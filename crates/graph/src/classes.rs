//! Classes of nominal languages: bases, subclasses and overrides.

use std::sync::Arc;

use codeweft_db::{DeclaredIn, Hierarchy, Lang, NameId, NodeKind, SymbolClass, SymbolId, Unit};
use rustc_hash::FxHashMap;

use crate::query_context::QueryContext;

/// The bases and subclasses of every class of one language at one revision.
pub(crate) struct Classes {
    /// The units whose classes these are, and the hierarchy of each.
    units: Arc<[Unit]>,
    parts: Vec<Arc<Hierarchy>>,
    /// Direct bases, in text order.
    bases: FxHashMap<SymbolId, Vec<SymbolId>>,
    /// Direct subclasses, in order of unit and text.
    subclasses: FxHashMap<SymbolId, Vec<SymbolId>>,
}

/// Classes or methods with their smallest distance from a start.
pub(crate) type Distances = FxHashMap<SymbolId, u32>;

impl Classes {
    /// Joins the direct bases declared by all units of a language.
    pub(crate) fn read(query: &QueryContext<'_>, lang: Lang) -> Arc<Classes> {
        let units = query.units_of(lang);
        let parts = query.map(&units, |languages, db, &unit| {
            let language = languages.of(unit.lang(db));
            language.map_or_else(Arc::default, |language| language.hierarchy(db, unit))
        });
        let same = |old: &&Arc<Classes>| {
            let mut both = old.parts.iter().zip(&parts);
            old.units == units && both.all(|(old, new)| Arc::ptr_eq(old, new))
        };
        if let Some(old) = query.cache.previous.classes.get(&lang).filter(same) {
            return old.clone();
        }
        let mut bases: FxHashMap<SymbolId, Vec<SymbolId>> = FxHashMap::default();
        let mut subclasses: FxHashMap<SymbolId, Vec<SymbolId>> = FxHashMap::default();
        for row in parts.iter().flat_map(|part| part.supertypes.iter()) {
            bases.entry(row.from).or_default().push(row.to);
            subclasses.entry(row.to).or_default().push(row.from);
        }
        Arc::new(Classes {
            units,
            parts,
            bases,
            subclasses,
        })
    }

    /// Returns all subclasses of a class with their distance. A class that erroneous code makes its
    /// own base is not among them.
    pub(crate) fn below(&self, class: SymbolId) -> Distances {
        reach(&self.subclasses, class)
    }

    /// Returns the subclasses of a class that have several bases: their resolution order may insert
    /// another class between this one and its bases. With a single base the order is that of the
    /// base.
    pub(crate) fn multi_base_subclasses(
        &self,
        class: SymbolId,
    ) -> impl Iterator<Item = SymbolId> + '_ {
        let below = self.below(class).into_keys();
        below.filter(|subclass| {
            self.bases
                .get(subclass)
                .is_some_and(|bases| bases.len() > 1)
        })
    }

    /// Returns all bases of a class with their distance.
    pub(crate) fn above(&self, class: SymbolId) -> Distances {
        reach(&self.bases, class)
    }

    /// Returns every class with a base.
    pub(crate) fn all(&self) -> impl Iterator<Item = SymbolId> + '_ {
        self.bases.keys().copied()
    }
}

fn reach(steps: &FxHashMap<SymbolId, Vec<SymbolId>>, start: SymbolId) -> Distances {
    let mut found = Distances::default();
    let mut frontier = vec![start];
    let mut distance = 0;
    while !frontier.is_empty() {
        distance += 1;
        let mut next = Vec::new();
        for class in frontier {
            for &other in steps.get(&class).map_or(&[][..], Vec::as_slice) {
                if other != start && !found.contains_key(&other) {
                    found.insert(other, distance);
                    next.push(other);
                }
            }
        }
        frontier = next;
    }
    found
}

impl QueryContext<'_> {
    /// Returns the classes of a language; `None` if it is not nominal.
    pub(crate) fn classes(&self, lang: Lang) -> Option<Arc<Classes>> {
        if !self.languages.of(lang)?.is_nominal() {
            return None;
        }
        if let Ok(known) = self.cache.classes.lock()
            && let Some(classes) = known.get(&lang)
        {
            return Some(classes.clone());
        }
        let classes = Classes::read(self, lang);
        if let Ok(mut known) = self.cache.classes.lock() {
            known.insert(lang, classes.clone());
        }
        Some(classes)
    }

    /// Returns the classes of a symbol's language; `None` if it is not nominal.
    pub(crate) fn classes_of(&self, symbol: SymbolId) -> Option<Arc<Classes>> {
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
        let below = classes.below(class);
        for (&subclass, &distance) in &below {
            let dispatch_targets = language.resolve_method(self.db, subclass, method);
            let Some(run) = dispatch_targets.filter(|&run| run != method) else {
                continue;
            };
            let own = self.key(run).parent.and_then(|own| below.get(&own));
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
        let own_bases = classes.above(class);
        let runs_for_own = language.resolve_method(self.db, class, method) == Some(method);
        let mut running = vec![class];
        running.extend(classes.below(class).into_keys());
        for object in running {
            if language.resolve_method(self.db, object, method) != Some(method) {
                continue;
            }
            for (base, distance) in classes.above(object) {
                let of_own = own_bases.get(&base);
                if object != class && runs_for_own && of_own.is_some() {
                    continue;
                }
                let distance = of_own.copied().unwrap_or(distance);
                for declared in self.methods_named(base, name) {
                    let dispatch_targets = language.resolve_method(self.db, object, declared);
                    if !own.contains(&declared)
                        && dispatch_targets.is_some_and(|run| own.contains(&run))
                    {
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
    ) -> Option<(&dyn codeweft_db::Language, Arc<Classes>, SymbolId)> {
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
