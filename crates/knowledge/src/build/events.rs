//! Events: the channels of contracts and code, shared by all services.

use std::collections::{BTreeMap, BTreeSet};

use codeweft_documents::contract::{Action, ChannelOperation};

use super::contracts::contract_id;
use super::environment::Wired;
use crate::facts::DocumentAt;
use crate::graph::{GraphBuilder, NodeData, Relation};
use crate::ids::service_id;
use crate::wires::EventFact;

/// What services do with a channel.
#[derive(Default)]
struct Channel<'a> {
    /// What the channel is called in its system.
    address: String,
    /// The operations with their documents and services, in the order of documents.
    operations: Vec<(&'a DocumentAt, &'a ChannelOperation, Action, String)>,
    /// What the code does, with the service.
    facts: Vec<(&'a EventFact, Action, String)>,
}

/// Adds the events. An event is a channel of a system. Its name is the operation id of its publisher, else that of a
/// consumer, else the channel; the other ids are aliases.
pub(super) fn add(graph: &mut GraphBuilder, wired: &Wired<'_>, events: &[EventFact]) {
    let facts = wired.facts;
    let mut channels: BTreeMap<String, Channel<'_>> = BTreeMap::new();
    for contract in &facts.contracts {
        let Some(document) = facts.documents.get(contract.document) else {
            continue;
        };
        let service = match graph.get(&contract_id(contract)) {
            Some(NodeData::Contract { service_name, .. }) => service_name.clone(),
            _ => continue,
        };
        let is_inverse = facts.settings.asyncapi_v2_is_client
            && contract.contract.specification.starts_with("2.");
        for operation in &contract.contract.channels {
            let action = match (operation.action, is_inverse) {
                (Action::Publish, false) | (Action::Consume, true) => Action::Publish,
                (Action::Consume, false) | (Action::Publish, true) => Action::Consume,
            };
            let channel = channels.entry(operation.channel.clone()).or_default();
            channel.address.clone_from(&operation.channel);
            channel
                .operations
                .push((document, operation, action, service.clone()));
        }
    }
    add_facts(&mut channels, wired, events);
    let mut named: BTreeMap<String, u32> = BTreeMap::new();
    for (key, channel) in &channels {
        *named.entry(name_of(key, channel)).or_default() += 1;
    }
    for (key, channel) in &channels {
        let mut name = name_of(key, channel);
        // Two channels whose operations have one id are two events.
        if named.get(&name).is_some_and(|count| *count > 1) {
            key.clone_into(&mut name);
        }
        add_event(graph, wired, &name, channel);
    }
}

/// Adds what the code does with channels. A channel that two systems have is two events.
fn add_facts<'a>(
    channels: &mut BTreeMap<String, Channel<'a>>,
    wired: &Wired<'_>,
    events: &'a [EventFact],
) {
    let mut read: Vec<(String, &EventFact, String)> = Vec::new();
    let mut systems: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for event in events {
        let Some(service) = wired.service(event.channel.file, event.file) else {
            continue;
        };
        let known = event
            .channel
            .known(&|name| wired.variable(&service.name, name));
        let Some(mut address) = known.filter(|address| !address.is_empty()) else {
            continue;
        };
        if event.is_last
            && let Some(last) = address.rsplit(['/', ':']).next()
        {
            address = last.to_owned();
        }
        systems
            .entry(address.clone())
            .or_default()
            .insert(&event.system);
        read.push((address, event, service.name.clone()));
    }
    for (address, event, service) in read {
        let is_shared = systems
            .get(&address)
            .is_some_and(|systems| systems.len() > 1);
        let key = if is_shared {
            format!("{}:{address}", event.system)
        } else {
            address.clone()
        };
        let channel = channels.entry(key).or_default();
        channel.address = address;
        let action = if event.is_publish {
            Action::Publish
        } else {
            Action::Consume
        };
        channel.facts.push((event, action, service));
    }
}

fn name_of(key: &str, channel: &Channel<'_>) -> String {
    let with_id = |action: Action| {
        let mut operations = channel
            .operations
            .iter()
            .filter(|(_, _, of, _)| *of == action);
        operations.find_map(|(_, operation, _, _)| operation.operation_id.clone())
    };
    let id = with_id(Action::Publish).or_else(|| with_id(Action::Consume));
    id.unwrap_or_else(|| key.to_owned())
}

fn add_event(graph: &mut GraphBuilder, wired: &Wired<'_>, name: &str, channel: &Channel<'_>) {
    let ids = channel
        .operations
        .iter()
        .filter_map(|(_, operation, _, _)| operation.operation_id.clone());
    let mut aliases: Vec<String> = ids.filter(|id| id != name).collect();
    aliases.sort_unstable();
    aliases.dedup();
    let (file_path, line) = match (channel.operations.first(), channel.facts.first()) {
        (Some((document, operation, _, _)), _) => {
            (document.path.to_string(), document.line(operation.node))
        }
        (None, Some((event, _, _))) => (wired.path(event.file).to_owned(), event.line),
        (None, None) => return,
    };
    let id = format!("event::{name}");
    let data = NodeData::Event {
        event_name: name.to_owned(),
        channel: channel.address.clone(),
        aliases,
        file_path,
        line,
    };
    graph.node(&id, data);
    let declared = channel
        .operations
        .iter()
        .map(|(_, _, action, service)| (action, service, false));
    let in_code = channel
        .facts
        .iter()
        .map(|(event, action, service)| (action, service, event.is_assumed));
    for (action, service, is_assumed) in declared.chain(in_code) {
        if service.is_empty() {
            continue;
        }
        let relation = match action {
            Action::Publish => Relation::PublishesEvent,
            Action::Consume => Relation::ConsumesEvent,
        };
        let is_new = !graph.has_edge(&service_id(service), relation, &id);
        let edge = graph.edge(&service_id(service), relation, &id);
        edge.assumed = is_assumed && (is_new || edge.assumed);
    }
}
