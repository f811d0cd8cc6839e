//! `dependencies` and `dependents`.

use std::cell::RefCell;

use codeweft_db::SymbolId;
use rustc_hash::FxHashMap;

use super::{MOST_ASKED, OperationResult};
use crate::answer::GraphRequest;
use crate::link::{Link, Links, SiteKey};
use crate::query_context::QueryContext;
use crate::targets::Target;
use crate::targets_of_sites::TargetsOfSites;
use crate::traversal::TraversalOptions;
use crate::verdict::AnswerNouns;

impl QueryContext<'_> {
    /// What the target imports; of a file, what its own statements import.
    pub(super) fn dependencies(&self, request: &GraphRequest, target: &Target) -> OperationResult {
        self.closure(
            request,
            target,
            false,
            AnswerNouns {
                one: "dependency",
                many: "dependencies",
                could: "could import more",
            },
        )
    }

    /// Who imports the target.
    pub(super) fn dependents(&self, request: &GraphRequest, target: &Target) -> OperationResult {
        self.closure(
            request,
            target,
            true,
            AnswerNouns {
                one: "dependent",
                many: "dependents",
                could: "could import it",
            },
        )
    }

    fn closure(
        &self,
        request: &GraphRequest,
        target: &Target,
        backward: bool,
        speech: AnswerNouns,
    ) -> OperationResult {
        let edges = self.import_edges(backward);
        let only = target.file.filter(|_| !backward);
        let aims = RefCell::new(TargetsOfSites::among(&target.symbols));
        let walk = self.walk(
            &target.symbols,
            &TraversalOptions {
                depth: request.depth,
                backward,
                most_nodes: self.most_nodes(),
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
                        aims.borrow_mut().note(package, &found);
                    }
                    found
                },
            },
        );
        let mut asked = walk.expanded(&target.symbols, request.depth);
        let most = MOST_ASKED.max(target.symbols.len());
        let partial = asked.len() > most;
        asked.truncate(most);
        let openings = match backward {
            true => self.possible_importers(&asked),
            false => self.possible_imports(&asked, only),
        };
        OperationResult {
            aims: aims.into_inner(),
            partial: partial.then_some(most as u32),
            ..OperationResult::walk(walk, openings, speech)
        }
    }

    /// The import statements of a package, each with the package that it stands in.
    pub(crate) fn importers_of_package(&self, package: SymbolId) -> Vec<(SymbolId, Link)> {
        let rows = self.imports().rows.iter().flat_map(|rows| rows.iter());
        let own = rows.filter(|row| row.to == package);
        let links = own.map(|row| (row.from, Link::plain(row.file, SiteKey::Import(row.import))));
        links.collect()
    }

    /// The imports of each package, or the importers of each.
    fn import_edges(&self, backward: bool) -> FxHashMap<SymbolId, Vec<(SymbolId, Link)>> {
        let mut edges: FxHashMap<SymbolId, Vec<(SymbolId, Link)>> = FxHashMap::default();
        for row in self.imports().rows.iter().flat_map(|rows| rows.iter()) {
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
