//! The server process of a workspace: how clients find it, claim the right to be it, start it and talk to it.
//! [`serve()`] runs it; [`connect()`] and [`attach`] reach it.
//!
//! A workspace has one server. It holds `flock(.codeweft/lock)` for life and records in
//! `.codeweft/server.json` where it listens. The socket is in a folder that is private to the user; the uid
//! of each peer is checked again before a byte is read.
//!
//! ```text
//! client                                         server process
//! connect: for each socket of SocketPaths        ServerClaim: lock .codeweft/lock, make the private folder,
//!   dial, check the uid of the peer                bind sock.PID, rename it to sock, write the record
//!   none answers: start a process, dial again    serve: accept, check the uid of the peer
//!   "CW1\n" + length + Hello (JSON)  ──────────>   compare root, version, settings, environment
//!   Welcome | progress | Refusal     <──────────
//!   the frontend's own bytes (lsp, mcp, ctl) <──>  the frontend's session
//! ```

mod build_id;
mod claim;
mod connect;
mod control;
pub mod environment;
mod hello;
mod lock;
mod private_files;
mod programs;
mod returning_editors;
mod serve;
mod socket_folder;
mod workspace_folder;

pub use build_id::{build, version};
pub use claim::{ClaimError, ListenError, Listening, ServerClaim};
pub use connect::{ConnectError, ServerConnection, attach, connect};
pub use control::{ControlClient, ControlQuestion, ControlRequest};
pub use hello::{Frontend, Hello, HelloReply, Refusal, RefusalReason, ServerProgress, Welcome};
pub use lock::FileLock;
pub use serve::{Frontends, ServeEditor, ServeFrontend, ServeOptions, ShutdownSignal, serve};
pub use socket_folder::{SocketFolder, SocketPaths, UnsafeFolder};
pub use workspace_folder::{ServerRecord, WorkspaceFolder};

#[cfg(test)]
mod tests;
