//! The knowledge graph of a revision: documents and code joined.

mod command_services;
mod configuration;
mod contracts;
mod deployed;
mod endpoints;
mod entities;
mod environment;
mod events;
mod idle;
mod library_rpcs;
mod mentions;
mod reach;
mod requests;
mod rpcs;
mod service_calls;
mod service_files;
mod settings;
mod stubs;
mod variables;

use std::sync::Arc;

use codeweft_db::{Db, File, RootDb};
use codeweft_graph::RevisionCache;

use self::environment::Wired;
use crate::builder::GraphBuilder;
use crate::code::CodeChange;
use crate::code_layer::CodeLayer;
use crate::documents::{contracts as contracts_of, document_deployment, documents as documents_of};
use crate::facts::{Facts, GraphSource, read};
use crate::graph::{Graph, NodeData, Relation};
use crate::handlers::Handlers;
use crate::ids::{file_id, service_id};
use crate::ranks::{Adjacency, communities, pagerank};
use crate::recognisers::Recogniser;
use crate::settings::KnowledgeSettings;
use crate::wires::{EvaluatedWires, Program};

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
    let built = graph_of(db, &mut read(&source, None), None);
    ranked(db, built.graph)
}

/// A graph without ranks, and what the next one may take over of it.
pub(crate) struct Built {
    pub(crate) graph: Graph,
    pub(crate) layer: Arc<CodeLayer>,
    pub(crate) wires: Arc<EvaluatedWires>,
    /// Whether the nodes and edges of the code are those of the graph before, but for packages.
    pub(crate) has_kept_code: bool,
}

/// What a graph may take over of the one before.
pub(crate) struct Before<'a> {
    pub(crate) facts: &'a Facts,
    pub(crate) layer: &'a Arc<CodeLayer>,
    pub(crate) wires: &'a Arc<EvaluatedWires>,
}

/// Returns the graph of facts, whose code was read beside that of `before`. Completes their services.
pub(crate) fn graph_of(db: &RootDb, facts: &mut Facts, before: Option<&Before<'_>>) -> Built {
    let mut rows = Recogniser::shipped();
    rows.extend(facts.settings.recognisers.iter().cloned());
    let code = facts.code.clone();
    let program = Program::new(db, &code, rows);
    // The symbols and the settings are the same, so that numbers and rows mean the same.
    let alike = before.filter(|before| {
        let is_same_code = !matches!(facts.change, CodeChange::Everything);
        is_same_code && facts.settings == before.facts.settings
    });
    let known = alike.filter(|before| before.wires.is_of(&program));
    let evaluated = match known {
        Some(before) => before.wires.clone(),
        None => Arc::new(EvaluatedWires::new(&program)),
    };
    let wires = &evaluated.facts;
    facts.services = command_services::with_commands(facts, &wires.commands);
    let facts = &*facts;
    let alike = alike.filter(|before| facts.services == before.facts.services);
    let has_kept_code = alike.is_some();
    let layer = match (alike, &facts.change) {
        (Some(before), CodeChange::Nothing) => before.layer.clone(),
        (Some(before), CodeChange::Packages(packages)) => {
            Arc::new(before.layer.patched(&facts.code, &facts.services, packages))
        }
        _ => Arc::new(CodeLayer::of(&facts.code, &facts.services)),
    };
    let handlers = Handlers::new(&facts.code, &wires.served);
    let mut graph = GraphBuilder::new(layer.clone());
    let polled = |step: &mut dyn FnMut()| {
        db.unwind_if_cancelled();
        step();
    };
    polled(&mut || add_services(&mut graph, facts));
    polled(&mut || add_errors(&mut graph, facts));
    polled(&mut || service_files::add(&mut graph, facts));
    polled(&mut || contracts::add(&mut graph, facts, &handlers));
    let wired = Wired::new(facts, &program, &graph, wires);
    polled(&mut || endpoints::add(&mut graph, &wired, &wires.routes));
    polled(&mut || rpcs::add(&mut graph, &wired, &handlers, &wires.served));
    polled(&mut || events::add(&mut graph, &wired, &wires.events, &wires.bound));
    polled(&mut || entities::add(&mut graph, facts));
    polled(&mut || service_calls::add(&mut graph, &wired, &wires.mentions));
    polled(&mut || {
        stubs::add(
            &mut graph,
            &wired,
            &handlers,
            &wires.clients,
            &wires.requests,
        )
    });
    polled(&mut || library_rpcs::add(&mut graph, &wired, &wires.library_rpcs));
    polled(&mut || requests::add(&mut graph, &wired, &wires.requests));
    polled(&mut || mentions::add(&mut graph, &wired, &wires.mentions));
    polled(&mut || configuration::add(&mut graph, &wired, &wires.mentions));
    polled(&mut || remove_empty_services(&mut graph, facts));
    db.unwind_if_cancelled();
    let graph = graph.finish();
    Built {
        graph,
        layer,
        wires: evaluated,
        has_kept_code,
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
        // Without code of the workspace it is a service for those that call it. A program whose files are another's is one.
        let is_called = || {
            let mut calls = graph.ends_of(Relation::ServiceCalls);
            calls.any(|(_, to)| to == id)
        };
        if !service.paths.is_empty() || is_called() {
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

/// Returns the graph with ranks and communities: those of its nodes and edges alone, so that they can be found again.
pub fn ranked(db: &RootDb, mut graph: Graph) -> Graph {
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
