//! The units of the workspace and its libraries, by package name.

use std::sync::Arc;

use codeweft_db::{Db, Lang, NameId, Unit, UnitGraph};
use rustc_hash::FxHashMap;

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
    pub(crate) fn read(db: &dyn Db) -> Units {
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
    /// Returns all units of a language.
    pub(crate) fn of_lang(&self, db: &dyn Db, lang: Lang) -> Arc<[Unit]> {
        if self.all.iter().all(|unit| unit.lang(db) == lang) {
            return self.all.clone();
        }
        let units = self.all.iter().copied();
        units.filter(|unit| unit.lang(db) == lang).collect()
    }
}
