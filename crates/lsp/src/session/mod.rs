//! The connection of an editor: a reader thread, a writer thread, and the message loop between them.
//! Entry points: [`serve`] and [`serve_stream`].

mod documents;
mod loading;
mod message_loop;
mod pending;

use std::io::{self, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use codeweft_workspace::AnalysisHost;
use lsp_server::ErrorCode;
use serde_json::Value;

use crate::NegotiatedCapabilities;
use crate::framing::{self, FrameError, MAX_CLIENT};
use crate::messages::{self, Incoming};
use crate::queue::{Queue, QueueSpace, TakeOutcome};
use message_loop::{LoopOutcome, MessageLoop};

/// The numbers of outgoing messages and bytes above which the client's next message is not handled.
const MAX_OUTGOING: usize = 64;
const MAX_OUTGOING_BYTES: usize = 16 << 20;

/// The numbers of incoming messages and bytes that may wait for the loop.
const MAX_INCOMING: usize = 256;
const MAX_INCOMING_BYTES: usize = 64 << 20;

/// The maximum time for which a client may read nothing while its queue is full.
const STALL_TIMEOUT: Duration = Duration::from_secs(10);

/// The maximum time for sending the last messages to a client that has said `exit`.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);

/// The number of bytes written at once, after which the write counts as progress.
const CHUNK: usize = 64 << 10;

/// An event of the message loop.
enum SessionEvent {
    Message(Incoming),
    /// The client has gone, or its stream cannot be read any further.
    End(io::Result<()>),
}

/// The messages to the client, in order.
#[derive(Clone)]
struct Outgoing(Arc<Queue<Vec<u8>>>);

impl Outgoing {
    /// Queues a message without waiting. Messages to a client that has gone are dropped.
    fn send(&self, content: &str) {
        let message = framing::framed(content.as_bytes());
        let bytes = message.len();
        self.0.put(message, bytes);
    }
}

/// Serves one editor over a socket, and shuts the socket down in the end, so that no thread keeps
/// waiting on it. See [`serve`].
///
/// # Errors
/// The errors of [`serve`].
pub fn serve_stream(
    host: &AnalysisHost,
    capabilities: &NegotiatedCapabilities,
    client_name: &str,
    stream: UnixStream,
    replayed: &dyn Fn(),
) -> io::Result<()> {
    let (input, output) = (stream.try_clone()?, stream.try_clone()?);
    let served = serve(host, capabilities, client_name, input, output, replayed);
    // An error means that the peer has gone already.
    let _ = stream.shutdown(Shutdown::Both);
    served
}

/// Serves one editor until it says `exit` or disconnects, and blocks until then. The proxy has
/// answered its `initialize` already; if the first message is `initialize` all the same, it is
/// answered as well. `replayed` is called when the proxy, whose former server has ended, has sent the
/// client's documents; the client's next message is handled afterwards. A thread may remain that waits in `input` or `output`: the caller closes them
/// afterwards.
///
/// # Errors
/// The client sent an invalid frame, or read nothing for too long, or the stream broke, or a thread
/// could not be started.
pub fn serve(
    host: &AnalysisHost,
    capabilities: &NegotiatedCapabilities,
    client_name: &str,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    replayed: &dyn Fn(),
) -> io::Result<()> {
    let inbox = Arc::new(Queue::new(MAX_INCOMING, MAX_INCOMING_BYTES));
    let outgoing = Outgoing(Arc::new(Queue::new(MAX_OUTGOING, MAX_OUTGOING_BYTES)));
    spawn("codeweft-lsp-read", {
        let inbox = inbox.clone();
        move || read_all(input, &inbox)
    })?;
    let writer = spawn("codeweft-lsp-write", {
        let (inbox, outgoing) = (inbox.clone(), outgoing.clone());
        move || write_all(output, &outgoing.0, &inbox)
    });
    if let Err(error) = writer {
        inbox.abandon();
        return Err(error);
    }
    let mut session = MessageLoop::new(host, capabilities, client_name, outgoing.clone());
    let ended = run(&mut session, &inbox, &outgoing, replayed);
    inbox.abandon();
    // Cancels pending requests and closes the client's documents.
    drop(session);
    outgoing.0.close();
    outgoing.0.drained(EXIT_TIMEOUT);
    outgoing.0.abandon();
    ended
}

fn run(
    session: &mut MessageLoop,
    inbox: &Queue<SessionEvent>,
    outgoing: &Outgoing,
    replayed: &dyn Fn(),
) -> io::Result<()> {
    loop {
        match outgoing.0.wait_for_space(STALL_TIMEOUT) {
            QueueSpace::Yes => {}
            QueueSpace::Stuck => {
                let words = "the client has read nothing for too long";
                return Err(io::Error::new(io::ErrorKind::TimedOut, words));
            }
            QueueSpace::Closed => return Ok(()),
        }
        match inbox.take(session.poll_interval()) {
            TakeOutcome::Item(SessionEvent::Message(message)) => match session.handle(message) {
                LoopOutcome::On => {}
                LoopOutcome::Replayed => {
                    replayed();
                    session.wait_for_all_changes();
                }
                LoopOutcome::End => return Ok(()),
            },
            TakeOutcome::Item(SessionEvent::End(ended)) => return ended,
            TakeOutcome::Nothing => {}
            TakeOutcome::Closed => return Ok(()),
        }
        session.poll();
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(work)
        .map(drop)
}

fn read_all(input: impl Read, inbox: &Queue<SessionEvent>) {
    let mut input = BufReader::new(input);
    loop {
        while inbox.wait_for_space(STALL_TIMEOUT) == QueueSpace::Stuck {
            // The loop is waiting for the client to read; that wait has a limit of its own.
        }
        let (event, bytes, last) = match framing::read(&mut input, MAX_CLIENT) {
            Ok(Some(content)) => (
                SessionEvent::Message(messages::parse(&content)),
                content.len(),
                false,
            ),
            Ok(None) => (SessionEvent::End(Ok(())), 0, true),
            Err(FrameError::Io(error)) => (SessionEvent::End(gone_or(error)), 0, true),
            Err(FrameError::Bad(words)) => {
                let complaint = messages::error(ErrorCode::ParseError, words);
                let complaint = SessionEvent::Message(Incoming::Bad(Value::Null, complaint));
                inbox.put(complaint, 0);
                let error = io::Error::new(io::ErrorKind::InvalidData, words);
                (SessionEvent::End(Err(error)), 0, true)
            }
        };
        if !inbox.put(event, bytes) || last {
            return;
        }
    }
}

/// Treats a reset socket or a message cut short as a normal end: both are left by a client that is
/// killed.
fn gone_or(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::ConnectionReset | io::ErrorKind::UnexpectedEof => Ok(()),
        _ => Err(error),
    }
}

fn write_all(mut output: impl Write, outgoing: &Queue<Vec<u8>>, inbox: &Queue<SessionEvent>) {
    loop {
        let message = match outgoing.take(STALL_TIMEOUT) {
            TakeOutcome::Item(message) => message,
            TakeOutcome::Nothing => continue,
            TakeOutcome::Closed => return,
        };
        let written = message.chunks(CHUNK).try_for_each(|chunk| {
            output.write_all(chunk)?;
            outgoing.moved();
            Ok(())
        });
        if written.and_then(|()| output.flush()).is_err() {
            // The client reads no more.
            outgoing.abandon();
            inbox.put(SessionEvent::End(Ok(())), 0);
            return;
        }
    }
}
