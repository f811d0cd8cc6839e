//! What answers about each node may lack: the unresolved sites that the live operations count, as sets that
//! nodes share.
//!
//! ```text
//! OpenSite  7  a.go:12:5 function_value
//! set       3  [7, 9]
//! OpenNode     node 4, Callers, set 3      callers of node 4: sites 7 and 9 could call it
//! ```

use std::cell::RefCell;
use std::sync::Arc;

use codeweft_db::{File, NodeKind, Origin, OutsideCaller, Reason, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::answer::Operation;
use crate::call_graph;
use crate::completeness;
use crate::completeness::unresolved_sites::{SiteLocation, UnresolvedSites};
use crate::operations;
use crate::query_context::QueryContext;
use crate::symbols;
use crate::targets;

/// What sites could add to a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum OpenKind {
    /// Its callers.
    Callers,
    /// The same, and callers of the function literals that are made inside it.
    CallersOfLiterals,
    /// Its callees: calls in its bodies that are not resolved.
    Callees,
    /// Its callees: operations in its bodies that may be calls.
    PossibleCallees,
    /// Its uses.
    Users,
    /// Its implementations.
    Implementers,
    /// What it implements.
    Supertypes,
    /// The packages that import it.
    Importers,
    /// The packages that it imports.
    Imports,
    /// None: code of libraries uses it, and uses in libraries are no edges of an export.
    UsedByLibraries,
    /// None: something calls it without a site, which answers say in words.
    Outside(OutsideCaller),
}

impl OpenKind {
    /// All of them, in order.
    pub const ALL: [OpenKind; 13] = [
        OpenKind::Callers,
        OpenKind::CallersOfLiterals,
        OpenKind::Callees,
        OpenKind::PossibleCallees,
        OpenKind::Users,
        OpenKind::Implementers,
        OpenKind::Supertypes,
        OpenKind::Importers,
        OpenKind::Imports,
        OpenKind::UsedByLibraries,
        OpenKind::Outside(OutsideCaller::TestRunner),
        OpenKind::Outside(OutsideCaller::EntryPoint),
        OpenKind::Outside(OutsideCaller::Framework),
    ];
}

/// A site that could add to an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenSite {
    /// The path of its file.
    pub file: Arc<str>,
    /// 1-based; 0, as `column`, without a position.
    pub line: u32,
    /// 1-based, in bytes.
    pub column: u32,
    /// Why it is not resolved, by its name on the wire.
    pub reason: &'static str,
    /// Whether `include_unresolved` of a request lists it among the results.
    pub is_listable: bool,
    /// The number of other sites at the position before this one: answers count them apart.
    pub number_there: u8,
    /// Whether its file belongs to a library.
    pub in_library: bool,
}

/// A node to which sites could add.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenNode {
    /// The index of the node in its package.
    pub node: u32,
    /// What they could add.
    pub kind: OpenKind,
    /// The number of the set of sites.
    pub set: u32,
}

/// What answers about the nodes of a package may lack.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpenNodes {
    /// The nodes, by index and kind.
    pub nodes: Vec<OpenNode>,
    /// Sites that no package before has, numbered on from theirs.
    pub new_sites: Vec<OpenSite>,
    /// Sets of numbers of sites that no package before has, numbered on from theirs.
    pub new_sets: Vec<Arc<[u32]>>,
}

/// The sites and sets of the packages so far.
#[derive(Default)]
pub(super) struct OpenSets {
    sites: RefCell<FxHashMap<(File, SiteLocation, Reason, bool), u32>>,
    sets: RefCell<FxHashMap<Arc<[u32]>, u32>>,
    /// The sites of each position.
    at_position: RefCell<FxHashMap<(File, u32, u32), Vec<SiteLocation>>>,
}

impl OpenSets {
    /// Returns what answers about symbols may lack, which are the nodes of a package in their order.
    pub(super) fn of(&self, query: &QueryContext<'_>, symbols: &[SymbolId]) -> OpenNodes {
        let mut found = OpenNodes::default();
        for (&symbol, node) in symbols.iter().zip(0..) {
            query.poll_cancellation();
            each_kind(query, symbol, &mut |kind, sites| {
                let is_said = matches!(kind, OpenKind::UsedByLibraries | OpenKind::Outside(_));
                if sites.count() > 0 || is_said {
                    let set = self.set(query, &mut found, &sites);
                    found.nodes.push(OpenNode { node, kind, set });
                }
            });
        }
        found
    }

