//! The words of a graph's nodes, and of the contexts of its services and communities, for `hybrid_search`.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::service_context::{ServiceContextRequest, get_service_context};
use crate::graph::{Graph, Node, NodeData};

/// A row that can be found.
pub(super) struct Row {
    /// The id of the node, or that of the context.
    pub(super) id: String,
    /// The type of the node, or `context`.
    pub(super) node_type: &'static str,
    /// The text of a context; else empty.
    pub(super) context: String,
    /// The node that the row is at in the graph.
    pub(super) node: Option<u32>,
    /// The file; empty for services and contexts.
    pub(super) file: String,
    /// The service; empty for communities.
    pub(super) service: String,
}

/// The words of a graph, read once for all questions to it.
pub struct SearchIndex {
    rows: Vec<Row>,
    /// The number of words of each row.
    lengths: Vec<f64>,
    /// The rows that have a word, ascending, each with how often.
    postings: FxHashMap<String, Vec<(u32, u32)>>,
}

impl SearchIndex {
    /// Reads the words of a graph.
    pub fn of(graph: &Graph) -> SearchIndex {
        let mut index = SearchIndex {
            rows: Vec::with_capacity(graph.nodes.len()),
            lengths: Vec::with_capacity(graph.nodes.len()),
            postings: FxHashMap::default(),
        };
        for (number, node) in (0..).zip(&graph.nodes) {
            let row = Row {
                id: node.id.to_string(),
                node_type: node.data.node_type(),
                context: String::new(),
                node: Some(number),
                file: match *node.data {
                    NodeData::Service { .. } => String::new(),
                    _ => node.data.file_path().to_owned(),
                },
                service: node.data.service_name().to_owned(),
            };
            index.add(row, &text_of(node));
        }
        for row in contexts(graph) {
            let text = row.context.clone();
            index.add(row, &text);
        }
        index
    }

    fn add(&mut self, row: Row, text: &str) {
        let number = self.rows.len() as u32;
        let words = words(text);
        self.lengths.push(words.len() as f64);
        for word in words {
            let rows = self.postings.entry(word).or_default();
            match rows.last_mut() {
                Some((last, times)) if *last == number => *times += 1,
                _ => rows.push((number, 1)),
            }
        }
        self.rows.push(row);
    }

    /// Returns the rows.
    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns the wanted rows that have a word of the query by number, each with its score, that of the best being 1: BM25
    /// over words and parts of names (Robertson, Zaragoza: The Probabilistic Relevance Framework).
    pub(super) fn scores(
        &self,
        query: &str,
        is_wanted: impl Fn(&Row) -> bool,
    ) -> Vec<(usize, f64)> {
        let is_wanted: Vec<bool> = self.rows.iter().map(is_wanted).collect();
        let wanted = || {
            self.lengths
                .iter()
                .zip(&is_wanted)
                .filter(|(_, is_wanted)| **is_wanted)
        };
        let count = wanted().count() as f64;
        let mean = wanted().map(|(length, _)| length).sum::<f64>() / count.max(1.0);
        let mut queried = words(query);
        queried.sort_unstable();
        queried.dedup();
        let mut scores: BTreeMap<usize, f64> = BTreeMap::new();
        for word in &queried {
            let having = self.postings.get(word).into_iter().flatten();
            let having: Vec<(usize, f64)> = having
                .map(|&(row, times)| (row as usize, f64::from(times)))
                .filter(|&(row, _)| is_wanted[row])
                .collect();
            let idf =
                (1.0 + (count - having.len() as f64 + 0.5) / (having.len() as f64 + 0.5)).ln();
            for (row, times) in having {
                let length = self.lengths[row] / mean;
                let score = idf * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * length));
                *scores.entry(row).or_default() += score;
            }
        }
        let best = scores.values().copied().fold(0.0, f64::max);
        let found = scores.into_iter().filter(|&(_, score)| score > 0.0);
        found.map(|(row, score)| (row, score / best)).collect()
    }
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
                context: context.context_text,
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
            context: format!(
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
    match &*node.data {
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
