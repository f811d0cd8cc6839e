//! Ways into a symbol of a language that does not follow values: where it is handed on, and calls
//! of its name whose receiver is known by a promise alone.

use codeweft_db::{File, Language, Reason, Role, SymbolClass, SymbolId, Unit, UnresolvedSite, Use};
use rustc_hash::FxHashSet;

use crate::edges::over_files;
use crate::link::SiteKey;
use crate::query_context::QueryContext;

/// A use of a file.
pub(crate) type EscapingUse = (File, Use);

impl QueryContext<'_> {
    /// Where a symbol is handed on as a value: itself, a base's method that it may run instead of,
    /// and of what constructing runs the class and those below it.
    pub(crate) fn handed_on(&self, language: &dyn Language, symbol: SymbolId) -> Vec<EscapingUse> {
        if !language.is_nominal() {
            return Vec::new();
        }
        let key = self.key(symbol);
        let mut roots = vec![symbol];
        let is_special = self.db.shared().names.text(key.name).starts_with("__");
        // Every object has the special methods of `object`.
        if !is_special {
            roots.extend(self.stands_for(symbol).iter());
        }
        if let Some(class) = key
            .parent
            .filter(|_| is_special && key.class == SymbolClass::Method)
        {
            roots.push(class);
            if let Some(classes) = self.classes_of(class) {
                roots.extend(classes.below(class).into_keys());
            }
        }
        self.handed_on_as(symbol, roots)
    }

    /// Where a class, or one below it, is handed on: what derives from it there is not seen.
    pub(crate) fn derived_from(&self, class: SymbolId) -> Vec<EscapingUse> {
        let mut roots = vec![class];
        if let Some(classes) = self.classes_of(class) {
            roots.extend(classes.below(class).into_keys());
        }
        self.handed_on_as(class, roots)
    }

    /// Where any of these, which the units that can name a symbol know of, is handed on.
    fn handed_on_as(&self, symbol: SymbolId, mut roots: Vec<SymbolId>) -> Vec<EscapingUse> {
        let reached = self.reached(symbol);
        let mut units: Vec<Unit> = reached.to_vec();
        if let Some(directory) = self.kept.directory.get() {
            roots.retain(|root| directory.escaped.contains(root));
            let users: FxHashSet<Unit> = roots
                .iter()
                .filter_map(|root| directory.users.get(root))
                .flatten()
                .copied()
                .collect();
            units.retain(|unit| users.contains(unit));
        }
        if roots.is_empty() {
            return Vec::new();
        }
        let found = self.map(&units, |languages, db, &unit| {
            let mut found = Vec::new();
            let Some(language) = languages.of(unit.lang(db)) else {
                return found;
            };
            let index = language.index(db, unit);
            for &root in roots.iter().filter(|&&root| index.escapes(root)) {
                over_files(db, language, unit, index.files_of(root), |file| {
                    let uses = language.uses(db, file);
                    for one in uses.of(root).iter() {
                        if one.role == Role::Value && language.escapes(db, file, one.body, one.occ)
                        {
                            found.push((file, *one));
                        }
                    }
                });
            }
            found
        });
        found.into_iter().flatten().collect()
    }

    /// Uses of a symbol's names whose receiver is promised to be of another class, and that are
    /// none of those listed.
    pub(crate) fn promised(
        &self,
        language: &dyn Language,
        symbol: SymbolId,
        listed: &FxHashSet<(File, SiteKey)>,
    ) -> Vec<(File, UnresolvedSite)> {
        if !language.is_nominal() {
            return Vec::new();
        }
        let names = language.unresolved_names(self.db, symbol);
        let directory = self.kept.directory.get();
        if directory
            .is_some_and(|directory| !names.iter().any(|name| directory.open.contains_key(name)))
        {
            return Vec::new();
        }
        let reached = self.reached(symbol);
        let sites = self.open_calls(&reached, &names, |language, db, site| {
            language.could_use_declared_receiver(db, site, symbol)
        });
        let sites = sites.into_iter().map(|(_, file, site)| (file, site));
        let is_listed = |(file, site): &(File, UnresolvedSite)| {
            let spot = SiteKey::Use {
                body: site.body,
                occ: site.occ,
            };
            listed.contains(&(*file, spot))
        };
        let counts = |(file, site): &(File, UnresolvedSite)| {
            language.unresolved_site_counts(self.db, *file, site, symbol)
        };
        sites.filter(|row| !is_listed(row) && counts(row)).collect()
    }

    /// Calls of the next class in the order of a subclass, which may be a method's, and unknown bases
    /// of subclasses, which inherit it.
    pub(crate) fn next_calls(
        &self,
        language: &dyn Language,
        method: SymbolId,
    ) -> Vec<(File, u32, Reason)> {
        let key = self.key(method);
        let class = key.parent.filter(|_| key.class == SymbolClass::Method);
        let Some((class, classes)) = class.zip(self.classes_of(method)) else {
            return Vec::new();
        };
        let below = classes.below(class).into_keys();
        below
            .flat_map(|object| language.super_calls(self.db, object, method))
            .collect()
    }
}
