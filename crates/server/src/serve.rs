//! The accept loop of a server, which ends when no client has been connected for the idle time.
//!
//! ```text
//! poll: new connection      check the uid, start a thread: Hello ──> Welcome or Refusal ──> frontend
//!       connection ended    the idle time begins, if it was the last
//!       shutdown signal     end
//!       nothing for LOOK    end if the workspace or the lock is gone, or the idle time is over
//! end:  take the socket's lock, remove socket and record, shut the connections, wait for their threads
//! ```

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
use crate::control::{self, ControlHooks};
use crate::environment;
use crate::hello::{
    self, Frontend, Hello, HelloReply, Refusal, RefusalReason, ServerProgress, Welcome,
};
use crate::lock::FileLock;
use crate::private_files::uid;
use crate::returning_editors::ReturningEditors;
use codeweft_workspace::{AnalysisHost, HostState};

/// The number of clients that may be connected.
const MAX_CONNECTIONS: usize = 256;

/// The time without a client after which a server ends, without a flag and a setting.
const IDLE_EXIT: Duration = Duration::from_secs(600);

/// The time limit for the hello of a client.
const HELLO_TIMEOUT: Duration = Duration::from_secs(2);

/// The time that running requests have left once the server ends.
const END_TIMEOUT: Duration = Duration::from_secs(1);

/// The time between two checks that the workspace still exists.
const WORKSPACE_CHECK: Duration = Duration::from_secs(10);

/// The pause before the next try to end, after a client was about to connect.
const END_AGAIN: Duration = Duration::from_millis(100);

/// The pause between two looks at whether the last connections have ended.
const POLL: Duration = Duration::from_millis(10);

/// The stack of a client's thread, in bytes: requests recurse with the code.
const STACK: usize = 16 << 20;

/// Serves one client whose hello was answered, until it disconnects or the stream is shut.
pub type ServeFrontend = Box<dyn Fn(&AnalysisHost, &Hello, UnixStream) + Send + Sync>;

/// As [`ServeFrontend`]. The last argument is called when an editor whose former server has ended
/// has sent its documents; it returns when all such editors have.
pub type ServeEditor = Box<dyn Fn(&AnalysisHost, &Hello, UnixStream, &dyn Fn()) + Send + Sync>;

/// The frontends whose protocols this crate does not know.
pub struct Frontends {
    /// Serves an editor.
    pub lsp: ServeEditor,
    /// Serves an agent.
    pub mcp: ServeFrontend,
}

/// The options of a server.
pub struct ServeOptions {
    /// The time without a client after which the server ends; `None` for the host's setting
    /// `idle_exit`, else ten minutes.
    pub idle_exit: Option<Duration>,
    /// The environment that its host uses; clients whose own differs are warned.
    pub variables: BTreeMap<String, String>,
}

/// Ends a server from any thread or signal handler, by a byte written to it.
#[derive(Debug)]
pub struct ShutdownSignal {
    /// A byte written here is the signal.
    pub sender: UnixStream,
    receiver: UnixStream,
}

impl ShutdownSignal {
    /// Returns a signal that was not sent yet.
    ///
    /// # Errors
    /// There are no descriptors left.
    pub fn new() -> io::Result<ShutdownSignal> {
        let (sender, receiver) = UnixStream::pair()?;
        // A handler of signals must never wait; if the pair is full, the signal was sent.
        sender.set_nonblocking(true)?;
        receiver.set_nonblocking(true)?;
        Ok(ShutdownSignal { sender, receiver })
    }

    /// Takes all signals. Returns whether there was one.
    fn take(&self) -> bool {
        let mut any = false;
        let mut bytes = [0; 64];
        while matches!(io::Read::read(&mut &self.receiver, &mut bytes), Ok(read) if read > 0) {
            any = true;
        }
        any
    }
}

/// The state that the threads of a server share.
struct ServerState {
    host: AnalysisHost,
    frontends: Frontends,
    variables: BTreeMap<String, String>,
    root: String,
    started: Instant,
    /// The open connections, which are shut at the end.
    open: Mutex<OpenConnections>,
    returning: ReturningEditors,
    /// The sender of the signal that a connection has ended, or is an editor's.
    changed: UnixStream,
    /// The sender of the signal to end.
    stop: UnixStream,
}

#[derive(Default)]
struct OpenConnections {
    last: u64,
    /// By number; the frontend and the client's process id are known after the hello.
    streams: BTreeMap<u64, (Option<(Frontend, u32)>, UnixStream)>,
}

