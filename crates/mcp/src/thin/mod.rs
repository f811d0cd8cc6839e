//! Between a client's pipes and a server: what depends on the build alone is answered here, all
//! else is carried.

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
use crate::handler::AnswerSource;
use crate::lines::{Line, Lines};
use crate::serve;
use message::{Id, Message};
use queue::Queue;

/// How long answers may take once the client has closed its end, from when there is a server.
const LAST_ANSWERS: Duration = Duration::from_secs(30);

/// The same, where no server stands yet.
const LAST_START: Duration = Duration::from_secs(120);

/// How long the built-in half may take for its last words, and the client to read them.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// The longest line of a server that is carried.
const MAX_ANSWER: usize = 256 << 20;

/// How much of the built-in half's bytes lies between it and us.
const BETWEEN: usize = 64 << 10;

/// Why it ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The client closed its end, or reads no longer.
    Client,
    /// The server went; what it had not answered was answered by an error that says so.
    Server,
}

/// Serves one client until it goes, or the server does.
///
/// `initialize`, `ping`, `server/discover`, `tools/list`, `prompts/list`,
/// `resources/templates/list` and `logging/setLevel` are answered at once by the handler of
/// [`crate::serve`] without a Host. The first message begins `connect`; everything else waits, in
/// order, until there is a connection, and is carried then. Where there will be none, each call is
/// answered by the error that `connect` gave. Where the client closes its end, the answers that
/// are due still come, for 30 seconds.
///
/// # Errors
/// The client's stream broke.
pub async fn thin<R, W, C, F>(input: R, output: W, connect: C) -> io::Result<Ending>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
    C: FnOnce() -> F,
    F: Future<Output = Result<UnixStream, ApiError>> + Send + 'static,
{
    let (ours, theirs) = tokio::io::duplex(BETWEEN);
    let why = Arc::new(OnceLock::new());
    let (gone, _) = watch::channel(false);
    tokio::spawn(serve::run(AnswerSource::Nowhere(why.clone()), gone, theirs));
    let (read, write) = tokio::io::split(ours);
    let (to_built_in, lines) = Queue::new();
    queue::write(lines, write);
    let (to_client, lines) = Queue::new();
    let written = queue::write(lines, output);
    let (to_server, waiting) = Queue::new();
    let mut thin = ThinClient {
        client: Lines::new(input, MAX_LINE),
        built_in: Lines::new(read, MAX_ANSWER),
        server: ServerState::Unasked(waiting, connect),
        to_client,
        to_built_in,
        to_server,
        flights: BTreeMap::new(),
        order: 0,
        handed_over: Vec::new(),
        complaints: VecDeque::new(),
        swallow: 0,
        why,
        closing: None,
    };
    let ending = thin.run().await?;
    let ThinClient {
        mut built_in,
        mut to_client,
        to_built_in,
        server,
        ..
    } = thin;
    drop(server);
    // Its end lets the built-in half answer what it has read, and end.
    drop(to_built_in);
    let last_words = async {
        while let Ok(Some(Line::Whole(line))) = built_in.next().await {
            to_client.wait().await;
            to_client.put(line);
        }
        drop(to_client);
        // A task that writes does not panic.
        let _ = written.await;
    };
    // A client that reads no longer is not waited for.
    let _ = timeout(LAST_WORDS, last_words).await;
    Ok(ending)
}

/// Who is to answer a request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RequestOwner {
    BuiltIn,
    Server,
}

/// A request that is not answered yet.
struct InFlightRequest {
    order: u64,
    half: RequestOwner,
    /// What was sent to the server.
    line: Vec<u8>,
}

/// How far the server is.
enum ServerState<C> {
    /// Nothing was said to it yet.
    Unasked(Receiver<Vec<u8>>, C),
    /// The connection is being made; lines wait.
    Awaited(Receiver<Vec<u8>>, JoinHandle<Result<UnixStream, ApiError>>),
    /// There is a connection, since then.
    Connected(Lines<OwnedReadHalf>, Instant),
    /// There is none and will be none: the built-in half answers, with an error for each call.
    Missing,
}

