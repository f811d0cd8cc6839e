//! Events: the channels of contracts and code, shared by all services.

use std::collections::{BTreeMap, BTreeSet};

use codeweft_documents::contract::{Action, ChannelOperation};

use super::contracts::contract_id;
use super::environment::Wired;
use crate::builder::GraphBuilder;
use crate::facts::DocumentAt;
use crate::graph::{NodeData, Relation};
use crate::ids::service_id;
use crate::services::{Service, parent};
use crate::wires::{BoundFact, CallAt, EventFact, Text};

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
pub(super) fn add(
    graph: &mut GraphBuilder,
    wired: &Wired<'_>,
    events: &[EventFact],
    bound: &[BoundFact],
) {
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
    add_facts(&mut channels, wired, events, &Bindings::of(wired, bound));
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

/// The queues that get what is published at an address, by the system and the address.
struct Bindings<'a>(BTreeMap<(&'a str, String), BTreeSet<String>>);

impl<'a> Bindings<'a> {
    fn of(wired: &Wired<'_>, bound: &'a [BoundFact]) -> Bindings<'a> {
        let mut bindings: BTreeMap<(&str, String), BTreeSet<String>> = BTreeMap::new();
        let binding = |fact: &BoundFact| {
            let mut services = wired.services(&fact.to, fact.file, fact.origin);
            let of_from = wired.services(&fact.from, fact.file, fact.origin);
            services.retain(|service| of_from.iter().any(|other| other.name == service.name));
            services
        };
        let mut defaults = Defaults::default();
        for fact in bound {
            for service in binding(fact) {
                defaults.add(wired, &service.name, fact.of_field, &[&fact.from, &fact.to]);
            }
        }
        for fact in bound {
            for service in binding(fact) {
                let texts = [&fact.from, &fact.to];
                if defaults.are_replaced(wired, &service.name, fact.of_field, &texts) {
                    continue;
                }
                let value = |name: &str| wired.variable(&service.name, name);
                let ends = (fact.from.known(&value), fact.to.known(&value));
                if let (Some(from), Some(to)) = ends
                    && !to.is_empty()
                {
                    let queues = bindings.entry((&fact.system, from)).or_default();
                    queues.insert(to);
                }
            }
        }
        Bindings(bindings)
    }
}

/// The fields whose values services set: what the package of the call gives them is a default then.
///
/// ```go
/// func New() *Sender                    { return &Sender{topic: "orders"} }         // package queue
/// func Topic(name string) func(*Sender) { return func(s *Sender) { s.topic = name } }
/// queue.New().With(queue.Topic("mail"))                                            // package main: never "orders"
/// ```
#[derive(Default)]
struct Defaults(BTreeSet<(String, (CallAt, CallAt))>);

impl Defaults {
    /// Notes that texts are the value of a field for a service, if none of them is its default.
    fn add(
        &mut self,
        wired: &Wired<'_>,
        service: &str,
        of_field: Option<(CallAt, CallAt)>,
        texts: &[&Text],
    ) {
        if let Some(of_field) = of_field.filter(|(call, _)| !has_default(wired, *call, texts)) {
            self.0.insert((service.to_owned(), of_field));
        }
    }

    /// Returns whether one of several texts is the default of a field to which a service gives another value.
    fn are_replaced(
        &self,
        wired: &Wired<'_>,
        service: &str,
        of_field: Option<(CallAt, CallAt)>,
        texts: &[&Text],
    ) -> bool {
        of_field.is_some_and(|of_field| {
            self.0.contains(&(service.to_owned(), of_field))
                && has_default(wired, of_field.0, texts)
        })
    }
}

/// Returns whether a text becomes constant in the folder of a call.
fn has_default(wired: &Wired<'_>, call: CallAt, texts: &[&Text]) -> bool {
    let folder = parent(wired.path(call.0));
    let mut files = texts.iter().flat_map(|text| text.files());
    files.any(|file| parent(wired.path(file)) == folder)
}

/// Adds what the code does with channels. A channel that two systems have is two events.
fn add_facts<'a>(
    channels: &mut BTreeMap<String, Channel<'a>>,
    wired: &Wired<'_>,
    events: &'a [EventFact],
    bindings: &Bindings<'_>,
) {
    let mut read: Vec<(String, &EventFact, String)> = Vec::new();
    let mut systems: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mut defaults = Defaults::default();
    for event in events.iter().filter(|event| event.of_field.is_some()) {
        for service in wired.services(&event.channel, event.file, event.origin) {
            if !known_texts(wired, service, &event.channel).is_empty() {
                defaults.add(wired, &service.name, event.of_field, &[&event.channel]);
            }
        }
    }
    for event in events {
        let consuming = event.is_task.then(|| wired.workers(event.file));
        let consuming = consuming.filter(|workers| !workers.is_empty() && !event.is_publish);
        let scheduling = event.is_scheduled.then(|| wired.schedulers(event.file));
        let scheduling = scheduling.filter(|schedulers| !schedulers.is_empty());
        let consuming = consuming.or(scheduling);
        let running = || wired.services(&event.channel, event.file, event.origin);
        for service in consuming.unwrap_or_else(running) {
            let texts = [&event.channel];
            if defaults.are_replaced(wired, &service.name, event.of_field, &texts) {
                continue;
            }
            for address in known_texts(wired, service, &event.channel) {
                let last = address.rsplit(['/', ':']).next();
                let address = match last.filter(|_| event.is_last) {
                    Some(last) => last.to_owned(),
                    None => address,
                };
                let addresses = match bindings.0.get(&(&event.system, address.clone())) {
                    Some(queues) if event.is_publish => queues.iter().cloned().collect(),
                    _ => vec![address],
                };
                for address in addresses {
                    let of_address = systems.entry(address.clone()).or_default();
                    of_address.extend(Some(&*event.system).filter(|system| !system.is_empty()));
                    read.push((address, event, service.name.clone()));
                }
            }
        }
    }
    let consumed = read.iter().filter(|(_, event, _)| !event.is_publish);
    let consumed: BTreeSet<String> = consumed.map(|(address, ..)| address.clone()).collect();
    read.retain(|(address, event, _)| !event.is_scheduled || consumed.contains(address));
    for (address, event, service) in read {
        // One whose system is not known is of the first that has the channel.
        let of_address = systems.get(&address).filter(|systems| systems.len() > 1);
        let first = of_address.and_then(|systems| systems.first().copied());
        let key = match (first, &*event.system) {
            (None, _) => address.clone(),
            (Some(first), "") => format!("{first}:{address}"),
            (Some(_), system) => format!("{system}:{address}"),
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

/// Returns the channels that a text is in the deployments of a service, as far as all of it is known.
fn known_texts(wired: &Wired<'_>, service: &Service, text: &Text) -> Vec<String> {
    let is_known = |name: &str| !wired.values(&service.name, name).is_empty();
    if text
        .known(&|name| is_known(name).then(String::new))
        .is_none()
    {
        return Vec::new();
    }
    let texts = wired.deployed_texts(&service.name, text).into_iter();
    let known = texts.map(|(text, _)| text);
    known.filter(|text| !text.is_empty()).collect()
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
        (None, Some((event, _, _))) => {
            let line = event.call.map_or(1, |call| wired.line(event.file, call));
            (wired.path(event.file).to_owned(), line)
        }
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
