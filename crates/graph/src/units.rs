//! The units of the workspace and its libraries, by package name.

use std::sync::Arc;

use codeweft_db::{Db, Lang, NameId, Unit, UnitGraph};
use rustc_hash::FxHashMap;

/// All units with the look-ups that queries need.
#[derive(PartialEq, Eq, Default, Debug)]
pub(crate) struct Units {
    /// All units, sorted by (language, printed name, kind).
    pub(crate) all: Arc<[Unit]>,
    /// The number of each unit in `all`.
    numbers: FxHashMap<Unit, u32>,
    /// The units of each language; one entry that shares `all` if there is a single language.
    by_lang: Vec<(Lang, Arc<[Unit]>)>,
    /// The units of one package, in order of kind.
    packages: FxHashMap<(Lang, NameId), Vec<Unit>>,
    /// The test units of a base unit.
    tests: FxHashMap<Unit, Vec<Unit>>,
}

/// Returns the units of the unit graph. No edit of a text changes them, so salsa skips the query
/// by durability.
#[salsa::tracked(returns(clone))]
fn units(db: &dyn Db, graph: UnitGraph) -> Arc<Units> {
    let all = graph.units(db).clone();
    let mut by_lang: Vec<(Lang, Vec<Unit>)> = Vec::new();
    let mut packages: FxHashMap<_, Vec<Unit>> = FxHashMap::default();
    let mut tests: FxHashMap<_, Vec<Unit>> = FxHashMap::default();
    for &unit in all.iter() {
        let lang = unit.lang(db);
        // The units are sorted by language.
        match by_lang.last_mut() {
            Some((last, own)) if *last == lang => own.push(unit),
            _ => by_lang.push((lang, vec![unit])),
        }
        let package = packages.entry((lang, unit.name(db)));
        package.or_default().push(unit);
        if let Some(base) = unit.base(db) {
            tests.entry(base).or_default().push(unit);
        }
    }
    let by_lang = match by_lang.as_slice() {
        [(lang, _)] => vec![(*lang, all.clone())],
        _ => by_lang
            .into_iter()
            .map(|(lang, own)| (lang, own.into()))
            .collect(),
    };
    Arc::new(Units {
        numbers: all.iter().copied().zip(0..).collect(),
        all,
        by_lang,
        packages,
        tests,
    })
}

impl Units {
    /// Returns the units of the unit graph; none if there is no graph yet.
    pub(crate) fn read(db: &dyn Db) -> Arc<Units> {
        UnitGraph::try_get(db).map_or_else(Arc::default, |graph| units(db, graph))
    }

    /// Returns the number of a unit in `all`.
    pub(crate) fn number(&self, unit: Unit) -> Option<usize> {
        self.numbers.get(&unit).map(|&number| number as usize)
    }

    /// Returns the units with this printed name, in order of kind.
    pub(crate) fn named(&self, lang: Lang, name: NameId) -> &[Unit] {
        self.packages.get(&(lang, name)).map_or(&[], Vec::as_slice)
    }

    /// Returns the test units of a base unit.
    pub(crate) fn tests_of(&self, base: Unit) -> &[Unit] {
        self.tests.get(&base).map_or(&[], Vec::as_slice)
    }

    /// Returns the languages that have units.
    pub(crate) fn langs(&self) -> impl Iterator<Item = Lang> {
        self.by_lang.iter().map(|&(lang, _)| lang)
    }

    /// Returns all units of a language.
    pub(crate) fn of_lang(&self, lang: Lang) -> Arc<[Unit]> {
        let mut languages = self.by_lang.iter();
        let own = languages.find(|(other, _)| *other == lang);
        own.map_or_else(Arc::default, |(_, units)| units.clone())
    }
}
