//! Python's rules: modules and where they stand, what they declare, and what their code uses.

mod arity;
mod bases;
mod classes;
mod completeness;
mod declared;
mod hierarchy;
mod imports;
mod index;
mod infer;
mod language;
mod layout;
mod locals;
mod members;
mod modules;
mod overloads;
mod places;
mod project;
mod spelling;
mod symbols;
mod uses;
mod values;
mod ways;

#[cfg(test)]
mod tests;

pub use imports::{py_import_targets, py_imports};
pub use language::Python;
pub use modules::{Module, Modules, py_modules};
pub use symbols::py_symbols;
