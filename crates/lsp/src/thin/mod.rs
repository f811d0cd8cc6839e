//! The half that an editor starts: it answers `initialize` itself, finds the server behind, and
//! from then on carries messages both ways.

mod link;

use std::borrow::Cow;
use std::io::{self, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use codeweft_ide::root;
use lsp_server::{ErrorCode, RequestId};
use lsp_types::MessageType;
use serde::Deserialize;
use serde_json::Value;

use crate::framing::{self, FrameError, MAX_CLIENT, MAX_SERVER};
use crate::messages::{self, Incoming, error};
use crate::{NegotiatedCapabilities, initialize, root_of, uri};
use link::ServerLink;

/// How many messages of the editor wait to be looked at.
const MOST_WAITING: usize = 16;

/// How many bytes of the editor wait for the server: its open documents, mostly.
const MOST_KEPT: usize = 256 << 20;

/// How long the server may take to end after `exit`.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What the main thread hears of.
enum ThinEvent {
    Client(Vec<u8>),
    /// The editor has gone, or nothing that it says can be understood any more: why.
    ClientEnd(Option<&'static str>),
    Connected(io::Result<UnixStream>),
    ServerEnd,
}

/// How far the connection to the server is.
enum ServerState {
    /// No folder is named yet: the first opened file will name it.
    Nowhere,
    /// It is being found; what was said meanwhile.
    Sought(Vec<Vec<u8>>),
    Found(UnixStream),
    /// It has ended, after `shutdown`.
    Ended,
}

/// Serves an editor: gives the exit code of the process (LSP, `exit`: 0 after `shutdown`, else 1).
///
/// `given` is the root that the user named; without it `initialize` names it, or the first opened
/// file. `connect` gets the root (canonical), what `initialize` decided, and the editor's name; it
/// runs on a thread of its own, and nothing waits for it. `log` gets lines for people.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    given: Option<PathBuf>,
    connect: impl FnOnce(&Path, &NegotiatedCapabilities, &str) -> io::Result<UnixStream>
    + Send
    + 'static,
    log: impl Fn(&str),
) -> u8 {
    let (sender, events) = sync_channel(MOST_WAITING);
    let link = ServerLink::default();
    let reader = spawn("codeweft-lsp-stdin", {
        let (sender, link) = (sender.clone(), link.clone());
        move || read_client(input, &sender, &link)
    });
    if let Err(error) = reader {
        log(&format!("no thread could be started: {error}"));
        return 1;
    }
    let mut thin = ThinClient {
        output: Arc::new(Mutex::new(output)),
        sender,
        link: link.clone(),
        connect: Some(connect),
        log,
        decided: NegotiatedCapabilities::default(),
        client_name: String::new(),
        server: ServerState::Nowhere,
        early: Vec::new(),
        kept: 0,
        shutdown: false,
    };
    let code = thin.greet(&events, given).unwrap_or_else(|| {
        loop {
            let Ok(event) = events.recv() else {
                break 1;
            };
            if let Some(code) = thin.hear(event, &events) {
                break code;
            }
        }
    });
    link.end();
    code
}

struct ThinClient<W, C, L> {
    output: Arc<Mutex<W>>,
    sender: SyncSender<ThinEvent>,
    link: ServerLink,
    connect: Option<C>,
    log: L,
    decided: NegotiatedCapabilities,
    client_name: String,
    server: ServerState,
    /// Notifications from before a root was known.
    early: Vec<Vec<u8>>,
    /// The bytes that wait for the server.
    kept: usize,
    shutdown: bool,
}

impl<W, C, L> ThinClient<W, C, L>
where
    W: Write + Send + 'static,
    C: FnOnce(&Path, &NegotiatedCapabilities, &str) -> io::Result<UnixStream> + Send + 'static,
    L: Fn(&str),
{
    /// Answers `initialize` and begins to look for the server. Gives an exit code where it ends
    /// before.
    fn greet(&mut self, events: &Receiver<ThinEvent>, given: Option<PathBuf>) -> Option<u8> {
        let params = loop {
            let content = match events.recv() {
                Ok(ThinEvent::Client(content)) => content,
                Ok(ThinEvent::ClientEnd(wrong)) => return Some(self.client_ended(wrong)),
                _ => return Some(1),
            };
            match messages::parse(&content) {
                Incoming::Request(request) if request.method == "initialize" => {
                    let (result, decided) = initialize(&request.params);
                    self.decided = decided;
                    self.say(&messages::answer(&request.id, Ok(result.to_string())));
                    break request.params;
                }
                Incoming::Request(request) => {
                    let words = "initialize comes first";
                    self.refuse(&request.id, ErrorCode::ServerNotInitialized, words);
                }
                Incoming::Notification(notification) if notification.method == "exit" => {
                    return Some(1);
                }
                Incoming::Notification(_) | Incoming::Response(_) => {}
                Incoming::Bad(id, error) => self.say(&messages::refusal(&id, &error)),
            }
        };
        self.client_name = crate::initialize::client_name(&params).to_owned();
        let named = given.is_some();
        if let Some(folder) = given.or_else(|| root_of(&params)) {
            let found = if named {
                root::find(Some(&folder), Path::new("/"))
            } else {
                root::find(None, &folder)
            };
            match found {
                Ok(root) => self.seek(root),
                Err(error) => self.tell(MessageType::Warning, &error.to_string()),
            }
        }
        None
    }

    /// Something has happened. Gives the exit code where that was the end.
    fn hear(&mut self, event: ThinEvent, events: &Receiver<ThinEvent>) -> Option<u8> {
        match event {
            ThinEvent::Client(content) => {
                let head = MessageHead::of(&content);
                match (&mut self.server, head.as_str()) {
                    (ServerState::Found(stream), "exit") => {
                        // Where it has gone, the end is the same.
                        let _ = framing::write(stream, &content);
                        self.await_server(events);
                        Some(u8::from(!self.shutdown))
                    }
                    (ServerState::Found(stream), head) => {
                        self.shutdown |= head == "shutdown";
                        // A server that has gone is heard of as an event.
                        let _ = framing::write(stream, &content);
                        None
                    }
                    (_, "exit") => Some(u8::from(!self.shutdown)),
                    _ => self.alone(content),
                }
            }
            ThinEvent::ClientEnd(wrong) => Some(self.client_ended(wrong)),
            ThinEvent::Connected(Ok(stream)) => self.connected(stream),
            ThinEvent::Connected(Err(error)) => {
                let words = format!("no server, and none could be started: {error}");
                self.tell(MessageType::Error, &words);
                Some(1)
            }
            // We have ended the connection ourselves: why is heard next.
            ThinEvent::ServerEnd if self.link.has_ended() => None,
            ThinEvent::ServerEnd if self.shutdown => {
                self.server = ServerState::Ended;
                None
            }
            ThinEvent::ServerEnd => {
                let words = "the server has ended; start the language server again";
                self.tell(MessageType::Error, words);
                Some(1)
            }
        }
    }

    /// A message that the server does not get now.
    fn alone(&mut self, content: Vec<u8>) -> Option<u8> {
        let incoming = messages::parse(&content);
        if self.shutdown {
            if let Incoming::Request(request) = incoming {
                self.refuse(
                    &request.id,
                    ErrorCode::InvalidRequest,
                    "there was a shutdown",
                );
            }
            return None;
        }
        match incoming {
            Incoming::Request(request) if request.method == "shutdown" => {
                self.shutdown = true;
                self.give_up_kept();
                self.say(&messages::answer(&request.id, Ok("null".to_owned())));
                return None;
            }
            Incoming::Request(request) if matches!(self.server, ServerState::Nowhere) => {
                // A question about no workspace: nothing.
                self.say(&messages::answer(&request.id, Ok("null".to_owned())));
                return None;
            }
            Incoming::Bad(id, error) => {
                self.say(&messages::refusal(&id, &error));
                return None;
            }
            Incoming::Notification(notification)
                if matches!(self.server, ServerState::Nowhere)
                    && notification.method == "textDocument/didOpen" =>
            {
                let uri = notification.params.pointer("/textDocument/uri");
                if let Some(root) = uri.and_then(Value::as_str).and_then(root_of_file) {
                    self.seek(root);
                }
            }
            Incoming::Request(_) | Incoming::Notification(_) | Incoming::Response(_) => {}
        }
        self.kept += content.len();
        if self.kept > MOST_KEPT {
            self.tell(
                MessageType::Error,
                "no server came, and too much waits for it",
            );
            return Some(1);
        }
        match &mut self.server {
            ServerState::Sought(kept) => kept.push(content),
            _ => self.early.push(content),
        }
        None
    }

    /// Begins to look for the server of a root.
    fn seek(&mut self, root: String) {
        let Some(connect) = self.connect.take() else {
            return;
        };
        self.server = ServerState::Sought(std::mem::take(&mut self.early));
        let sender = self.sender.clone();
        let (decided, client_name) = (self.decided.clone(), self.client_name.clone());
        let spawned = spawn("codeweft-lsp-connect", move || {
            let found = connect(Path::new(&root), &decided, &client_name);
            // Where nobody listens any more, the editor has gone.
            let _ = sender.send(ThinEvent::Connected(found));
        });
        if let Err(error) = spawned {
            self.tell(
                MessageType::Error,
                &format!("no thread could be started: {error}"),
            );
        }
    }

    fn connected(&mut self, mut stream: UnixStream) -> Option<u8> {
        if self.shutdown || self.link.has_ended() {
            return None;
        }
        let copied = stream.try_clone().and_then(|from_server| {
            self.link.begin(&stream)?;
            let (output, sender) = (self.output.clone(), self.sender.clone());
            spawn("codeweft-lsp-stdout", move || {
                let ended = copy_to_client(from_server, &output);
                // Where nobody listens any more, all is over.
                let _ = sender.send(ended);
            })
        });
        if let Err(error) = copied {
            self.tell(
                MessageType::Error,
                &format!("the connection broke: {error}"),
            );
            return Some(1);
        }
        if let ServerState::Sought(kept) = std::mem::replace(&mut self.server, ServerState::Ended) {
            self.kept = 0;
            for content in kept {
                // A server that has gone is heard of as an event.
                let _ = framing::write(&mut stream, &content);
            }
        }
        self.server = ServerState::Found(stream);
        None
    }

    /// Nothing that waits for the server will reach it.
    fn give_up_kept(&mut self) {
        let kept = match &mut self.server {
            ServerState::Sought(kept) => std::mem::take(kept),
            _ => std::mem::take(&mut self.early),
        };
        for content in kept {
            if let Incoming::Request(request) = messages::parse(&content) {
                self.refuse(
                    &request.id,
                    ErrorCode::RequestCanceled,
                    "there was a shutdown",
                );
            }
        }
    }

    /// Waits till the server has said its last words.
    fn await_server(&self, events: &Receiver<ThinEvent>) {
        let until = Instant::now() + LAST_WORDS;
        loop {
            match events.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(ThinEvent::ServerEnd)
                | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
                Ok(_) => {}
            }
        }
    }

    fn client_ended(&self, wrong: Option<&'static str>) -> u8 {
        if let Some(words) = wrong {
            let error = error(ErrorCode::ParseError, words);
            self.say(&messages::refusal(&Value::Null, &error));
            (self.log)(&format!("the editor wrote what is no message: {words}"));
        }
        u8::from(!self.shutdown)
    }

    fn say(&self, content: &str) {
        // An editor that has gone is heard of as an event.
        let _ = write_client(&self.output, content.as_bytes());
    }

    fn refuse(&self, id: &RequestId, code: ErrorCode, words: &str) {
        self.say(&messages::answer(id, Err(error(code, words))));
    }

    /// Tells the user, in the editor and in its log.
    fn tell(&self, kind: MessageType, words: &str) {
        (self.log)(words);
        self.say(&messages::show_message(kind, &format!("codeweft: {words}")));
    }
}

