//! Requests and responses as plain data: serde, and no protocol types. `ide::api` re-exports them;
//! both frontends and the command line print them. Fields are in the order of docs/graph.md §3,
//! which is part of the wire format.

mod error;
mod fields;
mod operation;
mod request;
mod response;
mod words;

pub use error::*;
pub use fields::*;
pub(crate) use operation::{AnswerNouns, FileScope, LocalTargets, operation_table};
pub use operation::{Operation, RowOrder, TargetKinds};
pub use request::*;
pub use response::*;
pub use words::{found, open_sites, verdict};
