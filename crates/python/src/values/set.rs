//! Sets of values.

use codeweft_db::Db;
use smallvec::SmallVec;

use super::shape::{Shape, Value, value};

/// More values than this are unknown: the lattice stays finite.
const MOST: usize = 16;

/// What an expression may evaluate to: any of these, and, where `unknown`, anything else.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Values {
    /// Sorted by number, distinct.
    list: SmallVec<[Value; 2]>,
    /// Whether it may be something else.
    unknown: bool,
    /// Whether it was found by following values through containers and the like, so that even a
    /// single one is no matter of declarations.
    loose: bool,
    /// Whether there were too many: then it stays unknown, whatever is joined, so that the order
    /// of joins does not matter.
    wide: bool,
}

impl Values {
    /// Nothing: code that does not run, or is not evaluated yet.
    pub fn none() -> Values {
        Values::default()
    }

    /// Anything.
    pub fn unknown() -> Values {
        Values {
            unknown: true,
            ..Values::default()
        }
    }

    /// One value.
    pub fn one(value: Value) -> Values {
        Values {
            list: smallvec::smallvec![value],
            ..Values::default()
        }
    }

    /// One value by its shape.
    pub(crate) fn of(db: &dyn Db, shape: Shape) -> Values {
        Values::one(value(db, shape))
    }

    /// The known values, by number.
    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        self.list.iter().copied()
    }

    /// The one value there is, where nothing else is possible.
    pub fn single(&self) -> Option<Value> {
        match self.list[..] {
            [value] if !self.unknown => Some(value),
            _ => None,
        }
    }

    /// The one value there is beside `None`.
    pub(crate) fn single_but_none(&self, db: &dyn Db) -> Option<Value> {
        let none = value(db, Shape::None);
        let mut rest = self.clone();
        rest.retain(|one| one != none);
        rest.single()
    }

    /// Whether it may be something that is not in the list.
    pub fn is_unknown(&self) -> bool {
        self.unknown
    }

    /// Whether there is nothing.
    pub fn is_none(&self) -> bool {
        self.list.is_empty() && !self.unknown
    }

    /// How many values are known.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether values were followed rather than declared.
    pub fn is_loose(&self) -> bool {
        self.loose
    }

    /// The same values, followed rather than declared.
    pub(crate) fn loosened(mut self) -> Values {
        self.loose = true;
        self
    }

    /// Adds one value.
    pub(crate) fn add(&mut self, value: Value) {
        if self.wide {
            return;
        }
        if let Err(at) = self.list.binary_search(&value) {
            if self.list.len() == MOST {
                self.widen();
            } else {
                self.list.insert(at, value);
            }
        }
    }

    /// Makes it unknown for good.
    pub(crate) fn widen(&mut self) {
        *self = Values {
            unknown: true,
            loose: true,
            wide: true,
            ..Values::default()
        };
    }

    /// Adds all of another set.
    pub(crate) fn join(&mut self, other: &Values) {
        if other.wide {
            self.widen();
        }
        self.unknown |= other.unknown;
        self.loose |= other.loose;
        for value in other.iter() {
            self.add(value);
        }
    }

    /// Drops what a test refuses.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(Value) -> bool) {
        self.list.retain(|value| keep(*value));
    }

    /// Adds that anything is possible.
    pub(crate) fn add_unknown(&mut self) {
        self.unknown = true;
    }

    /// Both sets.
    pub(crate) fn joined(mut self, other: &Values) -> Values {
        self.join(other);
        self
    }
}
