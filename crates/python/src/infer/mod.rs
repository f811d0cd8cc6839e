//! What expressions of one scope evaluate to.
//!
//! [`Frame`] evaluates the nodes of an item in order; what stands in other scopes and files is
//! asked of queries keyed by one name ([`bound`], [`field`]) or one function ([`returned`],
//! [`signature`]), never by a module: modules that import each other are no cycle for them.

mod attributes;
mod calls;
mod denoted;
mod frame;
mod functions;
mod memo;
mod names;
mod narrowing;
mod operators;
mod typing;

use codeweft_db::{Db, SymbolId};

pub(crate) use attributes::{attribute, module_hook, special_method};
pub(crate) use calls::{Callee, callees, is_declared};
pub(crate) use denoted::{ImportTarget, denoted, dotted, import_target, variable};
pub(crate) use frame::Frame;
pub use functions::{FunctionKey, FunctionKind, function_info};
pub(crate) use functions::{decorator_paths, path_of};
pub(crate) use memo::FileMemo;
pub(crate) use names::{bound_in, builtins_of, name_index, object_class};
pub(crate) use operators::{
    binary_methods, compare_methods, element, runs, special_values, unary_method,
};
pub(crate) use typing::class_of;

/// Whether a symbol belongs to the room's own model of the builtins.
pub(crate) fn is_modelled(db: &dyn Db, symbol: SymbolId) -> bool {
    match db.shared().symbols.key(symbol).declared_in {
        codeweft_db::DeclaredIn::Unit(unit) => {
            unit.dir(db).starts_with(crate::project::model::MODEL_DIR)
        }
        _ => false,
    }
}