/// What is looked at in a message that is carried on.
#[derive(Default, Deserialize)]
struct MessageHead<'a> {
    #[serde(borrow, default)]
    method: Option<Cow<'a, str>>,
}

impl MessageHead<'_> {
    /// The method; empty where there is none.
    fn of(content: &[u8]) -> String {
        let head: MessageHead<'_> = serde_json::from_slice(content).unwrap_or_default();
        head.method.unwrap_or_default().into_owned()
    }
}

fn root_of_file(uri: &str) -> Option<String> {
    let path = PathBuf::from(uri::path(uri)?);
    root::find(None, path.parent()?).ok()
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(work)
        .map(drop)
}

fn read_client(input: impl Read, sender: &SyncSender<ThinEvent>, link: &ServerLink) {
    let mut input = BufReader::new(input);
    let wrong = loop {
        match framing::read(&mut input, MAX_CLIENT) {
            Ok(Some(content)) => {
                if sender.send(ThinEvent::Client(content)).is_err() {
                    return;
                }
            }
            Ok(None) | Err(FrameError::Io(_)) => break None,
            Err(FrameError::Bad(words)) => break Some(words),
        }
    };
    // At once: whatever still waits to be carried, nobody reads an answer.
    link.end();
    let _ = sender.send(ThinEvent::ClientEnd(wrong));
}

/// Carries messages until one side has gone; gives which.
fn copy_to_client(from_server: impl Read, output: &Mutex<impl Write>) -> ThinEvent {
    let mut from_server = BufReader::new(from_server);
    while let Ok(Some(content)) = framing::read(&mut from_server, MAX_SERVER) {
        if write_client(output, &content).is_err() {
            return ThinEvent::ClientEnd(None);
        }
    }
    ThinEvent::ServerEnd
}

fn write_client(output: &Mutex<impl Write>, content: &[u8]) -> io::Result<()> {
    // After a panic inside a write nothing that follows can be understood.
    let mut output = output
        .lock()
        .map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
    framing::write(&mut *output, content)
}
