//! The code graph: its nodes and edges, and the operations of the `cortex_graph` tool.
//!
//! Nothing here is a salsa query. An operation is a plain function over a
//! `QueryContext`: it reads the language crates' queries through
//! [`codeweft_db::Language`], fans out over units on several threads, and merges the per-unit
//! results outside salsa (see [`RevisionCache`]), so an edit invalidates nothing beyond its own
//! file's queries.
//!
//! ```text
//! GraphRequest -> targets (text to symbols) -> operations (walks over edges)
//!              -> completeness (unresolved sites that could belong to the answer)
//!              -> filtering (scope, limits) -> render (ranges, code) -> GraphResponse
//! ```
//!
//! Entry points: [`execute()`] and its variants for requests, [`EditorGraph`] for editors, [`export`]
//! for whole graphs.
//!
//! This crate knows no language's rules. [`languages`] lists the languages and is the only module
//! that names one.

pub mod answer;
mod classes;
mod completeness;
mod context;
mod conversions;
mod dispatch;
mod edges;
mod editor;
mod embedded;
mod escapes;
mod execute;
pub mod export;
mod fan_out;
mod filtering;
mod flow;
mod hierarchy;
mod ids;
mod incomplete_files;
pub mod languages;
mod link;
mod method_resolution;
mod node;
mod operations;
mod path;
mod pattern;
mod query_context;
mod render;
mod revision_cache;
mod super_calls;
mod targets;
mod targets_of_sites;
mod traversal;
mod units;
mod unresolved_sites;
mod verdict;

pub use editor::{EditorGraph, NameUse, Neighbour, token};
pub use execute::{execute, execute_cached, execute_in_languages, execute_uncut, solve_value_flow};
pub use revision_cache::RevisionCache;

#[cfg(test)]
mod tests;
