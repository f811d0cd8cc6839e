//! The names nearest to a target that nothing fits.

use codeweft_db::{Lang, SymbolId};
use rustc_hash::FxHashMap;

use crate::answer::{ApiError, ErrorType};
use crate::ids::twin_mark;
use crate::query_context::QueryContext;

/// How many near names an error lists.
const MOST_NEAR: usize = 5;

impl QueryContext<'_> {
    /// The error of a target that nothing fits, with the nearest names.
    pub(super) fn not_found(&self, langs: &[Lang], text: &str, plain: &str) -> ApiError {
        let near: Vec<String> = self
            .nearest(langs, plain)
            .into_iter()
            .map(|symbol| self.distinct_id(symbol))
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

    /// Symbols whose name is nearest to the last part of a target: at most a third of its letters
    /// differ. In order of (distance, workspace first, id).
    fn nearest(&self, langs: &[Lang], plain: &str) -> Vec<SymbolId> {
        let last = plain.rsplit(['.', '/']).next().unwrap_or(plain);
        let (last, _) = twin_mark(last);
        let letters = last.chars().count();
        let most = letters / 3;
        if most == 0 || letters > 200 {
            return Vec::new();
        }
        let names = &self.db.shared().names;
        let mut distances = FxHashMap::default();
        let mut found = Vec::new();
        for &unit in self.units.all.iter() {
            self.db.unwind_if_cancelled();
            if !langs.contains(&unit.lang(self.db)) {
                continue;
            }
            let external = self.is_library(unit);
            let symbols = self.symbols(unit);
            for &(name, row) in &symbols.by_name {
                let distance = *distances.entry(name).or_insert_with(|| {
                    let other = names.text(name);
                    let close = other.chars().count().abs_diff(letters) <= most;
                    let distance = close.then(|| strsim::damerau_levenshtein(last, other));
                    distance.filter(|&distance| distance <= most)
                });
                if let Some(distance) = distance {
                    found.push((distance, external, symbols.rows[row as usize].symbol));
                }
            }
        }
        // Ids are printed only of the nearest groups that fill the list.
        let mut groups: Vec<_> = found.iter().map(|(d, e, _)| (*d, *e)).collect();
        groups.sort_unstable();
        let Some(&bound) = groups.get(MOST_NEAR - 1).or(groups.last()) else {
            return Vec::new();
        };
        found.retain(|(distance, external, _)| (*distance, *external) <= bound);
        found.sort_by_cached_key(|&(distance, external, symbol)| {
            (distance, external, self.id(symbol))
        });
        let mut near: Vec<SymbolId> = found.into_iter().map(|(_, _, symbol)| symbol).collect();
        near.dedup();
        near.truncate(MOST_NEAR);
        near
    }
}
