//! Expression evaluation: which values an expression may have.
//!
//! [`Frame`] evaluates the nodes of one item. What other scopes and files bind is queried by one
//! name ([`names::binding_values`], [`names::field_values`]) or one function
//! ([`functions::returned`], [`functions::signature`]), never by a module, so that modules which
//! import each other form no cycle.
//!
//! ```text
//! Frame::evaluate(node)
//!   Global("x")      -> binding_values(module, x) -> Frame of the right side of `x = …`
//!   Attr(base, "f")  -> attribute(value, f)       -> class_info, field_values(class, f)
//!   Call(callee)     -> call_result(function)     -> signature, else returned(function)
//! ```
//!
//! Recursion between these queries is solved by salsa's fixpoint iteration, bounded by
//! [`frame::next_in_cycle`].

mod attributes;
mod calls;
mod frame;
mod functions;
mod imports;
mod memo;
mod names;
mod narrowing;
mod operators;
mod resolution;
mod special_methods;
mod typing;

use codeweft_db::{Db, SymbolId};

pub(crate) use attributes::{attribute, module_hook};
pub(crate) use calls::{Callee, callees, is_declared};
pub(crate) use frame::Frame;
pub use functions::{FunctionKey, FunctionKind, function_info};
pub(crate) use functions::{decorator_paths, path_of};
pub(crate) use memo::FileMemo;
pub(crate) use names::{binding_values_in, builtins_of, name_index, object_class};
pub(crate) use operators::{
    binary_methods, compare_methods, element, special_methods_of, special_values, unary_method,
};
pub(crate) use resolution::{ImportTarget, dotted_path, import_target, resolve, variable_symbol};
pub(crate) use special_methods::special_method;
pub(crate) use typing::class_of;

/// Returns whether a symbol belongs to this crate's model of the builtins.
pub(crate) fn is_modelled(db: &dyn Db, symbol: SymbolId) -> bool {
    match db.shared().symbols.key(symbol).declared_in {
        codeweft_db::DeclaredIn::Unit(unit) => {
            unit.dir(db).starts_with(crate::project::model::MODEL_DIR)
        }
        _ => false,
    }
}
