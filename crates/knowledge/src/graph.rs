//! The knowledge graph: nodes and edges with their ids (docs/knowledge.md).

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A field of an entity.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct EntityField {
    /// Its name.
    pub name: String,
    /// Its type as the schema has it; empty without one.
    #[serde(rename = "type")]
    pub field_type: String,
    /// Whether objects must have it.
    pub required: bool,
}

/// What a node is, with its attributes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "node_type", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the wire's own words")]
pub enum NodeData {
    File {
        file_path: String,
        language: String,
        service_name: String,
    },
    Symbol {
        symbol_name: String,
        kind: String,
        language: String,
        service_name: String,
        file_path: String,
        line_start: u32,
        line_end: u32,
        signature: String,
        is_exported: bool,
        graph_id: String,
    },
    Service {
        service_name: String,
        domain: String,
        description: String,
        stack: String,
        estimated_loc: u32,
    },
    Contract {
        contract_id: String,
        contract_type: String,
        version: String,
        service_name: String,
        status: String,
        file_path: String,
        line: u32,
    },
    Endpoint {
        method: String,
        path: String,
        service_name: String,
        handler_symbol: String,
        operation_id: String,
        summary: String,
        file_path: String,
        line: u32,
    },
    DomainEntity {
        entity_name: String,
        description: String,
        owning_service: String,
        fields: Vec<EntityField>,
        file_path: String,
        line: u32,
    },
    Event {
        event_name: String,
        channel: String,
        aliases: Vec<String>,
        file_path: String,
        line: u32,
    },
}

impl NodeData {
    /// Returns the type on the wire.
    pub fn node_type(&self) -> &'static str {
        match self {
            NodeData::File { .. } => "file",
            NodeData::Symbol { .. } => "symbol",
            NodeData::Service { .. } => "service",
            NodeData::Contract { .. } => "contract",
            NodeData::Endpoint { .. } => "endpoint",
            NodeData::DomainEntity { .. } => "domain_entity",
            NodeData::Event { .. } => "event",
        }
    }

    /// Returns the service that a node belongs to; empty for those of none.
    pub fn service_name(&self) -> &str {
        match self {
            NodeData::File { service_name, .. }
            | NodeData::Symbol { service_name, .. }
            | NodeData::Service { service_name, .. }
            | NodeData::Contract { service_name, .. }
            | NodeData::Endpoint { service_name, .. } => service_name,
            NodeData::DomainEntity { owning_service, .. } => owning_service,
            NodeData::Event { .. } => "",
        }
    }

    /// Returns the file that a node is in; empty for services without one.
    pub fn file_path(&self) -> &str {
        match self {
            NodeData::File { file_path, .. }
            | NodeData::Symbol { file_path, .. }
            | NodeData::Contract { file_path, .. }
            | NodeData::Endpoint { file_path, .. }
            | NodeData::DomainEntity { file_path, .. }
            | NodeData::Event { file_path, .. } => file_path,
            NodeData::Service { .. } => "",
        }
    }
}

/// A node with its rank and its community.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Node {
    /// The id: the type's prefix and what identifies it.
    pub id: Arc<str>,
    /// What it is. Graphs of several revisions share it.
    #[serde(flatten)]
    pub data: Arc<NodeData>,
    /// PageRank over the directed graph; all sum to 1.
    pub pagerank: f64,
    /// The number of its community.
    pub community_id: u32,
}

/// The types of edges.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "the wire's own words")]
pub enum Relation {
    ContainsFile,
    DefinesSymbol,
    Imports,
    Calls,
    Inherits,
    Implements,
    ProvidesContract,
    ExposesEndpoint,
    HandlesEndpoint,
    OwnsEntity,
    ReferencesEntity,
    ImplementsEntity,
    PublishesEvent,
    ConsumesEvent,
    ServiceCalls,
    DomainRelationship,
}

impl Relation {
    /// All of them.
    pub const ALL: [Relation; 16] = [
        Relation::ContainsFile,
        Relation::DefinesSymbol,
        Relation::Imports,
        Relation::Calls,
        Relation::Inherits,
        Relation::Implements,
        Relation::ProvidesContract,
        Relation::ExposesEndpoint,
        Relation::HandlesEndpoint,
        Relation::OwnsEntity,
        Relation::ReferencesEntity,
        Relation::ImplementsEntity,
        Relation::PublishesEvent,
        Relation::ConsumesEvent,
        Relation::ServiceCalls,
        Relation::DomainRelationship,
    ];

