//! Questions: asked of the database as it stands, with what the World knows beside it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use codeweft_graph::answer::{
    ApiError, ErrorType, GraphRequest, GraphResponse, Warning, WarningKind,
};

use super::World;
use crate::api::found;

/// How many warnings an answer lists.
const WARNINGS: usize = 10;

impl World {
    /// Answers a question. A panic inside is caught and answered `internal`.
    pub fn ask(&self, request: &GraphRequest) -> Result<GraphResponse, ApiError> {
        let started = Instant::now();
        request.check()?;
        let asked = catch_unwind(AssertUnwindSafe(|| {
            codeweft_graph::ask_keeping(&self.db, &self.kept, request, self.threads)
        }));
        let mut response = match asked {
            Ok(answer) => answer?,
            Err(panic) => return Err(internal(panic.as_ref())),
        };
        self.tell_left_out(&mut response);
        response.metadata.unsaved = self.unsaved();
        for result in &mut response.results {
            let unsaved = &response.metadata.unsaved;
            result.node.unsaved = unsaved.binary_search(&result.node.file).is_ok();
        }
        response.metadata.source = "live".to_owned();
        response.metadata.revision = self.revision;
        response.metadata.partial = false;
        response.metadata.took_ms = (started.elapsed().as_secs_f64() * 1e6).round() / 1e3;
        Ok(response)
    }

    /// A source file that was not read could hold what was asked for: the answer is not complete
    /// and says which files.
    fn tell_left_out(&self, response: &mut GraphResponse) {
        let mut hidden = self.left_out.all();
        hidden.retain(|left_out| left_out.hides);
        if hidden.is_empty() {
            return;
        }
        let told = response
            .warnings_total
            .unwrap_or(response.warnings.len() as u32);
        let room = WARNINGS.saturating_sub(response.warnings.len());
        response
            .warnings
            .extend(hidden.iter().take(room).map(|left_out| Warning {
                file: left_out.file.clone(),
                line: None,
                kind: WarningKind::Unreadable,
                message: left_out.reason.clone(),
            }));
        let total = told + hidden.len() as u32;
        if total as usize > response.warnings.len() {
            response.warnings_total = Some(total);
        }
        if response.completeness.complete {
            response.completeness.complete = false;
            let what = match hidden.as_slice() {
                [one] => one.file.clone(),
                several => format!("{} files", several.len()),
            };
            response.completeness.words = Some(format!(
                "{}; not complete: {what} could not be read",
                found(response)
            ));
        }
    }
}

/// What a panic says, as an error for the one who asked.
fn internal(panic: &(dyn Any + Send)) -> ApiError {
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
