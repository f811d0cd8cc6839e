//! Bounded sets of values: the lattice of the evaluation.
//!
//! ```text
//! none ⊂ {A} ⊂ {A, B} ⊂ … at most 16 values … ⊂ wide        join = union
//! ```
//!
//! `unknown` is a flag beside the list: `{A} + unknown` means "A, or something else". Since the
//! number of values and their nesting are bounded, every fixpoint iteration ends.

use codeweft_db::Db;
use smallvec::SmallVec;

use super::shape::{Shape, Value, value};

/// The maximum number of values; a larger set becomes unknown, so that the lattice is finite.
const MAX_VALUES: usize = 16;

/// The values that an expression may have: any in the list, and anything else if `unknown`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Values {
    /// Sorted by number, distinct.
    list: SmallVec<[Value; 2]>,
    /// Whether the expression may have other values.
    unknown: bool,
    /// Whether the values were followed through containers, loops and the like, so that even a
    /// single one is not decided by declarations.
    loose: bool,
    /// Whether there were too many values. Such a set stays unknown whatever is joined, so that
    /// joins commute.
    wide: bool,
}

impl Values {
    /// Returns the empty set: unreachable code, or not evaluated yet.
    pub fn none() -> Values {
        Values::default()
    }

    /// Returns the set of anything.
    pub fn unknown() -> Values {
        Values {
            unknown: true,
            ..Values::default()
        }
    }

    /// Returns the set of one value.
    pub fn one(value: Value) -> Values {
        Values {
            list: smallvec::smallvec![value],
            ..Values::default()
        }
    }

    /// Returns the set of one value by its shape.
    pub(crate) fn of(db: &dyn Db, shape: Shape) -> Values {
        Values::one(value(db, shape))
    }

    /// Returns the known values in order of number.
    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        self.list.iter().copied()
    }

    /// Returns the only possible value; `None` if others are possible.
    pub fn single(&self) -> Option<Value> {
        match self.list[..] {
            [value] if !self.unknown => Some(value),
            _ => None,
        }
    }

    /// Returns the only possible value besides Python's `None`.
    pub(crate) fn single_but_none(&self, db: &dyn Db) -> Option<Value> {
        let none = value(db, Shape::None);
        let mut rest = self.clone();
        rest.retain(|one| one != none);
        rest.single()
    }

    /// Returns whether values that are not in the list are possible.
    pub fn is_unknown(&self) -> bool {
        self.unknown
    }

    /// Returns whether the set is empty.
    pub fn is_none(&self) -> bool {
        self.list.is_empty() && !self.unknown
    }

    /// Returns the number of known values.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether the values were followed rather than declared.
    pub fn is_loose(&self) -> bool {
        self.loose
    }

    /// Returns the same values, marked as followed rather than declared.
    pub(crate) fn loosened(mut self) -> Values {
        self.loose = true;
        self
    }

    /// Adds a value.
    pub(crate) fn add(&mut self, value: Value) {
        if self.wide {
            return;
        }
        if let Err(at) = self.list.binary_search(&value) {
            if self.list.len() == MAX_VALUES {
                *self = Values::wide();
            } else {
                self.list.insert(at, value);
            }
        }
    }

    /// Returns the set that is permanently unknown.
    pub(crate) fn wide() -> Values {
        Values {
            unknown: true,
            loose: true,
            wide: true,
            ..Values::default()
        }
    }

    /// Adds all values of another set.
    pub(crate) fn join(&mut self, other: &Values) {
        if other.wide {
            *self = Values::wide();
        }
        self.unknown |= other.unknown;
        self.loose |= other.loose;
        for value in other.iter() {
            self.add(value);
        }
    }

    /// Removes the values for which `keep` returns false.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(Value) -> bool) {
        self.list.retain(|value| keep(*value));
    }

    /// Adds that anything is possible.
    pub(crate) fn add_unknown(&mut self) {
        self.unknown = true;
    }

    /// Returns the union.
    pub(crate) fn joined(mut self, other: &Values) -> Values {
        self.join(other);
        self
    }
}
