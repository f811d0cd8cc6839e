//! The operation `dependency_graph`: the workspace's packages and which imports which.

use std::collections::BTreeMap;
use std::sync::Arc;

use codeweft_db::SymbolId;

use super::package_files::package_files;
use super::package_imports::package_imports;
use crate::answer::{
    AnalysisOperation, AnalysisResponse, ApiError, DependencyEdge, DependencyGraph, DependencyNode,
};
use crate::query_context::QueryContext;
use crate::symbols;
use crate::targets::resolved::Target;

/// Lists the packages of the workspace, or those of the target with those that they import or are
/// imported by.
pub(super) fn dependency_graph(
    query: &QueryContext<'_>,
    target: Option<&Target>,
) -> Result<AnalysisResponse, ApiError> {
    let imports = package_imports(query);
    let is_wanted =
        |package: SymbolId| target.is_none_or(|target| target.symbols.contains(&package));
    let files = package_files(query);
    let mut packages: BTreeMap<Arc<str>, DependencyNode> = BTreeMap::new();
    let mut edges: Vec<DependencyEdge> = Vec::new();
    let mut add = |package: SymbolId| {
        let id = symbols::id(query, package);
        packages.entry(id.clone()).or_insert_with(|| {
            let files = files.get(&package).copied().unwrap_or_default();
            DependencyNode {
                name: id.to_string(),
                file_count: files.files,
                line_count: files.lines,
                ..DependencyNode::default()
            }
        });
        id
    };
    for package in symbols::packages(query) {
        if !package.external && is_wanted(package.symbol) && files.contains_key(&package.symbol) {
            add(package.symbol);
        }
    }
    for (&(from, to), import) in &imports {
        if is_wanted(from) || is_wanted(to) {
            edges.push(DependencyEdge {
                from: add(from).to_string(),
                to: add(to).to_string(),
                import_count: import.count,
            });
        }
    }
    for edge in &edges {
        if let Some(node) = packages.get_mut(edge.from.as_str()) {
            node.fan_out += 1;
        }
        if let Some(node) = packages.get_mut(edge.to.as_str()) {
            node.fan_in += 1;
        }
    }
    edges.sort_by(|one, other| (&one.from, &one.to).cmp(&(&other.from, &other.to)));
    Ok(AnalysisResponse {
        target: target.map(|target| target.printed.clone()),
        note: target.and_then(|target| target.note.clone()),
        dependency_graph: Some(DependencyGraph {
            packages: packages.into_values().collect(),
            edges,
        }),
        ..AnalysisResponse::new(AnalysisOperation::DependencyGraph)
    })
}
