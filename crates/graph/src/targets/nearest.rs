//! Suggestions for targets that do not resolve.

use codeweft_db::{DeclaredIn, Lang, NodeKind, SymbolId};
use rustc_hash::FxHashMap;

use super::accepted;
use super::likeness::unlikeness;
use crate::answer::{ApiError, ErrorType, TargetRules};
use crate::query_context::QueryContext;
use crate::symbols;
use crate::symbols::ids::split_number;
use crate::symbols::memo::NamedPackage;

/// How many suggestions an error lists.
const MAX_NEAREST: usize = 5;

/// Returns the error for a target that nothing fits, with the nearest names.
pub(super) fn not_found(
    query: &QueryContext<'_>,
    rules: &TargetRules,
    langs: &[Lang],
    text: &str,
    plain: &str,
) -> ApiError {
    let near: Vec<String> = nearest(query, rules, langs, plain)
        .into_iter()
        .map(|symbol| symbols::distinct_id(query, symbol))
        .collect();
    let suggestion = if near.is_empty() {
        "search finds declarations by a part of the name".to_owned()
    } else {
        format!("nearest: {}; search finds others", near.join(", "))
    };
    ApiError::new(
        ErrorType::TargetNotFound,
        format!("no symbol, package or file fits {text}"),
        suggestion,
    )
    .with_candidates(near)
}

/// Returns the symbols whose names are nearest to the last part of a target by
/// Damerau-Levenshtein distance without letter case, at most a third of its letters; of libraries
/// only if the workspace has none. Ordered by (distance, container, what the operation takes, code
/// before tests, distance with letter case, id).
fn nearest(
    query: &QueryContext<'_>,
    rules: &TargetRules,
    langs: &[Lang],
    plain: &str,
) -> Vec<SymbolId> {
    let mut parts = plain.rsplit(['.', '/', ':']);
    let (last, _) = split_number(parts.next().unwrap_or(plain));
    let container = parts.next().filter(|container| !container.is_empty());
    let lower = last.to_lowercase();
    let letters = lower.chars().count();
    let max_distance = letters / 3;
    if letters == 0 || letters > 200 {
        return Vec::new();
    }
    let names = &query.db.shared().names;
    let mut distances = FxHashMap::default();
    let distance_to = |other: &str| {
        let close = other.chars().count().abs_diff(letters) <= max_distance;
        let distance = close.then(|| strsim::damerau_levenshtein(&lower, &other.to_lowercase()));
        distance.filter(|&distance| distance <= max_distance)
    };
    let mut found: [Vec<(usize, Named<'_>)>; 2] = Default::default();
    for &unit in query.units.all.iter() {
        query.db.unwind_if_cancelled();
        if !langs.contains(&unit.lang(query.db)) {
            continue;
        }
        let external = symbols::is_library(query, unit);
        let symbols = query.symbols(unit);
        for &(name, row) in &symbols.by_name {
            let row = &symbols.rows[row as usize];
            // Packages have a list of their own.
            if row.kind == NodeKind::Package {
                continue;
            }
            let distance = distances.entry(name);
            if let Some(distance) = *distance.or_insert_with(|| distance_to(names.text(name))) {
                let named = Named::declaration(query, row.symbol);
                found[usize::from(external)].push((distance, named));
            }
        }
    }
    for package in symbols::packages(query) {
        if langs.contains(&package.lang) {
            let named = Named::package(package);
            let distance = distance_to(named.name);
            let group = &mut found[usize::from(package.external)];
            group.extend(distance.map(|distance| (distance, named)));
        }
    }
    let mut found = found.into_iter();
    let found = found.find(|group| !group.is_empty()).unwrap_or_default();
    let mut found: Vec<_> = found
        .into_iter()
        .map(|(distance, named)| {
            let unlike = container.map_or(0, |container| unlikeness(container, named.container));
            let rank = (
                distance,
                unlike,
                !accepted::takes(query, rules, named.symbol),
                symbols::in_test(query, named.symbol),
                strsim::damerau_levenshtein(last, named.name),
            );
            (rank, named.symbol)
        })
        .collect();
    // Printing ids is the expensive part: only the groups that fill the list are printed.
    let mut ranks: Vec<_> = found.iter().map(|&(rank, _)| rank).collect();
    ranks.sort_unstable();
    let Some(&bound) = ranks.get(MAX_NEAREST - 1).or(ranks.last()) else {
        return Vec::new();
    };
    found.retain(|&(rank, _)| rank <= bound);
    found.sort_by_cached_key(|&(rank, symbol)| (rank, symbols::id(query, symbol)));
    let mut near: Vec<SymbolId> = found.into_iter().map(|(_, symbol)| symbol).collect();
    near.dedup();
    near.truncate(MAX_NEAREST);
    near
}

/// A symbol with the last part of its name and of its container's.
struct Named<'q> {
    symbol: SymbolId,
    name: &'q str,
    /// Empty if there is none.
    container: &'q str,
}

impl<'q> Named<'q> {
    fn declaration(query: &QueryContext<'q>, symbol: SymbolId) -> Named<'q> {
        let names = &query.db.shared().names;
        let key = query.key(symbol);
        let container = match (key.parent, key.declared_in) {
            (Some(parent), _) => names.text(query.key(parent).name),
            (None, DeclaredIn::Unit(unit)) => names.text(unit.name(query.db)),
            (None, _) => "",
        };
        Named {
            symbol,
            name: names.text(key.name),
            container: container.rsplit(['.', '/']).next().unwrap_or(container),
        }
    }

    fn package(package: &'q NamedPackage) -> Named<'q> {
        let mut parts = package.id.rsplit(['.', '/']);
        Named {
            symbol: package.symbol,
            name: parts.next().unwrap_or(&package.id),
            container: parts.next().unwrap_or(""),
        }
    }
}
