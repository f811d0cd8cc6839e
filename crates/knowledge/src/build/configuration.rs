//! Calls between services by the addresses in their configuration: documents and sets of values that their code names, or
//! that their deployment puts beside them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use codeweft_documents::deployment::DeployedService;
use codeweft_documents::{Reader, Value, joined};

use super::deployed::{ValueSets, host_by_name, host_of};
use super::environment::Wired;
use super::service_calls::add_call;
use crate::builder::GraphBuilder;
use crate::facts::{DocumentAt, Facts};
use crate::services::{Service, last, parent};
use crate::wires::MentionFact;

/// The nesting of a document below which no address is looked for.
const MAX_DEPTH: u32 = 32;

/// Adds the services whose addresses the configuration of another has.
pub(super) fn add(graph: &mut GraphBuilder, wired: &Wired<'_>, mentions: &[MentionFact]) {
    let facts = wired.facts;
    let documents = configurations(facts);
    let sets = ValueSets::of(facts);
    let mut read: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut read_sets: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut mounted_sets: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for mention in mentions {
        let name = mention.text.as_deref().unwrap_or_default();
        if mention.is_given && sets.set(name).is_some() {
            for service in wired.running(mention.file, mention.around) {
                read_sets.entry(&service.name).or_default().insert(name);
            }
            continue;
        }
        let Some(path) = named(&documents, parent(wired.path(mention.file)), name) else {
            continue;
        };
        for service in wired.running(mention.file, mention.around) {
            read.entry(&service.name).or_default().insert(path);
        }
    }
    let of_settings = wired.variables_of_settings();
    for (document, service, deployed) in deployed_at(facts) {
        // Of a document that a library reads for the code, the code says which addresses it takes.
        let variables = sets.variables(deployed);
        let by_library = variables.filter(|one| of_settings.contains(one.name));
        let by_library: BTreeSet<&str> = by_library.map(|one| last(one.value)).collect();
        for mounted in &deployed.mounted {
            let path = joined(parent(document), mounted);
            if by_library.contains(last(&path)) {
                continue;
            }
            if let Some((path, _)) = documents.get_key_value(path.as_str()) {
                read.entry(&service.name).or_default().insert(path);
            }
        }
        for set in &deployed.mounted_sets {
            mounted_sets.entry(&service.name).or_default().insert(set);
        }
    }
    let read_sets = read_sets.into_iter().map(|of| (of, false));
    let mounted_sets = mounted_sets.into_iter().map(|of| (of, true));
    for ((service, names), is_mounted) in read_sets.chain(mounted_sets) {
        let mut hosts = BTreeSet::new();
        for (name, value) in names.iter().filter_map(|name| sets.set(name)).flatten() {
            // The addresses are looked for first: which services read a value is dear to find out.
            let mut of_value = BTreeSet::new();
            add_hosts_of_value(&mut of_value, facts, name, value);
            if !of_value.is_empty() && (is_mounted || wired.reads_value(service, name)) {
                hosts.extend(of_value);
            }
        }
        for to in hosts {
            add_call(graph, service, &to, "deployment", "", 0);
        }
    }
    for (service, paths) in read {
        let mut hosts = BTreeSet::new();
        for document in paths.iter().filter_map(|path| documents.get(path)) {
            let reader = Reader::new(&document.tree);
            for root in reader.roots() {
                add_hosts(&mut hosts, facts, "", root, MAX_DEPTH);
            }
        }
        for to in hosts {
            add_call(graph, service, &to, "deployment", "", 0);
        }
    }
}

/// Returns what is deployed and is a service, with the paths of the documents.
fn deployed_at(facts: &Facts) -> impl Iterator<Item = (&Arc<str>, &Service, &DeployedService)> {
    facts
        .deployments
        .iter()
        .flat_map(move |(path, deployment)| {
            let known = deployment
                .services
                .iter()
                .filter(|one| !one.name.is_empty());
            known.filter_map(move |one| Some((path, facts.services.of_host(&one.name)?, one)))
        })
}

/// Returns the documents that are neither contracts nor deployments, by path.
pub(super) fn configurations(facts: &Facts) -> BTreeMap<&str, &DocumentAt> {
    let deployments = facts.deployments.iter();
    let others: BTreeSet<&str> = deployments
        .filter(|(_, deployment)| !deployment.services.is_empty())
        .map(|(path, _)| &**path)
        .collect();
    let contracts: BTreeSet<usize> = facts.contracts.iter().map(|one| one.document).collect();
    let documents = facts.documents.iter().enumerate();
    let documents = documents
        .filter(|(number, one)| !contracts.contains(number) && !others.contains(&*one.path));
    documents.map(|(_, one)| (&*one.path, one)).collect()
}

/// Returns the document that a text names in the code of a folder: below it, or below one around it.
fn named<'a>(
    documents: &BTreeMap<&'a str, &DocumentAt>,
    folder: &str,
    name: &str,
) -> Option<&'a str> {
    let is_name = [".yaml", ".yml", ".json", ".env"]
        .iter()
        .any(|end| name.ends_with(end));
    if !is_name {
        return None;
    }
    let mut folder = folder;
    loop {
        let path = joined(folder, name.trim_start_matches('/'));
        if let Some((path, _)) = documents.get_key_value(path.as_str()) {
            return Some(path);
        }
        if folder.is_empty() {
            return None;
        }
        folder = parent(folder);
    }
}

/// Adds the services whose addresses a value of a set has: an address, or a document that is written as a text.
fn add_hosts_of_value(hosts: &mut BTreeSet<String>, facts: &Facts, name: &str, value: &str) {
    let tree = codeweft_documents::read_yaml(value);
    let reader = Reader::new(&tree);
    for root in reader.roots() {
        add_hosts(hosts, facts, name, root, MAX_DEPTH);
    }
}

/// Adds the services whose addresses a value has; `key` is its name.
fn add_hosts(hosts: &mut BTreeSet<String>, facts: &Facts, key: &str, value: Value<'_>, left: u32) {
    if left == 0 {
        return;
    }
    if let Some(text) = value.text() {
        for address in text.split(',') {
            let host = host_of(address).or_else(|| host_by_name(key, address));
            if let Some(to) = host.and_then(|host| facts.services.of_host(host)) {
                hosts.insert(to.name.clone());
            }
        }
        return;
    }
    for item in value.items() {
        add_hosts(hosts, facts, key, item, left - 1);
    }
    for (key, value) in value.entries() {
        // The variables of a container are for what the reader starts.
        let is_environment =
            key == "env" && value.items().iter().any(|one| one.get("name").is_some());
        if is_environment {
            continue;
        }
        add_hosts(hosts, facts, key, value, left - 1);
    }
}
