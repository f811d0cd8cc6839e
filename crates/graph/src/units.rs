//! The units of the universe: by package, and who imports whom.

use std::sync::Arc;

use codeweft_db::{
    DeclaredIn, ImportRow, Lang, NameId, SymbolId, Unit, UnitGraph, UnitKind, VisibilityScope,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::query_context::QueryContext;

/// All units with what a question looks up in them.
#[derive(Default)]
pub(crate) struct Units {
    /// Sorted by (language, printed name, kind).
    pub(crate) all: Arc<[Unit]>,
    /// The units of one package, in order of kind.
    packages: FxHashMap<(Lang, NameId), Vec<Unit>>,
    /// The units that lie over a Base.
    overlays: FxHashMap<Unit, Vec<Unit>>,
}

impl Units {
    /// Reads the universe; empty where there is none.
    pub(crate) fn read(db: &dyn codeweft_db::Db) -> Units {
        let Some(universe) = UnitGraph::try_get(db) else {
            return Units::default();
        };
        let all = universe.units(db).clone();
        let mut packages: FxHashMap<_, Vec<Unit>> = FxHashMap::default();
        let mut overlays: FxHashMap<_, Vec<Unit>> = FxHashMap::default();
        for &unit in all.iter() {
            packages
                .entry((unit.lang(db), unit.name(db)))
                .or_default()
                .push(unit);
            if let Some(base) = unit.base(db) {
                overlays.entry(base).or_default().push(unit);
            }
        }
        Units {
            all,
            packages,
            overlays,
        }
    }

    /// The units with this printed name, in order of kind.
    pub(crate) fn named(&self, lang: Lang, name: NameId) -> &[Unit] {
        self.packages.get(&(lang, name)).map_or(&[], Vec::as_slice)
    }

    /// The units that lie over a Base.
    pub(crate) fn over(&self, base: Unit) -> &[Unit] {
        self.overlays.get(&base).map_or(&[], Vec::as_slice)
    }
}

/// All imports of the universe.
pub(crate) struct Imports {
    /// The units whose rows these are.
    units: Arc<[Unit]>,
    /// Each unit's rows, in the order of [`Units::all`].
    pub(crate) rows: Vec<Arc<[ImportRow]>>,
    /// The units that import a unit.
    importers: FxHashMap<Unit, Vec<Unit>>,
    /// The language of each absent package.
    absent: FxHashMap<NameId, Lang>,
    /// The packages that import lines name and that are not loaded.
    missing: FxHashMap<NameId, SymbolId>,
}

impl Imports {
    /// Reads the rows of every unit.
    pub(crate) fn read(question: &QueryContext<'_>) -> Arc<Imports> {
        let rows = question.map(&question.units.all, |languages, db, &unit| {
            let language = languages.of(unit.lang(db))?;
            Some(language.imports(db, unit))
        });
        let rows: Vec<Arc<[ImportRow]>> = rows
            .into_iter()
            .map(|rows| rows.unwrap_or_default())
            .collect();
        let same = |old: &&Arc<Imports>| {
            old.units == question.units.all
                && old
                    .rows
                    .iter()
                    .zip(&rows)
                    .all(|(old, new)| Arc::ptr_eq(old, new))
        };
        if let Some(old) = question.kept.earlier.imports.as_ref().filter(same) {
            return old.clone();
        }
        let mut importers: FxHashMap<Unit, Vec<Unit>> = FxHashMap::default();
        let mut absent = FxHashMap::default();
        let mut missing = FxHashMap::default();
        for (&unit, rows) in question.units.all.iter().zip(&rows) {
            for row in rows.iter() {
                match row.unit {
                    Some(imported) => {
                        // A folder above an imported module may be no package that is there.
                        let key = question.key(row.to);
                        let names = &question.db.shared().names;
                        let text = names.text(key.name);
                        let room = question.languages.of(unit.lang(question.db));
                        if room.is_some_and(|room| room.is_nominal()) {
                            let dots = text.match_indices('.').map(|(at, _)| &text[..at]);
                            for around in dots.filter_map(|around| names.get(around)) {
                                absent.entry(around).or_insert(unit.lang(question.db));
                            }
                        }
                        let list = importers.entry(imported).or_default();
                        if list.last() != Some(&unit) {
                            list.push(unit);
                        }
                    }
                    None => {
                        if let DeclaredIn::Absent(path) = question.key(row.to).declared_in {
                            missing.entry(path).or_insert(row.to);
                            let names = &question.db.shared().names;
                            let text = names.text(path);
                            let dots = text.match_indices('.').map(|(at, _)| &text[..at]);
                            // An import of `a.b` names `a` too.
                            let around = dots.filter_map(|around| names.get(around));
                            for path in around.chain([path]) {
                                absent.entry(path).or_insert(unit.lang(question.db));
                            }
                        }
                    }
                }
            }
        }
        Arc::new(Imports {
            units: question.units.all.clone(),
            rows,
            importers,
            absent,
            missing,
        })
    }

    /// The language whose imports name an absent package.
    pub(crate) fn language_of_absent(&self, path: NameId) -> Option<Lang> {
        self.absent.get(&path).copied()
    }

    /// The package of a name that an import line names and that is not loaded.
    pub(crate) fn missing(&self, path: NameId) -> Option<SymbolId> {
        self.missing.get(&path).copied()
    }

    fn importers(&self, unit: Unit) -> &[Unit] {
        self.importers.get(&unit).map_or(&[], Vec::as_slice)
    }
}

impl QueryContext<'_> {
    /// The units that can name a symbol, in the order of [`Units::all`].
    pub(crate) fn reached(&self, symbol: SymbolId) -> Arc<[Unit]> {
        let Some(language) = self.language(symbol) else {
            return Arc::default();
        };
        let reach = language.visibility_scope(self.db, symbol);
        let (from, steps) = match &reach {
            VisibilityScope::Units(units) => (units, 0),
            VisibilityScope::DirectImporters(units) => (units, 1),
            VisibilityScope::AllImporters(units) => (units, usize::MAX),
            VisibilityScope::Workspace => return self.units_of(language.lang()),
        };
        let key = (from.clone(), steps);
        if let Some(known) = self.caches.reached.borrow().get(&key) {
            return known.clone();
        }
        let reached = self.importers_of(from, steps);
        self.caches
            .reached
            .borrow_mut()
            .insert(key, reached.clone());
        reached
    }

    /// All units of a language.
    pub(crate) fn units_of(&self, lang: Lang) -> Arc<[Unit]> {
        let all = &self.units.all;
        if all.iter().all(|unit| unit.lang(self.db) == lang) {
            return all.clone();
        }
        let units = all.iter().copied();
        units.filter(|unit| unit.lang(self.db) == lang).collect()
    }

    /// These units and those that import them over at most so many steps, each with the tests
    /// that lie over it.
    fn importers_of(&self, from: &[Unit], steps: usize) -> Arc<[Unit]> {
        let mut seen: FxHashSet<Unit> = from.iter().copied().collect();
        let mut frontier: Vec<Unit> = from.to_vec();
        let mut step = 0;
        while step < steps && !frontier.is_empty() {
            let mut next = Vec::new();
            for unit in frontier {
                for &importer in self.imports().importers(unit) {
                    if seen.insert(importer) {
                        next.push(importer);
                    }
                    if importer.kind(self.db) == UnitKind::Base {
                        for &test in self.units.over(importer) {
                            if seen.insert(test) {
                                next.push(test);
                            }
                        }
                    }
                }
            }
            frontier = next;
            step += 1;
        }
        let all = self.units.all.iter().copied();
        all.filter(|unit| seen.contains(unit)).collect()
    }
}