struct ThinClient<R, C> {
    client: Lines<R>,
    built_in: Lines<ReadHalf<DuplexStream>>,
    server: ServerState<C>,
    to_client: Queue,
    to_built_in: Queue,
    to_server: Queue,
    flights: BTreeMap<Id, InFlightRequest>,
    order: u64,
    /// Requests that the server did not answer, on their way to the built-in half, the last first.
    handed_over: Vec<Vec<u8>>,
    /// Complaints on their way to the client, the first first. Nothing more is read of it meanwhile.
    complaints: VecDeque<Vec<u8>>,
    /// How many answers to our own `initialize` are due.
    swallow: usize,
    /// Why there is no server.
    why: Arc<OnceLock<ApiError>>,
    /// Nothing more is read of the client: why, and since when.
    closing: Option<(Ending, Instant)>,
}

/// What happened.
enum Event {
    Client(io::Result<Option<Line>>),
    BuiltIn(io::Result<Option<Line>>),
    Server(io::Result<Option<Line>>),
    Connected(Result<UnixStream, ApiError>),
    Room,
    Late,
}

impl<R, C, F> ThinClient<R, C>
where
    R: AsyncRead + Unpin,
    C: FnOnce() -> F,
    F: Future<Output = Result<UnixStream, ApiError>> + Send + 'static,
{
    /// Carries lines until there is nothing more to carry.
    async fn run(&mut self) -> io::Result<Ending> {
        loop {
            if self.to_client.is_closed() {
                return Ok(Ending::Client);
            }
            if let Some((ending, _)) = self.closing
                && self.flights.is_empty()
                && self.complaints.is_empty()
            {
                return Ok(ending);
            }
            if self.to_built_in.has_room()
                && let Some(line) = self.handed_over.pop()
            {
                self.to_built_in.put(line);
            }
            if self.to_client.has_room()
                && let Some(line) = self.complaints.pop_front()
            {
                self.to_client.put(line);
            }
            match self.event().await {
                Event::Client(line) => match line? {
                    Some(Line::Whole(line) | Line::Cut(line)) => self.hear_client(line),
                    Some(Line::TooLong) => {
                        let words = format!("Invalid request: longer than {MAX_LINE} bytes");
                        self.complain(ErrorCode::INVALID_REQUEST, &words);
                    }
                    None => self.closing = Some((Ending::Client, Instant::now())),
                },
                Event::BuiltIn(line) => match line? {
                    Some(Line::Whole(line)) => self.hear_built_in(line),
                    _ => return Err(io::Error::other("the built-in half has ended")),
                },
                Event::Server(Ok(Some(Line::Whole(line)))) => self.hear_server(line),
                Event::Server(_) => {
                    self.closing = Some((Ending::Server, Instant::now()));
                    self.miss(ApiError::new(
                        ErrorType::IndexUnavailable,
                        "the server of this workspace ended before it had answered",
                        "ask again",
                    ));
                }
                Event::Connected(Ok(stream)) => self.connected(stream),
                Event::Connected(Err(error)) => self.miss(error),
                Event::Room => {}
                Event::Late => {
                    return Ok(self.closing.map_or(Ending::Client, |(ending, _)| ending));
                }
            }
        }
    }

    async fn event(&mut self) -> Event {
        let (client, built_in, server) = (
            self.to_client.has_room(),
            self.to_built_in.has_room(),
            self.to_server.has_room(),
        );
        let open = self.closing.is_none() && built_in && server && self.complaints.is_empty();
        let late = self.late();
        tokio::select! {
            line = self.client.next(), if open => Event::Client(line),
            line = self.built_in.next(), if client => Event::BuiltIn(line),
            event = self.server.event(client) => event,
            () = self.to_client.wait(), if !client => Event::Room,
            () = self.to_built_in.wait(), if !built_in => Event::Room,
            () = self.to_server.wait(), if !server => Event::Room,
            () = sleep_until(late.unwrap_or_else(Instant::now)), if late.is_some() => Event::Late,
        }
    }

    /// Until when answers are waited for.
    fn late(&self) -> Option<Instant> {
        let (ending, since) = self.closing?;
        Some(match (&self.server, ending) {
            (ServerState::Missing, _) | (_, Ending::Server) => since + LAST_WORDS,
            (ServerState::Connected(_, connected), _) => since.max(*connected) + LAST_ANSWERS,
            (ServerState::Unasked(..) | ServerState::Awaited(..), _) => since + LAST_START,
        })
    }

    fn hear_client(&mut self, line: Vec<u8>) {
        self.begin();
        match message::read(&line) {
            Message::Broken => self.complain(ErrorCode::PARSE_ERROR, "Parse error"),
            Message::Odd => self.to_built_in.put(line),
            Message::Misfit(id) => {
                let words = "Invalid params";
                self.refuse(id.to_request_id(), ErrorCode::INVALID_PARAMS, words);
            }
            Message::Initialize(id) => {
                if let Some(replayed) = message::replayed(&line) {
                    self.take_off(id, RequestOwner::BuiltIn, Vec::new());
                    self.swallow += 1;
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
                // What is cancelled is not answered.
                if let Some(id) = id {
                    self.flights.remove(&id);
                }
                self.to_server.put(line);
            }
            Message::Other => self.to_server.put(line),
        }
    }

    fn hear_built_in(&mut self, line: Vec<u8>) {
        if let Some(id) = message::answered(&line) {
            self.land(&id, RequestOwner::BuiltIn);
        }
        self.to_client.put(line);
    }

    fn hear_server(&mut self, line: Vec<u8>) {
        if let Some(id) = message::answered(&line) {
            if self.swallow > 0 && message::is_ours(&id) {
                self.swallow -= 1;
                return;
            }
            self.land(&id, RequestOwner::Server);
        }
        self.to_client.put(line);
    }

    /// Begins to connect, once.
    fn begin(&mut self) {
        match std::mem::replace(&mut self.server, ServerState::Missing) {
            ServerState::Unasked(lines, connect) => {
                self.server = ServerState::Awaited(lines, tokio::spawn(connect()));
            }
            server => self.server = server,
        }
    }

    fn connected(&mut self, stream: UnixStream) {
        let (read, write) = stream.into_split();
        match std::mem::replace(
            &mut self.server,
            ServerState::Connected(Lines::new(read, MAX_ANSWER), Instant::now()),
        ) {
            ServerState::Unasked(lines, _) | ServerState::Awaited(lines, _) => {
                queue::write(lines, write);
            }
            ServerState::Connected(..) | ServerState::Missing => {}
        }
    }

    /// There is no server: what it was asked is answered by the built-in half, with `error`.
    fn miss(&mut self, error: ApiError) {
        // Set once: who is missing does not come back.
        let _ = self.why.set(error);
        self.server = ServerState::Missing;
        let mut due: Vec<(u64, Vec<u8>)> = self
            .flights
            .values_mut()
            .filter(|flight| flight.half == RequestOwner::Server)
            .map(|flight| {
                flight.half = RequestOwner::BuiltIn;
                (flight.order, std::mem::take(&mut flight.line))
            })
            .collect();
        due.sort_by_key(|(order, _)| std::cmp::Reverse(*order));
        self.handed_over = due.into_iter().map(|(_, line)| line).collect();
    }

    fn take_off(&mut self, id: Id, half: RequestOwner, line: Vec<u8>) {
        self.order += 1;
        let order = self.order;
        self.flights
            .insert(id, InFlightRequest { order, half, line });
    }

    fn land(&mut self, id: &Id, half: RequestOwner) {
        if self
            .flights
            .get(id)
            .is_some_and(|flight| flight.half == half)
        {
            self.flights.remove(id);
        }
    }

    /// Says what is wrong with a line that has no id, where the client reads.
    fn complain(&mut self, code: ErrorCode, words: &str) {
        self.refuse(None, code, words);
    }

    /// Answers by an error.
    fn refuse(&mut self, id: Option<RequestId>, code: ErrorCode, words: &str) {
        let error = ErrorData::new(code, words.to_owned(), None);
        let message = ServerJsonRpcMessage::error(error, id);
        // It holds a number and a text, which have a JSON.
        if let Ok(line) = serde_json::to_vec(&message) {
            self.complaints.push_back(line);
        }
    }
}

impl<C> ServerState<C> {
    /// The next thing that the server does; lines are read only where there is `room` for them.
    async fn event(&mut self, room: bool) -> Event {
        match self {
            ServerState::Awaited(_, connection) => {
                Event::Connected(connection.await.unwrap_or_else(|panic| {
                    Err(ApiError::new(
                        ErrorType::Internal,
                        format!("no server could be started: {panic}"),
                        "report this with the words above",
                    ))
                }))
            }
            ServerState::Connected(lines, _) if room => Event::Server(lines.next().await),
            _ => std::future::pending().await,
        }
    }
}
