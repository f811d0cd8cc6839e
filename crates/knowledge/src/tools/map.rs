//! What a picture of the services is drawn of.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::error::ToolError;
use super::events::{CheckedEvent, check_cross_service_events, service_of};
use super::impact::{CrossServiceImpact, find_cross_service_impact};
use super::neighborhood::{Neighborhood, NeighborhoodRequest, query_graph_neighborhood};
use crate::graph::{Graph, KnowledgeError, NodeData, Relation};

/// The nodes of a picture around a node.
const MAX_AROUND: usize = 80;

/// The types of edges around what is no code: every file and symbol of a service would hide the rest.
const BETWEEN_SERVICES: [Relation; 10] = [
    Relation::ProvidesContract,
    Relation::ExposesEndpoint,
    Relation::HandlesEndpoint,
    Relation::OwnsEntity,
    Relation::ReferencesEntity,
    Relation::ImplementsEntity,
    Relation::PublishesEvent,
    Relation::ConsumesEvent,
    Relation::ServiceCalls,
    Relation::DomainRelationship,
];

/// The types of edges around code, beside those between services.
const OF_CODE: [Relation; 4] = [
    Relation::Imports,
    Relation::Calls,
    Relation::Inherits,
    Relation::Implements,
];

/// The request.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MapRequest {
    /// Only this service and what it is connected with; empty for all.
    pub service: String,
    /// The id of a node: what is around it, and what a change of it may reach. Empty for none.
    pub around: String,
}

/// A service with what it offers.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "as the attributes of nodes")]
pub struct MappedService {
    pub name: String,
    pub domain: String,
    pub description: String,
    pub stack: String,
    pub lines: u32,
    pub files: usize,
    pub contracts: Vec<String>,
    pub endpoints: Vec<MappedEndpoint>,
    pub owned_entities: Vec<String>,
}

/// An endpoint.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "as the attributes of nodes")]
pub struct MappedEndpoint {
    pub id: String,
    pub method: String,
    pub path: String,
    pub summary: String,
    /// Empty if none was found.
    pub handler: String,
    pub contract: String,
    pub file: String,
    pub line: u32,
    /// The services that call it.
    pub callers: Vec<String>,
}

/// The calls of one service to another.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "as the attributes of edges")]
pub struct MappedCall {
    pub from: String,
    pub to: String,
    /// The ids of the endpoints that are called, as far as they are known.
    pub endpoints: Vec<String>,
    pub imports: u32,
    pub evidence: Vec<String>,
}

/// An entity.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "as the attributes of nodes")]
pub struct MappedEntity {
    pub name: String,
    pub owner: String,
    pub referenced_by: Vec<String>,
    pub fields: Vec<String>,
    pub file: String,
    pub line: u32,
}

/// The answer.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the lists that pictures have")]
pub struct KnowledgeMap {
    pub services: Vec<MappedService>,
    pub calls: Vec<MappedCall>,
    pub events: Vec<CheckedEvent>,
    pub entities: Vec<MappedEntity>,
    pub errors: Vec<KnowledgeError>,
    /// With [`MapRequest::around`]: what is around the node.
    pub around: Option<Neighborhood>,
    /// With [`MapRequest::around`]: what a change of the node may reach.
    pub impact: Option<CrossServiceImpact>,
}

/// Returns what a picture of the services is drawn of.
///
/// # Errors
/// There is no such service or node.
pub fn knowledge_map(graph: &Graph, request: &MapRequest) -> Result<KnowledgeMap, ToolError> {
    let mut map = KnowledgeMap {
        calls: calls(graph),
        events: events(graph)?,
        entities: entities(graph),
        errors: graph.errors.clone(),
        ..KnowledgeMap::default()
    };
    map.services = services(graph, &map.calls);
    if !request.service.is_empty() {
        let service = graph.find_service(&request.service)?;
        keep_around(&mut map, service_of(graph, service));
    }
    if !request.around.is_empty() {
        let center = graph.find(&request.around)?;
        let is_code = graph.node(center).is_some_and(|node| {
            matches!(*node.data, NodeData::Symbol { .. } | NodeData::File { .. })
        });
        let of_code = OF_CODE.iter().filter(|_| is_code);
        let relations = BETWEEN_SERVICES.iter().chain(of_code);
        let relations: Vec<&str> = relations.map(|relation| relation.wire_name()).collect();
        let around = NeighborhoodRequest {
            max_nodes: MAX_AROUND,
            filter_edge_types: relations.join(","),
            ..NeighborhoodRequest::new(&request.around)
        };
        map.around = Some(query_graph_neighborhood(graph, &around)?);
        map.impact = Some(find_cross_service_impact(graph, &request.around, 3)?);
    }
    Ok(map)
}

