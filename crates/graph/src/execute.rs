//! Executes requests: target resolution, operation, filters, rendering.

use std::cmp::Reverse;

use codeweft_db::{File, NodeKind, OutsideCaller, RootDb, Unit};

use crate::answer::{
    ApiError, CheckedRequest, GraphRequest, GraphResponse, MAX_WARNINGS, Metadata, Operation,
    OriginCounts,
};
use crate::completeness;
use crate::completeness::verdict::VerdictCounts;
use crate::flow;
use crate::operations;
use crate::operations::result::OperationResult;
use crate::query_context::{QueryContext, QueryOptions};
use crate::rendering;
use crate::rendering::filtering::{Filter, FilteredResults, ResultRow};
use crate::revision_cache::RevisionCache;
use crate::targets;
use crate::targets::resolved::Target;

/// Answers with more code than this report the size of their code, in bytes.
const LARGE_CONTEXT_BYTES: u64 = 256 << 10;

/// Executes a request. The response is a function of the database and the request; the caller fills
/// `metadata`, except for the size of the code.
///
/// # Errors
///
/// A pattern of a filter that cannot be parsed, and a target that does not resolve or does not suit
/// the operation.
pub fn execute(
    db: &RootDb,
    request: &CheckedRequest,
    options: QueryOptions<'_>,
) -> Result<GraphResponse, ApiError> {
    let query = &QueryContext::new(db, options);
    // A wrong pattern is an error before anything is looked for.
    Filter::of(request)?;
    if request.operation.follows_calls() {
        flow::lower_for_method(query, &request.target);
    }
    let target = targets::resolve(query, &request.operation.target_rules(), &request.target)?;
    execute_target(query, request, &target)
}

/// Executes a request whose target is resolved already.
///
/// # Errors
///
/// A pattern of a filter that cannot be parsed.
pub(crate) fn execute_target(
    query: &QueryContext<'_>,
    request: &CheckedRequest,
    target: &Target,
) -> Result<GraphResponse, ApiError> {
    let filter = Filter::of(request)?;
    let found = operations::run(query, request, target)?;
    let response = respond(query, request, &filter, target, found);
    flow::keep_within_budget(query);
    Ok(response)
}

/// Solves the value-flow graphs of all languages ahead of queries of this revision. Queries return
/// the same without it, only later.
pub fn solve_value_flow(db: &RootDb, cache: &RevisionCache, threads: usize) {
    let query = &QueryContext::new(db, QueryOptions::new(cache, threads));
    for language in db.tables().languages() {
        if let Some(flow_queries) = flow::queries(query, language.lang()) {
            flow_queries.solve_all();
        }
    }
}

/// Computes what every query of this revision reads of all units, ahead of them: the joins of their
/// indexes, and the queries by file that only questions need. Queries return the same without it, only
/// later.
///
/// What is read depends on the language and on how many units can name the target, so the completeness of
/// the callers of a function that most units can name reads what that of others reads.
pub fn join_units(db: &RootDb, cache: &RevisionCache, threads: usize) {
    let query = &QueryContext::new(db, QueryOptions::new(cache, threads));
    for language in db.tables().languages() {
        let units = query.units.of_lang(language.lang());
        query.map(&units, |languages, db, &unit| {
            if let Some(language) = languages.of(unit.lang(db)) {
                language.read_for_hidden_callers(db, unit);
                language.read_ahead_for_hidden_callers(db, unit);
            }
        });
        let mut by_importers: Vec<Unit> = units.to_vec();
        by_importers.sort_by_key(|&unit| Reverse(query.imports().importers(unit).len()));
        let mut functions = by_importers.iter().filter_map(|&unit| {
            let symbols = language.symbols(db, unit);
            let mut rows = symbols.rows.iter();
            let is_called = |kind| matches!(kind, NodeKind::Function | NodeKind::Method);
            rows.find(|row| row.public && is_called(row.kind))
                .map(|row| row.symbol)
        });
        if let Some(symbol) = functions.next() {
            completeness::unresolved_callers(query, &[symbol], false);
        }
    }
}

