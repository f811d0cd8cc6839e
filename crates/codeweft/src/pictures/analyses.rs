//! Pictures of analyses: packages and their imports, cycles, the relations of a type.

use std::collections::BTreeMap;

use codeweft_diagrams::{Diagram, Direction, Edge, EdgeStyle, Fact};
use codeweft_graph::answer::{DependencyGraph, SymbolInfo, TypeHierarchy};
use codeweft_ide::api::{
    AnalysisOperation, AnalysisResponse, ApiError, CheckedAnalysis, wire_word,
};

use super::{Drawn, no_picture, short};
use crate::arguments::Format;
use crate::database::Database;

/// The operations that have pictures.
const DRAWN: [AnalysisOperation; 3] = [
    AnalysisOperation::TypeHierarchy,
    AnalysisOperation::CircularDependencies,
    AnalysisOperation::DependencyGraph,
];

impl Drawn for CheckedAnalysis {
    fn check_format(&self, format: Format) -> Result<(), ApiError> {
        let is_picture = super::format(format).is_some();
        if is_picture && !DRAWN.contains(&self.operation) {
            let drawn = DRAWN.map(AnalysisOperation::wire_name);
            return Err(no_picture(self.operation.wire_name(), &drawn));
        }
        Ok(())
    }

    fn diagram(
        &self,
        response: &AnalysisResponse,
        _database: &mut Database,
    ) -> Result<Diagram, ApiError> {
        let name = self.operation.wire_name();
        let title = match &response.target {
            Some(target) => format!("{name} of {target}"),
            None => name.to_owned(),
        };
        let (nodes, edges) = if let Some(graph) = &response.dependency_graph {
            packages(graph)
        } else if let Some(hierarchy) = &response.hierarchy {
            types(hierarchy)
        } else {
            cycles(response)
        };
        Ok(Diagram {
            title,
            direction: Direction::Down,
            nodes,
            edges,
            ..Diagram::default()
        })
    }
}

type Drawing = (Vec<codeweft_diagrams::Node>, Vec<Edge>);

/// Returns the packages with their imports.
pub(super) fn packages(graph: &DependencyGraph) -> Drawing {
    let nodes: Vec<codeweft_diagrams::Node> = graph
        .packages
        .iter()
        .map(|package| codeweft_diagrams::Node {
            lines: Some(u64::from(package.line_count)),
            facts: vec![
                Fact::new("files", package.file_count.to_string()),
                Fact::new("lines", package.line_count.to_string()),
                Fact::new("imported by", package.fan_in.to_string()),
                Fact::new("imports", package.fan_out.to_string()),
            ],
            ..package_box(&package.name)
        })
        .collect();
    let numbers = numbers(&nodes);
    let edges = graph.edges.iter().filter_map(|edge| {
        Some(Edge {
            from: *numbers.get(edge.from.as_str())?,
            to: *numbers.get(edge.to.as_str())?,
            count: u64::from(edge.import_count),
            ..Edge::default()
        })
    });
    let edges = edges.collect();
    (nodes, edges)
}

/// Returns the packages of cycles; the imports that close them are highlighted, and dashed where they are
/// none when the code runs.
fn cycles(response: &AnalysisResponse) -> Drawing {
    let mut ids: Vec<&String> = response.cycles.iter().flatten().flatten().collect();
    ids.sort_unstable();
    ids.dedup();
    let nodes: Vec<codeweft_diagrams::Node> = ids.into_iter().map(|id| package_box(id)).collect();
    let numbers = numbers(&nodes);
    let mut edges: BTreeMap<(usize, usize), Edge> = BTreeMap::new();
    for cycle in &response.cycle_imports {
        for import in &cycle.imports {
            let ends = numbers
                .get(import.from.as_str())
                .zip(numbers.get(import.to.as_str()));
            if let Some((&from, &to)) = ends {
                edges.entry((from, to)).or_insert(Edge {
                    from,
                    to,
                    count: u64::from(import.import_count),
                    label: String::new(),
                    style: if cycle.only_types || cycle.deferred {
                        EdgeStyle::Dashed
                    } else {
                        EdgeStyle::Highlighted
                    },
                });
            }
        }
    }
    let edges = edges.into_values().collect();
    (nodes, edges)
}

/// Returns a type with what it is related to: arrows from a type to what it implements, and to its parts.
fn types(hierarchy: &TypeHierarchy) -> Drawing {
    let mut nodes = vec![type_box(&hierarchy.symbol)];
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    known.insert(hierarchy.symbol.id.clone(), 0);
    let mut edges = Vec::new();
    let lists = [
        (&hierarchy.implements, true, EdgeStyle::Solid),
        (&hierarchy.implemented_by, false, EdgeStyle::Solid),
        (&hierarchy.composes, true, EdgeStyle::Dashed),
        (&hierarchy.composed_by, false, EdgeStyle::Dashed),
    ];
    for (relations, is_from, style) in lists {
        for relation in relations {
            let id = relation.symbol.id.clone();
            let other = *known.entry(id).or_insert_with(|| {
                nodes.push(type_box(&relation.symbol));
                nodes.len() - 1
            });
            let (from, to) = if is_from { (0, other) } else { (other, 0) };
            edges.push(Edge {
                from,
                to,
                count: 1,
                label: wire_word(&relation.kind).unwrap_or_default(),
                style,
            });
        }
    }
    (nodes, edges)
}

fn numbers(nodes: &[codeweft_diagrams::Node]) -> BTreeMap<String, usize> {
    let nodes = nodes.iter().enumerate();
    nodes.map(|(at, node)| (node.id.clone(), at)).collect()
}

/// Returns a package as a box: its folder is its path without the last part.
fn package_box(id: &str) -> codeweft_diagrams::Node {
    let (group, label) = match id.rsplit_once(['/', '.']) {
        Some((group, label)) => (group.replace('.', "/"), label),
        None => (String::new(), id),
    };
    codeweft_diagrams::Node {
        id: id.to_owned(),
        label: label.to_owned(),
        group,
        kind: "package".to_owned(),
        ..codeweft_diagrams::Node::default()
    }
}

fn type_box(symbol: &SymbolInfo) -> codeweft_diagrams::Node {
    let folder = symbol
        .file
        .rsplit_once('/')
        .map_or("", |(folder, _)| folder);
    let mut facts = vec![Fact::new("uses", symbol.ref_count.to_string())];
    if !symbol.file.is_empty() {
        facts.insert(
            0,
            Fact::new("file", format!("{}:{}", symbol.file, symbol.start_line)),
        );
    }
    let package = symbol
        .id
        .rsplit_once('.')
        .map_or("", |(package, _)| package);
    codeweft_diagrams::Node {
        id: symbol.id.clone(),
        label: short(&symbol.id, package),
        group: folder.to_owned(),
        kind: symbol.kind.clone(),
        lines: None,
        facts,
        holds: 0,
    }
}
