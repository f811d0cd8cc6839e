//! `validate_service_boundaries`: whether the services of files are the communities that the code forms.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::error::ToolError;
use crate::graph::{Graph, NodeData, Relation};
use crate::ranks::{Adjacency, communities};

/// The request.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoundariesRequest {
    /// More and smaller communities above 1, fewer below; 0.01 to 10.
    #[serde(default = "BoundariesRequest::default_resolution")]
    pub resolution: f64,
}

impl BoundariesRequest {
    fn default_resolution() -> f64 {
        1.0
    }
}

/// A file whose community is mostly of another service.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct MisplacedFile {
    pub file: String,
    pub declared_service: String,
    pub community_service: String,
    /// The share of the community's files that are of that service.
    pub confidence: f64,
}

/// The edges between the files of two services.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct ServiceCoupling {
    pub service_a: String,
    pub service_b: String,
    pub cross_edges: usize,
}

/// The answer.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the wire's own words")]
pub struct ServiceBoundaries {
    pub communities_detected: u32,
    pub services_declared: usize,
    /// 1 less the share of files that are misplaced; 1 without files.
    pub alignment_score: f64,
    pub misplaced_files: Vec<MisplacedFile>,
    /// Files that nothing connects to another.
    pub isolated_files: Vec<String>,
    pub service_coupling: Vec<ServiceCoupling>,
}

/// Compares services with the communities of their files: two files are connected if one imports the other, or their symbols
/// call, inherit or implement each other.
///
/// # Errors
/// `resolution` is not 0.01 to 10.
pub fn validate_service_boundaries(
    graph: &Graph,
    resolution: f64,
) -> Result<ServiceBoundaries, ToolError> {
    if !(0.01..=10.0).contains(&resolution) {
        return Err(ToolError::invalid("resolution: use 0.01 to 10"));
    }
    let files = graph.nodes.iter().filter_map(|node| match &*node.data {
        NodeData::File {
            file_path,
            service_name,
            ..
        } if !service_name.is_empty() => Some((file_path.as_str(), service_name.as_str())),
        _ => None,
    });
    let files: Vec<(&str, &str)> = files.collect();
    let numbers: FxHashMap<&str, u32> = files.iter().map(|(path, _)| *path).zip(0..).collect();
    let number_of = |node: u32| numbers.get(graph.node(node)?.data.file_path()).copied();
    let connecting = [
        Relation::Imports,
        Relation::Calls,
        Relation::Inherits,
        Relation::Implements,
    ];
    let edges = graph
        .edges
        .iter()
        .filter(|edge| connecting.contains(&edge.relation));
    let pairs = edges.filter_map(|edge| Some((number_of(edge.from)?, number_of(edge.to)?)));
    let pairs: BTreeSet<(u32, u32)> = pairs
        .filter(|(from, to)| from != to)
        .map(|(from, to)| (from.min(to), from.max(to)))
        .collect();
    let adjacency = Adjacency::undirected(files.len(), pairs.iter().copied());
    let community = communities(&adjacency, resolution);
    let count = community.iter().max().map_or(0, |last| last + 1);
    let mut members: Vec<BTreeMap<&str, usize>> = vec![BTreeMap::new(); count as usize];
    for ((_, service), &of) in files.iter().zip(&community) {
        if let Some(services) = members.get_mut(of as usize) {
            *services.entry(service).or_default() += 1;
        }
    }
    let mut misplaced_files = Vec::new();
    for (&(file, service), &of) in files.iter().zip(&community) {
        let services = &members[of as usize];
        // Of equal counts the first name.
        let most = services
            .iter()
            .reduce(|best, next| if next.1 > best.1 { next } else { best });
        let size: usize = services.values().sum();
        if let Some((most, count)) = most
            && *most != service
            && services.get(service) != Some(count)
        {
            misplaced_files.push(MisplacedFile {
                file: file.to_owned(),
                declared_service: service.to_owned(),
                community_service: (*most).to_owned(),
                confidence: *count as f64 / size as f64,
            });
        }
    }
    let isolated = (0..)
        .zip(&files)
        .filter(|(number, _)| adjacency.of(*number).is_empty());
    let mut coupling: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for &(from, to) in &pairs {
        let (a, b) = (files[from as usize].1, files[to as usize].1);
        if a != b {
            *coupling.entry((a.min(b), a.max(b))).or_default() += 1;
        }
    }
    let share = misplaced_files.len() as f64 / files.len().max(1) as f64;
    Ok(ServiceBoundaries {
        communities_detected: count,
        services_declared: graph
            .nodes
            .iter()
            .filter(|node| node.data.node_type() == "service")
            .count(),
        alignment_score: 1.0 - share,
        isolated_files: isolated.map(|(_, (file, _))| (*file).to_owned()).collect(),
        misplaced_files,
        service_coupling: coupling
            .into_iter()
            .map(|((a, b), cross_edges)| ServiceCoupling {
                service_a: a.to_owned(),
                service_b: b.to_owned(),
                cross_edges,
            })
            .collect(),
    })
}
