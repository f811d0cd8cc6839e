//! Ends of ids as targets: only the first group of candidates that is not empty counts. Of the workspace before
//! libraries; packages, types, functions and methods before fields, constants and variables.

use std::rc::Rc;

use codeweft_db::NodeKind;
use codeweft_graph::shaping::{ends_in, split_number, without_first};

use super::failure::Found;
use super::rows::{Rows, Symbol};
use super::target::{self, Question, Target};
use super::{inexact, names};

/// Resolves the end of an id.
pub(super) fn resolve(question: Question<'_, '_>, plain: &str) -> Found<Target> {
    let rows = question.rows;
    let mut found = ending_in(question, plain)?;
    if target::only_packages(question.rules) {
        found.retain(|one| one.kind == NodeKind::Package);
    }
    let first = target::distinct(rows, major(found), plain)?;
    match &first[..] {
        [] => inexact::resolve(question, plain),
        [symbol] => target::target_of_id(rows, symbol, plain),
        _ => target::one_of(question, plain, first, None),
    }
}

/// Returns the symbols whose ids end in a text.
pub(super) fn ending_in(question: Question<'_, '_>, plain: &str) -> Found<Vec<Rc<Symbol>>> {
    let rows: &Rows<'_> = question.rows;
    let plain = &without_first(plain);
    let last = plain.rsplit(['.', '/']).next().unwrap_or(plain);
    // The name of a package may have dots.
    let of_package = plain.rsplit('/').next().unwrap_or(plain);
    let mut found = names::named(rows, split_number(last).0)?;
    if of_package != last {
        let mut packages = names::named(rows, of_package)?;
        packages.retain(|one| one.kind == NodeKind::Package);
        found.append(&mut packages);
    }
    let mut fits = Vec::new();
    for symbol in found {
        if ends_in(&symbol.id, plain) && names::is_of(rows, question.langs, &symbol)? {
            let is_inside =
                symbol.kind != NodeKind::Package && names::is_inside_function(rows, &symbol)?;
            if !is_inside {
                fits.push(symbol);
            }
        }
    }
    Ok(fits)
}

/// Returns the first group that is not empty.
pub(super) fn major(found: Vec<Rc<Symbol>>) -> Vec<Rc<Symbol>> {
    let mut groups: [Vec<Rc<Symbol>>; 4] = Default::default();
    for symbol in found {
        let minor = matches!(
            symbol.kind,
            NodeKind::Field | NodeKind::Constant | NodeKind::Variable
        );
        let group = usize::from(symbol.is_external()) * 2 + usize::from(minor);
        if let Some(group) = groups.get_mut(group) {
            group.push(symbol);
        }
    }
    let mut groups = groups.into_iter();
    groups.find(|group| !group.is_empty()).unwrap_or_default()
}
