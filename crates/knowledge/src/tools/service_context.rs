//! `get_service_context`: what a service offers, uses and owns.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::context_text;
use super::error::ToolError;
use super::neighbours::{Direction, Neighbours};
use super::tokens::TokenCounter;
use crate::graph::{EntityField, Graph, NodeData, Relation};

/// The request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServiceContextRequest {
    /// The name of the service.
    pub service_name: String,
    /// Whether to list the endpoints of others that it calls.
    #[serde(default = "ServiceContextRequest::yes")]
    pub include_consumed_apis: bool,
    /// Whether to list its own endpoints.
    #[serde(default = "ServiceContextRequest::yes")]
    pub include_provided_apis: bool,
    /// Whether to list its events.
    #[serde(default = "ServiceContextRequest::yes")]
    pub include_events: bool,
    /// Whether to list its entities.
    #[serde(default = "ServiceContextRequest::yes")]
    pub include_entities: bool,
    /// Whether to list the services that it needs, and those that need it.
    #[serde(default = "ServiceContextRequest::yes")]
    pub include_dependencies: bool,
    /// The steps between services, 1 to 5.
    #[serde(default = "ServiceContextRequest::default_depth")]
    pub max_depth: u32,
}

impl ServiceContextRequest {
    fn yes() -> bool {
        true
    }

    fn default_depth() -> u32 {
        2
    }

    /// Returns the request for a service with the defaults.
    pub fn new(service_name: &str) -> ServiceContextRequest {
        ServiceContextRequest {
            service_name: service_name.to_owned(),
            include_consumed_apis: true,
            include_provided_apis: true,
            include_events: true,
            include_entities: true,
            include_dependencies: true,
            max_depth: ServiceContextRequest::default_depth(),
        }
    }
}

/// An endpoint of the service.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct ProvidedEndpoint {
    pub method: String,
    pub path: String,
    pub handler: String,
    pub contract_id: String,
}

/// An endpoint of another service that it calls.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct ConsumedEndpoint {
    pub method: String,
    pub path: String,
    pub provider_service: String,
}

/// An event that it publishes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct PublishedEvent {
    pub event_name: String,
    pub channel: String,
}

/// An event that it consumes; `publisher_service` is empty if no service publishes it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct ConsumedEvent {
    pub event_name: String,
    pub publisher_service: String,
}

/// An entity that it owns.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct OwnedEntity {
    pub name: String,
    pub fields: Vec<EntityField>,
}

/// An entity of another service that it uses.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct ReferencedEntity {
    pub name: String,
    pub owning_service: String,
    pub fields: Vec<EntityField>,
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct ServiceContext {
    pub service_name: String,
    pub provided_endpoints: Vec<ProvidedEndpoint>,
    pub consumed_endpoints: Vec<ConsumedEndpoint>,
    pub events_published: Vec<PublishedEvent>,
    pub events_consumed: Vec<ConsumedEvent>,
    pub owned_entities: Vec<OwnedEntity>,
    pub referenced_entities: Vec<ReferencedEntity>,
    /// The nearest first.
    pub depends_on: Vec<String>,
    /// The nearest first.
    pub depended_on_by: Vec<String>,
    /// All of it as Markdown, below [`super::MAX_CONTEXT_TOKENS`].
    pub context_text: String,
}

/// Returns the context of a service. `tokens` counts the tokens of `context_text`.
///
/// # Errors
/// There is no such service; `max_depth` is not 1 to 5.
pub fn get_service_context(
    graph: &Graph,
    request: &ServiceContextRequest,
    tokens: TokenCounter<'_>,
) -> Result<ServiceContext, ToolError> {
    if !(1..=5).contains(&request.max_depth) {
        return Err(ToolError::invalid("max_depth: use 1 to 5"));
    }
    let service = graph.find_service(&request.service_name)?;
    let name = super::events::service_of(graph, service).to_owned();
    let mut context = ServiceContext {
        service_name: name.clone(),
        ..ServiceContext::default()
    };
    if request.include_provided_apis {
        add_provided(graph, &name, &mut context);
    }
    if request.include_consumed_apis {
        add_consumed(graph, service, &mut context);
    }
    if request.include_events {
        add_events(graph, service, &mut context);
    }
    if request.include_entities {
        add_entities(graph, service, &mut context);
    }
    if request.include_dependencies {
        let calls = Neighbours::of(graph.edges_of(Relation::ServiceCalls));
        let reached = |direction| {
            let found = calls.within(service, request.max_depth, direction);
            let others = found.iter().skip(1);
            others
                .map(|&(number, _, _)| super::events::service_of(graph, number).to_owned())
                .collect()
        };
        context.depends_on = reached(Direction::Out);
        context.depended_on_by = reached(Direction::In);
    }
    context.context_text = context_text::print(graph, &context, tokens);
    Ok(context)
}

