//! Calls between services by imports, and by the addresses that deployments give.

use std::collections::{BTreeMap, BTreeSet};

use super::deployed::{ValueSets, deployed_services, host_by_name, host_of};
use super::environment::Wired;
use crate::builder::GraphBuilder;
use crate::facts::Facts;
use crate::graph::Relation;
use crate::ids::service_id;
use crate::wires::MentionFact;

/// Folders of code that services share: what they import there is no call between them.
const SHARED_FOLDERS: [&str; 5] = ["shared", "common", "utils", "lib", "helpers"];

/// Adds the calls. A service does not call itself.
pub(super) fn add(graph: &mut GraphBuilder, wired: &Wired<'_>, mentions: &[MentionFact]) {
    add_imports(graph, wired);
    add_addresses(graph, wired, mentions);
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

/// Adds the imports of files that the program of one service runs by another that calls them, those of shared folders
/// excepted. What is only in the folder of the other is a library; so is all code of one that has a program of its own: that
/// of the importing service runs it then, in its own process.
fn add_imports(graph: &mut GraphBuilder, wired: &Wired<'_>) {
    let facts = wired.facts;
    let with_programs = with_programs(facts);
    let mut counts: BTreeMap<(String, String), u32> = BTreeMap::new();
    for (from, to, data) in graph.imports() {
        let path = |id: &str| id.strip_prefix("file::").unwrap_or(id).to_owned();
        let is_called = !data.imported_names.is_empty();
        let (from, to) = (path(from), path(to));
        let is_shared = to.split('/').any(|part| SHARED_FOLDERS.contains(&part));
        let services = (facts.services.of_path(&from), facts.services.of_path(&to));
        let path_of_file = to;
        let (Some(from), Some(to)) = services else {
            continue;
        };
        let is_run = is_called && wired.reach.runs(to, &path_of_file, None);
        let is_program = with_programs.contains(&*to.name);
        if !is_shared && is_run && !is_program && from.name != to.name {
            *counts
                .entry((from.name.clone(), to.name.clone()))
                .or_default() += 1;
        }
    }
    for ((from, to), count) in counts {
        add_call(graph, &from, &to, "import", "", count);
    }
}

/// Returns the services that have a program of their own: a function `main`, or a file that their command begins with.
fn with_programs(facts: &Facts) -> BTreeSet<&str> {
    let mains = facts.code.symbols.iter().filter(|symbol| symbol.is_main());
    let of_mains = mains.filter_map(|main| Some(&*facts.services.of_path(&main.file)?.name));
    let services = facts.services.list.iter();
    let of_commands = services.filter(|service| !service.entries.is_empty());
    let of_commands = of_commands.map(|service| &*service.name);
    of_mains.chain(of_commands).collect()
}

/// Adds the services whose host is in a variable that a deployment gives another, or in the arguments of its command. A variable
/// that code reads counts for the services that run that code; one that none reads may be a library's.
fn add_addresses(graph: &mut GraphBuilder, wired: &Wired<'_>, mentions: &[MentionFact]) {
    let facts = wired.facts;
    let mut readers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for mention in mentions.iter().filter(|one| !one.variable.is_empty()) {
        let services = wired.mentioning(mention).into_iter();
        let of_variable = readers.entry(&mention.variable).or_default();
        of_variable.extend(services.map(|service| &*service.name));
    }
    // Code that no service is known to run may be any one's, and a library reads what it reads.
    let of_libraries = wired.variables_of_libraries();
    readers.retain(|name, services| !services.is_empty() && !of_libraries.contains(name));
    let sets = ValueSets::of(facts);
    let with_code: BTreeSet<&str> = facts
        .code
        .files
        .iter()
        .filter_map(|file| Some(&*facts.services.of_path(&file.path)?.name))
        .collect();
    let several = shared_by_several(facts);
    for (from, deployed) in deployed_services(facts) {
        // What several services share has addresses that only some of them use: their code says which.
        let has_code = with_code.contains(&*from.name);
        let variables = sets.variables(deployed);
        let shared = deployed
            .environment_files
            .iter()
            .chain(&deployed.value_sets);
        let mut shared = shared.map(String::as_str);
        let is_of_several = has_code || shared.any(|name| several.contains(name));
        let variables = variables.filter(|one| !(is_of_several && one.is_shared));
        let is_read = |name: &str| {
            let services = readers.get(name).filter(|_| has_code);
            services.is_none_or(|services| services.contains(&*from.name))
        };
        let variables = variables.filter(|one| is_read(one.name));
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

/// Returns the environment files and sets of values that several services take.
fn shared_by_several(facts: &Facts) -> BTreeSet<&str> {
    let mut takers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (service, deployed) in deployed_services(facts) {
        for name in deployed
            .environment_files
            .iter()
            .chain(&deployed.value_sets)
        {
            takers.entry(name).or_default().insert(&service.name);
        }
    }
    takers.retain(|_, services| services.len() > 1);
    takers.into_keys().collect()
}
