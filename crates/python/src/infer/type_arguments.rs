//! The type arguments of a class as one of its bases sees them (typing specification, "Generics").
//!
//! ```python
//! class Jobs(dict[str, Job]): ...
//! # arguments_as(Jobs, dict)    = [str, Job]
//! # argument_of(Jobs(), "Iterable") = str
//! ```

use codeweft_db::{Db, SymbolId};

use super::builtins::is_modelled;
use super::frame::Frame;
use super::typing::class_of;
use crate::classes::{ClassInfo, class_info};
use crate::keys::ClassKey;
use crate::values::{Class, Substitution, Value, Values};

/// Returns the first type argument of an object's class, seen as its model base named `base`.
pub(crate) fn argument_of(frame: &Frame<'_>, one: Value, base: &str) -> Option<Values> {
    let class = class_of(frame, one)?;
    let base = base_named(frame.db, class.symbol, base)?;
    arguments_as(frame.db, &class, base)?.into_iter().next()
}

/// Returns whether a class has a base of the model with this name.
pub(crate) fn has_base(db: &dyn Db, class: SymbolId, base: &str) -> bool {
    base_named(db, class, base).is_some()
}

fn base_named(db: &dyn Db, class: SymbolId, base: &str) -> Option<SymbolId> {
    let base = db.shared().names.intern(base);
    let info = class_info(db, ClassKey::new(db, class));
    let mut order = info.mro.iter().copied();
    order.find(|&one| db.shared().symbols.key(one).name == base && is_modelled(db, one))
}

/// Returns the type arguments of a class seen as one of its bases.
pub(crate) fn arguments_as(db: &dyn Db, class: &Class, base: SymbolId) -> Option<Vec<Values>> {
    if class.symbol == base {
        return Some(class.args.to_vec());
    }
    let info = class_info(db, ClassKey::new(db, class.symbol));
    let at = info.mro.iter().position(|&other| other == base)?;
    let substitution = Substitution {
        closes_type_vars: true,
        ..Substitution::of_class(&info.type_params, class)
    };
    let args = info.mro_args.get(at)?;
    Some(args.iter().map(|arg| substitution.apply(db, arg)).collect())
}

/// Returns the receiver and type arguments to substitute in a member that the ancestor
/// `info.mro[at]` declares.
pub(crate) fn receiver_substitution(
    db: &dyn Db,
    info: &ClassInfo,
    class: &Class,
    at: usize,
    receiver: Value,
    owner: SymbolId,
) -> Substitution {
    let mut substitution = Substitution {
        receiver: Some(receiver),
        ..Substitution::default()
    };
    let params = if owner == class.symbol {
        info.type_params.clone()
    } else {
        class_info(db, ClassKey::new(db, owner)).type_params.clone()
    };
    if params.is_empty() {
        return substitution;
    }
    let own = Substitution::of_class(&info.type_params, class);
    let args = info.mro_args.get(at).cloned().unwrap_or_default();
    for (number, &param) in params.iter().enumerate() {
        if let Some(values) = args.get(number) {
            let values = if class.args.is_empty() && class.symbol == owner {
                continue;
            } else {
                own.apply(db, values)
            };
            substitution.type_vars.push((param, values));
        }
    }
    substitution
}
