//! Results of calls from answers and errors.

use std::fmt::Write as _;

use codeweft_ide::api::ApiError;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

use super::tokens;

/// The lengths, in characters, to which the texts of an error are cut until it fits.
const LENGTHS: [usize; 3] = [800, 200, 60];

/// Returns the result of an answer: text for the model, the same as structured content for programs.
pub(super) fn answered(text: String, structure: Option<Value>) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = structure;
    result
}

/// Returns the result of an error with at most this number of tokens, text and structure together.
/// Candidates that do not fit are dropped from the end, with a count.
pub(super) fn refused(mut error: ApiError, max_tokens: usize) -> CallToolResult {
    let all = error.candidates.len();
    let (mut text, mut structure) = written(&error, all);
    let mut lengths = LENGTHS.into_iter();
    while !is_within(&text, &structure.to_string(), max_tokens) {
        if error.candidates.pop().is_none() {
            let Some(length) = lengths.next() else {
                break;
            };
            cut(&mut error.message, length);
            cut(&mut error.fallback_suggestion, length);
        }
        (text, structure) = written(&error, all);
    }
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.structured_content = Some(structure);
    result
}

/// Returns whether two texts have at most this number of tokens together. A token has at least one
/// byte: short texts are not counted.
fn is_within(text: &str, structure: &str, max_tokens: usize) -> bool {
    text.len() + structure.len() <= max_tokens
        || tokens::count(text) + tokens::count(structure) <= max_tokens
}

/// Returns an error as text and structure, with the number of candidates that it does not list.
fn written(error: &ApiError, candidates: usize) -> (String, Value) {
    let mut text = error_text(error);
    let mut structure = serde_json::to_value(error).unwrap_or_default();
    let dropped = candidates - error.candidates.len();
    if dropped > 0 {
        // Writing to a string cannot fail.
        let _ = write!(text, "\nand {dropped} more candidates");
        structure["dropped"] = dropped.into();
    }
    (text, structure)
}

fn cut(text: &mut String, length: usize) {
    if let Some((at, _)) = text.char_indices().nth(length) {
        text.truncate(at);
        text.push('…');
    }
}

/// Writes an error: what is wrong, what to do, and what was possibly meant.
fn error_text(error: &ApiError) -> String {
    let mut text = error.message.clone();
    for candidate in &error.candidates {
        if !error.fallback_suggestion.contains(candidate) {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n  {candidate}");
        }
    }
    if !error.fallback_suggestion.is_empty() {
        let _ = write!(text, "\n{}", error.fallback_suggestion);
    }
    text
}
