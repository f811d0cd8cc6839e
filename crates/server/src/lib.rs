//! The server of a workspace and how clients find it: the folder of its socket, the locks, the
//! hello, the start.
//!
//! A workspace has one server, for whoever asks first. It holds `flock(.codeweft/lock)` for life
//! and tells in `.codeweft/server.json` where it listens. The socket lies in a folder that is
//! private to the user; who connects is checked again by uid before a byte is read.

mod build_id;
mod claim;
mod connect;
mod control;
pub mod environment;
mod hello;
mod lock;
mod private_files;
mod serve;
mod socket_folder;
mod workspace_folder;

pub use build_id::{build, version};
pub use claim::{ClaimError, Listening, ServerClaim};
pub use connect::{ConnectError, ServerConnection, attach, connect};
pub use control::{ControlClient, ControlRequest};
pub use hello::{Frontend, Hello, HelloReply, Refusal, RefusalReason, ServerProgress, Welcome};
pub use lock::FileLock;
pub use serve::{Frontends, ServeFrontend, ServeOptions, ShutdownSignal, serve};
pub use socket_folder::{SocketFolder, SocketPaths, UnsafeFolder};
pub use workspace_folder::{ServerRecord, WorkspaceFolder};

#[cfg(test)]
mod tests;
