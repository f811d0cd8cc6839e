//! The operations `implementations` and `implements`, for structural and nominal types.
//!
//! Go is structural: a type implements an interface by its method set (Go spec, Implementing an
//! interface). Python is nominal: a class implements its bases, listed with their distance;
//! protocols are structural beside that.

use codeweft_db::{NameId, NodeKind, SymbolId};
use rustc_hash::FxHashSet;

use super::OperationResult;
use crate::completeness::unresolved_sites::UnresolvedSites;
use crate::completeness::verdict::AnswerNouns;
use crate::query_context::QueryContext;
use crate::rendering::filtering::ResultRow;
use crate::targets::Target;
use crate::type_graph::classes::Distances;
use crate::type_graph::implements::ImplementsPair;

impl QueryContext<'_> {
    /// Finds the types that satisfy an interface or the subclasses of a class; for a method the
    /// methods that may run where it is called.
    pub(super) fn implementations(&self, target: &Target) -> OperationResult {
        let mut rows = Vec::new();
        let mut unresolved = UnresolvedSites::default();
        for &symbol in &target.symbols {
            rows.extend(self.implementers(symbol));
            unresolved.extend(self.possible_implementers(symbol));
        }
        OperationResult::list(
            self.by_depth_and_id(rows),
            unresolved,
            AnswerNouns {
                singular: "implementation",
                plural: "implementations",
                could: "could declare more",
            },
        )
    }

    /// Returns the implementations of one symbol, unordered.
    pub(crate) fn implementers(&self, symbol: SymbolId) -> Vec<ResultRow> {
        let nominal = self.classes_of(symbol);
        if self.kind(symbol) == NodeKind::Method {
            return match nominal {
                None => plain(self.implementing_methods(symbol)),
                Some(_) => {
                    let mut rows = at_distance(self.overrides(symbol));
                    rows.extend(one_step(self.direct_targets(symbol)));
                    rows.retain(|row| row.symbol != symbol);
                    rows
                }
            };
        }
        let pairs = self.pairs_of_interface(symbol).into_iter();
        match nominal {
            None => pairs.map(|pair| row(pair.ty, pair)).collect(),
            Some(classes) => {
                let mut rows = at_distance(classes.all_subclasses(symbol));
                rows.extend(one_step(pairs.map(|pair| pair.ty)));
                rows.retain(|row| row.symbol != symbol);
                rows
            }
        }
    }

    /// Returns incomplete files that could declare an implementation: they mention the names of all
    /// methods of an interface, or the name of a class.
    pub(super) fn possible_implementers(&self, symbol: SymbolId) -> UnresolvedSites {
        let nominal = self.classes_of(symbol).is_some();
        let names = match self.kind(symbol) {
            NodeKind::Method if nominal || self.is_interface_method(symbol) => {
                vec![self.key(symbol).name]
            }
            NodeKind::Interface if !nominal => self.method_names(symbol),
            NodeKind::Interface | NodeKind::Class => vec![self.key(symbol).name],
            _ => Vec::new(),
        };
        let mut unresolved = match self.lang(symbol) {
            Some(lang) => self.possible_declarers(&self.units.of_lang(self.db, lang), &names),
            None => UnresolvedSites::default(),
        };
        let class = match self.kind(symbol) {
            NodeKind::Interface | NodeKind::Class => Some(symbol),
            NodeKind::Method => self.key(symbol).parent,
            _ => None,
        };
        if let Some(class) = class.filter(|_| nominal) {
            unresolved.extend(self.possible_classes(class));
        }
        unresolved
    }

    /// Finds the interfaces that a type satisfies or the bases of a class; for a method the methods
    /// that it may run for.
    pub(super) fn implements(&self, target: &Target) -> OperationResult {
        let mut rows = Vec::new();
        let mut unresolved = UnresolvedSites::default();
        for &symbol in &target.symbols {
            rows.extend(self.implemented(symbol));
            unresolved.extend(self.possible_supertypes(symbol));
        }
        OperationResult::list(
            self.by_depth_and_id(rows),
            unresolved,
            AnswerNouns {
                singular: "interface",
                plural: "interfaces",
                could: "could declare more",
            },
        )
    }

    /// Returns what one symbol implements, unordered.
    pub(crate) fn implemented(&self, symbol: SymbolId) -> Vec<ResultRow> {
        let nominal = self.classes_of(symbol);
        match (self.kind(symbol), nominal) {
            (NodeKind::Method, None) => plain(self.implemented_methods(symbol)),
            (NodeKind::Method, Some(_)) => {
                let mut rows = at_distance(self.overridden(symbol));
                rows.extend(one_step(self.directly_dispatched_from(symbol)));
                rows
            }
            (NodeKind::Interface, None) => Vec::new(),
            (_, None) => {
                let pairs = self.pairs_of_type(symbol).into_iter();
                pairs.map(|pair| row(pair.interface, pair)).collect()
            }
            (_, Some(classes)) => {
                let pairs = self.pairs_of_type(symbol).into_iter();
                let mut rows = at_distance(classes.all_bases(symbol));
                rows.extend(one_step(pairs.map(|pair| pair.interface)));
                rows.retain(|row| row.symbol != symbol);
                rows
            }
        }
    }

    /// Returns the unknown bases of a class and of the classes above it; for a method also those of
    /// subclasses, which inherit it.
    fn possible_supertypes(&self, symbol: SymbolId) -> UnresolvedSites {
        let mut unresolved = UnresolvedSites::default();
        let (Some(language), Some(classes)) = (self.language(symbol), self.classes_of(symbol))
        else {
            return unresolved;
        };
        let mut classes_checked = match self.kind(symbol) {
            NodeKind::Interface | NodeKind::Class => vec![symbol],
            NodeKind::Method => self.key(symbol).parent.into_iter().collect(),
            _ => Vec::new(),
        };
        if self.kind(symbol) == NodeKind::Method
            && let Some(&class) = classes_checked.first()
        {
            classes_checked.extend(classes.all_subclasses(class).into_keys());
        }
        for class in classes_checked {
            unresolved.add_offsets(language.unknown_bases(self.db, class));
        }
        unresolved
    }

    /// Returns the unqualified names of the methods that an interface declares itself.
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

    /// Orders rows by depth and id and keeps each result once, at its smallest depth.
    fn by_depth_and_id(&self, mut rows: Vec<ResultRow>) -> Vec<ResultRow> {
        rows.sort_by_cached_key(|row| {
            (
                row.depth,
                self.lang(row.symbol),
                self.id(row.symbol),
                row.type_args.clone(),
                row.receiver,
            )
        });
        let mut seen = FxHashSet::default();
        rows.retain(|row| seen.insert((row.symbol, row.type_args.clone())));
        rows
    }
}

fn row(symbol: SymbolId, pair: ImplementsPair) -> ResultRow {
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

/// Returns rows at distance 1, the distance of structural matches.
fn one_step(symbols: impl IntoIterator<Item = SymbolId>) -> Vec<ResultRow> {
    at_distance(symbols.into_iter().map(|symbol| (symbol, 1)).collect())
}
