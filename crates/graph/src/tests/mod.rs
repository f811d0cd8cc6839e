//! Tests of the graph's rules, over a toy language.

mod agreement;
mod caller_walks;
mod classes;
mod completeness;
mod excluded;
mod export;
mod flows;
mod hierarchy;
mod impact;
mod literal_calls;
mod modules;
mod operations;
mod origins;
mod outline;
mod paths;
mod redefinitions;
mod requests;
mod search;
mod suggestions;
mod targets;
pub(crate) mod toy;
mod traversal;
mod uses;
mod verdict;

use codeweft_db::RootDb;

use crate::answer::{ApiError, GraphRequest, GraphResponse, Operation};
use crate::{QueryOptions, RevisionCache};

/// Executes a request with one thread, with four, with a warm cache, with one that keeps no solutions and
/// with one that has given everything back: the bytes must be equal.
fn execute(db: &RootDb, request: &GraphRequest) -> Result<GraphResponse, ApiError> {
    let request = &request.clone().check()?;
    let cache = RevisionCache::default();
    let other = RevisionCache::default();
    let keeps_nothing = RevisionCache::with_budget(0);
    let answer = |cache, threads| crate::execute(db, request, QueryOptions::new(cache, threads));
    let alone = answer(&other, 1);
    let together = answer(&cache, 4);
    let again = answer(&cache, 1);
    let bytes = |answer: &Result<GraphResponse, ApiError>| match answer {
        Ok(answer) => serde_json::to_string(answer).unwrap(),
        Err(error) => serde_json::to_string(error).unwrap(),
    };
    assert_eq!(bytes(&alone), bytes(&together));
    assert_eq!(bytes(&alone), bytes(&again));
    assert_eq!(bytes(&alone), bytes(&answer(&keeps_nothing, 1)));
    assert_eq!(bytes(&alone), bytes(&answer(&keeps_nothing, 1)));
    drop(cache.give_back());
    assert_eq!(bytes(&alone), bytes(&answer(&cache, 1)));
    alone
}

/// Prints an answer in lines of the form `depth id  file:line:column resolution reason, …`.
fn lines(answer: &Result<GraphResponse, ApiError>) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => {
            let kind = serde_json::to_string(&error.error_type).unwrap();
            writeln!(text, "{}: {}", kind.trim_matches('"'), error.message).unwrap();
            writeln!(text, "{}", error.fallback_suggestion).unwrap();
            if !error.candidates.is_empty() {
                writeln!(text, "candidates: {}", error.candidates.join(" ")).unwrap();
            }
            return text;
        }
    };
    for result in &answer.results {
        if let Some(depth) = result.depth {
            write!(text, "{depth} ").unwrap();
        }
        write!(text, "{}", result.node.id).unwrap();
        if !result.type_args.is_empty() {
            write!(text, "[{}]", result.type_args.join(",")).unwrap();
        }
        if let Some(receiver) = result.receiver {
            write!(text, " {receiver:?}").unwrap();
        }
        let sites: Vec<String> = result
            .sites
            .iter()
            .map(|site| {
                let reason = site.reason.as_ref().map(|reason| format!(" {reason}"));
                format!(
                    "{}:{}:{} {}{}{}",
                    site.file,
                    site.line,
                    site.column,
                    site.resolution,
                    reason.unwrap_or_default(),
                    if site.in_literal { " in_literal" } else { "" }
                )
            })
            .collect();
        if let Some((way, severity)) = result.impact_type.zip(result.severity) {
            write!(text, " {way:?} {severity:?}").unwrap();
        }
        if !sites.is_empty() {
            write!(text, "  {}", sites.join(", ")).unwrap();
        }
        text.push('\n');
    }
    if answer.truncated {
        writeln!(
            text,
            "{} of {}, cut at {:?}: {}",
            answer.total_returned,
            answer.total_found,
            answer.truncated_at_depth,
            answer.suggestion.as_deref().unwrap_or("")
        )
        .unwrap();
    }
    for cycle in &answer.cycles {
        writeln!(text, "ring {}", cycle.join(" ")).unwrap();
    }
    if !answer.completeness.complete || answer.results.is_empty() {
        let completeness = &answer.completeness;
        writeln!(text, "{}", completeness.words.as_deref().unwrap_or("?")).unwrap();
        for site in &completeness.first {
            writeln!(
                text,
                "  {}:{}:{} {}",
                site.file, site.line, site.column, site.reason
            )
            .unwrap();
        }
    }
    text
}

/// Executes an operation and prints the answer.
fn answer(db: &RootDb, operation: Operation, target: &str) -> String {
    lines(&execute(db, &GraphRequest::new(operation, target)))
}
