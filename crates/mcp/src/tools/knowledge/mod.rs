//! The seven tools of the knowledge graph. Names, descriptions and schemas are those of the table of tools.

mod budget;

use std::sync::Arc;

use codeweft_ide::api::{
    ApiError, KNOWLEDGE_TOOLS, KnowledgeRequest, KnowledgeResponse, ToolField, ToolFieldKind,
    ToolRow,
};
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::result::{answered, refused};
use super::schema;
use super::tokens;
use super::tool::{AgentTool, PendingResult, ToolCall};

/// The size of an answer in tokens, text and structure together.
const MAX_TOKENS: usize = 8_000;

/// The tools, in the order of `tools/list`.
pub(super) static TOOLS: [KnowledgeTool; 7] = [
    KnowledgeTool(0),
    KnowledgeTool(1),
    KnowledgeTool(2),
    KnowledgeTool(3),
    KnowledgeTool(4),
    KnowledgeTool(5),
    KnowledgeTool(6),
];

/// A tool, by its number in the table.
pub(super) struct KnowledgeTool(usize);

impl KnowledgeTool {
    fn row(&self) -> &'static ToolRow {
        // A tool for each row: a test counts them.
        KNOWLEDGE_TOOLS.get(self.0).unwrap_or(&KNOWLEDGE_TOOLS[0])
    }
}

impl AgentTool for KnowledgeTool {
    fn name(&self) -> &'static str {
        self.row().name
    }

    fn entry(&self) -> Tool {
        let row = self.row();
        Tool::new(row.name, row.description, Arc::new(input(row)))
            .with_raw_output_schema(Arc::new(output(row)))
            .with_annotations(ToolAnnotations::new().read_only(true))
    }

    fn instructions(&self) -> &'static str {
        ""
    }

    fn call<'a>(&'a self, arguments: Map<String, Value>, call: ToolCall<'a>) -> PendingResult<'a> {
        Box::pin(async move {
            let max_tokens = if call.is_for_whole() {
                usize::MAX
            } else {
                MAX_TOKENS
            };
            if call.session().is_ok() {
                tokens::load();
            }
            match answer(self.name(), arguments, call).await {
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
    tool: &str,
    arguments: Map<String, Value>,
    call: ToolCall<'_>,
) -> Result<KnowledgeResponse, ApiError> {
    let session = call.session()?;
    let request = KnowledgeRequest::parse(tool, Value::Object(arguments))?;
    session
        .ask(call.context, |host, options, sender| {
            host.graph(options, request, |answer| sender.send(answer));
        })
        .await
}

fn input(row: &ToolRow) -> Map<String, Value> {
    let fields = row.fields.iter();
    let properties: Map<String, Value> = fields
        .map(|field| (field.name.to_owned(), property(field)))
        .collect();
    let required = row.fields.iter();
    let required = required.filter(|field| field.kind == ToolFieldKind::RequiredText);
    let required: Vec<&str> = required.map(|field| field.name).collect();
    let mut input = schema::object(json!({"type": "object", "properties": properties}));
    if !required.is_empty() {
        input.insert("required".to_owned(), json!(required));
    }
    input.insert("additionalProperties".to_owned(), json!(false));
    input
}

/// Returns the schema of a field. A text that is empty by default needs no remark.
fn property(field: &ToolField) -> Value {
    let mut property = match field.kind {
        ToolFieldKind::RequiredText | ToolFieldKind::Text => json!({"type": "string"}),
        ToolFieldKind::Flag(default) => json!({"type": "boolean", "default": default}),
        ToolFieldKind::Whole {
            default,
            least,
            most,
        } => json!({"type": "integer", "minimum": least, "maximum": most, "default": default}),
        ToolFieldKind::Real {
            default,
            least,
            most,
        } => json!({"type": "number", "minimum": least, "maximum": most, "default": default}),
    };
    if !field.words.is_empty() {
        property["description"] = json!(field.words);
    }
    property
}

/// Returns the output schema, one level deep.
fn output(row: &ToolRow) -> Map<String, Value> {
    let lists = row.lists.iter();
    let lists: Map<String, Value> = lists
        .map(|name| ((*name).to_owned(), json!({"type": "array"})))
        .collect();
    schema::object(json!({"type": "object", "properties": lists}))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn every_row_of_the_table_is_a_tool() {
        let names = TOOLS.iter().map(|tool| tool.name());
        assert!(names.eq(KNOWLEDGE_TOOLS.iter().map(|row| row.name)));
    }

    #[test]
    fn the_tools_entries_are_small() {
        let size = |tool: &dyn AgentTool| {
            let entry = serde_json::to_string(&tool.entry()).expect("a tool has a JSON");
            entry.chars().count()
        };
        let own: Vec<usize> = TOOLS.iter().map(|tool| size(tool)).collect();
        assert!(own.iter().sum::<usize>() < 5_000, "{own:?}");
        let all: usize = super::super::offered(true).map(size).sum();
        assert!(all < 9_000, "{all} characters");
    }

    #[test]
    fn a_schema_has_types_defaults_and_bounds() {
        let entry = serde_json::to_value(TOOLS[3].entry()).expect("a tool has a JSON");
        expect![[r#"
            {
              "name": "hybrid_search",
              "description": "Nodes by words, near an anchor first. For names in code use cortex_graph search.",
              "inputSchema": {
                "type": "object",
                "properties": {
                  "query": {
                    "type": "string"
                  },
                  "n_results": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 100,
                    "default": 10
                  },
                  "node_types": {
                    "type": "string",
                    "description": "by commas, also context: summaries"
                  },
                  "service_name": {
                    "type": "string"
                  },
                  "anchor_node_id": {
                    "type": "string"
                  },
                  "semantic_weight": {
                    "type": "number",
                    "minimum": 0.0,
                    "maximum": 1.0,
                    "default": 0.6
                  },
                  "graph_weight": {
                    "type": "number",
                    "minimum": 0.0,
                    "maximum": 1.0,
                    "default": 0.4
                  }
                },
                "required": [
                  "query"
                ],
                "additionalProperties": false
              },
              "outputSchema": {
                "type": "object",
                "properties": {
                  "results": {
                    "type": "array"
                  }
                }
              },
              "annotations": {
                "readOnlyHint": true
              }
            }"#]].assert_eq(&serde_json::to_string_pretty(&entry).expect("JSON"));
    }
}
