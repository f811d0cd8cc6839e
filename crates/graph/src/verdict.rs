//! The verdict on an answer: how many sites could still belong to it, why, and where the first of
//! them stand (docs/graph.md §4).

use std::collections::BTreeMap;

use codeweft_db::{File, Origin, Reason, file_report};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::answer::{Completeness, Hidden, OpenSiteAnswer, Warning, WarningKind};
use crate::completeness::{SiteLocation, UnresolvedSites};
use crate::link::Link;
use crate::query_context::QueryContext;

/// How many sites are listed.
const MOST_FIRST: usize = 5;

/// How an answer speaks of what it lists and of what it could not decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AnswerNouns {
    /// One of what is listed.
    pub(crate) one: &'static str,
    /// Several.
    pub(crate) many: &'static str,
    /// What an open site could do, after its number.
    pub(crate) could: &'static str,
}

impl AnswerNouns {
    fn found(&self, found: u32, hidden: Option<&Hidden>) -> String {
        let (one, many) = (self.one, self.many);
        let Some(hidden) = hidden else {
            return match found {
                0 => format!("no {one} found"),
                1 => format!("1 {one} found"),
                _ => format!("{found} {many} found"),
            };
        };
        let shown = match found {
            0 => format!("no {one} shown"),
            1 => format!("1 {one} shown"),
            _ => format!("{found} {many} shown"),
        };
        format!("{shown}; {}", hidden.words())
    }
}

/// What a verdict counts beside open sites.
#[derive(Default)]
pub(crate) struct VerdictCounts<'a> {
    /// The results after filters.
    pub(crate) found: u32,
    /// What filters hid.
    pub(crate) hidden: Option<&'a Hidden>,
    /// Whether the target is a file: the words say what that means.
    pub(crate) of_file: bool,
    /// Of only so many nodes it was asked what could still belong to the answer.
    pub(crate) partial: Option<u32>,
}

