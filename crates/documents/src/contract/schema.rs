//! Schemas of OpenAPI, AsyncAPI and JSON Schema.

use std::collections::BTreeSet;

use super::reference::Trees;
use super::{Contract, Schema, SchemaField};
use crate::value::Value;

/// The depth of schemas in schemas that is read.
const MAX_DEPTH: u32 = 16;

/// Adds the schemas of a mapping from names that have properties.
pub(super) fn add_all(contract: &mut Contract, path: &str, schemas: Value<'_>, trees: &Trees<'_>) {
    for (name, schema) in schemas.entries() {
        add(contract, path, name, schema, trees);
    }
}

/// Adds a schema if it has properties, its own or those of schemas that it is made of.
pub(super) fn add(
    contract: &mut Contract,
    path: &str,
    name: &str,
    schema: Value<'_>,
    trees: &Trees<'_>,
) {
    let mut fields = Vec::new();
    collect(contract, path, schema, trees, &mut fields, 0);
    if fields.is_empty() {
        return;
    }
    contract.schemas.push(Schema {
        name: name.to_owned(),
        description: schema
            .text_of("description")
            .unwrap_or_default()
            .trim()
            .to_owned(),
        fields,
        node: schema.node(),
    });
}

/// Adds the properties of a schema and of all in its `allOf`.
fn collect(
    contract: &mut Contract,
    path: &str,
    schema: Value<'_>,
    trees: &Trees<'_>,
    fields: &mut Vec<SchemaField>,
    depth: u32,
) {
    if depth > MAX_DEPTH {
        return;
    }
    if depth > 0 && schema.get("$ref").is_some() {
        match trees.resolve(path, schema) {
            Ok(found) => collect(contract, &found.path, found.value, trees, fields, depth + 1),
            Err(message) => contract.error(schema.node(), message),
        }
        return;
    }
    for part in schema.get("allOf").map(Value::items).unwrap_or_default() {
        collect(contract, path, part, trees, fields, depth + 1);
    }
    let required = schema.get("required").map(Value::items).unwrap_or_default();
    let required: BTreeSet<&str> = required.into_iter().filter_map(Value::text).collect();
    let properties = schema.get("properties").map(Value::entries);
    for (name, property) in properties.unwrap_or_default() {
        let field = field(name, property, required.contains(name));
        match fields.iter_mut().find(|known| known.name == field.name) {
            Some(known) => *known = field,
            None => fields.push(field),
        }
    }
}

fn field(name: &str, property: Value<'_>, required: bool) -> SchemaField {
    let mut element = property;
    let mut lists = 0;
    while let Some(items) = element.get("items").filter(|_| lists < MAX_DEPTH) {
        element = items;
        lists += 1;
    }
    let reference = reference_of(element);
    let written = element.get("type").and_then(|written| {
        if written.is_sequence() {
            written
                .items()
                .into_iter()
                .filter_map(Value::text)
                .find(|name| *name != "null")
        } else {
            written.text()
        }
    });
    let base = reference.as_deref().or(written);
    let base = base.unwrap_or(if element.get("properties").is_some() {
        "object"
    } else {
        ""
    });
    SchemaField {
        name: name.to_owned(),
        field_type: format!("{base}{}", "[]".repeat(lists as usize)),
        required,
        reference,
        many: lists > 0,
    }
}

/// Returns the name of the schema that a schema refers to: by its `$ref`, or that of the only one in `allOf`, `anyOf` and
/// `oneOf` that is not null.
fn reference_of(schema: Value<'_>) -> Option<String> {
    if let Some(reference) = schema.text_of("$ref") {
        return name_of(reference);
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        let parts = schema.get(key).map(Value::items).unwrap_or_default();
        let references = parts.into_iter().filter_map(|part| part.text_of("$ref"));
        let references: Vec<&str> = references.collect();
        if let [reference] = references[..] {
            return name_of(reference);
        }
    }
    None
}

/// Returns the name of the schema that a reference leads to: its last part, or the name of its file.
fn name_of(reference: &str) -> Option<String> {
    let last = reference.rsplit('/').next()?.trim_start_matches('#');
    let name = if reference.contains('#') {
        last
    } else {
        last.split('.').next()?
    };
    (!name.is_empty()).then(|| name.to_owned())
}

/// Returns the names of the schemas that a value refers to at any depth, sorted.
pub(super) fn names_in(value: Value<'_>) -> Vec<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![(value, 0)];
    while let Some((value, depth)) = open.pop() {
        if depth > MAX_DEPTH {
            continue;
        }
        if let Some(reference) = value.text_of("$ref") {
            let is_schema = ["/schemas/", "/definitions/", "/$defs/"]
                .iter()
                .any(|part| reference.contains(part))
                || !reference.contains('#');
            found.extend(name_of(reference).filter(|_| is_schema));
        }
        open.extend(
            value
                .entries()
                .into_iter()
                .map(|(_, value)| (value, depth + 1)),
        );
        open.extend(value.items().into_iter().map(|value| (value, depth + 1)));
    }
    found.into_iter().collect()
}

/// Returns the required properties of a schema at its top level, sorted.
pub(super) fn required_of(path: &str, schema: Value<'_>, trees: &Trees<'_>) -> Vec<String> {
    let Ok(found) = trees.resolve(path, schema) else {
        return Vec::new();
    };
    let required = found.value.get("required").map(Value::items);
    let names = required
        .unwrap_or_default()
        .into_iter()
        .filter_map(Value::text);
    let names: BTreeSet<String> = names.map(str::to_owned).collect();
    names.into_iter().collect()
}
