//! The verdict on an answer: the number of unresolved sites, their reasons, the first of them, and
//! warnings (docs/graph.md §5).

use std::collections::BTreeMap;

use codeweft_db::{File, OutsideCaller, Reason, SymbolId, file_report};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::answer::{
    AnswerNouns, Completeness, Hidden, UnresolvedSiteAnswer, Warning, WarningKind,
};
use crate::completeness::groups::{FileRank, SiteCounts, line_column};
use crate::completeness::unresolved_sites::{SiteLocation, UnresolvedSites};
use crate::query_context::QueryContext;

/// How many unresolved sites are listed.
pub const MAX_LISTED_UNRESOLVED: usize = 5;

/// The counts of a verdict besides unresolved sites.
#[derive(Default)]
pub(crate) struct VerdictCounts<'a> {
    /// The number of results after filters.
    pub(crate) found: u32,
    /// The same by whose they are, in words.
    pub(crate) origins: String,
    /// What the filters hid.
    pub(crate) hidden: Option<&'a Hidden>,
    /// Whether the target is a file that means what it declares; the words then say so.
    pub(crate) of_file: bool,
    /// `Some(n)`: completeness was computed for the first `n` nodes only.
    pub(crate) partial: Option<u32>,
    /// What the answer is about: sites in files that import it are listed first.
    pub(crate) targets: &'a [SymbolId],
    /// What calls the target without a site.
    pub(crate) outside: Vec<OutsideCaller>,
    /// Whether the request could ask with `include_unresolved`, and does not.
    pub(crate) may_include_unresolved: bool,
}

/// Returns the verdict on an answer.
pub(crate) fn completeness(
    query: &QueryContext<'_>,
    unresolved: &UnresolvedSites,
    configuration: String,
    nouns: AnswerNouns,
    counted: &VerdictCounts<'_>,
) -> Completeness {
    let count = unresolved.count();
    let words = words(
        nouns,
        &VerdictWords {
            found: counted.found,
            origins: &counted.origins,
            hidden: counted.hidden,
            of_file: counted.of_file,
            unresolved: count,
            partial: counted.partial,
            lacking: "",
            outside: &counted.outside,
            configuration: &configuration,
        },
    );
    let sites = SiteCounts::of(query, unresolved);
    // A list of all sites says what groups would say.
    let (groups, groups_total) = if count as usize > MAX_LISTED_UNRESOLVED {
        sites.groups(query, unresolved, counted.targets)
    } else {
        Default::default()
    };
    let listable = unresolved.count_listable();
    Completeness {
        complete: count == 0 && counted.partial.is_none(),
        configuration,
        unresolved_sites: count,
        by_reason: by_reason(&sites),
        first: first_unresolved(query, unresolved, &sites),
        groups_total: (groups_total as usize > groups.len()).then_some(groups_total),
        groups,
        include_unresolved: (counted.may_include_unresolved && listable > 0).then_some(listable),
        words,
    }
}

/// What a verdict in words is made of.
pub struct VerdictWords<'a> {
    /// The number of results after filters.
    pub found: u32,
    /// The same by whose they are, in words.
    pub origins: &'a str,
    /// What the filters hid.
    pub hidden: Option<&'a Hidden>,
    /// Whether the target is a file that means what it declares.
    pub of_file: bool,
    /// The number of sites that could belong to the answer.
    pub unresolved: u32,
    /// `Some(n)`: completeness was computed for the first `n` nodes only.
    pub partial: Option<u32>,
    /// What else the answer lacks, in words; empty if nothing.
    pub lacking: &'a str,
    /// What calls the target without a site, each once.
    pub outside: &'a [OutsideCaller],
    /// The build configuration, printed.
    pub configuration: &'a str,
}

/// Returns a verdict in words; nothing if the answer is simply complete.
pub fn words(nouns: AnswerNouns, counted: &VerdictWords<'_>) -> Option<String> {
    let count = counted.unresolved;
    let mut words = found(nouns, counted);
    for caller in counted.outside {
        words.push_str("; ");
        words.push_str(caller.words());
    }
    match count {
        0 => {}
        1 => words.push_str(&format!("; 1 site {}", nouns.could)),
        _ => words.push_str(&format!("; {count} sites {}", nouns.could)),
    }
    if let Some(checked) = counted.partial {
        words.push_str(&format!("; asked of the first {checked} nodes only"));
    }
    if !counted.lacking.is_empty() {
        words.push_str(&format!("; {}", counted.lacking));
    }
    // Zero unresolved sites hold for one build configuration only.
    if !counted.configuration.is_empty() {
        words.push_str(&format!(" under {}", counted.configuration));
    }
    let is_plain = counted.found > 0
        && count == 0
        && counted.hidden.is_none()
        && counted.partial.is_none()
        && counted.lacking.is_empty()
        && counted.outside.is_empty()
        && !counted.of_file;
    (!is_plain).then_some(words)
}

