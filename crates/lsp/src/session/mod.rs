//! One editor's connection: a thread that reads, a thread that writes, and the loop between.

mod documents;
mod loading;
mod looped;
mod pending;

use std::io::{self, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use codeweft_ide::AnalysisHost;
use lsp_server::ErrorCode;
use serde_json::Value;

use crate::NegotiatedCapabilities;
use crate::framing::{self, FrameError, MAX_CLIENT};
use crate::messages::{self, Incoming};
use crate::queue::{Queue, QueueRoom, TakeOutcome};
use looped::{LoopOutcome, MessageLoop};

/// How many messages, and how many bytes of them, wait for the client before it is asked nothing
/// more and told nothing more.
const MOST_OUT: usize = 64;
const MOST_OUT_BYTES: usize = 16 << 20;

/// How many messages of the client, and how many bytes of them, wait for the loop.
const MOST_IN: usize = 256;
const MOST_IN_BYTES: usize = 64 << 20;

/// How long a client may read nothing while the queue to it is full.
const STUCK: Duration = Duration::from_secs(10);

/// How long what was said last may take to reach a client that has said `exit`.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How many bytes are written before that counts as something read.
const CHUNK: usize = 64 << 10;

/// What the loop hears of.
enum SessionEvent {
    Message(Incoming),
    /// The client has gone, or nothing that it says can be understood any more.
    End(io::Result<()>),
}

/// Messages to the client, in order.
#[derive(Clone)]
struct Outgoing(Arc<Queue<Vec<u8>>>);

impl Outgoing {
    /// Queues a message; never waits. A client that has gone is told nothing.
    fn say(&self, content: &str) {
        let message = framing::framed(content.as_bytes());
        let bytes = message.len();
        self.0.put(message, bytes);
    }
}

/// Serves one editor over a socket, and shuts it down in the end, so that no thread stays in it.
/// See [`serve`].
///
/// # Errors
/// As of [`serve`].
pub fn serve_stream(
    host: &AnalysisHost,
    decided: &NegotiatedCapabilities,
    client_name: &str,
    stream: UnixStream,
) -> io::Result<()> {
    let (input, output) = (stream.try_clone()?, stream.try_clone()?);
    let served = serve(host, decided, client_name, input, output);
    // A peer that has gone already is as good.
    let _ = stream.shutdown(Shutdown::Both);
    served
}

/// Serves one editor until it says `exit` or goes. Its `initialize` was answered already; a stream
/// whose first message is `initialize` is answered as well. Blocks. A thread may be left that waits
/// in `input` or `output`: who made them closes them then.
///
/// # Errors
/// The client wrote what is no message, or read nothing for too long, or the stream broke; or a
/// thread could not be started.
pub fn serve(
    host: &AnalysisHost,
    decided: &NegotiatedCapabilities,
    client_name: &str,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let inbox = Arc::new(Queue::new(MOST_IN, MOST_IN_BYTES));
    let outgoing = Outgoing(Arc::new(Queue::new(MOST_OUT, MOST_OUT_BYTES)));
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
    let mut session = MessageLoop::new(host, decided, client_name, outgoing.clone());
    let ended = run(&mut session, &inbox, &outgoing);
    inbox.abandon();
    // Cancels what is asked and closes the documents.
    drop(session);
    outgoing.0.close();
    outgoing.0.drained(LAST_WORDS);
    outgoing.0.abandon();
    ended
}

fn run(
    session: &mut MessageLoop,
    inbox: &Queue<SessionEvent>,
    outgoing: &Outgoing,
) -> io::Result<()> {
    loop {
        match outgoing.0.room(STUCK) {
            QueueRoom::Yes => {}
            QueueRoom::Stuck => {
                let words = "the client has read nothing for too long";
                return Err(io::Error::new(io::ErrorKind::TimedOut, words));
            }
            QueueRoom::Closed => return Ok(()),
        }
        match inbox.take(session.pause()) {
            TakeOutcome::Item(SessionEvent::Message(message)) => {
                if session.hear(message) == LoopOutcome::End {
                    return Ok(());
                }
            }
            TakeOutcome::Item(SessionEvent::End(ended)) => return ended,
            TakeOutcome::Nothing => {}
            TakeOutcome::Closed => return Ok(()),
        }
        session.look();
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
        while inbox.room(STUCK) == QueueRoom::Stuck {
            // The loop waits for the client to read; that has its own end.
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

/// A client that is killed leaves a socket that is reset, or a message half written.
fn gone_or(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::ConnectionReset | io::ErrorKind::UnexpectedEof => Ok(()),
        _ => Err(error),
    }
}

fn write_all(mut output: impl Write, outgoing: &Queue<Vec<u8>>, inbox: &Queue<SessionEvent>) {
    loop {
        let message = match outgoing.take(STUCK) {
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
            // Nobody reads any more.
            outgoing.abandon();
            inbox.put(SessionEvent::End(Ok(())), 0);
            return;
        }
    }
}
