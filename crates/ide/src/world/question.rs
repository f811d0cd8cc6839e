//! One question after another, of a World that nobody shares.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use codeweft_db::{RequestCancellation, UnwindReason};
use codeweft_graph::answer::{ApiError, ErrorType, GraphRequest, GraphResponse};

use super::ProjectDatabase;

impl ProjectDatabase {
    /// Answers a question. A panic inside is caught and answered `internal`.
    ///
    /// # Errors
    /// As the operations have them.
    pub fn ask(&self, request: &GraphRequest) -> Result<GraphResponse, ApiError> {
        let asked = catch_unwind(AssertUnwindSafe(|| {
            self.snapshot(&RequestCancellation::default())
                .graph(request)
        }));
        asked.unwrap_or_else(|panic| Err(internal(panic.as_ref())))
    }
}

/// What interrupted a question, as an error for the one who asked.
fn internal(payload: &(dyn Any + Send)) -> ApiError {
    let words = match UnwindReason::of(payload) {
        UnwindReason::Cancelled | UnwindReason::Write => return stale(),
        UnwindReason::Elsewhere => "a query that it waited for broke".to_owned(),
        UnwindReason::Panic(words) => words,
    };
    ApiError::new(
        ErrorType::Internal,
        format!("the question broke: {words}"),
        "ask something narrower, and report this with the words above",
    )
}

fn stale() -> ApiError {
    ApiError::new(
        ErrorType::IndexStale,
        "the question was interrupted by a change",
        "ask again",
    )
}
