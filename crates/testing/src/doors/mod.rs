//! Clients of both doors as strangers write them: raw messages over any pipe or socket, and the
//! processes behind them.

mod agent;
mod editor;
mod site;

pub use agent::{Agent, ToolResult};
pub use editor::Editor;
pub use site::TestSite;

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long a client waits for what must come.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A message and when its last byte was read.
#[derive(Clone, Debug)]
pub struct TimedMessage {
    /// When.
    pub at: Instant,
    /// What.
    pub message: Value,
}

/// The two ends of a conversation.
struct Wire {
    output: Box<dyn Write + Send>,
    arrived: Receiver<TimedMessage>,
}

impl Wire {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.output.write_all(bytes)?;
        self.output.flush()
    }

    /// The next message, or why there is none.
    fn next(&mut self, deadline: Instant) -> io::Result<TimedMessage> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.arrived
            .recv_timeout(left)
            .map_err(|error| match error {
                RecvTimeoutError::Timeout => io::Error::from(io::ErrorKind::TimedOut),
                RecvTimeoutError::Disconnected => io::Error::from(io::ErrorKind::UnexpectedEof),
            })
    }
}
