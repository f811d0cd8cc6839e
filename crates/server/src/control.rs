//! The control frontend, which the command line connects to: requests and answers in JSON.
//!
//! ```text
//! message = length (u32, little-endian) JSON
//! ```

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{TryRecvError, channel};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::hello::Hello;
use codeweft_graph::answer::{ApiError, CheckedAnalysis, CheckedRequest, ErrorType};
use codeweft_knowledge::tools::KnowledgeRequest;
use codeweft_retrieval::BundleRequest;
use codeweft_workspace::{AnalysisHost, GraphQuestion, HostState, Priority, RequestOptions};

/// The longest request, in bytes.
const MAX_REQUEST: u32 = 1 << 20;

/// The longest answer, in bytes.
const MAX_ANSWER: u32 = 1 << 30;

/// The time limit of a graph request once the workspace is loaded.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(120);

/// The time limit of a request that reads no graph.
const CONTROL_TIMEOUT: Duration = Duration::from_secs(10);

/// The pause between two looks at whether the workspace is loaded.
const LOADING_POLL: Duration = Duration::from_millis(10);

/// A request of the command line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ControlRequest {
    /// A request of the graph.
    Question(CheckedRequest),
    /// An analysis.
    Analysis(CheckedAnalysis),
    /// A request of the knowledge graph.
    Knowledge(KnowledgeRequest),
    /// What a text is about.
    Bundle(BundleRequest),
    /// The host's statistics.
    Stats,
    /// The state of the server and the numbers of its clients.
    Status,
    /// The end of the server.
    Stop,
}

/// A client of the control frontend.
#[derive(Debug)]
pub struct ControlClient {
    stream: UnixStream,
}

impl ControlClient {
    /// Returns a client over a connection whose hello named [`Frontend::Ctl`](crate::Frontend::Ctl).
    pub fn new(stream: UnixStream) -> ControlClient {
        ControlClient { stream }
    }

    /// Sends a request of the graph and returns its answer.
    ///
    /// # Errors
    /// The connection broke. The inner result is that of the request.
    pub fn question<R: ControlQuestion>(
        &mut self,
        request: &R,
    ) -> io::Result<Result<R::Response, ApiError>> {
        let answer: ControlAnswer<R::Response> = self.request(&request.control_request())?;
        Ok(match answer {
            ControlAnswer::Found(response) => Ok(*response),
            ControlAnswer::Wrong(error) => Err(error),
        })
    }

    /// Sends a request that reads no graph, and returns its answer.
    ///
    /// # Errors
    /// The connection broke, or there was no answer within ten seconds.
    pub fn figures(&mut self, request: &ControlRequest) -> io::Result<Value> {
        self.stream.set_read_timeout(Some(CONTROL_TIMEOUT))?;
        let answer = self.request(request);
        self.stream.set_read_timeout(None)?;
        answer
    }

    /// Waits until the server has closed the connection.
    ///
    /// # Errors
    /// It has not within `patience`.
    pub fn wait_for_end(&mut self, patience: Duration) -> io::Result<()> {
        self.stream.set_read_timeout(Some(patience))?;
        match self.stream.read(&mut [0; 1]) {
            Ok(0) => Ok(()),
            Ok(_) => Err(io::ErrorKind::InvalidData.into()),
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn request<T: DeserializeOwned>(&mut self, request: &ControlRequest) -> io::Result<T> {
        write(&mut self.stream, &serde_json::to_vec(request)?)?;
        let answer = read(&mut self.stream, MAX_ANSWER)?
            .ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))?;
        Ok(serde_json::from_slice(&answer)?)
    }
}

/// A request of the graph that goes over the connection with its answer.
pub trait ControlQuestion: GraphQuestion<Response: Serialize + DeserializeOwned> {
    /// Returns the message.
    fn control_request(&self) -> ControlRequest;
}

impl ControlQuestion for CheckedRequest {
    fn control_request(&self) -> ControlRequest {
        ControlRequest::Question(self.clone())
    }
}

impl ControlQuestion for CheckedAnalysis {
    fn control_request(&self) -> ControlRequest {
        ControlRequest::Analysis(self.clone())
    }
}

impl ControlQuestion for KnowledgeRequest {
    fn control_request(&self) -> ControlRequest {
        ControlRequest::Knowledge(self.clone())
    }
}

