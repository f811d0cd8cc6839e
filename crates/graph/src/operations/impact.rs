//! The operation `impact`: the nodes that a change reaches, and how severe it is there
//! (docs/graph.md §3).
//!
//! The first level depends on the target's kind and on the change; deeper levels are callers of
//! callers and of implementations. For a changed signature of `io.Writer.Write`:
//!
//! ```text
//! File.Write       implementation       must_update    (depth 1)
//! Fprint           direct_caller        must_update    (depth 1)
//! main             transitive_caller    review_needed  (depth 2)
//! ```

use std::cell::RefCell;

use codeweft_db::{NodeKind, Resolution, Role, SymbolId, Use};
use rustc_hash::{FxHashMap, FxHashSet};

use super::caller_walk;
use super::caller_walk::{CallerWalk, LISTED};
use super::calls;
use super::calls::IncludedCalls;
use super::imports;
use super::literal_calls::LiteralCalls;
use super::result::{MAX_COMPLETENESS_NODES, OperationResult};
use super::traversal;
use super::types;
use super::uses::is_type_usage;
use crate::answer::{ChangeType, GraphRequest, ImpactType, Severity};
use crate::call_graph;
use crate::completeness;
use crate::completeness::unresolved_sites::UnresolvedSites;
use crate::link::Link;
use crate::operations::traversal::TraversalOptions;
use crate::query_context::QueryContext;
use crate::rendering::filtering::ResultRow;
use crate::symbols;
use crate::targets::resolved::Target;
use crate::targets_of_sites::TargetsOfSites;
use crate::type_graph;

/// The steps that reach a node: how severe the change is there, and how it reaches it.
type ImpactTypes = FxHashSet<Impact>;

/// How severe a change is at a node, and how it reaches it.
pub type Impact = (Severity, ImpactType);

/// A node that the traversal does not continue from.
#[derive(Default)]
struct Leaf {
    impact_types: ImpactTypes,
    links: Vec<Link>,
}

/// Finds what a change of the target reaches.
pub(super) fn impact(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    target: &Target,
) -> OperationResult {
    let change_of = |symbol| target.change_of(symbol, request.change_type);
    let starts: FxHashSet<SymbolId> = target.symbols.iter().copied().collect();
    let impact_types: RefCell<FxHashMap<SymbolId, ImpactTypes>> = RefCell::default();
    let targets_of_sites = RefCell::new(TargetsOfSites::among(&target.symbols));
    let first = |symbol: SymbolId| {
        let change = change_of(symbol);
        let mut first = first_level(query, request, (symbol, change));
        if let Some(file) = target.file {
            first.retain_mut(|(impact_type, by, links)| {
                links.retain(|link| link.file != file);
                match impact_type {
                    ImpactType::Implementation => query.file(*by) != Some(file),
                    _ => !links.is_empty(),
                }
            });
        }
        let mut impact_types = impact_types.borrow_mut();
        let first = first.into_iter();
        let first = first
            .map(|(impact_type, neighbour, links)| {
                impact_types
                    .entry(neighbour)
                    .or_default()
                    .insert((severity(change, impact_type), impact_type));
                (neighbour, links)
            })
            .collect::<Vec<_>>();
        targets_of_sites.borrow_mut().record(symbol, &first);
        first
    };
    let included = IncludedCalls::of(request);
    let walked = (included == LISTED)
        .then(|| {
            let bounds = (request.depth, traversal::max_nodes(query));
            let literal_calls = RefCell::new(LiteralCalls::hiding(false));
            caller_walk::walk(query, &target.symbols, bounds, &first, &literal_calls)
        })
        .flatten();
    let (traversal, caller_walk) = walked.unwrap_or_else(|| {
        let options = TraversalOptions {
            depth: request.depth,
            backward: true,
            max_nodes: traversal::max_nodes(query),
            prepare: &|_| {},
            step: &|symbol| {
                if starts.contains(&symbol) {
                    return first(symbol);
                }
                calls::callers_of(query, symbol, included)
            },
        };
        let traversal = traversal::traverse(query, &target.symbols, &options);
        (traversal, CallerWalk::default())
    });
    let mut leaves: FxHashMap<SymbolId, Leaf> = FxHashMap::default();
    let mut targets_of_sites = targets_of_sites.into_inner();
    for &symbol in &target.symbols {
        let changed = (symbol, change_of(symbol));
        add_leaves(query, request, changed, &mut leaves, &mut targets_of_sites);
    }
    if let Some(file) = target.file {
        leaves.retain(|_, leaf| {
            leaf.links.retain(|link| link.file != file);
            !leaf.links.is_empty()
        });
    }
    let mut expanded = traversal.expanded(&target.symbols, request.depth);
    let partial = expanded.len() > MAX_COMPLETENESS_NODES;
    expanded.truncate(MAX_COMPLETENESS_NODES);
    let unresolved = unresolved_impact(query, &expanded, target);
    let mut found = OperationResult::from_traversal(traversal, unresolved);
    found.caller_walk = caller_walk;
    found.partial = partial.then_some(MAX_COMPLETENESS_NODES as u32);
    found.targets_of_sites = targets_of_sites;
    add_impact(query, &mut found.rows, &impact_types.into_inner(), leaves);
    found
}

