//! Lookup of special methods, on the class of a value only (Python reference, Data model, "Special
//! method lookup").
//!
//! ```python
//! class C:
//!     def __init__(self):
//!         self.__len__ = lambda: 1   # not found by len(C())
//! ```

use super::frame::Frame;
use super::memo::{SpecialMethod, cached};
use super::type_arguments::receiver_substitution;
use super::typing::class_of;
use crate::classes::{OwnMember, class_info, find_in_mro};
use crate::keys::ClassKey;
use crate::values::{Class, Shape, Value, shape};

/// Returns the function that an operation runs by a special method's name, which is looked up on
/// the class of the value, not in the object (Python reference, "Special method lookup").
pub(crate) fn special_method(
    frame: &Frame<'_>,
    one: Value,
    name: &'static str,
) -> Option<SpecialMethod> {
    cached(frame.memo.map(|memo| &memo.specials), (one, name), || {
        class_special_method(frame, one, name)
    })
}

fn class_special_method(frame: &Frame<'_>, one: Value, name: &str) -> Option<SpecialMethod> {
    let db = frame.db;
    let name = db.shared().names.intern(name);
    let (class, exact) = match shape(db, one) {
        Shape::Instance { class, exact } => (class.clone(), *exact),
        Shape::Class(Class { symbol, .. })
        | Shape::Subclass(Class { symbol, .. })
        | Shape::ReceiverClass(symbol) => {
            let info = class_info(db, ClassKey::new(db, *symbol));
            let exact = matches!(shape(db, one), Shape::Class(_));
            (Class::plain(info.metaclass?), exact)
        }
        _ => (class_of(frame, one)?, false),
    };
    let info = class_info(db, ClassKey::new(db, class.symbol));
    let (at, own) = find_in_mro(db, &info, name, 0)?;
    let OwnMember::Function { function, .. } = own else {
        return None;
    };
    let substitution = receiver_substitution(db, &info, &class, at, one, info.mro[at]);
    Some((function, exact, substitution))
}
