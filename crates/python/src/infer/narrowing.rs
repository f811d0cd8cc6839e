//! Narrowing of values by `isinstance`, `issubclass`, class patterns and `except` clauses.
//!
//! ```python
//! if isinstance(x, (A, B)):   # Narrow { holds: true }: x is A or B
//!     ...
//! else:                       # Narrow { holds: false }: x is neither
//!     ...
//! ```

use codeweft_db::SymbolId;

use super::frame::{Frame, object};
use super::typing::class_of;
use crate::classes::is_subclass;
use crate::values::{Shape, Values, shape};

impl Frame<'_> {
    /// Returns the classes, with tuples of classes expanded.
    pub(crate) fn expand_tuples(&self, classes: &Values) -> Values {
        let mut found = Values::none();
        if classes.is_unknown() {
            found.add_unknown();
        }
        for one in classes.iter() {
            match shape(self.db, one) {
                Shape::Tuple(parts) => parts.iter().for_each(|part| found.join(part)),
                Shape::TypeExpression(_)
                | Shape::Class(_)
                | Shape::Subclass(_)
                | Shape::ReceiverClass(_) => found.add(one),
                _ => found.add_unknown(),
            }
        }
        found
    }

    /// Returns the values for which `isinstance(value, classes)` holds, or does not.
    pub(super) fn narrow(&self, values: &Values, classes: &Values, holds: bool) -> Values {
        let db = self.db;
        let classes = self.expand_tuples(classes);
        let wanted: Vec<SymbolId> = classes
            .iter()
            .filter_map(|one| match shape(db, one) {
                Shape::Class(class) | Shape::Subclass(class) => Some(class.symbol),
                Shape::ReceiverClass(class) => Some(*class),
                _ => None,
            })
            .collect();
        if classes.is_unknown() || wanted.len() < classes.len() {
            return if holds {
                Values::unknown()
            } else {
                values.clone()
            };
        }
        let mut found = Values::none();
        for one in values.iter() {
            let class = match class_of(self, one) {
                Some(class) => class.symbol,
                None if holds => continue,
                None => {
                    found.add(one);
                    continue;
                }
            };
            let fits = wanted.iter().any(|&wanted| is_subclass(db, class, wanted));
            if fits == holds {
                found.add(one);
            } else if holds {
                // The value may be of a subclass of both, or of a narrower class.
                for &narrow in wanted
                    .iter()
                    .filter(|&&narrow| is_subclass(db, narrow, class))
                {
                    found.add(object(db, narrow));
                }
            }
        }
        if values.is_unknown() || values.iter().any(|one| class_of(self, one).is_none()) {
            if holds {
                wanted
                    .iter()
                    .for_each(|&class| found.add(object(db, class)));
            } else if values.is_unknown() {
                found.add_unknown();
            }
        }
        if holds && found.is_none() && !values.is_none() {
            wanted
                .iter()
                .for_each(|&class| found.add(object(db, class)));
        }
        found
    }
}
