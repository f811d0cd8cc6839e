//! The two kinds of requests of the graph: about a symbol's edges, and analyses of the workspace.

use codeweft_graph::answer::{
    AnalysisRequest, AnalysisResponse, ApiError, CheckedAnalysis, CheckedRequest, GraphRequest,
    GraphResponse, Warning,
};

use super::snapshot::Snapshot;

/// A checked request that one revision of the database answers.
pub trait GraphQuestion: Sized + Send + Sync + 'static {
    /// Its answer.
    type Response: QuestionAnswer;

    /// Returns the name of the operation on the wire.
    fn operation(&self) -> &'static str;

    /// Returns whether it may read the whole graph: an agent's request then yields to others.
    fn is_deep(&self) -> bool;

    /// Returns the texts that may name positions.
    fn targets(&self) -> Vec<&str>;

    /// Returns the request with other texts instead of [`GraphQuestion::targets`].
    ///
    /// # Errors
    /// As the check of the request.
    fn with_targets(&self, targets: Vec<String>) -> Result<Self, ApiError>;

    /// Returns whether the answer depends on the history of the repository: a process that has no other question
    /// reads it first.
    fn reads_history(&self) -> bool {
        false
    }

    /// Returns the request if it is about a change of texts: only a writer answers it.
    fn of_change(&self) -> Option<&CheckedRequest> {
        None
    }

    /// Returns the answer to a request about a change of texts.
    ///
    /// # Errors
    /// Requests of this kind are about none.
    fn response_of_impact(_response: GraphResponse) -> Result<Self::Response, ApiError> {
        Err(ApiError::invalid_request("diff: only impact takes it"))
    }

    /// Answers it.
    ///
    /// # Errors
    /// As the operations document them.
    fn answer(&self, snapshot: &Snapshot<'_>) -> Result<Self::Response, ApiError>;
}

/// What an answer says of files.
pub trait QuestionAnswer: Send + 'static {
    /// Returns the files that it names, as it prints them, possibly more than once.
    fn files(&self) -> Vec<&str>;

    /// Adds warnings.
    fn add_warnings(&mut self, warnings: Vec<Warning>);
}

impl GraphQuestion for CheckedRequest {
    type Response = GraphResponse;

    fn operation(&self) -> &'static str {
        self.operation.wire_name()
    }

    fn is_deep(&self) -> bool {
        self.operation.reads_whole_graph() || self.depth > 2
    }

    fn targets(&self) -> Vec<&str> {
        vec![&self.target, &self.to]
    }

    fn with_targets(&self, targets: Vec<String>) -> Result<CheckedRequest, ApiError> {
        let mut request = GraphRequest::clone(self);
        let mut targets = targets.into_iter();
        request.target = targets.next().unwrap_or(request.target);
        request.to = targets.next().unwrap_or(request.to);
        request.check()
    }

    fn of_change(&self) -> Option<&CheckedRequest> {
        self.diff.then_some(self)
    }

    fn response_of_impact(response: GraphResponse) -> Result<GraphResponse, ApiError> {
        Ok(response)
    }

    fn answer(&self, snapshot: &Snapshot<'_>) -> Result<GraphResponse, ApiError> {
        snapshot.graph(self)
    }
}

impl QuestionAnswer for GraphResponse {
    fn files(&self) -> Vec<&str> {
        let of_results = self.results.iter().flat_map(|result| {
            let sites = result.sites.iter().map(|site| site.file.as_str());
            std::iter::once(result.node.file.as_str()).chain(sites)
        });
        let open = self.completeness.first.iter();
        of_results
            .chain(open.map(|site| site.file.as_str()))
            .collect()
    }

    fn add_warnings(&mut self, warnings: Vec<Warning>) {
        GraphResponse::add_warnings(self, warnings.into_iter());
    }
}

impl GraphQuestion for CheckedAnalysis {
    type Response = AnalysisResponse;

    fn operation(&self) -> &'static str {
        self.operation.wire_name()
    }

    fn is_deep(&self) -> bool {
        true
    }

    fn targets(&self) -> Vec<&str> {
        vec![self.target.as_deref().unwrap_or_default()]
    }

    fn with_targets(&self, targets: Vec<String>) -> Result<CheckedAnalysis, ApiError> {
        let request = AnalysisRequest {
            target: targets.into_iter().next(),
            ..AnalysisRequest::clone(self)
        };
        request.check()
    }

    fn answer(&self, snapshot: &Snapshot<'_>) -> Result<AnalysisResponse, ApiError> {
        snapshot.analyze(self)
    }
}

impl QuestionAnswer for AnalysisResponse {
    fn files(&self) -> Vec<&str> {
        let symbols = self.each_symbol().map(|symbol| symbol.file.as_str());
        let scopes = self.scopes.iter().flatten();
        symbols
            .chain(scopes.map(|scope| scope.file.as_str()))
            .collect()
    }

    fn add_warnings(&mut self, warnings: Vec<Warning>) {
        AnalysisResponse::add_warnings(self, warnings.into_iter());
    }
}
