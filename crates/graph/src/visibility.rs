//! The units that can name a symbol.

use std::sync::Arc;

use codeweft_db::{SymbolId, Unit, UnitKind, VisibilityScope};
use rustc_hash::FxHashSet;

use crate::query_context::QueryContext;

/// Returns the units that can name a symbol, in the order of [`Units::all`](crate::units::Units::all).
pub(crate) fn visible_units(query: &QueryContext<'_>, symbol: SymbolId) -> Arc<[Unit]> {
    let Some(language) = query.language(symbol) else {
        return Arc::default();
    };
    let reach = language.visibility_scope(query.db, symbol);
    let (from, steps) = match &reach {
        VisibilityScope::Units(units) => (units, 0),
        VisibilityScope::DirectImporters(units) => (units, 1),
        VisibilityScope::AllImporters(units) => (units, usize::MAX),
        VisibilityScope::Workspace => return query.units.of_lang(language.lang()),
    };
    let key = (from.clone(), steps);
    let known = &query.caches.visible_units;
    known.get_or(key, || importers_of(query, from, steps))
}

/// Returns `from` and the units that import them over at most `steps` import lines, each with
/// its test units.
fn importers_of(query: &QueryContext<'_>, from: &[Unit], steps: usize) -> Arc<[Unit]> {
    let mut seen: FxHashSet<Unit> = from.iter().copied().collect();
    let mut frontier: Vec<Unit> = from.to_vec();
    let mut step = 0;
    while step < steps && !frontier.is_empty() {
        let mut next = Vec::new();
        for unit in frontier {
            for &importer in query.imports().importers(unit) {
                if seen.insert(importer) {
                    next.push(importer);
                }
                if importer.kind(query.db) == UnitKind::BASE {
                    for &test in query.units.tests_of(importer) {
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
    let all = query.units.all.iter().copied();
    all.filter(|unit| seen.contains(unit)).collect()
}
