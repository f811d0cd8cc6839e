//! Contracts and endpoints, with their handlers.

use std::collections::BTreeMap;

use codeweft_documents::contract::Operation;

use crate::builder::GraphBuilder;
use crate::code_layer::symbol_id;
use crate::facts::{ContractAt, DocumentAt, Facts};
use crate::graph::{NodeData, Relation};
use crate::handlers::{Handler, Handlers};
use crate::ids::{file_id, service_id};

/// Adds all contracts with their endpoints.
pub(super) fn add(graph: &mut GraphBuilder, facts: &Facts, handlers: &Handlers<'_>) {
    for contract in &facts.contracts {
        let Some(document) = facts.documents.get(contract.document) else {
            continue;
        };
        let around = facts.services.of_path(&document.path);
        let of_service = |file: &str| match around {
            Some(around) => facts
                .services
                .of_path(file)
                .is_some_and(|service| service.name == around.name),
            None => true,
        };
        let found = handlers.of(&document.path, &contract.contract, &of_service);
        // A contract beside the services is that of the one that serves it.
        let service = match around {
            Some(service) => service.name.clone(),
            None => only_service(facts, found.values().flatten()).unwrap_or_default(),
        };
        add_contract(graph, document, contract, &service);
        let mut repeated = Vec::new();
        for (at, operation) in contract.contract.operations.iter().enumerate() {
            let handlers = found.get(&at).map_or(&[][..], |handlers| handlers);
            let of = (document, contract);
            if add_operation(graph, facts, of, operation, &service, handlers) {
                repeated.push(operation);
            }
        }
        if let Some(first) = repeated.first() {
            let words = format!(
                "{} of {} operations are in a contract before this one already, which counts: {} {}",
                repeated.len(),
                contract.contract.operations.len(),
                first.method,
                first.path
            );
            graph.error(&document.path, document.line(first.node), words);
        }
    }
}

/// Returns the service of all handlers, if it is one.
fn only_service<'a>(facts: &Facts, handlers: impl Iterator<Item = &'a Handler>) -> Option<String> {
    let files = handlers.filter_map(|(handler, _)| Some(&facts.code.symbol(*handler)?.file));
    let mut services = files.filter_map(|file| facts.services.of_path(file));
    let first = services.next()?;
    services
        .all(|service| service.name == first.name)
        .then(|| first.name.clone())
}

/// Returns the id of a contract.
pub(super) fn contract_id(contract: &ContractAt) -> String {
    format!("contract::{}", contract.id)
}

fn add_contract(
    graph: &mut GraphBuilder,
    document: &DocumentAt,
    contract: &ContractAt,
    service: &str,
) {
    let id = contract_id(contract);
    let operations = &contract.contract.operations;
    let is_deprecated =
        !operations.is_empty() && operations.iter().all(|operation| operation.deprecated);
    let data = NodeData::Contract {
        contract_id: contract.id.clone(),
        contract_type: contract.contract.kind.wire_name().to_owned(),
        version: contract.contract.version.clone(),
        service_name: service.to_owned(),
        status: if is_deprecated {
            "deprecated"
        } else {
            "active"
        }
        .to_owned(),
        file_path: document.path.to_string(),
        line: document.line(contract.contract.node),
    };
    graph.node(&id, data);
    if !service.is_empty() {
        graph.edge(&service_id(service), Relation::ProvidesContract, &id);
    }
    // The path of the contract's node is that of a file, also where no service has it.
    if graph.get(&file_id(&document.path)).is_none() {
        graph.error(&document.path, 1, "the contract is in no file of the graph");
    }
}

/// Adds the endpoints of an operation. Returns whether another contract has one of them already.
fn add_operation(
    graph: &mut GraphBuilder,
    facts: &Facts,
    (document, contract): (&DocumentAt, &ContractAt),
    operation: &Operation,
    service: &str,
    handlers: &[Handler],
) -> bool {
    let mut by_service: BTreeMap<String, Vec<Handler>> = BTreeMap::new();
    for &handler in handlers {
        let file = facts.code.symbol(handler.0).map(|symbol| &symbol.file);
        let of = file.and_then(|file| facts.services.of_path(file));
        // An rpc is an endpoint of each service that serves it; another operation of that of its contract.
        let of = match (&operation.rpc_service, of) {
            (Some(_), Some(of)) => of.name.clone(),
            _ => service.to_owned(),
        };
        by_service.entry(of).or_default().push(handler);
    }
    if by_service.is_empty() {
        // Its server may be in another language: then the service that has its name.
        let rpc_service = operation.rpc_service.as_deref();
        let named = rpc_service.and_then(|rpc_service| facts.services.of_rpc_service(rpc_service));
        let of = named.map_or(service, |named| &named.name);
        by_service.insert(of.to_owned(), Vec::new());
    }
    let mut repeated = false;
    for (service, handlers) in by_service {
        for base in &operation.base_paths {
            let path = format!("{base}{}", operation.path);
            let id = endpoint_id(&service, operation.method, &path);
            let symbol_of = |handler: &u32| facts.code.symbol(*handler).and_then(symbol_id);
            let handler = handlers.first().and_then(|(one, _)| symbol_of(one));
            let line = document.line(operation.node);
            let data = NodeData::Endpoint {
                method: operation.method.to_owned(),
                path: path.clone(),
                service_name: service.clone(),
                handler_symbol: handler.unwrap_or_default(),
                operation_id: operation.operation_id.clone().unwrap_or_default(),
                summary: operation.summary.clone(),
                file_path: document.path.to_string(),
                line,
            };
            if graph.node(&id, data) {
                graph.edge(&contract_id(contract), Relation::ExposesEndpoint, &id);
            } else {
                repeated = true;
                // The contract before may not say what handles it.
                if !takes_handler(
                    graph,
                    &id,
                    handlers.first().and_then(|(one, _)| symbol_of(one)),
                ) {
                    continue;
                }
            }
            for (handler, found_by) in &handlers {
                if let Some(symbol) =
                    symbol_of(handler).filter(|symbol| graph.get(symbol).is_some())
                {
                    let data = graph.edge(&symbol, Relation::HandlesEndpoint, &id);
                    data.found_by = Some(found_by.wire_name().to_owned());
                }
            }
        }
    }
    repeated
}

/// Gives an endpoint without a handler one; returns whether it had none.
fn takes_handler(graph: &mut GraphBuilder, id: &str, handler: Option<String>) -> bool {
    match (graph.get_mut(id), handler) {
        (Some(NodeData::Endpoint { handler_symbol, .. }), Some(handler))
            if handler_symbol.is_empty() =>
        {
            *handler_symbol = handler;
            true
        }
        _ => false,
    }
}

/// Returns the id of an endpoint.
pub(crate) fn endpoint_id(service: &str, method: &str, path: &str) -> String {
    format!("endpoint::{service}::{method}::{}", compared_path(path))
}

/// Returns a path as paths are compared: `:id`, `{id}` and `<int:id>` are `{}`, and no slash is at the end.
pub(crate) fn compared_path(path: &str) -> String {
    let parts = path.split('/').map(|part| {
        let is_parameter = part.starts_with(':')
            || part.starts_with('{') && part.ends_with('}')
            || part.starts_with('<') && part.ends_with('>');
        if is_parameter { "{}" } else { part }
    });
    let joined = parts.collect::<Vec<_>>().join("/");
    let trimmed = joined.trim_end_matches('/');
    if trimmed.is_empty() {
        "/".to_owned()
    } else {
        trimmed.to_owned()
    }
}
