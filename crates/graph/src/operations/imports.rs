//! The operations `dependencies` and `dependents`.

use std::cell::RefCell;

use codeweft_db::SymbolId;
use rustc_hash::FxHashMap;

use super::{MAX_COMPLETENESS_NODES, OperationResult};
use crate::answer::GraphRequest;
use crate::completeness::verdict::AnswerNouns;
use crate::link::{Link, Links, SiteKey};
use crate::operations::traversal::TraversalOptions;
use crate::query_context::QueryContext;
use crate::targets::Target;
use crate::targets_of_sites::TargetsOfSites;

impl QueryContext<'_> {
    /// Finds what the target imports; for a file only its own import statements count.
    pub(super) fn dependencies(&self, request: &GraphRequest, target: &Target) -> OperationResult {
        self.closure(
            request,
            target,
            false,
            AnswerNouns {
                singular: "dependency",
                plural: "dependencies",
                could: "could import more",
            },
        )
    }

    /// Finds who imports the target.
    pub(super) fn dependents(&self, request: &GraphRequest, target: &Target) -> OperationResult {
        self.closure(
            request,
            target,
            true,
            AnswerNouns {
                singular: "dependent",
                plural: "dependents",
                could: "could import it",
            },
        )
    }

    fn closure(
        &self,
        request: &GraphRequest,
        target: &Target,
        backward: bool,
        nouns: AnswerNouns,
    ) -> OperationResult {
        let edges = self.import_edges(backward);
        let only = target.file.filter(|_| !backward);
        let targets_of_sites = RefCell::new(TargetsOfSites::among(&target.symbols));
        let traversal = self.traverse(
            &target.symbols,
            &TraversalOptions {
                depth: request.depth,
                backward,
                max_nodes: self.max_nodes(),
                prepare: &|_| {},
                step: &|package| {
                    let mut links = Links::default();
                    let start = target.symbols.contains(&package);
                    for &(neighbour, link) in edges.get(&package).map_or(&[][..], Vec::as_slice) {
                        if !start || only.is_none_or(|file| link.file == file) {
                            links.add(neighbour, link);
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
        let unresolved = match backward {
            true => self.possible_importers(&expanded),
            false => self.possible_imports(&expanded, only),
        };
        OperationResult {
            targets_of_sites: targets_of_sites.into_inner(),
            partial: partial.then_some(max_checked as u32),
            ..OperationResult::from_traversal(traversal, unresolved, nouns)
        }
    }

    /// Returns the import statements of a package, each with the importing package.
    pub(crate) fn importers_of_package(&self, package: SymbolId) -> Vec<(SymbolId, Link)> {
        let rows = self.imports().parts.iter().flat_map(|rows| rows.iter());
        let own = rows.filter(|row| row.to == package);
        let links = own.map(|row| (row.from, Link::plain(row.file, SiteKey::Import(row.import))));
        links.collect()
    }

    /// Returns the import edges, keyed by importer or (`backward`) by imported package.
    fn import_edges(&self, backward: bool) -> FxHashMap<SymbolId, Vec<(SymbolId, Link)>> {
        let mut edges: FxHashMap<SymbolId, Vec<(SymbolId, Link)>> = FxHashMap::default();
        for row in self.imports().parts.iter().flat_map(|rows| rows.iter()) {
            let link = Link::plain(row.file, SiteKey::Import(row.import));
            let (from, to) = if backward {
                (row.to, row.from)
            } else {
                (row.from, row.to)
            };
            edges.entry(from).or_default().push((to, link));
        }
        edges
    }
}
