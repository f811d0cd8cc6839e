//! `hybrid_search`: nodes by words, and by how near they are to one.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::error::ToolError;
use super::neighborhood::{NODE_TYPES, node_types};
use super::neighbours::{Direction, Neighbours};
use super::service_context::{ServiceContextRequest, get_service_context};
use crate::graph::{Graph, Node, NodeData};

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

/// A row that can be found.
struct Row {
    id: String,
    node_type: &'static str,
    text: String,
    /// The node that the row is at in the graph.
    node: Option<u32>,
    file: String,
    service: String,
}

/// Scores that differ by less are equal, and go by rank.
const NEAR: f64 = 0.05;

/// Returns the nodes, service contexts and community summaries that fit words best.
///
/// # Errors
/// A value is out of its bounds; there is no such anchor or service.
pub fn hybrid_search(graph: &Graph, request: &SearchRequest) -> Result<SearchAnswer, ToolError> {
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
    let mut rows = rows(graph, with_contexts);
    rows.retain(|row| {
        (types.contains(&row.node_type) || row.node_type == "context")
            && (request.service_name.is_empty() || row.service == request.service_name)
    });
    let scores = word_scores(&rows, &request.query);
    let mut found: Vec<(usize, f64)> = scores
        .into_iter()
        .enumerate()
        .filter(|(_, score)| *score > 0.0)
        .collect();
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
                row.text.clone()
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

fn rows(graph: &Graph, with_contexts: bool) -> Vec<Row> {
    let mut rows: Vec<Row> = (0..)
        .zip(&graph.nodes)
        .map(|(number, node)| Row {
            id: node.id.clone(),
            node_type: node.data.node_type(),
            text: text_of(node),
            node: Some(number),
            file: match node.data {
                NodeData::Service { .. } => String::new(),
                _ => node.data.file_path().to_owned(),
            },
            service: node.data.service_name().to_owned(),
        })
        .collect();
    if with_contexts {
        rows.extend(contexts(graph));
    }
    rows
}

/// Returns the contexts of services and the summaries of communities.
fn contexts(graph: &Graph) -> Vec<Row> {
    let mut rows = Vec::new();
    let services = (0..)
        .zip(&graph.nodes)
        .filter(|(_, node)| node.data.node_type() == "service");
    for (number, node) in services {
        let name = node.data.service_name();
        // Words are counted: a context is cut by its letters.
        let context = get_service_context(graph, &ServiceContextRequest::new(name), &|text| {
            text.len() / 4
        });
        if let Ok(context) = context {
            rows.push(Row {
                id: format!("context::service::{name}"),
                node_type: "context",
                text: context.context_text,
                node: Some(number),
                file: String::new(),
                service: name.to_owned(),
            });
        }
    }
    let mut communities: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (number, node) in (0..).zip(&graph.nodes) {
        communities
            .entry(node.community_id)
            .or_default()
            .push(number);
    }
    for (community, mut members) in communities
        .into_iter()
        .filter(|(_, members)| members.len() > 2)
    {
        let rank = |number: u32| graph.node(number).map_or(0.0, |node| node.pagerank);
        members.sort_by(|a, b| rank(*b).total_cmp(&rank(*a)).then(a.cmp(b)));
        let count = members.len();
        let names: Vec<&str> = members
            .iter()
            .take(10)
            .map(|&number| graph.id(number))
            .collect();
        rows.push(Row {
            id: format!("context::community::{community}"),
            node_type: "context",
            text: format!(
                "Community of {count} nodes, the highest ranks first: {}",
                names.join(", ")
            ),
            node: members.first().copied(),
            file: String::new(),
            service: String::new(),
        });
    }
    rows
}

/// Returns the words by which a node is found.
fn text_of(node: &Node) -> String {
    match &node.data {
        NodeData::Symbol {
            symbol_name,
            signature,
            file_path,
            graph_id,
            ..
        } => {
            format!("{symbol_name} {symbol_name} {graph_id} {signature} {file_path}")
        }
        NodeData::Service {
            service_name,
            domain,
            description,
            stack,
            ..
        } => {
            format!("{service_name} {service_name} {domain} {description} {stack}")
        }
        NodeData::Endpoint {
            method,
            path,
            operation_id,
            summary,
            handler_symbol,
            ..
        } => {
            format!("{method} {path} {operation_id} {operation_id} {summary} {handler_symbol}")
        }
        NodeData::DomainEntity {
            entity_name,
            description,
            fields,
            ..
        } => {
            let fields: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
            format!(
                "{entity_name} {entity_name} {description} {}",
                fields.join(" ")
            )
        }
        NodeData::Event {
            event_name,
            channel,
            aliases,
            ..
        } => {
            format!("{event_name} {event_name} {channel} {}", aliases.join(" "))
        }
        NodeData::Contract {
            contract_id,
            contract_type,
            ..
        } => format!("{contract_id} {contract_type}"),
        NodeData::File { file_path, .. } => file_path.clone(),
    }
}

/// Returns the score of each row, that of the best is 1: BM25 over words and parts of names (Robertson, Zaragoza: The
/// Probabilistic Relevance Framework).
fn word_scores(rows: &[Row], query: &str) -> Vec<f64> {
    let documents: Vec<FxHashMap<String, f64>> = rows
        .iter()
        .map(|row| {
            let mut counts: FxHashMap<String, f64> = FxHashMap::default();
            for word in words(&row.text) {
                *counts.entry(word).or_default() += 1.0;
            }
            counts
        })
        .collect();
    let mut wanted = words(query);
    wanted.sort_unstable();
    wanted.dedup();
    let count = rows.len() as f64;
    let lengths: Vec<f64> = documents
        .iter()
        .map(|counts| counts.values().sum())
        .collect();
    let mean = lengths.iter().sum::<f64>() / count.max(1.0);
    let mut scores = vec![0.0; rows.len()];
    for word in &wanted {
        let having = documents
            .iter()
            .filter(|counts| counts.contains_key(word))
            .count() as f64;
        let idf = (1.0 + (count - having + 0.5) / (having + 0.5)).ln();
        for ((score, counts), length) in scores.iter_mut().zip(&documents).zip(&lengths) {
            if let Some(&times) = counts.get(word) {
                *score += idf * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * length / mean));
            }
        }
    }
    let best = scores.iter().copied().fold(0.0, f64::max);
    if best > 0.0 {
        for score in &mut scores {
            *score /= best;
        }
    }
    scores
}

/// Returns the words of a text in lower case: whole names, and their parts at `_` and capitals.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
    {
        words.push(word.to_lowercase());
        let mut part = String::new();
        let mut parts = Vec::new();
        let mut last_is_lower = false;
        for c in word.chars() {
            if (c == '_' || c.is_uppercase() && last_is_lower) && !part.is_empty() {
                parts.push(std::mem::take(&mut part));
            }
            if c != '_' {
                part.extend(c.to_lowercase());
            }
            last_is_lower = c.is_lowercase() || c.is_ascii_digit();
        }
        parts.push(part);
        if parts.len() > 1 {
            words.extend(parts.into_iter().filter(|part| part.len() > 1));
        }
    }
    words
}
