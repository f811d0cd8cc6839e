//! Calls that look a method up behind a class in the order of the object's class (Python's
//! `super()`), and calls of classes that are known only as some class or one of its subclasses.

use codeweft_db::{SymbolClass, SymbolId};
use rustc_hash::FxHashMap;

use crate::link::{Link, SiteKey};
use crate::query_context::QueryContext;

impl QueryContext<'_> {
    /// What a call through `super()` runs instead of the method that the class's own order names:
    /// that of a class which a subclass's order puts between.
    pub(crate) fn runs_behind(&self, method: SymbolId, link: &Link) -> Vec<SymbolId> {
        let Some(behind) = self.behind(link) else {
            return Vec::new();
        };
        let Some((language, classes, _)) = self.nominal_method(method) else {
            return Vec::new();
        };
        // What else runs there was not looked up behind the class: the constructor of a class that
        // an attribute holds.
        if language.resolve_super_method(self.db, behind, behind, method) != Some(method) {
            return Vec::new();
        }
        let mixing = classes.mixing(behind);
        let runs = mixing
            .filter_map(|object| language.resolve_super_method(self.db, object, behind, method));
        let mut runs: Vec<SymbolId> = runs.filter(|&run| run != method).collect();
        runs.sort_unstable();
        runs.dedup();
        runs
    }

    /// The calls through `super()` that run a method though the order of the class that makes them
    /// names another: the inverse of [`QueryContext::resolve_super_method`].
    pub(crate) fn calls_behind(&self, method: SymbolId) -> Vec<(SymbolId, Link)> {
        let mut found = Vec::new();
        let Some((language, classes, class)) = self.nominal_method(method) else {
            return found;
        };
        // By the method that calls name: the classes that make them.
        let mut named: FxHashMap<SymbolId, Vec<SymbolId>> = FxHashMap::default();
        for object in classes.mixing(class) {
            for behind in classes.above(object).into_keys() {
                let runs = |object| language.resolve_super_method(self.db, object, behind, method);
                if behind != class
                    && runs(object) == Some(method)
                    && let Some(by_own) = runs(behind).filter(|&own| own != method)
                {
                    named.entry(by_own).or_default().push(behind);
                }
            }
        }
        for (by_own, makers) in named {
            for &(caller, link) in self.calls_of(by_own).iter() {
                self.look_up();
                if link.direct && self.behind(&link).is_some_and(|one| makers.contains(&one)) {
                    found.push((caller, link.dispatched()));
                }
            }
        }
        found
    }

    /// The class behind which a call looks its method up.
    fn behind(&self, link: &Link) -> Option<SymbolId> {
        let SiteKey::Use { body, occ } = link.spot else {
            return None;
        };
        let language = self.languages.of(link.file.lang(self.db))?;
        language.is_nominal().then_some(())?;
        language
            .uses(self.db, link.file)
            .super_call_class(body, occ)
    }

    /// The classes that a call makes an object of where it names one that it knows only as "it or
    /// a subclass".
    pub(crate) fn made_below(&self, class: SymbolId) -> Vec<SymbolId> {
        let classes = match self.key(class).class {
            SymbolClass::Type => self.classes_of(class),
            _ => None,
        };
        classes.map_or_else(Vec::new, |classes| {
            classes.below(class).into_keys().collect()
        })
    }

    /// The calls that may make an object of a class though they name a base of it: the inverse of
    /// [`QueryContext::made_below`].
    pub(crate) fn makers_above(&self, class: SymbolId) -> Vec<(SymbolId, Link)> {
        let mut found = Vec::new();
        let classes = match self.key(class).class {
            SymbolClass::Type => self.classes_of(class),
            _ => None,
        };
        let Some(classes) = classes else {
            return found;
        };
        for base in classes.above(class).into_keys() {
            let calls = self.calls_of(base);
            let calls = calls.iter().filter(|(_, link)| !link.direct);
            found.extend(calls.map(|&(caller, link)| (caller, link.dispatched())));
        }
        found
    }
}
