//! The Language Server Protocol frontend, on an [`codeweft_workspace::AnalysisHost`].
//!
//! `initialize` is a pure function ([`initialize()`]), so that the proxy ([`proxy`]), which the
//! editor starts, answers it before a server is found. In the server, [`serve()`] runs a reader
//! thread, a writer thread and a message loop between them; the loop hands requests to the host,
//! never reads the database and never waits for an answer.
//!
//! ```text
//! editor <-stdio-> proxy <-socket-> reader -> message loop -> AnalysisHost
//!                                   writer <----- answers -------'
//! ```

mod capabilities;
mod document_changes;
mod framing;
mod initialize;
mod messages;
pub mod proxy;
mod queue;
mod requests;
mod session;
mod uri;

/// The notification of a proxy to another server than its first: the client's documents are as they
/// were.
const REPLAYED: &str = "$/codeweft/replayed";

pub use capabilities::NegotiatedCapabilities;
pub use initialize::{folders_of, initialize};
pub use session::{serve, serve_stream};
