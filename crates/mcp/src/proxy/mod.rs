//! The proxy between a client's stdio and the server: it answers what depends on the build alone
//! and forwards everything else. Entry point: [`run_proxy`].

mod message;
mod progress;
mod queue;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use codeweft_ide::api::{ApiError, ErrorType};
use rmcp::ErrorData;
use rmcp::model::{ErrorCode, RequestId, ServerJsonRpcMessage};
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, ReadHalf};
use tokio::net::UnixStream;
use tokio::net::unix::OwnedReadHalf;
use tokio::sync::mpsc::Receiver;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until, timeout};

use crate::MAX_LINE;
use crate::lines::{Line, Lines};
use crate::serve;
use crate::session::{AnswerSource, MissingReason};
use crate::tools::ToolChoice;
use message::{Id, Message, ServerMessage};
use progress::ProgressTokens;
use queue::Queue;

/// The maximum time for outstanding answers after the client has closed its end, counted from the
/// connection to the server.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(30);

/// The same while the server is not connected yet.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(120);

/// The maximum time for the last answers of the built-in handler, and for the client to read them.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// The maximum length of a server's line, in bytes.
const MAX_SERVER_LINE: usize = 256 << 20;

/// The size of the buffer to and from the built-in handler, in bytes.
const PIPE_BYTES: usize = 64 << 10;

/// The number of servers that a request is sent to. One that every server ended under is answered
/// with an error: it may be what ends them.
const MAX_SERVERS: u8 = 2;

/// Serves one client until it closes its end, or stops reading.
///
/// `initialize`, `ping`, `server/discover`, `tools/list`, `prompts/list`, `resources/list`,
/// `resources/templates/list` and `logging/setLevel` are answered at once by the handler of
/// [`crate::serve()`] without a host. The first message starts `connect`; everything else is queued
/// in order until there is a connection, and then forwarded. `tools/list` is forwarded too once the server has said that it
/// lists other tools. If `connect` fails, each call is
/// answered with its error. After the client has closed its end, outstanding answers are still
/// delivered for 30 seconds.
///
/// If the server ends, `connect` is called again: at once if a request is not answered yet, else at
/// the next request. The new server gets the client's handshake and the requests without an answer,
/// so that the client sees one answer to each. If `connect` fails then, these are answered with its
/// error, and the next request calls it again.
///
/// # Errors
/// The client's stream broke.
pub async fn run_proxy<R, W, C, F>(input: R, output: W, connect: C) -> io::Result<()>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
    C: Fn() -> F,
    F: Future<Output = Result<UnixStream, ApiError>> + Send + 'static,
{
    run_proxy_with(ToolChoice::OfWorkspace, input, output, connect).await
}

/// As [`run_proxy`]; a choice of tools is listed whatever the server lists.
///
/// # Errors
/// As [`run_proxy`].
pub async fn run_proxy_with<R, W, C, F>(
    tools: ToolChoice,
    input: R,
    output: W,
    connect: C,
) -> io::Result<()>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
    C: Fn() -> F,
    F: Future<Output = Result<UnixStream, ApiError>> + Send + 'static,
{
    let follows_server = tools == ToolChoice::OfWorkspace;
    let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
    let missing_reason = Arc::new(MissingReason::default());
    let (gone, _) = watch::channel(false);
    tokio::spawn(serve::run(
        AnswerSource::NoServer(missing_reason.clone(), tools),
        gone,
        theirs,
    ));
    let (read, write) = tokio::io::split(ours);
    let (to_built_in, lines) = Queue::new();
    queue::write(lines, write);
    let (to_client, lines) = Queue::new();
    let written = queue::write(lines, output);
    let (to_server, waiting) = Queue::new();
    let mut proxy = Proxy {
        client: Lines::new(input, MAX_LINE),
        built_in: Lines::new(read, MAX_SERVER_LINE),
        server: ServerState::NotStarted(waiting),
        connect,
        to_client,
        to_built_in,
        to_server,
        in_flight: BTreeMap::new(),
        subscriptions: BTreeSet::new(),
        order: 0,
        reassigned: Vec::new(),
        complaints: VecDeque::new(),
        ignored_answers: 0,
        had_server: false,
        follows_server,
        has_other_tools: false,
        handshake: Handshake::default(),
        resent: VecDeque::new(),
        tokens: ProgressTokens::default(),
        missing_reason,
        closing: None,
    };
    proxy.run().await?;
    let Proxy {
        mut built_in,
        mut to_client,
        to_built_in,
        server,
        ..
    } = proxy;
    drop(server);
    // The end of its input lets the built-in handler answer what it has read, and end.
    drop(to_built_in);
    let last_words = async {
        while let Ok(Some(Line::Whole(line))) = built_in.next().await {
            to_client.wait().await;
            to_client.put(line);
        }
        drop(to_client);
        // The writer task does not panic.
        let _ = written.await;
    };
    // A client that reads no more is not waited for.
    let _ = timeout(CLOSE_TIMEOUT, last_words).await;
    Ok(())
}

