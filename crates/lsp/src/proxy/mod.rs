//! The proxy process that an editor starts as its language server.
//!
//! It answers `initialize` itself, connects to the workspace's server in the background, buffers
//! messages until then, and afterwards forwards messages both ways. If the server ends, it connects
//! to another one, which gets the client's documents as they are now and the requests without an
//! answer; the client sees nothing of it. Entry point: [`run`].

mod documents;
mod link;
mod traffic;

use std::io::{self, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use codeweft_workspace::{Encoding, root};
use lsp_server::{ErrorCode, RequestId};
use lsp_types::MessageType;
use serde_json::{Value, json};

use crate::framing::{self, FrameError, MAX_CLIENT, MAX_SERVER};
use crate::messages::{self, Incoming, error};
use crate::{NegotiatedCapabilities, REPLAYED, initialize, root_of, uri};
use documents::OpenDocuments;
use link::ServerLink;
use traffic::{MessageHead, ServerMessage, Traffic};

/// The maximum number of client messages that wait for the main thread.
const MAX_QUEUED_MESSAGES: usize = 16;

/// The maximum size of the messages buffered for the server, in bytes: mostly the client's open
/// documents.
const MAX_BUFFERED_BYTES: usize = 256 << 20;

/// The maximum time that the server may take to end after `exit`.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);

/// An event of the main thread.
enum ProxyEvent {
    Client(Vec<u8>),
    /// The client has gone, or its stream cannot be read any further: the reason.
    ClientEnd(Option<&'static str>),
    Connected(io::Result<UnixStream>),
    /// The answer to a request of the server that the client does not get.
    Answer(Vec<u8>),
    ServerEnd,
}

/// The state of the connection to the server.
enum ServerState {
    /// No root is known yet: the first opened file will name it.
    NoRoot,
    /// Connecting; the messages buffered meanwhile.
    Connecting(Vec<Vec<u8>>),
    Connected(UnixStream),
    /// The server has ended after `shutdown`.
    Ended,
}

/// Runs the proxy for one editor. Returns the exit code of the process (LSP, `exit`: 0 after
/// `shutdown`, else 1).
///
/// `given` is the root that the user named; without it `initialize` names it, or the first opened
/// file. `connect` gets the canonical root, the negotiated capabilities and the editor's name; it
/// runs on a thread of its own, and nothing waits for it. It is called again when the server has
/// ended; its error ends the proxy. `log` gets lines for people.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    given: Option<PathBuf>,
    connect: impl Fn(&Path, &NegotiatedCapabilities, &str) -> io::Result<UnixStream>
    + Send
    + Sync
    + 'static,
    log: impl Fn(&str),
) -> u8 {
    let (sender, events) = sync_channel(MAX_QUEUED_MESSAGES);
    let link = ServerLink::default();
    let reader = spawn("codeweft-lsp-stdin", {
        let (sender, link) = (sender.clone(), link.clone());
        move || read_client(input, &sender, &link)
    });
    if let Err(error) = reader {
        log(&format!("no thread could be started: {error}"));
        return 1;
    }
    let mut proxy = Proxy {
        output: Arc::new(Mutex::new(output)),
        sender,
        link: link.clone(),
        connect: Arc::new(connect),
        log,
        capabilities: NegotiatedCapabilities::default(),
        client_name: String::new(),
        root: None,
        initialized: None,
        documents: OpenDocuments::new(Encoding::default()),
        traffic: Arc::default(),
        server: ServerState::NoRoot,
        before_root: Vec::new(),
        buffered: 0,
        shutdown: false,
    };
    let code = proxy.handshake(&events, given).unwrap_or_else(|| {
        loop {
            let Ok(event) = events.recv() else {
                break 1;
            };
            if let Some(code) = proxy.handle(event, &events) {
                break code;
            }
        }
    });
    link.end();
    code
}

struct Proxy<W, C, L> {
    output: Arc<Mutex<W>>,
    sender: SyncSender<ProxyEvent>,
    link: ServerLink,
    connect: Arc<C>,
    log: L,
    capabilities: NegotiatedCapabilities,
    client_name: String,
    /// The root whose server is connected.
    root: Option<String>,
    /// The client's `initialized`.
    initialized: Option<Vec<u8>>,
    documents: OpenDocuments,
    traffic: Arc<Mutex<Traffic>>,
    server: ServerState,
    /// Notifications received before a root was known.
    before_root: Vec<Vec<u8>>,
    /// The size of the buffered messages, in bytes.
    buffered: usize,
    shutdown: bool,
}

impl<W, C, L> Proxy<W, C, L>
where
    W: Write + Send + 'static,
    C: Fn(&Path, &NegotiatedCapabilities, &str) -> io::Result<UnixStream> + Send + Sync + 'static,
    L: Fn(&str),
{
    /// Answers `initialize` and starts connecting if it names a root. Returns an exit code if the
    /// client ends first.
    fn handshake(&mut self, events: &Receiver<ProxyEvent>, given: Option<PathBuf>) -> Option<u8> {
        let params = loop {
            let content = match events.recv() {
                Ok(ProxyEvent::Client(content)) => content,
                Ok(ProxyEvent::ClientEnd(wrong)) => return Some(self.client_ended(wrong)),
                _ => return Some(1),
            };
            match messages::parse(&content) {
                Incoming::Request(request) if request.method == "initialize" => {
                    let (result, capabilities) = initialize(&request.params);
                    self.documents = OpenDocuments::new(capabilities.encoding());
                    self.capabilities = capabilities;
                    self.send(&messages::answer(&request.id, Ok(result.to_string())));
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
                Incoming::Bad(id, error) => self.send(&messages::refusal(&id, &error)),
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
                Ok(root) => self.start_connecting(root),
                Err(error) => self.notify_user(MessageType::Warning, &error.to_string()),
            }
        }
        None
    }

    /// Handles an event. Returns the exit code if it ends the proxy.
    fn handle(&mut self, event: ProxyEvent, events: &Receiver<ProxyEvent>) -> Option<u8> {
        match event {
            ProxyEvent::Client(content) => {
                let head = MessageHead::of(&content);
                match (&mut self.server, head.method()) {
                    (ServerState::Connected(stream), "exit") => {
                        // If the server has gone already, the result is the same.
                        let _ = framing::write(stream, &content);
                        self.await_server(events);
                        Some(u8::from(!self.shutdown))
                    }
                    (ServerState::Connected(_), method) => {
                        self.shutdown |= method == "shutdown";
                        self.forward(&head, content);
                        None
                    }
                    (_, "exit") => Some(u8::from(!self.shutdown)),
                    _ => self.handle_without_server(&head, content),
                }
            }
            ProxyEvent::ClientEnd(wrong) => Some(self.client_ended(wrong)),
            ProxyEvent::Connected(Ok(stream)) => self.connected(stream),
            ProxyEvent::Connected(Err(error)) => {
                self.refuse_unanswered("there is no server");
                let words = format!("no server, and none could be started: {error}");
                self.notify_user(MessageType::Error, &words);
                Some(1)
            }
            ProxyEvent::Answer(content) => {
                if let ServerState::Connected(stream) = &mut self.server {
                    // A server that has gone is reported as an event.
                    let _ = framing::write(stream, &content);
                }
                None
            }
            // The connection was ended on this side: the event with the reason follows.
            ProxyEvent::ServerEnd if self.link.has_ended() => None,
            ProxyEvent::ServerEnd if self.shutdown => {
                self.server = ServerState::Ended;
                self.refuse_unanswered("there was a shutdown");
                None
            }
            ProxyEvent::ServerEnd => {
                self.connect_again();
                None
            }
        }
    }

    fn traffic(&self) -> MutexGuard<'_, Traffic> {
        // Each message is recorded whole.
        self.traffic.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forwards a message to the server, and follows what another server would have to get.
    fn forward(&mut self, head: &MessageHead, content: Vec<u8>) {
        let recorded = self.traffic().client_message(head, content);
        let Some(content) = recorded else {
            return;
        };
        if let ServerState::Connected(stream) = &mut self.server {
            // A server that has gone is reported as an event.
            let _ = framing::write(stream, &content);
        }
        self.follow(head, &content);
    }

    fn follow(&mut self, head: &MessageHead, content: &[u8]) {
        match head.method() {
            "initialized" => self.initialized = Some(content.to_owned()),
            method => self.documents.follow(method, content),
        }
    }

    /// Connects to another server after the end of the last one.
    fn connect_again(&mut self) {
        (self.log)("the server has ended; looking for another one");
        let messages = self.traffic().server_ended();
        for message in messages {
            self.send(&message);
        }
        let replayed = messages::notification(REPLAYED, &json!({}));
        let mut buffered: Vec<Vec<u8>> = self.initialized.iter().cloned().collect();
        buffered.extend(self.documents.replay());
        buffered.push(replayed.into_bytes());
        buffered.extend(self.traffic().unanswered());
        self.buffered = 0;
        self.connect(buffered);
    }

    /// Answers or buffers a message that cannot be forwarded now. Returns the exit code if the
    /// buffer is full.
    fn handle_without_server(&mut self, head: &MessageHead, content: Vec<u8>) -> Option<u8> {
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
                self.refuse_unanswered("there was a shutdown");
                self.send(&messages::answer(&request.id, Ok("null".to_owned())));
                return None;
            }
            Incoming::Request(request) if matches!(self.server, ServerState::NoRoot) => {
                // There is no workspace to query yet: the empty answer.
                self.send(&messages::answer(&request.id, Ok("null".to_owned())));
                return None;
            }
            Incoming::Bad(id, error) => {
                self.send(&messages::refusal(&id, &error));
                return None;
            }
            Incoming::Notification(notification)
                if matches!(self.server, ServerState::NoRoot)
                    && notification.method == "textDocument/didOpen" =>
            {
                let uri = notification.params.pointer("/textDocument/uri");
                if let Some(root) = uri.and_then(Value::as_str).and_then(root_of_file) {
                    self.start_connecting(root);
                }
            }
            Incoming::Notification(notification) if notification.method == "$/cancelRequest" => {
                let id = notification.params.get("id").and_then(messages::request_id);
                if let Some(id) = id.filter(|id| self.traffic().take(id)) {
                    self.refuse(&id, ErrorCode::RequestCanceled, "cancelled");
                }
                return None;
            }
            Incoming::Request(_) | Incoming::Notification(_) | Incoming::Response(_) => {}
        }
        let content = self.traffic().client_message(head, content)?;
        self.follow(head, &content);
        self.buffered += content.len();
        if self.buffered > MAX_BUFFERED_BYTES {
            self.notify_user(
                MessageType::Error,
                "no server came, and too much waits for it",
            );
            return Some(1);
        }
        match &mut self.server {
            ServerState::Connecting(buffered) => buffered.push(content),
            _ => self.before_root.push(content),
        }
        None
    }

    /// Starts connecting to the server of a root, once.
    fn start_connecting(&mut self, root: String) {
        if self.root.is_none() {
            self.root = Some(root);
            let buffered = std::mem::take(&mut self.before_root);
            self.connect(buffered);
        }
    }

    /// Connects to the server of the root, which gets the buffered messages first.
    fn connect(&mut self, buffered: Vec<Vec<u8>>) {
        self.server = ServerState::Connecting(buffered);
        let (sender, connect) = (self.sender.clone(), self.connect.clone());
        let (capabilities, client_name) = (self.capabilities.clone(), self.client_name.clone());
        let root = self.root.clone().unwrap_or_default();
        let spawned = spawn("codeweft-lsp-connect", move || {
            let found = connect(Path::new(&root), &capabilities, &client_name);
            // If the receiver is gone, the editor has gone.
            let _ = sender.send(ProxyEvent::Connected(found));
        });
        if let Err(error) = spawned {
            self.notify_user(
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
            let traffic = self.traffic.clone();
            spawn("codeweft-lsp-stdout", move || {
                let ended = copy_to_client(from_server, &output, &traffic, &sender);
                // If the receiver is gone, the proxy has ended.
                let _ = sender.send(ended);
            })
        });
        if let Err(error) = copied {
            self.notify_user(
                MessageType::Error,
                &format!("the connection broke: {error}"),
            );
            return Some(1);
        }
        if let ServerState::Connecting(buffered) =
            std::mem::replace(&mut self.server, ServerState::Ended)
        {
            self.buffered = 0;
            for content in buffered {
                if self.traffic().is_answered(&content) {
                    continue;
                }
                // A server that has gone is reported as an event.
                let _ = framing::write(&mut stream, &content);
            }
        }
        self.server = ServerState::Connected(stream);
        None
    }

    /// Refuses the requests that no server will answer; a `shutdown` needs none.
    fn refuse_unanswered(&self, words: &str) {
        let unanswered = self.traffic().take_unanswered();
        for (id, method) in unanswered {
            match method.as_str() {
                "shutdown" => self.send(&messages::answer(&id, Ok("null".to_owned()))),
                _ => self.refuse(&id, ErrorCode::RequestCanceled, words),
            }
        }
    }

    /// Waits until the server has ended, for at most [`EXIT_TIMEOUT`].
    fn await_server(&self, events: &Receiver<ProxyEvent>) {
        let until = Instant::now() + EXIT_TIMEOUT;
        loop {
            match events.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(ProxyEvent::ServerEnd)
                | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
                Ok(_) => {}
            }
        }
    }

    fn client_ended(&self, wrong: Option<&'static str>) -> u8 {
        if let Some(words) = wrong {
            let error = error(ErrorCode::ParseError, words);
            self.send(&messages::refusal(&Value::Null, &error));
            (self.log)(&format!("the editor wrote what is no message: {words}"));
        }
        u8::from(!self.shutdown)
    }

    fn send(&self, content: &str) {
        // An editor that has gone is reported as an event.
        let _ = write_client(&self.output, content.as_bytes());
    }

    fn refuse(&self, id: &RequestId, code: ErrorCode, words: &str) {
        self.send(&messages::answer(id, Err(error(code, words))));
    }

    /// Shows a message to the user, in the editor and in its log.
    fn notify_user(&self, kind: MessageType, words: &str) {
        (self.log)(words);
        self.send(&messages::show_message(kind, &format!("codeweft: {words}")));
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

fn read_client(input: impl Read, sender: &SyncSender<ProxyEvent>, link: &ServerLink) {
    let mut input = BufReader::new(input);
    let wrong = loop {
        match framing::read(&mut input, MAX_CLIENT) {
            Ok(Some(content)) => {
                if sender.send(ProxyEvent::Client(content)).is_err() {
                    return;
                }
            }
            Ok(None) | Err(FrameError::Io(_)) => break None,
            Err(FrameError::Bad(words)) => break Some(words),
        }
    };
    // Ends the link at once: no thread reads the answers of the messages that still wait.
    link.end();
    let _ = sender.send(ProxyEvent::ClientEnd(wrong));
}

/// Forwards messages until one side has gone; returns which one.
fn copy_to_client(
    from_server: impl Read,
    output: &Mutex<impl Write>,
    traffic: &Mutex<Traffic>,
    sender: &SyncSender<ProxyEvent>,
) -> ProxyEvent {
    let mut from_server = BufReader::new(from_server);
    while let Ok(Some(content)) = framing::read(&mut from_server, MAX_SERVER) {
        let mut recorded = traffic.lock().unwrap_or_else(PoisonError::into_inner);
        let message = recorded.server_message(content);
        drop(recorded);
        match message {
            ServerMessage::Forward(content) => {
                if write_client(output, &content).is_err() {
                    return ProxyEvent::ClientEnd(None);
                }
            }
            ServerMessage::Answer(content) => {
                if sender.send(ProxyEvent::Answer(content)).is_err() {
                    return ProxyEvent::ClientEnd(None);
                }
            }
        }
    }
    ProxyEvent::ServerEnd
}

fn write_client(output: &Mutex<impl Write>, content: &[u8]) -> io::Result<()> {
    // After a panic inside a write the stream is unusable.
    let mut output = output
        .lock()
        .map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
    framing::write(&mut *output, content)
}
