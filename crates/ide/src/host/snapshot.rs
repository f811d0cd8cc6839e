//! One revision, lent to a question.

use std::marker::PhantomData;

use crate::api::{ApiError, GraphRequest, GraphResponse};

/// One revision of the database and what the Host knows beside it. It is only ever lent to a
/// closure and cannot leave its thread: nobody keeps one while a write waits.
pub struct Snapshot<'a> {
    not_send: PhantomData<(*const (), &'a ())>,
}

impl Snapshot<'_> {
    /// Answers a question of the graph.
    ///
    /// # Errors
    /// As the operations have them.
    pub fn graph(&self, _request: &GraphRequest) -> Result<GraphResponse, ApiError> {
        todo!()
    }

    /// Unwinds where the question was cancelled or a write waits. To be called in every loop.
    pub fn check(&self) {
        todo!()
    }

    /// The revision.
    pub fn revision(&self) -> u64 {
        todo!()
    }
}
