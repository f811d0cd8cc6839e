//! Question and answer as plain data: serde and nothing of a protocol. `ide::api` re-exports it,
//! both doors and the command line print it. Field order is the order of docs/graph.md §3, since
//! bytes count.

mod error;
mod fields;
mod request;
mod response;
mod words;

pub use error::*;
pub use fields::*;
pub use request::*;
pub use response::*;
pub use words::{found, verdict};
