//! The knowledge graph of a workspace: services, contracts, endpoints, events and entities, joined to the code.

mod code;
pub mod documents;
pub mod graph;
mod ranks;
