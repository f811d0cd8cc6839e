//! Requests of the graph and their answers as frontends read and print them: plain data, nothing of a
//! protocol.

pub use codeweft_graph::answer::{
    ANALYSIS_FIELDS, AnalysisOperation, AnalysisRequest, AnalysisResponse, ApiError,
    CheckedAnalysis, CheckedRequest, ErrorType, FIELDS, Field, FieldDefault, FieldKind,
    GraphRequest, GraphResponse, GraphResult, Node, Operation, ReceiverKind, RequestFields,
    RowOrder, Site, SymbolInfo, TextChange, open_sites, verdict,
};

pub use codeweft_graph::narrowing;
pub use codeweft_retrieval::{
    BundleRequest, BundleResponse, MAX_DEPTH as MAX_BUNDLE_DEPTH, TOKEN_BUDGET as BUNDLE_TOKENS,
    TOOL as BUNDLE_TOOL,
};

pub use codeweft_knowledge::tools::{
    KnowledgeAnswer, KnowledgeRequest, KnowledgeResponse, TOOLS as KNOWLEDGE_TOOLS, ToolField,
    ToolFieldKind, ToolRow, count_tokens, knowledge_text, load_vocabulary,
};

/// Parses a request as clients write it, a JSON object of [`FIELDS`].
///
/// # Errors
/// `invalid_request`, which names the field, its value and its bounds.
pub fn parse_request(fields: serde_json::Value) -> Result<CheckedRequest, ApiError> {
    parse(fields)
}

/// Parses a request of an analysis as clients write it, a JSON object of [`ANALYSIS_FIELDS`].
///
/// # Errors
/// `invalid_request`, which names the field and what is wrong with it.
pub fn parse_analysis(fields: serde_json::Value) -> Result<CheckedAnalysis, ApiError> {
    parse(fields)
}

fn parse<T: serde::de::DeserializeOwned>(fields: serde_json::Value) -> Result<T, ApiError> {
    if !fields.is_object() {
        return Err(ApiError::invalid_request("a request is an object"));
    }
    serde_json::from_value(fields).map_err(|error| ApiError::invalid_request(error.to_string()))
}

/// Returns an answer as JSON: equal answers give equal bytes.
pub fn response_json(response: &impl serde::Serialize) -> String {
    plain(response)
}

/// Returns an error as JSON.
pub fn error_json(error: &ApiError) -> String {
    plain(error)
}

/// Returns the name on the wire of a value that is one word there, such as a severity.
pub fn wire_word(value: &impl serde::Serialize) -> Option<String> {
    let value = serde_json::to_value(value).ok()?;
    value.as_str().map(str::to_owned)
}

fn plain(value: &impl serde::Serialize) -> String {
    // Answers hold texts, numbers and lists: nothing that has no JSON.
    serde_json::to_string(value).unwrap_or_default()
}
