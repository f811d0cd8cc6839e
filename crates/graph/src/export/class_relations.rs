//! Relations of classes that no edge between two of them says: methods that run instead of others, classes that
//! satisfy a protocol, bases behind those of a library.

use std::sync::Arc;

use codeweft_db::{NodeKind, Origin, SymbolId};
use rustc_hash::FxHashSet;

use super::ExportContext;
use crate::operations;
use crate::symbols;
use crate::type_graph;

/// A class, or the method of one, with what it implements.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ClassRelation {
    /// The id of the class or method below.
    pub from: Arc<str>,
    /// The id of the one above.
    pub to: Arc<str>,
    /// The number of steps between the classes.
    pub distance: u32,
}

/// The symbol below, the one above, and the number of steps between the classes.
pub(super) type SymbolRelation = (SymbolId, SymbolId, u32);

impl ExportContext<'_, '_> {
    /// Returns the relations of the classes of the workspace and of their methods, as `implementations` and
    /// `implements` list them. Those between classes which the classes' own bases say are absent.
    pub(super) fn class_relations(&self) -> Vec<SymbolRelation> {
        let query = self.query;
        let units = query.units.all.iter().copied();
        let own: Vec<_> = units
            .filter(|unit| unit.origin(query.db) == Origin::Workspace)
            .collect();
        let mut found = FxHashSet::default();
        for symbol in super::declared_by(query, &own) {
            if !symbols::is_of_class(query, symbol) {
                continue;
            }
            query.poll_cancellation();
            for row in operations::implementers(query, symbol) {
                found.extend(row.depth.map(|distance| (row.symbol, symbol, distance)));
            }
            for row in operations::implemented(query, symbol) {
                found.extend(row.depth.map(|distance| (symbol, row.symbol, distance)));
            }
        }
        let is_of_bases = |&(from, to, distance): &SymbolRelation| {
            let outside = symbols::is_external(query, from) || symbols::is_external(query, to);
            if query.kind(from) == NodeKind::Method || outside && distance > 1 {
                return false;
            }
            let classes = type_graph::classes_of(query, from);
            classes.is_some_and(|classes| classes.all_bases(from).get(&to) == Some(&distance))
        };
        found.retain(|one| !is_of_bases(one));
        found.into_iter().collect()
    }
}
