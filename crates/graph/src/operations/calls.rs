//! The operations `callers` and `callees`.

use std::cell::RefCell;

use codeweft_db::{Resolution, SymbolId};
use rustc_hash::FxHashSet;

use super::caller_walk;
use super::caller_walk::{CallerWalk, LISTED};
use super::literal_calls::LiteralCalls;
use super::result::{MAX_COMPLETENESS_NODES, OperationResult};
use super::traversal;
use crate::answer::GraphRequest;
use crate::call_graph;
use crate::completeness;
use crate::link::{Link, Links};
use crate::operations::traversal::TraversalOptions;
use crate::query_context::QueryContext;
use crate::symbols;
use crate::targets::resolved::Target;
use crate::targets_of_sites::TargetsOfSites;

/// Finds the callers of the target: calls that name it, and calls of an interface's or base's
/// method that may run it.
pub(super) fn callers(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    target: &Target,
) -> OperationResult {
    let starts: FxHashSet<SymbolId> = target.symbols.iter().copied().collect();
    let targets_of_sites = RefCell::new(TargetsOfSites::among(&target.symbols));
    let literal_calls = RefCell::new(LiteralCalls::of(request));
    let included = IncludedCalls::of(request);
    let step = |symbol: SymbolId| {
        let mut found = callers_of(query, symbol, included);
        if let Some(file) = target.file
            && starts.contains(&symbol)
        {
            retain_sites(&mut found, |link| link.file != file);
        }
        literal_calls.borrow_mut().hide(&mut found);
        if starts.contains(&symbol) {
            targets_of_sites.borrow_mut().record(symbol, &found);
        }
        found
    };
    let max_nodes = traversal::max_nodes(query);
    let walked = (included == LISTED && request.depth > 1)
        .then(|| {
            let bounds = (request.depth, max_nodes);
            caller_walk::walk(query, &target.symbols, bounds, &step, &literal_calls)
        })
        .flatten();
    let (traversal, caller_walk) = walked.unwrap_or_else(|| {
        literal_calls.replace(LiteralCalls::of(request));
        let options = TraversalOptions {
            depth: request.depth,
            backward: true,
            max_nodes,
            prepare: &|_| {},
            step: &step,
        };
        let traversal = traversal::traverse(query, &target.symbols, &options);
        (traversal, CallerWalk::default())
    });
    let mut expanded = traversal.expanded(&target.symbols, request.depth);
    let max_checked = MAX_COMPLETENESS_NODES.max(target.symbols.len());
    let partial = expanded.len() > max_checked;
    expanded.truncate(max_checked);
    let unresolved =
        completeness::unresolved_callers(query, &expanded, request.include_literal_calls);
    OperationResult {
        targets_of_sites: targets_of_sites.into_inner(),
        partial: partial.then_some(max_checked as u32),
        literal_calls: literal_calls.into_inner(),
        caller_walk,
        ..OperationResult::from_traversal(traversal, unresolved)
    }
}

