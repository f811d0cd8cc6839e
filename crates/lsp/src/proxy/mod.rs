//! The proxy process that an editor starts as its language server.
//!
//! It answers `initialize` itself, connects to the servers of the workspace's folders in the
//! background, buffers messages until then, and afterwards forwards messages both ways. If a server
//! ends, it connects to another process, which gets the client's documents as they are now and the
//! requests without an answer; the client sees nothing of it. Entry point: [`run`].
//!
//! ```text
//!                  ┌─ folders.rs: path to server ─┐
//! client ──> main thread ── routes.rs ──> servers.rs ──> server 0, 1, … (one for each root)
//! client <── a thread a server <── exchange.rs: joins answers, renames ids <── server 0, 1, …
//! ```

mod documents;
mod exchange;
mod folders;
mod link;
mod routes;
mod servers;
mod traffic;

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use codeweft_workspace::{Encoding, root};
use lsp_server::{ErrorCode, RequestId};
use lsp_types::MessageType;
use serde_json::Value;

use crate::framing::{self, FrameError, MAX_CLIENT, MAX_SERVER};
use crate::initialize::folders_of;
use crate::messages::{self, Incoming, error};
use crate::{NegotiatedCapabilities, initialize, uri};
use documents::OpenDocuments;
use exchange::Exchange;
use folders::WorkspaceFolders;
use link::ServerLinks;
use servers::FolderServer;
use traffic::{MessageHead, ServerMessage, cancelled_request};

/// The maximum number of client messages that wait for the main thread.
const MAX_QUEUED_MESSAGES: usize = 16;

/// An event of the main thread. Numbers are those of servers.
enum ProxyEvent {
    Client(Vec<u8>),
    /// The client has gone, or its stream cannot be read any further: the reason.
    ClientEnd(Option<&'static str>),
    Connected(usize, io::Result<UnixStream>),
    /// The answer to a request of the server that the client does not get.
    Answer(usize, Vec<u8>),
    ServerEnd(usize),
}

/// Runs the proxy for one editor. Returns the exit code of the process (LSP, `exit`: 0 after
/// `shutdown`, else 1).
///
/// `given` is the root that the user named; without it `initialize` names folders, or the first
/// opened file a root. `connect` gets the canonical root, the negotiated capabilities and the
/// editor's name; it runs on a thread of its own, and nothing waits for it. It is called for each
/// root, and again when the server has ended; if it has no server for any root, the proxy ends.
/// `log` gets lines for people.
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
    let links = ServerLinks::default();
    let reader = spawn("codeweft-lsp-stdin", {
        let (sender, links) = (sender.clone(), links.clone());
        move || read_client(input, &sender, &links)
    });
    if let Err(error) = reader {
        log(&format!("no thread could be started: {error}"));
        return 1;
    }
    let mut proxy = Proxy {
        output: Arc::new(Mutex::new(output)),
        sender,
        links: links.clone(),
        connect: Arc::new(connect),
        log,
        capabilities: NegotiatedCapabilities::default(),
        client_name: String::new(),
        initialized: None,
        has_given_root: given.is_some(),
        folders: WorkspaceFolders::default(),
        servers: BTreeMap::new(),
        next: 0,
        documents: OpenDocuments::new(Encoding::default()),
        exchange: Arc::default(),
        before_root: Vec::new(),
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
    links.end();
    code
}

struct Proxy<W, C, L> {
    output: Arc<Mutex<W>>,
    sender: SyncSender<ProxyEvent>,
    links: ServerLinks,
    connect: Arc<C>,
    log: L,
    capabilities: NegotiatedCapabilities,
    client_name: String,
    /// The client's `initialized`.
    initialized: Option<Vec<u8>>,
    /// Whether the user named the root: then folders do not count.
    has_given_root: bool,
    folders: WorkspaceFolders,
    /// The servers of the folders by number, one for each root. None while no root is known: the
    /// first opened file will name it.
    servers: BTreeMap<usize, FolderServer>,
    /// The number of the next server.
    next: usize,
    documents: OpenDocuments,
    exchange: Arc<Mutex<Exchange>>,
    /// Notifications about no file, received before a root was known.
    before_root: Vec<Vec<u8>>,
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
        match given {
            Some(given) => match root::find(Some(&given), Path::new("/")) {
                Ok(root) => self.add_root(root.clone(), root),
                Err(error) => self.notify_user(MessageType::Warning, &error.to_string()),
            },
            None => folders_of(&params)
                .into_iter()
                .for_each(|folder| self.add_folder(folder)),
        }
        // The servers of other folders are connected at their first request or document.
        if let Some((&first, _)) = self.servers.first_key_value() {
            self.start(first);
        }
        None
    }

    /// Handles an event. Returns the exit code if it ends the proxy.
    fn handle(&mut self, event: ProxyEvent, events: &Receiver<ProxyEvent>) -> Option<u8> {
        match event {
            ProxyEvent::Client(content) => {
                let head = MessageHead::of(&content);
                match head.method() {
                    "exit" => Some(self.exit(&content, events)),
                    _ if self.shutdown => {
                        if let Some(id) = head.request() {
                            let words = "there was a shutdown";
                            self.refuse(&id, ErrorCode::InvalidRequest, words);
                        }
                        None
                    }
                    _ => self.client_message(&head, content),
                }
            }
            ProxyEvent::ClientEnd(wrong) => Some(self.client_ended(wrong)),
            ProxyEvent::Connected(server, Ok(stream)) => self.connected(server, stream),
            ProxyEvent::Connected(server, Err(error)) => self.not_connected(server, &error),
            ProxyEvent::Answer(server, content) => {
                self.write(server, &content);
                None
            }
            // The connections were ended on this side: the event with the reason follows.
            ProxyEvent::ServerEnd(_) if self.links.has_ended() => None,
            ProxyEvent::ServerEnd(server) => {
                self.server_ended(server);
                None
            }
        }
    }

