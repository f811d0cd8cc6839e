//! The tool `cortex_graph`: one request of the code graph. Its schema is generated from the table of
//! request fields.

mod body;
mod budget;
mod head;
mod page;
mod structure;
mod text;

use std::sync::Arc;

use codeweft_ide::api::{ApiError, CheckedRequest, GraphResponse, Operation, parse_request};
use rmcp::model::{CallToolResult, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::result::{answered, refused};
use super::schema;
use super::schema::object;
use super::tokens;
use super::tool::{AgentTool, PendingResult, ToolCall};
use budget::FittedAnswer;
use head::Head;
use page::{INCLUDE_CONTEXT, MAX_TOKENS, PAGE_FIELDS, Page};

/// The name on the wire.
const NAME: &str = "cortex_graph";

/// The fields whose names explain them: descriptions cost tokens in every conversation.
const SELF_EXPLANATORY: &[&str] = &[
    "operation",
    "exclude_patterns",
    "include_literal_calls",
    "context_lines",
    "within",
    "max_results",
    "max_per_level",
    "include_tests",
    "change_type",
    "max_tokens",
    "offset",
];

/// The description of [`INCLUDE_CONTEXT`].
const CODE: &str = "with code";

const DESCRIPTION: &str = "Callers, callees, implementations, usages, paths, impact of a symbol or \
diff, resolved by types: use before changing. search before guessing an id, outline before \
reading a file. Not for literal text.";

const INSTRUCTIONS: &str = "cortex_graph answers from the code graph of this workspace, \
resolved as a compiler sees it: who calls a function, what implements an interface, what a change \
reaches. Ask it before you change a signature, remove or rename a symbol, or edit over several \
files. Find ids with `search`, what a file or package declares with `outline`. `completeness` \
says whether sites that could not be resolved might belong to an answer; an empty one is final \
only where it is complete. For literal text, code of one known file and new files use your own \
file tools.";

/// The tool.
pub(super) struct GraphTool;

impl AgentTool for GraphTool {
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
            if call.is_for_whole() {
                return whole(arguments, call).await;
            }
            let page = match Page::take(&mut arguments) {
                Ok(page) => page,
                Err(error) => return refused(error, MAX_TOKENS),
            };
            if call.session().is_ok() {
                tokens::load();
            }
            match answer(arguments, call).await {
                Ok((request, response)) => {
                    let FittedAnswer { text, structure } = budget::fit(response, &request, &page);
                    answered(text, Some(structure))
                }
                Err(error) => refused(error, page.max_tokens),
            }
        })
    }
}

/// Answers a program that requests the whole answer, of any size, with every field of the wire.
async fn whole(arguments: Map<String, Value>, call: ToolCall<'_>) -> CallToolResult {
    match answer(arguments, call).await {
        Ok((_, response)) => {
            let structure = serde_json::to_value(&response).ok();
            let (head, mut rows) = Head::split(response, 0);
            // A program reads the structure.
            rows.iter_mut().for_each(|row| row.context = None);
            answered(text::answer(&head, &rows), structure)
        }
        Err(error) => refused(error, usize::MAX),
    }
}

/// Returns the request of a call with the graph's answer.
async fn answer(
    arguments: Map<String, Value>,
    call: ToolCall<'_>,
) -> Result<(CheckedRequest, GraphResponse), ApiError> {
    let session = call.session()?;
    let request = parse_request(Value::Object(arguments))?;
    let query = request.clone();
    let response = session
        .ask(call.context, |host, options, sender| {
            host.graph(options, query, |answer| sender.send(answer));
        })
        .await?;
    Ok((request, response))
}

fn input() -> Map<String, Value> {
    let mut input = schema::input::<Operation>(&PAGE_FIELDS, |field| {
        let words = match field.name {
            INCLUDE_CONTEXT => CODE.to_owned(),
            _ => schema::words::<Operation>(field),
        };
        (!SELF_EXPLANATORY.contains(&field.name)).then_some(words)
    });
    let code = input.get_mut("properties");
    if let Some(Value::Object(code)) = code.and_then(|code| code.get_mut(INCLUDE_CONTEXT)) {
        // Absent means the code of one definition.
        code.shift_remove("default");
    }
    input
}

/// Returns the output schema, one level deep: the fields that a client reads first.
fn output() -> Map<String, Value> {
    object(json!({
        "type": "object",
        "properties": {
            "results": {"type": "array"},
            "total_found": {"type": "integer"},
            "truncated": {"type": "boolean"},
            "completeness": {"type": "object"},
        },
    }))
}

#[cfg(test)]
mod tests;
