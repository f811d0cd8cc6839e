//! The agent's door: one tool, `cortex_graph`, over the Model Context Protocol, one message a line.
//!
//! [`serve`] answers one client from a live [`codeweft_ide::AnalysisHost`]. [`thin`] stands between a
//! client's pipes and such a server: it answers the handshake and the lists itself, by the same
//! handler without a Host, so that nobody waits for a start; all else goes to the server.

mod gate;
mod handler;
mod instructions;
mod lines;
mod schema;
mod serve;
mod session;
mod stdio;
mod text;
mod thin;

pub use instructions::INSTRUCTIONS;
pub use schema::{TOOL, tool};
pub use serve::serve;
pub use stdio::stdio;
pub use thin::{Ending, thin};

/// The longest message of a client that is read, in bytes.
const MAX_LINE: usize = 4 << 20;
