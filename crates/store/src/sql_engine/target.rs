//! Targets: from the text of a request to symbols, by the rules of the live engine. The forms are tried in this
//! order; the first that fits counts:
//!
//! ```text
//! src/a.go:12:5            position                             position.rs
//! net/http.Server.Close    full id
//! net/http, src/net, a.go  package by import path, folder, file  package.rs
//! *.Close, %Handler%       pattern
//! Server.Close             end of an id                         ending.rs
//! a.go:Close, server.close declaration of a file, letter case   inexact.rs
//! ```

use std::rc::Rc;

use codeweft_db::{Lang, NodeKind};
use codeweft_graph::answer::{ApiError, ErrorType, FileScope, TargetKinds, TargetRules};
use codeweft_graph::languages;
use codeweft_graph::shaping::{
    MAX_CANDIDATES, MAX_PATTERN_MATCHES, Pattern, Wild, normalised, numbers_match, refused_kind,
    too_many, without_numbers,
};
use rustc_hash::FxHashSet;

use super::failure::Found;
use super::rows::{FileId, Rows, Symbol};
use super::{ending, names, package, position};
use crate::sqlite::codes::ABSENT;

/// A resolved target.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// The symbols, by (language, id).
    pub(super) symbols: Vec<Rc<Symbol>>,
    /// The resolved id; for a set the text as given.
    pub(super) printed: String,
    /// Why the text was taken for the symbols.
    pub(super) note: Option<String>,
    /// The file, if the target is one.
    pub(super) file: Option<FileId>,
    /// The name at the position, if the target is one.
    pub(super) at: Option<position::NameAt>,
}

impl Target {
    pub(super) fn of(symbols: Vec<Rc<Symbol>>, printed: String) -> Target {
        Target {
            symbols,
            printed,
            note: None,
            file: None,
            at: None,
        }
    }
}

/// What a text is looked up by.
#[derive(Clone, Copy)]
pub(super) struct Question<'a, 'c> {
    pub(super) rows: &'a Rows<'c>,
    pub(super) rules: &'a TargetRules,
    pub(super) langs: &'a [Lang],
    /// The text as given.
    pub(super) text: &'a str,
}

/// Resolves a target and checks that the operation takes it.
pub(super) fn resolve(rows: &Rows<'_>, rules: &TargetRules, text: &str) -> Found<Target> {
    let text = text.trim();
    let (langs, plain) = split_language_prefix(text);
    let question = Question {
        rows,
        rules,
        langs: &langs,
        text,
    };
    let target = find(question, plain)?;
    let target = accepted(rules, target)?;
    with_note(question, target)
}

/// Resolves the second target of a request: a text that is not exact is an error.
pub(super) fn resolve_exactly(rows: &Rows<'_>, rules: &TargetRules, text: &str) -> Found<Target> {
    let target = resolve(rows, rules, text)?;
    match target.note {
        None => Ok(target),
        Some(_) => Err(ApiError::new(
            ErrorType::TargetNotFound,
            format!("no symbol, package or file fits {text}"),
            format!("nearest: {}", target.printed),
        )
        .with_candidates(vec![target.printed])
        .into()),
    }
}

fn find(question: Question<'_, '_>, plain: &str) -> Found<Target> {
    let Question { rows, text, .. } = question;
    if let Some(found) = position::target_at(rows, plain)? {
        return Ok(found);
    }
    let plain = normalised(plain);
    let full = names::by_id(rows, question.langs, &plain)?;
    match &full[..] {
        [] => {}
        [symbol] => return target_of_id(rows, symbol, &plain),
        _ => return Err(ambiguous(rows, text, &rows.in_order(full)?)?.into()),
    }
    if let Some(found) = package::target(question, &plain)? {
        return Ok(found);
    }
    match Pattern::parse("target", &plain)? {
        Pattern::Wild(wild) => matching(question, wild),
        Pattern::Plain(_) => ending::resolve(question, &plain),
    }
}