impl ControlQuestion for BundleRequest {
    fn control_request(&self) -> ControlRequest {
        ControlRequest::Bundle(self.clone())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ControlAnswer<T> {
    Found(Box<T>),
    Wrong(ApiError),
}

/// The answer with an error, whatever the request.
type ControlError = ControlAnswer<()>;

/// What the server does for requests that are not about the graph.
pub(super) struct ControlHooks<'a> {
    /// Returns the answer to [`ControlRequest::Status`].
    pub(super) status: &'a dyn Fn() -> Value,
    /// Sends the signal to end.
    pub(super) stop: &'a dyn Fn(),
    /// Waits for the documents of the editors of a server that was killed.
    pub(super) returned: &'a dyn Fn(),
}

/// Serves one client until it disconnects.
pub(super) fn serve(
    host: &AnalysisHost,
    hello: &Hello,
    mut stream: UnixStream,
    hooks: ControlHooks<'_>,
) {
    while let Ok(Some(request)) = read(&mut stream, MAX_REQUEST) {
        let answer = match serde_json::from_slice(&request) {
            Ok(ControlRequest::Question(request)) => {
                (hooks.returned)();
                match answer(host, hello, &stream, request) {
                    Some(answer) => answer,
                    // The client has disconnected.
                    None => return,
                }
            }
            Ok(ControlRequest::Analysis(request)) => {
                (hooks.returned)();
                match answer(host, hello, &stream, request) {
                    Some(answer) => answer,
                    None => return,
                }
            }
            Ok(ControlRequest::Knowledge(request)) => {
                (hooks.returned)();
                match answer(host, hello, &stream, request) {
                    Some(answer) => answer,
                    None => return,
                }
            }
            Ok(ControlRequest::Bundle(request)) => {
                (hooks.returned)();
                match answer(host, hello, &stream, request) {
                    Some(answer) => answer,
                    None => return,
                }
            }
            Ok(ControlRequest::Stats) => serde_json::to_vec(&host.stats()),
            Ok(ControlRequest::Status) => serde_json::to_vec(&(hooks.status)()),
            Ok(ControlRequest::Stop) => {
                let answer = serde_json::to_vec(&Value::Bool(true));
                let _ = answer.map(|answer| write(&mut stream, &answer));
                (hooks.stop)();
                continue;
            }
            Err(error) => {
                let error = ApiError::invalid_request(error.to_string());
                serde_json::to_vec(&ControlError::Wrong(error))
            }
        };
        let Ok(answer) = answer else { return };
        if write(&mut stream, &answer).is_err() {
            return;
        }
    }
}

/// Returns the message with the answer to a request of the graph; `None` if the client disconnects
/// meanwhile.
fn answer<R: ControlQuestion>(
    host: &AnalysisHost,
    hello: &Hello,
    stream: &UnixStream,
    request: R,
) -> Option<serde_json::Result<Vec<u8>>> {
    let answer = match question(host, hello, stream, request)? {
        Ok(response) => ControlAnswer::Found(Box::new(response)),
        Err(error) => ControlAnswer::Wrong(error),
    };
    Some(serde_json::to_vec(&answer))
}

/// Answers a request of the graph; `None` if the client disconnects meanwhile.
fn question<R: ControlQuestion>(
    host: &AnalysisHost,
    hello: &Hello,
    stream: &UnixStream,
    request: R,
) -> Option<Result<R::Response, ApiError>> {
    while let HostState::Loading(_) = host.state() {
        if is_gone(stream) {
            return None;
        }
        thread::sleep(LOADING_POLL);
    }
    let Ok((done, over)) = UnixStream::pair() else {
        return Some(Err(ApiError::new(
            ErrorType::LimitExceeded,
            "the server has no descriptors left",
            "ask again when other clients have gone",
        )));
    };
    let client = host.connect(&hello.client_name);
    let options = RequestOptions::new(client, Priority::Agent, host.now(), REQUEST_TIMEOUT);
    let cancel = options.cancel.clone();
    let (sender, receiver) = channel();
    host.graph(options, request, move |answer| {
        // The receiver is gone if the client has disconnected.
        let _ = sender.send(answer);
        drop(done);
    });
    let answer = loop {
        match receiver.try_recv() {
            Ok(answer) => break Some(answer),
            Err(TryRecvError::Disconnected) => break None,
            Err(TryRecvError::Empty) => {}
        }
        let hung_up = PollFlags::HUP | PollFlags::ERR;
        let mut either = [
            PollFd::new(&over, PollFlags::IN),
            PollFd::new(stream, PollFlags::RDHUP),
        ];
        // An interrupted wait is checked like one that has ended.
        let _ = poll(&mut either, None);
        if either[1].revents().intersects(hung_up | PollFlags::RDHUP) {
            cancel.cancel();
            break None;
        }
    };
    host.leave(client);
    answer
}

/// Returns whether the client has closed its end.
fn is_gone(stream: &UnixStream) -> bool {
    let mut one = [PollFd::new(stream, PollFlags::RDHUP)];
    let at_once = rustix::event::Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    matches!(poll(&mut one, Some(&at_once)), Ok(ready) if ready > 0)
}

fn write(stream: &mut impl Write, message: &[u8]) -> io::Result<()> {
    let length = u32::try_from(message.len())
        .ok()
        .filter(|length| *length <= MAX_ANSWER)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the message is too long"))?;
    stream.write_all(&length.to_le_bytes())?;
    stream.write_all(message)
}

/// Reads the next message; `None` at the end of the stream. Memory grows with the bytes that come, not with
/// the length that the message claims.
fn read(stream: &mut impl Read, longest: u32) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; 4];
    match stream.read_exact(&mut head) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let length = u32::from_le_bytes(head);
    if length > longest {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut message = Vec::new();
    stream.take(u64::from(length)).read_to_end(&mut message)?;
    if message.len() == length as usize {
        Ok(Some(message))
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_back_as_they_were_sent() {
        let mut bytes = Vec::new();
        write(&mut bytes, b"one").expect("written");
        write(&mut bytes, b"").expect("written");
        let mut from = bytes.as_slice();
        assert_eq!(
            read(&mut from, 3).expect("read").as_deref(),
            Some(&b"one"[..])
        );
        assert_eq!(read(&mut from, 3).expect("read").as_deref(), Some(&b""[..]));
        assert_eq!(read(&mut from, 3).expect("the end"), None);
    }

    #[test]
    fn a_message_that_is_too_long_or_cut_is_an_error() {
        let mut bytes = Vec::new();
        write(&mut bytes, b"four").expect("written");
        assert!(read(&mut bytes.as_slice(), 3).is_err());
        assert!(read(&mut &bytes[..6], 4).is_err());
    }
}