impl ServerState {
    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        // The list of streams is consistent at every point that could panic.
        self.open
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Returns the process ids of the connected editors and of those that are expected back, sorted.
    fn editors(&self) -> Vec<u32> {
        let mut editors = self.returning.expected();
        for (client, _) in self.open().streams.values() {
            if let Some((Frontend::Lsp, pid)) = client {
                editors.insert(*pid);
            }
        }
        editors.into_iter().collect()
    }

    fn signal_change(&self) {
        // If the stream is full, the signal was sent.
        let _ = (&self.changed).write(&[1]);
    }
}

/// Serves until `stop` is sent, a client sends [`ControlRequest::Stop`](crate::ControlRequest::Stop), the
/// workspace is gone, or no client has been connected for [`ServeOptions::idle_exit`]. No client is served any
/// more when it returns. Returns the claim: no other server begins before it is dropped, so two databases of one
/// workspace are never in memory at the same time.
///
/// # Errors
/// The socket broke.
pub fn serve(
    host: &AnalysisHost,
    mut listening: Listening,
    frontends: Frontends,
    options: ServeOptions,
    stop: ShutdownSignal,
) -> io::Result<ServerClaim> {
    let changed = ShutdownSignal::new()?;
    let shared = Arc::new(ServerState {
        host: host.clone(),
        frontends,
        variables: options.variables,
        root: listening.claim.root().to_owned(),
        started: Instant::now(),
        open: Mutex::default(),
        returning: ReturningEditors::new(listening.editors()),
        changed: changed.sender.try_clone()?,
        stop: stop.sender.try_clone()?,
    });
    let mut idle_since = Instant::now();
    let mut not_before = Duration::ZERO;
    loop {
        let idle = shared.open().streams.is_empty();
        let setting = || shared.host.last_settings().settings.idle_exit;
        let idle_exit = options.idle_exit.or_else(setting).unwrap_or(IDLE_EXIT);
        let left = (idle_exit.max(not_before)).saturating_sub(idle_since.elapsed());
        let patience = if idle {
            left.min(WORKSPACE_CHECK)
        } else {
            WORKSPACE_CHECK
        };
        let [new, end, connections_changed] = wait(
            [&listening.listener, &stop.receiver, &changed.receiver],
            patience,
        )?;
        if end && stop.take() {
            break;
        }
        if connections_changed && changed.take() {
            idle_since = Instant::now();
            not_before = Duration::ZERO;
            let editors = shared.editors();
            if editors != listening.editors() {
                listening.record_editors(editors);
            }
        }
        if new {
            accept_all(&listening.listener, &shared);
            continue;
        }
        if listening.claim.workspace_is_gone() || !listening.claim.holds() {
            break;
        }
        let idle = shared.open().streams.is_empty();
        if idle && idle_since.elapsed() >= idle_exit.max(not_before) {
            // A client that holds the lock is about to start a server or to connect.
            let lock = FileLock::try_take(listening.claim.folder().descriptor()?)?;
            if lock.is_none() || accept_all(&listening.listener, &shared) {
                not_before = idle_since.elapsed() + END_AGAIN;
                continue;
            }
            return Ok(listening.leave());
        }
    }
    // A client that is about to start a server waits until this one has ended.
    let descriptor = || listening.claim.folder().descriptor();
    let _lock = FileLock::take(descriptor, END_TIMEOUT)?;
    let claim = listening.leave();
    shut_connections(&shared);
    Ok(claim)
}

/// Waits until one of the descriptors can be read; returns for each whether it can.
fn wait<const N: usize>(of: [&dyn ReadySource; N], patience: Duration) -> io::Result<[bool; N]> {
    let mut descriptors = of.map(|one| PollFd::from_borrowed_fd(one.descriptor(), PollFlags::IN));
    // A little more, so that the time is over when it is checked.
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

trait ReadySource {
    fn descriptor(&self) -> BorrowedFd<'_>;
}

impl<T: AsFd> ReadySource for T {
    fn descriptor(&self) -> BorrowedFd<'_> {
        self.as_fd()
    }
}

