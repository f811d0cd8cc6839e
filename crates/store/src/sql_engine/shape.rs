//! From what an operation found to the response: filters, limits, counts, by the rules of the live engine.

use std::rc::Rc;

use codeweft_graph::answer::{
    GraphRequest, GraphResponse, Hidden, ImpactSummary, ImpactType, Metadata, Operation,
    OriginCounts, RowOrder,
};
use codeweft_graph::shaping::{
    Candidate, Filter, FilterField, FilteredNode, HiddenCounts, ResultLimits, suggestion,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::failure::Found;
use super::links::ResultRow;
use super::resolved::Target;
use super::result::Answer;
use super::rows::{Fact, FileFact, FileId, PackageFact, Rows};
use super::{print, verdict};

/// Answers with more code than this report the size of their code, in bytes.
const LARGE_CONTEXT_BYTES: u64 = 256 << 10;

/// A row that passed the filters, with what suggestions and counts read.
struct Counted {
    row: ResultRow,
    file: Option<Rc<FileFact>>,
    external: bool,
    /// Whether `include_tests: false` would hide it.
    only_tests: bool,
}

/// The rows that an answer lists, with counts.
struct Filtered {
    rows: Vec<ResultRow>,
    found: u32,
    cut_at: Option<u32>,
    cut: bool,
    suggestion: Option<String>,
    summary: Option<ImpactSummary>,
    counts: Option<OriginCounts>,
    hidden: Option<Hidden>,
}

/// Returns the build configurations of the target's languages.
fn configuration(rows: &Rows<'_>, target: &Target) -> Found<String> {
    let mut langs = Vec::new();
    for symbol in &target.symbols {
        langs.extend(rows.lang(symbol)?);
    }
    langs.sort_unstable();
    langs.dedup();
    let printed = langs.into_iter().map(|lang| rows.configuration(Some(lang)));
    let printed: Vec<String> = printed.filter(|words| !words.is_empty()).collect();
    Ok(printed.join("; "))
}

/// Makes the response.
pub(super) fn respond(
    rows: &Rows<'_>,
    request: &GraphRequest,
    filter: &Filter,
    target: &Target,
    mut answer: Answer,
) -> Found<GraphResponse> {
    let found = std::mem::take(&mut answer.rows);
    let filtered = if answer.unfiltered {
        Filtered {
            found: found.len() as u32,
            rows: found,
            cut_at: None,
            cut: false,
            suggestion: None,
            summary: None,
            counts: None,
            hidden: None,
        }
    } else {
        filter_and_cut(rows, request, filter, target, &answer, found)?
    };
    let configuration = configuration(rows, target)?;
    let (warnings, warnings_total) =
        verdict::warnings(rows, &answer.open, target, &filtered.rows, &configuration)?;
    let results = print::results(rows, request, &filtered.rows, &answer.targets_of_sites)?;
    let context_bytes: u64 = results
        .iter()
        .filter_map(|result| Some(result.context.as_ref()?.len() as u64))
        .sum();
    let mut notes: Vec<String> = target.note.clone().into_iter().collect();
    if answer.unfiltered && filter.is_restrictive() {
        notes.push("a path has all its steps: filters hide none".to_owned());
    }
    let unused = request.unused_fields().into_iter();
    notes.extend(unused.map(|field| {
        let operation = request.operation.wire_name();
        format!("{operation} does not take {field}: it has no effect")
    }));
    let completeness = verdict::completeness(
        rows,
        request,
        target,
        &answer,
        verdict::Counts {
            found: filtered.found,
            origins: filtered
                .counts
                .as_ref()
                .map(OriginCounts::words)
                .unwrap_or_default(),
            hidden: filtered.hidden.as_ref(),
            configuration,
        },
    )?;
    Ok(GraphResponse {
        operation: request.operation,
        target: target.printed.clone(),
        note: (!notes.is_empty()).then(|| notes.join("; ")),
        total_found: filtered.found,
        counts: filtered.counts,
        total_returned: results.len() as u32,
        results,
        truncated: filtered.cut || answer.bounded || answer.cut,
        truncated_at_depth: filtered.cut_at,
        total_found_is_lower_bound: answer.bounded,
        suggestion: filtered.suggestion,
        cycles_total: (answer.cycles_total > 0).then_some(answer.cycles_total),
        cycles: answer.cycles,
        summary: filtered.summary,
        change: None,
        completeness,
        hidden: filtered.hidden,
        warnings,
        warnings_total,
        metadata: Metadata {
            source: "sql".to_owned(),
            context_bytes: (context_bytes > LARGE_CONTEXT_BYTES).then_some(context_bytes),
            ..Metadata::default()
        },
    })
}

/// Applies filters, then limits.
fn filter_and_cut(
    rows: &Rows<'_>,
    request: &GraphRequest,
    filter: &Filter,
    target: &Target,
    answer: &Answer,
    found: Vec<ResultRow>,
) -> Found<Filtered> {
    let hiding = HiddenCounts::of_literals(answer.literal_calls.hidden(&found));
    let (mut counted, hidden) = filter_rows(rows, request, filter, (found, hiding))?;
    let in_text_order = request.operation.row_order() == RowOrder::Text;
    counted.sort_by_key(|one| {
        let level = one.row.depth.filter(|_| !in_text_order);
        (level, one.external)
    });
    let found = counted.len() as u32;
    let limits = ResultLimits::of(request, false);
    let chosen = limits.chosen(counted.iter().map(|one| one.row.depth));
    let cut_rows = || counted.iter().zip(&chosen).filter(|(_, chosen)| !**chosen);
    let cut = cut_rows().next().is_some();
    let cut_at = cut_rows().filter_map(|(one, _)| one.row.depth).min();
    let suggestion = cut.then(|| suggestion(request, &limits, &candidates(&counted), &|| {}));
    let summary = match request.operation {
        Operation::Impact => Some(summary(rows, target, &counted)?),
        _ => None,
    };
    let counts = Some(counts(rows, &counted)?);
    let kept = counted.into_iter().zip(chosen);
    Ok(Filtered {
        rows: kept
            .filter(|(_, chosen)| *chosen)
            .map(|(one, _)| one.row)
            .collect(),
        found,
        cut_at,
        cut,
        suggestion,
        summary,
        counts,
        hidden,
    })
}

/// Returns candidates for the rows of each file that are alike, in the order of the rows.
fn candidates(counted: &[Counted]) -> Vec<Candidate<'_>> {
    let mut numbers: FxHashMap<_, usize> = FxHashMap::default();
    let mut candidates: Vec<Candidate<'_>> = Vec::new();
    for one in counted {
        let candidate = Candidate {
            count: 1,
            file: one.file.as_ref().map_or("", |file| &file.path),
            depth: one.row.depth,
            external: one.external,
            only_tests: one.only_tests,
        };
        let kind = (
            candidate.file,
            candidate.depth,
            candidate.external,
            candidate.only_tests,
        );
        let next = candidates.len();
        let number = *numbers.entry(kind).or_insert(next);
        match candidates.get_mut(number) {
            Some(known) => known.count += 1,
            None => candidates.push(candidate),
        }
    }
    candidates
}

