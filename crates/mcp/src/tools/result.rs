//! Results of calls from answers and errors.

use std::fmt::Write as _;

use codeweft_ide::api::ApiError;
use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;

/// Converts an answer to a tool result: compact `text` for the model, the whole as structured
/// content for programs.
pub(super) fn result<T: Serialize>(
    answer: &Result<T, ApiError>,
    text: impl FnOnce(&T) -> String,
) -> CallToolResult {
    let (mut result, structured) = match answer {
        Ok(response) => (
            CallToolResult::success(vec![ContentBlock::text(text(response))]),
            serde_json::to_value(response),
        ),
        Err(error) => (
            CallToolResult::error(vec![ContentBlock::text(error_text(error))]),
            serde_json::to_value(error),
        ),
    };
    result.structured_content = structured.ok();
    result
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
