//! `build_knowledge_graph`: what there is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::error::ToolError;
use crate::graph::{Graph, KnowledgeError, NodeData};
use crate::settings::KnowledgeSettings;

/// The request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildRequest {
    /// The name of the service of a workspace that has no other; empty for that of its folder.
    #[serde(default)]
    pub project_name: String,
    /// Whether to build anew even if a graph of equal facts is kept.
    #[serde(default = "BuildRequest::default_rebuild")]
    pub force_rebuild: bool,
    /// Services as a JSON object by name, each as `[services.NAME]` of the settings; for this answer alone. Empty for those
    /// of the settings.
    #[serde(default)]
    pub service_interfaces_json: String,
}

impl BuildRequest {
    fn default_rebuild() -> bool {
        true
    }

    /// Returns the settings under which the request wants the graph; `None` for those of the workspace.
    ///
    /// # Errors
    /// `service_interfaces_json` is no such object.
    pub fn settings(
        &self,
        of_workspace: &KnowledgeSettings,
    ) -> Result<Option<KnowledgeSettings>, ToolError> {
        if self.service_interfaces_json.trim().is_empty() {
            return Ok(None);
        }
        let services = serde_json::from_str(&self.service_interfaces_json);
        let services = services.map_err(|error| {
            ToolError::invalid(format!(
                "service_interfaces_json: use an object such as {{\"orders\": {{\"paths\": [\"orders\"]}}}}: {error}"
            ))
        })?;
        Ok(Some(KnowledgeSettings {
            services,
            ..of_workspace.clone()
        }))
    }
}

impl Default for BuildRequest {
    fn default() -> BuildRequest {
        BuildRequest {
            project_name: String::new(),
            force_rebuild: true,
            service_interfaces_json: String::new(),
        }
    }
}

/// What a graph has.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct GraphOverview {
    pub success: bool,
    pub node_count: usize,
    pub edge_count: usize,
    pub node_types: BTreeMap<String, usize>,
    pub edge_types: BTreeMap<String, usize>,
    pub community_count: u32,
    pub build_time_ms: u64,
    pub services_indexed: Vec<String>,
    pub errors: Vec<KnowledgeError>,
}

/// Returns what a graph has; `build_time_ms` is the time that it took.
pub fn overview(graph: &Graph, build_time_ms: u64) -> GraphOverview {
    let mut node_types = BTreeMap::new();
    for node in &graph.nodes {
        *node_types
            .entry(node.data.node_type().to_owned())
            .or_default() += 1;
    }
    let mut edge_types = BTreeMap::new();
    for edge in &graph.edges {
        *edge_types
            .entry(edge.relation.wire_name().to_owned())
            .or_default() += 1;
    }
    let services = graph.nodes.iter().filter_map(|node| match &*node.data {
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
