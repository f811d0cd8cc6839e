//! Suggestions for targets that nothing fits.

use codeweft_graph::answer::{ApiError, ErrorType};
use codeweft_graph::shaping::{split_number, unlikeness};

use super::failure::Found;
use super::names;
use super::target::Question;
use crate::sqlite::codes;

/// How many suggestions an error lists.
const MAX_NEAREST: usize = 5;

/// Names with more letters have no suggestions.
const MAX_LETTERS: usize = 200;

/// Returns the error for a target that nothing fits, with the nearest names: by Damerau-Levenshtein distance of
/// the last part without letter case, at most a third of its letters.
pub(super) fn not_found(question: Question<'_, '_>, plain: &str) -> Found<ApiError> {
    let near = nearest(question, plain)?;
    let suggestion = if near.is_empty() {
        "search finds declarations by a part of the name".to_owned()
    } else {
        format!("nearest: {}; search finds others", near.join(", "))
    };
    let words = format!("no symbol, package or file fits {}", question.text);
    Ok(ApiError::new(ErrorType::TargetNotFound, words, suggestion).with_candidates(near))
}

fn nearest(question: Question<'_, '_>, plain: &str) -> Found<Vec<String>> {
    let rows = question.rows;
    let mut parts = plain.rsplit(['.', '/', ':']);
    let (last, _) = split_number(parts.next().unwrap_or(plain));
    let container = parts.next().filter(|container| !container.is_empty());
    let lower = last.to_lowercase();
    let letters = lower.chars().count();
    let max_distance = letters / 3;
    if letters == 0 || letters > MAX_LETTERS {
        return Ok(Vec::new());
    }
    let mut close = Vec::new();
    names::each_id(rows, "", &mut |sid, id| {
        let name = id.rsplit(['.', '/']).next().unwrap_or(id);
        let (name, _) = split_number(name);
        if name.chars().count().abs_diff(letters) <= max_distance {
            let distance = strsim::damerau_levenshtein(&lower, &name.to_lowercase());
            if distance <= max_distance {
                close.push((distance, sid));
            }
        }
    })?;
    let mut ranked = Vec::new();
    for (distance, sid) in close {
        let Some(symbol) = rows.symbol(sid)? else {
            continue;
        };
        if !names::is_of(rows, question.langs, &symbol)?
            || names::is_inside_function(rows, &symbol)?
        {
            continue;
        }
        let mut parts = symbol.id.rsplit(['.', '/']).skip(1);
        let around = parts.next().unwrap_or("");
        let rank = (
            symbol.is_external(),
            distance,
            container.map_or(0, |container| unlikeness(container, around)),
            !question.rules.targets.take(&*symbol),
            symbol.has(codes::TEST),
            strsim::damerau_levenshtein(last, symbol.name()),
        );
        ranked.push((rank, symbol));
    }
    ranked.sort_by(|(a, one), (b, other)| (a, &one.id).cmp(&(b, &other.id)));
    // Of libraries only if the workspace has none.
    let external = ranked.first().is_some_and(|((external, ..), _)| *external);
    let near = ranked.iter().filter(|((of, ..), _)| *of == external);
    let mut ids = Vec::new();
    for (_, symbol) in near.take(MAX_NEAREST) {
        ids.push(names::distinct_id(rows, symbol)?);
    }
    Ok(ids)
}
