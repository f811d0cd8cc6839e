//! Connecting to the server of a workspace, which is started if none runs.
//!
//! ```text
//! for each socket: dial ──> check the uid of the peer ──> send Hello ──> Welcome or Refusal: done
//! none answered: lock the socket's folder ──> look again ──> start a server ──> from the beginning
//! ```

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};

use crate::hello::{self, Hello, HelloReply, Refusal, Welcome};
use crate::lock::FileLock;
use crate::private_files::uid;
use crate::socket_folder::{SocketPaths, UnsafeFolder};

/// The time limit for a connection to be accepted.
const CONNECT: Duration = Duration::from_millis(250);

/// The time limit for the answer to a hello.
const ANSWER: Duration = Duration::from_secs(5);

/// The time limit for other clients to start a server.
const START: Duration = Duration::from_secs(5);

/// The number of tries if a server ends before it answers.
const TRIES: usize = 3;

/// A connection whose hello was answered: the bytes of the frontend's protocol follow.
#[derive(Debug)]
pub struct ServerConnection {
    /// Blocking, without time limits.
    pub stream: UnixStream,
    /// The server's answer to the hello.
    pub welcome: Welcome,
}

/// The reason why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// No server runs.
    #[error("no server runs")]
    None,
    /// A server runs and refuses this client.
    #[error("{}", .0.message)]
    Refused(Refusal),
    /// The folder for a socket cannot be used.
    #[error("the folder for a socket cannot be used: {0}")]
    Folder(#[from] UnsafeFolder),
    /// No server could be started, for this reason.
    #[error("no server could be started: {0}")]
    Start(String),
    /// A server runs and does not answer, for this reason.
    #[error("the server does not answer: {0}")]
    Silent(String),
}

/// Connects to the running server of a workspace. Starts none.
///
/// # Errors
/// See [`ConnectError`].
pub fn attach(paths: &SocketPaths, hello: &Hello) -> Result<ServerConnection, ConnectError> {
    for _ in 0..TRIES {
        match try_sockets(paths, hello) {
            SocketProbe::Connected(connected) => return Ok(*connected),
            SocketProbe::Refused(refusal) => return Err(ConnectError::Refused(refusal)),
            SocketProbe::Nothing => return Err(ConnectError::None),
            SocketProbe::Silent(words) => return Err(ConnectError::Silent(words)),
            SocketProbe::Gone => {}
        }
    }
    Err(ConnectError::None)
}

/// Connects to the server of a workspace. If none runs, `start` is called under the lock of the socket's
/// folder, so that of any number of clients only one starts a server; `start` returns once a server listens.
///
/// # Errors
/// See [`ConnectError`]; never [`ConnectError::None`].
pub fn connect(
    paths: &SocketPaths,
    hello: &Hello,
    start: &dyn Fn() -> Result<(), String>,
) -> Result<ServerConnection, ConnectError> {
    let mut last = ConnectError::Start("it ends as soon as it is started".to_owned());
    for _ in 0..TRIES {
        match try_sockets(paths, hello) {
            SocketProbe::Connected(connected) => return Ok(*connected),
            SocketProbe::Refused(refusal) => return Err(ConnectError::Refused(refusal)),
            // A server that does not answer holds the server lock, so another could not start.
            SocketProbe::Silent(words) => return Err(ConnectError::Silent(words)),
            SocketProbe::Nothing | SocketProbe::Gone => {}
        }
        let folder = paths.make()?;
        let lock = FileLock::take(|| folder.descriptor(), START)
            .map_err(|error| ConnectError::Start(error.to_string()))?;
        let Some(_lock) = lock else {
            last = ConnectError::Start(format!(
                "another process holds {} and does not let go",
                folder.path().display()
            ));
            continue;
        };
        // Another client may have started a server while this one waited.
        match try_sockets(paths, hello) {
            SocketProbe::Connected(connected) => return Ok(*connected),
            SocketProbe::Refused(refusal) => return Err(ConnectError::Refused(refusal)),
            SocketProbe::Silent(words) => return Err(ConnectError::Silent(words)),
            SocketProbe::Nothing | SocketProbe::Gone => {}
        }
        start().map_err(ConnectError::Start)?;
    }
    match try_sockets(paths, hello) {
        SocketProbe::Connected(connected) => Ok(*connected),
        SocketProbe::Refused(refusal) => Err(ConnectError::Refused(refusal)),
        SocketProbe::Silent(words) => Err(ConnectError::Silent(words)),
        SocketProbe::Nothing | SocketProbe::Gone => Err(last),
    }
}

