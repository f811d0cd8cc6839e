//! The answer of `unused_symbols`.

use codeweft_db::{File, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::find;
use super::memo::{DoubtSite, UnusedSymbol};
use crate::analysis::listing::{self, Selection};
use crate::analysis::symbol_info::symbol_infos;
use crate::answer::{
    AnalysisResponse, ApiError, CheckedAnalysis, ListedSymbol, SymbolCompleteness, SymbolList,
    UnresolvedSiteAnswer, UnusedReason,
};
use crate::completeness;
use crate::query_context::QueryContext;
use crate::symbols;

/// How many of the sites that could use a symbol are listed.
const LISTED_SITES: usize = 3;

/// What every answer says of names that other projects use.
const NOTE: &str = "exported names of packages that other projects can import count as used";

/// Lists the selected declarations that no code reaches: those that nothing could reach first, then
/// those with sites that could, each by package, file and text.
///
/// # Errors
///
/// None of its own; a request has no pattern.
pub(crate) fn unused_symbols(
    query: &QueryContext<'_>,
    request: &CheckedAnalysis,
) -> Result<AnalysisResponse, ApiError> {
    let selection = Selection::of(request)?;
    let unused = find::unused(query);
    let by_symbol: FxHashMap<SymbolId, &UnusedSymbol> =
        unused.iter().map(|one| (one.symbol, one)).collect();
    let generated = generated_files(query, request);
    let mut found: Vec<&UnusedSymbol> = listing::declared(query, &selection)
        .into_iter()
        .filter_map(|symbol| by_symbol.get(&symbol).copied())
        .filter(|one| !(request.include_tests && one.reason == UnusedReason::OnlyTests))
        .filter(|one| {
            let file = query.file(one.symbol);
            file.is_none_or(|file| !generated.contains(&file))
        })
        .collect();
    let total_found = found.len() as u32;
    found.sort_by_key(|one| !one.doubts.is_empty());
    found.truncate(request.max_results as usize);
    let symbols: Vec<SymbolId> = found.iter().map(|one| one.symbol).collect();
    let infos = symbol_infos(query, &symbols).into_iter();
    let items: Vec<ListedSymbol> = infos
        .zip(found)
        .map(|(symbol, one)| ListedSymbol {
            symbol,
            reason: Some(one.reason),
            only_tests: one.reason == UnusedReason::OnlyTests,
            completeness: Some(SymbolCompleteness {
                complete: one.doubts.is_empty(),
                unresolved_sites: one.doubts.len() as u32,
                first: first_sites(query, &one.doubts),
            }),
        })
        .collect();
    Ok(AnalysisResponse {
        note: Some(NOTE.to_owned()),
        symbols: Some(SymbolList {
            total_found,
            total_returned: items.len() as u32,
            items,
        }),
        ..AnalysisResponse::new(request.operation)
    })
}

/// Returns the generated files of the workspace, without the one that a request names.
fn generated_files(query: &QueryContext<'_>, request: &CheckedAnalysis) -> FxHashSet<File> {
    let wanted = request.path_prefix.as_deref().unwrap_or_default();
    let wanted = crate::pattern::plain_path(wanted);
    let units = symbols::own_units(query);
    let found = query.map(&units, |languages, db, &unit| {
        let Some(language) = languages.of(unit.lang(db)) else {
            return Vec::new();
        };
        let files = unit.files(db).iter().copied();
        files
            .filter(|&file| language.is_generated(db, file) && **file.path(db) != *wanted)
            .collect()
    });
    found.into_iter().flatten().collect()
}

/// Returns the first of some sites by file, line and column. Lines are computed only in the files that
/// are listed.
fn first_sites(query: &QueryContext<'_>, sites: &[DoubtSite]) -> Vec<UnresolvedSiteAnswer> {
    let mut by_file: FxHashMap<File, Vec<&DoubtSite>> = FxHashMap::default();
    for site in sites {
        by_file.entry(site.0).or_default().push(site);
    }
    let mut files: Vec<(File, Vec<&DoubtSite>)> = by_file.into_iter().collect();
    files.sort_by(|(one, _), (other, _)| one.path(query.db).cmp(other.path(query.db)));
    let mut first = Vec::new();
    for (file, sites) in files {
        if first.len() >= LISTED_SITES {
            break;
        }
        let mut of_file: Vec<UnresolvedSiteAnswer> = sites
            .into_iter()
            .map(|&(_, location, reason)| {
                let (line, column) = completeness::line_column(query, file, location);
                UnresolvedSiteAnswer {
                    file: file.path(query.db).to_string(),
                    line,
                    column,
                    reason: reason.wire_name().to_owned(),
                }
            })
            .collect();
        of_file.sort_by(|one, other| {
            (one.line, one.column, &one.reason).cmp(&(other.line, other.column, &other.reason))
        });
        first.extend(of_file);
    }
    first.truncate(LISTED_SITES);
    first
}
