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
use codeweft_graph::answer::{ApiError, ErrorType, TargetRules};
use codeweft_graph::languages;
use codeweft_graph::shaping::{
    MAX_PATTERN_MATCHES, Pattern, Wild, normalised, refused_kind, too_many,
};

use super::failure::Found;
use super::resolved::{Question, Target, ambiguous, set_target, target_of_id};
use super::rows::{Rows, SymbolFact};
use super::{ending, names, package, position};
use crate::sqlite::codes::ABSENT;

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
    let mut found: [Vec<Rc<SymbolFact>>; 2] = Default::default();
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
            let takes = |symbol: &&Rc<SymbolFact>| question.rules.targets.take(&***symbol);
            let taken: Vec<Rc<SymbolFact>> = group.iter().filter(takes).cloned().collect();
            let group = if taken.is_empty() { group } else { taken };
            return set_target(rows, group, question.text);
        }
    }
    Err(super::nearest::not_found(question, question.text)?.into())
}

/// Returns whether a package is a declaration of its unit: it is a file of its own.
fn is_row(rows: &Rows<'_>, package: &SymbolFact) -> Found<bool> {
    let lang = rows.lang(package)?;
    Ok(lang.is_some_and(|lang| lang.packages_are_files))
}

/// Returns the target if the operation takes it, and an error that names a suitable operation otherwise.
fn accepted(rules: &TargetRules, mut target: Target) -> Found<Target> {
    let takes = |symbol: &Rc<SymbolFact>| rules.targets.take(&**symbol);
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
    let is_loaded =
        |symbol: &Rc<SymbolFact>| symbol.kind == NodeKind::Package && !symbol.has(ABSENT);
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
