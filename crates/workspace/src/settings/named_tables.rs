//! The sections that have a table for each of some names: `[services.NAME]`, `[entities.NAME]`.

use serde_json::{Map, Value};
use toml::de::{DeTable, DeValue};

use super::file::{in_order, unknown};

/// The keys of a table of a service; `paths` is a list.
const SERVICE_KEYS: &[&str] = &["paths", "domain", "description", "stack"];

/// The keys of a table of an entity.
const ENTITY_KEYS: &[&str] = &["owner"];

/// Returns the tables of a section as a JSON object by name.
///
/// # Errors
/// The byte offset of what is wrong, and the words for users.
pub(super) fn read(section: &str, tables: &DeTable<'_>) -> Result<String, (usize, String)> {
    let known = if section == "services" {
        SERVICE_KEYS
    } else {
        ENTITY_KEYS
    };
    let mut all = Map::new();
    for (name, table) in in_order(tables) {
        let DeValue::Table(values) = table.get_ref() else {
            let words = format!(
                "[{section}] {}: takes a table: [{section}.{}]",
                name.get_ref(),
                name.get_ref()
            );
            return Err((name.span().start, words));
        };
        let mut read = Map::new();
        for (key, value) in in_order(values) {
            let section = format!("[{section}.{}]", name.get_ref());
            if !known.contains(&&**key.get_ref()) {
                let words = unknown("key", key.get_ref(), known.iter().copied());
                return Err((key.span().start, format!("{section} {words}")));
            }
            let value = texts(
                value.get_ref(),
                key.get_ref() == "paths" || key.get_ref() == "stack",
            );
            let value = value.map_err(|words| {
                (
                    key.span().start,
                    format!("{section} {}: {words}", key.get_ref()),
                )
            })?;
            read.insert(key.get_ref().to_string(), value);
        }
        all.insert(name.get_ref().to_string(), Value::Object(read));
    }
    Ok(Value::Object(all).to_string())
}

/// Returns a text, or a list of texts where one may be.
fn texts(value: &DeValue<'_>, may_be_list: bool) -> Result<Value, &'static str> {
    match value {
        DeValue::String(text) => Ok(Value::String(text.to_string())),
        DeValue::Array(list) if may_be_list => {
            let texts = list.iter().map(|one| match one.get_ref() {
                DeValue::String(text) => Ok(Value::String(text.to_string())),
                _ => Err("takes a list of texts"),
            });
            texts.collect::<Result<Vec<_>, _>>().map(Value::Array)
        }
        _ if may_be_list => Err("takes a text or a list of texts"),
        _ => Err("takes a text"),
    }
}
