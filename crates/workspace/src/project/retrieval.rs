//! What a text is about: files and declarations under a budget of tokens, answered from one revision.

use std::time::Instant;

use codeweft_db::{Db as _, File, visible_text};
use codeweft_graph::answer::{ApiError, GraphRequest, Operation, Warning, Within};
use codeweft_retrieval::source::file_lex;
use codeweft_retrieval::{
    BundleOptions, BundleRequest, BundleResponse, Index, IndexedFile, LeadRow, RetrievalQuery,
    TOOL, bundle, rank,
};

use super::question::{GraphQuestion, QuestionAnswer};
use super::snapshot::Snapshot;
use crate::parallel;

/// The most callers and callees of a symbol on each hop.
const MAX_PER_HOP: u32 = 5;

/// The longest query that may be a symbol, in bytes.
const MAX_SYMBOL: usize = 200;

impl Snapshot<'_> {
    /// Calls `read` with the index of the revision.
    pub fn with_retrieval_index<R>(&self, read: impl FnOnce(&Index) -> R) -> R {
        let prepare = |files: &[File]| self.read_words(files);
        let kept = &self.state.retrieval;
        kept.with(&self.db, self.state.revision, &prepare, read)
    }

    /// Returns the files of the revision as an index takes them, read anew.
    pub fn retrieval_files(&self) -> Vec<IndexedFile> {
        codeweft_retrieval::read(&self.db, &|files| self.read_words(files))
    }

    /// Answers what a text is about.
    ///
    /// # Errors
    /// As [`BundleRequest::check`].
    pub fn bundle(&self, request: &BundleRequest) -> Result<BundleResponse, ApiError> {
        let started = Instant::now();
        let settings = &self.state.retrieval_settings;
        let request = request.clone().check()?;
        let cursor_file = self.relative(&request.cursor_file);
        let (meaning, meaning_hint) = self.meaning(&request.query);
        let query = RetrievalQuery {
            text: &request.query,
            cursor_file: (!cursor_file.is_empty()).then_some(cursor_file),
            include_tests: request.include_tests,
            profile: settings.profile,
            explain: request.explain,
            meaning: meaning.as_ref(),
        };
        let history = self.state.history.current(&self.state.root);
        let history = history.as_deref();
        let mut ranking =
            self.with_retrieval_index(|index| rank(index, history, &settings.weights, &query));
        ranking.hints.extend(meaning_hint);
        self.check();
        let lead = self.lead(&request);
        let options = BundleOptions {
            token_budget: request.token_budget.unwrap_or(settings.token_budget) as usize,
            include_snippets: request.include_snippets,
            explain: request.explain,
        };
        let text_of = |path: &str| {
            let absolute = format!("{}/{path}", self.state.root);
            Some(visible_text(&self.db, self.file(&absolute)?).into())
        };
        let mut response = bundle(&ranking, &lead, &options, &text_of);
        response.warnings = self.unread_warnings();
        response.warnings.extend(self.settings_warning());
        self.complete_metadata(&mut response.metadata, started);
        Ok(response)
    }

    /// Returns a path as answers print it: relative to the root, if it is below that.
    fn relative<'p>(&self, path: &'p str) -> &'p str {
        let below = path.strip_prefix(&*self.state.root);
        let below = below.and_then(|path| path.strip_prefix('/'));
        below.unwrap_or(path).trim_start_matches("./")
    }

    /// Returns the symbol that a query is, with its callers and callees; nothing for a query that is none.
    fn lead(&self, request: &BundleRequest) -> Vec<LeadRow> {
        let symbol = request.query.trim();
        if symbol.is_empty() || symbol.len() > MAX_SYMBOL || symbol.contains(char::is_whitespace) {
            return Vec::new();
        }
        let mut rows = self.definition(symbol);
        if rows.is_empty() || request.max_depth == 0 {
            return rows;
        }
        for (operation, words) in [
            (Operation::Callers, "calls"),
            (Operation::Callees, "called by"),
        ] {
            rows.extend(self.calls(operation, words, symbol, request.max_depth));
        }
        rows
    }

    /// Returns the row of a symbol's own declaration.
    fn definition(&self, symbol: &str) -> Vec<LeadRow> {
        let request = GraphRequest {
            within: Within::Workspace,
            include_context: false,
            ..GraphRequest::new(Operation::Search, symbol)
        };
        let Some(response) = self.graph_part(request) else {
            return Vec::new();
        };
        let name = symbol.rsplit(['.', '/', ':']).next().unwrap_or(symbol);
        let exact = response.results.into_iter().filter(|result| {
            let node = &result.node;
            node.id == symbol || node.name == name && node.id.ends_with(symbol)
        });
        let rows = exact.filter_map(|result| lead_row(&result.node, "name".to_owned()));
        rows.take(MAX_PER_HOP as usize).collect()
    }

    fn calls(&self, operation: Operation, words: &str, symbol: &str, depth: u32) -> Vec<LeadRow> {
        let request = GraphRequest {
            within: Within::Workspace,
            include_context: false,
            depth,
            ..GraphRequest::new(operation, symbol)
        };
        let Some(mut response) = self.graph_part(request) else {
            return Vec::new();
        };
        let is_exact = |result: &codeweft_graph::answer::GraphResult| {
            result.sites.iter().any(|site| site.resolution == "exact")
        };
        response
            .results
            .sort_by_key(|result| (result.depth, !is_exact(result)));
        let mut rows = Vec::new();
        let (mut hop, mut on_hop) = (None, 0);
        for result in &response.results {
            if result.depth != hop {
                (hop, on_hop) = (result.depth, 0);
            }
            on_hop += 1;
            if on_hop <= MAX_PER_HOP {
                rows.extend(lead_row(&result.node, format!("{words} {symbol}")));
            }
        }
        rows
    }

    /// Answers a request of the graph on the way to an answer; `None` if it is about nothing, or several things.
    fn graph_part(&self, request: GraphRequest) -> Option<codeweft_graph::answer::GraphResponse> {
        let request = request.check().ok()?;
        self.graph(&request).ok()
    }

    /// Reads the words of files on all threads of the request.
    fn read_words(&self, files: &[File]) {
        let handles = (0..self.state.threads.max(1)).map(|_| self.db.clone());
        parallel::each(handles.collect(), files, |db, &file| {
            db.unwind_if_cancelled();
            file_lex(db, file);
        });
    }
}

