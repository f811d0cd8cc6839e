//! The language Go: modules and packages, scopes, types, method sets, uses, calls and value flow.
//!
//! Each module implements a layer of the Go specification over the one before it:
//!
//! ```text
//! project    files -> units                   go.mod, build constraints, import paths
//! units      unit -> files, imports, scope    Import declarations; Declarations and scope
//! types      the type table                   Type identity; Type unification
//! definitions   declarations as data, members  Types; Selectors; Method sets
//! typing     one walk over code               Expressions; Statements; Type inference
//! decls      name -> declaration, by queries  Declarations and scope
//! uses, hierarchy, flows, symbols             the rows that the graph reads
//! ```
//!
//! The public entry point is [`Go`], which implements [`codeweft_db::Language`]. Section names in
//! doc comments refer to "The Go Programming Language Specification".

mod decls;
mod definitions;
mod editor_text;
mod excluded;
mod flows;
mod hierarchy;
mod interface_names;
mod keepers;
mod language;
mod locations;
mod named_members;
pub mod project;
mod qualified;
mod reflection;
mod settings;
mod symbols;
#[cfg(test)]
mod tests;
mod types;
mod typing;
mod units;
mod universe;
mod uses;
mod wires;

pub use language::Go;
pub use settings::GoSettings;
