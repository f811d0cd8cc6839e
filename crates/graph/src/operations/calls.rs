//! The operations `callers` and `callees`.

use std::cell::RefCell;

use codeweft_db::{Resolution, SymbolId};
use rustc_hash::FxHashSet;

use super::{MAX_COMPLETENESS_NODES, OperationResult};
use crate::answer::GraphRequest;
use crate::completeness::verdict::AnswerNouns;
use crate::link::{Link, Links};
use crate::operations::traversal::TraversalOptions;
use crate::query_context::QueryContext;
use crate::targets::Target;
use crate::targets_of_sites::TargetsOfSites;

impl QueryContext<'_> {
    /// Finds the callers of the target: calls that name it, and calls of an interface's or base's
    /// method that may run it.
    pub(super) fn callers(&self, request: &GraphRequest, target: &Target) -> OperationResult {
        let starts: FxHashSet<SymbolId> = target.symbols.iter().copied().collect();
        let targets_of_sites = RefCell::new(TargetsOfSites::among(&target.symbols));
        let traversal = self.traverse(
            &target.symbols,
            &TraversalOptions {
                depth: request.depth,
                backward: true,
                max_nodes: self.max_nodes(),
                prepare: &|_| {},
                step: &|symbol| {
                    let mut found = self.callers_of(symbol, request.include_unresolved);
                    if let Some(file) = target.file
                        && starts.contains(&symbol)
                    {
                        retain_sites(&mut found, |link| link.file != file);
                    }
                    if starts.contains(&symbol) {
                        targets_of_sites.borrow_mut().record(symbol, &found);
                    }
                    found
                },
            },
        );
        let mut expanded = traversal.expanded(&target.symbols, request.depth);
        let max_checked = MAX_COMPLETENESS_NODES.max(target.symbols.len());
        let partial = expanded.len() > max_checked;
        expanded.truncate(max_checked);
        OperationResult {
            targets_of_sites: targets_of_sites.into_inner(),
            partial: partial.then_some(max_checked as u32),
            ..OperationResult::from_traversal(
                traversal,
                self.unresolved_callers(&expanded),
                match target.file {
                    None => AnswerNouns {
                        singular: "caller",
                        plural: "callers",
                        could: match request.depth {
                            0 | 1 => "could call it",
                            _ => "could call it or a caller of it",
                        },
                    },
                    Some(_) => AnswerNouns {
                        singular: "caller from outside the file",
                        plural: "callers from outside the file",
                        could: "could call what it declares",
                    },
                },
            )
        }
    }

    /// Finds what the target calls, including what an interface call may run.
    pub(super) fn callees(&self, request: &GraphRequest, target: &Target) -> OperationResult {
        let starts: FxHashSet<SymbolId> = target.symbols.iter().copied().collect();
        let targets_of_sites = RefCell::new(TargetsOfSites::among(&target.symbols));
        let traversal = self.traverse(
            &target.symbols,
            &TraversalOptions {
                depth: request.depth,
                backward: false,
                max_nodes: self.max_nodes(),
                prepare: &|symbols| self.prepare_calls(symbols),
                step: &|symbol| {
                    let mut found = self.callees_of(symbol, request.include_unresolved);
                    if let Some(file) = target.file
                        && starts.contains(&symbol)
                    {
                        retain_sites(&mut found, |link| link.file == file);
                        found.retain(|(callee, _)| self.file(*callee) != Some(file));
                    }
                    if starts.contains(&symbol) {
                        targets_of_sites.borrow_mut().record(symbol, &found);
                    }
                    found
                },
            },
        );
        // An unresolved call in any expanded node may lead on.
        let mut expanded = starts.clone();
        let listed = traversal.listed.iter();
        let inner = listed.filter(|listed| listed.depth < request.depth);
        expanded.extend(inner.map(|listed| listed.symbol));
        OperationResult {
            targets_of_sites: targets_of_sites.into_inner(),
            ..OperationResult::from_traversal(
                traversal,
                self.unresolved_callees(&expanded),
                match target.file {
                    None => AnswerNouns {
                        singular: "callee",
                        plural: "callees",
                        could: "in it could not be resolved",
                    },
                    Some(_) => AnswerNouns {
                        singular: "callee outside the file",
                        plural: "callees outside the file",
                        could: "in it could not be resolved",
                    },
                },
            )
        }
    }

    /// Returns the callers of a symbol with their call sites.
    pub(crate) fn callers_of(
        &self,
        symbol: SymbolId,
        include_unresolved: bool,
    ) -> Vec<(SymbolId, Vec<Link>)> {
        let mut links = Links::default();
        let is_included = |link: &Link| include_unresolved || link.resolution != Resolution::Name;
        for &(caller, link) in self.calls_of(symbol).iter() {
            if is_included(&link) {
                links.add(caller, link);
            }
        }
        for &(caller, link) in self.indirect_calls(symbol).iter() {
            if is_included(&link) {
                links.add(caller, link);
            }
        }
        if include_unresolved {
            for (caller, file, site) in self.unresolved_calls_by_name(symbol, true) {
                links.add(caller, Link::of_unresolved(file, &site));
            }
        }
        links.finish()
    }

    /// Returns the callees of a symbol with their call sites.
    pub(crate) fn callees_of(
        &self,
        symbol: SymbolId,
        include_unresolved: bool,
    ) -> Vec<(SymbolId, Vec<Link>)> {
        let mut links = Links::default();
        let is_included = |link: &Link| include_unresolved || link.resolution != Resolution::Name;
        for file in self.files_of_body(symbol) {
            for (_, callee, one) in self.calls_in(file).of(symbol) {
                let link = Link::of_use(file, one);
                if !is_included(&link) {
                    continue;
                }
                links.add(*callee, link);
                self.may_run(*callee, link, |run, link| {
                    if is_included(&link) {
                        links.add(run, link);
                    }
                });
            }
            if let Some(language) = self.languages.of(file.lang(self.db)) {
                let uses = language.uses(self.db, file);
                let own = |caller| caller == symbol;
                self.value_calls(file, &uses, own, |_, target, link| links.add(target, link));
            }
            if include_unresolved {
                self.callees_by_name(&mut links, file, symbol);
            }
        }
        links.finish()
    }

    /// Adds the functions and methods that unresolved calls could mean by name and arity.
    fn callees_by_name(&self, links: &mut Links, file: codeweft_db::File, symbol: SymbolId) {
        let Some(language) = self.languages.of(file.lang(self.db)) else {
            return;
        };
        let uses = language.uses(self.db, file);
        let units = self.units.of_lang(self.db, language.lang());
        for site in &uses.unresolved {
            if uses.bodies.get(site.body as usize) != Some(&symbol) {
                continue;
            }
            let link = Link::of_unresolved(file, site);
            for &unit in units.iter() {
                let symbols = self.symbols(unit);
                for row in symbols.named(site.name) {
                    let candidate = symbols.rows[row as usize].symbol;
                    if language.could_call(self.db, site, candidate) {
                        links.add(candidate, link);
                    }
                }
            }
        }
    }
}

/// Keeps the sites that `fits` accepts, and the neighbours with at least one.
pub(super) fn retain_sites(found: &mut Vec<(SymbolId, Vec<Link>)>, fits: impl Fn(&Link) -> bool) {
    for (_, links) in found.iter_mut() {
        links.retain(&fits);
    }
    found.retain(|(_, links)| !links.is_empty());
}
