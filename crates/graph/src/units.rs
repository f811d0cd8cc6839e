//! The units of the workspace and its libraries: by package name, and by who imports them.

use std::sync::Arc;

use codeweft_db::{
    DeclaredIn, ImportRow, Lang, NameId, SymbolId, Unit, UnitGraph, UnitKind, VisibilityScope,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::query_context::QueryContext;

/// All units with the look-ups that queries need.
#[derive(Default)]
pub(crate) struct Units {
    /// All units, sorted by (language, printed name, kind).
    pub(crate) all: Arc<[Unit]>,
    /// The units of one package, in order of kind.
    packages: FxHashMap<(Lang, NameId), Vec<Unit>>,
    /// The test units of a base unit.
    tests: FxHashMap<Unit, Vec<Unit>>,
}

impl Units {
    /// Reads the unit graph; empty if there is none yet.
    pub(crate) fn read(db: &dyn codeweft_db::Db) -> Units {
        let Some(universe) = UnitGraph::try_get(db) else {
            return Units::default();
        };
        let all = universe.units(db).clone();
        let mut packages: FxHashMap<_, Vec<Unit>> = FxHashMap::default();
        let mut tests: FxHashMap<_, Vec<Unit>> = FxHashMap::default();
        for &unit in all.iter() {
            packages
                .entry((unit.lang(db), unit.name(db)))
                .or_default()
                .push(unit);
            if let Some(base) = unit.base(db) {
                tests.entry(base).or_default().push(unit);
            }
        }
        Units {
            all,
            packages,
            tests,
        }
    }

    /// Returns the units with this printed name, in order of kind.
    pub(crate) fn named(&self, lang: Lang, name: NameId) -> &[Unit] {
        self.packages.get(&(lang, name)).map_or(&[], Vec::as_slice)
    }

    /// Returns the test units of a base unit.
    pub(crate) fn tests_of(&self, base: Unit) -> &[Unit] {
        self.tests.get(&base).map_or(&[], Vec::as_slice)
    }
}

/// The imports of all units.
pub(crate) struct Imports {
    /// The units whose rows these are.
    units: Arc<[Unit]>,
    /// The rows of each unit, in the order of [`Units::all`].
    pub(crate) rows: Vec<Arc<[ImportRow]>>,
    /// The units that import a unit.
    importers: FxHashMap<Unit, Vec<Unit>>,
    /// The language of each absent package.
    absent: FxHashMap<NameId, Lang>,
    /// Packages that import lines name but that are not loaded.
    missing: FxHashMap<NameId, SymbolId>,
}

impl Imports {
    /// Reads the rows of every unit; reuses the previous revision's result if all rows are the same
    /// `Arc`s.
    pub(crate) fn read(query: &QueryContext<'_>) -> Arc<Imports> {
        let rows = query.map(&query.units.all, |languages, db, &unit| {
            let language = languages.of(unit.lang(db))?;
            Some(language.imports(db, unit))
        });
        let rows: Vec<Arc<[ImportRow]>> = rows
            .into_iter()
            .map(|rows| rows.unwrap_or_default())
            .collect();
        let same = |old: &&Arc<Imports>| {
            old.units == query.units.all
                && old
                    .rows
                    .iter()
                    .zip(&rows)
                    .all(|(old, new)| Arc::ptr_eq(old, new))
        };
        if let Some(old) = query.cache.previous.imports.as_ref().filter(same) {
            return old.clone();
        }
        let mut importers: FxHashMap<Unit, Vec<Unit>> = FxHashMap::default();
        let mut absent = FxHashMap::default();
        let mut missing = FxHashMap::default();
        for (&unit, rows) in query.units.all.iter().zip(&rows) {
            for row in rows.iter() {
                match row.unit {
                    Some(imported) => {
                        // A folder above an imported module need not be an existing package.
                        let key = query.key(row.to);
                        let names = &query.db.shared().names;
                        let text = names.text(key.name);
                        let language = query.languages.of(unit.lang(query.db));
                        if language.is_some_and(|language| language.is_nominal()) {
                            let dots = text.match_indices('.').map(|(at, _)| &text[..at]);
                            for parents in dots.filter_map(|parents| names.get(parents)) {
                                absent.entry(parents).or_insert(unit.lang(query.db));
                            }
                        }
                        let list = importers.entry(imported).or_default();
                        if list.last() != Some(&unit) {
                            list.push(unit);
                        }
                    }
                    None => {
                        if let DeclaredIn::Absent(path) = query.key(row.to).declared_in {
                            missing.entry(path).or_insert(row.to);
                            let names = &query.db.shared().names;
                            let text = names.text(path);
                            let dots = text.match_indices('.').map(|(at, _)| &text[..at]);
                            // `import a.b` names `a` too.
                            let parents = dots.filter_map(|parents| names.get(parents));
                            for path in parents.chain([path]) {
                                absent.entry(path).or_insert(unit.lang(query.db));
                            }
                        }
                    }
                }
            }
        }
        Arc::new(Imports {
            units: query.units.all.clone(),
            rows,
            importers,
            absent,
            missing,
        })
    }

    /// Returns the language whose imports name an absent package.
    pub(crate) fn language_of_absent(&self, path: NameId) -> Option<Lang> {
        self.absent.get(&path).copied()
    }

    /// Returns the symbol of a package that an import line names but that is not loaded.
    pub(crate) fn missing(&self, path: NameId) -> Option<SymbolId> {
        self.missing.get(&path).copied()
    }

    fn importers(&self, unit: Unit) -> &[Unit] {
        self.importers.get(&unit).map_or(&[], Vec::as_slice)
    }
}

impl QueryContext<'_> {
    /// Returns the units that can name a symbol, in the order of [`Units::all`].
    pub(crate) fn visible_units(&self, symbol: SymbolId) -> Arc<[Unit]> {
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
        if let Some(known) = self.caches.visible_units.borrow().get(&key) {
            return known.clone();
        }
        let visible_units = self.importers_of(from, steps);
        self.caches
            .visible_units
            .borrow_mut()
            .insert(key, visible_units.clone());
        visible_units
    }

    /// Returns all units of a language.
    pub(crate) fn units_of(&self, lang: Lang) -> Arc<[Unit]> {
        let all = &self.units.all;
        if all.iter().all(|unit| unit.lang(self.db) == lang) {
            return all.clone();
        }
        let units = all.iter().copied();
        units.filter(|unit| unit.lang(self.db) == lang).collect()
    }

    /// Returns `from` and the units that import them over at most `steps` import lines, each with
    /// its test units.
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
                    if importer.kind(self.db) == UnitKind::BASE {
                        for &test in self.units.tests_of(importer) {
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
