//! `codeweft knowledge`: services, contracts and events, from the files on disk.

mod text;

use std::time::Instant;

use clap::{Args, Subcommand};
use codeweft_knowledge::graph::Graph;
use codeweft_knowledge::tools::{
    self, NeighborhoodRequest, SearchRequest, ServiceContextRequest, ToolError,
};
use codeweft_knowledge::{KnowledgeSettings, build};
use serde::Serialize;

use crate::arguments::{Quiet, Workspace};
use crate::output::{print, print_error};
use crate::workspace;

/// The exit code if a name is unknown or a value is out of its bounds.
const WRONG: u8 = 2;

/// `codeweft knowledge`.
#[derive(Debug, Args)]
#[command(
    after_help = "Read are the files on disk: contracts (OpenAPI, AsyncAPI, JSON Schema, protobuf), deployments (Dockerfiles,
compose files, Kubernetes manifests) and the code. Services are those of [services.NAME] in codeweft.toml, else what is
deployed, else the whole workspace is one.

Examples:
  codeweft knowledge overview
  codeweft knowledge service orders
  codeweft knowledge impact \"endpoint::orders::GET::/v1/orders/{}\"
  codeweft knowledge events

Exit codes: 0 answered, 1 there is nothing, 2 wrong use (also: no such service or node)."
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
    /// Which workspace, and for which build
    #[command(flatten)]
    pub workspace: Workspace,
    /// How much is said
    #[command(flatten)]
    pub quiet: Quiet,
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
}

impl Tool {
    fn common(&self) -> &Common {
        match self {
            Tool::Overview { common }
            | Tool::Service { common, .. }
            | Tool::Around { common, .. }
            | Tool::Search { common, .. }
            | Tool::Impact { common, .. }
            | Tool::Boundaries { common, .. }
            | Tool::Events { common, .. } => common,
        }
    }
}

/// Answers; returns the exit code.
pub fn run(knowledge: &Knowledge) -> u8 {
    let common = knowledge.tool.common();
    let root = match workspace::find(&common.workspace.root) {
        Ok(root) => root,
        Err(code) => return code,
    };
    let settings = match workspace::settings(&root, &common.workspace.build) {
        Ok(settings) => settings,
        Err(code) => return code,
    };
    let of_knowledge = KnowledgeSettings::from_values(&settings.values);
    let host = match workspace::load_with(&root, settings, &common.quiet) {
        Ok(host) => host,
        Err(code) => return code,
    };
    let started = Instant::now();
    let graph = build(host.db(), &root, &of_knowledge, host.threads());
    let build_time_ms = started.elapsed().as_millis() as u64;
    host.leave(workspace::CACHE_WAIT);
    match answer(&knowledge.tool, &graph, build_time_ms) {
        Ok(answer) => print(&answer.text, u8::from(answer.is_empty)),
        Err(error) => {
            print_error(&error.message);
            if !error.candidates.is_empty() {
                print_error(&format!("nearest: {}", error.candidates.join(", ")));
            }
            WRONG
        }
    }
}

/// What is printed.
struct Printed {
    text: String,
    /// Whether there is nothing of what was looked for.
    is_empty: bool,
}

fn answer(tool: &Tool, graph: &Graph, build_time_ms: u64) -> Result<Printed, ToolError> {
    match tool {
        Tool::Overview { common } => {
            let answer = tools::overview(graph, build_time_ms);
            Ok(printed(
                common,
                &answer,
                text::overview,
                answer.node_count == 0,
            ))
        }
        Tool::Service {
            name,
            max_depth,
            common,
        } => {
            let request = ServiceContextRequest {
                max_depth: *max_depth,
                ..ServiceContextRequest::new(name)
            };
            let answer = tools::get_service_context(graph, &request, &codeweft_mcp::count_tokens)?;
            Ok(printed(
                common,
                &answer,
                |answer| answer.context_text.trim_end().to_owned(),
                false,
            ))
        }
        Tool::Around {
            node,
            radius,
            max_nodes,
            node_types,
            edge_types,
            common,
        } => {
            let request = NeighborhoodRequest {
                radius: *radius,
                max_nodes: *max_nodes,
                filter_node_types: node_types.clone(),
                filter_edge_types: edge_types.clone(),
                ..NeighborhoodRequest::new(node)
            };
            let answer = tools::query_graph_neighborhood(graph, &request)?;
            Ok(printed(
                common,
                &answer,
                text::neighborhood,
                answer.edges.is_empty(),
            ))
        }
        Tool::Search {
            query,
            n_results,
            node_types,
            service,
            anchor,
            common,
        } => {
            let request = SearchRequest {
                n_results: *n_results,
                node_types: node_types.clone(),
                service_name: service.clone(),
                anchor_node_id: anchor.clone(),
                ..SearchRequest::new(query)
            };
            let answer = tools::hybrid_search(graph, &request)?;
            Ok(printed(
                common,
                &answer,
                text::search,
                answer.results.is_empty(),
            ))
        }
        Tool::Impact {
            node,
            max_depth,
            common,
        } => {
            let answer = tools::find_cross_service_impact(graph, node, *max_depth)?;
            Ok(printed(
                common,
                &answer,
                text::impact,
                answer.total_impacted_nodes == 0,
            ))
        }
        Tool::Boundaries { resolution, common } => {
            let answer = tools::validate_service_boundaries(graph, *resolution)?;
            Ok(printed(common, &answer, text::boundaries, false))
        }
        Tool::Events { service, common } => {
            let answer = tools::check_cross_service_events(graph, service)?;
            Ok(printed(
                common,
                &answer,
                text::events,
                answer.total_events == 0,
            ))
        }
    }
}

fn printed<T: Serialize>(
    common: &Common,
    answer: &T,
    text: impl FnOnce(&T) -> String,
    is_empty: bool,
) -> Printed {
    let text = if common.json {
        // Answers are texts, numbers and lists, which always have a JSON.
        serde_json::to_string(answer).unwrap_or_default()
    } else {
        text(answer)
    };
    Printed { text, is_empty }
}
