//! Classes: bases and subclasses.

use std::sync::Arc;

use codeweft_db::{Hierarchy, Relation, SymbolId, Unit};
use rustc_hash::FxHashMap;

use crate::fan_out::FanOut;
use crate::memo::Join;

/// The classes of a language at one revision.
pub(crate) type JoinedClasses = Join<Hierarchy, Classes>;

/// The bases and subclasses of every class of one language.
#[derive(Default)]
pub(crate) struct Classes {
    /// Direct bases, in text order.
    bases: FxHashMap<SymbolId, Vec<SymbolId>>,
    /// Direct subclasses, in order of unit and text.
    subclasses: FxHashMap<SymbolId, Vec<SymbolId>>,
}

/// Classes or methods with their smallest distance from a start.
pub(crate) type Distances = FxHashMap<SymbolId, u32>;

impl Classes {
    /// Joins the direct bases declared by all units of a language.
    pub(crate) fn read(
        fan_out: &FanOut<'_>,
        units: Arc<[Unit]>,
        previous: Option<&Arc<JoinedClasses>>,
    ) -> Arc<JoinedClasses> {
        let parts = fan_out.map(&units, |languages, db, &unit| {
            let language = languages.of(unit.lang(db));
            language.map_or_else(Arc::default, |language| language.hierarchy(db, unit))
        });
        Join::next(previous, units, parts, |_, parts| {
            let mut classes = Classes::default();
            let rows = parts.iter().flat_map(|part| part.supertypes.iter());
            for row in rows.filter(|row| row.relation == Relation::Extends) {
                classes.bases.entry(row.from).or_default().push(row.to);
                classes.subclasses.entry(row.to).or_default().push(row.from);
            }
            classes
        })
    }

    /// Returns all subclasses of a class with their distance. A class that erroneous code makes its
    /// own base is not among them.
    pub(crate) fn all_subclasses(&self, class: SymbolId) -> Distances {
        reach(&self.subclasses, class)
    }

    /// Returns the subclasses of a class that have several bases: their resolution order may insert
    /// another class between this one and its bases. With a single base the order is that of the
    /// base.
    pub(crate) fn multi_base_subclasses(
        &self,
        class: SymbolId,
    ) -> impl Iterator<Item = SymbolId> + '_ {
        let all_subclasses = self.all_subclasses(class).into_keys();
        all_subclasses.filter(|subclass| {
            self.bases
                .get(subclass)
                .is_some_and(|bases| bases.len() > 1)
        })
    }

    /// Returns all bases of a class with their distance.
    pub(crate) fn all_bases(&self, class: SymbolId) -> Distances {
        reach(&self.bases, class)
    }

    /// Returns every class with a base.
    pub(crate) fn all(&self) -> impl Iterator<Item = SymbolId> + '_ {
        self.bases.keys().copied()
    }
}

fn reach(steps: &FxHashMap<SymbolId, Vec<SymbolId>>, start: SymbolId) -> Distances {
    let mut found = Distances::default();
    let mut frontier = vec![start];
    let mut distance = 0;
    while !frontier.is_empty() {
        distance += 1;
        let mut next = Vec::new();
        for class in frontier {
            for &other in steps.get(&class).map_or(&[][..], Vec::as_slice) {
                if other != start && !found.contains_key(&other) {
                    found.insert(other, distance);
                    next.push(other);
                }
            }
        }
        frontier = next;
    }
    found
}
