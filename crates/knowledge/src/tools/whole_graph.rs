//! All nodes and edges, for programs.

use serde::{Deserialize, Serialize};

use super::neighborhood::PrintedEdge;
use crate::graph::{Graph, KnowledgeError, Node};

/// The request: it has no fields.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WholeGraphRequest {}

/// A graph as data.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct WholeGraph {
    /// By id.
    pub nodes: Vec<Node>,
    /// By source, relation and target.
    pub edges: Vec<PrintedEdge>,
    /// What is wrong in documents, by file and line.
    pub errors: Vec<KnowledgeError>,
}

/// Returns all nodes and edges.
pub fn whole_graph(graph: &Graph) -> WholeGraph {
    let edges = graph.edges.iter();
    WholeGraph {
        nodes: graph.nodes.clone(),
        edges: edges.map(|edge| PrintedEdge::of(graph, edge)).collect(),
        errors: graph.errors.clone(),
    }
}
