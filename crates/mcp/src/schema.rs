//! The tool's entry in `tools/list`, made from the table of fields.

use std::sync::Arc;

use codeweft_ide::api::{FIELDS, Field, FieldDefault, FieldKind};
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

/// The tool's name.
pub const TOOL: &str = "cortex_graph";

/// The field whose words say it all.
const OPERATION: &str = "operation";

const DESCRIPTION: &str = "Callers, callees, implementations, usages, paths and impact of a \
symbol, resolved by types. Use before changing or removing a symbol. Not for literal text.";

/// The tool as it is listed.
pub fn tool() -> Tool {
    Tool::new(TOOL, DESCRIPTION, Arc::new(input()))
        .with_raw_output_schema(Arc::new(output()))
        .with_annotations(ToolAnnotations::new().read_only(true))
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
        FieldKind::Number { least, most } => {
            json!({"type": "integer", "minimum": least, "maximum": most})
        }
        FieldKind::Flag => json!({"type": "boolean"}),
        FieldKind::Choice(words) => json!({"type": "string", "enum": words}),
    });
    let mut words = field.words.to_owned();
    match field.default {
        // What may be left out and stands for nothing needs no word.
        FieldDefault::Required | FieldDefault::Empty => {}
        FieldDefault::Number(number) => {
            property.insert("default".to_owned(), json!(number));
        }
        // One default for every operation is what a schema can say; a client that fills it in
        // would change the answer of the others, so it is said in words.
        FieldDefault::NumberBy(number, others) => {
            let others: String = others
                .iter()
                .map(|(operation, number)| format!(", {} {number}", operation.wire_name()))
                .collect();
            words.push_str(&format!("; default {number}{others}"));
        }
        FieldDefault::Flag(flag) => {
            property.insert("default".to_owned(), json!(flag));
        }
        FieldDefault::Word(word) => {
            property.insert("default".to_owned(), json!(word));
        }
    }
    // Names that speak for themselves cost every conversation less alone.
    if field.name != OPERATION {
        property.insert("description".to_owned(), json!(words));
    }
    Value::Object(property)
}

/// One level deep: what a client reads first of a response.
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
    fn the_entry_is_small() {
        let entry = serde_json::to_string(&tool()).expect("a tool has a JSON");
        assert!(
            entry.chars().count() < 2000,
            "{} characters: {entry}",
            entry.chars().count()
        );
    }

    #[test]
    fn every_field_has_a_type_and_words() {
        let entry = serde_json::to_value(tool()).expect("a tool has a JSON");
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
