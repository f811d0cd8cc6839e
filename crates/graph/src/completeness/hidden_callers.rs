//! Callers that no call shows: see [`Completeness::hidden_callers`](codeweft_db::Completeness).

use std::iter;
use std::sync::Arc;

use codeweft_db::{Lang, Language, NamedSymbol, OutsideCaller, SymbolId};
use rustc_hash::FxHashMap;

use super::unresolved_sites::UnresolvedSites;
use crate::call_graph::named_files;
use crate::query_context::QueryContext;
use crate::search_names;

/// A thread looks at no fewer symbols than so many at a time: what is common to them is read once.
const SYMBOLS_TOGETHER: usize = 64;

/// Adds the hidden callers of some symbols, or their hidden uses, but those that [`add_declared_callers`] adds.
pub(super) fn add_hidden_callers(
    query: &QueryContext<'_>,
    unresolved: &mut UnresolvedSites,
    symbols: &[SymbolId],
    of_callers: bool,
) {
    let mut named: FxHashMap<Lang, Vec<NamedSymbol>> = FxHashMap::default();
    for &symbol in symbols {
        if let Some(language) = query.language(symbol) {
            read_for_hidden_callers(query, language);
            let of_language = named.entry(language.lang()).or_default();
            of_language.push(search_names::named(query, symbol, of_callers));
            // A look-up of a class, or of one below it, leads to its constructor.
            let classes = search_names::constructed_classes(query, language, symbol);
            of_language.extend(classes.into_iter().map(|symbol| NamedSymbol {
                symbol,
                names: Arc::default(),
                of_callers,
            }));
        }
    }
    for (lang, named) in named {
        let of_thread = named.len().div_ceil(query.fan_out.threads.get());
        let together: Vec<&[NamedSymbol]> = named.chunks(of_thread.max(SYMBOLS_TOGETHER)).collect();
        let found = query
            .fan_out
            .map_at_once(&together, |languages, db, symbols| {
                let language = languages.of(lang);
                language.map_or_else(Vec::new, |language| language.hidden_callers(db, symbols))
            });
        for sites in found {
            unresolved.add_offsets(sites);
        }
    }
}

/// Adds the hidden callers that the declaration of a symbol shows, and those of the classes whose
/// construction runs it.
pub(super) fn add_declared_callers(
    query: &QueryContext<'_>,
    unresolved: &mut UnresolvedSites,
    language: &dyn Language,
    symbol: SymbolId,
) {
    let classes = search_names::constructed_classes(query, language, symbol);
    for one in iter::once(symbol).chain(classes) {
        query.poll_cancellation();
        unresolved.add_offsets(language.declared_callers(query.db, one));
    }
}

/// Reads on all threads what hidden callers need, where it may not be read yet.
fn read_for_hidden_callers(query: &QueryContext<'_>, language: &dyn Language) {
    if !language.is_dynamically_typed() || !query.db.shared().may_have_unresolved_files() {
        return;
    }
    // A name is looked up by its value in any unit, whatever the units that can name a symbol.
    let units = query.units.of_lang(language.lang());
    query
        .caches
        .hidden_callers_read
        .get_or(language.lang(), || {
            named_files::resolve_look_ups(query, &units);
            query.map(&units, |languages, db, &unit| {
                if let Some(language) = languages.of(unit.lang(db)) {
                    language.read_for_hidden_callers(db, unit);
                }
            });
        });
}

/// Returns what is known to call a function without a site.
pub(crate) fn outside_callers(query: &QueryContext<'_>, symbol: SymbolId) -> Vec<OutsideCaller> {
    let language = query.language(symbol);
    language.map_or_else(Vec::new, |language| {
        language.outside_callers(query.db, symbol)
    })
}