fn add_provided(graph: &Graph, name: &str, context: &mut ServiceContext) {
    for edge in graph.edges_of(Relation::ExposesEndpoint) {
        let (Some(contract), Some(endpoint)) = (graph.node(edge.from), graph.node(edge.to)) else {
            continue;
        };
        let (
            NodeData::Contract { contract_id, .. },
            NodeData::Endpoint {
                method,
                path,
                service_name,
                handler_symbol,
                ..
            },
        ) = (&*contract.data, &*endpoint.data)
        else {
            continue;
        };
        if service_name == name {
            context.provided_endpoints.push(ProvidedEndpoint {
                method: method.clone(),
                path: path.clone(),
                handler: handler_symbol.clone(),
                contract_id: contract_id.clone(),
            });
        }
    }
    context
        .provided_endpoints
        .sort_by(|a, b| (&a.path, &a.method).cmp(&(&b.path, &b.method)));
}

fn add_consumed(graph: &Graph, service: u32, context: &mut ServiceContext) {
    let calls = graph
        .edges_of(Relation::ServiceCalls)
        .filter(|edge| edge.from == service);
    let mut found = BTreeSet::new();
    for edge in calls {
        let ids = edge
            .data
            .via_endpoint
            .iter()
            .chain(&edge.data.via_endpoints);
        let endpoints = ids.filter_map(|id| graph.node(graph.number(id)?));
        for endpoint in endpoints {
            if let NodeData::Endpoint {
                method,
                path,
                service_name,
                ..
            } = &*endpoint.data
            {
                found.insert(ConsumedEndpoint {
                    method: method.clone(),
                    path: path.clone(),
                    provider_service: service_name.clone(),
                });
            }
        }
    }
    context.consumed_endpoints = found.into_iter().collect();
}

fn add_events(graph: &Graph, service: u32, context: &mut ServiceContext) {
    let event = |number: u32| match &*graph.node(number)?.data {
        NodeData::Event {
            event_name,
            channel,
            ..
        } => Some((event_name.clone(), channel.clone())),
        _ => None,
    };
    let published = graph
        .edges_of(Relation::PublishesEvent)
        .filter(|edge| edge.from == service);
    context.events_published = published
        .filter_map(|edge| event(edge.to))
        .map(|(event_name, channel)| PublishedEvent {
            event_name,
            channel,
        })
        .collect();
    for edge in graph
        .edges_of(Relation::ConsumesEvent)
        .filter(|edge| edge.from == service)
    {
        let Some((event_name, _)) = event(edge.to) else {
            continue;
        };
        let publishers = graph
            .edges_of(Relation::PublishesEvent)
            .filter(|publishing| publishing.to == edge.to);
        let mut publishers: Vec<String> = publishers
            .map(|edge| super::events::service_of(graph, edge.from).to_owned())
            .collect();
        if publishers.is_empty() {
            publishers.push(String::new());
        }
        context
            .events_consumed
            .extend(
                publishers
                    .into_iter()
                    .map(|publisher_service| ConsumedEvent {
                        event_name: event_name.clone(),
                        publisher_service,
                    }),
            );
    }
}

fn add_entities(graph: &Graph, service: u32, context: &mut ServiceContext) {
    let entity = |number: u32| match &*graph.node(number)?.data {
        NodeData::DomainEntity {
            entity_name,
            owning_service,
            fields,
            ..
        } => Some((entity_name.clone(), owning_service.clone(), fields.clone())),
        _ => None,
    };
    let owned = graph
        .edges_of(Relation::OwnsEntity)
        .filter(|edge| edge.from == service);
    let owned = owned.filter_map(|edge| entity(edge.to));
    context.owned_entities = owned
        .map(|(name, _, fields)| OwnedEntity { name, fields })
        .collect();
    let referenced = graph
        .edges_of(Relation::ReferencesEntity)
        .filter(|edge| edge.from == service);
    let referenced = referenced.filter_map(|edge| entity(edge.to));
    context.referenced_entities = referenced
        .map(|(name, owning_service, fields)| ReferencedEntity {
            name,
            owning_service,
            fields,
        })
        .collect();
}
