//! Executes requests: target resolution, operation, filters, rendering.

use codeweft_db::{File, Language, RootDb};

use crate::answer::{
    ApiError, GraphRequest, GraphResponse, ImpactSummary, MAX_WARNINGS, Metadata, Operation,
};
use crate::completeness::verdict::VerdictCounts;
use crate::languages;
use crate::operations::OperationResult;
use crate::query_context::QueryContext;
use crate::rendering::filtering::{Filter, FilteredResults, ResultRow};
use crate::revision_cache::RevisionCache;
use crate::targets::Target;

/// Answers with more code than this report the size of their code, in bytes.
const LARGE_CONTEXT_BYTES: u64 = 256 << 10;

/// Executes a request on up to `threads` threads. The response is a function of the database and
/// the request; the caller fills `metadata`, except for the size of the code.
///
/// # Errors
///
/// An invalid request, and a target that does not resolve or does not suit the operation.
pub fn execute(
    db: &RootDb,
    request: &GraphRequest,
    threads: usize,
) -> Result<GraphResponse, ApiError> {
    execute_cached(db, &RevisionCache::default(), request, threads)
}

/// As [`execute`], with the joins of earlier queries of the same revision. A cache of an older
/// revision yields stale answers.
pub fn execute_cached(
    db: &RootDb,
    cache: &RevisionCache,
    request: &GraphRequest,
    threads: usize,
) -> Result<GraphResponse, ApiError> {
    execute_in_languages(db, cache, languages::ALL, request, threads)
}

/// As [`execute_cached`], without limits on results, sites and nodes, whatever the request says:
/// editors need complete lists.
pub fn execute_uncut(
    db: &RootDb,
    cache: &RevisionCache,
    request: &GraphRequest,
    threads: usize,
) -> Result<GraphResponse, ApiError> {
    let mut query = QueryContext::new(db, cache, languages::ALL, threads);
    query.unlimited = true;
    query.answer(request)
}

/// As [`execute_cached`], for `languages` instead of the built-in ones.
pub fn execute_in_languages(
    db: &RootDb,
    cache: &RevisionCache,
    languages: &[&dyn Language],
    request: &GraphRequest,
    threads: usize,
) -> Result<GraphResponse, ApiError> {
    QueryContext::new(db, cache, languages, threads).answer(request)
}

/// Solves the value-flow graphs of all languages ahead of queries of this revision. Queries return
/// the same without it, only later.
pub fn solve_value_flow(db: &RootDb, cache: &RevisionCache, threads: usize) {
    let query = QueryContext::new(db, cache, languages::ALL, threads);
    for language in languages::ALL {
        if let Some(flow_queries) = query.flow_queries(language.lang()) {
            flow_queries.solve_all();
        }
    }
}

impl QueryContext<'_> {
    fn answer(&self, request: &GraphRequest) -> Result<GraphResponse, ApiError> {
        request.check()?;
        let filter = Filter::of(request)?;
        let target = self.target(request.operation, &request.target)?;
        let found = self.run(request, &target)?;
        Ok(self.respond(request, &filter, &target, found))
    }

    fn respond(
        &self,
        request: &GraphRequest,
        filter: &Filter,
        target: &Target,
        mut found: OperationResult,
    ) -> GraphResponse {
        let rows = std::mem::take(&mut found.rows);
        let filtered = if found.unfiltered {
            FilteredResults {
                found: rows.len() as u32,
                rows,
                cut_at: None,
                cut: false,
                suggestion: None,
                summary: ImpactSummary::default(),
                hidden: None,
            }
        } else {
            self.filter_and_cut(request, filter, &target.symbols, rows)
        };
        let configuration = self.configuration(target);
        let files: Vec<File> = self.mentioned_files(target, &filtered.rows);
        let mut warnings = self.warnings(&found.unresolved, files, &configuration);
        let warnings_total = warnings.len();
        warnings.truncate(MAX_WARNINGS);
        let mut results = self.render(request, filtered.rows, &found.targets_of_sites);
        let total_found = filtered.found + found.printed.len() as u32;
        results.append(&mut found.printed);
        let context_bytes = results
            .iter()
            .filter_map(|result| Some(result.context.as_ref()?.len() as u64))
            .sum::<u64>();
        GraphResponse {
            operation: request.operation,
            target: target.printed.clone(),
            total_found,
            total_returned: results.len() as u32,
            results,
            truncated: filtered.cut || found.bounded,
            truncated_at_depth: filtered.cut_at,
            total_found_is_lower_bound: found.bounded,
            suggestion: filtered.suggestion,
            cycles_total: (found.cycles_total > 0).then_some(found.cycles_total),
            cycles: found.cycles,
            summary: (request.operation == Operation::Impact).then_some(filtered.summary),
            completeness: self.completeness(
                &found.unresolved,
                configuration,
                found.nouns,
                &VerdictCounts {
                    found: total_found,
                    hidden: filtered.hidden.as_ref(),
                    of_file: target.file.is_some(),
                    partial: found.partial,
                },
            ),
            hidden: filtered.hidden,
            warnings,
            warnings_total: (warnings_total > MAX_WARNINGS).then_some(warnings_total as u32),
            metadata: Metadata {
                context_bytes: (context_bytes > LARGE_CONTEXT_BYTES).then_some(context_bytes),
                ..Metadata::default()
            },
        }
    }

    /// Returns the build configurations of the target's languages.
    fn configuration(&self, target: &Target) -> String {
        let mut langs: Vec<_> = target
            .symbols
            .iter()
            .filter_map(|&symbol| self.lang(symbol))
            .collect();
        langs.sort_unstable();
        langs.dedup();
        let languages = langs.into_iter().filter_map(|lang| self.languages.of(lang));
        let printed: Vec<String> = languages
            .map(|language| language.configuration(self.db))
            // Empty for a language without build configurations.
            .filter(|printed| !printed.is_empty())
            .collect();
        printed.join("; ")
    }

    /// Returns the files that an answer is about; warnings are given for these.
    fn mentioned_files(&self, target: &Target, rows: &[ResultRow]) -> Vec<File> {
        let targets = target.symbols.iter().take(20);
        let mut files: Vec<File> = targets.filter_map(|&symbol| self.file(symbol)).collect();
        for row in rows {
            files.extend(self.file(row.symbol));
            files.extend(row.links.iter().map(|link| link.file));
        }
        files
    }
}
