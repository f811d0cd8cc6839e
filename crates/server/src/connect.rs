//! How a client finds the server of a workspace, and has one started where there is none.

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

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_millis(250);

/// How long a server may take to answer a hello.
const ANSWER: Duration = Duration::from_secs(5);

/// How long others may be in the middle of starting a server.
const START: Duration = Duration::from_secs(5);

/// How often a client begins again where a server went before it answered.
const TRIES: usize = 3;

/// A connection whose hello was answered: the door's own bytes may follow.
#[derive(Debug)]
pub struct ServerConnection {
    /// Blocking, without time limits.
    pub stream: UnixStream,
    /// What the server said.
    pub welcome: Welcome,
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// No server runs.
    #[error("no server runs")]
    None,
    /// A server runs and does not let this client in.
    #[error("{}", .0.message)]
    Refused(Refusal),
    /// The folder for a socket cannot be used.
    #[error("the folder for a socket cannot be used: {0}")]
    Folder(#[from] UnsafeFolder),
    /// No server could be started: why.
    #[error("no server could be started: {0}")]
    Start(String),
    /// A server runs and does not answer: why.
    #[error("the server does not answer: {0}")]
    Silent(String),
}

/// Connects to the server of a workspace that runs, and starts none.
///
/// # Errors
/// See [`ConnectError`].
pub fn attach(places: &SocketPaths, hello: &Hello) -> Result<ServerConnection, ConnectError> {
    for _ in 0..TRIES {
        match try_sockets(places, hello) {
            SocketProbe::Connected(connected) => return Ok(*connected),
            SocketProbe::Refused(refusal) => return Err(ConnectError::Refused(refusal)),
            SocketProbe::Nothing => return Err(ConnectError::None),
            SocketProbe::Silent(words) => return Err(ConnectError::Silent(words)),
            SocketProbe::Gone => {}
        }
    }
    Err(ConnectError::None)
}

/// Connects to the server of a workspace. Where none runs, `start` is called under the lock of the
/// socket's folder, so that of any number of clients one starts one; it returns once the server
/// listens, or once another was first.
///
/// # Errors
/// See [`ConnectError`]; never [`ConnectError::None`].
pub fn connect(
    places: &SocketPaths,
    hello: &Hello,
    start: &dyn Fn() -> Result<(), String>,
) -> Result<ServerConnection, ConnectError> {
    let mut last = ConnectError::Start("it ends as soon as it is started".to_owned());
    for _ in 0..TRIES {
        match try_sockets(places, hello) {
            SocketProbe::Connected(connected) => return Ok(*connected),
            SocketProbe::Refused(refusal) => return Err(ConnectError::Refused(refusal)),
            // Whoever does not answer holds the life lock: another could not start.
            SocketProbe::Silent(words) => return Err(ConnectError::Silent(words)),
            SocketProbe::Nothing | SocketProbe::Gone => {}
        }
        let folder = places.make()?;
        let lock = FileLock::take(|| folder.descriptor(), START)
            .map_err(|error| ConnectError::Start(error.to_string()))?;
        let Some(_lock) = lock else {
            last = ConnectError::Start(format!(
                "another process holds {} and does not let go",
                folder.path().display()
            ));
            continue;
        };
        // Another may have started one while this one waited.
        match try_sockets(places, hello) {
            SocketProbe::Connected(connected) => return Ok(*connected),
            SocketProbe::Refused(refusal) => return Err(ConnectError::Refused(refusal)),
            SocketProbe::Silent(words) => return Err(ConnectError::Silent(words)),
            SocketProbe::Nothing | SocketProbe::Gone => {}
        }
        start().map_err(ConnectError::Start)?;
    }
    match try_sockets(places, hello) {
        SocketProbe::Connected(connected) => Ok(*connected),
        SocketProbe::Refused(refusal) => Err(ConnectError::Refused(refusal)),
        SocketProbe::Silent(words) => Err(ConnectError::Silent(words)),
        SocketProbe::Nothing | SocketProbe::Gone => Err(last),
    }
}

/// What one look at the places of a workspace came to.
enum SocketProbe {
    Connected(Box<ServerConnection>),
    Refused(Refusal),
    /// Nobody listens.
    Nothing,
    /// Somebody listened and went before the answer.
    Gone,
    /// Somebody listens and does not answer.
    Silent(String),
}

fn try_sockets(places: &SocketPaths, hello: &Hello) -> SocketProbe {
    let mut found = SocketProbe::Nothing;
    for socket in places.sockets() {
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

/// Connects to a socket, waiting at most `patience` where its queue is full.
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
            // unix(7): the queue of the one who listens is full.
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

/// Who is on the other end, as the kernel knows it.
pub(super) fn peer_uid(stream: &UnixStream) -> io::Result<u32> {
    Ok(rustix::net::sockopt::socket_peercred(stream)?.uid.as_raw())
}
