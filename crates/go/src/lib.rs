//! Go's rules: modules, packages, scopes, types, method sets, calls.

mod decls;
mod flows;
mod hierarchy;
mod language;
mod left_out;
mod places;
pub mod project;
mod reflection;
mod symbols;
#[cfg(test)]
mod tests;
mod types;
mod typing;
mod units;
mod universe;
mod uses;

pub use language::Go;
