//! `hybrid_search`: nodes by words, and by how near they are to one.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::error::ToolError;
use super::neighborhood::{NODE_TYPES, node_types};
use super::neighbours::{Direction, Neighbours};
use super::search_index::{Row, SearchIndex};
use crate::graph::Graph;

/// The request.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    /// Words.
    pub query: String,
    /// The results listed, 1 to 100.
    #[serde(default = "SearchRequest::default_results")]
    pub n_results: usize,
    /// Types of nodes by commas, or `context`; empty for all.
    #[serde(default)]
    pub node_types: String,
    /// Only what is of this service.
    #[serde(default)]
    pub service_name: String,
    /// The id of a node that near ones are preferred to.
    #[serde(default)]
    pub anchor_node_id: String,
    /// The weight of words, 0 to 1.
    #[serde(default = "SearchRequest::default_semantic")]
    pub semantic_weight: f64,
    /// The weight of the graph, 0 to 1.
    #[serde(default = "SearchRequest::default_graph")]
    pub graph_weight: f64,
}

impl SearchRequest {
    fn default_results() -> usize {
        10
    }

    fn default_semantic() -> f64 {
        0.6
    }

    fn default_graph() -> f64 {
        0.4
    }

    /// Returns the request for words with the defaults.
    pub fn new(query: &str) -> SearchRequest {
        SearchRequest {
            query: query.to_owned(),
            n_results: SearchRequest::default_results(),
            node_types: String::new(),
            service_name: String::new(),
            anchor_node_id: String::new(),
            semantic_weight: SearchRequest::default_semantic(),
            graph_weight: SearchRequest::default_graph(),
        }
    }
}

/// A result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct SearchResult {
    pub node_id: String,
    pub node_type: String,
    pub score: f64,
    pub semantic_score: f64,
    pub graph_score: f64,
    /// The steps from the anchor in either direction; -1 without one or if nothing leads there.
    pub distance: i32,
    /// For rows of type `context`: the text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The file; empty for services and contexts.
    pub file_path: String,
    pub service_name: String,
}

/// The answer.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct SearchAnswer {
    pub results: Vec<SearchResult>,
    pub query: String,
    pub anchor_node_id: String,
    /// How words were compared.
    pub compared_by: String,
}

/// Scores that differ by less are equal, and go by rank.
const NEAR: f64 = 0.05;

/// Returns the nodes, service contexts and community summaries that fit words best; `index` is that of the graph.
///
/// # Errors
/// A value is out of its bounds; there is no such anchor or service.
pub fn hybrid_search(
    graph: &Graph,
    index: &SearchIndex,
    request: &SearchRequest,
) -> Result<SearchAnswer, ToolError> {
    if !(1..=100).contains(&request.n_results) {
        return Err(ToolError::invalid("n_results: use 1 to 100"));
    }
    for (name, weight) in [
        ("semantic_weight", request.semantic_weight),
        ("graph_weight", request.graph_weight),
    ] {
        if !(0.0..=1.0).contains(&weight) {
            return Err(ToolError::invalid(format!("{name}: use 0 to 1")));
        }
    }
    let anchor = match request.anchor_node_id.as_str() {
        "" => None,
        id => Some(graph.find(id)?),
    };
    if !request.service_name.is_empty() {
        graph.find_service(&request.service_name)?;
    }
    let mut with_contexts = request.node_types.trim().is_empty();
    let names = request.node_types.split(',').map(str::trim);
    let types: Vec<&str> = names.filter(|name| *name != "context").collect();
    with_contexts |= types.len() < request.node_types.split(',').count();
    let only_contexts = with_contexts && !request.node_types.trim().is_empty() && types.is_empty();
    let types = node_types(&types.join(","))?;
    let types = if types.is_empty() && !only_contexts {
        NODE_TYPES.to_vec()
    } else {
        types
    };
    let is_wanted = |row: &Row| {
        let is_of_type = match row.node_type {
            "context" => with_contexts,
            of => types.contains(&of),
        };
        is_of_type && (request.service_name.is_empty() || row.service == request.service_name)
    };
    let rows = index.rows();
    let mut found = index.scores(&request.query, is_wanted);
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(rows[a.0].id.cmp(&rows[b.0].id)));
    found.truncate(request.n_results * 3);
    let near = Nearness::of(graph, anchor);
    let results = found.into_iter().map(|(at, semantic)| {
        let row = &rows[at];
        let (graph_score, distance) = near.of_node(graph, row.node);
        SearchResult {
            node_id: row.id.clone(),
            node_type: row.node_type.to_owned(),
            score: request.semantic_weight * semantic + request.graph_weight * graph_score,
            semantic_score: semantic,
            graph_score,
            distance,
            text: if row.node_type == "context" {
                row.context.clone()
            } else {
                String::new()
            },
            file_path: row.file.clone(),
            service_name: row.service.clone(),
        }
    });
    let mut results = ordered(graph, results.collect());
    let mut files: FxHashSet<String> = FxHashSet::default();
    results.retain(|result| result.file_path.is_empty() || files.insert(result.file_path.clone()));
    results.truncate(request.n_results);
    Ok(SearchAnswer {
        results,
        query: request.query.clone(),
        anchor_node_id: request.anchor_node_id.clone(),
        compared_by: "words".to_owned(),
    })
}

