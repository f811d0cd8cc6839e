//! `find_cross_service_impact`: which other services a change of a node may reach.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::ToolError;
use super::neighbours::{Direction, Neighbours};
use crate::graph::{Edge, Graph, NodeData, Relation};

/// The paths listed of each service.
const MAX_PATHS: usize = 5;

/// The request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImpactRequest {
    /// The id of a node, or of a symbol of the code graph.
    pub node_id: String,
    /// The steps, 1 to 10.
    #[serde(default = "ImpactRequest::default_depth")]
    pub max_depth: u32,
}

impl ImpactRequest {
    fn default_depth() -> u32 {
        3
    }
}

/// A service that is reached.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct ImpactedService {
    pub service_name: String,
    pub impact_count: usize,
    /// Shortest paths in either direction of edges, to its nearest nodes.
    pub impact_paths: Vec<Vec<String>>,
}

/// A contract that is reached.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct ImpactedContract {
    pub contract_id: String,
    pub service_name: String,
    pub endpoints_affected: Vec<String>,
}

/// An entity that is reached.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct ImpactedEntity {
    pub entity_name: String,
    pub owning_service: String,
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct CrossServiceImpact {
    pub source_node: String,
    pub source_service: String,
    pub impacted_services: Vec<ImpactedService>,
    pub impacted_contracts: Vec<ImpactedContract>,
    pub impacted_entities: Vec<ImpactedEntity>,
    pub total_impacted_nodes: usize,
}

/// Returns what is reached from a node along edges, and against them, within `max_depth` steps. A service that calls an
/// endpoint depends on it, on its handler and on its contract.
///
/// # Errors
/// There is no such node; `max_depth` is not 1 to 10.
pub fn find_cross_service_impact(
    graph: &Graph,
    node_id: &str,
    max_depth: u32,
) -> Result<CrossServiceImpact, ToolError> {
    if !(1..=10).contains(&max_depth) {
        return Err(ToolError::invalid("max_depth: use 1 to 10"));
    }
    let source = graph.find(node_id)?;
    let (to_endpoints, to_what_is_behind) = callers(graph);
    let dependent = to_endpoints.iter().chain(&to_what_is_behind);
    let neighbours = Neighbours::of(graph.edges.iter().chain(dependent));
    let mut reached: BTreeSet<u32> = BTreeSet::new();
    for direction in [Direction::Out, Direction::In] {
        let found = neighbours.within(source, max_depth, direction);
        reached.extend(found.into_iter().map(|(number, _, _)| number));
    }
    reached.remove(&source);
    let source_service = super::events::service_of(graph, source).to_owned();
    // A path goes by way of the endpoint.
    let neighbours = Neighbours::of(graph.edges.iter().chain(&to_endpoints));
    let shortest = neighbours.within(source, max_depth, Direction::Both);
    let before: BTreeMap<u32, u32> = shortest
        .iter()
        .map(|&(number, _, before)| (number, before))
        .collect();
    reached.retain(|number| before.contains_key(number));
    let path = |number: u32| {
        let mut path = vec![number];
        let mut at = number;
        while at != source {
            let Some(&previous) = before.get(&at) else {
                break;
            };
            path.push(previous);
            at = previous;
        }
        path.iter()
            .rev()
            .map(|&number| graph.id(number).to_owned())
            .collect::<Vec<_>>()
    };
    let mut services: BTreeMap<&str, ImpactedService> = BTreeMap::new();
    // The nearest nodes first.
    for &(number, _, _) in shortest
        .iter()
        .filter(|(number, _, _)| reached.contains(number))
    {
        let name = super::events::service_of(graph, number);
        if name.is_empty() || name == source_service {
            continue;
        }
        let service = services.entry(name).or_insert_with(|| ImpactedService {
            service_name: name.to_owned(),
            impact_count: 0,
            impact_paths: Vec::new(),
        });
        service.impact_count += 1;
        if service.impact_paths.len() < MAX_PATHS {
            service.impact_paths.push(path(number));
        }
    }
    let mut impacted_services: Vec<ImpactedService> = services.into_values().collect();
    impacted_services.sort_by(|a, b| {
        b.impact_count
            .cmp(&a.impact_count)
            .then(a.service_name.cmp(&b.service_name))
    });
    Ok(CrossServiceImpact {
        source_node: graph.id(source).to_owned(),
        source_service,
        impacted_services,
        impacted_contracts: contracts(graph, source, &reached),
        impacted_entities: entities(graph, &reached),
        total_impacted_nodes: reached.len(),
    })
}

/// Returns an edge from each service to the endpoints that it calls, and to their handlers and contracts: the edge between
/// two services has the endpoints as an attribute.
fn callers(graph: &Graph) -> (Vec<Edge>, Vec<Edge>) {
    let mut to_endpoints = Vec::new();
    let mut to_what_is_behind = Vec::new();
    let mut behind: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for relation in [Relation::HandlesEndpoint, Relation::ExposesEndpoint] {
        for edge in graph.edges_of(relation) {
            behind.entry(edge.to).or_default().push(edge.from);
        }
    }
    for call in graph.edges_of(Relation::ServiceCalls) {
        let edge = |to: u32| Edge {
            from: call.from,
            to,
            relation: Relation::ServiceCalls,
            data: Arc::default(),
        };
        let endpoints = call.data.via_endpoint.iter();
        let endpoints: BTreeSet<&String> = endpoints.chain(&call.data.via_endpoints).collect();
        for endpoint in endpoints.into_iter().filter_map(|id| graph.number(id)) {
            to_endpoints.push(edge(endpoint));
            let behind = behind.get(&endpoint).into_iter().flatten();
            to_what_is_behind.extend(behind.map(|&node| edge(node)));
        }
    }
    (to_endpoints, to_what_is_behind)
}

/// Returns the contracts that are reached, or have endpoints that are, the source among them.
fn contracts(graph: &Graph, source: u32, reached: &BTreeSet<u32>) -> Vec<ImpactedContract> {
    let mut endpoints: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for edge in graph.edges_of(Relation::ExposesEndpoint) {
        if reached.contains(&edge.to) || edge.to == source {
            let of_contract = endpoints.entry(edge.from).or_default();
            of_contract.push(graph.id(edge.to).to_owned());
        } else if reached.contains(&edge.from) {
            endpoints.entry(edge.from).or_default();
        }
    }
    for &number in reached {
        if graph
            .node(number)
            .is_some_and(|node| node.data.node_type() == "contract")
        {
            endpoints.entry(number).or_default();
        }
    }
    let contracts =
        endpoints
            .into_iter()
            .filter_map(|(number, endpoints)| match &*graph.node(number)?.data {
                NodeData::Contract {
                    contract_id,
                    service_name,
                    ..
                } => Some(ImpactedContract {
                    contract_id: contract_id.clone(),
                    service_name: service_name.clone(),
                    endpoints_affected: endpoints,
                }),
                _ => None,
            });
    contracts.collect()
}

fn entities(graph: &Graph, reached: &BTreeSet<u32>) -> Vec<ImpactedEntity> {
    let entities = reached
        .iter()
        .filter_map(|&number| match &*graph.node(number)?.data {
            NodeData::DomainEntity {
                entity_name,
                owning_service,
                ..
            } => Some(ImpactedEntity {
                entity_name: entity_name.clone(),
                owning_service: owning_service.clone(),
            }),
            _ => None,
        });
    entities.collect()
}