/// The component that has to answer a request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RequestOwner {
    BuiltIn,
    Server,
}

/// A request that is not answered yet.
struct InFlightRequest {
    order: u64,
    owner: RequestOwner,
    /// The line that was sent to the server.
    line: Vec<u8>,
    /// The number of servers that it was sent to.
    servers: u8,
}

/// The client's lines that begin a session, to be replayed to another server.
#[derive(Default)]
struct Handshake {
    /// Its `initialize`, under the proxy's own id.
    initialize: Option<Vec<u8>>,
    initialized: Option<Vec<u8>>,
}

/// The state of the connection to the server.
enum ServerState {
    /// No message has come yet.
    NotStarted(Receiver<Vec<u8>>),
    /// The connection is being established; lines wait.
    Connecting(Receiver<Vec<u8>>, JoinHandle<Result<UnixStream, ApiError>>),
    /// Connected, since this time.
    Connected(Lines<OwnedReadHalf>, Instant),
    /// The server has ended, and nothing was requested since.
    Ended,
    /// There is no server: the built-in handler answers each call with an error.
    Missing,
}

struct Proxy<R, C> {
    client: Lines<R>,
    built_in: Lines<ReadHalf<DuplexStream>>,
    server: ServerState,
    connect: C,
    to_client: Queue,
    to_built_in: Queue,
    to_server: Queue,
    in_flight: BTreeMap<Id, InFlightRequest>,
    /// The subscriptions among them.
    subscriptions: BTreeSet<Id>,
    order: u64,
    /// Requests that the server did not answer, to be passed to the built-in handler, in reverse
    /// order.
    reassigned: Vec<Vec<u8>>,
    /// Errors to be sent to the client, in order. Until they are sent its input is not read.
    complaints: VecDeque<Vec<u8>>,
    /// The number of answers to the proxy's own `initialize` that are still to come and to be
    /// dropped.
    ignored_answers: usize,
    /// Whether a server was connected before.
    had_server: bool,
    /// Whether the tools are those of the workspace.
    follows_server: bool,
    /// Whether the server has said that it lists other tools than the built-in handler: then it answers `tools/list`.
    has_other_tools: bool,
    handshake: Handshake,
    /// The lines that another server gets first, in order. Until they are sent the client's input is
    /// not read.
    resent: VecDeque<Vec<u8>>,
    tokens: ProgressTokens,
    /// The reason why there is no server.
    missing_reason: Arc<MissingReason>,
    /// Set when the client's input is no longer read: since when.
    closing: Option<Instant>,
}

/// An event of the proxy's loop.
enum Event {
    Client(io::Result<Option<Line>>),
    BuiltIn(io::Result<Option<Line>>),
    Server(io::Result<Option<Line>>),
    Connected(Result<UnixStream, ApiError>),
    Writable,
    DeadlineReached,
}

