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
mod builder;
mod code;
mod code_layer;
mod code_stamp;
pub mod documents;
mod facts;
pub mod graph;
mod handlers;
mod ids;
mod kept;
mod ranks;
pub mod recognisers;
mod services;
mod settings;
pub mod tools;
mod wires;

pub use build::{build, has_services_or_contracts, ranked};
pub use facts::GraphSource;
pub use kept::{BuiltGraph, KeptGraph, MAX_AGE};
pub use services::DeclaredService;
pub use settings::KnowledgeSettings;