    /// Handles a message of the client that is not `exit`, before a `shutdown`. Returns the exit code
    /// if it ends the proxy.
    fn client_message(&mut self, head: &MessageHead, content: Vec<u8>) -> Option<u8> {
        match head.method() {
            _ if !head.has_method() => {
                self.client_answer(head, content);
                None
            }
            "shutdown" => {
                self.shut_down(head, &content);
                None
            }
            "initialized" => {
                self.initialized = Some(content.clone());
                let servers: Vec<usize> = self.servers.keys().copied().collect();
                self.send_to_each(&servers, head, &content)
            }
            "$/cancelRequest" => {
                self.cancel(&content);
                None
            }
            "workspace/didChangeWorkspaceFolders" => self.change_folders(&content),
            _ if self.servers.is_empty() => self.without_root(head, content),
            method => {
                let servers = self.route(head, &content);
                if method == "workspace/didChangeWatchedFiles" {
                    self.documents.follow(method, &content, None);
                } else if let [server] = servers.as_slice() {
                    self.documents.follow(method, &content, Some(*server));
                }
                if let (Some(id), true) = (head.request(), servers.len() > 1) {
                    self.exchange().join(&id, &servers);
                }
                self.send_to_each(&servers, head, &content)
            }
        }
    }

    fn exchange(&self) -> MutexGuard<'_, Exchange> {
        // Each message is recorded whole.
        self.exchange.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forwards an answer of the client, or refuses what is no message.
    fn client_answer(&mut self, head: &MessageHead, content: Vec<u8>) {
        if let Some(id) = head.answer() {
            let answer = self.exchange().client_answer(id, content);
            if let Some((server, content)) = answer {
                self.write_or_buffer(server, content);
            }
            return;
        }
        if let Incoming::Bad(id, error) = messages::parse(&content) {
            self.send(&messages::refusal(&id, &error));
        }
    }

    /// Answers or keeps a message while no root is known.
    fn without_root(&mut self, head: &MessageHead, content: Vec<u8>) -> Option<u8> {
        if let Some(id) = head.request() {
            // There is no workspace to query yet: the empty answer.
            self.send(&messages::answer(&id, Ok("null".to_owned())));
            return None;
        }
        if head.method() == "textDocument/didOpen"
            && let Some(root) = uri_of(&content).as_deref().and_then(root_of_file)
        {
            self.add_root(root.clone(), root);
            self.start(self.first_server());
            let code = self.move_documents();
            return code.or_else(|| self.client_message(head, content));
        }
        self.documents.follow(head.method(), &content, None);
        // A server gets the documents that are followed from what is known of them.
        match uri_of(&content).as_deref().and_then(uri::path) {
            Some(_) => None,
            None => self.keep_before_root(content),
        }
    }

    /// Forwards the cancellation of a request, or answers it where no server has it yet.
    fn cancel(&mut self, content: &[u8]) {
        let Some(id) = cancelled_request(content) else {
            return;
        };
        let servers = self.exchange().servers_of(&id);
        for server in servers {
            if self.is_connected(server) {
                self.exchange().cancel(server, &id);
                self.write(server, content);
            } else {
                self.refuse_for(server, &id, ErrorCode::RequestCanceled, "cancelled");
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
        self.send_bytes(content.as_bytes());
    }

    fn send_bytes(&self, content: &[u8]) {
        // An editor that has gone is reported as an event.
        let _ = write_client(&self.output, content);
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

/// Returns the URI of the document in the params of a message.
fn uri_of(content: &[u8]) -> Option<String> {
    let message: Value = serde_json::from_slice(content).ok()?;
    let uri = message.pointer("/params/textDocument/uri")?.as_str()?;
    Some(uri.to_owned())
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

fn read_client(input: impl Read, sender: &SyncSender<ProxyEvent>, links: &ServerLinks) {
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
    // Ends the links at once: no thread reads the answers of the messages that still wait.
    links.end();
    let _ = sender.send(ProxyEvent::ClientEnd(wrong));
}

/// Forwards messages of a server until one side has gone; returns which one.
fn copy_to_client(
    server: usize,
    from_server: impl Read,
    output: &Mutex<impl Write>,
    exchange: &Mutex<Exchange>,
    sender: &SyncSender<ProxyEvent>,
) -> ProxyEvent {
    let mut from_server = BufReader::new(from_server);
    while let Ok(Some(content)) = framing::read(&mut from_server, MAX_SERVER) {
        let mut recorded = exchange.lock().unwrap_or_else(PoisonError::into_inner);
        let message = recorded.server_message(server, content);
        drop(recorded);
        match message {
            ServerMessage::Forward(content) => {
                if write_client(output, &content).is_err() {
                    return ProxyEvent::ClientEnd(None);
                }
            }
            ServerMessage::Answer(content) => {
                if sender.send(ProxyEvent::Answer(server, content)).is_err() {
                    return ProxyEvent::ClientEnd(None);
                }
            }
            ServerMessage::Nothing => {}
        }
    }
    ProxyEvent::ServerEnd(server)
}

fn write_client(output: &Mutex<impl Write>, content: &[u8]) -> io::Result<()> {
    // After a panic inside a write the stream is unusable.
    let mut output = output
        .lock()
        .map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
    framing::write(&mut *output, content)
}
