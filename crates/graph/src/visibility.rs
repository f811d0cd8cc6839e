//! The units that can name a symbol.

use std::sync::Arc;

use codeweft_db::{Lang, SymbolId, Unit, UnitKind, VisibilityScope};
use fixedbitset::FixedBitSet;

use crate::query_context::QueryContext;

/// What the units that can name a symbol are computed from; many symbols share one.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum VisibilityKey {
    /// These units and those that import them over at most so many import lines.
    Importers(Vec<Unit>, usize),
    /// All units of a language.
    Language(Option<Lang>),
}

/// A set of units, as bits at their numbers in [`Units::all`](crate::units::Units::all).
pub(crate) type UnitSet = FixedBitSet;

/// Returns the units that can name a symbol, in the order of [`Units::all`](crate::units::Units::all).
pub(crate) fn visible_units(query: &QueryContext<'_>, symbol: SymbolId) -> Vec<Unit> {
    units_in(query, &visible_set(query, symbol))
}

/// Returns the units of a set, in the order of [`Units::all`](crate::units::Units::all).
pub(crate) fn units_in(query: &QueryContext<'_>, set: &UnitSet) -> Vec<Unit> {
    let numbers = set.ones();
    numbers
        .filter_map(|number| query.units.all.get(number).copied())
        .collect()
}

/// As [`visible_units`], as a set.
pub(crate) fn visible_set(query: &QueryContext<'_>, symbol: SymbolId) -> Arc<UnitSet> {
    query.caches.visible_units.get_or(symbol, || {
        let key = match query.language(symbol) {
            None => VisibilityKey::Language(None),
            Some(language) => match language.visibility_scope(query.db, symbol) {
                VisibilityScope::Units(units) => VisibilityKey::Importers(units, 0),
                VisibilityScope::DirectImporters(units) => VisibilityKey::Importers(units, 1),
                VisibilityScope::AllImporters(units) => VisibilityKey::Importers(units, usize::MAX),
                VisibilityScope::Workspace => VisibilityKey::Language(Some(language.lang())),
            },
        };
        let known = &query.cache.imports.visible_units;
        if let Some(set) = known.get(&key) {
            return set;
        }
        let set = Arc::new(compute(query, &key));
        known.insert(key, set.clone());
        set
    })
}

fn compute(query: &QueryContext<'_>, key: &VisibilityKey) -> UnitSet {
    let mut set = UnitSet::with_capacity(query.units.all.len());
    match key {
        VisibilityKey::Importers(from, steps) => add_importers(query, &mut set, from, *steps),
        VisibilityKey::Language(lang) => {
            let of_lang = lang.map(|lang| query.units.of_lang(lang));
            for &unit in of_lang.iter().flat_map(|units| units.iter()) {
                insert(query, &mut set, unit);
            }
        }
    }
    set
}

/// Adds a unit; returns whether it is new. A unit that is not in the unit graph is not added.
fn insert(query: &QueryContext<'_>, set: &mut UnitSet, unit: Unit) -> bool {
    let number = query.units.number(unit);
    number.is_some_and(|number| !set.put(number))
}

/// Adds `from` and the units that import them over at most `steps` import lines, each with its
/// test units.
fn add_importers(query: &QueryContext<'_>, set: &mut UnitSet, from: &[Unit], steps: usize) {
    for &unit in from {
        insert(query, set, unit);
    }
    let mut frontier: Vec<Unit> = from.to_vec();
    let mut step = 0;
    while step < steps && !frontier.is_empty() {
        let mut next = Vec::new();
        for unit in frontier {
            for &importer in query.imports().importers(unit) {
                if insert(query, set, importer) {
                    next.push(importer);
                }
                if importer.kind(query.db) == UnitKind::BASE {
                    for &test in query.units.tests_of(importer) {
                        if insert(query, set, test) {
                            next.push(test);
                        }
                    }
                }
            }
        }
        frontier = next;
        step += 1;
    }
}
