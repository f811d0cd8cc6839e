//! Resources: answers of the tools under URIs that a person can attach to a conversation.
//!
//! What is listed depends on the build alone, as the list of tools; what is read is the answer of now.

use percent_encoding::percent_decode_str;
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

use crate::question::Question;
use crate::tools::{ToolCall, tool};

/// The variable of the templates of symbols.
pub(crate) const SYMBOL: &str = "symbol";

/// The variable of the template of schemas.
pub(crate) const TOOL: &str = "tool";

const SUMMARY: &str = "graph://summary";

const SCHEMA: &str = "graph://schema/";

const PLAIN: &str = "text/plain";

const JSON: &str = "application/json";

/// What is read of a symbol: the part of the URI before it, and what that is.
const OF_SYMBOLS: [(&str, &str); 3] = [
    (
        "callers",
        "Who calls a function or method, resolved by types.",
    ),
    ("callees", "What a function or method calls."),
    (
        "symbol",
        "A declaration: signature, documentation, members, counts of uses.",
    ),
];

/// Returns the resources that are no templates.
pub(crate) fn listed() -> Vec<Resource> {
    vec![
        Resource::new(SUMMARY, "summary")
            .with_description(
                "What is in this workspace: languages, packages, declarations, edges.",
            )
            .with_mime_type(PLAIN),
    ]
}

/// Returns the templates of resources (RFC 6570).
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let of_symbols = OF_SYMBOLS.map(|(name, words)| {
        ResourceTemplate::new(format!("graph://{name}/{{{SYMBOL}}}"), name)
            .with_description(words)
            .with_mime_type(PLAIN)
    });
    let schema = ResourceTemplate::new(format!("{SCHEMA}{{{TOOL}}}"), "schema")
        .with_description("The entry of a tool: arguments with bounds and defaults.")
        .with_mime_type(JSON);
    of_symbols.into_iter().chain([schema]).collect()
}

/// Reads a resource.
///
/// # Errors
/// `resource not found`: no such URI, or the tool's error, which says what to do.
pub(crate) async fn read(uri: String, call: ToolCall<'_>) -> Result<ReadResourceResult, ErrorData> {
    if let Some(name) = uri.strip_prefix(SCHEMA) {
        let tool = tool(name).ok_or_else(|| not_found(format!("unknown tool: {name}")))?;
        let text = serde_json::to_string(&tool.entry()).unwrap_or_default();
        let contents = ResourceContents::text(text, uri).with_mime_type(JSON);
        return Ok(ReadResourceResult::new(vec![contents]));
    }
    let question = question(&uri).map_err(not_found)?;
    let text = question.answer(call).await.map_err(not_found)?;
    let contents = ResourceContents::text(text, uri);
    Ok(ReadResourceResult::new(vec![contents]))
}

fn not_found(words: String) -> ErrorData {
    ErrorData::resource_not_found(words, None)
}

/// Returns the call of a tool that a URI names.
fn question(uri: &str) -> Result<Question, String> {
    if uri == SUMMARY {
        let arguments = json!({"operation": "summary"});
        return Ok(Question::new("cortex_analysis", arguments));
    }
    let parts = uri.strip_prefix("graph://");
    let parts = parts.and_then(|parts| parts.split_once('/'));
    let known = parts.filter(|(name, _)| OF_SYMBOLS.iter().any(|(known, _)| known == name));
    let Some((name, symbol)) = known else {
        let all: Vec<String> = templates().into_iter().map(|it| it.uri_template).collect();
        return Err(format!(
            "no resource {uri}; there are {SUMMARY}, {}",
            all.join(", ")
        ));
    };
    // Clients that do not encode a symbol are understood too.
    let symbol = percent_decode_str(symbol).decode_utf8();
    let symbol = symbol.map_err(|_| format!("no resource {uri}: its symbol is not UTF-8"))?;
    Ok(match name {
        "symbol" => {
            let arguments = json!({"operation": "detail", "target": symbol});
            Question::new("cortex_analysis", arguments)
        }
        operation => {
            let arguments = json!({"operation": operation, "target": symbol});
            Question::new("cortex_graph", arguments)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_is_a_call_of_a_tool() {
        for (uri, tool, arguments) in [
            (
                "graph://callers/net%2Fhttp.(%2AClient).Do",
                "cortex_graph",
                json!({"operation": "callers", "target": "net/http.(*Client).Do"}),
            ),
            (
                "graph://callees/pkg.mod.f",
                "cortex_graph",
                json!({"operation": "callees", "target": "pkg.mod.f"}),
            ),
            (
                "graph://symbol/net/http.Get",
                "cortex_analysis",
                json!({"operation": "detail", "target": "net/http.Get"}),
            ),
            (
                "graph://summary",
                "cortex_analysis",
                json!({"operation": "summary"}),
            ),
        ] {
            let question = question(uri).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(question.tool, tool);
            assert_eq!(serde_json::Value::Object(question.arguments), arguments);
        }
    }

    #[test]
    fn a_uri_that_is_none_is_answered_with_those_that_there_are() {
        for uri in [
            "graph://nothing/f",
            "file:///etc/passwd",
            "graph://callers",
            "",
        ] {
            let error = question(uri).map(|it| it.tool).expect_err(uri);
            assert!(error.ends_with(
                "there are graph://summary, graph://callers/{symbol}, graph://callees/{symbol}, \
                 graph://symbol/{symbol}, graph://schema/{tool}"
            ));
        }
        assert!(question("graph://callers/%ff").is_err());
    }
}