/// Accepts every connection that waits. Returns whether one of them is of this user.
fn accept_all(listener: &UnixListener, shared: &Arc<ServerState>) -> bool {
    let mut any = false;
    loop {
        let stream = match listener.accept() {
            Ok((stream, _)) => stream,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return any,
            Err(error) => {
                // No descriptors left, most likely: others must disconnect first.
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
    // On some systems an accepted socket inherits the mode of its listener.
    let Ok(second) = stream
        .set_nonblocking(false)
        .and_then(|()| stream.try_clone())
    else {
        return;
    };
    let number = {
        let mut open = shared.open();
        if open.streams.len() >= MAX_CONNECTIONS {
            drop(open);
            let words = format!("the server has {MAX_CONNECTIONS} connections already");
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
    // If no thread can be started the connection is dropped, and with it closed.
    let _ = thread::Builder::new()
        .name(format!("codeweft-client-{number}"))
        .stack_size(STACK)
        .spawn(move || connection.serve(stream));
}

fn refuse(mut stream: &UnixStream, refuse: RefusalReason, message: String) {
    let refusal = HelloReply::Refusal(Refusal { refuse, message });
    // The client may have disconnected.
    let _ = stream.set_write_timeout(Some(HELLO_TIMEOUT));
    let _ = hello::send(&mut stream, &refusal);
}

/// A connected client, from its hello to its end.
struct Connection {
    number: u64,
    shared: Arc<ServerState>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        let left = self.shared.open().streams.remove(&self.number);
        if let Some((Some((Frontend::Lsp, pid)), _)) = left {
            self.shared.returning.is_back(pid);
        }
        self.shared.signal_change();
    }
}

impl Connection {
    fn serve(&self, stream: UnixStream) {
        let shared = &*self.shared;
        let hello: Hello = match hello::receive(&stream, HELLO_TIMEOUT) {
            Ok(hello) => hello,
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return refuse(&stream, RefusalReason::Hello, error.to_string());
            }
            Err(_) => return,
        };
        if let Err((reason, words)) = check_hello(&hello, &shared.root) {
            return refuse(&stream, reason, words);
        }
        if let Some(entry) = shared.open().streams.get_mut(&self.number) {
            entry.0 = Some((hello.frontend, hello.pid));
        }
        if hello.frontend == Frontend::Lsp {
            shared.signal_change();
        }
        let welcome = HelloReply::Welcome(shared.welcome(&hello));
        let answered = stream
            .set_write_timeout(Some(HELLO_TIMEOUT))
            .and_then(|()| hello::send(&mut &stream, &welcome))
            .and_then(|()| stream.set_write_timeout(None));
        if answered.is_err() {
            return;
        }
        match hello.frontend {
            Frontend::Lsp => (shared.frontends.lsp)(&shared.host, &hello, stream, &|| {
                shared.returning.is_back(hello.pid);
                shared.returning.wait();
            }),
            Frontend::Mcp => {
                shared.returning.wait();
                (shared.frontends.mcp)(&shared.host, &hello, stream);
            }
            Frontend::Ctl => control::serve(
                &shared.host,
                &hello,
                stream,
                ControlHooks {
                    status: &|| shared.status(),
                    stop: &|| {
                        // If the stream is full, the signal was sent.
                        let _ = (&shared.stop).write(&[1]);
                    },
                    returned: &|| shared.returning.wait(),
                },
            ),
        }
    }
}

/// Checks whether a client may connect. The command line may in any version, because it can end the server.
///
/// # Errors
/// The reason of the refusal, with words for people.
fn check_hello(hello: &Hello, root: &str) -> Result<(), (RefusalReason, String)> {
    if hello.root != root {
        return Err((RefusalReason::Root, format!("this server is of {root}")));
    }
    let (ours, theirs) = (version(build()), version(&hello.build));
    if hello.frontend != Frontend::Ctl && ours != theirs {
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
        let current = self.host.settings();
        let mut warnings: Vec<String> = Vec::new();
        warnings.extend(
            current
                .warning
                .as_ref()
                .map(|warning| warning.words.clone()),
        );
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
            configuration: current.settings.configuration.clone(),
        }
    }

    /// Returns the answer to [`ControlRequest::Status`](crate::ControlRequest::Status).
    fn status(&self) -> serde_json::Value {
        let open = self.open();
        let count = |frontend: Frontend| {
            let frontends = open.streams.values();
            let of_it = |one: &Option<(Frontend, u32)>| one.is_some_and(|(one, _)| one == frontend);
            frontends.filter(|(one, _)| of_it(one)).count()
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
            "configuration": self.host.settings().settings.configuration,
            "state": state,
            "state_words": words,
            "revision": self.host.revision(),
            "editors": editors,
            "agents": agents,
            "uptime_s": self.started.elapsed().as_secs(),
        })
    }
}

/// Shuts the open connections and waits for their threads, up to [`END_TIMEOUT`].
fn shut_connections(shared: &ServerState) {
    for (_, stream) in shared.open().streams.values() {
        // It may be closed already.
        let _ = stream.shutdown(std::net::Shutdown::Both);
    }
    let until = Instant::now() + END_TIMEOUT;
    while !shared.open().streams.is_empty() && Instant::now() < until {
        thread::sleep(POLL);
    }
}
