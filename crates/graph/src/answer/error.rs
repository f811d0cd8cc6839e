//! Errors of requests, for all frontends (docs/agents.md, "Errors").

use serde::{Deserialize, Serialize};

use super::GraphResult;

/// The kinds of errors on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the wire's own words")]
pub enum ErrorType {
    InvalidRequest,
    TargetNotFound,
    AmbiguousTarget,
    IndexStale,
    IndexCorrupt,
    IndexUnavailable,
    ParseError,
    EmptyResults,
    LimitExceeded,
    Internal,
}

impl ErrorType {
    /// Returns the exit code of the command line (docs/user-guide.md): 1 nothing found, 2 wrong
    /// use, 3 internal error.
    pub fn exit_code(self) -> u8 {
        match self {
            ErrorType::TargetNotFound | ErrorType::EmptyResults => 1,
            ErrorType::InvalidRequest | ErrorType::AmbiguousTarget | ErrorType::LimitExceeded => 2,
            ErrorType::IndexStale
            | ErrorType::IndexCorrupt
            | ErrorType::IndexUnavailable
            | ErrorType::ParseError
            | ErrorType::Internal => 3,
        }
    }
}

/// The only value of `status` in an [`ApiError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorStatus {
    /// `"error"`.
    #[default]
    Error,
}

/// An error that says what the client can do next.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// Always `error`.
    pub status: ErrorStatus,
    /// The kind of error.
    pub error_type: ErrorType,
    /// What is wrong, with the name of the faulty field or target.
    pub message: String,
    /// What to do instead.
    pub fallback_suggestion: String,
    /// For an ambiguous target up to 20 matching ids; for one not found the nearest names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
    /// Results found before the error.
    #[serde(default)]
    pub partial_results: Vec<GraphResult>,
}

impl ApiError {
    /// Creates an error without candidates and results.
    pub fn new(
        error_type: ErrorType,
        message: impl Into<String>,
        fallback_suggestion: impl Into<String>,
    ) -> ApiError {
        ApiError {
            status: ErrorStatus::Error,
            error_type,
            message: message.into(),
            fallback_suggestion: fallback_suggestion.into(),
            candidates: Vec::new(),
            partial_results: Vec::new(),
        }
    }

    /// Creates the error of a request that cannot be answered as given.
    pub fn invalid_request(message: impl Into<String>) -> ApiError {
        ApiError::new(
            ErrorType::InvalidRequest,
            message,
            "correct the request and ask again",
        )
    }

    /// Returns the error with candidates.
    pub fn with_candidates(mut self, candidates: Vec<String>) -> ApiError {
        self.candidates = candidates;
        self
    }
}
