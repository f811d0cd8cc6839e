//! A key whose value is a list of tables (`[[knowledge.recogniser]]`): kept whole as JSON, each with its line. What reads
//! it knows its keys.

use serde_json::{Map, Number, Value};
use toml::de::DeValue;

use super::file::in_order;

/// Returns a list of tables as a JSON array of objects `{line, row}`; the line is 1-based.
///
/// # Errors
/// The words for users.
pub(super) fn read(value: &DeValue<'_>, line: &dyn Fn(usize) -> usize) -> Result<String, String> {
    let wrong = || "takes tables, each headed by its name in double brackets".to_owned();
    let DeValue::Array(list) = value else {
        return Err(wrong());
    };
    let mut rows = Vec::new();
    for table in list {
        let DeValue::Table(entries) = table.get_ref() else {
            return Err(wrong());
        };
        // The table's own span is that of its heading.
        let first = in_order(entries).first().map(|(name, _)| name.span().start);
        let at = first.unwrap_or(table.span().start);
        let mut row = Map::new();
        row.insert("line".to_owned(), Value::from(line(at)));
        row.insert("row".to_owned(), json(table.get_ref(), 8));
        rows.push(Value::Object(row));
    }
    Ok(Value::Array(rows).to_string())
}

/// Returns a value as JSON; nothing below `depth` levels.
fn json(value: &DeValue<'_>, depth: u32) -> Value {
    let Some(depth) = depth.checked_sub(1) else {
        return Value::Null;
    };
    match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(number) => {
            let number = number.as_str().parse::<i64>().ok();
            number.map_or(Value::Null, |number| Value::Number(Number::from(number)))
        }
        DeValue::Boolean(flag) => Value::Bool(*flag),
        DeValue::Array(list) => list.iter().map(|one| json(one.get_ref(), depth)).collect(),
        DeValue::Table(table) => {
            let entries = in_order(table);
            let entries = entries
                .into_iter()
                .map(|(name, value)| (name.get_ref().to_string(), json(value.get_ref(), depth)));
            Value::Object(entries.collect())
        }
        DeValue::Float(number) => Value::String(number.as_str().to_owned()),
        DeValue::Datetime(time) => Value::String(time.to_string()),
    }
}
