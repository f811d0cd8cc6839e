//! Unresolved sites by name: calls on a receiver of unknown type, and in dynamically typed languages
//! calls on a receiver whose declared type differs.
//!
//! ```python
//! def log(h: Handler, x):
//!     x.emit()                # any emit may run
//! log(duck, y)                # duck.emit may run, though h is declared a Handler
//! ```
//!
//! A traversal needs those of all its nodes at once. A site is then added for the first symbol that it
//! fits, and looked at for no other:
//!
//! ```text
//! names of the symbols   run: a.Job.run, b.Task.run     emit: c.Handler.emit
//! sites of `run`         x.run(1)    fits a.Job.run     added
//!                        y.run()     fits neither
//! ```

use std::iter;
use std::sync::{Arc, OnceLock};

use codeweft_db::{Db, File, Language, NameId, OpenSitesOf, SymbolId, Unit, UnresolvedSite};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::unresolved_sites::UnresolvedSites;
use crate::call_graph;
use crate::call_graph::memo::{MergedIndex, NamedSite, NamedSites};
use crate::call_graph::named_files;
use crate::call_graph::sites_by_name::sites_of;
use crate::link::SiteKey;
use crate::mentions;
use crate::query_context::QueryContext;
use crate::search_names::search_names;
use crate::type_graph;
use crate::visibility;
use crate::visibility::UnitSet;

/// Adds the unresolved calls by name that could call one of `symbols`, and the calls on a receiver of
/// another declared type.
pub(super) fn add_calls_by_name(
    query: &QueryContext<'_>,
    unresolved: &mut UnresolvedSites,
    symbols: &[SymbolId],
) {
    let mut by_language: FxHashMap<_, (&dyn Language, Vec<SymbolId>)> = FxHashMap::default();
    for &symbol in symbols {
        if let Some(language) = query.language(symbol) {
            let entry = by_language.entry(language.lang());
            entry.or_insert((language, Vec::new())).1.push(symbol);
        }
    }
    for (language, symbols) in by_language.into_values() {
        if let Some(merged_index) = query.cache.calls.merged_index.get() {
            add_of_many(query, unresolved, (language, merged_index), &symbols);
            continue;
        }
        for symbol in symbols {
            for (_, file, site) in unresolved_calls_by_name(query, symbol, true) {
                unresolved.add_listable(file, SiteKey::of(&site), site.reason);
            }
            let listed = listed_calls(query, symbol);
            for (file, site) in uses_by_declared_receiver(query, language, symbol, &listed) {
                unresolved.add_site(file, &site);
            }
        }
    }
}

/// Returns the sites of the calls of a symbol that an answer lists.
fn listed_calls(query: &QueryContext<'_>, symbol: SymbolId) -> FxHashSet<(File, SiteKey)> {
    let calls = call_graph::calls_of(query, symbol);
    let indirect = call_graph::indirect_calls(query, symbol);
    let links = calls.iter().chain(indirect.iter());
    links.map(|(_, link)| (link.file, link.key)).collect()
}

/// A symbol that sites may fit.
struct Candidate {
    symbol: SymbolId,
    /// The methods of interfaces and bases that it may run for.
    sources: Arc<[SymbolId]>,
    /// The units that can name it.
    visible: Arc<UnitSet>,
    /// The units that can name it or one of its sources.
    visible_to_any: UnitSet,
    /// The sites that an answer lists as its calls, once a site that an answer may list fits.
    listed: OnceLock<FxHashSet<(File, SiteKey)>>,
}

/// Why the sites of a name may fit a candidate.
#[derive(Clone, Copy)]
struct Claim {
    /// The number of the candidate.
    candidate: usize,
    /// Whether the name is the candidate's own, and not only a source's.
    is_own: bool,
    /// Whether sites count in files that cannot name it.
    by_object: bool,
}

impl Candidate {
    /// Returns whether sites of a shape, wherever they are, could call the symbol.
    fn fits(&self, language: &dyn Language, db: &dyn Db, shape: &UnresolvedSite) -> bool {
        let mut all = iter::once(self.symbol).chain(self.sources.iter().copied());
        all.any(|one| language.could_call(db, shape, one))
    }

    /// Returns whether a site that fits is one more: in a file that can name the symbol, and not listed as
    /// its call.
    fn lacks(&self, query: &QueryContext<'_>, row: &NamedSite, by_object: bool) -> bool {
        let unit = row.at.0 as usize;
        if !row.site.is_possible_other_use() {
            return by_object || self.visible_to_any.contains(unit);
        }
        let listed = || listed_calls(query, self.symbol);
        let site = (row.file, SiteKey::of(&row.site));
        (by_object || self.visible.contains(unit))
            && !self.listed.get_or_init(listed).contains(&site)
    }
}

/// The claims that sites of one shape fit, as far as they were looked for: sites of a common name have few
/// shapes.
#[derive(Default)]
struct Fitting {
    claims: Vec<Claim>,
    /// The number of claims that were tested.
    tested: usize,
}

impl Fitting {
    /// Returns whether one of `all` claims fits and passes a test.
    fn any(
        &mut self,
        all: &[Claim],
        fits: impl Fn(Claim) -> bool,
        mut passes: impl FnMut(Claim) -> bool,
    ) -> bool {
        if self.claims.iter().any(|&claim| passes(claim)) {
            return true;
        }
        while let Some(&claim) = all.get(self.tested) {
            self.tested += 1;
            if fits(claim) {
                self.claims.push(claim);
                if passes(claim) {
                    return true;
                }
            }
        }
        false
    }
}

