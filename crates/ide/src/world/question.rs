//! One question after another, of a World that nobody shares.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use codeweft_db::Cancel;
use codeweft_graph::answer::{ApiError, ErrorType, GraphRequest, GraphResponse};

use super::World;

impl World {
    /// Answers a question. A panic inside is caught and answered `internal`.
    ///
    /// # Errors
    /// As the operations have them.
    pub fn ask(&self, request: &GraphRequest) -> Result<GraphResponse, ApiError> {
        let asked = catch_unwind(AssertUnwindSafe(|| {
            self.snapshot(&Cancel::default()).graph(request)
        }));
        asked.unwrap_or_else(|panic| Err(internal(panic.as_ref())))
    }
}

/// What a panic says, as an error for the one who asked.
pub(crate) fn internal(panic: &(dyn Any + Send)) -> ApiError {
    let words = panic
        .downcast_ref::<&str>()
        .map(|words| (*words).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    match words {
        Some(words) => ApiError::new(
            ErrorType::Internal,
            format!("the question broke: {words}"),
            "ask something narrower, and report this with the words above",
        ),
        None => ApiError::new(
            ErrorType::IndexStale,
            "the question was interrupted by a change",
            "ask again",
        ),
    }
}
