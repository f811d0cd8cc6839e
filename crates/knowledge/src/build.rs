//! The knowledge graph of a revision: documents and code joined.

mod code_nodes;
mod contracts;
mod endpoints;
mod entities;
mod environment;
mod events;
mod requests;
mod rpcs;
mod service_calls;

use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_db::{Db, File, RootDb};
use codeweft_documents::contract::Contract;
use codeweft_documents::{NodeId, Tree};
use codeweft_graph::RevisionCache;
use serde::Deserialize;

use self::environment::Wired;
use crate::code::Code;
use crate::code_stamp::CodeStamp;
use crate::documents::{
    contracts as contracts_of, document_deployment, document_tree, documents as documents_of,
    filled_deployment,
};
use crate::graph::{Graph, GraphBuilder, NodeData, Relation};
use crate::handlers::Handlers;
use crate::ranks::{Adjacency, communities, pagerank};
use crate::recognisers::{self, Recogniser};
use crate::services::{DeclaredService, DeploymentAt, Services};
use crate::wires::{self, Program, ReadWires};

/// What the settings say of the knowledge graph.
#[derive(Clone, PartialEq, Debug)]
pub struct KnowledgeSettings {
    /// Whether there is a graph at all.
    pub enabled: bool,
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

impl Default for KnowledgeSettings {
    fn default() -> KnowledgeSettings {
        KnowledgeSettings {
            enabled: true,
            services: BTreeMap::new(),
            entities: BTreeMap::new(),
            asyncapi_v2_is_client: false,
            recognisers: Vec::new(),
            wrong_recognisers: Vec::new(),
        }
    }
}

impl KnowledgeSettings {
    /// Returns the settings of a workspace by key: `services` and `entities`, JSON objects by name, `asyncapi_v2`, and
    /// `knowledge_enabled`. What cannot be read counts as absent: the file of settings is checked where it is read.
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
            enabled: values
                .get("knowledge_enabled")
                .is_none_or(|value| value != "false"),
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
#[derive(Clone)]
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
#[derive(Clone)]
pub(crate) struct ContractAt {
    /// The number of the document.
    pub(crate) document: usize,
    pub(crate) contract: Arc<Contract>,
    /// The id on the wire: the path, with the number of the root behind it if there are several.
    pub(crate) id: String,
}

/// What a build reads.
pub(crate) struct Facts {
    pub(crate) settings: KnowledgeSettings,
    pub(crate) code: Arc<Code>,
    pub(crate) documents: Vec<DocumentAt>,
    pub(crate) contracts: Vec<ContractAt>,
    pub(crate) deployments: Vec<DeploymentAt>,
    pub(crate) services: Services,
    /// What the code is made of.
    pub(crate) stamp: CodeStamp,
}

impl Facts {
    /// Returns whether a graph of these facts is that of others. Results of queries are compared by address: they are the
    /// same as long as nothing that they read has changed.
    pub(crate) fn are_same(&self, other: &Facts) -> bool {
        // Named one by one: a fact that is added has to be compared.
        let Facts {
            settings,
            code,
            documents,
            contracts,
            deployments,
            services,
            stamp,
        } = self;
        let same_documents = documents.len() == other.documents.len()
            && documents.iter().zip(&other.documents).all(|(own, others)| {
                own.path == others.path && Arc::ptr_eq(&own.tree, &others.tree)
            });
        let same_contracts = contracts.len() == other.contracts.len()
            && contracts.iter().zip(&other.contracts).all(|(own, others)| {
                own.document == others.document
                    && own.id == others.id
                    && Arc::ptr_eq(&own.contract, &others.contract)
            });
        let same_deployments = deployments.len() == other.deployments.len()
            && deployments
                .iter()
                .zip(&other.deployments)
                .all(|(own, others)| own.0 == others.0 && Arc::ptr_eq(&own.1, &others.1));
        *settings == other.settings
            && stamp.has_units_of(&other.stamp)
            && *services == other.services
            && same_documents
            && same_contracts
            && same_deployments
            && (Arc::ptr_eq(code, &other.code) || *code == other.code)
    }
}

/// The database of a revision, and how its graph is built.
#[derive(Clone, Copy)]
pub struct GraphSource<'a> {
    /// The database.
    pub db: &'a RootDb,
    /// What the requests of the revision share.
    pub cache: &'a RevisionCache,
    /// The root of the workspace, absolute; its last part names the service of a workspace that has no other.
    pub root: &'a str,
    /// The settings.
    pub settings: &'a KnowledgeSettings,
    /// How many threads may be used.
    pub threads: usize,
}

/// Builds the knowledge graph of a database. A function of its texts and the settings: equal ones give equal graphs, on any
/// number of threads.
///
/// `root` is the root of the workspace, absolute; its last part names the service of a workspace that has no other.
pub fn build(db: &RootDb, root: &str, settings: &KnowledgeSettings, threads: usize) -> Graph {
    let source = GraphSource {
        db,
        cache: &RevisionCache::default(),
        root,
        settings,
        threads,
    };
    let (graph, _) = graph_of(db, &read(&source, None));
    ranked(db, graph)
}

/// Returns the graph of facts, without ranks, and what was read of the code beside them.
pub(crate) fn graph_of(db: &RootDb, facts: &Facts) -> (Graph, ReadWires) {
    let mut rows = Recogniser::shipped();
    rows.extend(facts.settings.recognisers.iter().cloned());
    let program = Program::new(db, &facts.code, rows);
    let wires = wires::facts(&program);
    let handlers = Handlers::new(&facts.code, &wires.served);
    let mut graph = GraphBuilder::default();
    let polled = |step: &mut dyn FnMut()| {
        db.unwind_if_cancelled();
        step();
    };
    polled(&mut || add_services(&mut graph, facts));
    polled(&mut || add_errors(&mut graph, facts));
    polled(&mut || code_nodes::add(&mut graph, facts));
    polled(&mut || contracts::add(&mut graph, facts, &handlers));
    let wired = Wired::new(facts, &program, &graph);
    polled(&mut || endpoints::add(&mut graph, &wired, &wires.routes));
    polled(&mut || rpcs::add(&mut graph, &wired, &handlers, &wires.served));
    polled(&mut || events::add(&mut graph, &wired, &wires.events));
    polled(&mut || entities::add(&mut graph, facts));
    polled(&mut || service_calls::add(&mut graph, facts, &handlers));
    polled(&mut || requests::add(&mut graph, &wired, &wires.requests));
    polled(&mut || remove_empty_services(&mut graph, facts));
    db.unwind_if_cancelled();
    (graph.finish(), program.read())
}

/// Returns what a build of a database reads. The code of `last` is taken over as far as it is the same.
pub(crate) fn read(source: &GraphSource<'_>, last: Option<&Facts>) -> Facts {
    let &GraphSource {
        db,
        cache,
        root,
        settings,
        threads,
    } = source;
    let known = last.map(|last| (&last.stamp, &last.code));
    let (stamp, code) = Code::of(db, cache, threads, known);
    let mut documents = Vec::new();
    let mut contracts = Vec::new();
    let mut deployments: Vec<DeploymentAt> = Vec::new();
    for &file in documents_of(db).iter() {
        db.unwind_if_cancelled();
        let path = file.path(db).clone();
        if let Some(deployment) = filled_deployment(db, file) {
            deployments.push((path.clone(), deployment));
        }
        let document = documents.len();
        let of_document = contracts_of(db, file);
        let several = of_document.len() > 1;
        for (number, contract) in (1..).zip(of_document.iter()) {
            contracts.push(ContractAt {
                document,
                contract: contract.clone(),
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
        stamp,
    }
}

/// Returns whether a workspace has services or contracts: declared ones, or what documents say. Without them the graph has
/// one service, the workspace.
pub fn has_services_or_contracts(db: &RootDb, settings: &KnowledgeSettings) -> bool {
    let documents = documents_of(db);
    let mut documents = documents.iter();
    let says_something = |&file: &File| {
        db.unwind_if_cancelled();
        let deployment = document_deployment(db, file);
        deployment.is_some_and(|deployment| !deployment.services.is_empty())
            || !contracts_of(db, file).is_empty()
    };
    settings.enabled && (!settings.services.is_empty() || documents.any(says_something))
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

/// Reports what could not be read of the settings, and of the documents that say something of services.
fn add_errors(graph: &mut GraphBuilder, facts: &Facts) {
    for (line, words) in &facts.settings.wrong_recognisers {
        graph.error("codeweft.toml", *line, words.clone());
    }
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
        // Without code of the workspace it is a service for those that call it.
        let is_called = graph
            .ends_of(Relation::ServiceCalls)
            .any(|(_, to)| to == id);
        if is_called {
            for path in &service.documents {
                graph.edge(&id, Relation::ContainsFile, &file_id(path));
            }
        }
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
pub(crate) fn ranked(db: &RootDb, mut graph: Graph) -> Graph {
    let pairs = || graph.edges.iter().map(|edge| (edge.from, edge.to));
    db.unwind_if_cancelled();
    let ranks = pagerank(&Adjacency::directed(graph.nodes.len(), pairs()));
    db.unwind_if_cancelled();
    let of = communities(&Adjacency::undirected(graph.nodes.len(), pairs()), 1.0);
    graph.communities = of.iter().max().map_or(0, |last| last + 1);
    for (node, (rank, community)) in graph.nodes.iter_mut().zip(ranks.into_iter().zip(of)) {
        node.pagerank = rank;
        node.community_id = community;
    }
    graph
}
