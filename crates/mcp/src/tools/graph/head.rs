//! An answer without its rows: what is said once, cut where it is long.

use std::collections::BTreeMap;

use codeweft_ide::api::{GraphResponse, GraphResult, TextChange};

/// The lengths, in characters, to which texts are cut one after the other until the head fits.
const LENGTHS: [usize; 4] = [400, 160, 60, 30];

/// How many groups of unresolved sites are listed.
pub(super) const MAX_GROUPS: usize = 5;

/// An answer without rows.
#[derive(Clone, Debug)]
pub(super) struct Head {
    /// The answer; its `results` are empty.
    pub(super) response: GraphResponse,
    /// The file of the sites that name none. Without it they are in the file of their row's node.
    pub(super) site_file: Option<String>,
    /// The number of files with unsaved text, if not all are listed.
    pub(super) unsaved_total: Option<usize>,
    /// The number of rows before the first.
    pub(super) offset: usize,
    /// The number of rows that the tokens do not hold.
    pub(super) dropped: usize,
    /// The offset of the first row behind those that are listed.
    pub(super) next_offset: Option<usize>,
}

impl Head {
    /// Splits an answer into its head and its rows.
    pub(super) fn split(mut response: GraphResponse, offset: usize) -> (Head, Vec<GraphResult>) {
        let rows = std::mem::take(&mut response.results);
        // The code that it counts is not in the answer.
        response.metadata.context_bytes = None;
        response.completeness.limit_groups(MAX_GROUPS);
        let head = Head {
            site_file: site_file(&rows),
            response,
            unsaved_total: None,
            offset,
            dropped: 0,
            next_offset: None,
        };
        (head, rows)
    }

    /// Returns the file of the sites of a row that name none.
    pub(super) fn implied_file<'a>(&'a self, result: &'a GraphResult) -> &'a str {
        self.site_file.as_deref().unwrap_or(&result.node.file)
    }

    /// Cuts lists and texts, the least important first, until the head is within bounds or nothing is
    /// left to cut. Each list has a count of its own; a cut text has an ellipsis.
    pub(super) fn shorten(&mut self, is_within: impl Fn(&Head) -> bool) {
        self.cut_texts(LENGTHS[0]);
        while !is_within(self) && self.cut_lists() {}
        for length in LENGTHS {
            if is_within(self) {
                return;
            }
            self.cut_texts(length);
        }
    }

    /// Halves the first list that has anything; returns whether there was one.
    fn cut_lists(&mut self) -> bool {
        let response = &mut self.response;
        if !response.cycles.is_empty() {
            let all = response.cycles.len() as u32;
            response.cycles_total.get_or_insert(all);
            return halve(&mut response.cycles);
        }
        if !response.metadata.unsaved.is_empty() {
            let all = response.metadata.unsaved.len();
            self.unsaved_total.get_or_insert(all);
            return halve(&mut response.metadata.unsaved);
        }
        if !response.warnings.is_empty() {
            let all = response.warnings.len() as u32;
            response.warnings_total.get_or_insert(all);
            return halve(&mut response.warnings);
        }
        if response
            .change
            .as_mut()
            .is_some_and(|change| halve_longest(change))
        {
            return true;
        }
        let completeness = &mut response.completeness;
        if !completeness.groups.is_empty() {
            completeness.limit_groups(completeness.groups.len() / 2);
            return true;
        }
        halve(&mut completeness.first)
    }

    fn cut_texts(&mut self, length: usize) {
        let response = &mut self.response;
        let optional = [
            &mut response.note,
            &mut response.suggestion,
            &mut response.completeness.words,
        ];
        let hidden = response.hidden.as_mut().map(|hidden| &mut hidden.words);
        let warnings = response.warnings.iter_mut();
        let texts = [
            &mut response.target,
            &mut response.completeness.configuration,
        ]
        .into_iter()
        .chain(optional.into_iter().flatten())
        .chain(hidden)
        .chain(warnings.map(|warning| &mut warning.message));
        for text in texts {
            cut_middle(text, length);
        }
        self.site_file.take_if(|file| file.chars().count() > length);
    }
}

/// Halves the longest list of what a change touches; returns whether there was one.
fn halve_longest(change: &mut TextChange) -> bool {
    let lengths = [
        change.removed_edges.len(),
        change.added_edges.len(),
        change.files.len(),
        change.tests.len(),
        change.symbols.len(),
    ];
    let longest = lengths.iter().copied().max().unwrap_or(0);
    match lengths.iter().position(|&length| length == longest) {
        Some(0) => halve(&mut change.removed_edges),
        Some(1) => halve(&mut change.added_edges),
        Some(2) => halve(&mut change.files),
        Some(3) => halve(&mut change.tests),
        _ => halve(&mut change.symbols),
    }
}

/// Removes the second half of a list, or its only element; returns whether there was anything.
fn halve<T>(list: &mut Vec<T>) -> bool {
    let before = list.len();
    list.truncate(before / 2);
    before > 0
}

/// Cuts a text to a number of characters, in the middle, with an ellipsis.
pub(super) fn cut_middle(text: &mut String, length: usize) {
    let characters = text.chars().count();
    if characters <= length {
        return;
    }
    let before: String = text.chars().take(length / 2).collect();
    let after: String = text
        .chars()
        .skip(characters - (length - length / 2))
        .collect();
    *text = format!("{before}…{after}");
}

/// Returns the file that more than half of several sites are in, if it is not the file of their nodes.
fn site_file(rows: &[GraphResult]) -> Option<String> {
    let mut all = 0;
    let mut others: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows {
        for site in &row.sites {
            all += 1;
            if site.file != row.node.file {
                *others.entry(&site.file).or_default() += 1;
            }
        }
    }
    let (file, sites) = others.into_iter().max_by_key(|(_, sites)| *sites)?;
    (sites > 1 && sites * 2 > all).then(|| file.to_owned())
}
