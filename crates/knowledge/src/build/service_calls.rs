//! Calls between services: by generated clients, by imports, and by the addresses that deployments give.

use std::collections::{BTreeMap, BTreeSet};

use super::deployed::{ValueSets, deployed_services, host_by_name, host_of};
use crate::facts::Facts;
use crate::graph::{GraphBuilder, NodeData, Relation};
use crate::handlers::Handlers;
use crate::ids::service_id;

/// Folders of code that services share: what they import there is no call between them.
const SHARED_FOLDERS: [&str; 5] = ["shared", "common", "utils", "lib", "helpers"];

/// Adds the calls. A service does not call itself.
pub(super) fn add(graph: &mut GraphBuilder, facts: &Facts, handlers: &Handlers<'_>) {
    add_stub_calls(graph, facts, handlers);
    add_imports(graph, facts);
    add_addresses(graph, facts);
}

pub(super) fn add_call(
    graph: &mut GraphBuilder,
    from: &str,
    to: &str,
    evidence: &str,
    endpoint: &str,
    imports: u32,
) {
    if from == to {
        return;
    }
    let data = graph.edge(&service_id(from), Relation::ServiceCalls, &service_id(to));
    if !data.evidence.iter().any(|known| known == evidence) {
        data.evidence.push(evidence.to_owned());
        data.evidence.sort_unstable();
    }
    let via = data.via_endpoint.get_or_insert_default();
    if via.is_empty() {
        *via = endpoint.to_owned();
    } else if !endpoint.is_empty() && via != endpoint {
        let all = &mut data.via_endpoints;
        if all.is_empty() {
            all.push(via.clone());
        }
        if !all.iter().any(|known| known == endpoint) {
            all.push(endpoint.to_owned());
        }
    }
    *data.import_count.get_or_insert_default() += imports;
}

/// Adds the calls of generated clients: to the services that serve the rpc, else to the deployed service of its name.
fn add_stub_calls(graph: &mut GraphBuilder, facts: &Facts, handlers: &Handlers<'_>) {
    // The endpoints with the services that serve them, by service and name of the rpc.
    let mut served: BTreeMap<(String, String), BTreeSet<(String, String)>> = BTreeMap::new();
    let rpcs = graph.nodes().filter_map(|(id, node)| match node {
        NodeData::Endpoint {
            path, service_name, ..
        } => {
            let (service, rpc) = path.strip_prefix('/')?.split_once('/')?;
            let service = service.rsplit('.').next()?.to_owned();
            Some((
                (service, rpc.to_owned()),
                (service_name.clone(), id.to_owned()),
            ))
        }
        _ => None,
    });
    for (rpc, endpoint) in rpcs {
        let (service, _) = &rpc;
        served
            .entry((service.clone(), String::new()))
            .or_default()
            .insert((endpoint.0.clone(), String::new()));
        served.entry(rpc).or_default().insert(endpoint);
    }
    for (caller, service, rpc) in handlers.stub_calls() {
        let file = facts.code.symbol(caller).map(|symbol| &symbol.file);
        let Some(from) = file.and_then(|file| facts.services.of_path(file)) else {
            continue;
        };
        match served.get(&(service.clone(), rpc)) {
            Some(endpoints) => {
                for (to, endpoint) in endpoints.iter().filter(|(to, _)| !to.is_empty()) {
                    add_call(graph, &from.name, to, "stub", endpoint, 0);
                }
            }
            None => {
                if let Some(to) = facts.services.of_rpc_service(&service) {
                    add_call(graph, &from.name, &to.name, "stub", "", 0);
                }
            }
        }
    }
}

/// Adds the imports of files of one service by another, those of shared folders excepted.
fn add_imports(graph: &mut GraphBuilder, facts: &Facts) {
    let mut counts: BTreeMap<(String, String), u32> = BTreeMap::new();
    for (from, to) in graph.ends_of(Relation::Imports) {
        let path = |id: &str| id.strip_prefix("file::").unwrap_or(id).to_owned();
        let (from, to) = (path(from), path(to));
        let is_shared = to.split('/').any(|part| SHARED_FOLDERS.contains(&part));
        let services = (facts.services.of_path(&from), facts.services.of_path(&to));
        let (Some(from), Some(to)) = services else {
            continue;
        };
        if !is_shared && from.name != to.name {
            *counts
                .entry((from.name.clone(), to.name.clone()))
                .or_default() += 1;
        }
    }
    for ((from, to), count) in counts {
        add_call(graph, &from, &to, "import", "", count);
    }
}

/// Adds the services whose host is in a variable that a deployment gives another, or in the arguments of its command.
fn add_addresses(graph: &mut GraphBuilder, facts: &Facts) {
    let sets = ValueSets::of(facts);
    let with_code: BTreeSet<&str> = facts
        .code
        .files
        .iter()
        .filter_map(|file| Some(&*facts.services.of_path(&file.path)?.name))
        .collect();
    for (from, deployed) in deployed_services(facts) {
        // What several services share has addresses that only some of them use: their code says which.
        let has_code = with_code.contains(&*from.name);
        let variables = sets.variables(deployed);
        let variables = variables.filter(|one| !(has_code && one.is_shared));
        let variables = variables.map(|one| (one.name, one.value));
        let arguments = deployed.command.iter().map(|word| ("", &**word));
        for (name, text) in variables.chain(arguments) {
            for address in text.split(',') {
                let host = host_of(address).or_else(|| host_by_name(name, address));
                if let Some(to) = host.and_then(|host| facts.services.of_host(host)) {
                    add_call(graph, &from.name, &to.name, "deployment", "", 0);
                }
            }
        }
    }
}
