//! The tool `cortex_analysis`: one analysis of the workspace. Its schema is generated from the table of
//! request fields.

mod budget;

use std::sync::Arc;

use codeweft_ide::api::{
    AnalysisOperation, AnalysisResponse, ApiError, Field, FieldDefault, FieldKind, parse_analysis,
};
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::result::{answered, refused};
use super::schema;
use super::tokens;
use super::tool::{AgentTool, PendingResult, ToolCall};

/// The name on the wire.
const NAME: &str = "cortex_analysis";

/// The default size of an answer in tokens.
const MAX_TOKENS: u32 = 4_000;

/// The field beside those of a request.
const SIZE: Field = Field {
    name: "max_tokens",
    kind: FieldKind::Number {
        least: 500,
        most: 32_000,
    },
    default: FieldDefault::Number(MAX_TOKENS),
    words: "size of the answer",
};

/// The fields whose names do not explain them: descriptions cost tokens in every conversation.
const DESCRIBED: &[&str] = &["target", "pattern", "include_tests"];

const DESCRIPTION: &str = "Whole workspace: symbols by use, unused ones, hotspots, packages, \
import cycles; one declaration in detail.";

const INSTRUCTIONS: &str = " cortex_analysis is about the whole workspace.";

/// The tool.
pub(super) struct AnalysisTool;

impl AgentTool for AnalysisTool {
    fn name(&self) -> &'static str {
        NAME
    }

    fn entry(&self) -> Tool {
        Tool::new(NAME, DESCRIPTION, Arc::new(input()))
            .with_raw_output_schema(Arc::new(output()))
            .with_annotations(ToolAnnotations::new().read_only(true))
    }

    fn instructions(&self) -> &'static str {
        INSTRUCTIONS
    }

    fn call<'a>(
        &'a self,
        mut arguments: Map<String, Value>,
        call: ToolCall<'a>,
    ) -> PendingResult<'a> {
        Box::pin(async move {
            let max_tokens = if call.is_for_whole() {
                Ok(usize::MAX)
            } else {
                schema::take_number(&SIZE, &mut arguments)
            };
            let max_tokens = match max_tokens {
                Ok(max_tokens) => max_tokens,
                Err(error) => return refused(error, MAX_TOKENS as usize),
            };
            if call.session().is_ok() && max_tokens < usize::MAX {
                tokens::load();
            }
            match answer(arguments, call).await {
                Ok(response) => {
                    let (text, structure) = budget::fit(response, max_tokens);
                    answered(text, Some(structure))
                }
                Err(error) => refused(error, max_tokens),
            }
        })
    }
}

async fn answer(
    arguments: Map<String, Value>,
    call: ToolCall<'_>,
) -> Result<AnalysisResponse, ApiError> {
    let session = call.session()?;
    let request = parse_analysis(Value::Object(arguments))?;
    session
        .ask(call.context, |host, options, sender| {
            host.graph(options, request, |answer| sender.send(answer));
        })
        .await
}

fn input() -> Map<String, Value> {
    schema::input::<AnalysisOperation>(&[SIZE], |field| {
        let is_described = DESCRIBED.contains(&field.name);
        is_described.then(|| schema::words::<AnalysisOperation>(field))
    })
}

/// Returns the output schema, one level deep.
fn output() -> Map<String, Value> {
    schema::object(json!({
        "type": "object",
        "properties": {
            "operation": {"type": "string"},
            "metadata": {"type": "object"},
        },
    }))
}

#[cfg(test)]
mod tests {
    use codeweft_ide::api::ANALYSIS_FIELDS;

    use super::*;

    #[test]
    fn every_field_is_in_the_schema_with_its_type() {
        let entry = serde_json::to_value(AnalysisTool.entry()).expect("a tool has a JSON");
        let properties = &entry["inputSchema"]["properties"];
        for field in ANALYSIS_FIELDS.iter().chain([&SIZE]) {
            assert!(properties[field.name]["type"].is_string(), "{}", field.name);
        }
        assert_eq!(entry["inputSchema"]["additionalProperties"], false);
        assert_eq!(entry["annotations"]["readOnlyHint"], true);
    }
}
