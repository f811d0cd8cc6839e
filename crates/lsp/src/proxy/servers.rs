//! The servers of the workspace's folders: connecting, sending, and what follows when a folder or a
//! server comes or goes.

use std::io::{self, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use codeweft_workspace::root;
use lsp_server::{ErrorCode, RequestId};
use lsp_types::MessageType;
use serde_json::{Value, json};

use super::traffic::MessageHead;
use super::{Proxy, ProxyEvent, copy_to_client, spawn};
use crate::messages::{self, error};
use crate::{NegotiatedCapabilities, REPLAYED, framing, uri};

/// The maximum size of the messages buffered for servers, in bytes: mostly the client's open
/// documents.
const MAX_BUFFERED_BYTES: usize = 256 << 20;

/// The maximum time that the servers may take to end after `exit`.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);

/// The server of a root.
pub(super) struct FolderServer {
    root: String,
    state: ServerState,
}

/// The state of the connection to a server.
enum ServerState {
    /// It has got no request and no document yet.
    Idle,
    /// Connecting; the messages buffered meanwhile.
    Connecting(Vec<Vec<u8>>),
    Connected(UnixStream),
    /// None could be had, for this reason.
    Failed(String),
    /// It has ended after `shutdown`, or was not connected then.
    Ended,
}

impl<W, C, L> Proxy<W, C, L>
where
    W: Write + Send + 'static,
    C: Fn(&Path, &NegotiatedCapabilities, &str) -> io::Result<UnixStream> + Send + Sync + 'static,
    L: Fn(&str),
{
    /// Adds a folder of the client, whose root is found.
    pub(super) fn add_folder(&mut self, folder: PathBuf) {
        let Some(path) = folder.to_str() else {
            return;
        };
        match root::find(None, &folder) {
            Ok(root) => self.add_root(path.to_owned(), root),
            Err(error) => self.notify_user(MessageType::Warning, &error.to_string()),
        }
    }

    /// Adds a folder with this root, and its server if no other folder has it.
    pub(super) fn add_root(&mut self, folder: String, root: String) {
        let server = match self.folders.of_root(&root) {
            Some(server) => server,
            None => {
                let server = self.next;
                self.next += 1;
                self.exchange().add(server);
                let state = ServerState::Idle;
                let root = root.clone();
                self.servers.insert(server, FolderServer { root, state });
                server
            }
        };
        self.folders.add(folder, root, server);
    }

    /// Follows `workspace/didChangeWorkspaceFolders`. Returns the exit code if it ends the proxy.
    pub(super) fn change_folders(&mut self, content: &[u8]) -> Option<u8> {
        if self.has_given_root {
            return None;
        }
        let message: Value = serde_json::from_slice(content).unwrap_or_default();
        let folders = |name: &str| {
            let list = message.pointer(&format!("/params/event/{name}"));
            let list = list.and_then(Value::as_array).into_iter().flatten();
            let uris = list.filter_map(|folder| folder.get("uri")?.as_str());
            uris.filter_map(uri::path).collect::<Vec<String>>()
        };
        for folder in folders("removed") {
            if let Some(server) = self.folders.remove(&folder) {
                self.refuse_unanswered(server, "its folder was removed");
                self.exchange().remove(server);
                self.servers.remove(&server);
                self.links.end_one(server);
            }
        }
        let had_none = self.servers.is_empty();
        for folder in folders("added") {
            self.add_folder(PathBuf::from(folder));
        }
        if had_none && !self.servers.is_empty() {
            self.start(self.first_server());
        }
        self.move_documents()
    }

    /// Gives each open document to the server of its folder, else to the first. Returns the exit code
    /// if too much waits for one.
    pub(super) fn move_documents(&mut self) -> Option<u8> {
        let first = self.servers.keys().next().copied();
        let folders = &self.folders;
        let moved = self
            .documents
            .move_to(|path| folders.server_of(path).or(first));
        for document in moved {
            if let Some((server, closed)) = document.from {
                self.write_or_buffer(server, closed);
            }
            let (server, messages) = document.to.unwrap_or_default();
            for content in messages {
                let code = self.send_to(server, &MessageHead::of(&content), &content);
                if code.is_some() {
                    return code;
                }
            }
        }
        None
    }

    /// Starts connecting to a server, once.
    pub(super) fn start(&mut self, server: usize) {
        let is_idle = |server: &FolderServer| matches!(server.state, ServerState::Idle);
        if !self.servers.get(&server).is_some_and(is_idle) {
            return;
        }
        let mut buffered: Vec<Vec<u8>> = self.initialized.iter().cloned().collect();
        buffered.append(&mut self.before_root);
        self.connect(server, buffered);
    }

    /// Connects to a server, which gets the buffered messages first.
    fn connect(&mut self, number: usize, buffered: Vec<Vec<u8>>) {
        let Some(server) = self.servers.get_mut(&number) else {
            return;
        };
        server.state = ServerState::Connecting(buffered);
        let root = server.root.clone();
        let (sender, connect) = (self.sender.clone(), self.connect.clone());
        let (capabilities, client_name) = (self.capabilities.clone(), self.client_name.clone());
        let spawned = spawn("codeweft-lsp-connect", move || {
            let found = connect(Path::new(&root), &capabilities, &client_name);
            // If the receiver is gone, the editor has gone.
            let _ = sender.send(ProxyEvent::Connected(number, found));
        });
        if let Err(error) = spawned {
            self.notify_user(
                MessageType::Error,
                &format!("no thread could be started: {error}"),
            );
        }
    }

    /// Takes an established connection. Returns the exit code if it ends the proxy.
    pub(super) fn connected(&mut self, number: usize, mut stream: UnixStream) -> Option<u8> {
        let state = self
            .servers
            .get_mut(&number)
            .map(|server| &mut server.state);
        let state = state.filter(|state| matches!(state, ServerState::Connecting(_)));
        let Some(state) = state.filter(|_| !self.shutdown && !self.links.has_ended()) else {
            // The folder was removed meanwhile, or the client ends.
            let _ = stream.shutdown(Shutdown::Both);
            return None;
        };
        let buffered = match std::mem::replace(state, ServerState::Ended) {
            ServerState::Connecting(buffered) => buffered,
            _ => Vec::new(),
        };
        let copied = stream.try_clone().and_then(|from_server| {
            self.links.begin(number, &stream)?;
            let (output, sender) = (self.output.clone(), self.sender.clone());
            let exchange = self.exchange.clone();
            spawn("codeweft-lsp-stdout", move || {
                let ended = copy_to_client(number, from_server, &output, &exchange, &sender);
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
        for content in buffered {
            if !self.exchange().is_answered(number, &content) {
                // A server that has gone is reported as an event.
                let _ = framing::write(&mut stream, &content);
            }
        }
        if let Some(server) = self.servers.get_mut(&number) {
            server.state = ServerState::Connected(stream);
        }
        None
    }

    /// Takes the failure to get a server. Returns the exit code if there is no other server.
    pub(super) fn not_connected(&mut self, number: usize, error: &io::Error) -> Option<u8> {
        let server = self.servers.get_mut(&number)?;
        let words = format!("no server, and none could be started: {error}");
        server.state = ServerState::Failed(words.clone());
        let mut servers = self.servers.values();
        let is_last = servers.all(|server| matches!(server.state, ServerState::Failed(_)));
        let root = self.servers.get(&number).map(|server| server.root.clone());
        self.refuse_unanswered(number, "there is no server");
        if is_last {
            self.notify_user(MessageType::Error, &words);
            return Some(1);
        }
        let root = root.unwrap_or_default();
        self.notify_user(MessageType::Error, &format!("{root}: {words}"));
        None
    }

    /// Takes the end of a server: after `shutdown` it was to end, else another process is looked for.
    pub(super) fn server_ended(&mut self, number: usize) {
        let Some(server) = self.servers.get_mut(&number) else {
            return;
        };
        if self.shutdown {
            server.state = ServerState::Ended;
            return self.refuse_unanswered(number, "there was a shutdown");
        }
        (self.log)("the server has ended; looking for another one");
        let messages = self.exchange().server_ended(number);
        for message in messages {
            self.send_bytes(&message);
        }
        let replayed = messages::notification(REPLAYED, &json!({}));
        let mut buffered: Vec<Vec<u8>> = self.initialized.iter().cloned().collect();
        buffered.extend(self.documents.replay(number));
        buffered.push(replayed.into_bytes());
        buffered.extend(self.exchange().unanswered_contents(number));
        self.connect(number, buffered);
    }

    /// Sends a message to servers. Returns the exit code if too much waits for one.
    pub(super) fn send_to_each(
        &mut self,
        servers: &[usize],
        head: &MessageHead,
        content: &[u8],
    ) -> Option<u8> {
        let mut servers = servers.iter();
        servers.find_map(|&server| self.send_to(server, head, content))
    }

    /// Sends a message to a server, which is connected for a request or an opened document. Returns
    /// the exit code if too much waits for it.
    fn send_to(&mut self, number: usize, head: &MessageHead, content: &[u8]) -> Option<u8> {
        let request = head.request();
        if request.is_some() || head.method() == "textDocument/didOpen" {
            self.start(number);
        }
        if let Some(id) = &request {
            self.exchange().request(number, id, content);
            let refusal = match self.servers.get(&number).map(|server| &server.state) {
                Some(ServerState::Failed(words)) => Some(words.clone()),
                Some(ServerState::Ended) => Some("there was a shutdown".to_owned()),
                _ => None,
            };
            if let Some(words) = refusal {
                self.refuse_for(number, id, ErrorCode::RequestFailed, &words);
                return None;
            }
        }
        self.write_or_buffer(number, content.to_owned());
        self.check_buffers()
    }

    /// Writes to a server that is connected, keeps the message for one that is being connected.
    pub(super) fn write_or_buffer(&mut self, number: usize, content: Vec<u8>) {
        match self
            .servers
            .get_mut(&number)
            .map(|server| &mut server.state)
        {
            Some(ServerState::Connected(stream)) => {
                // A server that has gone is reported as an event.
                let _ = framing::write(stream, &content);
            }
            Some(ServerState::Connecting(buffered)) => buffered.push(content),
            _ => {}
        }
    }

    /// Writes to a server if it is connected.
    pub(super) fn write(&mut self, number: usize, content: &[u8]) {
        if self.is_connected(number) {
            self.write_or_buffer(number, content.to_owned());
        }
    }

    pub(super) fn is_connected(&self, number: usize) -> bool {
        let server = self.servers.get(&number);
        server.is_some_and(|server| matches!(server.state, ServerState::Connected(_)))
    }

    /// Keeps a notification until a root is known. Returns the exit code if too much waits.
    pub(super) fn keep_before_root(&mut self, content: Vec<u8>) -> Option<u8> {
        self.before_root.push(content);
        self.check_buffers()
    }

    /// Returns the exit code if too much waits for servers.
    fn check_buffers(&self) -> Option<u8> {
        let buffers = self
            .servers
            .values()
            .filter_map(|server| match &server.state {
                ServerState::Connecting(buffered) => Some(buffered),
                _ => None,
            });
        let all = buffers.chain([&self.before_root]).flatten();
        let bytes: usize = all.map(Vec::len).sum();
        if bytes <= MAX_BUFFERED_BYTES {
            return None;
        }
        let words = "no server came, and too much waits for it";
        self.notify_user(MessageType::Error, words);
        Some(1)
    }

    /// Answers a request with an error instead of a server.
    pub(super) fn refuse_for(&self, server: usize, id: &RequestId, code: ErrorCode, words: &str) {
        let answer = messages::answer(id, Err(error(code, words)));
        self.answer_for(server, id, answer);
    }

    fn answer_for(&self, server: usize, id: &RequestId, answer: String) {
        let answer = self.exchange().answer_instead(server, id, answer);
        if let Some(answer) = answer {
            self.send_bytes(&answer);
        }
    }

    /// Refuses the requests that a server will not answer; a `shutdown` needs no answer of it.
    fn refuse_unanswered(&self, server: usize, words: &str) {
        let unanswered = self.exchange().unanswered(server);
        for (id, method) in unanswered {
            match method.as_str() {
                "shutdown" => {
                    let answer = messages::answer(&id, Ok("null".to_owned()));
                    self.answer_for(server, &id, answer);
                }
                _ => self.refuse_for(server, &id, ErrorCode::RequestCanceled, words),
            }
        }
    }

    /// Follows `shutdown`: the servers that are connected answer it.
    pub(super) fn shut_down(&mut self, head: &MessageHead, content: &[u8]) {
        let Some(id) = head.request() else {
            return;
        };
        self.shutdown = true;
        let all: Vec<usize> = self.servers.keys().copied().collect();
        let (connected, others): (Vec<usize>, Vec<usize>) = all
            .into_iter()
            .partition(|&server| self.is_connected(server));
        for server in others {
            self.refuse_unanswered(server, "there was a shutdown");
            if let Some(server) = self.servers.get_mut(&server) {
                server.state = ServerState::Ended;
            }
        }
        if connected.is_empty() {
            return self.send(&messages::answer(&id, Ok("null".to_owned())));
        }
        self.exchange().join(&id, &connected);
        for server in connected {
            self.exchange().request(server, &id, content);
            self.write(server, content);
        }
    }

    /// Follows `exit`: waits until the servers have ended, for at most [`EXIT_TIMEOUT`]. Returns the
    /// exit code.
    pub(super) fn exit(&mut self, content: &[u8], events: &Receiver<ProxyEvent>) -> u8 {
        let all: Vec<usize> = self.servers.keys().copied().collect();
        let mut awaited: Vec<usize> = Vec::new();
        for server in all {
            if self.is_connected(server) {
                // If the server has gone already, the result is the same.
                self.write(server, content);
                awaited.push(server);
            }
        }
        let until = Instant::now() + EXIT_TIMEOUT;
        while !awaited.is_empty() {
            match events.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(ProxyEvent::ServerEnd(ended)) => awaited.retain(|server| *server != ended),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
                Ok(_) => {}
            }
        }
        u8::from(!self.shutdown)
    }
}
