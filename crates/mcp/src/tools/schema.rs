//! The input schema of a tool, from the table of its request's fields.

use codeweft_ide::api::{ApiError, Field, FieldDefault, FieldKind, RequestFields};
use serde_json::{Map, Value, json};

/// Returns a JSON object; an empty one of anything else.
pub(super) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// Returns the schema of the fields of a request and of further ones. `describe` returns the description
/// of a field, or nothing where its name explains it: descriptions cost tokens in every conversation.
pub(super) fn input<T: RequestFields>(
    further: &[Field],
    describe: impl Fn(&Field) -> Option<String>,
) -> Map<String, Value> {
    let fields = T::FIELDS.iter().chain(further);
    let properties: Map<String, Value> = fields
        .map(|field| {
            let mut property = property::<T>(field);
            if let Some(words) = describe(field) {
                property.insert("description".to_owned(), json!(words));
            }
            (field.name.to_owned(), Value::Object(property))
        })
        .collect();
    let required = T::FIELDS.iter();
    let required = required.filter(|field| matches!(field.default, FieldDefault::Required));
    let required: Vec<&str> = required.map(|field| field.name).collect();
    object(json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    }))
}

/// Returns the description of a field, with its defaults if they depend on the operation.
pub(super) fn words<T: RequestFields>(field: &Field) -> String {
    let mut words = field.words.to_owned();
    let others = T::other_defaults(field.name);
    if let (FieldDefault::Number(number), false) = (field.default, others.is_empty()) {
        // A schema can state only one default for all operations, and a client that fills it in would
        // change the answer of the others; so it is stated in the description.
        let others = others.iter();
        let others: String = others
            .map(|(operation, number)| format!(", {operation} {number}"))
            .collect();
        words.push_str(&format!("; default {number}{others}"));
    }
    words
}

fn property<T: RequestFields>(field: &Field) -> Map<String, Value> {
    let mut property = object(match field.kind {
        FieldKind::Text => json!({"type": "string"}),
        FieldKind::Texts => json!({"type": "array", "items": {"type": "string"}}),
        FieldKind::Number {
            least,
            most: u32::MAX,
        } => json!({"type": "integer", "minimum": least}),
        FieldKind::Number { least, most } => {
            json!({"type": "integer", "minimum": least, "maximum": most})
        }
        FieldKind::Flag => json!({"type": "boolean"}),
        FieldKind::Choice(words) => json!({"type": "string", "enum": words}),
        FieldKind::Choices(words) => {
            json!({"type": "array", "items": {"type": "string", "enum": words}})
        }
    });
    let default = match field.default {
        // An optional field with an empty default needs no remark.
        FieldDefault::Required
        | FieldDefault::Empty
        | FieldDefault::OfOperation
        | FieldDefault::Flag(false)
        | FieldDefault::Number(0) => None,
        FieldDefault::Number(number) => {
            let others = T::other_defaults(field.name);
            others.is_empty().then(|| json!(number))
        }
        FieldDefault::Flag(flag) => Some(json!(flag)),
        FieldDefault::Word(word) => Some(json!(word)),
    };
    if let Some(default) = default {
        property.insert("default".to_owned(), default);
    }
    property
}

/// Takes the value of a number field out of arguments.
///
/// # Errors
/// A value that is no number within its bounds.
pub(super) fn take_number(
    field: &Field,
    arguments: &mut Map<String, Value>,
) -> Result<usize, ApiError> {
    let (least, most) = match field.kind {
        FieldKind::Number { least, most } => (least, most),
        _ => (0, u32::MAX),
    };
    let value = match (arguments.remove(field.name), field.default) {
        (None | Some(Value::Null), FieldDefault::Number(default)) => return Ok(default as usize),
        (value, _) => value.unwrap_or_default(),
    };
    let number = value
        .as_u64()
        .and_then(|number| u32::try_from(number).ok())
        .filter(|number| (least..=most).contains(number));
    number.map(|number| number as usize).ok_or_else(|| {
        let name = field.name;
        ApiError::invalid_request(format!(
            "{name}: {value} is out of bounds {least} to {most}"
        ))
    })
}