fn filter_rows(
    rows: &Rows<'_>,
    request: &GraphRequest,
    filter: &Filter,
    (found, mut hiding): (Vec<ResultRow>, HiddenCounts),
) -> Found<(Vec<Counted>, Option<Hidden>)> {
    let mut counted = Vec::with_capacity(found.len());
    for mut row in found {
        let Some(fact) = rows.fact(row.symbol)? else {
            continue;
        };
        let (file, package) = rows.file_and_package(fact)?;
        // Only patterns read it.
        let symbol = if filter.has_patterns() {
            rows.symbol(row.symbol)?
        } else {
            None
        };
        let external = fact.is_external();
        let hidden_by = filter.hiding(FilteredNode {
            file: file.as_ref().map_or("", |file| &file.path),
            id: symbol.as_ref().map_or("", |symbol| &symbol.id),
            package: package.as_ref().map_or("", |package| &package.id),
            external,
        });
        if let Some(by) = hidden_by {
            hiding.add_row(by, row.links.len() as u32);
            continue;
        }
        let in_test = file.as_ref().is_some_and(|file| file.is_test);
        let only_tests = in_test || !row.links.is_empty() && all_in_tests(rows, &row)?;
        if !filter.includes_tests() {
            if only_tests {
                hiding.add_row(FilterField::IncludeTests, row.links.len() as u32);
                continue;
            }
            let before = row.links.len();
            let mut kept = Vec::with_capacity(before);
            for link in row.links {
                if !is_test(rows, link.position.file)? {
                    kept.push(link);
                }
            }
            row.links = kept;
            let gone = before - row.links.len();
            hiding.add_sites(FilterField::IncludeTests, gone as u32);
        }
        counted.push(Counted {
            row,
            file,
            external,
            only_tests,
        });
    }
    Ok((counted, hiding.into_hidden(request)))
}

