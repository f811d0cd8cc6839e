//! Files beside the code that say what services there are and how they talk: contracts (OpenAPI, AsyncAPI, JSON Schema,
//! protobuf) and deployments (Dockerfiles, compose files, Kubernetes manifests, environment files).
//!
//! ```text
//! text ─ read ─> Tree {nodes with byte ranges, errors}  ─┬─> Contract {operations, channels, schemas, rpcs}
//!                                                        └─> Deployment {services, images, environment}
//! ```
//!
//! All are pure functions of texts. A broken text is no error: what can be read is kept, and [`Tree::errors`] has the rest. A
//! contract names its nodes by number and has no offsets, so that an edit that only moves text leaves it equal.

pub mod contract;
pub mod deployment;
mod dockerfile;
mod environment;
mod format;
mod lang;
mod paths;
mod proto;
mod tree;
mod value;
mod yaml;

pub use dockerfile::read_dockerfile;
pub use environment::read_environment;
pub use format::Format;
pub use lang::{DOCUMENT, MAX_DOCUMENT_SIZE, is_document};
pub use paths::joined;
pub use proto::read_proto;
pub use tree::{NodeId, ReadError, Tree};
pub use value::{Reader, Value};
pub use yaml::{read_json, read_yaml};
