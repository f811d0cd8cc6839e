//! Questions to the knowledge graph, answered from one revision.

use std::time::Instant;

use codeweft_graph::answer::{ApiError, Metadata, Warning};
use codeweft_knowledge::tools::{KnowledgeAnswer, KnowledgeRequest, KnowledgeResponse};
use codeweft_knowledge::{GraphSource, KeptGraph, KnowledgeSettings, has_services_or_contracts};

use super::question::{GraphQuestion, QuestionAnswer};
use super::snapshot::Snapshot;

/// Why answers are empty.
const DISABLED: &str =
    "there is no knowledge graph: codeweft.toml says [knowledge] enabled = false";

impl Snapshot<'_> {
    /// Answers a request of the knowledge graph.
    ///
    /// # Errors
    /// As the tools document them.
    pub fn knowledge(&self, request: &KnowledgeRequest) -> Result<KnowledgeResponse, ApiError> {
        let started = Instant::now();
        let settings = &self.state.knowledge_settings;
        let (answer, note) = if settings.enabled {
            (self.knowledge_answer(request, settings)?, String::new())
        } else {
            (request.empty_answer(), DISABLED.to_owned())
        };
        let mut response = KnowledgeResponse {
            answer,
            note,
            warnings: self.unread_warnings(),
            metadata: Metadata::default(),
        };
        response.warnings.extend(self.settings_warning());
        self.complete_metadata(&mut response.metadata, started);
        Ok(response)
    }

    fn knowledge_answer(
        &self,
        request: &KnowledgeRequest,
        settings: &KnowledgeSettings,
    ) -> Result<KnowledgeAnswer, ApiError> {
        let state = &self.state;
        let (kept, revision) = (&state.knowledge, state.revision);
        let source = self.knowledge_source(settings);
        let built = match request {
            KnowledgeRequest::BuildKnowledgeGraph(build) => {
                let others = build.settings(settings)?;
                let is_of_workspace = others.is_none() && build.project_name.is_empty();
                if is_of_workspace && build.force_rebuild {
                    kept.rebuilt(revision, &source)
                } else if is_of_workspace {
                    kept.recent(revision, &source)
                } else {
                    // For this answer alone: the other tools answer under the settings of the workspace.
                    let root = match build.project_name.as_str() {
                        "" => source.root,
                        name => name,
                    };
                    KeptGraph::default().rebuilt(
                        revision,
                        &GraphSource {
                            root,
                            settings: others.as_ref().unwrap_or(settings),
                            ..source
                        },
                    )
                }
            }
            _ => kept.graph(revision, &source),
        };
        self.check();
        request.answer(&built)
    }

    fn knowledge_source<'a>(&'a self, settings: &'a KnowledgeSettings) -> GraphSource<'a> {
        GraphSource {
            db: &self.db,
            cache: &self.state.cache,
            root: &self.state.root,
            settings,
            threads: self.state.threads,
        }
    }

    /// Returns whether the workspace has services or contracts.
    pub fn has_services_or_contracts(&self) -> bool {
        has_services_or_contracts(&self.db, &self.state.knowledge_settings)
    }
}

impl GraphQuestion for KnowledgeRequest {
    type Response = KnowledgeResponse;

    fn operation(&self) -> &'static str {
        self.tool()
    }

    fn is_deep(&self) -> bool {
        true
    }

    fn targets(&self) -> Vec<&str> {
        Vec::new()
    }

    fn with_targets(&self, _targets: Vec<String>) -> Result<KnowledgeRequest, ApiError> {
        Ok(self.clone())
    }

    fn answer(&self, snapshot: &Snapshot<'_>) -> Result<KnowledgeResponse, ApiError> {
        snapshot.knowledge(self)
    }
}

impl QuestionAnswer for KnowledgeResponse {
    fn files(&self) -> Vec<&str> {
        self.answer.files()
    }

    fn add_warnings(&mut self, warnings: Vec<Warning>) {
        self.warnings.extend(warnings);
    }
}
