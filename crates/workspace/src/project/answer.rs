//! A question of the graph, asked of one revision, with what the Host knows beside the database.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use codeweft_db::{RequestCancellation, UnwindReason};
use codeweft_graph::answer::{
    ApiError, ErrorType, GraphRequest, GraphResponse, Warning, WarningKind, found,
};

use super::database::ProjectDatabase;
use super::snapshot::Snapshot;

/// How many warnings an answer lists.
const WARNINGS: usize = 10;

impl Snapshot<'_> {
    /// Answers a question of the graph.
    ///
    /// # Errors
    /// As the operations have them.
    pub fn graph(&self, request: &GraphRequest) -> Result<GraphResponse, ApiError> {
        let started = Instant::now();
        request.check()?;
        let shown = &self.shown;
        let asked = codeweft_graph::execute_cached(&self.db, &shown.kept, request, shown.threads);
        Ok(self.told(asked?, started))
    }

    /// A question of the graph whose answer is never cut: for the editor's door. The request's
    /// bounds on results are looked at, but hold for nothing.
    ///
    /// # Errors
    /// As the operations have them.
    pub fn graph_whole(&self, request: &GraphRequest) -> Result<GraphResponse, ApiError> {
        let started = Instant::now();
        let shown = &self.shown;
        let asked = codeweft_graph::execute_uncut(&self.db, &shown.kept, request, shown.threads);
        Ok(self.told(asked?, started))
    }

    /// An answer with what the Host knows beside the database.
    fn told(&self, mut response: GraphResponse, started: Instant) -> GraphResponse {
        let shown = &self.shown;
        self.tell_left_out(&mut response);
        for result in &mut response.results {
            let unsaved = &shown.unsaved;
            result.node.unsaved = unsaved.binary_search(&result.node.file).is_ok();
        }
        response.metadata.unsaved = shown.unsaved.to_vec();
        response.metadata.source = "live".to_owned();
        response.metadata.revision = shown.revision;
        response.metadata.partial = false;
        response.metadata.took_ms = (started.elapsed().as_secs_f64() * 1e6).round() / 1e3;
        response
    }

    /// A source file that was not read could hold what was asked for: the answer is not complete
    /// and says which files.
    fn tell_left_out(&self, response: &mut GraphResponse) {
        let mut hidden = self.shown.left_out.all();
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
            let configuration = match response.completeness.configuration.as_str() {
                "" => String::new(),
                configuration => format!(" under {configuration}"),
            };
            response.completeness.words = Some(format!(
                "{}; not complete: {what} could not be read{configuration}",
                found(response)
            ));
        }
    }
}

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