fn lead_row(node: &codeweft_graph::answer::Node, why: String) -> Option<LeadRow> {
    if node.external || node.file.is_empty() || node.start_line == 0 {
        return None;
    }
    let qualified = node.id.strip_prefix(&node.package).unwrap_or(&node.name);
    Some(LeadRow {
        path: node.file.as_str().into(),
        lines: (node.start_line, node.end_line.max(node.start_line)),
        symbol: qualified.trim_start_matches(['.', ':']).into(),
        why,
    })
}

impl GraphQuestion for BundleRequest {
    type Response = BundleResponse;

    fn operation(&self) -> &'static str {
        TOOL
    }

    fn is_deep(&self) -> bool {
        true
    }

    fn targets(&self) -> Vec<&str> {
        Vec::new()
    }

    fn with_targets(&self, _targets: Vec<String>) -> Result<BundleRequest, ApiError> {
        Ok(self.clone())
    }

    fn reads_history(&self) -> bool {
        true
    }

    fn answer(&self, snapshot: &Snapshot<'_>) -> Result<BundleResponse, ApiError> {
        snapshot.bundle(self)
    }
}

impl QuestionAnswer for BundleResponse {
    fn files(&self) -> Vec<&str> {
        self.files.iter().map(|row| row.path.as_str()).collect()
    }

    fn add_warnings(&mut self, warnings: Vec<Warning>) {
        self.warnings.extend(warnings);
    }
}
