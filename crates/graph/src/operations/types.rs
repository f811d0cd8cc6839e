//! `implementations` and `implements`, of structural and of nominal types.

use codeweft_db::{NameId, NodeKind, SymbolId};
use rustc_hash::FxHashSet;

use super::OperationResult;
use crate::classes::Distances;
use crate::completeness::UnresolvedSites;
use crate::filtering::ResultRow;
use crate::hierarchy::ImplementsPair;
use crate::query_context::QueryContext;
use crate::targets::Target;
use crate::verdict::AnswerNouns;

impl QueryContext<'_> {
    /// The types that satisfy an interface, the subclasses of a class; of a method the methods
    /// that may run where it is called.
    pub(super) fn implementations(&self, target: &Target) -> OperationResult {
        let mut drafts = Vec::new();
        let mut openings = UnresolvedSites::default();
        for &symbol in &target.symbols {
            drafts.extend(self.implementers(symbol));
            openings.extend(self.open_implementers(symbol));
        }
        OperationResult::list(
            self.by_depth_and_id(drafts),
            openings,
            AnswerNouns {
                one: "implementation",
                many: "implementations",
                could: "could declare more",
            },
        )
    }

    /// The implementations of one symbol, in no order.
    pub(crate) fn implementers(&self, symbol: SymbolId) -> Vec<ResultRow> {
        let nominal = self.classes_of(symbol);
        if self.kind(symbol) == NodeKind::Method {
            return match nominal {
                None => plain(self.implementing(symbol)),
                Some(_) => {
                    let mut drafts = at_distance(self.overrides(symbol));
                    drafts.extend(one_step(self.runs_directly(symbol)));
                    drafts.retain(|draft| draft.symbol != symbol);
                    drafts
                }
            };
        }
        let pairs = self.pairs_of_interface(symbol).into_iter();
        match nominal {
            None => pairs.map(|pair| draft(pair.ty, pair)).collect(),
            Some(classes) => {
                let mut drafts = at_distance(classes.below(symbol));
                drafts.extend(one_step(pairs.map(|pair| pair.ty)));
                drafts.retain(|draft| draft.symbol != symbol);
                drafts
            }
        }
    }

    /// Files that were not read whole and could declare an implementation: they have the names of
    /// all methods of an interface, or the name of a class.
    pub(super) fn open_implementers(&self, symbol: SymbolId) -> UnresolvedSites {
        let nominal = self.classes_of(symbol).is_some();
        let names = match self.kind(symbol) {
            NodeKind::Method if nominal || self.is_interface_method(symbol) => {
                vec![self.key(symbol).name]
            }
            NodeKind::Interface if !nominal => self.method_names(symbol),
            NodeKind::Interface | NodeKind::Class => vec![self.key(symbol).name],
            _ => Vec::new(),
        };
        let mut openings = match self.lang(symbol) {
            Some(lang) => self.possible_declarers(&self.units_of(lang), &names),
            None => UnresolvedSites::default(),
        };
        let class = match self.kind(symbol) {
            NodeKind::Interface | NodeKind::Class => Some(symbol),
            NodeKind::Method => self.key(symbol).parent,
            _ => None,
        };
        if let Some(class) = class.filter(|_| nominal) {
            openings.extend(self.possible_classes(class));
        }
        openings
    }

    /// The interfaces that a type satisfies, the bases of a class; of a method the methods that it
    /// may run instead of.
    pub(super) fn implements(&self, target: &Target) -> OperationResult {
        let mut drafts = Vec::new();
        let mut openings = UnresolvedSites::default();
        for &symbol in &target.symbols {
            drafts.extend(self.implemented(symbol));
            openings.extend(self.open_implemented(symbol));
        }
        OperationResult::list(
            self.by_depth_and_id(drafts),
            openings,
            AnswerNouns {
                one: "interface",
                many: "interfaces",
                could: "could declare more",
            },
        )
    }

    /// What one symbol implements, in no order.
    pub(crate) fn implemented(&self, symbol: SymbolId) -> Vec<ResultRow> {
        let nominal = self.classes_of(symbol);
        match (self.kind(symbol), nominal) {
            (NodeKind::Method, None) => plain(self.implemented_by(symbol)),
            (NodeKind::Method, Some(_)) => {
                let mut drafts = at_distance(self.overridden(symbol));
                drafts.extend(one_step(self.stands_for_directly(symbol)));
                drafts
            }
            (NodeKind::Interface, None) => Vec::new(),
            (_, None) => {
                let pairs = self.pairs_of_type(symbol).into_iter();
                pairs.map(|pair| draft(pair.interface, pair)).collect()
            }
            (_, Some(classes)) => {
                let pairs = self.pairs_of_type(symbol).into_iter();
                let mut drafts = at_distance(classes.above(symbol));
                drafts.extend(one_step(pairs.map(|pair| pair.interface)));
                drafts.retain(|draft| draft.symbol != symbol);
                drafts
            }
        }
    }

    /// Bases that are not known, of a class and of those above it; of a method also those of the
    /// classes that inherit it.
    fn open_implemented(&self, symbol: SymbolId) -> UnresolvedSites {
        let mut openings = UnresolvedSites::default();
        let (Some(language), Some(classes)) = (self.language(symbol), self.classes_of(symbol))
        else {
            return openings;
        };
        let mut asked = match self.kind(symbol) {
            NodeKind::Interface | NodeKind::Class => vec![symbol],
            NodeKind::Method => self.key(symbol).parent.into_iter().collect(),
            _ => Vec::new(),
        };
        if self.kind(symbol) == NodeKind::Method
            && let Some(&class) = asked.first()
        {
            asked.extend(classes.below(class).into_keys());
        }
        for class in asked {
            openings.add_places(language.unknown_bases(self.db, class));
        }
        openings
    }

    /// The plain names of the methods that an interface declares itself.
    fn method_names(&self, interface: SymbolId) -> Vec<NameId> {
        let Some((unit, _)) = self.row(interface) else {
            return Vec::new();
        };
        let symbols = self.symbols(unit);
        let Some(row) = symbols.row(interface) else {
            return Vec::new();
        };
        let children = symbols.children(row);
        let methods = children.map(|child| &symbols.rows[child as usize]);
        methods
            .filter(|row| row.kind == NodeKind::Method)
            .map(|row| row.name)
            .collect()
    }

    /// Results once each, at their smallest depth.
    fn by_depth_and_id(&self, mut drafts: Vec<ResultRow>) -> Vec<ResultRow> {
        drafts.sort_by_cached_key(|draft| {
            (
                draft.depth,
                self.lang(draft.symbol),
                self.id(draft.symbol),
                draft.type_args.clone(),
                draft.receiver,
            )
        });
        let mut seen = FxHashSet::default();
        drafts.retain(|draft| seen.insert((draft.symbol, draft.type_args.clone())));
        drafts
    }
}

fn draft(symbol: SymbolId, pair: ImplementsPair) -> ResultRow {
    ResultRow {
        receiver: Some(pair.receiver),
        type_args: pair.type_args,
        ..ResultRow::plain(symbol)
    }
}

fn plain(symbols: impl IntoIterator<Item = SymbolId>) -> Vec<ResultRow> {
    symbols.into_iter().map(ResultRow::plain).collect()
}

fn at_distance(symbols: Distances) -> Vec<ResultRow> {
    let symbols = symbols.into_iter();
    symbols
        .map(|(symbol, distance)| ResultRow {
            depth: Some(distance),
            ..ResultRow::plain(symbol)
        })
        .collect()
}

/// What a structural interface joins is one step away.
fn one_step(symbols: impl IntoIterator<Item = SymbolId>) -> Vec<ResultRow> {
    at_distance(symbols.into_iter().map(|symbol| (symbol, 1)).collect())
}
