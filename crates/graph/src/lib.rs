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
pub mod export;
mod fan_out;
mod flow;
mod hierarchy;
mod ids;
mod kept;
pub mod languages;
mod link;
mod node;
mod operations;
mod path;
mod pattern;
mod question;
mod render;
mod runs;
mod shown;
mod targets;
mod traversal;
mod twins;
mod units;
mod unread;
mod verdict;
mod ways_in;

pub use ask::{ask, ask_keeping, ask_of, ask_whole, follow_values};
pub use editor::{Graph, Linked, Used, token};
pub use kept::Kept;

#[cfg(test)]
mod tests;
