//! The proxy between a client's stdio and the server: it answers what depends on the build alone
//! and forwards everything else. Entry point: [`run_proxy`].

mod message;
mod queue;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::{Arc, OnceLock};
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
use crate::session::AnswerSource;
use message::{Id, Message};
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

/// The reason why a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The client closed its end, or stopped reading.
    Client,
    /// The server ended; its unanswered requests were answered with an error that says so.
    Server,
}

/// Serves one client until the client or the server disconnects.
///
/// `initialize`, `ping`, `server/discover`, `tools/list`, `prompts/list`,
/// `resources/templates/list` and `logging/setLevel` are answered at once by the handler of
/// [`crate::serve()`] without a host. The first message starts `connect`; everything else is queued
/// in order until there is a connection, and then forwarded. If `connect` fails, each call is
/// answered with its error. After the client has closed its end, outstanding answers are still
/// delivered for 30 seconds.
///
/// # Errors
/// The client's stream broke.
pub async fn run_proxy<R, W, C, F>(input: R, output: W, connect: C) -> io::Result<Ending>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
    C: FnOnce() -> F,
    F: Future<Output = Result<UnixStream, ApiError>> + Send + 'static,
{
    let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
    let missing_reason = Arc::new(OnceLock::new());
    let (gone, _) = watch::channel(false);
    tokio::spawn(serve::run(
        AnswerSource::NoServer(missing_reason.clone()),
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
        server: ServerState::NotStarted(waiting, connect),
        to_client,
        to_built_in,
        to_server,
        in_flight: BTreeMap::new(),
        order: 0,
        reassigned: Vec::new(),
        complaints: VecDeque::new(),
        ignored_answers: 0,
        missing_reason,
        closing: None,
    };
    let ending = proxy.run().await?;
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
    Ok(ending)
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
}

/// The state of the connection to the server.
enum ServerState<C> {
    /// No message has come yet.
    NotStarted(Receiver<Vec<u8>>, C),
    /// The connection is being established; lines wait.
    Connecting(Receiver<Vec<u8>>, JoinHandle<Result<UnixStream, ApiError>>),
    /// Connected, since this time.
    Connected(Lines<OwnedReadHalf>, Instant),
    /// There is no server: the built-in handler answers each call with an error.
    Missing,
}

struct Proxy<R, C> {
    client: Lines<R>,
    built_in: Lines<ReadHalf<DuplexStream>>,
    server: ServerState<C>,
    to_client: Queue,
    to_built_in: Queue,
    to_server: Queue,
    in_flight: BTreeMap<Id, InFlightRequest>,
    order: u64,
    /// Requests that the server did not answer, to be passed to the built-in handler, in reverse
    /// order.
    reassigned: Vec<Vec<u8>>,
    /// Errors to be sent to the client, in order. Until they are sent its input is not read.
    complaints: VecDeque<Vec<u8>>,
    /// The number of answers to the proxy's own `initialize` that are still to come and to be
    /// dropped.
    ignored_answers: usize,
    /// The reason why there is no server.
    missing_reason: Arc<OnceLock<ApiError>>,
    /// Set when the client's input is no longer read: the reason, and since when.
    closing: Option<(Ending, Instant)>,
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
    C: FnOnce() -> F,
    F: Future<Output = Result<UnixStream, ApiError>> + Send + 'static,
{
    /// Forwards lines until the session ends.
    async fn run(&mut self) -> io::Result<Ending> {
        loop {
            if self.to_client.is_closed() {
                return Ok(Ending::Client);
            }
            if let Some((ending, _)) = self.closing
                && self.in_flight.is_empty()
                && self.complaints.is_empty()
            {
                return Ok(ending);
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
                    None => self.closing = Some((Ending::Client, Instant::now())),
                },
                Event::BuiltIn(line) => match line? {
                    Some(Line::Whole(line)) => self.handle_built_in_line(line),
                    _ => return Err(io::Error::other("the built-in half has ended")),
                },
                Event::Server(Ok(Some(Line::Whole(line)))) => self.handle_server_line(line),
                Event::Server(_) => {
                    self.closing = Some((Ending::Server, Instant::now()));
                    self.server_missing(ApiError::new(
                        ErrorType::IndexUnavailable,
                        "the server of this workspace ended before it had answered",
                        "ask again",
                    ));
                }
                Event::Connected(Ok(stream)) => self.connected(stream),
                Event::Connected(Err(error)) => self.server_missing(error),
                Event::Writable => {}
                Event::DeadlineReached => {
                    return Ok(self.closing.map_or(Ending::Client, |(ending, _)| ending));
                }
            }
        }
    }

    async fn event(&mut self) -> Event {
        let (client, built_in, server) = (
            self.to_client.can_put(),
            self.to_built_in.can_put(),
            self.to_server.can_put(),
        );
        let open = self.closing.is_none() && built_in && server && self.complaints.is_empty();
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
        let (ending, since) = self.closing?;
        Some(match (&self.server, ending) {
            (ServerState::Missing, _) | (_, Ending::Server) => since + CLOSE_TIMEOUT,
            (ServerState::Connected(_, connected), _) => since.max(*connected) + DRAIN_TIMEOUT,
            (ServerState::NotStarted(..) | ServerState::Connecting(..), _) => {
                since + CONNECT_TIMEOUT
            }
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
                    self.to_server.put(replayed);
                }
                self.to_built_in.put(line);
            }
            Message::BuiltIn(id) => {
                self.take_off(id, RequestOwner::BuiltIn, Vec::new());
                self.to_built_in.put(line);
            }
            Message::Request(id) => match self.server {
                ServerState::Missing => {
                    self.take_off(id, RequestOwner::BuiltIn, Vec::new());
                    self.to_built_in.put(line);
                }
                _ => {
                    self.take_off(id, RequestOwner::Server, line.clone());
                    self.to_server.put(line);
                }
            },
            Message::Initialized => {
                self.to_server.put(line.clone());
                self.to_built_in.put(line);
            }
            Message::Cancelled(id) => {
                // A cancelled request is not answered.
                if let Some(id) = id {
                    self.in_flight.remove(&id);
                }
                self.to_server.put(line);
            }
            Message::Other => self.to_server.put(line),
        }
    }

    fn handle_built_in_line(&mut self, line: Vec<u8>) {
        if let Some(id) = message::answered(&line) {
            self.land(&id, RequestOwner::BuiltIn);
        }
        self.to_client.put(line);
    }

    fn handle_server_line(&mut self, line: Vec<u8>) {
        if let Some(id) = message::answered(&line) {
            if self.ignored_answers > 0 && message::is_replay(&id) {
                self.ignored_answers -= 1;
                return;
            }
            self.land(&id, RequestOwner::Server);
        }
        self.to_client.put(line);
    }

    /// Starts connecting, once.
    fn begin(&mut self) {
        match std::mem::replace(&mut self.server, ServerState::Missing) {
            ServerState::NotStarted(lines, connect) => {
                self.server = ServerState::Connecting(lines, tokio::spawn(connect()));
            }
            server => self.server = server,
        }
    }

    fn connected(&mut self, stream: UnixStream) {
        let (read, write) = stream.into_split();
        match std::mem::replace(
            &mut self.server,
            ServerState::Connected(Lines::new(read, MAX_SERVER_LINE), Instant::now()),
        ) {
            ServerState::NotStarted(lines, _) | ServerState::Connecting(lines, _) => {
                queue::write(lines, write);
            }
            ServerState::Connected(..) | ServerState::Missing => {}
        }
    }

    /// Handles the lack of a server: the built-in handler answers its requests with `error`.
    fn server_missing(&mut self, error: ApiError) {
        // Set once: a missing server does not come back.
        let _ = self.missing_reason.set(error);
        self.server = ServerState::Missing;
        let mut due: Vec<(u64, Vec<u8>)> = self
            .in_flight
            .values_mut()
            .filter(|flight| flight.owner == RequestOwner::Server)
            .map(|flight| {
                flight.owner = RequestOwner::BuiltIn;
                (flight.order, std::mem::take(&mut flight.line))
            })
            .collect();
        due.sort_by_key(|(order, _)| std::cmp::Reverse(*order));
        self.reassigned = due.into_iter().map(|(_, line)| line).collect();
    }

    fn take_off(&mut self, id: Id, owner: RequestOwner, line: Vec<u8>) {
        self.order += 1;
        let order = self.order;
        self.in_flight
            .insert(id, InFlightRequest { order, owner, line });
    }

    fn land(&mut self, id: &Id, owner: RequestOwner) {
        if self
            .in_flight
            .get(id)
            .is_some_and(|flight| flight.owner == owner)
        {
            self.in_flight.remove(id);
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

impl<C> ServerState<C> {
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
