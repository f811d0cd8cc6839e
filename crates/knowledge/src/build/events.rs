//! Events: the channels of contracts, shared by all services.

use std::collections::BTreeMap;

use codeweft_documents::contract::{Action, ChannelOperation};

use super::contracts::contract_id;
use super::{DocumentAt, Facts, service_id};
use crate::graph::{GraphBuilder, NodeData, Relation};

/// What services do with a channel.
#[derive(Default)]
struct Channel<'a> {
    /// The operations with their documents and services, in the order of documents.
    operations: Vec<(&'a DocumentAt, &'a ChannelOperation, Action, String)>,
}

/// Adds the events. An event is a channel. Its name is the operation id of its publisher, else that of a consumer, else the
/// channel; the other ids are aliases.
pub(super) fn add(graph: &mut GraphBuilder, facts: &Facts) {
    let mut channels: BTreeMap<&str, Channel<'_>> = BTreeMap::new();
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
            let channel = channels.entry(&operation.channel).or_default();
            channel
                .operations
                .push((document, operation, action, service.clone()));
        }
    }
    let mut named: BTreeMap<String, u32> = BTreeMap::new();
    for channel in channels.values() {
        *named.entry(name_of(channel)).or_default() += 1;
    }
    for (address, channel) in channels {
        let mut name = name_of(&channel);
        // Two channels whose operations have one id are two events.
        if named.get(&name).is_some_and(|count| *count > 1) {
            name = address.to_owned();
        }
        add_event(graph, address, &name, &channel);
    }
}

fn name_of(channel: &Channel<'_>) -> String {
    let with_id = |action: Action| {
        let mut operations = channel
            .operations
            .iter()
            .filter(|(_, _, of, _)| *of == action);
        operations.find_map(|(_, operation, _, _)| operation.operation_id.clone())
    };
    let id = with_id(Action::Publish).or_else(|| with_id(Action::Consume));
    let channel = channel
        .operations
        .first()
        .map(|(_, operation, _, _)| operation.channel.clone());
    id.or(channel).unwrap_or_default()
}

fn add_event(graph: &mut GraphBuilder, address: &str, name: &str, channel: &Channel<'_>) {
    let ids = channel
        .operations
        .iter()
        .filter_map(|(_, operation, _, _)| operation.operation_id.clone());
    let mut aliases: Vec<String> = ids.filter(|id| id != name).collect();
    aliases.sort_unstable();
    aliases.dedup();
    let Some((document, operation, _, _)) = channel.operations.first() else {
        return;
    };
    let id = format!("event::{name}");
    let data = NodeData::Event {
        event_name: name.to_owned(),
        channel: address.to_owned(),
        aliases,
        file_path: document.path.to_string(),
        line: document.line(operation.node),
    };
    graph.node(&id, data);
    for (_, _, action, service) in channel
        .operations
        .iter()
        .filter(|(_, _, _, service)| !service.is_empty())
    {
        let relation = match action {
            Action::Publish => Relation::PublishesEvent,
            Action::Consume => Relation::ConsumesEvent,
        };
        graph.edge(&service_id(service), relation, &id);
    }
}
