//! Nodes, edges and the operations of the code graph: plain functions that fan out over units.
//!
//! This room knows no language's rules; the list of languages is [`languages`], and nothing else
//! here names one.

pub mod answer;
mod ask;
mod behind;
mod classes;
mod completeness;
mod context;
mod conversions;
mod dispatch;
mod edges;
mod editor;
mod embedded;
mod escapes;
pub mod export;
mod fan_out;
mod filtering;
mod flow;
mod hierarchy;
mod ids;
mod incomplete_files;
pub mod languages;
mod link;
mod node;
mod operations;
mod path;
mod pattern;
mod query_context;
mod render;
mod revision_cache;
mod runs;
mod targets;
mod targets_of_sites;
mod traversal;
mod units;
mod verdict;

pub use ask::{ask, ask_keeping, ask_of, ask_whole, follow_values};
pub use editor::{EditorGraph, NameUse, Neighbour, token};
pub use revision_cache::RevisionCache;

#[cfg(test)]
mod tests;
