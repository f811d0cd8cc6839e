//! The editor's door: the Language Server Protocol on a Host.
//!
//! `initialize` is a pure function ([`initialize`]), so that the thin half ([`thin`]) answers it
//! before any server is found. The other half ([`serve`]) reads messages on one thread, writes them
//! on another, and between them a loop hands questions to the Host: it never reads the database
//! and never waits for an answer.

mod decided;
mod framing;
mod initialize;
mod messages;
mod queue;
mod requests;
mod session;
pub mod thin;
mod uri;

pub use decided::NegotiatedCapabilities;
pub use initialize::{initialize, root_of};
pub use session::{serve, serve_stream};
