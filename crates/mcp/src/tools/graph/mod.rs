//! The tool `cortex_graph`: one request of the code graph. Its schema is generated from the table of
//! request fields.

mod text;

use std::sync::Arc;

use codeweft_ide::api::{
    ApiError, FIELDS, Field, FieldDefault, FieldKind, GraphResponse, parse_request,
};
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::result::result;
use super::tool::{AgentTool, PendingResult, ToolCall};

/// The name on the wire.
const NAME: &str = "cortex_graph";

/// The field that is described although its name explains itself.
const OPERATION: &str = "operation";

const DESCRIPTION: &str = "Callers, callees, implementations, usages, paths and impact of a \
symbol, resolved by types. Use before changing or removing a symbol. Not for literal text.";

const INSTRUCTIONS: &str = "cortex_graph answers from the code graph of this workspace, \
resolved as a compiler sees it: who calls a function, what an interface call may run, what \
implements an interface, what a change reaches. Ask it before you change a signature, remove or \
rename a symbol, or edit over several files. Each answer says in `completeness` whether sites \
that could not be resolved might belong to it; an empty answer is final only where it is \
complete. Do not use it to read one known file, to find literal text, or for new files: your \
own file tools are better there.";

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

    fn call<'a>(&'a self, arguments: Map<String, Value>, call: ToolCall<'a>) -> PendingResult<'a> {
        Box::pin(async move { result(&answer(arguments, call).await, text::answer) })
    }
}

async fn answer(
    arguments: Map<String, Value>,
    call: ToolCall<'_>,
) -> Result<GraphResponse, ApiError> {
    let session = call.session()?;
    let request = parse_request(Value::Object(arguments))?;
    session
        .ask(call.context, |host, options, sender| {
            host.graph(options, request, |answer| sender.send(answer));
        })
        .await
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

fn input() -> Map<String, Value> {
    let properties: Map<String, Value> = FIELDS
        .iter()
        .map(|field| (field.name.to_owned(), property(field)))
        .collect();
    let required: Vec<&str> = FIELDS
        .iter()
        .filter(|field| matches!(field.default, FieldDefault::Required))
        .map(|field| field.name)
        .collect();
    object(json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    }))
}

fn property(field: &Field) -> Value {
    let mut property = object(match field.kind {
        FieldKind::Text => json!({"type": "string"}),
        FieldKind::Texts => json!({"type": "array", "items": {"type": "string"}}),
        FieldKind::Number { least, most: max } => {
            json!({"type": "integer", "minimum": least, "maximum": max})
        }
        FieldKind::Flag => json!({"type": "boolean"}),
        FieldKind::Choice(words) => json!({"type": "string", "enum": words}),
    });
    let mut words = field.words.to_owned();
    match field.default {
        // An optional field with an empty default needs no remark.
        FieldDefault::Required | FieldDefault::Empty => {}
        FieldDefault::Number(number) => {
            let others = field.other_defaults();
            if others.is_empty() {
                property.insert("default".to_owned(), json!(number));
            } else {
                // A schema can state only one default for all operations, and a client that fills it
                // in would change the answer of the others; so it is stated in the description.
                let others: String = others
                    .iter()
                    .map(|(operation, number)| format!(", {} {number}", operation.wire_name()))
                    .collect();
                words.push_str(&format!("; default {number}{others}"));
            }
        }
        FieldDefault::Flag(flag) => {
            property.insert("default".to_owned(), json!(flag));
        }
        FieldDefault::Word(word) => {
            property.insert("default".to_owned(), json!(word));
        }
    }
    // Self-explanatory fields get no description: it would cost tokens in every conversation.
    if field.name != OPERATION {
        property.insert("description".to_owned(), json!(words));
    }
    Value::Object(property)
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
mod tests {
    use super::*;

    #[test]
    fn the_tools_entry_is_small() {
        let entry = serde_json::to_string(&GraphTool.entry()).expect("a tool has a JSON");
        assert!(
            entry.chars().count() < 2000,
            "{} characters: {entry}",
            entry.chars().count()
        );
    }

    #[test]
    fn every_field_has_a_type_and_a_description() {
        let entry = serde_json::to_value(GraphTool.entry()).expect("a tool has a JSON");
        let properties = &entry["inputSchema"]["properties"];
        for field in FIELDS {
            let property = &properties[field.name];
            assert!(property["type"].is_string(), "{}", field.name);
            let said = field.name == OPERATION || property["description"].is_string();
            assert!(said, "{}", field.name);
        }
        assert_eq!(entry["inputSchema"]["additionalProperties"], false);
        assert_eq!(entry["annotations"]["readOnlyHint"], true);
    }
}
