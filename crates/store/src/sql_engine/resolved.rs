//! Resolved targets, and the choice among symbols that a text fits.

use std::rc::Rc;

use codeweft_db::Lang;
use codeweft_graph::answer::{ApiError, ErrorType, FileScope, TargetKinds, TargetRules};
use codeweft_graph::shaping::{MAX_CANDIDATES, numbers_match, without_numbers};
use rustc_hash::FxHashSet;

use super::failure::Found;
use super::names;
use super::rows::{FileId, Rows, SymbolFact};

/// A name in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameAt {
    pub(super) file: FileId,
    /// 1-based.
    pub(super) line: u32,
    /// Where the name begins, 1-based, in bytes.
    pub(super) column: u32,
}

/// A resolved target.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// The symbols, by (language, id).
    pub(super) symbols: Vec<Rc<SymbolFact>>,
    /// The resolved id; for a set the text as given.
    pub(super) printed: String,
    /// Why the text was taken for the symbols.
    pub(super) note: Option<String>,
    /// The file, if the target is one.
    pub(super) file: Option<FileId>,
    /// The name at the position, if the target is one.
    pub(super) at: Option<NameAt>,
}

impl Target {
    pub(super) fn of(symbols: Vec<Rc<SymbolFact>>, printed: String) -> Target {
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

/// Returns the target of a symbol found by an id or the end of one: all its redefinitions, or those with the
/// written numbers.
pub(super) fn target_of_id(
    rows: &Rows<'_>,
    symbol: &Rc<SymbolFact>,
    written: &str,
) -> Found<Target> {
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
    symbol: &Rc<SymbolFact>,
    written: &str,
) -> Found<Vec<Rc<SymbolFact>>> {
    let mut others = names::redefinitions(rows, symbol)?;
    if others.len() > 1 && written.contains('#') {
        others.retain(|other| numbers_match(&other.id, written));
    }
    Ok(others)
}

/// Returns the target of several symbols; of one as if it were named.
pub(super) fn set_target(
    rows: &Rows<'_>,
    symbols: Vec<Rc<SymbolFact>>,
    text: &str,
) -> Found<Target> {
    let symbols = rows.in_order(symbols)?;
    let printed = match &symbols[..] {
        [symbol] => names::distinct_id(rows, symbol)?,
        _ => text.to_owned(),
    };
    Ok(Target::of(symbols, printed))
}

/// Returns the error for a text that fits several symbols, in this order.
pub(super) fn ambiguous(
    rows: &Rows<'_>,
    text: &str,
    symbols: &[Rc<SymbolFact>],
) -> Found<ApiError> {
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

/// Returns whether an operation takes files for their packages alone.
pub(super) fn takes_packages_alone(rules: &TargetRules) -> bool {
    rules.files == FileScope::Package
}

/// Returns the symbols that one of several makes, with a note: the only one that the operation takes, else the only
/// one of these outside tests. `note` is why a single symbol fits.
pub(super) fn one_of(
    question: Question<'_, '_>,
    written: &str,
    mut fits: Vec<Rc<SymbolFact>>,
    note: Option<&str>,
) -> Found<Target> {
    let (rows, rules, text) = (question.rows, question.rules, question.text);
    let total = fits.len();
    let takes = |symbol: &Rc<SymbolFact>| rules.targets.take(&**symbol);
    let taken: Vec<Rc<SymbolFact>> = fits.iter().filter(|one| takes(one)).cloned().collect();
    let is_test = |symbol: &SymbolFact| symbol.has(crate::sqlite::codes::TEST);
    let own: Vec<Rc<SymbolFact>> = taken.iter().filter(|one| !is_test(one)).cloned().collect();
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
    symbols: Vec<Rc<SymbolFact>>,
    written: &str,
) -> Found<Vec<Rc<SymbolFact>>> {
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
