//! The targets of calls beyond the named callee, and the inverse.
//!
//! Value flow decides in languages that have it (Go), the class hierarchy elsewhere. The two
//! directions must agree: `callers` lists a call of `f` if and only if `callees` lists `f` at that
//! call.
//!
//! ```text
//! exact       the named callee
//! dispatch    a method that may run where an interface's or base's method is named
//! value       a function that a called value holds
//! name        not all values are known: whatever fits by name
//! ```

use std::sync::Arc;

use codeweft_db::{File, FileUses, FlowSite, Lang, Reason, Resolution, SymbolClass, SymbolId};

use rustc_hash::FxHashMap;

use super::memo::{CallSites, MethodSites, package_in};
use super::super_calls;
use super::uses;
use crate::flow;
use crate::flow::{Dispatch, FlowCallSite, FlowNodeId, FlowQueries};
use crate::link::{InexactReason, Link, SiteKey};
use crate::query_context::QueryContext;
use crate::symbols;
use crate::type_graph;

/// Visits the methods that may run where `callee` is called, with the link of each: by
/// `dispatch`, and if not all values are known the rest of the class hierarchy by `name`.
pub(crate) fn may_run(
    query: &QueryContext<'_>,
    callee: SymbolId,
    link: Link,
    mut visit: impl FnMut(SymbolId, Link),
) {
    let class = query.key(callee).class;
    if class == SymbolClass::Type && !link.direct {
        for made in super_calls::constructed_subclasses(query, callee) {
            visit(made, link.dispatched());
        }
    }
    if class != SymbolClass::Method {
        return;
    }
    if link.direct {
        for run in super_calls::super_call_targets(query, callee, &link) {
            visit(run, link.dispatched());
        }
        return;
    }
    let Some((flow_queries, site)) = flow_site(query, callee, &link) else {
        for &run in type_graph::dispatch_targets(query, callee).iter() {
            visit(run, link.dispatched());
        }
        return;
    };
    let found = flow_queries.targets(&site);
    for &target in found.targets.iter().filter(|&&target| target != callee) {
        visit(target, link.with_flow_target(Resolution::Dispatch, target));
    }
    if let Some(reason) = found.unknown {
        for &run in type_graph::dispatch_targets(query, callee).iter() {
            if found.targets.binary_search(&run).is_err() {
                visit(run, link.with_unknown_targets(reason));
            }
        }
    }
}

/// Returns whether value flow decides what the call runs.
pub(crate) fn has_flow_site(query: &QueryContext<'_>, callee: SymbolId, link: &Link) -> bool {
    flow_site(query, callee, link).is_some()
}

/// Returns the flow site of a call of an interface's method, if value flow decides what it
/// runs.
fn flow_site<'q>(
    query: &'q QueryContext<'_>,
    callee: SymbolId,
    link: &Link,
) -> Option<(FlowQueries<'q>, FlowCallSite)> {
    let SiteKey::Use { body, occ } = link.key else {
        return None;
    };
    if !symbols::is_interface_method(query, callee) {
        return None;
    }
    let flow_queries = flow::dispatching_queries_of(query, callee)?;
    let site = flow_queries.site(link.file, body, occ)?;
    (site.method == Some(callee)).then_some((flow_queries, site))
}

/// Returns the calls that may run a symbol although they name another one or none, each with
/// its caller: by `dispatch`, `value`, and by `name` if not all values are known.
pub(crate) fn indirect_calls(query: &QueryContext<'_>, symbol: SymbolId) -> Arc<CallSites> {
    let known = &query.caches.indirect_calls;
    known.get_or(symbol, || find_indirect(query, symbol).into())
}

/// Follows the values that carry any of some functions, many at a time, so that [`indirect_calls`] of
/// each finds them followed.
pub(crate) fn prepare_indirect(query: &QueryContext<'_>, symbols: &[SymbolId]) {
    let mut of_langs: FxHashMap<Lang, Vec<SymbolId>> = FxHashMap::default();
    for &symbol in symbols {
        if let Some(lang) = query.lang(symbol) {
            of_langs.entry(lang).or_default().push(symbol);
        }
    }
    for (lang, symbols) in of_langs {
        if let Some(flow_queries) = flow::queries(query, lang) {
            flow_queries.follow_functions(&symbols);
        }
    }
}