impl<R, C, F> Proxy<R, C>
where
    R: AsyncRead + Unpin,
    C: Fn() -> F,
    F: Future<Output = Result<UnixStream, ApiError>> + Send + 'static,
{
    /// Forwards lines until the session ends.
    async fn run(&mut self) -> io::Result<()> {
        loop {
            if self.to_client.is_closed() {
                return Ok(());
            }
            if self.closing.is_some() && !self.owes_answers() && self.complaints.is_empty() {
                return Ok(());
            }
            if self.to_server.can_put()
                && let Some(line) = self.resent.pop_front()
            {
                self.to_server.put(line);
            }
            if self.to_built_in.can_put()
                && let Some(line) = self.reassigned.pop()
            {
                self.to_built_in.put(line);
            }
            if self.to_client.can_put()
                && let Some(line) = self.complaints.pop_front()
            {
                self.to_client.put(line);
            }
            match self.event().await {
                Event::Client(line) => match line? {
                    Some(Line::Whole(line) | Line::Cut(line)) => self.handle_client_line(line),
                    Some(Line::TooLong) => {
                        let words = format!("Invalid request: longer than {MAX_LINE} bytes");
                        self.send_error(ErrorCode::INVALID_REQUEST, &words);
                    }
                    None => self.closing = Some(Instant::now()),
                },
                Event::BuiltIn(line) => match line? {
                    Some(Line::Whole(line)) => self.handle_built_in_line(line),
                    _ => return Err(io::Error::other("the built-in half has ended")),
                },
                Event::Server(Ok(Some(Line::Whole(line)))) => self.handle_server_line(line),
                Event::Server(_) => self.server_ended(),
                Event::Connected(Ok(stream)) => self.connected(stream),
                Event::Connected(Err(error)) => self.server_missing(error),
                Event::Writable => {}
                Event::DeadlineReached => return Ok(()),
            }
        }
    }

    async fn event(&mut self) -> Event {
        let (client, built_in, server) = (
            self.to_client.can_put(),
            self.to_built_in.can_put(),
            self.to_server.can_put(),
        );
        let drained = self.complaints.is_empty() && self.resent.is_empty();
        let open = self.closing.is_none() && built_in && server && drained;
        let deadline = self.deadline();
        tokio::select! {
            line = self.client.next(), if open => Event::Client(line),
            line = self.built_in.next(), if client => Event::BuiltIn(line),
            event = self.server.event(client) => event,
            () = self.to_client.wait(), if !client => Event::Writable,
            () = self.to_built_in.wait(), if !built_in => Event::Writable,
            () = self.to_server.wait(), if !server => Event::Writable,
            () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => Event::DeadlineReached,
        }
    }

    /// Returns the deadline for outstanding answers.
    fn deadline(&self) -> Option<Instant> {
        let since = self.closing?;
        Some(match &self.server {
            ServerState::Missing | ServerState::Ended => since + CLOSE_TIMEOUT,
            ServerState::Connected(_, connected) => since.max(*connected) + DRAIN_TIMEOUT,
            ServerState::NotStarted(_) | ServerState::Connecting(..) => since + CONNECT_TIMEOUT,
        })
    }

    fn handle_client_line(&mut self, line: Vec<u8>) {
        self.begin();
        match message::read(&line) {
            Message::Broken => self.send_error(ErrorCode::PARSE_ERROR, "Parse error"),
            Message::Unrecognized => self.to_built_in.put(line),
            Message::InvalidParams(id) => {
                let words = "Invalid params";
                self.refuse(id.to_request_id(), ErrorCode::INVALID_PARAMS, words);
            }
            Message::Initialize(id) => {
                if let Some(replayed) = message::replayed(&line) {
                    self.take_off(id, RequestOwner::BuiltIn, Vec::new());
                    self.ignored_answers += 1;
                    self.handshake
                        .initialize
                        .get_or_insert_with(|| replayed.clone());
                    self.to_server.put(replayed);
                }
                self.to_built_in.put(line);
            }
            Message::BuiltIn(id) => {
                self.take_off(id, RequestOwner::BuiltIn, Vec::new());
                self.to_built_in.put(line);
            }
            Message::ToolList(id) if !self.has_other_tools => {
                self.take_off(id, RequestOwner::BuiltIn, Vec::new());
                self.to_built_in.put(line);
            }
            Message::Subscription(id) => {
                self.subscriptions.insert(id.clone());
                self.handle_request(id, line);
            }
            Message::Request(id) | Message::ToolList(id) => self.handle_request(id, line),
            Message::Initialized => {
                self.handshake
                    .initialized
                    .get_or_insert_with(|| line.clone());
                self.to_server.put(line.clone());
                self.to_built_in.put(line);
            }
            Message::Cancelled(id) => {
                // A cancelled request is not answered.
                if let Some(id) = id {
                    self.in_flight.remove(&id);
                    self.subscriptions.remove(&id);
                }
                self.to_server.put(line);
            }
            Message::Other => self.to_server.put(line),
        }
    }

    /// Returns whether a request is not answered yet that a client waits for: a subscription ends with its client.
    fn owes_answers(&self) -> bool {
        let mut in_flight = self.in_flight.keys();
        in_flight.any(|id| !self.subscriptions.contains(id))
    }

    /// Passes a request to the server, to the next one if it has ended, or to the built-in handler if there is none.
    fn handle_request(&mut self, id: Id, line: Vec<u8>) {
        match self.server {
            ServerState::Missing => {
                self.take_off(id, RequestOwner::BuiltIn, Vec::new());
                self.to_built_in.put(line);
            }
            ServerState::Ended => {
                self.take_off(id, RequestOwner::Server, line);
                self.connect_again();
            }
            _ => {
                self.take_off(id, RequestOwner::Server, line.clone());
                self.to_server.put(line);
            }
        }
    }

    fn handle_built_in_line(&mut self, line: Vec<u8>) {
        if let Some(id) = message::answered(&line) {
            self.land(&id, RequestOwner::BuiltIn);
        }
        self.to_client.put(line);
    }

    fn handle_server_line(&mut self, line: Vec<u8>) {
        let line = match message::of_server(&line) {
            ServerMessage::Answer(id) => {
                if self.ignored_answers > 0 && message::is_replay(&id) {
                    self.ignored_answers -= 1;
                    return;
                }
                self.land(&id, RequestOwner::Server);
                if self.in_flight.is_empty() {
                    self.tokens.clear();
                }
                line
            }
            ServerMessage::Progress => self.tokens.forwarded(line),
            ServerMessage::ToolsChanged { .. } if !self.follows_server => return,
            ServerMessage::ToolsChanged { is_subscribed } => {
                self.has_other_tools = true;
                // Without a handshake a client gets only what it has subscribed to.
                if self.handshake.initialize.is_none() && !is_subscribed {
                    return;
                }
                line
            }
            ServerMessage::Other => line,
        };
        self.to_client.put(line);
    }

    /// Starts connecting, once.
    fn begin(&mut self) {
        match std::mem::replace(&mut self.server, ServerState::Missing) {
            ServerState::NotStarted(lines) => {
                self.server = ServerState::Connecting(lines, tokio::spawn((self.connect)()));
            }
            server => self.server = server,
        }
    }

    fn connected(&mut self, stream: UnixStream) {
        self.had_server = true;
        let (read, write) = stream.into_split();
        match std::mem::replace(
            &mut self.server,
            ServerState::Connected(Lines::new(read, MAX_SERVER_LINE), Instant::now()),
        ) {
            ServerState::NotStarted(lines) | ServerState::Connecting(lines, _) => {
                queue::write(lines, write);
            }
            ServerState::Connected(..) | ServerState::Ended | ServerState::Missing => {}
        }
    }

    /// Handles the lack of a server: the built-in handler answers its requests with `error`.
    fn server_missing(&mut self, error: ApiError) {
        self.server = if self.had_server {
            ServerState::Ended
        } else {
            ServerState::Missing
        };
        self.drop_queued();
        self.reassign(error, |_| true);
    }

    /// Handles the end of the server: its requests go to another one.
    fn server_ended(&mut self) {
        self.server = ServerState::Ended;
        self.drop_queued();
        let error = ApiError::new(
            ErrorType::IndexUnavailable,
            "the server of this workspace ended while it answered this, and so did the next one",
            "ask something narrower; `codeweft doctor` says whether something is wrong",
        );
        self.reassign(error, |flight| flight.servers >= MAX_SERVERS);
        let in_flight = self.in_flight.values_mut();
        let mut any = false;
        for flight in in_flight.filter(|flight| flight.owner == RequestOwner::Server) {
            flight.servers += 1;
            any = true;
        }
        if any {
            self.connect_again();
        }
    }

    /// Connects to another server, which gets the handshake and the requests without an answer.
    fn connect_again(&mut self) {
        let (to_server, waiting) = Queue::new();
        self.to_server = to_server;
        self.server = ServerState::Connecting(waiting, tokio::spawn((self.connect)()));
        self.ignored_answers = usize::from(self.handshake.initialize.is_some());
        self.tokens.begin_anew();
        let mut due: Vec<&InFlightRequest> = self
            .in_flight
            .values()
            .filter(|flight| flight.owner == RequestOwner::Server)
            .collect();
        due.sort_by_key(|flight| flight.order);
        let handshake = [&self.handshake.initialize, &self.handshake.initialized];
        let handshake = handshake.into_iter().flatten();
        let requests = due.into_iter().map(|flight| &flight.line);
        self.resent = handshake.chain(requests).cloned().collect();
    }

    /// Drops what waits for a server that has ended; what is put from now on is dropped too.
    fn drop_queued(&mut self) {
        (self.to_server, _) = Queue::new();
        self.resent.clear();
    }

    /// Passes the server's requests for which `due` holds to the built-in handler, which answers
    /// them with `error`.
    fn reassign(&mut self, error: ApiError, due: impl Fn(&InFlightRequest) -> bool) {
        let mut lines: Vec<(u64, Vec<u8>)> = self
            .in_flight
            .values_mut()
            .filter(|flight| flight.owner == RequestOwner::Server && due(flight))
            .map(|flight| {
                flight.owner = RequestOwner::BuiltIn;
                (flight.order, std::mem::take(&mut flight.line))
            })
            .collect();
        lines.sort_by_key(|(order, _)| std::cmp::Reverse(*order));
        self.missing_reason.set(error);
        let waiting = std::mem::take(&mut self.reassigned);
        self.reassigned = lines.into_iter().map(|(_, line)| line).collect();
        self.reassigned.extend(waiting);
    }

    fn take_off(&mut self, id: Id, owner: RequestOwner, line: Vec<u8>) {
        self.order += 1;
        let flight = InFlightRequest {
            order: self.order,
            owner,
            line,
            servers: 1,
        };
        self.in_flight.insert(id, flight);
    }

    fn land(&mut self, id: &Id, owner: RequestOwner) {
        if self
            .in_flight
            .get(id)
            .is_some_and(|flight| flight.owner == owner)
        {
            self.in_flight.remove(id);
            self.subscriptions.remove(id);
        }
    }

    /// Sends an error for a line without an id.
    fn send_error(&mut self, code: ErrorCode, words: &str) {
        self.refuse(None, code, words);
    }

    /// Answers with an error.
    fn refuse(&mut self, id: Option<RequestId>, code: ErrorCode, words: &str) {
        let error = ErrorData::new(code, words.to_owned(), None);
        let message = ServerJsonRpcMessage::error(error, id);
        // A number and a string: serialization cannot fail.
        if let Ok(line) = serde_json::to_vec(&message) {
            self.complaints.push_back(line);
        }
    }
}

impl ServerState {
    /// Waits for the next event of the server; lines are read only if their queue is `writable`.
    async fn event(&mut self, writable: bool) -> Event {
        match self {
            ServerState::Connecting(_, connection) => {
                Event::Connected(connection.await.unwrap_or_else(|panic| {
                    Err(ApiError::new(
                        ErrorType::Internal,
                        format!("no server could be started: {panic}"),
                        "report this with the words above",
                    ))
                }))
            }
            ServerState::Connected(lines, _) if writable => Event::Server(lines.next().await),
            _ => std::future::pending().await,
        }
    }
}
