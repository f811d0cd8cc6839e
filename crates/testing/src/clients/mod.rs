//! Test clients of both protocols, independent of the product's code: raw messages over any pipe or
//! socket, and the processes behind them.

mod agent;
mod connection;
mod editor;
mod sandbox;

pub use agent::{Agent, ToolResult};
pub use editor::Editor;
pub use sandbox::Sandbox;

use std::time::{Duration, Instant};

use serde_json::Value;

/// The time for which a client waits for an expected message.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A message with the time at which its last byte was read.
#[derive(Clone, Debug)]
pub struct TimedMessage {
    /// The time.
    pub at: Instant,
    /// The message.
    pub message: Value,
}
