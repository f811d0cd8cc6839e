//! The knowledge graph of a revision: documents and code joined.

mod code_nodes;
mod contracts;
mod endpoints;
mod entities;
mod environment;
mod events;
mod requests;
mod service_calls;

use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_db::{Db, RootDb};
use codeweft_documents::contract::Contract;
use codeweft_documents::{NodeId, Tree};
use serde::Deserialize;

use self::environment::Wired;
use crate::code::Code;
use crate::documents::{Documents, document_deployment, document_tree};
use crate::graph::{Graph, GraphBuilder, NodeData, Relation};
use crate::handlers::Handlers;
use crate::ranks::{Adjacency, communities, pagerank};
use crate::recognisers::{self, Recogniser};
use crate::services::{DeclaredService, DeploymentAt, Services};
use crate::wires::{self, Program};

/// What the settings say of the knowledge graph.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct KnowledgeSettings {
    /// The services by name; found if there are none.
    pub services: BTreeMap<String, DeclaredService>,
    /// The entities by name with the services that own them; empty ones have none.
    pub entities: BTreeMap<String, String>,
    /// Whether `publish` in AsyncAPI 2 is what a client of the service does, as the specification has it.
    pub asyncapi_v2_is_client: bool,
    /// Recognisers beside those of this crate.
    pub recognisers: Vec<Recogniser>,
    /// What is wrong with others in the file of settings: the 1-based line, and the words.
    pub wrong_recognisers: Vec<(u32, String)>,
}

impl KnowledgeSettings {
    /// Returns the settings of a workspace by key: `services` and `entities`, JSON objects by name, and `asyncapi_v2`. What
    /// cannot be read counts as absent: the file of settings is checked where it is read.
    pub fn from_values(values: &BTreeMap<String, String>) -> KnowledgeSettings {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Entity {
            owner: String,
        }
        let json = |key: &str| values.get(key).map_or("{}", String::as_str);
        let (recognisers, wrong_recognisers) =
            recognisers::of_settings(values.get("recogniser").map_or("[]", String::as_str));
        let entities: BTreeMap<String, Entity> =
            serde_json::from_str(json("entities")).unwrap_or_default();
        KnowledgeSettings {
            services: serde_json::from_str(json("services")).unwrap_or_default(),
            entities: entities
                .into_iter()
                .map(|(name, entity)| (name, entity.owner))
                .collect(),
            asyncapi_v2_is_client: values
                .get("asyncapi_v2")
                .is_some_and(|view| view == "client"),
            recognisers,
            wrong_recognisers,
        }
    }
}

/// A document of the workspace.
pub(crate) struct DocumentAt {
    pub(crate) path: Arc<str>,
    pub(crate) tree: Arc<Tree>,
}

impl DocumentAt {
    /// Returns the 1-based line of a node.
    pub(crate) fn line(&self, node: NodeId) -> u32 {
        self.tree.line_column(self.tree.span(node).start).0
    }
}

/// A contract of a document.
pub(crate) struct ContractAt {
    /// The number of the document.
    pub(crate) document: usize,
    pub(crate) contract: Contract,
    /// The id on the wire: the path, with the number of the root behind it if there are several.
    pub(crate) id: String,
}

/// What a build reads.
pub(crate) struct Facts {
    pub(crate) settings: KnowledgeSettings,
    pub(crate) code: Code,
    pub(crate) documents: Vec<DocumentAt>,
    pub(crate) contracts: Vec<ContractAt>,
    pub(crate) deployments: Vec<DeploymentAt>,
    pub(crate) services: Services,
}

/// Builds the knowledge graph of a database. A function of its texts and the settings: equal ones give equal graphs, on any
/// number of threads.
///
/// `root` is the root of the workspace, absolute; its last part names the service of a workspace that has no other.
pub fn build(db: &RootDb, root: &str, settings: &KnowledgeSettings, threads: usize) -> Graph {
    let facts = read(db, root, settings, threads);
    let handlers = Handlers::new(&facts.code);
    let mut graph = GraphBuilder::default();
    add_services(&mut graph, &facts);
    add_document_errors(&mut graph, &facts);
    for (line, words) in &settings.wrong_recognisers {
        graph.error("codeweft.toml", *line, words.clone());
    }
    code_nodes::add(&mut graph, &facts);
    contracts::add(&mut graph, &facts, &handlers);
    let mut rows = Recogniser::shipped();
    rows.extend(settings.recognisers.iter().cloned());
    let program = Program::new(db, &facts.code, rows);
    let wires = wires::facts(&program);
    let wired = Wired::new(&facts, &program, &graph);
    endpoints::add(&mut graph, &wired, &wires.routes);
    events::add(&mut graph, &wired, &wires.events);
    entities::add(&mut graph, &facts);
    service_calls::add(&mut graph, &facts, &handlers);
    requests::add(&mut graph, &wired, &wires.requests);
    remove_empty_services(&mut graph, &facts);
    ranked(graph.finish())
}