impl QueryContext<'_> {
    /// The verdict on an answer that lists so many results.
    pub(crate) fn completeness(
        &self,
        openings: &UnresolvedSites,
        configuration: String,
        speech: AnswerNouns,
        counted: &VerdictCounts<'_>,
    ) -> Completeness {
        let count = openings.count();
        let mut words = speech.found(counted.found, counted.hidden);
        match count {
            0 => {}
            1 => words.push_str(&format!("; 1 site {}", speech.could)),
            _ => words.push_str(&format!("; {count} sites {}", speech.could)),
        }
        if let Some(asked) = counted.partial {
            words.push_str(&format!("; asked of the first {asked} nodes only"));
        }
        // A zero holds for one build only.
        if !configuration.is_empty() {
            words.push_str(&format!(" under {configuration}"));
        }
        let is_plain = counted.found > 0
            && count == 0
            && counted.hidden.is_none()
            && counted.partial.is_none()
            && !counted.of_file;
        Completeness {
            complete: count == 0 && counted.partial.is_none(),
            configuration,
            unresolved_sites: count,
            by_reason: by_reason(openings),
            first: self.first_openings(openings),
            words: (!is_plain).then_some(words),
        }
    }

    /// The sites that are listed: one of each reason, then the others, [`MOST_FIRST`] in all, each
    /// time the first by (whose file, file, line, column); listed in that order. Only the files
    /// that they may lie in are measured.
    fn first_openings(&self, openings: &UnresolvedSites) -> Vec<OpenSiteAnswer> {
        let mut by_file: FxHashMap<File, Vec<(SiteLocation, Reason)>> = FxHashMap::default();
        for (file, stand, reason) in openings.iter() {
            by_file.entry(file).or_default().push((stand, reason));
        }
        let mut files: Vec<(File, Vec<(SiteLocation, Reason)>)> = by_file.into_iter().collect();
        files.sort_by_cached_key(|(file, _)| self.rank(*file));
        let mut candidates: Vec<(usize, u32, u32, Reason)> = Vec::new();
        let mut reasons: FxHashSet<Reason> = FxHashSet::default();
        for (number, (file, sites)) in files.iter().enumerate() {
            // Of the files that do not come first, those where a reason occurs first.
            let fills = candidates.len() < MOST_FIRST;
            let new = |reason: &Reason| !reasons.contains(reason);
            let wanted: Vec<(SiteLocation, Reason)> = match fills {
                true => sites.clone(),
                false => {
                    let sites = sites.iter().copied();
                    sites.filter(|(_, reason)| new(reason)).collect()
                }
            };
            for (stand, reason) in wanted {
                let (line, column) = self.stand(*file, stand);
                candidates.push((number, line, column, reason));
                reasons.insert(reason);
            }
        }
        candidates.sort_unstable();
        let mut seen = FxHashSet::default();
        let mut chosen = Vec::new();
        let mut others = Vec::new();
        for candidate in candidates {
            match seen.insert(candidate.3) {
                true => chosen.push(candidate),
                false => others.push(candidate),
            }
        }
        chosen.extend(others);
        chosen.truncate(MOST_FIRST);
        chosen.sort_unstable();
        let chosen = chosen.into_iter();
        chosen
            .filter_map(|(number, line, column, reason)| {
                let (file, _) = files.get(number)?;
                Some(OpenSiteAnswer {
                    file: file.path(self.db).to_string(),
                    line,
                    column,
                    reason: reason.wire_name().to_owned(),
                })
            })
            .collect()
    }

    /// Where a file comes among those of an answer: the workspace's own code, its tests,
    /// libraries.
    fn rank(&self, file: File) -> (u8, std::sync::Arc<str>) {
        let group = match file.origin(self.db) {
            Origin::Workspace => u8::from(self.is_test(file)),
            Origin::Library => 2,
        };
        (group, file.path(self.db).clone())
    }

    /// The line and column where something is open.
    fn stand(&self, file: File, stand: SiteLocation) -> (u32, u32) {
        match (stand, self.languages.of(file.lang(self.db))) {
            (SiteLocation::Line(line, column), _) => (line, column),
            (SiteLocation::Spot(spot), Some(language)) => {
                Link::plain(file, spot).line_column(self.db, language)
            }
            (SiteLocation::Spot(_), None) => (0, 0),
        }
    }

    /// What a user should know of the files that an answer is about.
    pub(crate) fn warnings(
        &self,
        openings: &UnresolvedSites,
        files: impl IntoIterator<Item = File>,
        configuration: &str,
    ) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let mut seen = FxHashSet::default();
        let broken = openings.iter();
        let broken = broken.filter(|(_, _, reason)| *reason == Reason::ParseError);
        for file in files.into_iter().chain(broken.map(|(file, _, _)| file)) {
            if !seen.insert(file) {
                continue;
            }
            let report = file_report(self.db, file);
            if let Some(&line) = report.error_lines.first() {
                warnings.push(Warning {
                    file: file.path(self.db).to_string(),
                    line: Some(line),
                    kind: WarningKind::ParseError,
                    message: match report.error_lines.len() {
                        1 => "this line could not be read".to_owned(),
                        lines => format!("{lines} lines could not be read"),
                    },
                });
            }
        }
        for (file, _, reason) in openings.iter() {
            if reason == Reason::ExcludedFile && seen.insert(file) {
                warnings.push(Warning {
                    file: file.path(self.db).to_string(),
                    line: None,
                    kind: WarningKind::Excluded,
                    message: format!("left out under {configuration}, and mentions the name"),
                });
            }
        }
        warnings.sort();
        warnings
    }
}

/// How many sites there are of each reason, in order of the reasons' names.
fn by_reason(openings: &UnresolvedSites) -> BTreeMap<String, u32> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let mut by_reason: FxHashMap<Reason, u32> = FxHashMap::default();
    for (_, _, reason) in openings.iter() {
        *by_reason.entry(reason).or_default() += 1;
    }
    for (reason, count) in by_reason {
        counts.insert(reason.wire_name().to_owned(), count);
    }
    counts
}
