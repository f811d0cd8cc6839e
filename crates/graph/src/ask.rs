//! From a request to its response.

use codeweft_db::{File, Language, RootDb};

use crate::answer::{ApiError, GraphRequest, GraphResponse, ImpactSummary, Metadata, Operation};
use crate::filtering::{Filter, FilteredResults, ResultRow};
use crate::languages;
use crate::operations::OperationResult;
use crate::query_context::QueryContext;
use crate::revision_cache::RevisionCache;
use crate::targets::Target;
use crate::verdict::VerdictCounts;

/// How many warnings are listed.
const MOST_WARNINGS: usize = 10;

/// Above this the size of all code is told.
const MUCH_CONTEXT: u64 = 256 << 10;

/// Answers a request on at most so many threads. The answer is a function of the database and the
/// request; `metadata` is left to the caller but for the size of the code.
pub fn ask(db: &RootDb, request: &GraphRequest, threads: usize) -> Result<GraphResponse, ApiError> {
    ask_keeping(db, &RevisionCache::default(), request, threads)
}

/// As [`ask`], with what earlier questions of the same revision have joined. A [`Kept`] of an
/// older revision gives old answers.
pub fn ask_keeping(
    db: &RootDb,
    kept: &RevisionCache,
    request: &GraphRequest,
    threads: usize,
) -> Result<GraphResponse, ApiError> {
    ask_of(db, kept, languages::ALL, request, threads)
}

/// As [`ask_keeping`], and nothing of the results and their sites is cut, whatever the request's
/// bounds: for the editor's door. A walk ends only where the graph does.
pub fn ask_whole(
    db: &RootDb,
    kept: &RevisionCache,
    request: &GraphRequest,
    threads: usize,
) -> Result<GraphResponse, ApiError> {
    let mut question = QueryContext::new(db, kept, languages::ALL, threads);
    question.whole = true;
    question.answer(request)
}

/// As [`ask_keeping`], of other languages than the built-in ones.
pub fn ask_of(
    db: &RootDb,
    kept: &RevisionCache,
    languages: &[&dyn Language],
    request: &GraphRequest,
    threads: usize,
) -> Result<GraphResponse, ApiError> {
    QueryContext::new(db, kept, languages, threads).answer(request)
}

/// Solves ahead where values go, for the questions of this revision: they give the same answers
/// without it, later.
pub fn follow_values(db: &RootDb, kept: &RevisionCache, threads: usize) {
    let question = QueryContext::new(db, kept, languages::ALL, threads);
    for language in languages::ALL {
        if let Some(slices) = question.slices(language.lang()) {
            slices.solve_all();
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
        let drafts = std::mem::take(&mut found.drafts);
        let shown = if found.whole {
            FilteredResults {
                found: drafts.len() as u32,
                drafts,
                cut_at: None,
                cut: false,
                suggestion: None,
                summary: ImpactSummary::default(),
                hidden: None,
            }
        } else {
            self.show(request, filter, &target.symbols, drafts)
        };
        let configuration = self.configuration(target);
        let files: Vec<File> = self.files_told(target, &shown.drafts);
        let mut warnings = self.warnings(&found.openings, files, &configuration);
        let warnings_total = warnings.len();
        warnings.truncate(MOST_WARNINGS);
        let mut results = self.render(request, shown.drafts, &found.aims);
        let total_found = shown.found + found.printed.len() as u32;
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
            truncated: shown.cut || found.bounded,
            truncated_at_depth: shown.cut_at,
            total_found_is_lower_bound: found.bounded,
            suggestion: shown.suggestion,
            cycles_total: (found.rings_total > 0).then_some(found.rings_total),
            cycles: found.rings,
            summary: (request.operation == Operation::Impact).then_some(shown.summary),
            completeness: self.completeness(
                &found.openings,
                configuration,
                found.speech,
                &VerdictCounts {
                    found: total_found,
                    hidden: shown.hidden.as_ref(),
                    of_file: target.file.is_some(),
                    partial: found.partial,
                },
            ),
            hidden: shown.hidden,
            warnings,
            warnings_total: (warnings_total > MOST_WARNINGS).then_some(warnings_total as u32),
            metadata: Metadata {
                context_bytes: (context_bytes > MUCH_CONTEXT).then_some(context_bytes),
                ..Metadata::default()
            },
        }
    }

    /// The build configurations of the target's languages.
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
            // A language without one says nothing.
            .filter(|printed| !printed.is_empty())
            .collect();
        printed.join("; ")
    }

    /// The files that an answer is about.
    fn files_told(&self, target: &Target, drafts: &[ResultRow]) -> Vec<File> {
        let targets = target.symbols.iter().take(20);
        let mut files: Vec<File> = targets.filter_map(|&symbol| self.file(symbol)).collect();
        for draft in drafts {
            files.extend(self.file(draft.symbol));
            files.extend(draft.links.iter().map(|link| link.file));
        }
        files
    }
}