/// Returns the listed sites: one for each reason, then others, [`MAX_LISTED_UNRESOLVED`] in
/// all, each time the first by (origin of the file, path, line, column), and in that order.
/// Positions are computed only in files that may contribute.
fn first_unresolved(
    query: &QueryContext<'_>,
    unresolved: &UnresolvedSites,
    counts: &SiteCounts<'_>,
) -> Vec<UnresolvedSiteAnswer> {
    let mut files: Vec<(File, Vec<(SiteLocation, Reason)>)> = first_files(counts)
        .into_iter()
        .map(|file| (file, Vec::new()))
        .collect();
    let numbers = files.iter().map(|&(file, _)| file).zip(0..);
    let numbers: FxHashMap<File, usize> = numbers.collect();
    for (file, location, reason) in unresolved.iter() {
        if let Some((_, sites)) = numbers.get(&file).and_then(|&at| files.get_mut(at)) {
            sites.push((location, reason));
        }
    }
    let mut candidates: Vec<(usize, u32, u32, Reason)> = Vec::new();
    let mut reasons: FxHashSet<Reason> = FxHashSet::default();
    for (number, (file, sites)) in files.iter().enumerate() {
        // Once the list is full, a later file counts only for reasons not seen before.
        let fills = candidates.len() < MAX_LISTED_UNRESOLVED;
        let new = |reason: &Reason| !reasons.contains(reason);
        let wanted: Vec<(SiteLocation, Reason)> = if fills {
            sites.clone()
        } else {
            let sites = sites.iter().copied();
            sites.filter(|(_, reason)| new(reason)).collect()
        };
        for (location, reason) in wanted {
            let (line, column) = line_column(query, *file, location);
            candidates.push((number, line, column, reason));
            reasons.insert(reason);
        }
    }
    candidates.sort_unstable();
    let mut seen = FxHashSet::default();
    let mut chosen = Vec::new();
    let mut others = Vec::new();
    for candidate in candidates {
        if seen.insert(candidate.3) {
            chosen.push(candidate);
        } else {
            others.push(candidate);
        }
    }
    chosen.extend(others);
    chosen.truncate(MAX_LISTED_UNRESOLVED);
    chosen.sort_unstable();
    let chosen = chosen.into_iter();
    chosen
        .filter_map(|(number, line, column, reason)| {
            let (file, _) = files.get(number)?;
            Some(UnresolvedSiteAnswer {
                file: file.path(query.db).to_string(),
                line,
                column,
                reason: reason.wire_name().to_owned(),
            })
        })
        .collect()
}

/// Returns the files that the listed sites are in, by rank: the first files of all, and the first
/// of each reason. There may be thousands of files, so they are not sorted.
fn first_files(sites: &SiteCounts<'_>) -> Vec<File> {
    let mut of_reasons: FxHashMap<Reason, (FileRank<'_>, File)> = FxHashMap::default();
    for &(file, reason) in sites.counts.keys() {
        let Some(&rank) = sites.ranks.get(&file) else {
            continue;
        };
        let first = of_reasons.entry(reason).or_insert((rank, file));
        if rank < first.0 {
            *first = (rank, file);
        }
    }
    let ranks = sites.ranks.iter();
    let mut files: Vec<(FileRank<'_>, File)> = ranks.map(|(&file, &rank)| (rank, file)).collect();
    if files.len() > MAX_LISTED_UNRESOLVED {
        files.select_nth_unstable_by_key(MAX_LISTED_UNRESOLVED, |&(rank, _)| rank);
        files.truncate(MAX_LISTED_UNRESOLVED);
    }
    files.extend(of_reasons.into_values());
    files.sort_unstable_by_key(|&(rank, _)| rank);
    files.dedup();
    files.into_iter().map(|(_, file)| file).collect()
}

/// Returns the warnings about the files of an answer: syntax errors and excluded files.
pub(crate) fn warnings(
    query: &QueryContext<'_>,
    unresolved: &UnresolvedSites,
    files: impl IntoIterator<Item = File>,
    configuration: &str,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut seen = FxHashSet::default();
    let broken = unresolved.iter();
    let broken = broken.filter(|(_, _, reason)| *reason == Reason::ParseError);
    for file in files.into_iter().chain(broken.map(|(file, _, _)| file)) {
        if !seen.insert(file) {
            continue;
        }
        let report = file_report(query.db, file);
        if let Some(&line) = report.error_lines.first() {
            warnings.push(Warning {
                file: file.path(query.db).to_string(),
                line: Some(line),
                kind: WarningKind::ParseError,
                message: match report.error_lines.len() {
                    1 => "this line could not be read".to_owned(),
                    lines => format!("{lines} lines could not be read"),
                },
            });
        }
    }
    for (file, _, reason) in unresolved.iter() {
        if reason == Reason::ExcludedFile && seen.insert(file) {
            warnings.push(Warning {
                file: file.path(query.db).to_string(),
                line: None,
                kind: WarningKind::Excluded,
                message: format!("left out under {configuration}, and mentions the name"),
            });
        }
    }
    warnings.sort();
    warnings
}

/// Returns the number of results in words: `3 callers found`,
/// `no caller shown; hidden: 4 callers in tests`.
fn found(nouns: AnswerNouns, counted: &VerdictWords<'_>) -> String {
    let (one, many) = (nouns.singular, nouns.plural);
    let origins = counted.origins;
    let results = match counted.found {
        0 => format!("no {one}"),
        1 => format!("1 {one}{origins}"),
        found => format!("{found} {many}{origins}"),
    };
    match counted.hidden {
        None => format!("{results} found"),
        Some(hidden) => format!("{results} shown; hidden: {}", hidden.words),
    }
}

/// Counts the sites of each reason, ordered by the reasons' names.
fn by_reason(sites: &SiteCounts<'_>) -> BTreeMap<String, u32> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for (&(_, reason), &count) in &sites.counts {
        *counts.entry(reason.wire_name().to_owned()).or_default() += count;
    }
    counts
}
