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
//! [`crate::recursion`]. All of it goes through one method, [`Frame::evaluate`]: the rules use
//! [`Frame`] as data, and only [`mod@evaluate`] names the rules. Each row imports from those below it
//! only:
//!
//! ```text
//! evaluate                                      nodes -> rules; the only file that names all of them
//! calls, narrowing
//! unification, attributes
//! operators
//! special_methods
//! type_arguments
//! crate::classes, crate::bases                  class_info, class_statement
//! names, imports, functions, typing,            binding_values, signature, objects: one cycle
//!   final_results                               the same values for what is outside of it
//! declared_names                                what a scope's own text binds a name to
//! resolution, stars                             import statements -> declarations
//! frame, memo, builtins, module_names,          data
//!   special_forms
//! ```

mod attributes;
mod builtins;
mod calls;
mod declared_names;
mod evaluate;
mod final_results;
mod frame;
mod functions;
mod imports;
mod memo;
mod module_names;
mod names;
mod narrowing;
mod operators;
mod resolution;
mod special_forms;
mod special_methods;
mod stars;
mod type_arguments;
mod typing;
mod unification;

pub(crate) use attributes::{attribute, module_hook};
pub(crate) use builtins::{builtins_module, is_modelled, object_class};
pub(crate) use calls::{Callee, callees, is_declared};
pub(crate) use final_results::{binding_values, field_values, returned};
pub(crate) use frame::Frame;
pub use functions::function_info;
pub(crate) use functions::{decorator_paths, function_info_of, info_by_form, parameter, path_of};
pub(crate) use memo::FileMemo;
pub(crate) use module_names::{ModuleName, file_imports, resolve_import_module};
pub(crate) use names::fails;
pub(crate) use operators::{
    binary_methods, compare_methods, element, special_methods_of, special_values, unary_method,
};
pub(crate) use resolution::{ImportTarget, import_target, resolve, submodule, variable_symbol};
pub(crate) use special_methods::special_method;
pub(crate) use stars::{import_source, star_module, star_names, star_sources};
pub(crate) use typing::class_of;
