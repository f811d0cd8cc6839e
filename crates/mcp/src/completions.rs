//! Completions of what a client types for a resource or a prompt: ids of symbols, names of tools.

use codeweft_ide::api::{ApiError, parse_request};
use rmcp::model::{CompleteRequestParams, CompletionInfo, Reference};
use serde_json::json;

use crate::prompts::{CHANGE_TYPE, TARGET};
use crate::resources::{SYMBOL, TOOL};
use crate::tools::{ToolCall, offered};

const CHANGES: [&str; 3] = ["signature", "behavior", "removal"];

/// Returns what an argument may become, at most 100 values, the best first; none of an argument that takes any text.
///
/// # Errors
/// There is no server, or it did not answer in time.
pub(crate) async fn complete(
    request: &CompleteRequestParams,
    call: ToolCall<'_>,
) -> Result<CompletionInfo, ApiError> {
    let typed = request.argument.value.as_str();
    let values = match (&request.r#ref, request.argument.name.as_str()) {
        (Reference::Resource(_), SYMBOL) | (Reference::Prompt(_), TARGET) => {
            symbols(typed, call).await?
        }
        (Reference::Resource(_), TOOL) => offered(true)
            .map(|tool| tool.name())
            .filter(|name| name.starts_with(typed))
            .map(str::to_owned)
            .collect(),
        (Reference::Prompt(_), CHANGE_TYPE) => CHANGES
            .into_iter()
            .filter(|name| name.starts_with(typed))
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    };
    // There are at most 100.
    Ok(CompletionInfo::new(values).unwrap_or_default())
}

/// Returns the ids of the symbols that a search for the typed text finds.
async fn symbols(typed: &str, call: ToolCall<'_>) -> Result<Vec<String>, ApiError> {
    if typed.trim().is_empty() {
        return Ok(Vec::new());
    }
    let session = call.session()?;
    let request = parse_request(json!({
        "operation": "search",
        "target": typed,
        "within": "workspace",
        "max_results": CompletionInfo::MAX_VALUES,
        "include_context": false,
    }))?;
    let answer = session.ask(call.context, |host, options, sender| {
        host.graph(options, request, |answer| sender.send(answer));
    });
    let found = answer.await?.results.into_iter();
    Ok(found.map(|result| result.node.id.to_string()).collect())
}
