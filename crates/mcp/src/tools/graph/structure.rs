//! Answers as structure for programs: what the text says, by the names of the wire.

use codeweft_ide::api::GraphResult;
use serde_json::{Map, Value, json};

use super::head::Head;

/// The fields of a node. The others of the wire follow from these or are positions within a line.
const OF_NODE: &[&str] = &[
    "id",
    "kind",
    "file",
    "start_line",
    "end_line",
    "signature",
    "unsaved",
];

/// Returns an answer with these rows.
pub(super) fn answer(head: &Head, rows: &[GraphResult]) -> Value {
    let mut answer = fields(&head.response);
    let rows: Vec<Value> = rows.iter().map(|result| row(head, result)).collect();
    answer.insert("results".to_owned(), Value::Array(rows));
    let mut add = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            answer.insert(name.to_owned(), value);
        }
    };
    add("site_file", head.site_file.as_ref().map(|file| json!(file)));
    add("dropped", (head.dropped > 0).then(|| json!(head.dropped)));
    add("next_offset", head.next_offset.map(|offset| json!(offset)));
    if let (Some(total), Some(metadata)) = (head.unsaved_total, answer.get_mut("metadata")) {
        metadata["unsaved_total"] = json!(total);
    }
    Value::Object(answer)
}

/// Returns a row. Sites in the file that goes without saying have no `file`.
pub(super) fn row(head: &Head, result: &GraphResult) -> Value {
    let mut row = fields(result);
    if let Some(Value::Object(node)) = row.get_mut("node") {
        node.retain(|name, value| {
            OF_NODE.contains(&name.as_str()) || name == "external" && *value == true
        });
    }
    let implied = head.implied_file(result);
    let sites = row.get_mut("sites").and_then(Value::as_array_mut);
    let mut line: Option<(&str, u32)> = None;
    for (written, site) in sites.into_iter().flatten().zip(&result.sites) {
        let Value::Object(written) = written else {
            continue;
        };
        if site.file == implied {
            written.shift_remove("file");
        }
        if line == Some((&site.file, site.line)) {
            written.shift_remove("code");
        }
        line = Some((&site.file, site.line));
    }
    Value::Object(row)
}

fn fields(value: &impl serde::Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(fields)) => fields,
        // Answers and rows are objects.
        _ => Map::new(),
    }
}
