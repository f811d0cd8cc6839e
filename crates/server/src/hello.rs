//! The handshake of client and server before the frontend's own bytes: `CW1` and a line end, the length of what
//! follows in four bytes (little-endian), JSON.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use crate::build_id::build;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The first bytes of a hello; the digit is the version of the protocol.
const MAGIC: &[u8; 4] = b"CW1\n";

/// The longest hello and the longest answer, in bytes.
const MAX_HELLO: u32 = 64 << 10;

/// The first message of a client.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Hello {
    /// Version and hash of the client's binary; see [`crate::build`].
    pub build: String,
    /// The frontend that it connects to.
    #[serde(rename = "door")]
    pub frontend: Frontend,
    /// The canonical root.
    pub root: String,
    /// The process id of the client.
    pub pid: u32,
    /// A name for people: `nvim`, `claude-code`.
    pub client_name: String,
    /// The environment variables that answers depend on; see [`crate::environment`].
    pub env: BTreeMap<String, String>,
    /// Decisions of the client before it was connected: the editor's encoding and mode.
    pub decided: serde_json::Value,
}

impl Hello {
    /// Returns the hello of this process.
    pub fn new(
        frontend: Frontend,
        root: &str,
        client_name: &str,
        decided: serde_json::Value,
    ) -> Hello {
        Hello {
            build: build().to_owned(),
            frontend,
            root: root.to_owned(),
            pid: std::process::id(),
            client_name: client_name.to_owned(),
            env: crate::environment::sent(root),
            decided,
        }
    }
}

/// The frontends of a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Frontend {
    /// An editor.
    Lsp,
    /// An agent.
    Mcp,
    /// The command line; see [`crate::ControlRequest`].
    Ctl,
}

/// The server's answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum HelloReply {
    /// The bytes of the frontend's protocol follow.
    Welcome(Welcome),
    /// Nothing follows.
    Refusal(Refusal),
}

/// The answer to a client that is accepted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Welcome {
    /// Always true: distinguishes a welcome from a refusal.
    pub ok: bool,
    /// The instance of the server's host.
    pub instance: String,
    /// The build of the server.
    pub build: String,
    /// Its process id.
    pub pid: u32,
    /// The number of effective changes so far.
    pub revision: u64,
    /// The state of the server.
    pub state: ServerProgress,
    /// Warnings for the user of the client, a sentence each.
    pub warnings: Vec<String>,
    /// The build configuration of Go, printed as in answers.
    #[serde(default)]
    pub configuration: String,
}

/// The progress of a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ServerProgress {
    /// The workspace is being loaded; requests wait.
    Loading,
    /// Requests are answered.
    Ready,
    /// The workspace could not be loaded; requests get the reason as an error.
    Failed,
}

/// The answer to a client that is refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refusal {
    /// The reason for programs.
    pub refuse: RefusalReason,
    /// The reason for people.
    pub message: String,
}

/// The reason of a refusal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RefusalReason {
    /// The server is of another version.
    Build,
    /// The server is of another workspace.
    Root,
    /// It has as many connections as it takes.
    Full,
    /// The first message is no hello.
    Hello,
}

/// Sends a hello or an answer.
pub(super) fn send(stream: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_vec(message)?;
    let length = u32::try_from(text.len())
        .ok()
        .filter(|length| *length <= MAX_HELLO)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the hello is too long"))?;
    let mut bytes = Vec::with_capacity(8 + text.len());
    bytes.extend(MAGIC);
    bytes.extend(length.to_le_bytes());
    bytes.extend(text);
    stream.write_all(&bytes)
}

