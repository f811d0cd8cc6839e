//! Lines on their way to a writer.

use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc::{self, OwnedPermit, Receiver, Sender};
use tokio::task::JoinHandle;

/// How many lines wait for a writer before whoever makes them is no longer read.
const LINES: usize = 64;

/// One end of a queue of lines. Room is waited for apart from putting, so that one loop can wait
/// for many things and never for a slow reader alone.
pub(super) struct Queue {
    sender: Sender<Vec<u8>>,
    room: Option<OwnedPermit<Vec<u8>>>,
    closed: bool,
}

impl Queue {
    /// A queue and its other end.
    pub(super) fn new() -> (Queue, Receiver<Vec<u8>>) {
        let (sender, receiver) = mpsc::channel(LINES);
        let queue = Queue {
            sender,
            room: None,
            closed: false,
        };
        (queue, receiver)
    }

    /// Whether a line can be put; one that is put where nobody reads any more is dropped.
    pub(super) fn has_room(&self) -> bool {
        self.room.is_some() || self.closed
    }

    /// Whether nobody reads any more.
    pub(super) fn is_closed(&self) -> bool {
        self.closed || self.sender.is_closed()
    }

    /// Comes when there is room.
    pub(super) async fn wait(&mut self) {
        match self.sender.clone().reserve_owned().await {
            Ok(room) => self.room = Some(room),
            Err(_) => self.closed = true,
        }
    }

    /// Puts a line; it is dropped where there is no room.
    pub(super) fn put(&mut self, line: Vec<u8>) {
        if let Some(room) = self.room.take() {
            room.send(line);
        }
    }
}

/// Writes the lines of a queue until its end, each with an end of line; then closes the stream.
pub(super) fn write(
    mut lines: Receiver<Vec<u8>>,
    mut to: impl AsyncWrite + Unpin + Send + 'static,
) -> JoinHandle<()> {
    tokio::spawn(async move {
        while let Some(mut line) = lines.recv().await {
            line.push(b'\n');
            // Dropping the receiver says that nobody reads any more.
            if to.write_all(&line).await.is_err() || to.flush().await.is_err() {
                return;
            }
        }
        // What cannot be closed is closed.
        let _ = to.shutdown().await;
    })
}
