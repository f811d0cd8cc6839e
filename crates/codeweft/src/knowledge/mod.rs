//! `codeweft knowledge`: services, contracts and events.

mod map;

use clap::{Args, Subcommand};
use codeweft_ide::api::{
    ApiError, KnowledgeRequest, KnowledgeResponse, error_json, knowledge_text, response_json,
};
use codeweft_knowledge::tools::{
    BoundariesRequest, BuildRequest, EventsRequest, ImpactRequest, NeighborhoodRequest,
    SearchRequest, ServiceContextRequest, WholeGraphRequest,
};

use crate::arguments::Access;
use crate::database::Database;
use crate::output::{print, print_error};

/// `codeweft knowledge`.
#[derive(Debug, Args)]
#[command(
    after_help = "Read are contracts (OpenAPI, AsyncAPI, JSON Schema, protobuf), deployments (Dockerfiles,
compose files, Kubernetes manifests) and the code. Services are those of [services.NAME] in codeweft.toml, else what is
deployed, else the whole workspace is one. A running server answers with what editors have not saved.

Examples:
  codeweft knowledge overview
  codeweft knowledge service orders
  codeweft knowledge impact \"endpoint::orders::GET::/v1/orders/{}\"
  codeweft knowledge events
  codeweft knowledge map

Exit codes: 0 answered, 1 there is nothing, or no such service or node, 2 wrong use, 3 an internal error."
)]
pub struct Knowledge {
    /// What to look at
    #[command(subcommand)]
    pub tool: Tool,
}

/// The flags of all tools.
#[derive(Debug, Args)]
pub struct Common {
    /// Print the answer as JSON
    #[arg(long)]
    pub json: bool,
    /// Which database
    #[command(flatten)]
    pub access: Access,
}

/// The tools.
#[derive(Debug, Subcommand)]
pub enum Tool {
    /// What there is: services, nodes and edges by type, and errors in documents
    Overview {
        #[command(flatten)]
        common: Common,
    },
    /// What a service offers, uses and owns
    Service {
        /// The name of the service
        name: String,
        /// Steps between services [1 to 5]
        #[arg(long, default_value_t = 2)]
        max_depth: u32,
        #[command(flatten)]
        common: Common,
    },
    /// What is around a node
    Around {
        /// The id of a node, or of a symbol
        node: String,
        /// Steps [1 to 5]
        #[arg(long, default_value_t = 2)]
        radius: u32,
        /// Nodes listed [1 to 500]
        #[arg(long, default_value_t = 50)]
        max_nodes: usize,
        /// Types of nodes by commas, such as endpoint,contract
        #[arg(long, value_name = "TYPES", default_value = "")]
        node_types: String,
        /// Types of edges by commas, such as CALLS
        #[arg(long, value_name = "TYPES", default_value = "")]
        edge_types: String,
        #[command(flatten)]
        common: Common,
    },
    /// Nodes by words
    Search {
        /// The words
        query: String,
        /// Results listed [1 to 100]
        #[arg(long, default_value_t = 10)]
        n_results: usize,
        /// Types of nodes by commas, or context
        #[arg(long, value_name = "TYPES", default_value = "")]
        node_types: String,
        /// Only of this service
        #[arg(long, value_name = "NAME", default_value = "")]
        service: String,
        /// A node that near ones are preferred to
        #[arg(long, value_name = "ID", default_value = "")]
        anchor: String,
        #[command(flatten)]
        common: Common,
    },
    /// Which other services a change of a node may reach
    Impact {
        /// The id of a node, or of a symbol
        node: String,
        /// Steps [1 to 10]
        #[arg(long, default_value_t = 3)]
        max_depth: u32,
        #[command(flatten)]
        common: Common,
    },
    /// Whether the services of files are the communities that the code forms
    Boundaries {
        /// More and smaller communities above 1, fewer below
        #[arg(long, default_value_t = 1.0)]
        resolution: f64,
        #[command(flatten)]
        common: Common,
    },
    /// Events without a publisher or a consumer
    Events {
        /// Only those of this service
        #[arg(default_value = "")]
        service: String,
        #[command(flatten)]
        common: Common,
    },
    /// All nodes and edges as JSON, for programs
    Graph {
        #[command(flatten)]
        access: Access,
    },
    /// The services as a picture: a page to look around in, or a drawing
    Map(map::ServicesMap),
}

