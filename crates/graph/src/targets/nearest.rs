//! Suggestions for targets that do not resolve.

use codeweft_db::{Lang, SymbolId};
use rustc_hash::FxHashMap;

use crate::answer::{ApiError, ErrorType};
use crate::query_context::QueryContext;
use crate::symbols;
use crate::symbols::ids::split_number;

/// How many suggestions an error lists.
const MAX_NEAREST: usize = 5;

/// Returns the error for a target that nothing fits, with the nearest names.
pub(super) fn not_found(
    query: &QueryContext<'_>,
    langs: &[Lang],
    text: &str,
    plain: &str,
) -> ApiError {
    let near: Vec<String> = nearest(query, langs, plain)
        .into_iter()
        .map(|symbol| symbols::distinct_id(query, symbol))
        .collect();
    let suggestion = if near.is_empty() {
        "search for part of the name with a pattern: %name%".to_owned()
    } else {
        format!("nearest: {}", near.join(", "))
    };
    ApiError::new(
        ErrorType::TargetNotFound,
        format!("no symbol, package or file fits {text}"),
        suggestion,
    )
    .with_candidates(near)
}

/// Returns the symbols whose names are nearest to the last part of a target by
/// Damerau-Levenshtein distance, at most a third of its letters. Ordered by (distance,
/// workspace first, id).
fn nearest(query: &QueryContext<'_>, langs: &[Lang], plain: &str) -> Vec<SymbolId> {
    let last = plain.rsplit(['.', '/']).next().unwrap_or(plain);
    let (last, _) = split_number(last);
    let letters = last.chars().count();
    let max_distance = letters / 3;
    if max_distance == 0 || letters > 200 {
        return Vec::new();
    }
    let names = &query.db.shared().names;
    let mut distances = FxHashMap::default();
    let mut found = Vec::new();
    for &unit in query.units.all.iter() {
        query.db.unwind_if_cancelled();
        if !langs.contains(&unit.lang(query.db)) {
            continue;
        }
        let external = symbols::is_library(query, unit);
        let symbols = query.symbols(unit);
        for &(name, row) in &symbols.by_name {
            let distance = *distances.entry(name).or_insert_with(|| {
                let other = names.text(name);
                let close = other.chars().count().abs_diff(letters) <= max_distance;
                let distance = close.then(|| strsim::damerau_levenshtein(last, other));
                distance.filter(|&distance| distance <= max_distance)
            });
            if let Some(distance) = distance {
                found.push((distance, external, symbols.rows[row as usize].symbol));
            }
        }
    }
    // Printing ids is the expensive part: only the groups that fill the list are printed.
    let mut groups: Vec<_> = found.iter().map(|(d, e, _)| (*d, *e)).collect();
    groups.sort_unstable();
    let Some(&bound) = groups.get(MAX_NEAREST - 1).or(groups.last()) else {
        return Vec::new();
    };
    found.retain(|(distance, external, _)| (*distance, *external) <= bound);
    found.sort_by_cached_key(|&(distance, external, symbol)| {
        (distance, external, symbols::id(query, symbol))
    });
    let mut near: Vec<SymbolId> = found.into_iter().map(|(_, _, symbol)| symbol).collect();
    near.dedup();
    near.truncate(MAX_NEAREST);
    near
}