fn find_indirect(query: &QueryContext<'_>, symbol: SymbolId) -> Vec<(SymbolId, Link)> {
    if flow::is_only_named(query, symbol) {
        return Vec::new();
    }
    let mut found = super_calls::super_calls_running(query, symbol);
    found.extend(super_calls::constructor_calls_through_bases(query, symbol));
    let flow_queries = flow::dispatching_queries_of(query, symbol);
    let dispatched_from = type_graph::dispatched_from(query, symbol);
    for &source in dispatched_from.iter() {
        let sites = method_sites(query, flow_queries.as_ref(), source);
        let by_rows = sites.by_rows.iter();
        found.extend(by_rows.map(|&(caller, link)| (caller, link.dispatched())));
        let Some(flow_queries) = flow_queries.as_ref().filter(|_| !sites.by_node.is_empty()) else {
            continue;
        };
        let nodes = sites.by_node.iter().map(|(node, _)| *node);
        let runs = flow_queries.dispatch(source, nodes, symbol);
        for ((_, calls), runs) in sites.by_node.iter().zip(runs) {
            let link = |link: Link| match runs {
                Dispatch::Runs => Some(link.with_flow_target(Resolution::Dispatch, symbol)),
                Dispatch::Unknown(reason) => Some(link.with_unknown_targets(reason)),
                Dispatch::Excluded => None,
            };
            let calls = calls.iter();
            found.extend(calls.filter_map(|&(caller, of)| Some((caller, link(of)?))));
        }
    }
    let Some(flow_queries) = flow::queries_of(query, symbol) else {
        return found;
    };
    for (file, site, of_literal) in flow_queries.calls_by_value(symbol) {
        if let Some(caller) = caller_at(query, file, site.body) {
            let link = link_of_site(file, &site);
            let link = link.with_flow_target(resolution_at(&site), symbol);
            found.push((caller, Link { of_literal, ..link }));
        }
    }
    found
}

/// Returns the calls of a method that may run others, by the node of the flow graph that decides what
/// runs: hundreds of methods may run at thousands of sites.
fn method_sites(
    query: &QueryContext<'_>,
    flow_queries: Option<&FlowQueries<'_>>,
    method: SymbolId,
) -> Arc<MethodSites> {
    let known = &query.cache.calls.method_sites;
    known.get_or(method, || {
        let mut sites = MethodSites::default();
        let mut numbers: FxHashMap<Option<FlowNodeId>, usize> = FxHashMap::default();
        for &(caller, link) in uses::calls_of(query, method).iter() {
            query.poll_cancellation();
            if link.direct {
                continue;
            }
            let site = flow_queries.and_then(|flow_queries| {
                let SiteKey::Use { body, occ } = link.key else {
                    return None;
                };
                let site = flow_queries.site(link.file, body, occ)?;
                (site.method == Some(method)).then_some(site)
            });
            let Some(site) = site else {
                sites.by_rows.push((caller, link));
                continue;
            };
            let number = *numbers.entry(site.node).or_insert_with(|| {
                sites.by_node.push((site.node, Vec::new()));
                sites.by_node.len() - 1
            });
            if let Some((_, calls)) = sites.by_node.get_mut(number) {
                calls.push((caller, link));
            }
        }
        Arc::new(sites)
    })
}