/// Writes in each row how severe the change is there, and adds the leaves: rows of the first level,
/// whatever the level at which callers reach them. Rows stay by depth, then language and id.
fn add_impact(
    query: &QueryContext<'_>,
    rows: &mut Vec<ResultRow>,
    impact_types: &FxHashMap<SymbolId, ImpactTypes>,
    mut leaves: FxHashMap<SymbolId, Leaf>,
) {
    let deeper = rows.partition_point(|row| row.depth <= Some(1));
    let mut first_level: Vec<ResultRow> = rows.drain(..deeper).collect();
    for row in &mut first_level {
        let mut impact_types = impact_types.get(&row.symbol).cloned().unwrap_or_default();
        if let Some(leaf) = leaves.remove(&row.symbol) {
            row.links.extend(leaf.links);
            impact_types.extend(leaf.impact_types);
        }
        row.impact = strongest(&impact_types);
    }
    if !leaves.is_empty() {
        rows.retain(|row| !leaves.contains_key(&row.symbol));
    }
    for row in rows.iter_mut() {
        row.impact = Some((ImpactType::TransitiveCaller, Severity::ReviewNeeded));
    }
    first_level.extend(leaves.into_iter().map(|(symbol, leaf)| ResultRow {
        depth: Some(1),
        impact: strongest(&leaf.impact_types),
        links: leaf.links,
        ..ResultRow::plain(symbol)
    }));
    for row in &mut first_level {
        row.links = traversal::distinct(query, std::mem::take(&mut row.links));
    }
    first_level.sort_by_cached_key(|row| (query.lang(row.symbol), symbols::id(query, row.symbol)));
    rows.splice(..0, first_level);
}

/// Returns the callers and implementations that a change of a symbol reaches in one step.
fn first_level(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    (symbol, change): (SymbolId, ChangeType),
) -> Vec<(ImpactType, SymbolId, Vec<Link>)> {
    let kind = query.kind(symbol);
    let mut called = Vec::new();
    let mut implemented = Vec::new();
    match kind {
        NodeKind::Function | NodeKind::Package => called.push(symbol),
        NodeKind::Method => {
            called.push(symbol);
            implemented = types::implementers(query, symbol);
        }
        NodeKind::Interface | NodeKind::Struct | NodeKind::Class | NodeKind::Type => {
            if symbols::is_class(query, symbol) {
                called.push(symbol);
            }
            if change != ChangeType::Signature {
                called.extend(symbols::methods_of(query, symbol));
            }
            if kind == NodeKind::Interface || symbols::is_of_class(query, symbol) {
                implemented = types::implementers(query, symbol);
            }
        }
        NodeKind::Field | NodeKind::Constant | NodeKind::Variable => {}
    }
    let mut found = Vec::new();
    for symbol in called {
        let callers = calls::callers_of(query, symbol, IncludedCalls::of(request));
        let callers = callers.into_iter();
        found.extend(callers.map(|(by, links)| (ImpactType::DirectCaller, by, links)));
    }
    let implemented = implemented.into_iter();
    found.extend(implemented.map(|row| (ImpactType::Implementation, row.symbol, Vec::new())));
    found
}