/// Finds what the target calls, including what an interface call may run.
pub(super) fn callees(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    target: &Target,
) -> OperationResult {
    let starts: FxHashSet<SymbolId> = target.symbols.iter().copied().collect();
    let targets_of_sites = RefCell::new(TargetsOfSites::among(&target.symbols));
    let literal_calls = RefCell::new(LiteralCalls::of(request));
    let traversal = traversal::traverse(
        query,
        &target.symbols,
        &TraversalOptions {
            depth: request.depth,
            backward: false,
            max_nodes: traversal::max_nodes(query),
            prepare: &|symbols| call_graph::prepare_calls(query, symbols),
            step: &|symbol| {
                let mut found = callees_of(query, symbol, IncludedCalls::of(request));
                if let Some(file) = target.file
                    && starts.contains(&symbol)
                {
                    retain_sites(&mut found, |link| link.file == file);
                    found.retain(|(callee, _)| query.file(*callee) != Some(file));
                }
                literal_calls.borrow_mut().hide(&mut found);
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
    let mut unresolved = completeness::unresolved_callees(query, &expanded);
    unresolved.extend(completeness::possible_callees(query, &expanded));
    OperationResult {
        targets_of_sites: targets_of_sites.into_inner(),
        literal_calls: literal_calls.into_inner(),
        ..OperationResult::from_traversal(traversal, unresolved)
    }
}

/// Which calls are listed besides those of the symbol itself that are resolved.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct IncludedCalls {
    /// Those that fit by name and arity alone.
    pub(crate) unresolved: bool,
    /// Those of function literals made inside the callee.
    pub(crate) of_literals: bool,
}

impl IncludedCalls {
    /// Returns the calls of a request, and those of literals, to be counted where they are hidden.
    pub(super) fn of(request: &GraphRequest) -> IncludedCalls {
        IncludedCalls {
            unresolved: request.include_unresolved,
            of_literals: true,
        }
    }

    fn includes(self, link: &Link) -> bool {
        let is_resolved = link.resolution != Resolution::Name;
        (self.unresolved || is_resolved) && (self.of_literals || !link.of_literal)
    }
}

/// Returns the callers of a symbol with their call sites.
pub(crate) fn callers_of(
    query: &QueryContext<'_>,
    symbol: SymbolId,
    included: IncludedCalls,
) -> Vec<(SymbolId, Vec<Link>)> {
    let mut links = Links::default();
    let is_included = |link: &Link| included.includes(link);
    for &(caller, link) in call_graph::calls_of(query, symbol).iter() {
        if is_included(&link) {
            links.add(caller, link);
        }
    }
    for &(caller, link) in call_graph::indirect_calls(query, symbol).iter() {
        if is_included(&link) {
            links.add(caller, link);
        }
    }
    if included.unresolved {
        for (caller, file, site) in completeness::unresolved_calls_by_name(query, symbol, true) {
            links.add(caller, Link::of_unresolved(file, &site));
        }
    }
    links.finish()
}

/// Returns the callees of a symbol with their call sites.
pub(crate) fn callees_of(
    query: &QueryContext<'_>,
    symbol: SymbolId,
    included: IncludedCalls,
) -> Vec<(SymbolId, Vec<Link>)> {
    let mut links = Links::default();
    let is_included = |link: &Link| included.includes(link);
    for file in symbols::files_of_body(query, symbol) {
        for (_, callee, one) in call_graph::calls_in(query, file).of(symbol) {
            let link = Link::of_use(file, one);
            if !is_included(&link) {
                continue;
            }
            links.add(*callee, link);
            call_graph::may_run(query, *callee, link, |run, link| {
                if is_included(&link) {
                    links.add(run, link);
                }
            });
        }
        if let Some(language) = query.languages.of(file.lang(query.db)) {
            let uses = language.uses(query.db, file);
            let own = |caller| caller == symbol;
            call_graph::value_calls(query, file, &uses, own, |_, target, link| {
                if is_included(&link) {
                    links.add(target, link);
                }
            });
        }
        if included.unresolved {
            callees_by_name(query, &mut links, file, symbol);
        }
    }
    links.finish()
}

/// Adds the functions and methods that unresolved calls could mean by name and arity.
fn callees_by_name(
    query: &QueryContext<'_>,
    links: &mut Links,
    file: codeweft_db::File,
    symbol: SymbolId,
) {
    let Some(language) = query.languages.of(file.lang(query.db)) else {
        return;
    };
    let uses = language.uses(query.db, file);
    let units = query.units.of_lang(language.lang());
    for site in &uses.unresolved {
        if uses.bodies.get(site.body as usize) != Some(&symbol)
            || !language.is_open_site(query.db, file, site)
        {
            continue;
        }
        let link = Link::of_unresolved(file, site);
        for &unit in units.iter() {
            let symbols = query.symbols(unit);
            for row in symbols.named(site.name) {
                let candidate = symbols.rows[row as usize].symbol;
                if language.could_call(query.db, site, candidate)
                    && language.open_sites_of(query.db, candidate)(file, site)
                {
                    links.add(candidate, link);
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