/// The result of trying all sockets of a workspace once.
enum SocketProbe {
    Connected(Box<ServerConnection>),
    Refused(Refusal),
    /// No server listens.
    Nothing,
    /// A server listened and ended before it answered.
    Gone,
    /// A server listens and does not answer, for this reason.
    Silent(String),
}

fn try_sockets(paths: &SocketPaths, hello: &Hello) -> SocketProbe {
    let mut found = SocketProbe::Nothing;
    for socket in paths.sockets() {
        let stream = match dial(&socket, CONNECT) {
            Ok(stream) => stream,
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                found = SocketProbe::Silent(format!("{} takes no connection", socket.display()));
                continue;
            }
            Err(_) => continue,
        };
        match greet(stream, hello) {
            Ok((stream, HelloReply::Welcome(welcome))) => {
                return SocketProbe::Connected(Box::new(ServerConnection { stream, welcome }));
            }
            Ok((_, HelloReply::Refusal(refusal))) => return SocketProbe::Refused(refusal),
            Err(error) if is_gone(&error) => found = SocketProbe::Gone,
            Err(error) => found = SocketProbe::Silent(error.to_string()),
        }
    }
    found
}

fn greet(mut stream: UnixStream, hello: &Hello) -> io::Result<(UnixStream, HelloReply)> {
    if peer_uid(&stream)? != uid() {
        return Err(io::Error::other("it belongs to another user"));
    }
    stream.set_write_timeout(Some(ANSWER))?;
    let sent = hello::send(&mut stream, hello);
    // A server that refuses at once may have answered and gone before the hello was written.
    let reply = match hello::receive(&stream, ANSWER) {
        Ok(reply) => reply,
        Err(error) => return Err(sent.err().unwrap_or(error)),
    };
    stream.set_write_timeout(None)?;
    Ok((stream, reply))
}

fn is_gone(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe
    )
}

/// Connects to a socket; waits at most `patience` if its queue of connections is full.
pub(super) fn dial(socket: &Path, patience: Duration) -> io::Result<UnixStream> {
    let until = Instant::now() + patience;
    let address = SocketAddrUnix::new(socket)?;
    loop {
        let descriptor = open_socket()?;
        rustix::io::ioctl_fionbio(&descriptor, true)?;
        match rustix::net::connect(&descriptor, &address) {
            Ok(()) => {
                rustix::io::ioctl_fionbio(&descriptor, false)?;
                return Ok(UnixStream::from(descriptor));
            }
            // unix(7): the queue of the listening socket is full.
            Err(Errno::AGAIN) if Instant::now() < until => sleep(Duration::from_millis(5)),
            Err(Errno::AGAIN) => return Err(io::ErrorKind::TimedOut.into()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

fn open_socket() -> rustix::io::Result<OwnedFd> {
    rustix::net::socket_with(
        AddressFamily::UNIX,
        SocketType::STREAM,
        SocketFlags::CLOEXEC,
        None,
    )
}

/// Returns the uid of the process at the other end, from the kernel.
pub(super) fn peer_uid(stream: &UnixStream) -> io::Result<u32> {
    Ok(rustix::net::sockopt::socket_peercred(stream)?.uid.as_raw())
}
