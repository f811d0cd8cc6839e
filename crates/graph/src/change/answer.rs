//! The answer to an `impact` with `diff`, from what both states say.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::difference::Difference;
use super::reading::{EdgesByRow, EndFacts};
use crate::answer::{
    AffectedTest, ChangedFile, CheckedRequest, Completeness, GraphResponse, GraphResult, TextChange,
};
use crate::export::EdgeRow;

/// The two ends of a change, in words, and the files that differ.
pub struct ChangeEnds {
    /// See [`TextChange::before`].
    pub before: String,
    /// See [`TextChange::after`].
    pub after: String,
    /// See [`TextChange::files`].
    pub files: Vec<ChangedFile>,
}

impl Difference {
    /// Puts together what the states before and after the change say.
    pub fn answer(
        &self,
        request: &CheckedRequest,
        ends: ChangeEnds,
        before: EndFacts,
        after: EndFacts,
    ) -> GraphResponse {
        let most = request.max_results as usize;
        let mut symbols = after.symbols;
        symbols.extend(before.symbols);
        symbols.sort_by(|one, other| {
            let at = one.file.cmp(&other.file).then(one.line.cmp(&other.line));
            at.then_with(|| one.id.cmp(&other.id))
        });
        let mut tests = joined_tests(before.tests, after.tests);
        if !request.include_tests {
            tests.clear();
        }
        let mut added_edges = only_in(&after.edges, &before.edges);
        let mut removed_edges = only_in(&before.edges, &after.edges);
        let mut files = ends.files;
        let change = TextChange {
            before: ends.before.clone(),
            after: ends.after.clone(),
            files_total: cut(&mut files, most),
            files,
            symbols_total: cut(&mut symbols, most),
            symbols,
            tests_certain: tests.iter().filter(|test| !test.possible).count() as u32,
            tests_total: cut(&mut tests, most),
            tests,
            added_edges_total: cut(&mut added_edges, most),
            added_edges,
            removed_edges_total: cut(&mut removed_edges, most),
            removed_edges,
        };
        let mut response = joined(after.reached, before.reached, most);
        response.target = format!("{} to {}", ends.before, ends.after);
        response.change = Some(Box::new(change));
        response
    }
}

/// Returns the edges that the first of two states has alone, with their positions.
fn only_in(one: &EdgesByRow, other: &EdgesByRow) -> Vec<EdgeRow> {
    let only = one.iter().filter(|(row, _)| !other.contains_key(*row));
    let only = only.map(|(row, location)| EdgeRow {
        location: location.clone(),
        ..row.clone()
    });
    only.collect()
}

/// Cuts a list; returns its length before.
fn cut<T>(list: &mut Vec<T>, most: usize) -> u32 {
    let all = list.len();
    list.truncate(most);
    all as u32
}

/// Returns the tests of both states, the certain ones first, then by steps and id. A test is certain if it is
/// in one of them.
fn joined_tests(before: Vec<AffectedTest>, after: Vec<AffectedTest>) -> Vec<AffectedTest> {
    let mut joined: Vec<AffectedTest> = Vec::new();
    let mut known: FxHashMap<String, usize> = FxHashMap::default();
    // Those after the change come first: their positions hold.
    for test in after.into_iter().chain(before) {
        match known.get(&test.id).and_then(|&at| joined.get_mut(at)) {
            Some(listed) => {
                listed.possible &= test.possible;
                listed.steps = listed.steps.min(test.steps);
            }
            None => {
                known.insert(test.id.clone(), joined.len());
                joined.push(test);
            }
        }
    }
    joined.sort_by(|one, other| {
        let order = |test: &AffectedTest| (test.possible, test.steps);
        order(one)
            .cmp(&order(other))
            .then_with(|| one.id.cmp(&other.id))
    });
    joined
}

/// Adds the results of what is removed to those of the rest.
fn joined(mut after: GraphResponse, before: GraphResponse, most: usize) -> GraphResponse {
    let known: FxHashMap<String, usize> = after
        .results
        .iter()
        .enumerate()
        .map(|(at, result)| (result.node.id.clone(), at))
        .collect();
    after.total_found += before.total_found.saturating_sub(before.total_returned);
    for result in before.results {
        match known
            .get(&result.node.id)
            .and_then(|&at| after.results.get_mut(at))
        {
            Some(listed) => {
                listed.depth = listed.depth.min(result.depth);
                listed.severity = listed.severity.min(result.severity);
            }
            None => {
                after.total_found += 1;
                after.results.push(result);
            }
        }
    }
    let order = |one: &GraphResult| {
        let is_own = !one.node.external;
        (one.depth, Reverse(is_own), one.node.id.clone())
    };
    after.results.sort_by_cached_key(order);
    after.truncated |= before.truncated || after.results.len() > most;
    after.results.truncate(most);
    after.total_returned = after.results.len() as u32;
    after.completeness = worse(after.completeness, before.completeness);
    after
}

/// Returns the completeness that says less.
fn worse(one: Completeness, other: Completeness) -> Completeness {
    if one.complete && !other.complete {
        other
    } else {
        one
    }
}
