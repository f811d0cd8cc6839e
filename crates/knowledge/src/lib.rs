//! The knowledge graph of a workspace: services, contracts, endpoints, events and entities, joined to the code.
//!
//! ```text
//! documents ── contracts, deployments ─┐
//!                                      ├── build ── Graph {nodes, edges, ranks, communities, errors}
//! code ─────── symbols, edges ─────────┘
//! ```
//!
//! Documents are read by queries, one a document. The graph is a plain function of their results and of the code graph, so
//! that it is that of a fresh database after any edit.

mod build;
mod code;
pub mod documents;
pub mod graph;
mod handlers;
mod ranks;
pub mod recognisers;
mod services;
pub mod tools;
mod wires;

pub use build::{KnowledgeSettings, build};
pub use services::DeclaredService;
