//! Test clients of both protocols, independent of the product's code: raw messages over any pipe or
//! socket, and the processes behind them.

mod agent;
mod editor;
mod sandbox;

pub use agent::{Agent, ToolResult};
pub use editor::Editor;
pub use sandbox::Sandbox;

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
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

/// Both directions of a connection.
struct Wire {
    output: Box<dyn Write + Send>,
    arrived: Receiver<TimedMessage>,
}

impl Wire {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.output.write_all(bytes)?;
        self.output.flush()
    }

    /// Waits for the next message.
    ///
    /// # Errors
    /// The deadline has passed, or the stream has ended.
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
