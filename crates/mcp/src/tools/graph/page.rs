//! The fields that only agents' answers have: how large an answer may be, and where it begins.

use codeweft_ide::api::{ApiError, FIELDS, Field, FieldDefault, FieldKind, Operation};
use serde_json::{Map, Value, json};

use crate::tools::schema;

/// The field of the code of results. Its default depends on the operation.
pub(super) const INCLUDE_CONTEXT: &str = "include_context";

/// The default size of an answer in tokens.
pub(super) const MAX_TOKENS: usize = 4_000;

const MAX_RESULTS: &str = "max_results";

/// The fields beside those of a request of the graph.
pub(super) const PAGE_FIELDS: [Field; 2] = [
    Field {
        name: "max_tokens",
        kind: FieldKind::Number {
            least: 500,
            most: 32_000,
        },
        default: FieldDefault::Number(MAX_TOKENS as u32),
        words: "size of the answer",
    },
    Field {
        name: "offset",
        kind: FieldKind::Number {
            least: 0,
            most: 500,
        },
        default: FieldDefault::Number(0),
        words: "rows to skip",
    },
];

/// Which results have their code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bodies {
    /// None.
    None,
    /// The one result of an answer that has one.
    OfOne,
    /// All.
    All,
}

/// What a call says beside the request of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Page {
    /// The maximal number of tokens of text and structure together.
    pub(super) max_tokens: usize,
    /// The number of rows to skip.
    pub(super) offset: usize,
    /// Which results have their code.
    pub(super) bodies: Bodies,
    /// Whether rows beyond the limit of the list can be had with an offset.
    pub(super) can_go_on: bool,
}

impl Page {
    /// Takes the fields of the page out of a call's arguments, and completes the request that is
    /// left: code is only requested where it is listed, and a page behind the first may be of any row.
    ///
    /// # Errors
    /// A value that is no number within its bounds.
    pub(super) fn take(arguments: &mut Map<String, Value>) -> Result<Page, ApiError> {
        let [max_tokens, offset] = PAGE_FIELDS.map(|field| schema::take_number(&field, arguments));
        let (max_tokens, offset) = (max_tokens?, offset?);
        let is_given = |name: &str| arguments.get(name).is_some_and(|value| !value.is_null());
        let is_definition = arguments.get("operation") == Some(&json!(Operation::Definition));
        let bodies = match arguments.get(INCLUDE_CONTEXT) {
            None | Some(Value::Null) if is_definition => Bodies::OfOne,
            None | Some(Value::Null | Value::Bool(false)) => Bodies::None,
            Some(_) => Bodies::All,
        };
        let can_go_on = !is_given(MAX_RESULTS);
        if can_go_on && offset > 0 {
            arguments.insert(MAX_RESULTS.to_owned(), json!(most(MAX_RESULTS)));
        }
        if bodies == Bodies::None {
            arguments.insert(INCLUDE_CONTEXT.to_owned(), json!(false));
        }
        Ok(Page {
            max_tokens,
            offset,
            bodies,
            can_go_on,
        })
    }
}

/// Returns the greatest value of a number field of the request.
fn most(name: &str) -> u32 {
    let kinds = FIELDS.iter().filter(|field| field.name == name);
    kinds
        .map(|field| match field.kind {
            FieldKind::Number { most, .. } => most,
            _ => 0,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(arguments: Value) -> (Result<Page, String>, Value) {
        let mut arguments = arguments.as_object().cloned().unwrap_or_default();
        let page = Page::take(&mut arguments).map_err(|error| error.message);
        (page, Value::Object(arguments))
    }

    #[test]
    fn code_is_listed_of_one_definition_and_where_it_is_requested_by_name() {
        for (arguments, bodies) in [
            (json!({"operation": "definition"}), Bodies::OfOne),
            (json!({"operation": "callers"}), Bodies::None),
            (
                json!({"operation": "callers", "include_context": true}),
                Bodies::All,
            ),
            (
                json!({"operation": "callers", "include_context": null}),
                Bodies::None,
            ),
            (
                json!({"operation": "definition", "include_context": false}),
                Bodies::None,
            ),
        ] {
            let (page, rest) = take(arguments);
            assert_eq!(page.map(|page| page.bodies), Ok(bodies), "{rest}");
            assert_eq!(rest["include_context"] == false, bodies == Bodies::None);
        }
    }

    #[test]
    fn the_request_of_the_graph_has_none_of_the_fields() {
        let (page, rest) = take(json!({"operation": "callers", "offset": 40, "max_tokens": 500}));
        let page = page.expect("a page");
        assert_eq!((page.offset, page.max_tokens), (40, 500));
        let wanted = json!({"operation": "callers", "max_results": 500, "include_context": false});
        assert_eq!(rest, wanted);
    }

    #[test]
    fn a_value_out_of_bounds_is_refused_with_its_bounds() {
        for (field, value, wrong) in [
            (
                "max_tokens",
                json!(499),
                "max_tokens: 499 is out of bounds 500 to 32000",
            ),
            (
                "max_tokens",
                json!("many"),
                "max_tokens: \"many\" is out of bounds 500 to 32000",
            ),
            ("offset", json!(-1), "offset: -1 is out of bounds 0 to 500"),
        ] {
            assert_eq!(take(json!({field: value})).0, Err(wrong.to_owned()));
        }
    }
}