/// Orders results by score; of those that differ by less than [`NEAR`] from the first of their group by rank, then id.
fn ordered(graph: &Graph, mut results: Vec<SearchResult>) -> Vec<SearchResult> {
    results.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.node_id.cmp(&b.node_id)));
    let rank = |result: &SearchResult| {
        let node = graph
            .number(&result.node_id)
            .and_then(|number| graph.node(number));
        node.map_or(0.0, |node| node.pagerank)
    };
    let mut start = 0;
    while start < results.len() {
        let first = results[start].score;
        let group = results[start..]
            .iter()
            .take_while(|result| first - result.score < NEAR)
            .count();
        results[start..start + group]
            .sort_by(|a, b| rank(b).total_cmp(&rank(a)).then(a.node_id.cmp(&b.node_id)));
        start += group;
    }
    results
}

/// How near nodes are to the anchor.
struct Nearness {
    distances: Option<FxHashMap<u32, u32>>,
    farthest: u32,
    highest_rank: f64,
}

impl Nearness {
    fn of(graph: &Graph, anchor: Option<u32>) -> Nearness {
        let distances = anchor.map(|anchor| {
            let neighbours = Neighbours::of(graph.edges.iter());
            let found = neighbours.within(anchor, u32::MAX, Direction::Both);
            found
                .into_iter()
                .map(|(number, distance, _)| (number, distance))
                .collect::<FxHashMap<_, _>>()
        });
        let farthest = distances
            .iter()
            .flat_map(|distances| distances.values())
            .max();
        Nearness {
            farthest: farthest.copied().unwrap_or(0),
            highest_rank: graph
                .nodes
                .iter()
                .map(|node| node.pagerank)
                .fold(0.0, f64::max),
            distances,
        }
    }

    /// Returns the score and the distance of a node.
    fn of_node(&self, graph: &Graph, node: Option<u32>) -> (f64, i32) {
        let Some(distances) = &self.distances else {
            let rank = node
                .and_then(|node| graph.node(node))
                .map_or(0.0, |node| node.pagerank);
            return (
                if self.highest_rank > 0.0 {
                    rank / self.highest_rank
                } else {
                    0.0
                },
                -1,
            );
        };
        let bound = f64::from(self.farthest + 1);
        match node.and_then(|node| distances.get(&node)) {
            Some(&distance) => (1.0 - f64::from(distance) / bound, distance as i32),
            // As far as one step beyond the farthest.
            None => (0.0, -1),
        }
    }
}
