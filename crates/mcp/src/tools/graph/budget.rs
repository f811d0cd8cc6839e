//! Fits an answer into a number of tokens, text and structure together.
//!
//! ```text
//! answer -> head, rows -> as many sites a row as let all rows fit -> rows dropped from the end
//!                         code cut in the middle                         -> text, structure
//! ```

use codeweft_ide::api::{GraphRequest, GraphResponse, GraphResult, narrowing};
use serde_json::Value;

use super::body;
use super::head::{Head, cut_middle};
use super::page::{Bodies, Page};
use super::{structure, text};
use crate::tools::tokens;

/// The numbers of sites that rows may have: the first with which all rows fit, else the last.
const SITES: [usize; 4] = [20, 10, 5, 2];

/// The tokens of what says which rows are listed and how to go on, twice.
const NOTICE: usize = 140;

/// The tokens that the code of a row has at least, in text and structure together.
const LEAST_BODY: usize = 200;

/// The length of the reason of a site: a chain of values has any number of steps.
const REASON: usize = 160;

/// The length of a signature in an answer that has one row only.
const SHORT_SIGNATURE: usize = 80;

/// Code and JSON have about four bytes a token; more than this many are not counted.
const MAX_BYTES: usize = 16;

/// An answer that fits.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct FittedAnswer {
    /// What a model reads.
    pub(super) text: String,
    /// The same for programs.
    pub(super) structure: Value,
}

impl FittedAnswer {
    fn of(head: &Head, rows: &[GraphResult]) -> FittedAnswer {
        FittedAnswer {
            text: text::answer(head, rows),
            structure: structure::answer(head, rows),
        }
    }

    /// Returns whether text and structure together have at most so many tokens. A short answer need not
    /// be counted, since a token has at least a byte; a very long one is taken not to fit.
    fn fits(&self, max_tokens: usize) -> bool {
        let structure = self.structure.to_string();
        let bytes = self.text.len() + structure.len();
        bytes <= max_tokens
            || bytes <= max_tokens * MAX_BYTES
                && tokens::count(&self.text) + tokens::count(&structure) <= max_tokens
    }

    /// Returns the tokens of text and structure together.
    pub(super) fn tokens(&self) -> usize {
        tokens::count(&self.text) + tokens::count(&self.structure.to_string())
    }
}

/// Returns an answer's page that fits. Whole rows are dropped from the end, with how many and what
/// goes on or narrows; a row keeps its first sites and has the number of all.
pub(super) fn fit(response: GraphResponse, request: &GraphRequest, page: &Page) -> FittedAnswer {
    let (mut head, all) = Head::split(response, page.offset);
    let mut rows: Vec<GraphResult> = all.iter().skip(page.offset).cloned().collect();
    let keeps_code = match page.bodies {
        Bodies::None => false,
        Bodies::OfOne => all.len() == 1,
        Bodies::All => true,
    };
    for row in &mut rows {
        row.context.take_if(|_| !keeps_code);
        let reasons = row.sites.iter_mut().filter_map(|site| site.reason.as_mut());
        reasons.for_each(|reason| cut_middle(reason, REASON));
    }
    let mut listed = rows.clone();
    listed
        .iter_mut()
        .for_each(|row| row.sites.truncate(SITES[0]));
    let counted = with_counts(head.clone(), request, page, &all, listed.len());
    let answer = FittedAnswer::of(&counted, &listed);
    if answer.fits(page.max_tokens) {
        return answer;
    }
    head.shorten(|head| FittedAnswer::of(head, &[]).tokens() <= page.max_tokens / 2);
    let fixed = FittedAnswer::of(&head, &[]).tokens();
    let free = page.max_tokens.saturating_sub(fixed);
    cut_code(&mut rows, free);
    let mut kept = rows_within(&head, &rows, free);
    if let (true, Some(first)) = (kept.is_empty(), all.get(page.offset)) {
        kept.push(smallest(first, keeps_code, free));
    }
    loop {
        let mut counted = with_counts(head.clone(), request, page, &all, kept.len());
        let answer = FittedAnswer::of(&counted, &kept);
        if answer.fits(page.max_tokens) {
            return answer;
        }
        if kept.pop().is_none() {
            // What is left is cut as far as it can be.
            counted.shorten(|_| false);
            return FittedAnswer::of(&counted, &[]);
        }
    }
}

/// Cuts the code of rows to equal shares of the free tokens.
fn cut_code(rows: &mut [GraphResult], free: usize) {
    let with_code = rows.iter().filter(|row| row.context.is_some()).count();
    // The rest is for signatures and sites.
    let share = (free * 3 / 4) / with_code.max(1);
    for context in rows.iter_mut().filter_map(|row| row.context.as_mut()) {
        body::cut(context, share.max(LEAST_BODY) / 2);
    }
}

/// Returns the rows that fit, with as many sites as let all fit.
fn rows_within(head: &Head, rows: &[GraphResult], free: usize) -> Vec<GraphResult> {
    for sites in SITES {
        let kept = first_rows(head, rows, sites, free);
        if kept.len() == rows.len() {
            return kept;
        }
    }
    let free = free.saturating_sub(NOTICE);
    first_rows(head, rows, SITES[SITES.len() - 1], free)
}

/// Returns the first rows that fit, with at most so many sites each.
fn first_rows(head: &Head, rows: &[GraphResult], sites: usize, free: usize) -> Vec<GraphResult> {
    let mut used = 0;
    let mut kept: Vec<GraphResult> = Vec::new();
    for row in rows {
        let mut row = row.clone();
        row.sites.truncate(sites);
        let written = text::row(head, &row, kept.last());
        // And the comma.
        let structure = structure::row(head, &row).to_string();
        used += tokens::count(&written) + tokens::count(&structure) + 1;
        if used > free {
            break;
        }
        kept.push(row);
    }
    kept
}

/// Returns a row with one site, without the site's code, and with little of its own.
fn smallest(row: &GraphResult, keeps_code: bool, free: usize) -> GraphResult {
    let mut row = row.clone();
    row.sites.truncate(1);
    for site in &mut row.sites {
        site.code = None;
        site.reason = None;
        site.targets.clear();
    }
    if let Some(signature) = &mut row.node.signature {
        cut_middle(signature, SHORT_SIGNATURE);
    }
    row.context.take_if(|_| !keeps_code);
    if let Some(context) = &mut row.context {
        body::cut(context, free / 6);
    }
    row
}

/// Returns the head with how many rows are listed, and what goes on or narrows.
fn with_counts(
    mut head: Head,
    request: &GraphRequest,
    page: &Page,
    all: &[GraphResult],
    listed: usize,
) -> Head {
    let behind = page.offset + listed;
    let response = &mut head.response;
    response.total_returned = listed as u32;
    head.dropped = all.len().saturating_sub(behind);
    // Behind a list that the limit filled are rows that a greater limit lists.
    let is_limited = response.truncated && all.len() == request.max_results as usize;
    let has_more = is_limited && page.can_go_on && page.offset == 0;
    if head.dropped == 0 && !has_more {
        return head;
    }
    let narrows = match response.suggestion.take() {
        _ if !response.truncated => narrowing(request, all, listed),
        // A greater limit lists nothing more where the tokens are what cuts.
        words => words.filter(|words| !words.starts_with("max_")),
    };
    let first = match listed {
        0 => "max_tokens: a greater one lists rows".to_owned(),
        _ => {
            head.next_offset = Some(behind);
            format!("offset: {behind} goes on")
        }
    };
    response.truncated = true;
    response.suggestion = Some(match narrows {
        Some(narrows) => format!("{first}; {narrows}"),
        None => first,
    });
    head
}