/// Receives a whole hello or answer within `patience`, and not a byte more.
///
/// # Errors
/// `UnexpectedEof` if the peer closed the stream before the end, `TimedOut`, `InvalidData`.
pub(super) fn receive<T: DeserializeOwned>(
    stream: &UnixStream,
    patience: Duration,
) -> io::Result<T> {
    let until = Instant::now() + patience;
    let mut head = [0; 8];
    read_until(stream, &mut head, until)?;
    let invalid = |words: &str| io::Error::new(io::ErrorKind::InvalidData, words);
    let (magic, length) = head.split_at(4);
    if magic != MAGIC {
        return Err(invalid("the other speaks another protocol"));
    }
    let length = length.try_into().map_or(0, u32::from_le_bytes);
    if length > MAX_HELLO {
        return Err(invalid("the hello is too long"));
    }
    let mut text = vec![0; length as usize];
    read_until(stream, &mut text, until)?;
    stream.set_read_timeout(None)?;
    serde_json::from_slice(&text).map_err(|error| invalid(&error.to_string()))
}

/// Fills `buffer`. The deadline is that of the whole buffer, so a byte a second does not keep a connection.
fn read_until(stream: &UnixStream, buffer: &mut [u8], until: Instant) -> io::Result<()> {
    let mut filled = 0;
    while filled < buffer.len() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match (&mut &*stream).read(&mut buffer[filled..]) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                return Err(io::ErrorKind::TimedOut.into());
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(50);
    const LONG: Duration = Duration::from_secs(10);

    fn received(bytes: &[u8], patience: Duration) -> io::ErrorKind {
        let (mut client, server) = UnixStream::pair().expect("a pair");
        client.write_all(bytes).expect("sent");
        let hello: io::Result<Hello> = receive(&server, patience);
        hello.expect_err("no hello").kind()
    }

    #[test]
    fn a_hello_is_read_whole_and_nothing_after_it() {
        let (mut client, server) = UnixStream::pair().expect("a pair");
        let hello = Hello::new(Frontend::Mcp, "/w", "test", serde_json::json!({"a": 1}));
        send(&mut client, &hello).expect("sent");
        client.write_all(b"own bytes").expect("sent");
        assert_eq!(receive::<Hello>(&server, LONG).expect("read"), hello);
        let mut rest = [0; 9];
        (&server).read_exact(&mut rest).expect("read");
        assert_eq!(&rest, b"own bytes");
    }

    #[test]
    fn another_protocol_is_refused_after_eight_bytes() {
        assert_eq!(
            received(b"GET / HTTP/1.1\r\n", LONG),
            io::ErrorKind::InvalidData
        );
    }

    #[test]
    fn a_hello_that_claims_to_be_too_long_is_not_waited_for() {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((MAX_HELLO + 1).to_le_bytes());
        assert_eq!(received(&bytes, LONG), io::ErrorKind::InvalidData);
        bytes[4..].copy_from_slice(&MAX_HELLO.to_le_bytes());
        assert_eq!(received(&bytes, SOON), io::ErrorKind::TimedOut);
    }

    #[test]
    fn half_a_hello_times_out() {
        assert_eq!(received(b"CW1\n", SOON), io::ErrorKind::TimedOut);
        assert_eq!(received(b"", SOON), io::ErrorKind::TimedOut);
    }

    #[test]
    fn a_client_that_disconnects_differs_from_a_slow_one() {
        let (client, server) = UnixStream::pair().expect("a pair");
        drop(client);
        let hello: io::Result<Hello> = receive(&server, LONG);
        assert_eq!(
            hello.expect_err("gone").kind(),
            io::ErrorKind::UnexpectedEof
        );
    }

    #[test]
    fn an_answer_is_a_welcome_or_a_refusal() {
        let refusal = Refusal {
            refuse: RefusalReason::Full,
            message: "no".to_owned(),
        };
        let text = serde_json::to_string(&HelloReply::Refusal(refusal.clone())).expect("JSON");
        assert_eq!(text, r#"{"refuse":"full","message":"no"}"#);
        let reply: HelloReply = serde_json::from_str(&text).expect("read");
        assert_eq!(reply, HelloReply::Refusal(refusal));
    }
}
