//! Resolution of targets: from the text of a request to symbols (docs/graph.md §2).
//!
//! The forms are tried in this order; the first that resolves wins:
//!
//! ```text
//! src/a.go:12:5          position: the symbol at a line and column       position.rs
//! net/http.Server.Close  full id
//! os.Getpid@proc_linux   declaration of an excluded file                 excluded.rs
//! net/http, src/net, a.go  package by import path, folder or file        file.rs
//! *.Close, %Handler%     pattern: all matching ids
//! Server.Close           suffix of an id at `.` or `/`                   suffix.rs
//! pkg.render, a.go:Close  what the name means in its language, a file's
//!                        declaration, another letter case                inexact.rs
//! ```
//!
//! A name with several definitions (Python's conditional `def`s, Go's `init`) resolves to all of
//! them unless the text has a number: `m.f` means all, `m.f#2` the second. If nothing fits, the
//! error lists the nearest names.

pub(crate) mod accepted;
pub(crate) mod choice;
mod excluded;
pub(crate) mod file;
mod inexact;
pub(crate) mod likeness;
pub(crate) mod nearest;
mod package;
pub(crate) mod position;
pub(crate) mod resolved;
pub(crate) mod suffix;

use codeweft_db::{Lang, SymbolId, UnitKind};

use crate::answer::{ApiError, ErrorType, TargetKinds, TargetRules};
use crate::pattern::{Pattern, Wild, plain_path};
use crate::query_context::QueryContext;
use crate::symbols;
use resolved::Target;

pub(crate) use accepted::takes;
pub(crate) use excluded::excluded_target;
pub(crate) use position::named_position;

/// How many symbols a pattern may match.
pub const MAX_PATTERN_MATCHES: usize = 10_000;

/// Resolves a target and checks that the operation takes it.
pub(crate) fn resolve(
    query: &QueryContext<'_>,
    rules: &TargetRules,
    text: &str,
) -> Result<Target, ApiError> {
    if rules.targets == TargetKinds::Text {
        return Ok(Target::text(text.trim()));
    }
    let target = find(query, rules, text.trim())?;
    let target = accepted::accepted(query, rules, text.trim(), target)?;
    Ok(package::with_note(query, rules, text.trim(), target))
}

/// Resolves the second target of a request, whose answer has no note: a text that is not
/// exact is an error with what it would be taken for.
pub(crate) fn resolve_exactly(
    query: &QueryContext<'_>,
    rules: &TargetRules,
    text: &str,
) -> Result<Target, ApiError> {
    let target = resolve(query, rules, text)?;
    match target.note {
        None => Ok(target),
        Some(_) => Err(ApiError::new(
            ErrorType::TargetNotFound,
            format!("no symbol, package or file fits {text}"),
            format!("nearest: {}", target.printed),
        )
        .with_candidates(vec![target.printed])),
    }
}

fn find(query: &QueryContext<'_>, rules: &TargetRules, text: &str) -> Result<Target, ApiError> {
    let (langs, plain) = split_language_prefix(query, text);
    if let Some(found) = position::target_at(query, plain)? {
        return Ok(found);
    }
    let plain = normalised(plain);
    let full: Vec<SymbolId> = langs
        .iter()
        .filter_map(|&lang| symbols::by_id_in(query, lang, &plain))
        .collect();
    match full[..] {
        [] => {}
        [symbol] => return Ok(resolved::target_of_id(query, symbol, &plain)),
        _ => {
            let full = symbols::in_order(query, full);
            return Err(resolved::ambiguous(query, text, &full));
        }
    }
    if let Some(found) = excluded::excluded_by_id(query, &langs, &plain) {
        return Ok(found);
    }
    if let Some(found) = package_target(query, rules, &langs, text, &plain)? {
        return Ok(found);
    }
    match Pattern::parse("target", &plain)? {
        Pattern::Wild(wild) => matching(query, rules, &langs, text, wild),
        Pattern::Plain(_) => suffix::by_suffix(query, rules, &langs, text, &plain),
    }
}

/// Splits off a language prefix (`go:`, `py:`); returns the possible languages and the rest.
pub(crate) fn split_language_prefix<'t>(
    query: &QueryContext<'_>,
    text: &'t str,
) -> (Vec<Lang>, &'t str) {
    let langs = query.languages.0.iter().map(|language| language.lang());
    for lang in langs.clone() {
        if let Some(rest) = text.strip_prefix(lang.id_prefix) {
            return (vec![lang], rest);
        }
    }
    (langs.collect(), text)
}

