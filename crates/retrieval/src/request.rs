//! The request of the tool `codegraph_query`, and its answer.

use codeweft_graph::answer::{ApiError, Metadata, Warning};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The name of the tool.
pub const TOOL: &str = "codegraph_query";

/// The bounds of the size of an answer, in tokens, and the default.
pub const TOKEN_BUDGET: (u32, u32, u32) = (200, 32_000, 3_500);

/// The bounds of the hops from a symbol, and the default.
pub const MAX_DEPTH: (u32, u32, u32) = (0, 3, 1);

/// The most bytes of a query.
const MAX_QUERY: usize = 1 << 20;

/// A request for what a text is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BundleRequest {
    /// Free text, or a symbol.
    pub query: String,
    /// The file that the client has before it, as answers print paths; empty for none.
    pub cursor_file: String,
    /// The hops from a symbol to its callers and callees.
    pub max_depth: u32,
    /// The size of the answer's text in tokens; `None` for that of the settings.
    pub token_budget: Option<u32>,
    /// Whether code is part of the answer.
    pub include_snippets: bool,
    /// Whether test files are ranked among the others.
    pub include_tests: bool,
    /// Whether the parts of each score are listed.
    pub explain: bool,
}

/// The request as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    query: String,
    #[serde(default)]
    cursor_file: String,
    max_depth: Option<u32>,
    token_budget: Option<u32>,
    #[serde(default)]
    include_snippets: bool,
    #[serde(default)]
    include_tests: bool,
    #[serde(default)]
    explain: bool,
    format: Option<String>,
}

impl BundleRequest {
    /// Reads a JSON object.
    ///
    /// # Errors
    /// `invalid_request` for an unknown field, a value out of bounds, and a query that is too long.
    pub fn parse(request: Map<String, Value>) -> Result<BundleRequest, ApiError> {
        let written: Written = serde_json::from_value(Value::Object(request))
            .map_err(|error| ApiError::invalid_request(error.to_string()))?;
        if written
            .format
            .as_deref()
            .is_some_and(|format| format != "markdown")
        {
            return Err(ApiError::invalid_request("format: only markdown"));
        }
        BundleRequest {
            query: written.query,
            cursor_file: written.cursor_file,
            max_depth: written.max_depth.unwrap_or(MAX_DEPTH.2),
            token_budget: written.token_budget,
            include_snippets: written.include_snippets,
            include_tests: written.include_tests,
            explain: written.explain,
        }
        .check()
    }

    /// Returns the request if its values are within their bounds.
    ///
    /// # Errors
    /// `invalid_request` with the field and its bounds.
    pub fn check(self) -> Result<BundleRequest, ApiError> {
        let within = |name: &str, value: u32, (least, most, _): (u32, u32, u32)| {
            if (least..=most).contains(&value) {
                return Ok(());
            }
            let words = format!("{name}: {value} is not within {least} to {most}");
            Err(ApiError::invalid_request(words))
        };
        within("max_depth", self.max_depth, MAX_DEPTH)?;
        if let Some(budget) = self.token_budget {
            within("token_budget", budget, TOKEN_BUDGET)?;
        }
        if self.query.len() > MAX_QUERY {
            let words = format!("query: longer than {MAX_QUERY} bytes");
            return Err(ApiError::invalid_request(words));
        }
        Ok(self)
    }
}

/// A row of an answer: a declaration or the head of a file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BundleRow {
    /// The file, from the workspace's root.
    pub path: String,
    /// The first and the last line, 1-based.
    pub line_range: [u32; 2],
    /// The qualified name of the declaration; empty for the head of a file.
    pub symbol: String,
    /// Its first line of code.
    pub excerpt: String,
    /// The score of the file.
    pub score: f64,
    /// What brought the file in.
    pub why: Vec<String>,
    /// Whether the file probably is what the query is about; else it is related.
    pub likely: bool,
    /// The weighted terms of the score, if they were requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<(String, f64)>,
}

/// What a text is about: files in the order of their rank, with rows in text order.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct BundleResponse {
    /// Always `success`.
    pub status: SuccessStatus,
    /// The rows.
    pub files: Vec<BundleRow>,
    /// The tokens of [`BundleResponse::text`].
    pub tokens_used: usize,
    /// The number of rows that all candidates have.
    pub total_symbols: usize,
    /// Whether there are more files than the budget has space for.
    pub truncated: bool,
    /// The number of files that fit the query at all.
    pub total_candidates: usize,
    /// What the client can do for a better answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// The answer as a table, for agents and people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Warnings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// The revision and the time.
    #[serde(default)]
    pub metadata: Metadata,
}

/// The status of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SuccessStatus {
    /// The request was answered.
    #[default]
    Success,
}