    /// Returns the name on the wire.
    pub fn wire_name(self) -> &'static str {
        match self {
            Relation::ContainsFile => "CONTAINS_FILE",
            Relation::DefinesSymbol => "DEFINES_SYMBOL",
            Relation::Imports => "IMPORTS",
            Relation::Calls => "CALLS",
            Relation::Inherits => "INHERITS",
            Relation::Implements => "IMPLEMENTS",
            Relation::ProvidesContract => "PROVIDES_CONTRACT",
            Relation::ExposesEndpoint => "EXPOSES_ENDPOINT",
            Relation::HandlesEndpoint => "HANDLES_ENDPOINT",
            Relation::OwnsEntity => "OWNS_ENTITY",
            Relation::ReferencesEntity => "REFERENCES_ENTITY",
            Relation::ImplementsEntity => "IMPLEMENTS_ENTITY",
            Relation::PublishesEvent => "PUBLISHES_EVENT",
            Relation::ConsumesEvent => "CONSUMES_EVENT",
            Relation::ServiceCalls => "SERVICE_CALLS",
            Relation::DomainRelationship => "DOMAIN_RELATIONSHIP",
        }
    }
}

/// The attributes of an edge; each is absent where the type has none.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EdgeData {
    /// `IMPORTS`, `CALLS`: the first line, 1-based.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// `CALLS`: all lines if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<u32>,
    /// `CALLS`: whether the target is only possible.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub possible: bool,
    /// `IMPORTS`: the names that are used through it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub imported_names: Vec<String>,
    /// `SERVICE_CALLS`: the endpoint that is called; empty if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via_endpoint: Option<String>,
    /// `SERVICE_CALLS`: all endpoints that are called if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub via_endpoints: Vec<String>,
    /// `SERVICE_CALLS`: the number of imports across.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub import_count: Option<u32>,
    /// `SERVICE_CALLS`: what says so: `stub`, `import`, `deployment`, `http`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
    /// `DOMAIN_RELATIONSHIP`: the field that refers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relationship_type: Option<String>,
    /// `DOMAIN_RELATIONSHIP`: `1:1` or `1:N`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cardinality: Option<String>,
    /// `HANDLES_ENDPOINT`: how the handler was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found_by: Option<String>,
    /// `HANDLES_ENDPOINT`, `PUBLISHES_EVENT`, `CONSUMES_EVENT`: whether only the names of a library say so whose source is
    /// not loaded.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub assumed: bool,
}

/// An edge between nodes, by number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The source.
    pub from: u32,
    /// The target.
    pub to: u32,
    /// The type.
    pub relation: Relation,
    /// The attributes. Graphs of several revisions share them.
    pub data: Arc<EdgeData>,
}

/// Something that is wrong in a document or a setting; the rest is built without it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct KnowledgeError {
    /// The file.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

/// The graph. Nodes are ordered by id, edges by (from, relation, to); a pair of nodes has one edge of a type.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Graph {
    /// By id.
    pub nodes: Vec<Node>,
    /// By (from, relation, to).
    pub edges: Vec<Edge>,
    /// What is wrong, by file and line.
    pub errors: Vec<KnowledgeError>,
    /// The number of communities.
    pub communities: u32,
}

impl Graph {
    /// Returns the number of a node by its id.
    pub fn number(&self, id: &str) -> Option<u32> {
        let at = self.nodes.binary_search_by(|node| (*node.id).cmp(id));
        at.ok().map(|at| at as u32)
    }

    /// Returns a node.
    pub fn node(&self, number: u32) -> Option<&Node> {
        self.nodes.get(number as usize)
    }

    /// Returns whether another graph has the same nodes and edges, whatever their attributes.
    pub(crate) fn has_topology_of(&self, other: &Graph) -> bool {
        let nodes = self.nodes.iter().zip(&other.nodes);
        let edges = self.edges.iter().zip(&other.edges);
        let ends = |edge: &Edge| (edge.from, edge.relation, edge.to);
        self.nodes.len() == other.nodes.len()
            && self.edges.len() == other.edges.len()
            && nodes
                .into_iter()
                .all(|(one, two)| Arc::ptr_eq(&one.id, &two.id) || one.id == two.id)
            && edges.into_iter().all(|(one, two)| ends(one) == ends(two))
    }

    /// Takes the ranks and communities of a graph with the same nodes and edges.
    pub(crate) fn take_ranks(&mut self, other: &Graph) {
        for (node, other) in self.nodes.iter_mut().zip(&other.nodes) {
            node.pagerank = other.pagerank;
            node.community_id = other.community_id;
        }
        self.communities = other.communities;
    }

    /// Returns the edges of a type.
    pub fn edges_of(&self, relation: Relation) -> impl Iterator<Item = &Edge> {
        self.edges
            .iter()
            .filter(move |edge| edge.relation == relation)
    }
}