/// Splits off a language prefix (`go:`, `py:`); returns the possible languages and the rest.
fn split_language_prefix(text: &str) -> (Vec<Lang>, &str) {
    let langs = languages::ALL.iter().map(|language| language.lang());
    for lang in langs.clone() {
        if let Some(rest) = text.strip_prefix(lang.id_prefix) {
            return (vec![lang], rest);
        }
    }
    (langs.collect(), text)
}

/// Returns all symbols whose whole id matches a pattern: libraries only if nothing of the workspace matches, and
/// only what the operation takes if there is any.
fn matching(question: Question<'_, '_>, wild: Wild) -> Found<Target> {
    let rows = question.rows;
    let pattern = Pattern::Wild(wild);
    let mut found: [Vec<Rc<Symbol>>; 2] = Default::default();
    for sid in names::matching(rows, &pattern)? {
        // Packages of one file are declared in it; others are no rows of their units.
        if let Some(symbol) = rows.symbol(sid)?
            && names::is_of(rows, question.langs, &symbol)?
            && (symbol.kind != NodeKind::Package || is_row(rows, &symbol)?)
            && !names::is_inside_function(rows, &symbol)?
            && let Some(group) = found.get_mut(usize::from(symbol.is_external()))
        {
            group.push(symbol);
        }
    }
    for group in found {
        if group.len() > MAX_PATTERN_MATCHES {
            return Err(too_many(question.text, "give a longer pattern").into());
        }
        if !group.is_empty() {
            let takes = |symbol: &&Rc<Symbol>| question.rules.targets.take(&***symbol);
            let taken: Vec<Rc<Symbol>> = group.iter().filter(takes).cloned().collect();
            let group = if taken.is_empty() { group } else { taken };
            return set_target(rows, group, question.text);
        }
    }
    Err(super::nearest::not_found(question, question.text)?.into())
}

/// Returns whether a package is a declaration of its unit: it is a file of its own.
fn is_row(rows: &Rows<'_>, package: &Symbol) -> Found<bool> {
    let lang = rows.lang(package)?;
    Ok(lang.is_some_and(|lang| lang.packages_are_files))
}

/// Returns the target of a symbol found by an id or the end of one: all its redefinitions, or those with the
/// written numbers.
pub(super) fn target_of_id(rows: &Rows<'_>, symbol: &Rc<Symbol>, written: &str) -> Found<Target> {
    let symbols = definitions_of_id(rows, symbol, written)?;
    let first = symbols.first().unwrap_or(symbol);
    let first = names::distinct_id(rows, first)?;
    let all = symbols.len() > 1 && !written.contains('#');
    let printed = if all { without_numbers(&first) } else { first };
    Ok(Target::of(rows.in_order(symbols)?, printed))
}

/// Returns the redefinitions of a symbol that an id, or the end of one, means.
pub(super) fn definitions_of_id(
    rows: &Rows<'_>,
    symbol: &Rc<Symbol>,
    written: &str,
) -> Found<Vec<Rc<Symbol>>> {
    let mut others = names::redefinitions(rows, symbol)?;
    if others.len() > 1 && written.contains('#') {
        others.retain(|other| numbers_match(&other.id, written));
    }
    Ok(others)
}

/// Returns the target of several symbols; of one as if it were named.
pub(super) fn set_target(rows: &Rows<'_>, symbols: Vec<Rc<Symbol>>, text: &str) -> Found<Target> {
    let symbols = rows.in_order(symbols)?;
    let printed = match &symbols[..] {
        [symbol] => names::distinct_id(rows, symbol)?,
        _ => text.to_owned(),
    };
    Ok(Target::of(symbols, printed))
}

/// Returns the error for a text that fits several symbols, in this order.
pub(super) fn ambiguous(rows: &Rows<'_>, text: &str, symbols: &[Rc<Symbol>]) -> Found<ApiError> {
    let mut candidates = Vec::new();
    for symbol in symbols.iter().take(MAX_CANDIDATES) {
        candidates.push(names::distinct_id(rows, symbol)?);
    }
    let instead = match symbols.len() {
        0..=MAX_CANDIDATES => "ask with one of the candidates",
        _ => "ask with one of the candidates; search lists all",
    };
    let words = format!("{text} fits {} symbols", symbols.len());
    Ok(ApiError::new(ErrorType::AmbiguousTarget, words, instead).with_candidates(candidates))
}

