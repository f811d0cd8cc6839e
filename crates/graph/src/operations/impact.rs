//! `impact`: what a change reaches, and what it asks there (docs/graph.md §3).
//!
//! The first level depends on what changes and how; deeper levels are the callers of callers and
//! of implementations.

use std::cell::RefCell;

use codeweft_db::{NodeKind, Resolution, Role, SymbolId, Use};
use rustc_hash::{FxHashMap, FxHashSet};

use super::uses::is_type_usage;
use super::{MOST_ASKED, OperationResult};
use crate::answer::{ChangeType, GraphRequest, ImpactType, Severity};
use crate::completeness::UnresolvedSites;
use crate::filtering::ResultRow;
use crate::link::Link;
use crate::query_context::QueryContext;
use crate::targets::Target;
use crate::targets_of_sites::TargetsOfSites;
use crate::traversal::TraversalOptions;
use crate::verdict::AnswerNouns;

/// How a node is reached in one step.
type StepKinds = FxHashSet<ImpactType>;

/// A node that the walk does not go on from.
#[derive(Default)]
struct Leaf {
    ways: StepKinds,
    links: Vec<Link>,
}

impl QueryContext<'_> {
    /// What a change of the target reaches.
    pub(super) fn impact(&self, request: &GraphRequest, target: &Target) -> OperationResult {
        let change = request.change_type;
        let starts: FxHashSet<SymbolId> = target.symbols.iter().copied().collect();
        let ways: RefCell<FxHashMap<SymbolId, StepKinds>> = RefCell::default();
        let aims = RefCell::new(TargetsOfSites::among(&target.symbols));
        let walk = self.walk(
            &target.symbols,
            &TraversalOptions {
                depth: request.depth,
                backward: true,
                most_nodes: self.most_nodes(),
                prepare: &|_| {},
                step: &|symbol| {
                    if !starts.contains(&symbol) {
                        return self.callers_of(symbol, request.include_unresolved);
                    }
                    let mut first = self.first_level(request, symbol);
                    if let Some(file) = target.file {
                        first.retain_mut(|(way, by, links)| {
                            links.retain(|link| link.file != file);
                            match way {
                                ImpactType::Implementation => self.file(*by) != Some(file),
                                _ => !links.is_empty(),
                            }
                        });
                    }
                    let mut ways = ways.borrow_mut();
                    let first = first.into_iter();
                    let first = first
                        .map(|(way, neighbour, links)| {
                            ways.entry(neighbour).or_default().insert(way);
                            (neighbour, links)
                        })
                        .collect::<Vec<_>>();
                    aims.borrow_mut().note(symbol, &first);
                    first
                },
            },
        );
        let mut leaves: FxHashMap<SymbolId, Leaf> = FxHashMap::default();
        let mut aims = aims.into_inner();
        for &symbol in &target.symbols {
            self.leaves(request, symbol, &mut leaves, &mut aims);
        }
        if let Some(file) = target.file {
            leaves.retain(|_, leaf| {
                leaf.links.retain(|link| link.file != file);
                !leaf.links.is_empty()
            });
        }
        let mut asked = walk.expanded(&target.symbols, request.depth);
        let partial = asked.len() > MOST_ASKED;
        asked.truncate(MOST_ASKED);
        let openings = self.open_impact(&asked, target);
        let mut found = OperationResult::walk(
            walk,
            openings,
            match target.file {
                None => AnswerNouns {
                    one: "reached node",
                    many: "reached nodes",
                    could: "could belong to it",
                },
                Some(_) => AnswerNouns {
                    one: "node reached from the file",
                    many: "nodes reached from the file",
                    could: "could belong to it",
                },
            },
        );
        found.partial = partial.then_some(MOST_ASKED as u32);
        found.aims = aims;
        let ways = ways.into_inner();
        for draft in &mut found.drafts {
            let mut ways = match draft.depth {
                Some(1) => ways.get(&draft.symbol).cloned().unwrap_or_default(),
                _ => StepKinds::from_iter([ImpactType::TransitiveCaller]),
            };
            if let Some(leaf) = leaves.remove(&draft.symbol) {
                if draft.depth != Some(1) {
                    draft.depth = Some(1);
                    draft.links.clear();
                    ways.clear();
                }
                draft.links.extend(leaf.links);
                ways.extend(leaf.ways);
            }
            draft.impact = strongest(change, &ways);
        }
        let leaves = leaves.into_iter();
        found.drafts.extend(leaves.map(|(symbol, leaf)| ResultRow {
            depth: Some(1),
            impact: strongest(change, &leaf.ways),
            links: leaf.links,
            ..ResultRow::plain(symbol)
        }));
        for draft in &mut found.drafts {
            draft.links = self.distinct(std::mem::take(&mut draft.links));
        }
        found.drafts.sort_by_cached_key(|draft| {
            (draft.depth, self.lang(draft.symbol), self.id(draft.symbol))
        });
        found
    }

    /// The callers and implementations that a change of a symbol reaches.
    fn first_level(
        &self,
        request: &GraphRequest,
        symbol: SymbolId,
    ) -> Vec<(ImpactType, SymbolId, Vec<Link>)> {
        let kind = self.kind(symbol);
        let change = request.change_type;
        let mut called = Vec::new();
        let mut implemented = Vec::new();
        match kind {
            NodeKind::Function | NodeKind::Package => called.push(symbol),
            NodeKind::Method => {
                called.push(symbol);
                implemented = self.implementers(symbol);
            }
            NodeKind::Interface | NodeKind::Struct | NodeKind::Class | NodeKind::Type => {
                if self.is_class(symbol) {
                    called.push(symbol);
                }
                if change != ChangeType::Signature {
                    called.extend(self.methods_of(symbol));
                }
                if kind == NodeKind::Interface || self.classes_of(symbol).is_some() {
                    implemented = self.implementers(symbol);
                }
            }
            NodeKind::Field | NodeKind::Constant | NodeKind::Variable => {}
        }
        let mut found = Vec::new();
        for symbol in called {
            let callers = self.callers_of(symbol, request.include_unresolved);
            let callers = callers.into_iter();
            found.extend(callers.map(|(by, links)| (ImpactType::DirectCaller, by, links)));
        }
        let implemented = implemented.into_iter();
        found.extend(
            implemented.map(|draft| (ImpactType::Implementation, draft.symbol, Vec::new())),
        );
        found
    }

    /// Uses that are no calls, and conversions that no longer hold.
    fn leaves(
        &self,
        request: &GraphRequest,
        symbol: SymbolId,
        leaves: &mut FxHashMap<SymbolId, Leaf>,
        aims: &mut TargetsOfSites,
    ) {
        let kind = self.kind(symbol);
        let change = request.change_type;
        let removed = change == ChangeType::Removal;
        let is_value = matches!(
            kind,
            NodeKind::Field | NodeKind::Constant | NodeKind::Variable
        );
        let is_type = kind.is_type();
        let way = |one: &Use| match one.role {
            _ if is_value => Some(ImpactType::Reference),
            role if role.is_call() => None,
            role if is_type && is_type_usage(role) => Some(ImpactType::TypeUsage),
            Role::Value if change != ChangeType::Behavior => Some(ImpactType::Reference),
            _ if removed => Some(ImpactType::Reference),
            _ => None,
        };
        let mut add = |around: SymbolId, way: ImpactType, link: Link| {
            let leaf = leaves.entry(around).or_default();
            leaf.ways.insert(way);
            leaf.links.push(link);
            aims.note_link(symbol, around, &link);
        };
        for (around, one, file) in self.uses_of(symbol, |one| way(one).is_some()) {
            let shown = request.include_unresolved || one.resolution != Resolution::Name;
            if let Some(way) = way(&one)
                && shown
            {
                add(around, way, Link::of_use(file, &one));
            }
        }
        if kind == NodeKind::Package {
            for (importer, link) in self.importers_of_package(symbol) {
                add(importer, ImpactType::Reference, link);
            }
        }
        for (around, link) in self.lost(change, symbol, kind) {
            add(around, ImpactType::LostImplementation, link);
        }
    }

    /// The conversions to an interface that no longer hold. A method's signature decides every
    /// pair that it makes; what an interface no longer wants breaks none.
    fn lost(&self, change: ChangeType, symbol: SymbolId, kind: NodeKind) -> Vec<(SymbolId, Link)> {
        match (kind, change) {
            (_, ChangeType::Behavior) => Vec::new(),
            (NodeKind::Method, ChangeType::Removal) if self.is_interface_method(symbol) => {
                Vec::new()
            }
            (NodeKind::Method, _) => {
                let pairs = self.pairs_through(symbol);
                if pairs.is_empty() {
                    return Vec::new();
                }
                self.conversions(symbol, |pair| pairs.contains(&pair))
            }
            (
                NodeKind::Interface | NodeKind::Struct | NodeKind::Type | NodeKind::Class,
                ChangeType::Removal,
            ) => self.conversions(symbol, |(ty, interface)| {
                ty == symbol || interface == symbol
            }),
            _ => Vec::new(),
        }
    }

    /// What could still belong to the answer: callers of what was followed, uses of the target.
    fn open_impact(&self, asked: &[SymbolId], target: &Target) -> UnresolvedSites {
        let callable = |symbol: &SymbolId| {
            matches!(self.kind(*symbol), NodeKind::Function | NodeKind::Method)
                || self.is_class(*symbol)
        };
        let (called, used): (Vec<SymbolId>, Vec<SymbolId>) =
            asked.iter().copied().partition(callable);
        let mut openings = self.open_callers(&called);
        let used: Vec<SymbolId> = used
            .into_iter()
            .filter(|symbol| target.symbols.contains(symbol))
            .collect();
        openings.extend(self.possible_users(&used));
        for &symbol in &target.symbols {
            openings.extend(self.open_implementers(symbol));
        }
        openings
    }
}

/// What a change asks of a node that is reached so.
fn severity(change: ChangeType, way: ImpactType) -> Severity {
    let may_stay = matches!(
        (change, way),
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

/// Of several ways the one that asks most, then the first by name of the specification.
fn strongest(change: ChangeType, ways: &StepKinds) -> Option<(ImpactType, Severity)> {
    let ways = ways.iter().map(|&way| (severity(change, way), way));
    ways.min().map(|(severity, way)| (way, severity))
}
