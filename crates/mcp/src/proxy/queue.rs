//! Bounded queues of lines to a writer.

use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc::{self, OwnedPermit, Receiver, Sender};
use tokio::task::JoinHandle;

/// The maximum number of queued lines; at this number their producer is no longer read.
const LINES: usize = 64;

/// The sending end of a queue of lines. Waiting for a permit is separate from putting, so that one loop
/// can wait for many events and is never blocked by one slow reader.
pub(super) struct Queue {
    sender: Sender<Vec<u8>>,
    permit: Option<OwnedPermit<Vec<u8>>>,
    closed: bool,
}

impl Queue {
    /// Returns a queue and its receiving end.
    pub(super) fn new() -> (Queue, Receiver<Vec<u8>>) {
        let (sender, receiver) = mpsc::channel(LINES);
        let queue = Queue {
            sender,
            permit: None,
            closed: false,
        };
        (queue, receiver)
    }

    /// Returns whether a line can be put. True for a closed queue as well, which drops the line.
    pub(super) fn can_put(&self) -> bool {
        self.permit.is_some() || self.closed
    }

    /// Returns whether the receiving end is closed.
    pub(super) fn is_closed(&self) -> bool {
        self.closed || self.sender.is_closed()
    }

    /// Waits until a line can be put.
    pub(super) async fn wait(&mut self) {
        match self.sender.clone().reserve_owned().await {
            Ok(permit) => self.permit = Some(permit),
            Err(_) => self.closed = true,
        }
    }

    /// Puts a line; it is dropped if there is no permit.
    pub(super) fn put(&mut self, line: Vec<u8>) {
        if let Some(permit) = self.permit.take() {
            permit.send(line);
        }
    }
}

/// Spawns a task that writes the lines of a queue, each with a line end, until the queue ends, and
/// then closes the stream.
pub(super) fn write(
    mut lines: Receiver<Vec<u8>>,
    mut to: impl AsyncWrite + Unpin + Send + 'static,
) -> JoinHandle<()> {
    tokio::spawn(async move {
        while let Some(mut line) = lines.recv().await {
            line.push(b'\n');
            // Dropping the receiver closes the queue.
            if to.write_all(&line).await.is_err() || to.flush().await.is_err() {
                return;
            }
        }
        // An error means that the stream is closed already.
        let _ = to.shutdown().await;
    })
}