fn read(db: &RootDb, root: &str, settings: &KnowledgeSettings, threads: usize) -> Facts {
    let code = Code::of(db, threads);
    let all = Documents::of(db);
    let mut documents = Vec::new();
    let mut contracts = Vec::new();
    let mut deployments: Vec<DeploymentAt> = Vec::new();
    for &file in all.files.iter() {
        db.unwind_if_cancelled();
        let path = file.path(db).clone();
        if let Some(deployment) = document_deployment(db, file) {
            deployments.push((path.clone(), deployment));
        }
        let document = documents.len();
        let of_document = all.contracts(db, file);
        let several = of_document.len() > 1;
        for (number, contract) in (1..).zip(of_document) {
            contracts.push(ContractAt {
                document,
                contract,
                id: if several {
                    format!("{path}#{number}")
                } else {
                    path.to_string()
                },
            });
        }
        documents.push(DocumentAt {
            path,
            tree: document_tree(db, file),
        });
    }
    let root_name = root
        .rsplit('/')
        .find(|part| !part.is_empty())
        .unwrap_or("workspace");
    let services = Services::find(root_name, &settings.services, &code, &deployments);
    Facts {
        settings: settings.clone(),
        code,
        documents,
        contracts,
        deployments,
        services,
    }
}

/// Returns the id of a service.
pub(crate) fn service_id(name: &str) -> String {
    format!("service::{name}")
}

/// Returns the id of a file.
pub(crate) fn file_id(path: &str) -> String {
    format!("file::{path}")
}

fn add_services(graph: &mut GraphBuilder, facts: &Facts) {
    for service in &facts.services.list {
        let data = NodeData::Service {
            service_name: service.name.clone(),
            domain: service.declared.domain.clone(),
            description: service.declared.description.clone(),
            stack: service.declared.stack.clone(),
            estimated_loc: 0,
        };
        graph.node(&service_id(&service.name), data);
    }
}

/// Reports what could not be read of the documents that say something of services.
fn add_document_errors(graph: &mut GraphBuilder, facts: &Facts) {
    for (number, document) in facts.documents.iter().enumerate() {
        let is_used = facts
            .contracts
            .iter()
            .any(|contract| contract.document == number)
            || facts
                .deployments
                .iter()
                .any(|(path, _)| *path == document.path)
            || is_contract_by_name(&document.path);
        if !is_used {
            continue;
        }
        for error in &document.tree.errors {
            let line = document.tree.line_column(error.offset).0;
            graph.error(&document.path, line, error.message.clone());
        }
    }
    for contract in &facts.contracts {
        let Some(document) = facts.documents.get(contract.document) else {
            continue;
        };
        for (node, message) in &contract.contract.errors {
            graph.error(&document.path, document.line(*node), message.clone());
        }
    }
}

/// Returns whether a document whose content cannot be read is a contract by its name.
fn is_contract_by_name(path: &str) -> bool {
    let name = crate::services::last(path).to_ascii_lowercase();
    ["openapi", "swagger", "asyncapi"]
        .iter()
        .any(|word| name.contains(word))
        || name.ends_with(".proto")
}

/// Reports and removes declared services that have no file. A service that is found always has some.
fn remove_empty_services(graph: &mut GraphBuilder, facts: &Facts) {
    for service in &facts.services.list {
        let id = service_id(&service.name);
        if graph.targets(&id, Relation::ContainsFile).next().is_none() {
            let words = format!(
                "the service `{}` has no file: check its paths",
                service.name
            );
            if facts.settings.services.contains_key(&service.name) {
                graph.error("codeweft.toml", 1, words);
            }
            graph.remove(&id);
        }
    }
}

/// Returns the graph with ranks and communities.
fn ranked(mut graph: Graph) -> Graph {
    let pairs = || graph.edges.iter().map(|edge| (edge.from, edge.to));
    let ranks = pagerank(&Adjacency::directed(graph.nodes.len(), pairs()));
    let of = communities(&Adjacency::undirected(graph.nodes.len(), pairs()), 1.0);
    graph.communities = of.iter().max().map_or(0, |last| last + 1);
    for (node, (rank, community)) in graph.nodes.iter_mut().zip(ranks.into_iter().zip(of)) {
        node.pagerank = rank;
        node.community_id = community;
    }
    graph
}
