//! A JSON-RPC connection of a test client, in the framing of its protocol.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

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

/// The framing of messages in a protocol.
pub(super) struct Framing {
    /// Reads the bytes of the next message; `None` at the end of the stream or of what can be read.
    pub read: fn(&mut dyn BufRead) -> Option<Vec<u8>>,
    /// Returns a message as it is written.
    pub write: fn(&Value) -> String,
}

/// Both directions of a connection, with the answers that were received and not yet waited for.
pub(super) struct Connection {
    output: Box<dyn Write + Send>,
    arrived: Receiver<TimedMessage>,
    framing: Framing,
    /// The id of the last request.
    last: i64,
    pub(super) answers: Vec<TimedMessage>,
}

impl Connection {
    /// Returns a connection over the server's ends of two pipes, or the two halves of a socket. A thread reads
    /// messages until the end of the stream or an invalid message.
    pub(super) fn over(
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
        framing: Framing,
    ) -> Connection {
        let (sender, arrived) = channel();
        let read = framing.read;
        thread::spawn(move || {
            let mut input = BufReader::new(input);
            while let Some(bytes) = read(&mut input) {
                let at = Instant::now();
                let Ok(message) = serde_json::from_slice(&bytes) else {
                    return;
                };
                if sender.send(TimedMessage { at, message }).is_err() {
                    return;
                }
            }
        });
        Connection {
            output: Box::new(output),
            arrived,
            framing,
            last: 0,
            answers: Vec::new(),
        }
    }

    /// Sends a request; returns its id.
    pub(super) fn request(&mut self, method: &str, params: Value) -> io::Result<i64> {
        self.last += 1;
        let id = self.last;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        Ok(id)
    }

    /// Sends a notification; returns the time before its first byte was written.
    pub(super) fn notify(&mut self, method: &str, params: Value) -> io::Result<Instant> {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    /// Sends a message; returns the time before its first byte was written.
    pub(super) fn write(&mut self, message: &Value) -> io::Result<Instant> {
        let framed = (self.framing.write)(message);
        let at = Instant::now();
        self.raw(framed.as_bytes())?;
        Ok(at)
    }

    /// Sends raw bytes.
    pub(super) fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.output.write_all(bytes)?;
        self.output.flush()
    }

    /// Waits for the next message.
    ///
    /// # Errors
    /// The deadline has passed, or the stream has ended.
    pub(super) fn next(&mut self, deadline: Instant) -> io::Result<TimedMessage> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.arrived
            .recv_timeout(left)
            .map_err(|error| match error {
                RecvTimeoutError::Timeout => io::Error::from(io::ErrorKind::TimedOut),
                RecvTimeoutError::Disconnected => io::Error::from(io::ErrorKind::UnexpectedEof),
            })
    }

    /// Takes the answer with an id, if it was received.
    pub(super) fn take_answer(&mut self, id: &Value) -> Option<TimedMessage> {
        let is_it = |arrived: &TimedMessage| arrived.message.get("id") == Some(id);
        let at = self.answers.iter().position(is_it)?;
        Some(self.answers.swap_remove(at))
    }
}

/// Returns the result in an answer.
///
/// # Errors
/// The answer is an error.
pub(super) fn result(method: &str, answer: &Value) -> io::Result<Value> {
    match answer.get("error") {
        Some(error) => Err(io::Error::other(format!("{method}: {error}"))),
        None => Ok(answer["result"].clone()),
    }
}
