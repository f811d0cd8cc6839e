//! How a client finds the server of a workspace, and has one started where there is none.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};

use super::folder::{Places, Unsafe, uid};
use super::hello::{self, Hello, Refusal, Reply, Welcome};
use super::lock::Lock;

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
pub struct Connected {
    /// Blocking, without time limits.
    pub stream: UnixStream,
    /// What the server said.
    pub welcome: Welcome,
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum Unreachable {
    /// No server runs.
    #[error("no server runs")]
    None,
    /// A server runs and does not let this client in.
    #[error("{}", .0.message)]
    Refused(Refusal),
    /// The folder for a socket cannot be used.
    #[error("the folder for a socket cannot be used: {0}")]
    Folder(#[from] Unsafe),
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
/// See [`Unreachable`].
pub fn attach(places: &Places, hello: &Hello) -> Result<Connected, Unreachable> {
    for _ in 0..TRIES {
        match try_sockets(places, hello) {
            Found::Connected(connected) => return Ok(*connected),
            Found::Refused(refusal) => return Err(Unreachable::Refused(refusal)),
            Found::Nothing => return Err(Unreachable::None),
            Found::Silent(words) => return Err(Unreachable::Silent(words)),
            Found::Gone => {}
        }
    }
    Err(Unreachable::None)
}

/// Connects to the server of a workspace. Where none runs, `start` is called under the lock of the
/// socket's folder, so that of any number of clients one starts one; it returns once the server
/// listens, or once another was first.
///
/// # Errors
/// See [`Unreachable`]; never [`Unreachable::None`].
pub fn connect(
    places: &Places,
    hello: &Hello,
    start: &dyn Fn() -> Result<(), String>,
) -> Result<Connected, Unreachable> {
    let mut last = Unreachable::Start("it ends as soon as it is started".to_owned());
    for _ in 0..TRIES {
        match try_sockets(places, hello) {
            Found::Connected(connected) => return Ok(*connected),
            Found::Refused(refusal) => return Err(Unreachable::Refused(refusal)),
            // Whoever does not answer holds the life lock: another could not start.
            Found::Silent(words) => return Err(Unreachable::Silent(words)),
            Found::Nothing | Found::Gone => {}
        }
        let folder = places.make()?;
        let lock = Lock::take(|| folder.descriptor(), START)
            .map_err(|error| Unreachable::Start(error.to_string()))?;
        let Some(_lock) = lock else {
            last = Unreachable::Start(format!(
                "another process holds {} and does not let go",
                folder.path().display()
            ));
            continue;
        };
        // Another may have started one while this one waited.
        match try_sockets(places, hello) {
            Found::Connected(connected) => return Ok(*connected),
            Found::Refused(refusal) => return Err(Unreachable::Refused(refusal)),
            Found::Silent(words) => return Err(Unreachable::Silent(words)),
            Found::Nothing | Found::Gone => {}
        }
        start().map_err(Unreachable::Start)?;
    }
    match try_sockets(places, hello) {
        Found::Connected(connected) => Ok(*connected),
        Found::Refused(refusal) => Err(Unreachable::Refused(refusal)),
        Found::Silent(words) => Err(Unreachable::Silent(words)),
        Found::Nothing | Found::Gone => Err(last),
    }
}

/// What one look at the places of a workspace came to.
enum Found {
    Connected(Box<Connected>),
    Refused(Refusal),
    /// Nobody listens.
    Nothing,
    /// Somebody listened and went before the answer.
    Gone,
    /// Somebody listens and does not answer.
    Silent(String),
}

fn try_sockets(places: &Places, hello: &Hello) -> Found {
    let mut found = Found::Nothing;
    for socket in places.sockets() {
        let stream = match dial(&socket, CONNECT) {
            Ok(stream) => stream,
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                found = Found::Silent(format!("{} takes no connection", socket.display()));
                continue;
            }
            Err(_) => continue,
        };
        match greet(stream, hello) {
            Ok((stream, Reply::Welcome(welcome))) => {
                return Found::Connected(Box::new(Connected { stream, welcome }));
            }
            Ok((_, Reply::Refusal(refusal))) => return Found::Refused(refusal),
            Err(error) if is_gone(&error) => found = Found::Gone,
            Err(error) => found = Found::Silent(error.to_string()),
        }
    }
    found
}

fn greet(mut stream: UnixStream, hello: &Hello) -> io::Result<(UnixStream, Reply)> {
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
