//! Requests and answers of all tools as clients write and read them.

use codeweft_graph::answer::{ApiError, ErrorType, Metadata, Warning};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::boundaries::{BoundariesRequest, ServiceBoundaries, validate_service_boundaries};
use super::error::ToolError;
use super::events::{EventCheck, EventsRequest, check_cross_service_events};
use super::impact::{CrossServiceImpact, ImpactRequest, find_cross_service_impact};
use super::map::{KnowledgeMap, MapRequest, knowledge_map};
use super::neighborhood::{Neighborhood, NeighborhoodRequest, query_graph_neighborhood};
use super::overview::{BuildRequest, GraphOverview, overview};
use super::search::{SearchAnswer, SearchRequest, hybrid_search};
use super::service_context::{ServiceContext, ServiceContextRequest, get_service_context};
use super::tokens::count_tokens;
use super::whole_graph::{WholeGraph, WholeGraphRequest, whole_graph};
use crate::kept::BuiltGraph;

/// A request of a tool, by its name on the wire.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "tool", content = "arguments", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names of the tools")]
pub enum KnowledgeRequest {
    BuildKnowledgeGraph(BuildRequest),
    GetServiceContext(ServiceContextRequest),
    QueryGraphNeighborhood(NeighborhoodRequest),
    HybridSearch(SearchRequest),
    FindCrossServiceImpact(ImpactRequest),
    ValidateServiceBoundaries(BoundariesRequest),
    CheckCrossServiceEvents(EventsRequest),
    /// No tool of agents: what the command line draws.
    KnowledgeMap(MapRequest),
    /// No tool of agents: what the command line prints for programs.
    WholeGraph(WholeGraphRequest),
}

/// The answer of a tool, by its name on the wire.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "tool", content = "answer", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names of the tools")]
pub enum KnowledgeAnswer {
    BuildKnowledgeGraph(GraphOverview),
    GetServiceContext(ServiceContext),
    QueryGraphNeighborhood(Neighborhood),
    HybridSearch(SearchAnswer),
    FindCrossServiceImpact(CrossServiceImpact),
    ValidateServiceBoundaries(ServiceBoundaries),
    CheckCrossServiceEvents(EventCheck),
    KnowledgeMap(Box<KnowledgeMap>),
    WholeGraph(WholeGraph),
}

/// An answer with what is said beside it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct KnowledgeResponse {
    /// The answer.
    pub answer: KnowledgeAnswer,
    /// Why it is empty, or what it lacks; empty if there is nothing to say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Files that were not read, or are stale.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// Data about the execution.
    pub metadata: Metadata,
}

impl KnowledgeRequest {
    /// Returns the request of a tool with arguments, a JSON object.
    ///
    /// # Errors
    /// `invalid_request`: there is no such tool, or an argument is wrong.
    pub fn parse(tool: &str, arguments: Value) -> Result<KnowledgeRequest, ApiError> {
        let request = json!({"tool": tool, "arguments": arguments});
        serde_json::from_value(request)
            .map_err(|error| ApiError::invalid_request(error.to_string()))
    }