/// Visits the calls of function values in a file whose callers `keep` accepts, with each
/// target.
pub(crate) fn value_calls(
    query: &QueryContext<'_>,
    file: File,
    uses: &FileUses,
    keep: impl Fn(SymbolId) -> bool,
    mut visit: impl FnMut(SymbolId, SymbolId, Link),
) {
    let lang = file.lang(query.db);
    let Some(language) = query.languages.of(lang) else {
        return;
    };
    // What the values of a whole workspace carry to a call is no part of the uses of its file.
    let is_dynamic = language.is_dynamically_typed();
    if !is_dynamic && uses.flows.iter().all(|flows| flows.sites.is_empty()) {
        return;
    }
    let Some(flow_queries) = flow::queries(query, lang) else {
        return;
    };
    let sites: Vec<FlowSite> = if is_dynamic {
        flow::sites_in(&flow_queries, file)
    } else {
        let parts = uses.flows.iter();
        parts
            .flat_map(|flows| flows.sites.iter().copied())
            .collect()
    };
    for site in sites.iter().filter(|site| site.method.is_none()) {
        let of_body = uses.bodies.get(site.body as usize).copied();
        let caller = of_body.or_else(|| caller_at(query, file, site.body));
        let Some(caller) = caller.filter(|&caller| keep(caller)) else {
            continue;
        };
        let Some(found) = flow_queries.site(file, site.body, site.occ) else {
            continue;
        };
        let link = link_of_site(file, site);
        let found = flow_queries.targets(&found);
        let targets = found.targets.into_iter().map(|target| (target, false));
        let owners = found.literal_owners.into_iter().map(|owner| (owner, true));
        for (target, of_literal) in targets.chain(owners) {
            let link = link.with_flow_target(resolution_at(site), target);
            visit(caller, target, Link { of_literal, ..link });
        }
    }
}

/// Returns why a call of a function value may run unknown targets; `None` if it cannot, `first`
/// if the language has no value flow, or one that says only what runs.
pub(crate) fn unresolved_value_call(
    query: &QueryContext<'_>,
    file: File,
    body: u32,
    occ: u32,
    first: Reason,
) -> Option<Reason> {
    let lang = file.lang(query.db);
    let language = query.languages.of(lang);
    if language.is_some_and(|language| language.is_dynamically_typed()) {
        return Some(first);
    }
    let flow_queries = flow::queries(query, lang);
    let site = flow_queries
        .as_ref()
        .and_then(|flow_queries| flow_queries.site(file, body, occ));
    match flow_queries.zip(site) {
        Some((flow_queries, site)) if site.method.is_none() => flow_queries.unknown(&site),
        _ => Some(first),
    }
}

/// Returns why a call of an interface's method may run unknown targets.
pub(crate) fn unresolved_dispatch(
    query: &QueryContext<'_>,
    callee: SymbolId,
    link: &Link,
) -> Option<Reason> {
    let (flow_queries, site) = flow_site(query, callee, link)?;
    flow_queries.unknown(&site)
}

/// Returns the chain of values that leads to a link, if a value does.
pub(crate) fn chain(query: &QueryContext<'_>, link: &Link) -> Option<String> {
    let (Some(InexactReason::Flow(target)), SiteKey::Use { body, occ }) = (link.reason, link.key)
    else {
        return None;
    };
    let flow_queries = flow::queries(query, link.file.lang(query.db))?;
    let site = flow_queries.site(link.file, body, occ)?;
    flow_queries.reason(&site, target)
}

/// Returns the caller of a call in a body: the enclosing function, else the package.
fn caller_at(query: &QueryContext<'_>, file: File, body: u32) -> Option<SymbolId> {
    let language = query.languages.of(file.lang(query.db))?;
    let uses = language.uses(query.db, file);
    if let Some(&caller) = uses.bodies.get(body as usize) {
        return Some(caller);
    }
    let unit = query.owner(file)?;
    Some(package_in(language, query.db, unit, file))
}

/// Returns how a call through a flow node is resolved to what a value runs there.
fn resolution_at(site: &FlowSite) -> Resolution {
    if site.is_exact {
        Resolution::Exact
    } else {
        Resolution::Value
    }
}

/// Creates the link of a call through a flow node.
fn link_of_site(file: File, site: &FlowSite) -> Link {
    let key = SiteKey::Use {
        body: site.body,
        occ: site.occ,
    };
    Link {
        in_literal: site.in_literal,
        ..Link::plain(file, key)
    }
}

impl Link {
    /// Returns the same use as a call of a target that a value carries there.
    fn with_flow_target(self, resolution: Resolution, target: SymbolId) -> Link {
        Link {
            resolution: self.resolution.max(resolution),
            reason: Some(InexactReason::Flow(target)),
            ..self
        }
    }

    /// Returns the same use as a call that may run anything of its name.
    fn with_unknown_targets(self, reason: Reason) -> Link {
        Link {
            resolution: Resolution::Name,
            reason: Some(InexactReason::Unresolved(reason)),
            ..self
        }
    }
}
