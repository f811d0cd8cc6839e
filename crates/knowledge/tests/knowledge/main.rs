//! The knowledge graph of small workspaces: what is joined, and what must always hold.

mod addresses;
mod commands;
mod edits;
mod images;
mod joined;
mod kept;
mod programs;
mod rules;
mod services;
mod tools;
mod wires;

use std::fmt::Write as _;

use codeweft_knowledge::graph::{Graph, NodeData, Relation};
use codeweft_knowledge::{KnowledgeSettings, build};
pub(crate) use codeweft_testing::SHOP;
use codeweft_testing::{Fixture, Workspace};

pub(crate) fn load(text: &str) -> Workspace {
    Fixture::new(text).load()
}

pub(crate) fn graph(workspace: &Workspace) -> Graph {
    build(
        workspace.host.db(),
        "/work/shop",
        &KnowledgeSettings::default(),
        2,
    )
}

/// Prints the edges of some types, ends by id, with attributes.
pub(crate) fn edges(graph: &Graph, relations: &[Relation]) -> String {
    let mut out = String::new();
    for edge in &graph.edges {
        if !relations.contains(&edge.relation) {
            continue;
        }
        let id = |number| &graph.node(number).unwrap().id;
        write!(
            out,
            "{} {} {}",
            id(edge.from),
            edge.relation.wire_name(),
            id(edge.to)
        )
        .unwrap();
        let data = &edge.data;
        if let Some(via) = &data.via_endpoint {
            write!(
                out,
                " via={via} evidence={} imports={:?}",
                data.evidence.join("|"),
                data.import_count
            )
            .unwrap();
        }
        if let Some(found_by) = &data.found_by {
            write!(out, " {found_by}").unwrap();
        }
        if let (Some(field), Some(cardinality)) = (&data.relationship_type, &data.cardinality) {
            write!(out, " {field} {cardinality}").unwrap();
        }
        if let Some(line) = data.line {
            write!(
                out,
                " :{line} {:?}{}{}",
                data.lines,
                data.imported_names.join("|"),
                if data.possible { " possible" } else { "" }
            )
            .unwrap();
        }
        out.push('\n');
    }
    out
}

/// Checks what holds for every graph.
pub(crate) fn check_invariants(graph: &Graph) {
    let mut last = "";
    for node in &graph.nodes {
        assert!(last < &*node.id, "{last} {}", node.id);
        last = &node.id;
        let prefix = node.id.split("::").next().unwrap();
        assert_eq!(prefix, node.data.node_type(), "{}", node.id);
        assert!(node.community_id < graph.communities);
        let has_file =
            matches!(*node.data, NodeData::Service { .. }) || !node.data.file_path().is_empty();
        assert!(has_file, "{} has no file", node.id);
    }
    let sum: f64 = graph.nodes.iter().map(|node| node.pagerank).sum();
    assert!(graph.nodes.is_empty() || (sum - 1.0).abs() < 1e-9, "{sum}");
    let count = |relation: Relation, number: u32, to: bool| {
        let edges = graph.edges_of(relation);
        edges
            .filter(|edge| {
                if to {
                    edge.to == number
                } else {
                    edge.from == number
                }
            })
            .count()
    };
    for (number, node) in (0..).zip(&graph.nodes) {
        match &*node.data {
            NodeData::Symbol { .. } => assert_eq!(
                count(Relation::DefinesSymbol, number, true),
                1,
                "{}",
                node.id
            ),
            NodeData::Endpoint { .. } => assert_eq!(
                count(Relation::ExposesEndpoint, number, true),
                1,
                "{}",
                node.id
            ),
            NodeData::Service { .. } => assert!(
                count(Relation::ContainsFile, number, false) > 0,
                "{}",
                node.id
            ),
            _ => {}
        }
    }
    for pair in graph.edges.windows(2) {
        let key = |at: usize| (pair[at].from, pair[at].relation, pair[at].to);
        assert!(key(0) < key(1), "{:?}", pair);
    }
}
