//! The operations `symbols` and `search`: declarations of the workspace with the uses of each.

use std::cmp::Reverse;

use codeweft_db::SymbolId;

use super::listing;
use super::listing::Selection;
use super::memo::ReferenceCount;
use super::reference_counts::reference_counts;
use super::symbol_info::symbol_infos;
use crate::answer::{AnalysisResponse, ApiError, CheckedAnalysis, ListedSymbol, SymbolList};
use crate::query_context::QueryContext;

/// Lists the selected declarations, the most used first, then by package, file and text.
///
/// # Errors
///
/// A pattern that cannot be parsed.
pub(super) fn symbols(
    query: &QueryContext<'_>,
    request: &CheckedAnalysis,
) -> Result<AnalysisResponse, ApiError> {
    let selection = Selection::of(request)?;
    let counts = reference_counts(query);
    let is_counted = |count: ReferenceCount| {
        request.ref_count_min.is_none_or(|least| count.all >= least)
            && request.ref_count_max.is_none_or(|most| count.all <= most)
    };
    let mut found: Vec<(Reverse<u32>, SymbolId)> = listing::declared(query, &selection)
        .into_iter()
        .map(|symbol| (counts.of(symbol), symbol))
        .filter(|&(count, _)| is_counted(count))
        .map(|(count, symbol)| (Reverse(count.all), symbol))
        .collect();
    let total_found = found.len() as u32;
    // The numbers of symbols differ from run to run: they order nothing.
    found.sort_by_key(|&(count, _)| count);
    found.truncate(request.max_results as usize);
    let found: Vec<SymbolId> = found.into_iter().map(|(_, symbol)| symbol).collect();
    let items: Vec<ListedSymbol> = symbol_infos(query, &found)
        .into_iter()
        .map(|symbol| ListedSymbol {
            symbol,
            ..ListedSymbol::default()
        })
        .collect();
    Ok(AnalysisResponse {
        symbols: Some(SymbolList {
            total_found,
            total_returned: items.len() as u32,
            items,
        }),
        ..AnalysisResponse::new(request.operation)
    })
}
