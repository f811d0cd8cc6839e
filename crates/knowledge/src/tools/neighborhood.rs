//! `query_graph_neighborhood`: what is around a node.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::error::ToolError;
use super::neighbours::{Direction, Neighbours};
use crate::graph::{Edge, EdgeData, Graph, Node, Relation};

/// The request.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NeighborhoodRequest {
    /// The id of a node, or of a symbol of the code graph.
    pub node_id: String,
    /// The distance, 1 to 5.
    #[serde(default = "NeighborhoodRequest::default_radius")]
    pub radius: u32,
    /// Whether edges are followed against their direction too.
    #[serde(default = "NeighborhoodRequest::default_undirected")]
    pub undirected: bool,
    /// Types of nodes by commas; empty for all.
    #[serde(default)]
    pub filter_node_types: String,
    /// Types of edges by commas; empty for all.
    #[serde(default)]
    pub filter_edge_types: String,
    /// The nodes listed, 1 to 500.
    #[serde(default = "NeighborhoodRequest::default_max_nodes")]
    pub max_nodes: usize,
}

impl NeighborhoodRequest {
    fn default_radius() -> u32 {
        2
    }

    fn default_undirected() -> bool {
        true
    }

    fn default_max_nodes() -> usize {
        50
    }

    /// Returns the request for a node with the defaults.
    pub fn new(node_id: &str) -> NeighborhoodRequest {
        NeighborhoodRequest {
            node_id: node_id.to_owned(),
            radius: NeighborhoodRequest::default_radius(),
            undirected: NeighborhoodRequest::default_undirected(),
            filter_node_types: String::new(),
            filter_edge_types: String::new(),
            max_nodes: NeighborhoodRequest::default_max_nodes(),
        }
    }
}

/// The answer.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct Neighborhood {
    /// `None` if there is no graph.
    pub center_node: Option<Node>,
    /// The nearest first, then by rank.
    pub nodes: Vec<Node>,
    /// Those between the nodes listed.
    pub edges: Vec<PrintedEdge>,
    pub total_nodes_in_neighborhood: usize,
    pub truncated: bool,
}

/// An edge by the ids of its ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct PrintedEdge {
    pub source: String,
    pub target: String,
    pub relation: Relation,
    #[serde(flatten)]
    pub data: EdgeData,
}

impl PrintedEdge {
    pub(super) fn of(graph: &Graph, edge: &Edge) -> PrintedEdge {
        PrintedEdge {
            source: graph.id(edge.from).to_owned(),
            target: graph.id(edge.to).to_owned(),
            relation: edge.relation,
            data: (*edge.data).clone(),
        }
    }
}

/// Returns the nodes around one. The centre is never filtered; a filtered node hides what is only behind it.
///
/// # Errors
/// There is no such node; a bound or a type is wrong.
pub fn query_graph_neighborhood(
    graph: &Graph,
    request: &NeighborhoodRequest,
) -> Result<Neighborhood, ToolError> {
    if !(1..=5).contains(&request.radius) {
        return Err(ToolError::invalid("radius: use 1 to 5"));
    }
    if !(1..=500).contains(&request.max_nodes) {
        return Err(ToolError::invalid("max_nodes: use 1 to 500"));
    }
    let center = graph.find(&request.node_id)?;
    let relations = relations(&request.filter_edge_types)?;
    let types = node_types(&request.filter_node_types)?;
    let is_wanted = |number: u32| {
        let node = graph.node(number);
        number == center
            || node.is_some_and(|node| types.is_empty() || types.contains(&node.data.node_type()))
    };
    let edges = graph.edges.iter().filter(|edge| {
        (relations.is_empty() || relations.contains(&edge.relation))
            && is_wanted(edge.from)
            && is_wanted(edge.to)
    });
    let edges: Vec<_> = edges.collect();
    let neighbours = Neighbours::of(edges.iter().copied());
    let direction = if request.undirected {
        Direction::Both
    } else {
        Direction::Out
    };
    let mut found = neighbours.within(center, request.radius, direction);
    let rank = |number: u32| graph.node(number).map_or(0.0, |node| node.pagerank);
    found.sort_by(|a, b| {
        a.1.cmp(&b.1)
            .then(rank(b.0).total_cmp(&rank(a.0)))
            .then(a.0.cmp(&b.0))
    });
    let total = found.len();
    found.truncate(request.max_nodes);
    let listed: FxHashMap<u32, ()> = found.iter().map(|&(number, _, _)| (number, ())).collect();
    let between = edges
        .iter()
        .filter(|edge| listed.contains_key(&edge.from) && listed.contains_key(&edge.to));
    Ok(Neighborhood {
        center_node: graph.node(center).cloned(),
        nodes: found
            .iter()
            .filter_map(|&(number, _, _)| graph.node(number).cloned())
            .collect(),
        edges: between.map(|edge| PrintedEdge::of(graph, edge)).collect(),
        total_nodes_in_neighborhood: total,
        truncated: total > request.max_nodes,
    })
}

/// Returns the types of edges of a list.
fn relations(list: &str) -> Result<Vec<Relation>, ToolError> {
    let names = list
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let relations = names.map(|name| {
        let mut all = Relation::ALL.into_iter();
        let known = all.find(|relation| relation.wire_name().eq_ignore_ascii_case(name));
        known.ok_or_else(|| {
            let all: Vec<&str> = Relation::ALL
                .iter()
                .map(|relation| relation.wire_name())
                .collect();
            ToolError::invalid(format!(
                "filter_edge_types: no type `{name}`; use {}",
                all.join(", ")
            ))
        })
    });
    relations.collect()
}

/// The types of nodes.
pub(super) const NODE_TYPES: [&str; 7] = [
    "file",
    "symbol",
    "service",
    "contract",
    "endpoint",
    "domain_entity",
    "event",
];

/// Returns the types of nodes of a list.
pub(super) fn node_types(list: &str) -> Result<Vec<&'static str>, ToolError> {
    let names = list
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let types = names.map(|name| {
        let mut all = NODE_TYPES.into_iter();
        let known = all.find(|known| known.eq_ignore_ascii_case(name));
        known.ok_or_else(|| {
            ToolError::invalid(format!(
                "no type `{name}` of nodes; use {}",
                NODE_TYPES.join(", ")
            ))
        })
    });
    types.collect()
}
