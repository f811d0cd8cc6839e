//! `build_knowledge_graph`: what there is.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::graph::{Graph, KnowledgeError, NodeData};

/// What a graph has.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct GraphOverview {
    pub success: bool,
    pub node_count: usize,
    pub edge_count: usize,
    pub node_types: BTreeMap<&'static str, usize>,
    pub edge_types: BTreeMap<&'static str, usize>,
    pub community_count: u32,
    pub build_time_ms: u64,
    pub services_indexed: Vec<String>,
    pub errors: Vec<KnowledgeError>,
}

/// Returns what a graph has; `build_time_ms` is the time that it took.
pub fn overview(graph: &Graph, build_time_ms: u64) -> GraphOverview {
    let mut node_types = BTreeMap::new();
    for node in &graph.nodes {
        *node_types.entry(node.data.node_type()).or_default() += 1;
    }
    let mut edge_types = BTreeMap::new();
    for edge in &graph.edges {
        *edge_types.entry(edge.relation.wire_name()).or_default() += 1;
    }
    let services = graph.nodes.iter().filter_map(|node| match &node.data {
        NodeData::Service { service_name, .. } => Some(service_name.clone()),
        _ => None,
    });
    GraphOverview {
        success: true,
        node_count: graph.nodes.len(),
        edge_count: graph.edges.len(),
        node_types,
        edge_types,
        community_count: graph.communities,
        build_time_ms,
        services_indexed: services.collect(),
        errors: graph.errors.clone(),
    }
}
