//! Cuts structures that are too long: the longest list loses its second half.

use serde_json::Value;

use super::tokens;

/// Code and JSON have about four bytes a token; more than this many are not counted.
const MAX_BYTES: usize = 16;

/// A text of the answer is cut to no less than this many bytes.
const LEAST_TEXT: usize = 80;

/// Returns whether a text and a structure have at most this number of tokens together.
pub(super) fn is_within(text: &str, structure: &Value, max_tokens: usize) -> bool {
    let structure = structure.to_string();
    let bytes = text.len() + structure.len();
    bytes <= max_tokens
        || bytes <= max_tokens.saturating_mul(MAX_BYTES)
            && tokens::count(text) + tokens::count(&structure) <= max_tokens
}

/// Removes the second half of the list that takes the most bytes, or of the longest text if there is
/// none; returns its path and the number of items, or bytes, that it lost.
pub(super) fn cut_longest(structure: &mut Value) -> Option<(String, usize)> {
    let mut lists: Vec<(usize, String)> = Vec::new();
    sizes("", structure, &mut lists);
    let (_, path) = lists.into_iter().max()?;
    let lost = match structure.pointer_mut(&path)? {
        Value::Array(items) => {
            let before = items.len();
            items.truncate(before / 2);
            before - items.len()
        }
        Value::String(text) => {
            let before = text.len();
            text.truncate(text.floor_char_boundary(before / 2));
            before - text.len()
        }
        _ => return None,
    };
    Some((path.trim_start_matches('/').replace('/', "."), lost))
}

/// Adds the lists that have something, and long texts, with their sizes in bytes and their paths.
fn sizes(path: &str, value: &Value, found: &mut Vec<(usize, String)>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if !matches!(name.as_str(), "note" | "metadata") {
                    sizes(&format!("{path}/{name}"), value, found);
                }
            }
        }
        Value::Array(items) if !items.is_empty() => {
            found.push((value.to_string().len(), path.to_owned()));
        }
        Value::String(text) if text.len() > LEAST_TEXT => found.push((text.len(), path.to_owned())),
        _ => {}
    }
}
