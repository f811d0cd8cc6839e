//! Nodes, edges and the operations of the code graph: plain functions that fan out over units.
//!
//! This room knows no language's rules; the list of languages is [`languages`], and nothing else
//! here names one.

pub mod answer;
