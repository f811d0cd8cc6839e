//! What contracts between services declare, free of offsets: operations, channels, schemas.

mod asyncapi;
mod json_schema;
mod openapi;
mod proto;
mod reference;
mod schema;

use std::collections::BTreeMap;

pub use reference::{Trees, referenced_documents};

use crate::format::Format;
use crate::tree::NodeId;
use crate::value::Value;

/// The kinds of contracts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ContractKind {
    /// OpenAPI 2 (Swagger) and 3.
    OpenApi,
    /// AsyncAPI 2 and 3.
    AsyncApi,
    /// JSON Schema.
    JsonSchema,
    /// A protocol buffers file with services or messages.
    Protobuf,
}

impl ContractKind {
    /// Returns the name on the wire.
    pub fn wire_name(self) -> &'static str {
        match self {
            ContractKind::OpenApi => "openapi",
            ContractKind::AsyncApi => "asyncapi",
            ContractKind::JsonSchema => "json_schema",
            ContractKind::Protobuf => "protobuf",
        }
    }
}

/// A contract: a root of a document. Nodes are those of the document's tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    /// What it is.
    pub kind: ContractKind,
    /// The version of the specification that it follows, such as `3.1.0`; empty if the document does not say.
    pub specification: String,
    /// Its title; for protocol buffers the package. Empty without one.
    pub title: String,
    /// Its own version; empty without one.
    pub version: String,
    /// Its root.
    pub node: NodeId,
    /// In text order.
    pub operations: Vec<Operation>,
    /// In text order.
    pub channels: Vec<ChannelOperation>,
    /// In text order.
    pub schemas: Vec<Schema>,
    /// What in it is against its specification, by node.
    pub errors: Vec<(NodeId, String)>,
}

/// The methods of HTTP that contracts have (OpenAPI 3.1, Path Item Object).
pub const METHODS: [&str; 8] = [
    "GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE",
];

/// An operation of HTTP, or an rpc.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// One of [`METHODS`]; `POST` for an rpc.
    pub method: &'static str,
    /// The path as the contract writes it, without the base path. `/package.Service/Rpc` for an rpc.
    pub path: String,
    /// The paths of the servers that it is below, without a slash at the end; one is empty if it is at the root.
    pub base_paths: Vec<String>,
    /// Its `operationId`; the name of an rpc.
    pub operation_id: Option<String>,
    /// The object that has its handler as a member (`x-openapi-router-controller`, `x-swagger-router-controller`).
    pub controller: Option<String>,
    /// The service of an rpc, with its package.
    pub rpc_service: Option<String>,
    /// A summary; empty without one.
    pub summary: String,
    /// Whether its users should stop to use it.
    pub deprecated: bool,
    /// The names of the security schemes of which a caller needs one.
    pub security: Vec<String>,
    /// The tags.
    pub tags: Vec<String>,
    /// The names of the schemas in its parameters, bodies and responses, sorted.
    pub schemas: Vec<String>,
    /// The operation.
    pub node: NodeId,
}

/// What a service does with the messages of a channel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// It sends them.
    Publish,
    /// It receives them.
    Consume,
}

/// An operation on a channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelOperation {
    /// The address of the channel.
    pub channel: String,
    /// What the service of the contract does. AsyncAPI 2 says `publish` of what a client does; here the word is taken as
    /// the service's own.
    pub action: Action,
    /// Its id.
    pub operation_id: Option<String>,
    /// The names of the messages.
    pub messages: Vec<String>,
    /// The required fields of the messages' payloads, sorted.
    pub required: Vec<String>,
    /// The operation.
    pub node: NodeId,
}

/// An object with properties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schema {
    /// Its name.
    pub name: String,
    /// What it is; empty without a description.
    pub description: String,
    /// In text order.
    pub fields: Vec<SchemaField>,
    /// The schema.
    pub node: NodeId,
}

/// A property of a schema.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemaField {
    /// Its name.
    pub name: String,
    /// Its type as a text: `string`, `integer[]`, `Order`.
    pub field_type: String,
    /// Whether objects must have it.
    pub required: bool,
    /// The name of the schema that it refers to.
    pub reference: Option<String>,
    /// Whether it is a list.
    pub many: bool,
}

/// Reads the contracts of a document: one for each root that is one. `path` is its path in `trees`, which has the documents
/// that it refers to as well (see [`referenced_documents`]).
///
/// A contract that is broken in parts has the others.
pub fn read_contracts(path: &str, trees: &Trees<'_>) -> Vec<Contract> {
    let Some(document) = trees.document(path) else {
        return Vec::new();
    };
    let roots = document.roots();
    let mut contracts: Vec<Contract> = match Format::of_path(path) {
        Some(Format::Proto) => roots.filter_map(proto::contract).collect(),
        Some(Format::Yaml | Format::Json) => roots
            .filter_map(|root| match kind_of(root)? {
                ContractKind::OpenApi => Some(openapi::contract(path, root, trees)),
                ContractKind::AsyncApi => Some(asyncapi::contract(path, root, trees)),
                ContractKind::JsonSchema => json_schema::contract(path, root, trees),
                ContractKind::Protobuf => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    if trees.is_cut()
        && let Some(contract) = contracts.first_mut()
    {
        let words = "more than 100,000 nodes behind aliases: what follows is not read";
        contract.error(contract.node, words);
    }
    contracts
}

/// Returns what kind of contract the root of a YAML or JSON document is by its keys.
pub fn kind_of(root: Value<'_>) -> Option<ContractKind> {
    if !root.is_mapping() {
        return None;
    }
    let has = |key| root.get(key).is_some_and(|value| value.text().is_some());
    if has("openapi") || has("swagger") {
        return Some(ContractKind::OpenApi);
    }
    if has("asyncapi") {
        return Some(ContractKind::AsyncApi);
    }
    let schema = root.text_of("$schema")?;
    schema
        .contains("json-schema.org/")
        .then_some(ContractKind::JsonSchema)
}

/// Returns a contract without its parts; `info` has title and version.
fn empty(kind: ContractKind, specification: &str, root: Value<'_>) -> Contract {
    let info = root.get("info");
    let text = |key| info.and_then(|info| info.text_of(key)).unwrap_or_default();
    Contract {
        kind,
        specification: specification.to_owned(),
        title: text("title").to_owned(),
        version: text("version").to_owned(),
        node: root.node(),
        operations: Vec::new(),
        channels: Vec::new(),
        schemas: Vec::new(),
        errors: Vec::new(),
    }
}

impl Contract {
    fn error(&mut self, node: NodeId, message: impl Into<String>) {
        self.errors.push((node, message.into()));
    }

    /// Reports ids of operations that are there already.
    fn check_ids(&mut self) {
        let mut seen: BTreeMap<&str, ()> = BTreeMap::new();
        let mut errors = Vec::new();
        let operations = self.operations.iter();
        let ids = operations.map(|operation| (&operation.operation_id, operation.node));
        let channels = self.channels.iter();
        let ids = ids.chain(channels.map(|channel| (&channel.operation_id, channel.node)));
        for (id, node) in ids {
            if let Some(id) = id
                && seen.insert(id, ()).is_some()
            {
                errors.push((node, format!("the operationId `{id}` is repeated")));
            }
        }
        self.errors.extend(errors);
    }
}
