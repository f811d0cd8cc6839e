//! The operations `dependencies` and `dependents`.

use std::cell::RefCell;

use codeweft_db::SymbolId;

use super::result::{MAX_COMPLETENESS_NODES, OperationResult};
use super::traversal;
use crate::answer::GraphRequest;
use crate::completeness;
use crate::imports::ImportEdge;
use crate::link::{Link, Links, SiteKey};
use crate::operations::traversal::TraversalOptions;
use crate::query_context::QueryContext;
use crate::targets::resolved::Target;
use crate::targets_of_sites::TargetsOfSites;

/// Finds what the target imports; for a file only its own import statements count.
pub(super) fn dependencies(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    target: &Target,
) -> OperationResult {
    closure(query, request, target, false)
}

/// Finds what imports the target.
pub(super) fn dependents(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    target: &Target,
) -> OperationResult {
    closure(query, request, target, true)
}

fn closure(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    target: &Target,
    backward: bool,
) -> OperationResult {
    let only = target.file.filter(|_| !backward);
    let targets_of_sites = RefCell::new(TargetsOfSites::among(&target.symbols));
    let traversal = traversal::traverse(
        query,
        &target.symbols,
        &TraversalOptions {
            depth: request.depth,
            backward,
            max_nodes: traversal::max_nodes(query),
            prepare: &|_| {},
            step: &|package| {
                let mut links = Links::default();
                let start = target.symbols.contains(&package);
                for edge in query.imports().edges(package, backward) {
                    if !start || only.is_none_or(|file| edge.file == file) {
                        links.add(edge.other, Link::of_import(edge));
                    }
                }
                let found = links.finish();
                if start {
                    targets_of_sites.borrow_mut().record(package, &found);
                }
                found
            },
        },
    );
    let mut expanded = traversal.expanded(&target.symbols, request.depth);
    let max_checked = MAX_COMPLETENESS_NODES.max(target.symbols.len());
    let partial = expanded.len() > max_checked;
    expanded.truncate(max_checked);
    let unresolved = if backward {
        completeness::possible_importers(query, &expanded)
    } else {
        completeness::possible_imports(query, &expanded, only)
    };
    OperationResult {
        targets_of_sites: targets_of_sites.into_inner(),
        partial: partial.then_some(max_checked as u32),
        ..OperationResult::from_traversal(traversal, unresolved)
    }
}

/// Returns the import statements of a package, each with the importing package.
pub(super) fn importers_of_package(
    query: &QueryContext<'_>,
    package: SymbolId,
) -> Vec<(SymbolId, Link)> {
    let edges = query.imports().edges(package, true).iter();
    edges
        .map(|edge| (edge.other, Link::of_import(edge)))
        .collect()
}

impl Link {
    /// Returns the link of an import line.
    fn of_import(edge: &ImportEdge) -> Link {
        Link::plain(edge.file, SiteKey::Import(edge.import))
    }
}
