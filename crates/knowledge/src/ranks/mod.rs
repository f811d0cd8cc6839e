//! Ranks and communities of a graph.

mod adjacency;
mod louvain;
mod pagerank;

pub(crate) use adjacency::Adjacency;
pub(crate) use louvain::communities;
pub(crate) use pagerank::pagerank;
