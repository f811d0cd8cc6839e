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

use codeweft_db::{
    Db, File, FlowNode, Language, NameId, NodeKind, Reason, SymbolId, Unit, UnresolvedSite,
};
use rustc_hash::FxHashSet;

use super::escapes;
use super::incomplete_files;
use crate::call_graph;
use crate::call_graph::named_files;
use crate::completeness::unresolved_sites::{SiteLocation, UnresolvedSites};
use crate::flow;
use crate::link::{InexactReason, Link, SiteKey};
use crate::mentions;
use crate::query_context::QueryContext;
use crate::resolve_ahead::resolve_ahead;
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
    incomplete_files::prepare(query, symbols.len());
    let known = &query.cache.unresolved.of_callers;
    for &symbol in symbols {
        if let Some(sites) = known.get(&(symbol, literals)) {
            unresolved.add_list(&sites);
            continue;
        }
        let found = find(query, symbol, literals);
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

/// Returns the sites that could call a symbol; see [`unresolved_callers`].
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
        add_hidden_callers(query, &mut unresolved, language, symbol);
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
    for &symbol in symbols {
        let Some(language) = query.language(symbol) else {
            continue;
        };
        if query.kind(symbol) == NodeKind::Package {
            continue;
        }
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
        add_hidden_callers(query, &mut unresolved, language, symbol);
        incomplete_files::add_incomplete_files(query, &mut unresolved, language, symbol);
    }
    unresolved
}

fn add_hidden_callers(
    query: &QueryContext<'_>,
    unresolved: &mut UnresolvedSites,
    language: &dyn Language,
    symbol: SymbolId,
) {
    if language.is_dynamically_typed() && query.db.shared().may_have_unresolved_files() {
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
    unresolved.add_offsets(language.hidden_callers(query.db, symbol));
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
        names.extend(language.unresolved_names(query.db, symbol));
        names_by_object.extend(language.unresolved_names_by_object(query.db, symbol));
    }
    if let Some(merged_index) = query.cache.calls.merged_index.get()
        && !names
            .iter()
            .any(|name| merged_index.unresolved.contains_key(name))
    {
        return Vec::new();
    }
    let mut visible = UnitSet::with_capacity(query.units.all.len());
    for &symbol in symbols {
        visible.union_with(&visibility::visible_set(query, symbol));
    }
    let units = units_with_unresolved(query, language, &names, |number| visible.contains(number));
    let units = mentions::units_with_text(query, units, &names);
    let named = named_files::named_files_of(query, symbols);
    let named = named.as_deref();
    let mut found = call_graph::unresolved_calls(query, &units, &names, named, &fits);
    if !names_by_object.is_empty() {
        let names = &names_by_object;
        let others =
            units_with_unresolved(query, language, names, |number| !visible.contains(number));
        found.extend(call_graph::unresolved_calls(
            query, &others, names, None, &fits,
        ));
    }
    found
}

/// Returns the units of a language that `keep` accepts by number, without those of which the merged
/// index, if there is one, says that they have no unresolved call of one of `names`.
fn units_with_unresolved(
    query: &QueryContext<'_>,
    language: &dyn Language,
    names: &[NameId],
    keep: impl Fn(usize) -> bool,
) -> Vec<Unit> {
    let kept = |unit: &Unit| query.units.number(*unit).is_some_and(&keep);
    let Some(merged_index) = query.cache.calls.merged_index.get() else {
        let all = query.units.of_lang(language.lang());
        return all.iter().copied().filter(kept).collect();
    };
    let mut with_unresolved = UnitSet::with_capacity(query.units.all.len());
    let lists = names
        .iter()
        .filter_map(|name| merged_index.unresolved.get(name));
    for unit in lists.flatten() {
        if unit.lang(query.db) == language.lang()
            && let Some(number) = query.units.number(*unit)
        {
            with_unresolved.insert(number);
        }
    }
    let units = visibility::units_in(query, &with_unresolved);
    units.into_iter().filter(kept).collect()
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
