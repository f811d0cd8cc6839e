//! Completeness of an answer: the unresolved sites that could still belong to it (docs/graph.md §3,
//! `completeness`).
//!
//! For every operation there is a function that over-approximates: it returns each site that may
//! add a result, with a reason. For `callers` of `T.Run`:
//!
//! ```go
//! x.Run()        // x of unknown type: an unresolved call by name and arity
//! f := t.Run     // a method value that escapes to reflection: callers are invisible
//! // broken.go with a syntax error that contains the identifier Run
//! // run_windows.go, excluded by the build configuration, that contains Run
//! ```
//!
//! No site left means the answer is complete under the build configuration.

use std::iter;
use std::sync::Arc;

use codeweft_db::{
    Db, File, FlowNode, Lang, Language, NameId, NamedSymbol, NodeKind, Reason, SymbolId, Unit,
    UnresolvedSite,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::escapes;
use super::incomplete_files;
use crate::call_graph;
use crate::call_graph::named_files;
use crate::call_graph::sites_by_name::{NamedSite, prepare_sites, sites_of};
use crate::completeness::unresolved_sites::{SiteLocation, UnresolvedSites};
use crate::flow;
use crate::link::{InexactReason, Link, SiteKey};
use crate::mentions;
use crate::query_context::QueryContext;
use crate::resolve_ahead::resolve_ahead;
use crate::symbols;
use crate::type_graph;
use crate::visibility;
use crate::visibility::UnitSet;

/// The sites of a symbol with more are not kept: a method name that is common has thousands.
const MAX_KEPT_SITES: u32 = 64;

/// Returns the sites that could call one of `symbols`: unresolved calls by name, calls of
/// function values of the same signature, incomplete files, and callers outside the analysed
/// sources. With `literals` also those that could run a function literal made inside one.
pub(crate) fn unresolved_callers(
    query: &QueryContext<'_>,
    symbols: &[SymbolId],
    literals: bool,
) -> UnresolvedSites {
    let mut unresolved = UnresolvedSites::default();
    let known = &query.cache.unresolved.of_callers;
    let mut unknown = Vec::new();
    for &symbol in symbols {
        match known.get(&(symbol, literals)) {
            Some(sites) => unresolved.add_list(&sites),
            None => unknown.push(symbol),
        }
    }
    incomplete_files::prepare(query, unknown.len());
    prepare_unresolved_calls(query, &unknown);
    let hidden = hidden_callers(query, &unknown);
    for (symbol, hidden) in unknown.into_iter().zip(hidden) {
        let mut found = find(query, symbol, literals);
        found.add_offsets(hidden);
        if found.count() <= MAX_KEPT_SITES {
            let sites = found.into_list();
            unresolved.add_list(&sites);
            known.insert((symbol, literals), sites);
        } else {
            unresolved.extend(found);
        }
    }
    unresolved
}

/// Returns the sites that could call a symbol, without its hidden callers; see [`unresolved_callers`].
fn find(query: &QueryContext<'_>, symbol: SymbolId, literals: bool) -> UnresolvedSites {
    let mut unresolved = UnresolvedSites::default();
    if query.kind(symbol) == NodeKind::Package {
        return unresolved;
    }
    for (_, file, site) in unresolved_calls_by_name(query, symbol, true) {
        unresolved.add_listable(file, SiteKey::of(&site), site.reason);
    }
    for &(_, link) in call_graph::calls_of(query, symbol).iter() {
        unresolved.add_guess(link);
    }
    for &(_, link) in call_graph::indirect_calls(query, symbol).iter() {
        if let Some(InexactReason::Unresolved(reason)) = link.reason {
            unresolved.add_listable(link.file, link.key, reason);
        }
    }
    if let Some(language) = query.language(symbol) {
        if language.is_dynamically_typed() {
            add_indirect_uses(query, &mut unresolved, language, symbol);
        } else {
            add_calls_by_value(query, &mut unresolved, symbol);
        }
        incomplete_files::add_incomplete_files(query, &mut unresolved, language, symbol);
        add_escapes(query, &mut unresolved, language, (symbol, literals));
    }
    unresolved
}

/// Adds the indirect calls of a symbol of a dynamically typed language, which do not name it: it
/// escapes as a value, its receiver has another declared type, `super()` finds it.
fn add_indirect_uses(
    query: &QueryContext<'_>,
    unresolved: &mut UnresolvedSites,
    language: &dyn Language,
    symbol: SymbolId,
) {
    for (file, one) in escapes::escaping_uses(query, language, symbol) {
        let key = Link::of_use(file, &one).key;
        unresolved.add(file, SiteLocation::Key(key), Reason::Escapes);
    }
    let mut listed = FxHashSet::default();
    for &(_, link) in call_graph::calls_of(query, symbol).iter() {
        listed.insert((link.file, link.key));
    }
    for &(_, link) in call_graph::indirect_calls(query, symbol).iter() {
        listed.insert((link.file, link.key));
    }
    for (file, site) in escapes::uses_by_declared_receiver(query, language, symbol, &listed) {
        unresolved.add_site(file, &site);
    }
    unresolved.add_offsets(escapes::unresolved_super_calls(query, language, symbol));
}

/// Adds the sites where a symbol escapes the analysed sources as a value or bound method;
/// callers behind them are unknown; with `true` also those of the literals made inside it.
fn add_escapes(
    query: &QueryContext<'_>,
    unresolved: &mut UnresolvedSites,
    language: &dyn Language,
    (symbol, literals): (SymbolId, bool),
) {
    if flow::is_only_named(query, symbol) {
        return;
    }
    let Some(flow_queries) = flow::queries_of(query, symbol) else {
        return;
    };
    for (node, reason) in flow_queries.escapes_of(symbol, literals) {
        // The symbols of one answer escape through the same few nodes.
        let known = &query.caches.flow_calls;
        let call = known.get_or(node, || language.flow_call(query.db, node));
        if let Some((file, body, occ)) = call {
            unresolved.add(file, SiteLocation::Key(SiteKey::Use { body, occ }), reason);
            continue;
        }
        let owner = match node {
            FlowNode::Parameter(owner, _)
            | FlowNode::Result(owner, _)
            | FlowNode::Variable(owner) => Some(owner),
            _ => None,
        };
        let own = || language.declaration_range(query.db, symbol);
        let range = owner.and_then(|owner| language.declaration_range(query.db, owner));
        if let Some(range) = range.or_else(own) {
            let key = SiteKey::Offset(range.name.start);
            unresolved.add(range.file, SiteLocation::Key(key), reason);
        }
    }
}

/// Returns the sites that could use one of `symbols`: unresolved calls by name, uses outside
/// the analysed sources, and incomplete files. Calls of function values are not among them:
/// they use the value, not the function.
pub(crate) fn possible_users(query: &QueryContext<'_>, symbols: &[SymbolId]) -> UnresolvedSites {
    let mut unresolved = UnresolvedSites::default();
    incomplete_files::prepare(query, symbols.len());
    let is_used = |symbol: &SymbolId| query.kind(*symbol) != NodeKind::Package;
    let symbols: Vec<SymbolId> = symbols.iter().copied().filter(is_used).collect();
    for hidden in hidden_callers(query, &symbols) {
        unresolved.add_offsets(hidden);
    }
    for symbol in symbols {
        let Some(language) = query.language(symbol) else {
            continue;
        };
        for (_, file, site) in unresolved_calls_by_name(query, symbol, false) {
            unresolved.add_listable(file, SiteKey::of(&site), site.reason);
        }
        let listed = call_graph::uses_of(query, symbol, |_| true).into_iter();
        let listed = listed.map(|(_, one, file)| (file, Link::of_use(file, &one).key));
        for (file, site) in
            escapes::uses_by_declared_receiver(query, language, symbol, &listed.collect())
        {
            unresolved.add_site(file, &site);
        }
        incomplete_files::add_incomplete_files(query, &mut unresolved, language, symbol);
    }
    unresolved
}

/// So many symbols are looked at by one thread at a time: what is common to them is read once.
const SYMBOLS_TOGETHER: usize = 128;

/// Returns the hidden callers of each symbol, by file, byte offset and reason; none of a package.
fn hidden_callers(query: &QueryContext<'_>, symbols: &[SymbolId]) -> Vec<Vec<(File, u32, Reason)>> {
    let mut found = vec![Vec::new(); symbols.len()];
    let mut named: FxHashMap<Lang, Vec<(usize, NamedSymbol)>> = FxHashMap::default();
    for (number, &symbol) in symbols.iter().enumerate() {
        if query.kind(symbol) != NodeKind::Package
            && let Some(language) = query.language(symbol)
        {
            read_for_hidden_callers(query, language, symbol);
            let of_language = named.entry(language.lang()).or_default();
            of_language.push((number, symbols::named(query, symbol)));
        }
    }
    for (lang, named) in named {
        let (numbers, named): (Vec<usize>, Vec<NamedSymbol>) = named.into_iter().unzip();
        let together: Vec<&[NamedSymbol]> = named.chunks(SYMBOLS_TOGETHER).collect();
        let lists = query.map(&together, |languages, db, symbols| {
            let language = languages.of(lang);
            language.map_or_else(Vec::new, |language| language.hidden_callers(db, symbols))
        });
        for (number, list) in numbers.into_iter().zip(lists.into_iter().flatten()) {
            found[number] = list;
        }
    }
    found
}

/// Reads on all threads what the hidden callers of a symbol need, where it may not be read yet.
fn read_for_hidden_callers(query: &QueryContext<'_>, language: &dyn Language, symbol: SymbolId) {
    if !language.is_dynamically_typed() || !query.db.shared().may_have_unresolved_files() {
        return;
    }
    // A name is looked up by its value in any unit, whatever the units that can name the symbol.
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
    if language.hidden_callers_read_all(query.db, symbol) {
        resolve_ahead(query, &units);
    }
}

/// Collects the unresolved calls of the names of many symbols at once, once the indexes are merged.
fn prepare_unresolved_calls(query: &QueryContext<'_>, symbols: &[SymbolId]) {
    let Some(merged_index) = query.cache.calls.merged_index.get() else {
        return;
    };
    let mut names: FxHashMap<Lang, Vec<NameId>> = FxHashMap::default();
    for &symbol in symbols {
        let Some(language) = query.language(symbol) else {
            continue;
        };
        let of_language = names.entry(language.lang()).or_default();
        let sources = type_graph::dispatched_from(query, symbol);
        for one in iter::once(symbol).chain(sources.iter().copied()) {
            let (names, by_object) = unresolved_names(query, language, one);
            of_language.extend(names.iter().copied().chain(by_object));
        }
    }
    for (lang, names) in names {
        prepare_sites(query, merged_index, lang, &names);
    }
}

/// Returns the names of unresolved sites that could call a symbol, and those of them that count in files
/// that cannot name it too.
fn unresolved_names(
    query: &QueryContext<'_>,
    language: &dyn Language,
    symbol: SymbolId,
) -> (Arc<[NameId]>, SmallVec<[NameId; 4]>) {
    let by_object = language.unresolved_names_by_object(query.db, symbol);
    (symbols::search_names(query, symbol), by_object)
}

/// Returns the unresolved calls, by name, that could call a symbol, each with its caller. With
/// `include_overridden` also those of the methods it may run for.
pub(crate) fn unresolved_calls_by_name(
    query: &QueryContext<'_>,
    symbol: SymbolId,
    include_overridden: bool,
) -> Vec<(SymbolId, File, UnresolvedSite)> {
    let Some(language) = query.language(symbol) else {
        return Vec::new();
    };
    let mut all = vec![symbol];
    if include_overridden {
        all.extend(type_graph::dispatched_from(query, symbol).iter());
    }
    let mut found = unresolved_sites_of(query, language, &all, |language, db, site| {
        all.iter().any(|&one| language.could_call(db, site, one))
    });
    found.retain(|(_, file, site)| language.unresolved_site_counts(query.db, *file, site, symbol));
    found
}

/// Returns the unresolved sites that `fits` accepts, each with its caller: those with a name of
/// one of `symbols` in the units that can name it, and those that reach it by an object in all
/// units.
pub(super) fn unresolved_sites_of(
    query: &QueryContext<'_>,
    language: &dyn Language,
    symbols: &[SymbolId],
    fits: impl Fn(&dyn Language, &dyn Db, &UnresolvedSite) -> bool + Sync,
) -> Vec<(SymbolId, File, UnresolvedSite)> {
    let (mut names, mut names_by_object) = (Vec::new(), Vec::new());
    for &symbol in symbols {
        let (own, by_object) = unresolved_names(query, language, symbol);
        names.extend(own.iter().chain(&by_object));
        names_by_object.extend(by_object);
    }
    names.sort_unstable();
    names.dedup();
    let mut visible = UnitSet::with_capacity(query.units.all.len());
    for &symbol in symbols {
        visible.union_with(&visibility::visible_set(query, symbol));
    }
    if let Some(merged_index) = query.cache.calls.merged_index.get() {
        let sites = sites_of(query, merged_index, language.lang(), &names);
        let mut found: Vec<&NamedSite> = Vec::new();
        for row in sites.iter().flat_map(|sites| sites.iter()) {
            query.poll_cancellation();
            let counts =
                visible.contains(row.at.0 as usize) || names_by_object.contains(&row.site.name);
            if counts && fits(language, query.db, &row.site) {
                found.push(row);
            }
        }
        found.sort_unstable_by_key(|row| row.at);
        let found = found.into_iter();
        return found.map(|row| (row.caller, row.file, row.site)).collect();
    }
    let (units, others): (Vec<Unit>, Vec<Unit>) = query
        .units
        .of_lang(language.lang())
        .iter()
        .partition(|&&unit| {
            let number = query.units.number(unit);
            number.is_some_and(|number| visible.contains(number))
        });
    let units = mentions::units_with_text(query, units, &names);
    let named = named_files::named_files_of(query, symbols);
    let named = named.as_deref();
    let mut found = call_graph::unresolved_calls(query, &units, &names, named, &fits);
    if !names_by_object.is_empty() {
        let names = &names_by_object;
        found.extend(call_graph::unresolved_calls(
            query, &others, names, None, &fits,
        ));
    }
    found
}

/// Adds the calls of function values with the symbol's signature, if the symbol is used as a
/// value at all.
fn add_calls_by_value(
    query: &QueryContext<'_>,
    unresolved: &mut UnresolvedSites,
    symbol: SymbolId,
) {
    let Some(language) = query.language(symbol) else {
        return;
    };
    let merged_index = query.cache.calls.merged_index.get();
    if merged_index.is_some_and(|merged_index| !merged_index.escaped.contains(&symbol)) {
        return;
    }
    let visible_units = visibility::visible_units(query, symbol);
    let names = language.search_names(query.db, symbol);
    let mut visible_units = mentions::units_with_text(query, visible_units, &names);
    if let Some(merged_index) = merged_index {
        let users = merged_index.users.get(&symbol);
        visible_units.retain(|unit| users.is_some_and(|users| users.contains(unit)));
    }
    let escapes = query.map(&visible_units, |languages, db, &unit| {
        let language = languages.of(unit.lang(db))?;
        let index = language.index(db, unit);
        Some(index.escapes(symbol))
    });
    if !escapes.contains(&Some(true)) {
        return;
    }
    let Some(signature) = language.signature(query.db, symbol) else {
        return;
    };
    let mut units = query.units.of_lang(language.lang());
    if let Some(merged_index) = merged_index {
        let calling = merged_index.dynamic.get(&signature).into_iter().flatten();
        let own = |unit: &&Unit| unit.lang(query.db) == language.lang();
        units = calling.filter(own).copied().collect();
    }
    let sites = query.map(&units, |languages, db, &unit| {
        let mut sites = Vec::new();
        let Some(language) = languages.of(unit.lang(db)) else {
            return sites;
        };
        let index = language.index(db, unit);
        let mut numbers = index.files_with_function_value_calls(signature).peekable();
        if numbers.peek().is_none() {
            return sites;
        }
        let files = language.files(db, unit);
        for file in numbers.filter_map(|number| files.get(number as usize)) {
            let uses = language.uses(db, *file);
            let same = uses
                .unresolved
                .iter()
                .filter(|site| site.signature == signature);
            sites.extend(same.map(|site| (*file, *site)));
        }
        sites
    });
    for (file, site) in sites.into_iter().flatten() {
        add_unresolved(query, unresolved, file, &site);
    }
}

/// Adds an unresolved site, unless it is a call of a function value whose possible values are
/// all known.
pub(super) fn add_unresolved(
    query: &QueryContext<'_>,
    unresolved: &mut UnresolvedSites,
    file: File,
    site: &UnresolvedSite,
) {
    match site.reason {
        Reason::FunctionValue => {
            let reason =
                call_graph::unresolved_value_call(query, file, site.body, site.occ, site.reason);
            if let Some(reason) = reason {
                unresolved.add_site(file, &UnresolvedSite { reason, ..*site });
            }
        }
        _ => unresolved.add_site(file, site),
    }
}
