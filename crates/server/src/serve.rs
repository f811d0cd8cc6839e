//! The server of a workspace: one at a time, for as long as somebody is connected.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::build_id::{build, version};
use crate::claim::{Listening, ServerClaim};
use crate::connect::peer_uid;
use crate::hello::{
    self, Frontend, Hello, HelloReply, Refusal, RefusalReason, ServerProgress, Welcome,
};
use crate::lock::FileLock;
use crate::private_files::uid;
use crate::{control, environment};
use codeweft_workspace::{AnalysisHost, HostState};

/// How many clients may be connected.
const CONNECTIONS: usize = 256;

/// How long a client may take for its hello.
const HELLO: Duration = Duration::from_secs(2);

/// How long the questions of connected clients may take once the server ends.
const FAREWELL: Duration = Duration::from_secs(1);

/// How often the server looks whether its workspace is still there.
const LOOK: Duration = Duration::from_secs(10);

/// How soon it is tried to end again where a client was about to start a server.
const AGAIN: Duration = Duration::from_millis(100);

/// How often it is looked whether the last connections have ended.
const POLL: Duration = Duration::from_millis(10);

/// Deep code makes deep answers.
const STACK: usize = 16 << 20;

/// A door: serves one client whose hello was answered until it goes, or the stream is shut.
pub type ServeFrontend = Box<dyn Fn(&AnalysisHost, &Hello, UnixStream) + Send + Sync>;

/// The doors whose protocols are not this room's to know.
pub struct Frontends {
    /// An editor's.
    pub lsp: ServeFrontend,
    /// An agent's.
    pub mcp: ServeFrontend,
}

/// How a server runs.
pub struct ServeOptions {
    /// It ends when nobody has been connected for so long.
    pub idle_exit: Duration,
    /// The environment that its Host goes by; clients whose own differs are warned.
    pub variables: BTreeMap<String, String>,
    /// The build configuration of Go that its Host answers under; see
    /// [`codeweft_workspace::settings::Settings::configuration`].
    pub configuration: String,
    /// What every client's user should be told, a sentence each.
    pub warnings: Vec<String>,
}

/// Ends a server from any thread or signal handler: by a byte written to it.
#[derive(Debug)]
pub struct ShutdownSignal {
    /// A byte written here rings.
    pub rope: UnixStream,
    ear: UnixStream,
}

impl ShutdownSignal {
    /// A bell that nobody has rung.
    ///
    /// # Errors
    /// There are no descriptors left.
    pub fn new() -> io::Result<ShutdownSignal> {
        let (rope, ear) = UnixStream::pair()?;
        // A handler of signals must never wait; a full pair has rung already.
        rope.set_nonblocking(true)?;
        ear.set_nonblocking(true)?;
        Ok(ShutdownSignal { rope, ear })
    }

    fn clear(&self) -> bool {
        let mut any = false;
        let mut bytes = [0; 64];
        while matches!(io::Read::read(&mut &self.ear, &mut bytes), Ok(read) if read > 0) {
            any = true;
        }
        any
    }
}

/// What the threads of a server share.
struct ServerState {
    host: AnalysisHost,
    doors: Frontends,
    variables: BTreeMap<String, String>,
    configuration: String,
    warnings: Vec<String>,
    root: String,
    started: Instant,
    /// Open connections, by number: to be shut at the end.
    open: Mutex<OpenConnections>,
    /// Rung where a connection has ended.
    gone: UnixStream,
    /// Rung where a client has asked for the end.
    stop: UnixStream,
}

#[derive(Default)]
struct OpenConnections {
    last: u64,
    streams: BTreeMap<u64, (Option<Frontend>, UnixStream)>,
}

