//! Endpoints of rpcs that the code registers, and no contract of the workspace has.

use std::collections::{BTreeMap, BTreeSet};

use super::endpoints::{Undeclared, add_undeclared};
use super::environment::Wired;
use crate::builder::GraphBuilder;
use crate::code_layer::symbol_id;
use crate::graph::{NodeData, Relation};
use crate::handlers::{FoundBy, Handlers};
use crate::wires::ServedFact;

/// The method of HTTP that calls of rpcs have (gRPC over HTTP/2, Requests).
const METHOD: &str = "POST";

/// Adds the rpcs.
pub(super) fn add(
    graph: &mut GraphBuilder,
    wired: &Wired<'_>,
    handlers: &Handlers<'_>,
    served: &[ServedFact],
) {
    let declared: BTreeSet<String> = graph
        .nodes()
        .filter_map(|(_, node)| match node {
            NodeData::Endpoint { method, path, .. } if method == METHOD => Some(path.clone()),
            _ => None,
        })
        .collect();
    let mut registrations: BTreeMap<&str, &ServedFact> = BTreeMap::new();
    for fact in served {
        if let Some(service) = &fact.service {
            registrations.entry(service).or_insert(fact);
        }
    }
    for (full_name, fact) in registrations {
        for rpc in handlers.rpcs_of(fact.function) {
            let path = format!("/{full_name}/{rpc}");
            if declared.contains(&path) {
                continue;
            }
            for (handler, _) in handlers.of_rpc(full_name, rpc) {
                let Some(symbol) = wired.facts.code.symbol(handler) else {
                    continue;
                };
                let Some(node) = symbol_id(symbol) else {
                    continue;
                };
                // Code that several services share is that of none, as in contracts beside them.
                let service = wired.facts.services.of_path(&symbol.file);
                let service = service.map_or("", |service| &*service.name);
                let endpoint = Undeclared {
                    method: METHOD,
                    path: &path,
                    operation_id: rpc,
                    file_path: wired.path(fact.file),
                    line: wired.line(fact.file, fact.call),
                };
                let id = add_undeclared(graph, service, &endpoint);
                if graph.get(&node).is_some() {
                    let data = graph.edge(&node, Relation::HandlesEndpoint, &id);
                    data.found_by = Some(FoundBy::Registration.wire_name().to_owned());
                    if let Some(NodeData::Endpoint { handler_symbol, .. }) = graph.get_mut(&id)
                        && handler_symbol.is_empty()
                    {
                        *handler_symbol = node;
                    }
                }
            }
        }
    }
}
