//! Sites that could call more than an answer lists.

use std::sync::Arc;

use codeweft_db::{
    File, Lang, Language, NameId, Origin, PossibleCall, Reason, Resolution, SymbolId,
    UnresolvedSite, file_report,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::callers;
use super::unresolved_sites::{SiteList, SiteLocation, UnresolvedSites};
use crate::call_graph;
use crate::link::{Link, SiteKey};
use crate::memo::Memo;
use crate::query_context::QueryContext;
use crate::symbols;
use crate::visibility;

/// Returns the unresolved calls inside the bodies of `symbols`, and their bodies with syntax
/// errors.
pub(crate) fn unresolved_callees(
    query: &QueryContext<'_>,
    symbols: &FxHashSet<SymbolId>,
) -> UnresolvedSites {
    let known = &query.cache.unresolved.of_callees;
    join_known(query, known, symbols, |unknown| {
        find_in_bodies(query, unknown)
    })
}

/// Returns the sites of all `symbols`; `find` returns those of each symbol that is not known.
fn join_known(
    query: &QueryContext<'_>,
    known: &Memo<SymbolId, SiteList>,
    symbols: &FxHashSet<SymbolId>,
    find: impl FnOnce(&FxHashSet<SymbolId>) -> FxHashMap<SymbolId, UnresolvedSites>,
) -> UnresolvedSites {
    let unknown: FxHashSet<SymbolId> = {
        let known = known.lock();
        let symbols = symbols.iter().copied();
        symbols
            .filter(|symbol| !known.contains_key(symbol))
            .collect()
    };
    for (symbol, sites) in find(&unknown) {
        known.insert(symbol, sites.into_list());
    }
    let mut unresolved = UnresolvedSites::default();
    for symbol in symbols {
        query.poll_cancellation();
        if let Some(sites) = known.get(symbol) {
            unresolved.add_list(&sites);
        }
    }
    unresolved
}

/// Returns for each symbol the unresolved calls in its body, and the body's syntax errors.
fn find_in_bodies(
    query: &QueryContext<'_>,
    symbols: &FxHashSet<SymbolId>,
) -> FxHashMap<SymbolId, UnresolvedSites> {
    let mut found: FxHashMap<SymbolId, UnresolvedSites> = FxHashMap::default();
    let mut by_file: FxHashMap<File, Vec<SymbolId>> = FxHashMap::default();
    for &symbol in symbols {
        found.insert(symbol, UnresolvedSites::default());
        for file in symbols::files_of_body(query, symbol) {
            by_file.entry(file).or_default().push(symbol);
        }
    }
    for (file, owners) in by_file {
        query.poll_cancellation();
        let Some(language) = query.languages.of(file.lang(query.db)) else {
            continue;
        };
        let uses = language.uses(query.db, file);
        // A use by declared receiver type and an escaping value are not calls of this body.
        let is_open = |site: &&UnresolvedSite| {
            !site.is_possible_other_use() && site.reason != Reason::Escapes
        };
        for site in uses.unresolved.iter().filter(is_open) {
            if language.is_followed(query.db, file, site) {
                continue;
            }
            let owner = uses.bodies.get(site.body as usize);
            let Some(unresolved) = owner.and_then(|owner| found.get_mut(owner)) else {
                continue;
            };
            let candidates = declared_in_workspace(query, language, site.name);
            let fits = |&one: &SymbolId| language.could_call(query.db, site, one);
            if site.reason != Reason::FunctionValue && candidates.iter().any(fits) {
                unresolved.add_listable(file, SiteKey::of(site), site.reason);
            } else {
                callers::add_unresolved(query, unresolved, file, site);
            }
        }
        for owner in owners {
            if let Some(unresolved) = found.get_mut(&owner) {
                add_open_calls(query, unresolved, file, owner);
                add_broken_line(query, unresolved, language, (file, owner));
            }
        }
    }
    found
}

/// Adds the calls of a body that may run more than what is known.
fn add_open_calls(
    query: &QueryContext<'_>,
    unresolved: &mut UnresolvedSites,
    file: File,
    owner: SymbolId,
) {
    let calls = call_graph::calls_in(query, file);
    for (_, callee, one) in calls.of(owner) {
        let link = Link::of_use(file, one);
        unresolved.add_guess(link);
        if let Some(reason) = call_graph::unresolved_dispatch(query, *callee, &link) {
            let mut is_listable = false;
            call_graph::may_run(query, *callee, link, |_, run| {
                is_listable |= run.resolution == Resolution::Name;
            });
            if is_listable {
                unresolved.add_listable(file, link.key, reason);
            } else {
                unresolved.add(file, SiteLocation::Key(link.key), reason);
            }
        }
    }
}

/// Adds the first line with a syntax error in a body.
fn add_broken_line(
    query: &QueryContext<'_>,
    unresolved: &mut UnresolvedSites,
    language: &dyn Language,
    (file, owner): (File, SymbolId),
) {
    let report = file_report(query.db, file);
    if report.error_lines.is_empty() {
        return;
    }
    let ranges = codeweft_db::file_ranges(query.db, file);
    let range = language.declaration_range(query.db, owner);
    let Some(range) = range.filter(|range| range.file == file) else {
        return;
    };
    let first = ranges.line_column(range.span.start).0;
    let last = ranges.line_column(range.span.end).0;
    let inside = |line: &&u32| (first..=last).contains(*line);
    if let Some(&line) = report.error_lines.iter().find(inside) {
        unresolved.add_line(file, line, 1, Reason::ParseError);
    }
}

/// Returns the operations in the bodies of `symbols` that may call a function of the workspace which
/// the answer does not list for them, because the class of an operand is only inferred. Functions of
/// libraries that would fit by their names are not looked for.
pub(crate) fn possible_callees(
    query: &QueryContext<'_>,
    symbols: &FxHashSet<SymbolId>,
) -> UnresolvedSites {
    let known = &query.cache.unresolved.possible_callees;
    join_known(query, known, symbols, |unknown| {
        find_possible(query, unknown)
    })
}

/// A thread looks at so many bodies at a time: what is common to them is read once.
const BODIES_TOGETHER: usize = 16;

/// Bodies, by file and number, each with the symbol that it belongs to.
#[derive(Default)]
struct OwnedBodies {
    owners: Vec<SymbolId>,
    bodies: Vec<(File, u32)>,
}

/// Returns for each symbol the operations in its bodies that may call more than the answer lists.
fn find_possible(
    query: &QueryContext<'_>,
    symbols: &FxHashSet<SymbolId>,
) -> FxHashMap<SymbolId, UnresolvedSites> {
    let mut found: FxHashMap<SymbolId, UnresolvedSites> = FxHashMap::default();
    let mut by_lang: FxHashMap<Lang, OwnedBodies> = FxHashMap::default();
    for &symbol in symbols {
        found.insert(symbol, UnresolvedSites::default());
        let language = query.language(symbol);
        let Some(language) = language.filter(|language| language.is_dynamically_typed()) else {
            continue;
        };
        let owned = by_lang.entry(language.lang()).or_default();
        for file in symbols::files_of_body(query, symbol) {
            query.poll_cancellation();
            let uses = language.uses(query.db, file);
            let bodies = uses.bodies.iter().zip(0..);
            for (_, body) in bodies.filter(|(owner, _)| **owner == symbol) {
                owned.owners.push(symbol);
                owned.bodies.push((file, body));
            }
        }
    }
    for (lang, OwnedBodies { owners, bodies }) in by_lang {
        let Some(language) = query.languages.of(lang) else {
            continue;
        };
        let together: Vec<&[(File, u32)]> = bodies.chunks(BODIES_TOGETHER).collect();
        let calls = query.map(&together, |languages, db, bodies| {
            let language = languages.of(lang);
            language.map_or_else(Vec::new, |language| language.possible_calls(db, bodies))
        });
        let rows = owners.into_iter().zip(&bodies);
        for ((symbol, &(file, body)), calls) in rows.zip(calls.into_iter().flatten()) {
            query.poll_cancellation();
            if calls.is_empty() {
                continue;
            }
            let listed = listed_callees(query, (file, body), symbol);
            let followed = followed_sites(query, language, (file, body));
            for call in calls {
                if call.name.is_some() && followed.contains(&call.occ) {
                    continue;
                }
                let key = SiteKey::Use {
                    body,
                    occ: call.occ,
                };
                let is_open = call.name.is_none_or(|name| {
                    let named = declared_in_workspace(query, language, name);
                    named.iter().any(|&one| {
                        !listed.contains(&(key, one))
                            && could_be_called(query, language, file, &call, one)
                    })
                });
                if is_open {
                    let unresolved = found.entry(symbol).or_default();
                    unresolved.add(file, SiteLocation::Key(key), call.reason);
                }
            }
        }
    }
    found
}

/// Returns the unresolved sites of a body of which its flows have all that they run, by token.
fn followed_sites(
    query: &QueryContext<'_>,
    language: &dyn Language,
    (file, body): (File, u32),
) -> FxHashSet<u32> {
    let uses = language.uses(query.db, file);
    let sites = uses.unresolved.iter();
    let followed =
        |site: &&UnresolvedSite| site.body == body && language.is_followed(query.db, file, site);
    sites.filter(followed).map(|site| site.occ).collect()
}

/// Returns what a body calls, by site.
fn listed_callees(
    query: &QueryContext<'_>,
    (file, body): (File, u32),
    symbol: SymbolId,
) -> FxHashSet<(SiteKey, SymbolId)> {
    let mut listed = FxHashSet::default();
    let calls = call_graph::calls_in(query, file);
    let calls = calls.of(symbol).iter();
    for (_, callee, one) in calls.filter(|(.., one)| one.body == body) {
        let link = Link::of_use(file, one);
        listed.insert((link.key, *callee));
        call_graph::may_run(query, *callee, link, |run, _| {
            listed.insert((link.key, run));
        });
    }
    listed
}

/// Returns whether a possible call in a file could call a symbol of its name, which the file can name.
fn could_be_called(
    query: &QueryContext<'_>,
    language: &dyn Language,
    file: File,
    call: &PossibleCall,
    symbol: SymbolId,
) -> bool {
    let is_visible = || {
        let number = query.owner(file).and_then(|unit| query.units.number(unit));
        let visible = visibility::visible_set(query, symbol);
        number.is_some_and(|number| visible.contains(number))
    };
    language.could_be_called(query.db, call, symbol) && is_visible()
}

/// Returns the declarations of a name in the workspace.
fn declared_in_workspace(
    query: &QueryContext<'_>,
    language: &dyn Language,
    name: NameId,
) -> Arc<[SymbolId]> {
    let lang = language.lang();
    let known = &query.cache.unresolved.declared;
    known.get_or((lang, name), || {
        let mut found = Vec::new();
        for &unit in query.units.of_lang(lang).iter() {
            if unit.origin(query.db) == Origin::Workspace {
                let symbols = query.symbols(unit);
                let rows = symbols
                    .named(name)
                    .filter_map(|row| symbols.rows.get(row as usize));
                found.extend(rows.map(|row| row.symbol));
            }
        }
        found.into()
    })
}
