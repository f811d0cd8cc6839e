//! The unresolved calls of all units by name that are open, whatever the symbol.
//!
//! A query about many symbols needs the calls of hundreds of names, and methods of one name need the same
//! ones. So the calls of all its names are collected in one pass over the files that have one of them,
//! and kept for the revision:
//!
//! ```text
//! names of the query   get, run, save
//! merged index         get: units 1, 4   run: unit 4   save: -
//! pass                 files of units 1 and 4 with an unresolved call of one of the three
//! ```

use codeweft_db::{Lang, NameId, Unit};
use rustc_hash::{FxHashMap, FxHashSet};

use super::memo::{MergedIndex, NamedSite, NamedSites, package_in};
use crate::query_context::QueryContext;
use crate::visibility::UnitSet;

/// Collects the unresolved calls of `names` that are not known yet.
fn collect_sites(
    query: &QueryContext<'_>,
    merged_index: &MergedIndex,
    lang: Lang,
    names: &[NameId],
) {
    let known = &query.cache.calls.unresolved;
    let wanted: FxHashSet<NameId> = {
        let known = known.lock();
        let names = names.iter().copied();
        names
            .filter(|&name| {
                merged_index.unresolved.contains_key(&name) && !known.contains_key(&(lang, name))
            })
            .collect()
    };
    if wanted.is_empty() {
        return;
    }
    let mut numbers = UnitSet::with_capacity(query.units.all.len());
    let lists = wanted.iter().map(|name| &merged_index.unresolved[name]);
    for unit in lists.flatten().filter(|unit| unit.lang(query.db) == lang) {
        if let Some(number) = query.units.number(*unit) {
            numbers.insert(number);
        }
    }
    let numbers: Vec<usize> = numbers.ones().collect();
    let all = &query.units.all;
    let found = query.map(&numbers, |languages, db, &number| {
        let unit: Unit = all[number];
        let mut found = Vec::new();
        let Some(language) = languages.of(lang) else {
            return found;
        };
        let index = language.index(db, unit);
        let rows = index.groups.iter().flat_map(|group| &group.unresolved);
        let rows = rows.filter(|(name, _)| wanted.contains(name));
        let mut in_unit: Vec<u32> = rows.map(|&(_, file)| file).collect();
        in_unit.sort_unstable();
        in_unit.dedup();
        let files = language.files(db, unit);
        for of_file in in_unit {
            let Some(&file) = files.get(of_file as usize) else {
                continue;
            };
            let uses = language.uses(db, file);
            let sites = (0..).zip(&uses.unresolved);
            let sites = sites.filter(|(_, site)| {
                wanted.contains(&site.name) && language.is_open_site(db, file, site)
            });
            for (of_site, site) in sites {
                let caller = uses.bodies.get(site.body as usize).copied();
                found.push(NamedSite {
                    at: (number as u32, of_file, of_site),
                    file,
                    caller: caller.unwrap_or_else(|| package_in(language, db, unit, file)),
                    site: *site,
                });
            }
        }
        found
    });
    let mut by_name: FxHashMap<NameId, Vec<NamedSite>> = FxHashMap::default();
    for row in found.into_iter().flatten() {
        by_name.entry(row.site.name).or_default().push(row);
    }
    for name in wanted {
        let sites = by_name.remove(&name).unwrap_or_default();
        known.insert((lang, name), sites.into());
    }
}

/// Returns the open unresolved calls of those of `names` that have unresolved ones, each with its name. Collects those
/// that are not known yet in one pass, on all threads.
pub(crate) fn sites_of<'q>(
    query: &'q QueryContext<'_>,
    merged_index: &MergedIndex,
    lang: Lang,
    names: &'q [NameId],
) -> impl Iterator<Item = (NameId, NamedSites)> + use<'q> {
    collect_sites(query, merged_index, lang, names);
    let known = &query.cache.calls.unresolved;
    let names = names.iter();
    names.filter_map(move |&name| Some((name, known.get(&(lang, name))?)))
}