impl ServerState {
    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        // A list of streams is whole at any time.
        self.open
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Serves until `stop` is rung, a client says `stop`, the workspace is gone, or nobody has been
/// connected for [`ServeOptions::idle_exit`]. Nobody is served any more when it returns. The claim
/// comes back: no other server begins before it is dropped, so that two databases of one
/// workspace are never in memory at a time.
///
/// # Errors
/// The socket broke.
pub fn serve(
    host: &AnalysisHost,
    listening: Listening,
    doors: Frontends,
    options: ServeOptions,
    stop: ShutdownSignal,
) -> io::Result<ServerClaim> {
    let gone = ShutdownSignal::new()?;
    let shared = Arc::new(ServerState {
        host: host.clone(),
        doors,
        variables: options.variables,
        configuration: options.configuration,
        warnings: options.warnings,
        root: listening.claim.root().to_owned(),
        started: Instant::now(),
        open: Mutex::default(),
        gone: gone.rope.try_clone()?,
        stop: stop.rope.try_clone()?,
    });
    let mut idle_since = Instant::now();
    let mut not_before = Duration::ZERO;
    loop {
        let idle = shared.open().streams.is_empty();
        let left = (options.idle_exit.max(not_before)).saturating_sub(idle_since.elapsed());
        let patience = if idle { left.min(LOOK) } else { LOOK };
        let [new, end, one_gone] = wait([&listening.listener, &stop.ear, &gone.ear], patience)?;
        if end && stop.clear() {
            break;
        }
        if one_gone && gone.clear() {
            idle_since = Instant::now();
            not_before = Duration::ZERO;
        }
        if new {
            accept_all(&listening.listener, &shared);
            continue;
        }
        if listening.claim.is_homeless() || !listening.claim.holds() {
            break;
        }
        let idle = shared.open().streams.is_empty();
        if idle && idle_since.elapsed() >= options.idle_exit.max(not_before) {
            // Whoever holds the lock is about to start or to connect.
            let lock = FileLock::try_take(listening.claim.folder().descriptor()?)?;
            if lock.is_none() || accept_all(&listening.listener, &shared) {
                not_before = idle_since.elapsed() + AGAIN;
                continue;
            }
            return Ok(listening.leave());
        }
    }
    // A start that is under way gets its turn when this server is gone.
    let descriptor = || listening.claim.folder().descriptor();
    let _lock = FileLock::take(descriptor, FAREWELL)?;
    let claim = listening.leave();
    farewell(&shared);
    Ok(claim)
}

/// Waits until something can be read of any; which.
fn wait<const N: usize>(of: [&dyn ReadySources; N], patience: Duration) -> io::Result<[bool; N]> {
    let mut descriptors = of.map(|one| PollFd::from_borrowed_fd(one.descriptor(), PollFlags::IN));
    // A little more, so that the time is over when it is looked at.
    let patience = patience + Duration::from_millis(1);
    let patience = Timespec {
        tv_sec: patience.as_secs() as i64,
        tv_nsec: i64::from(patience.subsec_nanos()),
    };
    match poll(&mut descriptors, Some(&patience)) {
        Ok(_) | Err(Errno::INTR) => Ok(descriptors.map(|one| !one.revents().is_empty())),
        Err(error) => Err(error.into()),
    }
}

trait ReadySources {
    fn descriptor(&self) -> BorrowedFd<'_>;
}

impl<T: AsFd> ReadySources for T {
    fn descriptor(&self) -> BorrowedFd<'_> {
        self.as_fd()
    }
}

/// Takes every connection that waits; whether there was one of ours.
fn accept_all(listener: &UnixListener, shared: &Arc<ServerState>) -> bool {
    let mut any = false;
    loop {
        let stream = match listener.accept() {
            Ok((stream, _)) => stream,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return any,
            Err(error) => {
                // No descriptors left, most likely: others must go first.
                eprintln!("codeweft: a connection could not be taken: {error}");
                thread::sleep(POLL);
                return any;
            }
        };
        // Before a byte is read.
        if peer_uid(&stream).ok() != Some(uid()) {
            continue;
        }
        any = true;
        admit(stream, shared);
    }
}

fn admit(stream: UnixStream, shared: &Arc<ServerState>) {
    // On some systems it is as its listener is.
    let Ok(second) = stream
        .set_nonblocking(false)
        .and_then(|()| stream.try_clone())
    else {
        return;
    };
    let number = {
        let mut open = shared.open();
        if open.streams.len() >= CONNECTIONS {
            drop(open);
            let words = format!("the server has {CONNECTIONS} connections already");
            refuse(&stream, RefusalReason::Full, words);
            return;
        }
        open.last += 1;
        let number = open.last;
        open.streams.insert(number, (None, second));
        number
    };
    let connection = Connection {
        number,
        shared: shared.clone(),
    };
    // Where no thread is to be had the connection is dropped, and with it closed.
    let _ = thread::Builder::new()
        .name(format!("codeweft-client-{number}"))
        .stack_size(STACK)
        .spawn(move || connection.serve(stream));
}

fn refuse(mut stream: &UnixStream, refuse: RefusalReason, message: String) {
    let refusal = HelloReply::Refusal(Refusal { refuse, message });
    // A client that has gone needs no answer.
    let _ = stream.set_write_timeout(Some(HELLO));
    let _ = hello::send(&mut stream, &refusal);
}

