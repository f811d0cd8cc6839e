//! Question and answer as both doors and the command line print them: plain data and its
//! renderings, nothing of a protocol.

mod table;
mod verdict;

pub use codeweft_graph::answer::*;
pub use table::table;
pub(crate) use verdict::found;
pub use verdict::verdict;

/// The exit code of the command line for an error.
pub fn exit_code(error_type: ErrorType) -> u8 {
    error_type.exit_code()
}

/// The exit code of the command line for an answer: 0 found, 1 empty.
pub fn exit_code_of(response: &GraphResponse) -> u8 {
    u8::from(response.results.is_empty())
}

/// A request as clients write it: a JSON object of [`FIELDS`]. What is wrong with it is
/// `invalid_request` and names field, value and bounds.
pub fn parse_request(fields: serde_json::Value) -> Result<GraphRequest, ApiError> {
    if !fields.is_object() {
        return Err(ApiError::invalid_request("a request is an object"));
    }
    serde_json::from_value(fields).map_err(|error| ApiError::invalid_request(error.to_string()))
}

/// An answer as JSON: equal answers give equal bytes.
pub fn response_json(response: &GraphResponse) -> String {
    plain(response)
}

/// An error as JSON.
pub fn error_json(error: &ApiError) -> String {
    plain(error)
}

fn plain(value: &impl serde::Serialize) -> String {
    // Answers hold texts, numbers and lists: nothing that has no JSON.
    serde_json::to_string(value).unwrap_or_default()
}