/// Keeps a service, those that it is connected with, and what connects them.
fn keep_around(map: &mut KnowledgeMap, name: &str) {
    map.calls
        .retain(|call| call.from == name || call.to == name);
    let has = |names: &[String]| names.iter().any(|one| one == name);
    map.events
        .retain(|event| has(&event.publishers) || has(&event.consumers));
    map.entities
        .retain(|entity| entity.owner == name || has(&entity.referenced_by));
    let mut kept: BTreeSet<&str> = BTreeSet::from([name]);
    kept.extend(map.calls.iter().flat_map(|call| [&*call.from, &*call.to]));
    let ends = map.events.iter();
    kept.extend(
        ends.flat_map(|event| event.publishers.iter().chain(&event.consumers))
            .map(String::as_str),
    );
    let called: BTreeSet<&String> = map.calls.iter().flat_map(|call| &call.endpoints).collect();
    map.services.retain(|service| kept.contains(&*service.name));
    for service in map
        .services
        .iter_mut()
        .filter(|service| service.name != name)
    {
        service
            .endpoints
            .retain(|endpoint| called.contains(&endpoint.id));
    }
}

fn calls(graph: &Graph) -> Vec<MappedCall> {
    let calls = graph.edges_of(Relation::ServiceCalls).map(|edge| {
        let data = &edge.data;
        let endpoints: BTreeSet<&String> = data
            .via_endpoint
            .iter()
            .chain(&data.via_endpoints)
            .filter(|id| !id.is_empty())
            .collect();
        MappedCall {
            from: service_of(graph, edge.from).to_owned(),
            to: service_of(graph, edge.to).to_owned(),
            endpoints: endpoints.into_iter().cloned().collect(),
            imports: data.import_count.unwrap_or(0),
            evidence: data.evidence.clone(),
        }
    });
    calls.collect()
}

fn events(graph: &Graph) -> Result<Vec<CheckedEvent>, ToolError> {
    let check = check_cross_service_events(graph, "")?;
    let lists = [
        check.matched_events,
        check.orphaned_events,
        check.unmatched_consumers,
    ];
    let mut events = lists.concat();
    events.sort_by(|one, other| one.event_name.cmp(&other.event_name));
    Ok(events)
}

fn entities(graph: &Graph) -> Vec<MappedEntity> {
    let mut referenced: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for edge in graph.edges_of(Relation::ReferencesEntity) {
        let services = referenced.entry(edge.to).or_default();
        services.push(service_of(graph, edge.from).to_owned());
    }
    let entities = (0..).zip(&graph.nodes).filter_map(|(number, node)| {
        let NodeData::DomainEntity {
            entity_name,
            owning_service,
            fields,
            file_path,
            line,
            ..
        } = &*node.data
        else {
            return None;
        };
        Some(MappedEntity {
            name: entity_name.clone(),
            owner: owning_service.clone(),
            referenced_by: referenced.remove(&number).unwrap_or_default(),
            fields: fields.iter().map(|field| field.name.clone()).collect(),
            file: file_path.clone(),
            line: *line,
        })
    });
    entities.collect()
}

fn services(graph: &Graph, calls: &[MappedCall]) -> Vec<MappedService> {
    let mut services: BTreeMap<&str, MappedService> = BTreeMap::new();
    for node in &graph.nodes {
        if let NodeData::Service {
            service_name,
            domain,
            description,
            stack,
            estimated_loc,
        } = &*node.data
        {
            let service = MappedService {
                name: service_name.clone(),
                domain: domain.clone(),
                description: description.clone(),
                stack: stack.clone(),
                lines: *estimated_loc,
                ..MappedService::default()
            };
            services.insert(service_name, service);
        }
    }
    let mut callers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for call in calls {
        for endpoint in &call.endpoints {
            callers.entry(endpoint).or_default().insert(&call.from);
        }
    }
    for edge in &graph.edges {
        let (Some(from), Some(to)) = (graph.node(edge.from), graph.node(edge.to)) else {
            continue;
        };
        let service = match edge.relation {
            Relation::ExposesEndpoint => to.data.service_name(),
            _ => from.data.service_name(),
        };
        let Some(service) = services.get_mut(service) else {
            continue;
        };
        match (edge.relation, &*from.data, &*to.data) {
            (Relation::ContainsFile, ..) => service.files += 1,
            (Relation::ProvidesContract, _, NodeData::Contract { contract_id, .. }) => {
                service.contracts.push(contract_id.clone());
            }
            (Relation::OwnsEntity, _, NodeData::DomainEntity { entity_name, .. }) => {
                service.owned_entities.push(entity_name.clone());
            }
            (
                Relation::ExposesEndpoint,
                NodeData::Contract { contract_id, .. },
                NodeData::Endpoint {
                    method,
                    path,
                    handler_symbol,
                    summary,
                    file_path,
                    line,
                    ..
                },
            ) => {
                let callers = callers.get(&*to.id).into_iter().flatten();
                service.endpoints.push(MappedEndpoint {
                    id: to.id.to_string(),
                    method: method.clone(),
                    path: path.clone(),
                    summary: summary.clone(),
                    handler: handler_symbol.clone(),
                    contract: contract_id.clone(),
                    file: file_path.clone(),
                    line: *line,
                    callers: callers.map(|name| (*name).to_owned()).collect(),
                });
            }
            _ => {}
        }
    }
    let mut services: Vec<MappedService> = services.into_values().collect();
    for service in &mut services {
        let key = |endpoint: &MappedEndpoint| (endpoint.path.clone(), endpoint.method.clone());
        service.endpoints.sort_by_key(key);
    }
    services
}