/// Returns the target if the operation takes it, and an error that names a suitable operation otherwise.
fn accepted(rules: &TargetRules, mut target: Target) -> Found<Target> {
    let takes = |symbol: &Rc<Symbol>| rules.targets.take(&**symbol);
    match target.symbols.iter().find(|symbol| !takes(symbol)) {
        Some(refused) if !target.symbols.iter().any(takes) => {
            Err(refused_kind(rules, &refused.id, refused.kind).into())
        }
        Some(_) => {
            target.symbols.retain(takes);
            Ok(target)
        }
        None => Ok(target),
    }
}

/// Adds to a target of packages what they are taken for, if the operation takes them for less than their names
/// suggest.
fn with_note(question: Question<'_, '_>, mut target: Target) -> Found<Target> {
    let is_loaded = |symbol: &Rc<Symbol>| symbol.kind == NodeKind::Package && !symbol.has(ABSENT);
    if target.file.is_none()
        && target.symbols.iter().all(is_loaded)
        && let Some(means) = question.rules.package_means
    {
        let note = format!("{} is taken for {means}", question.text);
        target.note = Some(match target.note.take() {
            Some(known) => format!("{known}; {note}"),
            None => note,
        });
    }
    Ok(target)
}

/// Returns whether an operation takes files for their packages alone.
pub(super) fn takes_packages_alone(rules: &TargetRules) -> bool {
    rules.files == FileScope::Package
}

/// Returns the symbols that one of several makes, with a note: the only one that the operation takes, else the only
/// one of these outside tests. `note` is why a single symbol fits.
pub(super) fn one_of(
    question: Question<'_, '_>,
    written: &str,
    mut fits: Vec<Rc<Symbol>>,
    note: Option<&str>,
) -> Found<Target> {
    let (rows, rules, text) = (question.rows, question.rules, question.text);
    let total = fits.len();
    let takes = |symbol: &Rc<Symbol>| rules.targets.take(&**symbol);
    let taken: Vec<Rc<Symbol>> = fits.iter().filter(|one| takes(one)).cloned().collect();
    let is_test = |symbol: &Symbol| symbol.has(crate::sqlite::codes::TEST);
    let own: Vec<Rc<Symbol>> = taken.iter().filter(|one| !is_test(one)).cloned().collect();
    let (symbol, why) = match (&fits[..], &taken[..], &own[..]) {
        ([symbol], _, _) => (symbol.clone(), note.unwrap_or("the only fit").to_owned()),
        (_, [symbol], _) => {
            let operation = rules.name;
            let why = format!("the only one of {total} fits that {operation} takes");
            (symbol.clone(), why)
        }
        (_, _, [symbol]) => {
            let why = format!("the only one of {total} fits outside tests");
            (symbol.clone(), why)
        }
        _ => {
            // Ids are in order already.
            fits.sort_by_key(|one| (one.is_external(), !takes(one), is_test(one)));
            return Err(ambiguous(rows, text, &fits)?.into());
        }
    };
    let target = target_of_id(rows, &symbol, written)?;
    Ok(Target {
        note: Some(format!("{text} is taken for {}: {why}", target.printed)),
        ..target
    })
}

/// Returns symbols by id, the redefinitions of a name as one.
pub(super) fn distinct(
    rows: &Rows<'_>,
    symbols: Vec<Rc<Symbol>>,
    written: &str,
) -> Found<Vec<Rc<Symbol>>> {
    let mut first = Vec::new();
    let mut covered = FxHashSet::default();
    for symbol in rows.in_order(symbols)? {
        if covered.insert(symbol.sid) {
            let others = definitions_of_id(rows, &symbol, written)?;
            covered.extend(others.iter().map(|other| other.sid));
            first.push(symbol);
        }
    }
    Ok(first)
}

/// Returns whether a target kind is that of packages alone.
pub(super) fn only_packages(rules: &TargetRules) -> bool {
    rules.targets == TargetKinds::Package
}