fn is_test(rows: &Rows<'_>, file: FileId) -> Found<bool> {
    Ok(rows.file(file)?.is_some_and(|file| file.is_test))
}

fn all_in_tests(rows: &Rows<'_>, row: &ResultRow) -> Found<bool> {
    for link in &row.links {
        if !is_test(rows, link.position.file)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Counts rows by whose node it is, and sites by whose file they are in.
fn counts(rows: &Rows<'_>, counted: &[Counted]) -> Found<OriginCounts> {
    let mut counts = OriginCounts::default();
    for one in counted {
        if one.external {
            counts.libraries.nodes += 1;
        } else {
            counts.workspace.nodes += 1;
        }
        for link in &one.row.links {
            let file = rows.file(link.position.file)?;
            if file.is_some_and(|file| file.is_external) {
                counts.libraries.sites += 1;
            } else {
                counts.workspace.sites += 1;
            }
        }
    }
    Ok(counts)
}

/// Counts the nodes that a change reaches, and their files and packages. Packages that declare no target are external.
fn summary(rows: &Rows<'_>, target: &Target, counted: &[Counted]) -> Found<ImpactSummary> {
    let count = |impact_type: ImpactType| {
        let impacts = counted.iter().filter_map(|one| one.row.impact);
        impacts.filter(|(known, _)| *known == impact_type).count() as u32
    };
    let key = |package: &Option<Rc<PackageFact>>| {
        let package = package.as_ref();
        package.map(|package| (package.lang, package.id.clone()))
    };
    let mut own = FxHashSet::default();
    for symbol in &target.symbols {
        own.insert(key(&rows.package_of(symbol)?));
    }
    let mut packages = FxHashSet::default();
    let mut files: FxHashSet<FileId> = FxHashSet::default();
    for one in counted {
        let fact = rows.fact(one.row.symbol)?;
        let package = fact.map_or(Ok(None), |fact| {
            rows.file_and_package(fact).map(|found| found.1)
        })?;
        packages.insert(key(&package));
        files.extend(one.row.links.iter().map(|link| link.position.file));
        if one.row.links.is_empty() {
            files.extend(fact.and_then(Fact::file));
        }
    }
    let external = packages.iter().filter(|package| !own.contains(*package));
    Ok(ImpactSummary {
        implementations: count(ImpactType::Implementation),
        direct_callers: count(ImpactType::DirectCaller),
        transitive_callers: count(ImpactType::TransitiveCaller),
        type_usages: count(ImpactType::TypeUsage),
        external_packages: external.count() as u32,
        files: files.len() as u32,
        packages: packages.len() as u32,
    })
}
