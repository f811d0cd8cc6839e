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

use codeweft_db::{File, FlowNode, Language, NodeKind, Reason, SymbolId, Unit, UnresolvedSite};

use super::calls_by_name::{
    add_calls_by_name, unresolved_calls_by_name, uses_by_declared_receiver,
};
use super::escapes;
use super::hidden_callers::{add_declared_callers, add_hidden_callers};
use super::incomplete_files;
use crate::call_graph;
use crate::completeness::unresolved_sites::{SiteLocation, UnresolvedSites};
use crate::flow;
use crate::link::{InexactReason, Link, SiteKey};
use crate::mentions;
use crate::query_context::QueryContext;
use crate::search_names::search_names;
use crate::visibility;

/// The sites of a symbol with more are not kept: a method name that is common has thousands.
const MAX_KEPT_SITES: usize = 64;

/// Returns the sites that could call one of `symbols`: unresolved calls by name, calls of
/// function values of the same signature, incomplete files, and callers outside the analysed
/// sources. With `literals` also those that could run a function literal made inside one.
pub(crate) fn unresolved_callers(
    query: &QueryContext<'_>,
    symbols: &[SymbolId],
    literals: bool,
) -> UnresolvedSites {
    let mut unresolved = UnresolvedSites::default();
    let is_called = |symbol: &SymbolId| query.kind(*symbol) != NodeKind::Package;
    let symbols: Vec<SymbolId> = symbols.iter().copied().filter(is_called).collect();
    incomplete_files::prepare(query, symbols.len());
    if symbols.len() > 1 {
        call_graph::expect_lookups(query, symbols.len());
    }
    add_calls_by_name(query, &mut unresolved, &symbols);
    add_hidden_callers(query, &mut unresolved, &symbols, true);
    let known = &query.cache.unresolved.of_callers;
    let mut unknown = Vec::new();
    for symbol in symbols {
        match known.get(&(symbol, literals)) {
            Some(sites) => unresolved.add_list(&sites),
            None => unknown.push(symbol),
        }
    }
    let found = query.map_in_contexts(&unknown, |query, &symbol| {
        find(query, symbol, literals).into_list()
    });
    for (symbol, sites) in unknown.into_iter().zip(found) {
        unresolved.add_list(&sites);
        if sites.len() <= MAX_KEPT_SITES {
            known.insert((symbol, literals), sites);
        }
    }
    unresolved
}

/// Returns the sites that could call a symbol, without unresolved calls of its name and the hidden callers
/// that many symbols have in common; see [`unresolved_callers`].
fn find(query: &QueryContext<'_>, symbol: SymbolId, literals: bool) -> UnresolvedSites {
    let mut unresolved = UnresolvedSites::default();
    for &(_, link) in call_graph::calls_of(query, symbol).iter() {
        unresolved.add_guess(link);
    }
    for &(_, link) in call_graph::indirect_calls(query, symbol).iter() {
        if let Some(InexactReason::Unresolved(reason)) = link.reason {
            unresolved.add_listable(link.file, link.key, reason);
        }
    }
    if let Some(language) = query.language(symbol) {
        add_declared_callers(query, &mut unresolved, language, symbol);
        if language.is_dynamically_typed() {
            add_indirect_uses(query, &mut unresolved, language, symbol);
        } else {
            add_calls_by_value(query, &mut unresolved, symbol);
        }
        let named = (symbol, &*search_names(query, symbol));
        incomplete_files::add_incomplete_files(query, &mut unresolved, language, named);
        add_escapes(query, &mut unresolved, language, (symbol, literals));
    }
    unresolved
}

/// Adds the indirect calls of a symbol of a dynamically typed language, which do not name it: it
/// escapes as a value, `super()` finds it.
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
    let Some(flow_queries) = flow::dispatching_queries_of(query, symbol) else {
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
    add_hidden_callers(query, &mut unresolved, &symbols, false);
    for symbol in symbols {
        let Some(language) = query.language(symbol) else {
            continue;
        };
        for (_, file, site) in unresolved_calls_by_name(query, symbol, false) {
            unresolved.add_listable(file, SiteKey::of(&site), site.reason);
        }
        let listed = call_graph::uses_of(query, symbol, |_| true).into_iter();
        let listed = listed.map(|(_, one, file)| (file, Link::of_use(file, &one).key));
        let listed = listed.collect();
        for (file, site) in uses_by_declared_receiver(query, language, symbol, &listed) {
            unresolved.add_site(file, &site);
        }
        add_declared_callers(query, &mut unresolved, language, symbol);
        let named = (symbol, &*search_names(query, symbol));
        incomplete_files::add_incomplete_files(query, &mut unresolved, language, named);
    }
    unresolved
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
