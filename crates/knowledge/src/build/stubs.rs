//! Calls between services by generated clients of rpcs.

use std::collections::{BTreeMap, BTreeSet};

use super::deployed::host_in;
use super::environment::Wired;
use super::service_calls::add_call;
use crate::builder::GraphBuilder;
use crate::code_layer::symbol_id;
use crate::facts::Facts;
use crate::graph::{NodeData, Relation};
use crate::handlers::{Handlers, go_name};
use crate::wires::{ClientFact, RequestFact};

/// The services that serve an rpc with the endpoints, by the name of its service without package, and its own; the empty
/// name for all of them, without endpoints.
type Served = BTreeMap<(String, String), BTreeSet<(String, String)>>;

/// Adds the calls of generated clients: to the services at the address that the client is made with, else to those that
/// serve the rpc, else to the deployed one of its name.
pub(super) fn add(
    graph: &mut GraphBuilder,
    wired: &Wired<'_>,
    handlers: &Handlers<'_>,
    clients: &[ClientFact],
    requests: &[RequestFact],
) {
    let served = served(graph, wired);
    add_named(graph, wired, &served, requests);
    let mut known: BTreeMap<(&str, String), BTreeSet<&str>> = BTreeMap::new();
    for (caller, rpc_service, rpc) in handlers.stub_calls() {
        let key = (go_name(&rpc_service), go_name(&rpc));
        let serving = served.get(&key);
        for from in wired.reach.of_symbol(caller) {
            let addressed = known
                .entry((&from.name, rpc_service.clone()))
                .or_insert_with(|| addressed(wired, &from.name, &rpc_service, clients));
            let endpoint = |to: &str| {
                let mut endpoints = serving.into_iter().flatten();
                let own = endpoints.find(|(service, _)| service == to);
                own.map_or("", |(_, endpoint)| endpoint.as_str())
            };
            if !addressed.is_empty() {
                for &to in addressed.iter() {
                    add_call(graph, &from.name, to, "stub", endpoint(to), 0);
                }
            } else {
                add_to_serving(graph, wired, &from.name, serving, &rpc_service);
            }
        }
    }
}

/// Adds the calls of rpcs by their names: to those that serve them, else to the deployed one of the name of their service.
fn add_named(
    graph: &mut GraphBuilder,
    wired: &Wired<'_>,
    served: &Served,
    requests: &[RequestFact],
) {
    for request in requests.iter().filter(|request| request.is_rpc) {
        for from in wired.services(&request.url, request.file, request.around) {
            for (name, is_open) in wired.deployed_texts(&from.name, &request.url) {
                let name = name.trim_start_matches('/');
                let Some((rpc_service, rpc)) = name.split_once('/').filter(|_| !is_open) else {
                    continue;
                };
                let of = rpc_service.rsplit('.').next().unwrap_or(rpc_service);
                let serving = served.get(&(go_name(of), go_name(rpc)));
                add_to_serving(graph, wired, &from.name, serving, rpc_service);
            }
        }
    }
}

/// Adds the calls of a service to those that serve an rpc; if none is known to, to the deployed one of the name of the rpc's service.
fn add_to_serving(
    graph: &mut GraphBuilder,
    wired: &Wired<'_>,
    from: &str,
    serving: Option<&BTreeSet<(String, String)>>,
    rpc_service: &str,
) {
    if let Some(serving) = serving {
        // What a service serves itself it calls within itself, where no address says otherwise.
        let is_own = serving.iter().any(|(to, _)| *to == from);
        for (to, endpoint) in serving.iter().filter(|(to, _)| !to.is_empty() && !is_own) {
            add_call(graph, from, to, "stub", endpoint, 0);
        }
    } else if let Some(to) = wired.facts.services.of_rpc_service(rpc_service) {
        add_call(graph, from, &to.name, "stub", "", 0);
    }
}

/// Returns the services at the addresses that a service makes clients of an rpc service with.
fn addressed<'a>(
    wired: &Wired<'a>,
    from: &str,
    rpc_service: &str,
    clients: &[ClientFact],
) -> BTreeSet<&'a str> {
    let clients = clients
        .iter()
        .filter(|client| client.service == rpc_service);
    let of_service = clients.filter(|client| {
        let mut running = wired.running(client.file, client.around).into_iter();
        running.any(|service| service.name == from)
    });
    let texts = of_service.flat_map(|client| wired.deployed_texts(from, &client.address));
    let hosts = texts.filter_map(|(address, is_open)| {
        let host = host_in(&address).filter(|_| !is_open)?;
        Some(&*wired.facts.services.of_host(host)?.name)
    });
    hosts.collect()
}

/// An endpoint of no service, as those of contracts that several share, is served by those that run its handlers; so is one of
/// a folder with several services.
fn served(graph: &GraphBuilder, wired: &Wired<'_>) -> Served {
    let mut served = Served::new();
    let mut running: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let handlers = graph.ends_of(Relation::HandlesEndpoint);
    let handlers: BTreeSet<&str> = handlers.map(|(handler, _)| handler).collect();
    let symbols = (0..).zip(&wired.facts.code.symbols);
    let numbers = symbols.filter_map(|(number, symbol)| {
        let id = symbol_id(symbol).filter(|id| handlers.contains(&**id))?;
        Some((id, number))
    });
    let numbers: BTreeMap<String, u32> = numbers.collect();
    for (handler, endpoint) in graph.ends_of(Relation::HandlesEndpoint) {
        if let Some(&number) = numbers.get(handler) {
            // Services of one folder differ by what they run of its files. Of contracts that several services share each runs all
            // that its program registers, whether or not a call leads there.
            let is_shared = match graph.get(endpoint) {
                Some(NodeData::Endpoint { service_name, .. }) => {
                    shares_folder(wired.facts, service_name)
                }
                _ => false,
            };
            let file = wired.facts.code.symbol(number).map(|symbol| &*symbol.file);
            let services = match file.filter(|_| !is_shared) {
                Some(file) => wired.reach.services(file, None),
                None => wired.reach.of_symbol(number),
            };
            let of_endpoint = running.entry(endpoint).or_default();
            of_endpoint.extend(services.into_iter().map(|service| &*service.name));
        }
    }
    let rpcs = graph.nodes().filter_map(|(id, node)| match node {
        NodeData::Endpoint {
            path, service_name, ..
        } => {
            let (service, rpc) = path.strip_prefix('/')?.split_once('/')?;
            let service = go_name(service.rsplit('.').next()?);
            let running = running
                .get(id)
                .filter(|_| service_name.is_empty() || shares_folder(wired.facts, service_name));
            let serving: Vec<String> = match running {
                Some(running) => running.iter().map(|name| (*name).to_owned()).collect(),
                None => vec![service_name.clone()],
            };
            Some(((service, go_name(rpc)), serving, id.to_owned()))
        }
        _ => None,
    });
    for (rpc, serving, endpoint) in rpcs {
        for service in serving {
            let all = served.entry((rpc.0.clone(), String::new()));
            all.or_default().insert((service.clone(), String::new()));
            let own = served.entry(rpc.clone());
            own.or_default().insert((service, endpoint.clone()));
        }
    }
    served
}

/// Returns whether another service has the folders of a service.
fn shares_folder(facts: &Facts, name: &str) -> bool {
    let services = &facts.services.list;
    let own = services.iter().find(|service| service.name == name);
    own.is_some_and(|own| {
        let mut others = services.iter().filter(|other| other.name != name);
        others.any(|other| other.paths == own.paths)
    })
}
