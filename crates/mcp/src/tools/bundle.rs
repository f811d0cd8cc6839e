//! The tool `codegraph_query`: the files and declarations that a task will touch, under a budget of tokens.

use std::sync::Arc;

use codeweft_ide::api::{
    ApiError, BUNDLE_TOKENS, BUNDLE_TOOL, BundleRequest, BundleResponse, MAX_BUNDLE_DEPTH,
};
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::result::{answered, refused};
use super::schema;
use super::tokens;
use super::tool::{AgentTool, PendingResult, ToolCall};

/// The size of an error in tokens.
const MAX_ERROR: usize = 4_000;

const DESCRIPTION: &str =
    "Files and symbols a task is about: paste its whole text. Not for one known file.";

/// The tool.
pub(super) struct BundleTool;

impl AgentTool for BundleTool {
    fn name(&self) -> &'static str {
        BUNDLE_TOOL
    }

    fn entry(&self) -> Tool {
        Tool::new(BUNDLE_TOOL, DESCRIPTION, Arc::new(input()))
            .with_raw_output_schema(Arc::new(output()))
            .with_annotations(ToolAnnotations::new().read_only(true))
    }

    fn instructions(&self) -> &'static str {
        ""
    }

    fn call<'a>(&'a self, arguments: Map<String, Value>, call: ToolCall<'a>) -> PendingResult<'a> {
        Box::pin(async move {
            if call.session().is_ok() {
                tokens::load();
            }
            match answer(arguments, call).await {
                Ok(mut response) => {
                    let text = std::mem::take(&mut response.text);
                    let structure = serde_json::to_value(&response).unwrap_or_default();
                    answered(text, Some(structure))
                }
                Err(error) => refused(error, MAX_ERROR),
            }
        })
    }
}

async fn answer(
    arguments: Map<String, Value>,
    call: ToolCall<'_>,
) -> Result<BundleResponse, ApiError> {
    let session = call.session()?;
    let request = BundleRequest::parse(arguments)?;
    session
        .ask(call.context, |host, options, sender| {
            host.graph(options, request, |answer| sender.send(answer));
        })
        .await
}

fn input() -> Map<String, Value> {
    let whole = |(least, most, default): (u32, u32, u32)| json!({"type": "integer", "minimum": least, "maximum": most, "default": default});
    schema::object(json!({
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "cursor_file": {"type": "string"},
            "max_depth": whole(MAX_BUNDLE_DEPTH),
            "token_budget": whole(BUNDLE_TOKENS),
            "include_snippets": {"type": "boolean"},
        },
        "required": ["query"],
        "additionalProperties": false,
    }))
}

/// Returns the output schema, one level deep.
fn output() -> Map<String, Value> {
    schema::object(json!({"type": "object"}))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn the_three_core_tools_entries_are_small() {
        let all = super::super::TOOLS.iter();
        let entries =
            all.map(|tool| serde_json::to_string(&tool.entry()).expect("a tool has a JSON"));
        let sizes: Vec<usize> = entries.map(|entry| entry.chars().count()).collect();
        assert_eq!(sizes.len(), 3);
        assert!(sizes.iter().sum::<usize>() < 4_000, "{sizes:?}");
    }

    #[test]
    fn the_schema_has_types_defaults_and_bounds() {
        let entry = serde_json::to_value(BundleTool.entry()).expect("a tool has a JSON");
        let properties = &entry["inputSchema"]["properties"];
        expect![[r#"{"type":"integer","minimum":200,"maximum":32000,"default":3500}"#]]
            .assert_eq(&properties["token_budget"].to_string());
        assert_eq!(entry["inputSchema"]["additionalProperties"], false);
        assert_eq!(entry["annotations"]["readOnlyHint"], true);
    }
}
