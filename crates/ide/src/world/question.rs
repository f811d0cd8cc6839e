//! One question after another, of a World that nobody shares.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use codeweft_db::{Cancel, Stopped};
use codeweft_graph::answer::{ApiError, ErrorType, GraphRequest, GraphResponse};

use super::World;
use crate::host::words;

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

/// What interrupted a question, as an error for the one who asked.
fn internal(payload: &(dyn Any + Send)) -> ApiError {
    let elsewhere = match payload.downcast_ref::<salsa::Cancelled>() {
        Some(salsa::Cancelled::PropagatedPanic) => true,
        Some(_) => return stale(),
        None if payload.is::<Stopped>() => return stale(),
        None => false,
    };
    let words = match elsewhere {
        true => "a query that it waited for broke".to_owned(),
        false => words(payload),
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