/// As [`add_calls_by_name`], of symbols of one language, from the sites of all units by name.
fn add_of_many(
    query: &QueryContext<'_>,
    unresolved: &mut UnresolvedSites,
    (language, merged_index): (&dyn Language, &MergedIndex),
    symbols: &[SymbolId],
) {
    let mut candidates = Vec::with_capacity(symbols.len());
    let mut claims: FxHashMap<NameId, Vec<Claim>> = FxHashMap::default();
    for (candidate, &symbol) in symbols.iter().enumerate() {
        let sources = type_graph::dispatched_from(query, symbol);
        let visible = visibility::visible_set(query, symbol);
        let mut visible_to_any = UnitSet::clone(&visible);
        for one in iter::once(symbol).chain(sources.iter().copied()) {
            visible_to_any.union_with(&visibility::visible_set(query, one));
            let (names, by_object) = unresolved_names(query, language, one);
            let by_object = by_object.iter().map(|&name| (name, true));
            for (name, by_object) in names.iter().map(|&name| (name, false)).chain(by_object) {
                claims.entry(name).or_default().push(Claim {
                    candidate,
                    is_own: one == symbol,
                    by_object,
                });
            }
        }
        candidates.push(Candidate {
            symbol,
            visible,
            visible_to_any,
            listed: OnceLock::new(),
            sources,
        });
    }
    let names: Vec<NameId> = claims.keys().copied().collect();
    let lists: Vec<(NameId, NamedSites)> =
        sites_of(query, merged_index, language.lang(), &names).collect();
    let (candidates, claims) = (&candidates, &claims);
    let lang = language.lang();
    let found = query.map_in_contexts(&lists, |query, (name, sites)| {
        let claims = &claims[name];
        let Some(language) = query.languages.of(lang) else {
            return Vec::new();
        };
        let db = query.db;
        let mut fitting: FxHashMap<UnresolvedSite, Fitting> = FxHashMap::default();
        let mut open_sites: FxHashMap<usize, OpenSitesOf<'_>> = FxHashMap::default();
        let sites = sites.iter().filter(|row| {
            let (body, occ) = (0, 0);
            let shape = UnresolvedSite {
                body,
                occ,
                ..row.site
            };
            let fits = |claim: Claim| {
                let candidate = &candidates[claim.candidate];
                if shape.is_possible_other_use() {
                    let symbol = candidate.symbol;
                    claim.is_own && language.could_use_declared_receiver(db, &shape, symbol)
                } else {
                    candidate.fits(language, db, &shape)
                }
            };
            fitting
                .entry(shape)
                .or_default()
                .any(claims, fits, |claim| {
                    let candidate = &candidates[claim.candidate];
                    let of = || language.open_sites_of(db, candidate.symbol);
                    candidate.lacks(query, row, claim.by_object)
                        && open_sites.entry(claim.candidate).or_insert_with(of)(row.file, &row.site)
                })
        });
        sites.copied().collect()
    });
    for row in found.into_iter().flatten() {
        if row.site.is_possible_other_use() {
            unresolved.add_site(row.file, &row.site);
        } else {
            unresolved.add_listable(row.file, SiteKey::of(&row.site), row.site.reason);
        }
    }
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
    let counts = language.open_sites_of(query.db, symbol);
    found.retain(|(_, file, site)| counts(*file, site));
    found
}

/// Returns the open sites that `fits` accepts, each with its caller: those with a name of one of `symbols`
/// in the units that can name it, and those that reach it by an object in all units.
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
        let sites: Vec<NamedSites> = sites.map(|(_, sites)| sites).collect();
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
    found.retain(|(_, file, site)| language.is_open_site(query.db, *file, site));
    found
}

/// Returns uses of a symbol's names on a receiver declared to be of another class, without
/// those in `listed`.
pub(super) fn uses_by_declared_receiver(
    query: &QueryContext<'_>,
    language: &dyn Language,
    symbol: SymbolId,
    listed: &FxHashSet<(File, SiteKey)>,
) -> Vec<(File, UnresolvedSite)> {
    if !language.is_dynamically_typed() {
        return Vec::new();
    }
    let sites = unresolved_sites_of(query, language, &[symbol], |language, db, site| {
        language.could_use_declared_receiver(db, site, symbol)
    });
    let sites = sites.into_iter().map(|(_, file, site)| (file, site));
    let is_listed =
        |(file, site): &(File, UnresolvedSite)| listed.contains(&(*file, SiteKey::of(site)));
    let counts = language.open_sites_of(query.db, symbol);
    let counts = |(file, site): &(File, UnresolvedSite)| counts(*file, site);
    sites.filter(|row| !is_listed(row) && counts(row)).collect()
}

/// Returns the names of unresolved sites that could call a symbol, and those of them that count in files
/// that cannot name it too.
fn unresolved_names(
    query: &QueryContext<'_>,
    language: &dyn Language,
    symbol: SymbolId,
) -> (Arc<[NameId]>, SmallVec<[NameId; 4]>) {
    let by_object = language.unresolved_names_by_object(query.db, symbol);
    (search_names(query, symbol), by_object)
}