/// Resolves a package by import path, folder or file.
fn package_target(
    query: &QueryContext<'_>,
    rules: &TargetRules,
    langs: &[Lang],
    text: &str,
    plain: &str,
) -> Result<Option<Target>, ApiError> {
    let dir = plain_path(text);
    let mut by_path = Vec::new();
    let mut by_dir = Vec::new();
    let mut tests_in_dir = Vec::new();
    for &unit in query.units.all.iter() {
        if !langs.contains(&unit.lang(query.db)) {
            continue;
        }
        let import_path = query.db.shared().names.text(unit.import_path(query.db));
        if import_path == plain && unit.kind(query.db) == UnitKind::BASE {
            by_path.extend(symbols::own_package(query, unit));
        }
        if **unit.dir(query.db) == *dir {
            if unit.kind(query.db).is_separate() {
                tests_in_dir.extend(symbols::packages_in(query, unit));
            } else {
                by_dir.extend(symbols::packages_in(query, unit));
            }
        }
    }
    let found = [by_path, by_dir, tests_in_dir];
    if let Some(found) = found.into_iter().find(|found| !found.is_empty()) {
        return Ok(Some(resolved::set_target(query, found, text)));
    }
    let Some(file) = position::find_file(query, text)? else {
        return Ok(None);
    };
    file::file_target(query, rules, file)
}

/// Returns the error for a text that means more than [`MAX_PATTERN_MATCHES`] symbols.
pub fn too_many(text: &str, instead: &str) -> ApiError {
    ApiError::new(
        ErrorType::LimitExceeded,
        format!("target: {text} fits more than {MAX_PATTERN_MATCHES} symbols"),
        instead,
    )
}

/// Returns all symbols whose whole id matches a pattern: libraries only if nothing of the
/// workspace matches, and only what the operation takes if there is any.
fn matching(
    query: &QueryContext<'_>,
    rules: &TargetRules,
    langs: &[Lang],
    text: &str,
    wild: Wild,
) -> Result<Target, ApiError> {
    let names = &query.db.shared().names;
    let pattern = Pattern::Wild(wild.clone());
    for external in [false, true] {
        let mut found = Vec::new();
        for &unit in query.units.all.iter() {
            if !langs.contains(&unit.lang(query.db)) || symbols::is_library(query, unit) != external
            {
                continue;
            }
            if !wild.may_match_in_package(names.text(unit.name(query.db))) {
                continue;
            }
            let symbols = query.symbols(unit);
            let rows = symbols.rows.iter();
            let rows = rows.filter(|row| wild.may_match_name(names.text(row.name)));
            let matching = rows.map(|row| row.symbol);
            found.extend(matching.filter(|&symbol| pattern.matches(&symbols::id(query, symbol))));
            if found.len() > MAX_PATTERN_MATCHES {
                return Err(too_many(text, "give a longer pattern"));
            }
        }
        if !found.is_empty() {
            let taken: Vec<_> = found
                .iter()
                .copied()
                .filter(|&symbol| accepted::takes(query, rules, symbol))
                .collect();
            return Ok(resolved::set_target(
                query,
                if taken.is_empty() { found } else { taken },
                text,
            ));
        }
    }
    Err(nearest::not_found(query, rules, langs, text, text))
}

/// Normalises Go's printed receivers and instances: `(*T).M` and `T[int].M` become `T.M`.
pub fn normalised(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut brackets = 0usize;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '[' => brackets += 1,
            ']' if brackets > 0 => brackets -= 1,
            _ if brackets > 0 => {}
            '(' => {
                letters.next_if_eq(&'*');
            }
            // `(*T)M`, as some texts have it.
            ')' if letters.peek().is_some_and(|next| next.is_alphanumeric()) => plain.push('.'),
            ')' => {}
            letter => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::normalised;

    #[test]
    fn receivers_and_type_arguments_are_dropped() {
        assert_eq!(normalised("p.(*T).M"), "p.T.M");
        assert_eq!(normalised("(T).M"), "T.M");
        assert_eq!(normalised("(*T)M"), "T.M");
        assert_eq!(normalised("p.List[map[string][]int].Add"), "p.List.Add");
        assert_eq!(normalised("p.*.M"), "p.*.M");
    }
}
