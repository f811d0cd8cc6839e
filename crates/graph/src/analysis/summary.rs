//! The operation `summary`: how large the workspace is, and what is used most.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use codeweft_db::{NodeKind, SymbolId};

use super::package_files::language_files;
use super::reference_counts::reference_counts;
use super::symbol_info::symbol_infos;
use crate::answer::{
    AnalysisResponse, ApiError, CheckedAnalysis, LanguageSummary, WorkspaceSummary,
};
use crate::query_context::QueryContext;
use crate::symbols;

/// Counts the files and declarations of each language.
pub(super) fn summary(
    query: &QueryContext<'_>,
    request: &CheckedAnalysis,
) -> Result<AnalysisResponse, ApiError> {
    let files = language_files(query);
    let counts = reference_counts(query);
    let mut languages: BTreeMap<&str, LanguageSummary> = BTreeMap::new();
    let mut top: Vec<(Reverse<u32>, SymbolId)> = Vec::new();
    for unit in symbols::own_units(query) {
        query.poll_cancellation();
        let lang = unit.lang(query.db);
        let of_language = languages.entry(lang.wire_name()).or_insert_with(|| {
            let files = files.get(&lang).copied().unwrap_or_default();
            LanguageSummary {
                language: lang.wire_name().to_owned(),
                file_count: files.files,
                line_count: files.lines,
                ..LanguageSummary::default()
            }
        });
        for row in query.symbols(unit).rows.iter() {
            let kind = row.kind.wire_name();
            *of_language.kind_counts.entry(kind.to_owned()).or_default() += 1;
            of_language.symbol_count += 1;
            if row.kind != NodeKind::Package {
                top.push((Reverse(counts.of(row.symbol).all), row.symbol));
            }
        }
    }
    top.sort_by_key(|&(count, _)| count);
    top.truncate(request.top_n as usize);
    let top: Vec<SymbolId> = top.into_iter().map(|(_, symbol)| symbol).collect();
    let packages = symbols::packages(query).iter();
    Ok(AnalysisResponse {
        summary: Some(WorkspaceSummary {
            package_count: packages.filter(|package| !package.external).count() as u32,
            top_symbols: symbol_infos(query, &top),
            languages: languages.into_values().collect(),
        }),
        ..AnalysisResponse::new(request.operation)
    })
}
