//! Look-ups by id and name, and the error of what is not there, with the nearest names.

use serde::Serialize;

use crate::graph::{Graph, NodeData};

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
    pub(super) fn invalid(message: impl Into<String>) -> ToolError {
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
    pub(super) fn find(&self, id: &str) -> Result<u32, ToolError> {
        if let Some(number) = self.number(id) {
            return Ok(number);
        }
        let is_symbol =
            |data: &NodeData| matches!(data, NodeData::Symbol { graph_id, .. } if graph_id == id);
        let mut numbered = (0..).zip(&self.nodes);
        if let Some((number, _)) = numbered.find(|(_, node)| is_symbol(&node.data)) {
            return Ok(number);
        }
        let candidates = nearest(id, self.nodes.iter().map(|node| &*node.id));
        Err(ToolError {
            error_type: "target_not_found",
            message: format!(
                "no node `{id}`; use an id of hybrid_search or query_graph_neighborhood, or the id of a symbol"
            ),
            candidates,
        })
    }

    /// Returns the number of a service by its name.
    pub(super) fn find_service(&self, name: &str) -> Result<u32, ToolError> {
        let id = format!("service::{name}");
        self.number(&id)
            .or_else(|| self.number(name))
            .ok_or_else(|| {
                let services = self.nodes.iter().filter_map(|node| match &*node.data {
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

    pub(super) fn id(&self, number: u32) -> &str {
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
