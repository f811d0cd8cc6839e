//! The choice among symbols that a text fits.

use codeweft_db::SymbolId;

use super::accepted;
use super::resolved;
use super::resolved::Target;
use crate::answer::{ApiError, TargetRules};
use crate::query_context::QueryContext;
use crate::symbols;

/// Returns the symbols by id, the redefinitions of a name as one.
pub(super) fn distinct(
    query: &QueryContext<'_>,
    symbols: Vec<SymbolId>,
    written: &str,
) -> Vec<SymbolId> {
    let mut first: Vec<SymbolId> = Vec::new();
    let mut covered: Vec<SymbolId> = Vec::new();
    for symbol in symbols::in_order(query, symbols) {
        if !covered.contains(&symbol) {
            first.push(symbol);
            covered.extend(symbols::definitions_of_id(query, symbol, written));
        }
    }
    first
}

/// Returns the target that one of several symbols makes, with a note: the only one that the
/// operation takes, else the only one of these outside tests. `note` is why a single symbol fits.
///
/// # Errors
///
/// Several are left.
pub(super) fn one_of(
    query: &QueryContext<'_>,
    rules: &TargetRules,
    text: &str,
    written: &str,
    mut fits: Vec<SymbolId>,
    note: Option<&str>,
) -> Result<Target, ApiError> {
    let total = fits.len();
    let takes = |symbol: SymbolId| accepted::takes(query, rules, symbol);
    let taken: Vec<SymbolId> = fits.iter().copied().filter(|&one| takes(one)).collect();
    let own = taken.iter().copied();
    let own: Vec<SymbolId> = own.filter(|&one| !symbols::in_test(query, one)).collect();
    let (symbol, why) = match (&fits[..], &taken[..], &own[..]) {
        (&[symbol], _, _) => (symbol, note.unwrap_or("the only fit").to_owned()),
        (_, &[symbol], _) => {
            let operation = rules.name;
            (
                symbol,
                format!("the only one of {total} fits that {operation} takes"),
            )
        }
        (_, _, &[symbol]) => (
            symbol,
            format!("the only one of {total} fits outside tests"),
        ),
        _ => {
            // Ids are in order already.
            fits.sort_by_cached_key(|&one| {
                (
                    symbols::is_external(query, one),
                    !takes(one),
                    symbols::in_test(query, one),
                )
            });
            return Err(resolved::ambiguous(query, text, &fits));
        }
    };
    let target = resolved::target_of_id(query, symbol, written);
    Ok(Target {
        note: Some(format!("{text} is taken for {}: {why}", target.printed)),
        ..target
    })
}