    /// Returns the name of the tool.
    pub fn tool(&self) -> &'static str {
        match self {
            KnowledgeRequest::BuildKnowledgeGraph(_) => "build_knowledge_graph",
            KnowledgeRequest::GetServiceContext(_) => "get_service_context",
            KnowledgeRequest::QueryGraphNeighborhood(_) => "query_graph_neighborhood",
            KnowledgeRequest::HybridSearch(_) => "hybrid_search",
            KnowledgeRequest::FindCrossServiceImpact(_) => "find_cross_service_impact",
            KnowledgeRequest::ValidateServiceBoundaries(_) => "validate_service_boundaries",
            KnowledgeRequest::CheckCrossServiceEvents(_) => "check_cross_service_events",
            KnowledgeRequest::KnowledgeMap(_) => "knowledge_map",
            KnowledgeRequest::WholeGraph(_) => "whole_graph",
        }
    }

    /// Answers from a graph.
    ///
    /// # Errors
    /// As the tools document them.
    pub fn answer(&self, built: &BuiltGraph) -> Result<KnowledgeAnswer, ApiError> {
        let graph = &*built.graph;
        Ok(match self {
            KnowledgeRequest::BuildKnowledgeGraph(_) => {
                KnowledgeAnswer::BuildKnowledgeGraph(overview(graph, built.build_time_ms))
            }
            KnowledgeRequest::GetServiceContext(request) => KnowledgeAnswer::GetServiceContext(
                get_service_context(graph, request, &count_tokens)?,
            ),
            KnowledgeRequest::QueryGraphNeighborhood(request) => {
                KnowledgeAnswer::QueryGraphNeighborhood(query_graph_neighborhood(graph, request)?)
            }
            KnowledgeRequest::HybridSearch(request) => {
                KnowledgeAnswer::HybridSearch(hybrid_search(graph, built.search_index(), request)?)
            }
            KnowledgeRequest::FindCrossServiceImpact(request) => {
                let (node, depth) = (&request.node_id, request.max_depth);
                let impact = find_cross_service_impact(graph, node, depth)?;
                KnowledgeAnswer::FindCrossServiceImpact(impact)
            }
            KnowledgeRequest::ValidateServiceBoundaries(request) => {
                let boundaries = validate_service_boundaries(graph, request.resolution)?;
                KnowledgeAnswer::ValidateServiceBoundaries(boundaries)
            }
            KnowledgeRequest::CheckCrossServiceEvents(request) => {
                let events = check_cross_service_events(graph, &request.service_name)?;
                KnowledgeAnswer::CheckCrossServiceEvents(events)
            }
            KnowledgeRequest::KnowledgeMap(request) => {
                KnowledgeAnswer::KnowledgeMap(Box::new(knowledge_map(graph, request)?))
            }
            KnowledgeRequest::WholeGraph(_) => KnowledgeAnswer::WholeGraph(whole_graph(graph)),
        })
    }

    /// Returns the answer where there is no graph.
    pub fn empty_answer(&self) -> KnowledgeAnswer {
        match self {
            KnowledgeRequest::BuildKnowledgeGraph(_) => {
                KnowledgeAnswer::BuildKnowledgeGraph(GraphOverview::default())
            }
            KnowledgeRequest::GetServiceContext(request) => {
                KnowledgeAnswer::GetServiceContext(ServiceContext {
                    service_name: request.service_name.clone(),
                    ..ServiceContext::default()
                })
            }
            KnowledgeRequest::QueryGraphNeighborhood(_) => {
                KnowledgeAnswer::QueryGraphNeighborhood(Neighborhood::default())
            }
            KnowledgeRequest::HybridSearch(request) => {
                KnowledgeAnswer::HybridSearch(SearchAnswer {
                    query: request.query.clone(),
                    anchor_node_id: request.anchor_node_id.clone(),
                    ..SearchAnswer::default()
                })
            }
            KnowledgeRequest::FindCrossServiceImpact(request) => {
                KnowledgeAnswer::FindCrossServiceImpact(CrossServiceImpact {
                    source_node: request.node_id.clone(),
                    ..CrossServiceImpact::default()
                })
            }
            KnowledgeRequest::ValidateServiceBoundaries(_) => {
                KnowledgeAnswer::ValidateServiceBoundaries(ServiceBoundaries {
                    alignment_score: 1.0,
                    ..ServiceBoundaries::default()
                })
            }
            KnowledgeRequest::CheckCrossServiceEvents(_) => {
                KnowledgeAnswer::CheckCrossServiceEvents(EventCheck {
                    match_rate: 1.0,
                    ..EventCheck::default()
                })
            }
            KnowledgeRequest::KnowledgeMap(_) => KnowledgeAnswer::KnowledgeMap(Box::default()),
            KnowledgeRequest::WholeGraph(_) => KnowledgeAnswer::WholeGraph(WholeGraph::default()),
        }
    }
}

impl KnowledgeAnswer {
    /// Returns the answer as a JSON object, without the name of the tool.
    pub fn to_json(&self) -> Value {
        let tagged = serde_json::to_value(self);
        // Answers are texts, numbers and lists, which always have a JSON.
        let mut tagged = tagged.unwrap_or_default();
        tagged
            .get_mut("answer")
            .map(Value::take)
            .unwrap_or_default()
    }