    fn set(&self, query: &QueryContext<'_>, found: &mut OpenNodes, sites: &UnresolvedSites) -> u32 {
        let mut known = self.sites.borrow_mut();
        let mut numbers: Vec<u32> = Vec::with_capacity(sites.count() as usize);
        for (file, location, reason, is_listable) in sites.details() {
            let next = known.len() as u32;
            let number = known.entry((file, location, reason, is_listable));
            numbers.push(*number.or_insert_with(|| {
                let (line, column) = completeness::line_column(query, file, location);
                let mut at_position = self.at_position.borrow_mut();
                let at_position = at_position.entry((file, line, column)).or_default();
                let known = at_position.iter().position(|&known| known == location);
                let number_there = known.unwrap_or_else(|| {
                    at_position.push(location);
                    at_position.len() - 1
                });
                found.new_sites.push(OpenSite {
                    number_there: number_there as u8,
                    file: file.path(query.db).clone(),
                    line,
                    column,
                    reason: reason.wire_name(),
                    is_listable,
                    in_library: file.origin(query.db) == Origin::Library,
                });
                next
            }));
        }
        numbers.sort_unstable();
        let mut sets = self.sets.borrow_mut();
        let next = sets.len() as u32;
        let set = sets.entry(numbers.into());
        *set.or_insert_with_key(|sites| {
            found.new_sets.push(sites.clone());
            next
        })
    }
}

/// Returns whether code of libraries uses a symbol of the workspace.
fn is_used_by_libraries(query: &QueryContext<'_>, symbol: SymbolId) -> bool {
    let outside = |one: &SymbolId| symbols::is_external(query, *one);
    let has_libraries = || {
        let mut units = query.units.all.iter();
        units.any(|&unit| symbols::is_library(query, unit))
    };
    if outside(&symbol) || !has_libraries() {
        return false;
    }
    let listed = operations::IncludedCalls {
        unresolved: false,
        of_literals: true,
    };
    let mut callers = operations::callers_of(query, symbol, listed).into_iter();
    callers.any(|(caller, _)| outside(&caller))
        || call_graph::uses_of(query, symbol, |_| true)
            .iter()
            .any(|(around, ..)| outside(around))
}

/// Passes what could add to answers about a symbol to `visit`, as the operations count it.
fn each_kind(
    query: &QueryContext<'_>,
    symbol: SymbolId,
    visit: &mut dyn FnMut(OpenKind, UnresolvedSites),
) {
    let takes = |operation: Operation| targets::takes(query, &operation.target_rules(), symbol);
    let is_package = query.kind(symbol) == NodeKind::Package;
    if takes(Operation::Callers) {
        if !is_package {
            for (kind, literals) in [
                (OpenKind::Callers, false),
                (OpenKind::CallersOfLiterals, true),
            ] {
                let sites = completeness::unresolved_callers(query, &[symbol], literals);
                visit(kind, sites);
            }
        }
        let own: FxHashSet<SymbolId> = FxHashSet::from_iter([symbol]);
        visit(
            OpenKind::Callees,
            completeness::unresolved_callees(query, &own),
        );
        visit(
            OpenKind::PossibleCallees,
            completeness::possible_callees(query, &own),
        );
    }
    if is_used_by_libraries(query, symbol) {
        visit(OpenKind::UsedByLibraries, UnresolvedSites::default());
    }
    for caller in completeness::outside_callers(query, symbol) {
        visit(OpenKind::Outside(caller), UnresolvedSites::default());
    }
    if !is_package {
        visit(
            OpenKind::Users,
            completeness::possible_users(query, &[symbol]),
        );
    }
    if takes(Operation::Implementations) {
        visit(
            OpenKind::Implementers,
            operations::possible_implementers(query, symbol),
        );
    }
    if takes(Operation::Implements) {
        visit(
            OpenKind::Supertypes,
            operations::possible_supertypes(query, symbol),
        );
    }
    if is_package {
        visit(
            OpenKind::Importers,
            completeness::possible_importers(query, &[symbol]),
        );
        visit(
            OpenKind::Imports,
            completeness::possible_imports(query, &[symbol], None),
        );
    }
}