fn respond(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    filter: &Filter,
    target: &Target,
    mut found: OperationResult,
) -> GraphResponse {
    let rows = std::mem::take(&mut found.rows);
    let mut filtered = if found.unfiltered {
        FilteredResults {
            found: rows.len() as u32,
            rows,
            cut_at: None,
            cut: false,
            suggestion: None,
            summary: None,
            counts: None,
            hidden: None,
        }
    } else {
        let literal_calls = &found.literal_calls;
        rendering::filter_and_cut(
            query,
            request,
            filter,
            &target.symbols,
            (rows, literal_calls),
        )
    };
    found.caller_walk.add_links(query, &mut filtered.rows);
    let configuration = configuration(query, target);
    let files: Vec<File> = mentioned_files(query, target, &filtered.rows);
    let mut warnings = completeness::warnings(query, &found.unresolved, files, &configuration);
    // An editor shows the text itself, and no other.
    if !query.unlimited {
        let targets = target.symbols.iter().take(20);
        let mut files: Vec<File> = targets.filter_map(|&symbol| query.file(symbol)).collect();
        files.extend(target.file);
        files.extend(target.local.iter().map(|local| local.range.file));
        files.extend(rendering::skipped::files_with_lines(query, &filtered.rows));
        warnings.extend(rendering::skipped::warnings(query, files));
        warnings.sort();
    }
    let warnings_total = warnings.len();
    warnings.truncate(MAX_WARNINGS);
    let mut results = rendering::render(query, request, filtered.rows, &found.targets_of_sites);
    let total_found = filtered.found + found.printed.len() as u32;
    let mut counts = filtered.counts.take();
    if let Some(counts) = &mut counts {
        // Their declarations are in the files that are requested.
        for result in &found.printed {
            rendering::filtering::count_printed(counts, result);
        }
    }
    if !query.unlimited {
        let left = (request.max_results as usize).saturating_sub(results.len());
        if found.printed.len() > left {
            filtered.cut = true;
            let greater = rendering::greater_list(request, total_found as usize);
            filtered.suggestion = filtered.suggestion.or(greater);
            found.printed.truncate(left);
        }
    }
    results.append(&mut found.printed);
    let context_bytes = results
        .iter()
        .filter_map(|result| Some(result.context.as_ref()?.len() as u64))
        .sum::<u64>();
    let mut nouns = request
        .operation
        .answer_nouns(target.file.is_some(), request.depth);
    nouns.singular = found.none.unwrap_or(nouns.singular);
    let mut notes: Vec<String> = target.note.clone().into_iter().collect();
    if found.unfiltered && filter.is_restrictive() {
        notes.push("a path has all its steps: filters hide none".to_owned());
    }
    let unused = request.unused_fields().into_iter();
    notes.extend(unused.map(|field| {
        let operation = request.operation.wire_name();
        format!("{operation} does not take {field}: it has no effect")
    }));
    GraphResponse {
        operation: request.operation,
        target: target.printed.clone(),
        note: (!notes.is_empty()).then(|| notes.join("; ")),
        total_found,
        counts: counts.clone(),
        total_returned: results.len() as u32,
        results,
        truncated: filtered.cut || found.bounded,
        truncated_at_depth: filtered.cut_at,
        total_found_is_lower_bound: found.bounded,
        suggestion: filtered.suggestion,
        cycles_total: (found.cycles_total > 0).then_some(found.cycles_total),
        cycles: found.cycles,
        summary: filtered.summary,
        change: None,
        completeness: completeness::completeness(
            query,
            &found.unresolved,
            configuration,
            nouns,
            &VerdictCounts {
                found: total_found,
                origins: counts.as_ref().map(OriginCounts::words).unwrap_or_default(),
                hidden: filtered.hidden.as_ref(),
                of_file: target.file.is_some(),
                partial: found.partial,
                targets: &target.symbols,
                outside: if request.operation == Operation::Callers {
                    outside_callers(query, target)
                } else {
                    Vec::new()
                },
                may_include_unresolved: request.operation.uses("include_unresolved")
                    && !request.include_unresolved,
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

/// Returns what calls a target without a site, each once, in order.
fn outside_callers(query: &QueryContext<'_>, target: &Target) -> Vec<OutsideCaller> {
    let symbols = target.symbols.iter();
    let mut found: Vec<OutsideCaller> = symbols
        .flat_map(|&symbol| completeness::outside_callers(query, symbol))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the build configurations of the target's languages; of a text those of all that have code.
fn configuration(query: &QueryContext<'_>, target: &Target) -> String {
    let mut langs: Vec<_> = match target.symbols[..] {
        [] => query.units.langs().collect(),
        ref symbols => {
            let symbols = symbols.iter();
            symbols.filter_map(|&symbol| query.lang(symbol)).collect()
        }
    };
    langs.sort_unstable();
    langs.dedup();
    let languages = langs
        .into_iter()
        .filter_map(|lang| query.languages.of(lang));
    let printed: Vec<String> = languages
        .map(|language| language.configuration(query.db))
        // Empty for a language without build configurations.
        .filter(|printed| !printed.is_empty())
        .collect();
    printed.join("; ")
}

/// Returns the files that an answer is about; warnings are given for these.
fn mentioned_files(query: &QueryContext<'_>, target: &Target, rows: &[ResultRow]) -> Vec<File> {
    let targets = target.symbols.iter().take(20);
    let mut files: Vec<File> = targets.filter_map(|&symbol| query.file(symbol)).collect();
    for row in rows {
        files.extend(query.file(row.symbol));
        files.extend(row.links.iter().map(|link| link.file));
    }
    files
}
