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
//! Entry points: [`execute()`] for requests, [`analyze`] for analyses of the whole workspace, [`editor`] for editors,
//! [`export`] for whole graphs.
//!
//! This crate knows no language's rules. [`languages`] lists the languages and is the only module
//! that names one.

mod analysis;
pub mod answer;
mod call_graph;
pub mod change;
mod completeness;
mod covered_languages;
pub mod editor;
mod execute;
pub mod export;
mod fan_out;
mod flow;
mod imports;
pub mod languages;
mod link;
mod memo;
mod mentions;
mod operations;
mod outline;
mod pattern;
pub mod public_names;
mod query_context;
mod reachability;
mod rendering;
mod resolve_ahead;
mod revision_cache;
mod search;
mod search_names;
pub mod shaping;
mod symbols;
mod targets;
mod targets_of_sites;
mod type_graph;
mod units;
mod visibility;

pub use analysis::analyze;
pub use execute::{execute, join_units, solve_value_flow};
pub use query_context::QueryOptions;
pub use rendering::narrowing;
pub use revision_cache::RevisionCache;

#[cfg(test)]
mod tests;
