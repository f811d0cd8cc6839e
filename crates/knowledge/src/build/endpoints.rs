//! Endpoints in code: handlers of what contracts have, and endpoints that no contract has.

use std::collections::BTreeMap;

use codeweft_documents::contract::METHODS;

use super::contracts::{compared_path, endpoint_id};
use super::environment::Wired;
use crate::builder::GraphBuilder;
use crate::graph::{NodeData, Relation};
use crate::handlers::FoundBy;
use crate::ids::service_id;
use crate::wires::{ANY, RouteFact};

/// The endpoints of contracts by service, method and compared path, without and with what the contract's servers have
/// before it.
type Declared = BTreeMap<(String, String), Vec<(String, String)>>;

/// Adds the routes. One that a contract of its service has is the handler of that endpoint; any other is an endpoint of
/// `contract::code::{service}`.
pub(super) fn add(graph: &mut GraphBuilder, wired: &Wired<'_>, routes: &[RouteFact]) {
    let declared = declared(graph, wired);
    for route in routes {
        let Some(service) = wired.service(route.file, route.path.file) else {
            continue;
        };
        let service = service.name.as_str();
        let (path, is_open) = route.path.path(&|name| wired.variable(service, name));
        let path = normal(&path);
        let methods: Vec<&str> = if route.method == ANY {
            METHODS.to_vec()
        } else {
            vec![&route.method]
        };
        let compared = compared_path(&path);
        let mut found: Vec<String> = Vec::new();
        for method in methods {
            let of_service = declared.get(&(service.to_owned(), method.to_owned()));
            let ids = of_service.into_iter().flatten();
            let same: Vec<&String> = ids
                .clone()
                .filter(|(known, _)| *known == compared)
                .map(|(_, id)| id)
                .collect();
            let matching: Vec<&String> = if same.is_empty() && is_open && compared != "/" {
                let mut behind: Vec<&String> = ids
                    .filter(|(known, _)| known.ends_with(&compared))
                    .map(|(_, id)| id)
                    .collect();
                behind.dedup();
                // What is before it is not known: it has to be the only one that ends so.
                if behind.len() == 1 {
                    behind
                } else {
                    Vec::new()
                }
            } else {
                same
            };
            found.extend(matching.into_iter().cloned());
        }
        if found.is_empty() {
            let endpoint = Undeclared {
                method: &route.method,
                path: &path,
                operation_id: &route.operation_id,
                file_path: wired.path(route.file),
                line: wired.line(route.file, route.call),
            };
            found.push(add_undeclared(graph, service, &endpoint));
        }
        for id in found {
            handle(graph, wired, route, &id);
        }
    }
}

/// Returns the endpoints of contracts.
fn declared(graph: &GraphBuilder, wired: &Wired<'_>) -> Declared {
    let mut bases: Vec<String> = Vec::new();
    for contract in &wired.facts.contracts {
        for operation in &contract.contract.operations {
            bases.extend(
                operation
                    .base_paths
                    .iter()
                    .filter(|base| !base.is_empty())
                    .cloned(),
            );
        }
    }
    bases.sort_unstable();
    bases.dedup();
    let mut declared = Declared::new();
    for (id, node) in graph.nodes() {
        let NodeData::Endpoint {
            method,
            path,
            service_name,
            ..
        } = node
        else {
            continue;
        };
        let of_service = declared
            .entry((service_name.clone(), method.clone()))
            .or_default();
        of_service.push((compared_path(path), id.to_owned()));
        for base in &bases {
            if let Some(behind) = path.strip_prefix(base.as_str())
                && behind.starts_with('/')
            {
                of_service.push((compared_path(behind), id.to_owned()));
            }
        }
    }
    declared
}

/// Returns a path with one slash at its beginning and none repeated.
fn normal(path: &str) -> String {
    let mut normal = String::with_capacity(path.len() + 1);
    normal.push('/');
    for letter in path.chars() {
        if letter != '/' || !normal.ends_with('/') {
            normal.push(letter);
        }
    }
    normal
}

/// An endpoint that no contract has.
pub(super) struct Undeclared<'a> {
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    pub(super) operation_id: &'a str,
    /// Where it is registered; the line is 1-based.
    pub(super) file_path: &'a str,
    pub(super) line: u32,
}

/// Adds an endpoint that no contract has, and returns its id.
pub(super) fn add_undeclared(
    graph: &mut GraphBuilder,
    service: &str,
    endpoint: &Undeclared<'_>,
) -> String {
    let id = endpoint_id(service, endpoint.method, endpoint.path);
    let (file_path, line) = (endpoint.file_path.to_owned(), endpoint.line);
    let contract = format!("contract::code::{service}");
    let is_new = graph.node(
        &id,
        NodeData::Endpoint {
            method: endpoint.method.to_owned(),
            path: endpoint.path.to_owned(),
            service_name: service.to_owned(),
            handler_symbol: String::new(),
            operation_id: endpoint.operation_id.to_owned(),
            summary: String::new(),
            file_path: file_path.clone(),
            line,
        },
    );
    if is_new {
        graph.node(
            &contract,
            NodeData::Contract {
                contract_id: format!("code::{service}"),
                contract_type: "openapi".to_owned(),
                version: String::new(),
                service_name: service.to_owned(),
                status: "undeclared".to_owned(),
                file_path,
                line,
            },
        );
        graph.edge(&service_id(service), Relation::ProvidesContract, &contract);
        graph.edge(&contract, Relation::ExposesEndpoint, &id);
    }
    id
}

/// Makes what is registered the handler of an endpoint. It is surer than one that only has the operation's name.
fn handle(graph: &mut GraphBuilder, wired: &Wired<'_>, route: &RouteFact, id: &str) {
    let symbol = route
        .handler
        .and_then(|handler| wired.symbol(handler.symbol));
    let Some(symbol) = symbol.filter(|symbol| graph.get(symbol).is_some()) else {
        return;
    };
    let known = match graph.get(id) {
        Some(NodeData::Endpoint { handler_symbol, .. }) => handler_symbol.clone(),
        _ => return,
    };
    let before = graph.edge_data(&known, Relation::HandlesEndpoint, id);
    let is_by_name =
        before.and_then(|data| data.found_by.as_deref()) == Some(FoundBy::Name.wire_name());
    if !known.is_empty() && known != symbol && !is_by_name {
        // Another handler was found surely: a generated wrapper passes on to it.
        let is_registered = before.and_then(|data| data.found_by.as_deref())
            == Some(FoundBy::Registration.wire_name());
        if !is_registered {
            return;
        }
    }
    if is_by_name && known != symbol {
        graph.remove_edge(&known, Relation::HandlesEndpoint, id);
    }
    let data = graph.edge(&symbol, Relation::HandlesEndpoint, id);
    if data.found_by.is_none() || is_by_name {
        data.found_by = Some(FoundBy::Registration.wire_name().to_owned());
        data.assumed = route.is_assumed;
    }
    if let Some(NodeData::Endpoint { handler_symbol, .. }) = graph.get_mut(id)
        && (handler_symbol.is_empty() || is_by_name)
    {
        *handler_symbol = symbol;
    }
}
