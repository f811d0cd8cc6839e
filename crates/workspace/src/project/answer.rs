//! Requests of the graph, answered from one revision: adds to the graph's answer what is known beside the
//! database.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use codeweft_db::{RequestCancellation, UnwindReason};
use codeweft_graph::QueryOptions;
use codeweft_graph::answer::{
    AnalysisResponse, ApiError, CheckedAnalysis, CheckedRequest, ErrorType, GraphRequest,
    GraphResponse, Metadata, Warning, WarningKind, found,
};

use super::change_impact::{NoImpact, impact_of_change};
use super::database::ProjectDatabase;
use super::question::GraphQuestion;
use super::revisions::RevisionReader;
use super::snapshot::Snapshot;
use crate::settings::NAME;

impl Snapshot<'_> {
    /// Answers a request of the graph.
    ///
    /// # Errors
    /// As the operations document them.
    pub fn graph(&self, request: &CheckedRequest) -> Result<GraphResponse, ApiError> {
        self.execute(request, false)
    }

    /// Answers a request of the graph without cutting the results, for editors. The request's bounds on
    /// results are validated, but not applied.
    ///
    /// # Errors
    /// As the operations document them.
    pub fn graph_whole(&self, request: &CheckedRequest) -> Result<GraphResponse, ApiError> {
        self.execute(request, true)
    }

    fn execute(
        &self,
        request: &CheckedRequest,
        unlimited: bool,
    ) -> Result<GraphResponse, ApiError> {
        if request.diff {
            return Err(ApiError::invalid_request(
                "diff: an editor's question is about the texts as they are",
            ));
        }
        let started = Instant::now();
        let state = &self.state;
        let options = QueryOptions {
            unlimited,
            ..QueryOptions::new(&state.cache, state.threads)
        };
        let response = codeweft_graph::execute(&self.db, request, options)?;
        Ok(self.complete(response, started))
    }

    /// Answers an analysis.
    ///
    /// # Errors
    /// As the operations document them.
    pub fn analyze(&self, request: &CheckedAnalysis) -> Result<AnalysisResponse, ApiError> {
        let started = Instant::now();
        let state = &self.state;
        let options = QueryOptions::new(&state.cache, state.threads);
        let mut response = codeweft_graph::analyze(&self.db, request, options)?;
        response.add_warnings(self.settings_warning().into_iter());
        let unread = self.unread_warnings();
        if !unread.is_empty() {
            response.doubt_symbols();
        }
        response.add_warnings(unread.into_iter());
        self.complete_metadata(&mut response.metadata, started);
        Ok(response)
    }

    /// Completes an answer with unread files, unsaved texts and metadata.
    pub(super) fn complete(&self, mut response: GraphResponse, started: Instant) -> GraphResponse {
        let state = &self.state;
        response.add_warnings(self.settings_warning().into_iter());
        self.add_unread(&mut response);
        for result in &mut response.results {
            let unsaved = &state.unsaved;
            result.node.unsaved = unsaved.binary_search(&result.node.file).is_ok();
        }
        self.complete_metadata(&mut response.metadata, started);
        response
    }

    pub(super) fn complete_metadata(&self, metadata: &mut Metadata, started: Instant) {
        let state = &self.state;
        metadata.unsaved = state.unsaved.to_vec();
        metadata.source = "live".to_owned();
        metadata.revision = state.revision;
        metadata.partial = false;
        metadata.took_ms = (started.elapsed().as_secs_f64() * 1e6).round() / 1e3;
    }

    /// Names a file of settings that is wrong: the answer is under other settings than it says.
    pub(super) fn settings_warning(&self) -> Option<Warning> {
        let warning = self.state.settings_warning.as_ref();
        let of_file = warning.filter(|warning| warning.is_of_file);
        of_file.map(|warning| Warning {
            file: NAME.to_owned(),
            line: warning.line.map(|line| line as u32),
            kind: WarningKind::ParseError,
            message: warning.message().to_owned(),
        })
    }

    /// Names the source files of the workspace that were not read.
    pub(super) fn unread_warnings(&self) -> Vec<Warning> {
        let unread = self.state.unread.all().into_iter();
        unread
            .filter(|unread| unread.hides)
            .map(|unread| Warning {
                file: unread.file,
                line: None,
                kind: WarningKind::Unreadable,
                message: unread.reason,
            })
            .collect()
    }

    /// Marks the answer as not complete if a source file of the workspace was not read, and names such files.
    fn add_unread(&self, response: &mut GraphResponse) {
        let hidden = self.unread_warnings();
        if hidden.is_empty() {
            return;
        }
        response.add_warnings(hidden.clone().into_iter());
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
    /// Answers a request, also one about a change of texts, for a process that has no other reader.
    ///
    /// # Errors
    /// As the operations document them.
    pub fn answer_alone<R: GraphQuestion>(&mut self, request: &R) -> Result<R::Response, ApiError> {
        if request.reads_history() {
            self.history.wait(&self.sources.root);
        }
        let Some(impact) = request.of_change() else {
            return self.answer(request);
        };
        let sources = &self.sources;
        let reader = RevisionReader {
            root: &sources.root,
            disk: &sources.disk,
            vfs: &sources.vfs,
        };
        let states = reader.states(&impact.target)?;
        let answer = impact_of_change(self, &states, impact, &RequestCancellation::default());
        match answer {
            Ok(response) => R::response_of_impact(response),
            Err(NoImpact::Error(error)) => Err(error),
            Err(NoImpact::Interrupted) => Err(stale()),
        }
    }

    /// Checks and answers a request, as [`ProjectDatabase::answer`].
    ///
    /// # Errors
    /// As [`GraphRequest::check`] and the operations document them.
    pub fn ask(&self, request: &GraphRequest) -> Result<GraphResponse, ApiError> {
        self.answer(&request.clone().check()?)
    }

    /// Answers a request. A panic inside is caught and becomes an `internal` error.
    ///
    /// # Errors
    /// As the operations document them.
    pub fn answer<R: GraphQuestion>(&self, request: &R) -> Result<R::Response, ApiError> {
        let result = catch_unwind(AssertUnwindSafe(|| {
            request.answer(&self.snapshot(&RequestCancellation::default()))
        }));
        result.unwrap_or_else(|panic| Err(internal(panic.as_ref())))
    }
}

/// Returns the error for a request that unwound.
pub(super) fn internal(payload: &(dyn Any + Send)) -> ApiError {
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
