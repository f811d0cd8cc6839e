//! The Model Context Protocol frontend: the tools of `tools` over JSON-RPC with one message a line.
//!
//! [`serve()`] answers one client from a live [`codeweft_workspace::AnalysisHost`]. [`run_proxy`] runs in
//! the process that the client starts: it answers the handshake and the lists itself, by the same
//! handler without a host, so that no client waits for a start, and forwards everything else to the
//! server.
//!
//! ```text
//! client <-stdio-> proxy <-socket-> session -> AnalysisHost
//!                    |
//!                    '-> built-in handler (initialize, tools/list, ...)
//! ```

mod handler;
mod lifecycle;
mod lines;
mod offer;
mod progress;
mod proxy;
mod serve;
mod session;
mod stdio;
mod tools;

pub use proxy::{run_proxy, run_proxy_with};
pub use serve::serve;
pub use stdio::stdio;
pub use tools::ToolChoice;

/// The maximum length of a client's message, in bytes.
const MAX_LINE: usize = 4 << 20;