    /// Returns the answer of the same tool that a JSON object is; `None` if it is none.
    pub fn with_json(&self, answer: &Value) -> Option<KnowledgeAnswer> {
        let tagged = serde_json::to_value(self).ok()?;
        let tagged = json!({"tool": tagged.get("tool")?, "answer": answer});
        serde_json::from_value(tagged).ok()
    }

    /// Returns whether there is nothing of what was looked for.
    pub fn is_empty(&self) -> bool {
        match self {
            KnowledgeAnswer::BuildKnowledgeGraph(answer) => answer.node_count == 0,
            KnowledgeAnswer::GetServiceContext(answer) => answer.context_text.is_empty(),
            KnowledgeAnswer::QueryGraphNeighborhood(answer) => answer.edges.is_empty(),
            KnowledgeAnswer::HybridSearch(answer) => answer.results.is_empty(),
            KnowledgeAnswer::FindCrossServiceImpact(answer) => answer.total_impacted_nodes == 0,
            KnowledgeAnswer::ValidateServiceBoundaries(answer) => answer.services_declared == 0,
            KnowledgeAnswer::CheckCrossServiceEvents(answer) => answer.total_events == 0,
            KnowledgeAnswer::KnowledgeMap(answer) => answer.services.is_empty(),
            KnowledgeAnswer::WholeGraph(answer) => answer.nodes.is_empty(),
        }
    }

    /// Returns the files that the answer names, possibly more than once.
    pub fn files(&self) -> Vec<&str> {
        match self {
            KnowledgeAnswer::BuildKnowledgeGraph(answer) => {
                let errors = answer.errors.iter();
                errors.map(|error| error.file.as_str()).collect()
            }
            KnowledgeAnswer::GetServiceContext(answer) => {
                let endpoints = answer.provided_endpoints.iter();
                let files = endpoints.flat_map(|endpoint| {
                    let contract = endpoint.contract_id.split('#').next();
                    [contract, file_of_symbol(&endpoint.handler)]
                });
                files.flatten().collect()
            }
            KnowledgeAnswer::QueryGraphNeighborhood(answer) => {
                let nodes = answer.nodes.iter();
                nodes.map(|node| node.data.file_path()).collect()
            }
            KnowledgeAnswer::HybridSearch(answer) => {
                let results = answer.results.iter();
                results.map(|result| result.file_path.as_str()).collect()
            }
            KnowledgeAnswer::FindCrossServiceImpact(answer) => {
                let services = answer.impacted_services.iter();
                let ids = services.flat_map(|service| service.impact_paths.iter().flatten());
                ids.filter_map(|id| file_of_symbol(id)).collect()
            }
            KnowledgeAnswer::ValidateServiceBoundaries(answer) => {
                let files = answer.misplaced_files.iter();
                files.map(|file| file.file.as_str()).collect()
            }
            KnowledgeAnswer::CheckCrossServiceEvents(_) => Vec::new(),
            KnowledgeAnswer::KnowledgeMap(answer) => {
                let endpoints = answer
                    .services
                    .iter()
                    .flat_map(|service| &service.endpoints);
                endpoints.map(|endpoint| endpoint.file.as_str()).collect()
            }
            KnowledgeAnswer::WholeGraph(answer) => {
                let nodes = answer.nodes.iter();
                nodes.map(|node| node.data.file_path()).collect()
            }
        }
    }
}

/// Returns the file in the id of a symbol.
fn file_of_symbol(id: &str) -> Option<&str> {
    let (file, _) = id.strip_prefix("symbol::")?.split_once("::")?;
    Some(file)
}

impl From<ToolError> for ApiError {
    fn from(error: ToolError) -> ApiError {
        let (error_type, what_to_do) = match error.error_type {
            "target_not_found" => (
                ErrorType::TargetNotFound,
                "use one of the candidates, or find the id with hybrid_search",
            ),
            _ => (ErrorType::InvalidRequest, "correct the argument"),
        };
        let what_to_do = match error.candidates.as_slice() {
            [] if error_type == ErrorType::TargetNotFound => {
                "build_knowledge_graph lists what there is"
            }
            _ => what_to_do,
        };
        let mut of_api = ApiError::new(error_type, error.message, what_to_do);
        of_api.candidates = error.candidates;
        of_api
    }
}
