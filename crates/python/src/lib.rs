//! Python's rules: so far modules, where they stand, and which of them import which.

mod imports;
mod language;
mod layout;
mod modules;
mod roots;

#[cfg(test)]
mod tests;

pub use imports::{py_import_targets, py_imports};
pub use language::Python;
pub use modules::{Module, Modules, py_modules, py_symbols};
