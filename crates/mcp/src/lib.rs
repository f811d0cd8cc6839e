//! The Model Context Protocol frontend over JSON-RPC with one message a line: the tools of `tools`, and resources and prompts
//! that are made of their answers.
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

mod completions;
mod handler;
mod lifecycle;
mod lines;
mod offer;
mod progress;
mod prompts;
mod proxy;
mod question;
mod resources;
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