/// Adds the uses that are not calls, and conversions that become invalid.
fn add_leaves(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    (symbol, change): (SymbolId, ChangeType),
    leaves: &mut FxHashMap<SymbolId, Leaf>,
    targets_of_sites: &mut TargetsOfSites,
) {
    let kind = query.kind(symbol);
    let removed = change == ChangeType::Removal;
    let is_value = matches!(
        kind,
        NodeKind::Field | NodeKind::Constant | NodeKind::Variable
    );
    let is_type = kind.is_type();
    let impact_type = |one: &Use| match one.role {
        _ if is_value => Some(ImpactType::Reference),
        role if role.is_call() => None,
        role if is_type && is_type_usage(role) => Some(ImpactType::TypeUsage),
        Role::Value if change != ChangeType::Behavior => Some(ImpactType::Reference),
        _ if removed => Some(ImpactType::Reference),
        _ => None,
    };
    let mut add = |enclosing: SymbolId, impact_type: ImpactType, link: Link| {
        let leaf = leaves.entry(enclosing).or_default();
        let impact = (severity(change, impact_type), impact_type);
        leaf.impact_types.insert(impact);
        leaf.links.push(link);
        targets_of_sites.record_link(symbol, enclosing, &link);
    };
    for (enclosing, one, file) in
        call_graph::uses_of(query, symbol, |one| impact_type(one).is_some())
    {
        let is_included = request.include_unresolved || one.resolution != Resolution::Name;
        if let Some(impact_type) = impact_type(&one)
            && is_included
        {
            add(enclosing, impact_type, Link::of_use(file, &one));
        }
    }
    if kind == NodeKind::Package {
        for (importer, link) in imports::importers_of_package(query, symbol) {
            add(importer, ImpactType::Reference, link);
        }
    }
    for (enclosing, link) in lost_conversions(query, change, symbol, kind) {
        add(enclosing, ImpactType::LostImplementation, link);
    }
}

/// Returns the conversions to an interface that become invalid. The signature of a type's
/// method decides every pair of type and interface it takes part in; removing a method from an
/// interface breaks none.
fn lost_conversions(
    query: &QueryContext<'_>,
    change: ChangeType,
    symbol: SymbolId,
    kind: NodeKind,
) -> Vec<(SymbolId, Link)> {
    match (kind, change) {
        (_, ChangeType::Behavior) => Vec::new(),
        (NodeKind::Method, ChangeType::Removal) if symbols::is_interface_method(query, symbol) => {
            Vec::new()
        }
        (NodeKind::Method, _) => {
            let pairs = type_graph::pairs_through(query, symbol);
            if pairs.is_empty() {
                return Vec::new();
            }
            type_graph::conversions(query, symbol, |pair| pairs.contains(&pair))
        }
        (
            NodeKind::Interface | NodeKind::Struct | NodeKind::Type | NodeKind::Class,
            ChangeType::Removal,
        ) => type_graph::conversions(query, symbol, |(ty, interface)| {
            ty == symbol || interface == symbol
        }),
        _ => Vec::new(),
    }
}

/// Returns the unresolved sites of an impact: callers of expanded nodes and uses of the target.
fn unresolved_impact(
    query: &QueryContext<'_>,
    expanded: &[SymbolId],
    target: &Target,
) -> UnresolvedSites {
    let callable = |symbol: &SymbolId| {
        matches!(query.kind(*symbol), NodeKind::Function | NodeKind::Method)
            || symbols::is_class(query, *symbol)
    };
    let (called, used): (Vec<SymbolId>, Vec<SymbolId>) =
        expanded.iter().copied().partition(callable);
    let mut unresolved = completeness::unresolved_callers(query, &called, true);
    let used: Vec<SymbolId> = used
        .into_iter()
        .filter(|symbol| target.symbols.contains(symbol))
        .collect();
    unresolved.extend(completeness::possible_users(query, &used).without_listable());
    for &symbol in &target.symbols {
        unresolved.extend(types::possible_implementers(query, symbol));
    }
    unresolved
}

/// Returns the severity of a change for a node reached this way.
pub fn severity(change: ChangeType, impact_type: ImpactType) -> Severity {
    let may_stay = matches!(
        (change, impact_type),
        (ChangeType::Behavior, _)
            | (_, ImpactType::TransitiveCaller)
            | (ChangeType::Signature, ImpactType::TypeUsage)
    );
    if may_stay {
        Severity::ReviewNeeded
    } else {
        Severity::MustUpdate
    }
}

/// Returns the most severe of several ways, then the first in the order of the specification.
pub fn strongest<'a>(
    impacts: impl IntoIterator<Item = &'a Impact>,
) -> Option<(ImpactType, Severity)> {
    let strongest = impacts.into_iter().min();
    strongest.map(|&(severity, impact_type)| (impact_type, severity))
}
