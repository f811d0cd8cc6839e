//! `check_cross_service_events`: events without a publisher or a consumer.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::error::ToolError;
use crate::graph::{Graph, NodeData, Relation};

/// The request.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventsRequest {
    /// Only events of this service; empty for all.
    #[serde(default)]
    pub service_name: String,
}

/// An event with the services at its ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct CheckedEvent {
    pub event_name: String,
    pub channel: String,
    pub publishers: Vec<String>,
    pub consumers: Vec<String>,
}

/// The answer.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct EventCheck {
    /// Published, and consumed by no service.
    pub orphaned_events: Vec<CheckedEvent>,
    /// Consumed, and published by no service.
    pub unmatched_consumers: Vec<CheckedEvent>,
    pub matched_events: Vec<CheckedEvent>,
    pub total_events: usize,
    /// Where publishers and consumers were looked for.
    #[serde(default)]
    pub known_from: String,
    /// Matched of all; 1 without events.
    pub match_rate: f64,
}

/// Checks all events, or those of one service if its name is not empty.
///
/// # Errors
/// There is no such service.
pub fn check_cross_service_events(
    graph: &Graph,
    service_name: &str,
) -> Result<EventCheck, ToolError> {
    let service = if service_name.is_empty() {
        None
    } else {
        Some(graph.find_service(service_name)?)
    };
    let mut check = EventCheck {
        orphaned_events: Vec::new(),
        unmatched_consumers: Vec::new(),
        matched_events: Vec::new(),
        total_events: 0,
        known_from: contracts_of_events(graph),
        match_rate: 1.0,
    };
    for (number, node) in (0..).zip(&graph.nodes) {
        let NodeData::Event {
            event_name,
            channel,
            ..
        } = &*node.data
        else {
            continue;
        };
        let services = |relation: Relation| -> Vec<u32> {
            let edges = graph.edges_of(relation).filter(|edge| edge.to == number);
            let services: BTreeSet<u32> = edges.map(|edge| edge.from).collect();
            services.into_iter().collect()
        };
        let (publishers, consumers) = (
            services(Relation::PublishesEvent),
            services(Relation::ConsumesEvent),
        );
        if service
            .is_some_and(|service| !publishers.contains(&service) && !consumers.contains(&service))
        {
            continue;
        }
        let names = |services: &[u32]| {
            services
                .iter()
                .map(|&number| service_of(graph, number).to_owned())
                .collect()
        };
        let event = CheckedEvent {
            event_name: event_name.clone(),
            channel: channel.clone(),
            publishers: names(&publishers),
            consumers: names(&consumers),
        };
        check.total_events += 1;
        match (publishers.is_empty(), consumers.is_empty()) {
            (false, false) => check.matched_events.push(event),
            (false, true) => check.orphaned_events.push(event),
            (true, _) => check.unmatched_consumers.push(event),
        }
    }
    if check.total_events > 0 {
        check.match_rate = check.matched_events.len() as f64 / check.total_events as f64;
    }
    Ok(check)
}

/// Returns the name of the service of a node.
pub(super) fn service_of(graph: &Graph, number: u32) -> &str {
    graph
        .node(number)
        .map_or("", |node| node.data.service_name())
}

/// Returns where publishers and consumers of events are looked for, for answers that say that there is none.
pub(super) fn contracts_of_events(graph: &Graph) -> String {
    let contracts = graph.nodes.iter().filter(|node| {
        matches!(&*node.data, NodeData::Contract { contract_type, .. } if contract_type == "asyncapi")
    });
    match contracts.count() {
        1 => "1 AsyncAPI contract and recognised code".to_owned(),
        count => format!("{count} AsyncAPI contracts and recognised code"),
    }
}