impl Tool {
    /// Returns the request, which database answers it, and whether the answer is printed as JSON; the error is a picture, which
    /// has other flags.
    fn request(&self) -> Result<(KnowledgeRequest, &Access, bool), &map::ServicesMap> {
        let (request, common) = match self {
            Tool::Overview { common } => (
                KnowledgeRequest::BuildKnowledgeGraph(BuildRequest {
                    force_rebuild: false,
                    ..BuildRequest::default()
                }),
                common,
            ),
            Tool::Service {
                name,
                max_depth,
                common,
            } => (
                KnowledgeRequest::GetServiceContext(ServiceContextRequest {
                    max_depth: *max_depth,
                    ..ServiceContextRequest::new(name)
                }),
                common,
            ),
            Tool::Around {
                node,
                radius,
                max_nodes,
                node_types,
                edge_types,
                common,
            } => (
                KnowledgeRequest::QueryGraphNeighborhood(NeighborhoodRequest {
                    radius: *radius,
                    max_nodes: *max_nodes,
                    filter_node_types: node_types.clone(),
                    filter_edge_types: edge_types.clone(),
                    ..NeighborhoodRequest::new(node)
                }),
                common,
            ),
            Tool::Search {
                query,
                n_results,
                node_types,
                service,
                anchor,
                common,
            } => (
                KnowledgeRequest::HybridSearch(SearchRequest {
                    n_results: *n_results,
                    node_types: node_types.clone(),
                    service_name: service.clone(),
                    anchor_node_id: anchor.clone(),
                    ..SearchRequest::new(query)
                }),
                common,
            ),
            Tool::Impact {
                node,
                max_depth,
                common,
            } => (
                KnowledgeRequest::FindCrossServiceImpact(ImpactRequest {
                    node_id: node.clone(),
                    max_depth: *max_depth,
                }),
                common,
            ),
            Tool::Boundaries { resolution, common } => (
                KnowledgeRequest::ValidateServiceBoundaries(BoundariesRequest {
                    resolution: *resolution,
                }),
                common,
            ),
            Tool::Events { service, common } => (
                KnowledgeRequest::CheckCrossServiceEvents(EventsRequest {
                    service_name: service.clone(),
                }),
                common,
            ),
            Tool::Graph { access } => {
                let request = KnowledgeRequest::WholeGraph(WholeGraphRequest::default());
                return Ok((request, access, true));
            }
            Tool::Map(map) => return Err(map),
        };
        Ok((request, &common.access, common.json))
    }
}

/// Answers; returns the exit code.
pub fn run(knowledge: &Knowledge) -> u8 {
    let (request, access, json) = match knowledge.tool.request() {
        Ok(request) => request,
        Err(map) => return map::run(map),
    };
    let mut database = match Database::open(access) {
        Ok(database) => database,
        Err(code) => return code,
    };
    let answer = database.ask(&request);
    database.close();
    match answer {
        Ok(response) => {
            let code = u8::from(response.answer.is_empty());
            print(&printed(&response, json), code)
        }
        Err(error) => refuse(&error, json),
    }
}

fn printed(response: &KnowledgeResponse, json: bool) -> String {
    if !json {
        return knowledge_text(response);
    }
    let mut answer = response.answer.to_json();
    let beside = [
        ("note", !response.note.is_empty()),
        ("warnings", !response.warnings.is_empty()),
    ];
    let whole = serde_json::to_value(response).unwrap_or_default();
    for (name, _) in beside.into_iter().filter(|(_, is_said)| *is_said) {
        answer[name] = whole[name].clone();
    }
    response_json(&answer)
}

/// Prints an error; returns the exit code.
fn refuse(error: &ApiError, json: bool) -> u8 {
    let code = error.error_type.exit_code();
    if json {
        return print(&error_json(error), code);
    }
    print_error(&error.message);
    if !error.candidates.is_empty() {
        print_error(&format!("nearest: {}", error.candidates.join(", ")));
    }
    code
}
