//! Calls between services by clients of rpcs whose generated code is a library's.

use std::collections::{BTreeMap, BTreeSet};

use super::deployed::host_in;
use super::environment::Wired;
use super::service_calls::add_call;
use crate::builder::GraphBuilder;
use crate::wires::LibraryRpcFact;

/// Adds the calls of clients: to the services at the address that a client is made with, else to the only service that
/// registers a server of the same generated code.
pub(super) fn add(graph: &mut GraphBuilder, wired: &Wired<'_>, facts: &[LibraryRpcFact]) {
    let mut serving: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    for server in facts.iter().filter(|fact| fact.is_server) {
        let services = serving
            .entry((&server.package, &server.service))
            .or_default();
        let running = wired.running(server.file, server.around).into_iter();
        services.extend(running.map(|service| &*service.name));
    }
    for client in facts.iter().filter(|fact| !fact.is_server) {
        let served = serving.get(&(&*client.package, &*client.service));
        let only = served.filter(|services| services.len() == 1);
        for from in wired.running(client.file, client.around) {
            let texts = client.addresses.iter();
            let texts = texts.flat_map(|address| wired.deployed_texts(&from.name, address));
            let mut called: BTreeSet<&str> = texts
                .filter_map(|(address, is_open)| {
                    let host = host_in(&address).filter(|_| !is_open)?;
                    Some(&*wired.facts.services.of_host(host)?.name)
                })
                .collect();
            if called.is_empty() {
                called.extend(only.into_iter().flatten());
            }
            for to in called {
                add_call(graph, &from.name, to, "stub", "", 0);
            }
        }
    }
}
