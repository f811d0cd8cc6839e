//! The tools: questions to the knowledge graph, as plain data in and out.

mod boundaries;
mod context_text;
mod events;
mod impact;
mod map;
mod neighborhood;
mod overview;
mod request;
mod search;
mod service_context;
mod table;
mod text;
mod tokens;
mod whole_graph;

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use serde::Serialize;

pub use boundaries::{
    BoundariesRequest, MisplacedFile, ServiceBoundaries, ServiceCoupling,
    validate_service_boundaries,
};
pub use context_text::MAX_CONTEXT_TOKENS;
pub use events::{CheckedEvent, EventCheck, EventsRequest, check_cross_service_events};
pub use impact::{
    CrossServiceImpact, ImpactRequest, ImpactedContract, ImpactedEntity, ImpactedService,
    find_cross_service_impact,
};
pub use map::{
    KnowledgeMap, MapRequest, MappedCall, MappedEndpoint, MappedEntity, MappedService,
    knowledge_map,
};
pub use neighborhood::{Neighborhood, NeighborhoodRequest, PrintedEdge, query_graph_neighborhood};
pub use overview::{BuildRequest, GraphOverview, overview};
pub use request::{KnowledgeAnswer, KnowledgeRequest, KnowledgeResponse};
pub use search::{SearchAnswer, SearchRequest, SearchResult, hybrid_search};
pub use service_context::{
    ConsumedEndpoint, ConsumedEvent, OwnedEntity, ProvidedEndpoint, PublishedEvent,
    ReferencedEntity, ServiceContext, ServiceContextRequest, get_service_context,
};
pub use table::{TOOLS, ToolField, ToolFieldKind, ToolRow};
pub use text::knowledge_text;
pub use tokens::{count_tokens, load_vocabulary};
pub use whole_graph::{WholeGraph, WholeGraphRequest, whole_graph};

use crate::graph::{Edge, Graph, NodeData};

/// Counts the tokens of a text.
pub type TokenCounter<'a> = &'a (dyn Fn(&str) -> usize + 'a);

/// A request that names something that there is not, or a value out of its bounds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ToolError {
    /// `target_not_found` or `invalid_request`.
    pub error_type: &'static str,
    /// What is wrong and what to do.
    pub message: String,
    /// The nearest ids or names, the best first.
    pub candidates: Vec<String>,
}

impl ToolError {
    fn invalid(message: impl Into<String>) -> ToolError {
        ToolError {
            error_type: "invalid_request",
            message: message.into(),
            candidates: Vec::new(),
        }
    }
}

/// The most candidates that an error has.
const MAX_CANDIDATES: usize = 5;

impl Graph {
    /// Returns the number of the node with an id: one of this graph, or that of a symbol in the code graph.
    fn find(&self, id: &str) -> Result<u32, ToolError> {
        if let Some(number) = self.number(id) {
            return Ok(number);
        }
        let is_symbol =
            |data: &NodeData| matches!(data, NodeData::Symbol { graph_id, .. } if graph_id == id);
        let mut numbered = (0..).zip(&self.nodes);
        if let Some((number, _)) = numbered.find(|(_, node)| is_symbol(&node.data)) {
            return Ok(number);
        }
        let candidates = nearest(id, self.nodes.iter().map(|node| node.id.as_str()));
        Err(ToolError {
            error_type: "target_not_found",
            message: format!(
                "no node `{id}`; use an id of hybrid_search or query_graph_neighborhood, or the id of a symbol"
            ),
            candidates,
        })
    }

    /// Returns the number of a service by its name.
    fn find_service(&self, name: &str) -> Result<u32, ToolError> {
        let id = format!("service::{name}");
        self.number(&id)
            .or_else(|| self.number(name))
            .ok_or_else(|| {
                let services = self.nodes.iter().filter_map(|node| match &node.data {
                    NodeData::Service { service_name, .. } => Some(service_name.as_str()),
                    _ => None,
                });
                ToolError {
                    error_type: "target_not_found",
                    message: format!("no service `{name}`"),
                    candidates: nearest(name, services),
                }
            })
    }

    fn id(&self, number: u32) -> &str {
        self.node(number).map_or("", |node| &node.id)
    }
}

/// Returns the names that are most alike, the best first; those that contain the wanted one before others.
fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let lower = wanted.to_lowercase();
    let last = lower.rsplit("::").next().unwrap_or(&lower).to_owned();
    let mut ranked: Vec<(bool, f64, &str)> = names
        .map(|name| {
            let own = name.to_lowercase();
            let contains = !last.is_empty() && own.contains(&last);
            (contains, strsim::jaro_winkler(&lower, &own), name)
        })
        .collect();
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(b.2)));
    let best = ranked.into_iter().take(MAX_CANDIDATES);
    best.map(|(_, _, name)| name.to_owned()).collect()
}

/// The neighbours of each node with the numbers of the edges, by direction.
pub(crate) struct Neighbours<'g> {
    out: FxHashMap<u32, Vec<(u32, &'g Edge)>>,
    into: FxHashMap<u32, Vec<(u32, &'g Edge)>>,
}

/// The edges that a walk follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Out,
    In,
    Both,
}

impl<'g> Neighbours<'g> {
    pub(crate) fn of(edges: impl Iterator<Item = &'g Edge>) -> Neighbours<'g> {
        let (mut out, mut into) = (FxHashMap::default(), FxHashMap::default());
        for edge in edges {
            let targets: &mut Vec<_> = out.entry(edge.from).or_default();
            targets.push((edge.to, edge));
            let sources: &mut Vec<_> = into.entry(edge.to).or_default();
            sources.push((edge.from, edge));
        }
        Neighbours { out, into }
    }

    pub(crate) fn at(
        &self,
        node: u32,
        direction: Direction,
    ) -> impl Iterator<Item = (u32, &'g Edge)> {
        let list = |map: &FxHashMap<u32, Vec<(u32, &'g Edge)>>, wanted: bool| {
            map.get(&node)
                .filter(|_| wanted)
                .cloned()
                .unwrap_or_default()
        };
        let out = list(&self.out, direction != Direction::In);
        let into = list(&self.into, direction != Direction::Out);
        out.into_iter().chain(into)
    }

    /// Returns the nodes within a distance, with the distance and the node before on a shortest way, in the order of
    /// distance, then number.
    pub(crate) fn within(
        &self,
        start: u32,
        depth: u32,
        direction: Direction,
    ) -> Vec<(u32, u32, u32)> {
        let mut seen: FxHashMap<u32, ()> = FxHashMap::default();
        let mut found = Vec::new();
        let mut next = VecDeque::from([(start, 0, start)]);
        seen.insert(start, ());
        while let Some((node, distance, before)) = next.pop_front() {
            found.push((node, distance, before));
            if distance == depth {
                continue;
            }
            let mut around: Vec<u32> = self.at(node, direction).map(|(node, _)| node).collect();
            around.sort_unstable();
            for neighbour in around {
                if seen.insert(neighbour, ()).is_none() {
                    next.push_back((neighbour, distance + 1, node));
                }
            }
        }
        found
    }
}
