//! What goes wrong, for both doors (docs/agents.md, "Errors").

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
    /// The exit code of the command line (docs/user-guide.md): 1 nothing found, 2 wrong use,
    /// 3 internal.
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

/// The one value of `status` of an [`ApiError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorStatus {
    /// `"error"`.
    #[default]
    Error,
}

/// An error that an agent can act on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// Always `error`.
    pub status: ErrorStatus,
    /// Its kind.
    pub error_type: ErrorType,
    /// What is wrong, naming what is at fault.
    pub message: String,
    /// What to do instead.
    pub fallback_suggestion: String,
    /// Of an ambiguous target up to 20 ids that fit; of one not found the nearest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
    /// What was found before it went wrong.
    #[serde(default)]
    pub partial_results: Vec<GraphResult>,
}

impl ApiError {
    /// An error without candidates and results.
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

    /// A request that cannot be answered as it stands.
    pub fn invalid_request(message: impl Into<String>) -> ApiError {
        ApiError::new(
            ErrorType::InvalidRequest,
            message,
            "correct the request and ask again",
        )
    }

    /// The same error with candidates.
    pub fn with_candidates(mut self, candidates: Vec<String>) -> ApiError {
        self.candidates = candidates;
        self
    }
}