/// A client from its hello to its end.
struct Connection {
    number: u64,
    shared: Arc<ServerState>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.shared.open().streams.remove(&self.number);
        // A bell that is full has been rung.
        let _ = (&self.shared.gone).write(&[1]);
    }
}

impl Connection {
    fn serve(&self, stream: UnixStream) {
        let shared = &*self.shared;
        let hello: Hello = match hello::receive(&stream, HELLO) {
            Ok(hello) => hello,
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return refuse(&stream, RefusalReason::Hello, error.to_string());
            }
            Err(_) => return,
        };
        if let Err((reason, words)) = admissible(&hello, &shared.root) {
            return refuse(&stream, reason, words);
        }
        if let Some(entry) = shared.open().streams.get_mut(&self.number) {
            entry.0 = Some(hello.door);
        }
        let welcome = HelloReply::Welcome(shared.welcome(&hello));
        let answered = stream
            .set_write_timeout(Some(HELLO))
            .and_then(|()| hello::send(&mut &stream, &welcome))
            .and_then(|()| stream.set_write_timeout(None));
        if answered.is_err() {
            return;
        }
        match hello.door {
            Frontend::Lsp => (shared.doors.lsp)(&shared.host, &hello, stream),
            Frontend::Mcp => (shared.doors.mcp)(&shared.host, &hello, stream),
            Frontend::Ctl => {
                control::serve(&shared.host, &hello, stream, &|| shared.status(), &|| {
                    // A bell that is full has been rung.
                    let _ = (&shared.stop).write(&[1]);
                })
            }
        }
    }
}

/// Whether a client may come in. The command line may from any version: it can end the server.
fn admissible(hello: &Hello, root: &str) -> Result<(), (RefusalReason, String)> {
    if hello.root != root {
        return Err((RefusalReason::Root, format!("this server is of {root}")));
    }
    let (ours, theirs) = (version(build()), version(&hello.build));
    if hello.door != Frontend::Ctl && ours != theirs {
        return Err((
            RefusalReason::Build,
            format!(
                "a server of version {ours} runs and this is {theirs}; \
                 `codeweft serve --stop` ends it"
            ),
        ));
    }
    Ok(())
}

impl ServerState {
    fn welcome(&self, hello: &Hello) -> Welcome {
        let mut warnings = self.warnings.clone();
        warnings.extend(environment::differences(&self.variables, &hello.env));
        if hello.build != build() {
            warnings.push(format!(
                "the running server is another build ({}) than this one ({}); \
                 `codeweft serve --stop` ends it",
                build(),
                hello.build
            ));
        }
        Welcome {
            ok: true,
            instance: self.host.instance().to_owned(),
            build: build().to_owned(),
            pid: std::process::id(),
            revision: self.host.revision(),
            state: match self.host.state() {
                HostState::Loading(_) => ServerProgress::Loading,
                HostState::Ready => ServerProgress::Ready,
                HostState::Failed(_) => ServerProgress::Failed,
            },
            warnings,
            configuration: self.configuration.clone(),
        }
    }

    /// For `codeweft serve --status`.
    fn status(&self) -> serde_json::Value {
        let open = self.open();
        let count = |door: Frontend| {
            let doors = open.streams.values();
            doors.filter(|(one, _)| *one == Some(door)).count()
        };
        let (editors, agents) = (count(Frontend::Lsp), count(Frontend::Mcp));
        drop(open);
        let (state, words) = match self.host.state() {
            HostState::Loading(at) => (
                "loading",
                Some(format!("{} {} of {}", at.phase.word(), at.done, at.total)),
            ),
            HostState::Ready => ("ready", None),
            HostState::Failed(words) => ("failed", Some(words)),
        };
        serde_json::json!({
            "root": self.root,
            "pid": std::process::id(),
            "instance": self.host.instance(),
            "build": build(),
            "configuration": self.configuration,
            "state": state,
            "state_words": words,
            "revision": self.host.revision(),
            "editors": editors,
            "agents": agents,
            "uptime_s": self.started.elapsed().as_secs(),
        })
    }
}

/// Shuts what is open and waits a little for the threads behind it.
fn farewell(shared: &ServerState) {
    for (_, stream) in shared.open().streams.values() {
        // Gone already is as good.
        let _ = stream.shutdown(std::net::Shutdown::Both);
    }
    let until = Instant::now() + FAREWELL;
    while !shared.open().streams.is_empty() && Instant::now() < until {
        thread::sleep(POLL);
    }
}
