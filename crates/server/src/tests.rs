//! Client and server in one process, with a frontend that sends back what it receives.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use codeweft_graph::answer::CheckedRequest;
use serde_json::Value;

use super::*;
use crate::private_files::uid;
use codeweft_workspace::{AnalysisHost, HostOptions};

/// A time limit that no test reaches.
const LONG: Duration = Duration::from_secs(60);

/// A workspace, the paths of its socket and the servers that were started for it.
struct Site {
    top: tempfile::TempDir,
    paths: SocketPaths,
    servers: Mutex<Vec<JoinHandle<std::io::Result<()>>>>,
    started: AtomicUsize,
    idle_exit: Duration,
}

impl Site {
    fn new(idle_exit: Duration) -> Arc<Site> {
        let top = tempfile::tempdir().expect("a folder");
        let root = top.path().join("w");
        std::fs::create_dir(&root).expect("made");
        std::fs::write(root.join("go.mod"), "module m\n").expect("written");
        std::fs::write(root.join("a.go"), "package m\n").expect("written");
        let root = std::fs::canonicalize(root).expect("there");
        let run = top.path().join("run");
        std::fs::create_dir(&run).expect("made");
        Arc::new(Site {
            paths: SocketPaths::among(root.to_str().expect("UTF-8"), Some(run), None, uid()),
            top,
            servers: Mutex::default(),
            started: AtomicUsize::new(0),
            idle_exit,
        })
    }

    fn hello(&self, frontend: Frontend) -> Hello {
        Hello::new(frontend, self.paths.root(), "test", Value::Null)
    }

    /// Starts a server on a thread. Returns once it or another listens.
    fn start(&self) -> Result<(), String> {
        let claim = match ServerClaim::take(&self.paths, LONG) {
            Ok(claim) => claim,
            Err(ClaimError::Lost) => return Ok(()),
            Err(error) => return Err(error.to_string()),
        };
        let host = AnalysisHost::start(HostOptions {
            root: PathBuf::from(self.paths.root()),
            settings: BTreeMap::new(),
            variables: Some(BTreeMap::new()),
            threads: 1,
            watch: false,
            cache: None,
            cookies: None,
        })
        .expect("a Host");
        let listening = claim.listen(host.instance()).expect("it listens");
        self.started.fetch_add(1, Ordering::SeqCst);
        let options = ServeOptions {
            idle_exit: Some(self.idle_exit),
            variables: environment::sent(self.paths.root()),
        };
        let server = thread::spawn(move || {
            let stop = ShutdownSignal::new()?;
            serve(&host, listening, frontends(), options, stop).map(drop)
        });
        self.servers.lock().expect("whole").push(server);
        Ok(())
    }

    fn connect(&self, frontend: Frontend) -> Result<ServerConnection, ConnectError> {
        connect(&self.paths, &self.hello(frontend), &|| self.start())
    }

    /// Ends the running server and waits for all that were started.
    fn end(&self) {
        if let Ok(connected) = attach(&self.paths, &self.hello(Frontend::Ctl)) {
            let mut ctl = ControlClient::new(connected.stream);
            ctl.figures(&ControlRequest::Stop).expect("it answers");
            ctl.wait_for_end(LONG).expect("it ends");
        }
        for server in self.servers.lock().expect("whole").drain(..) {
            server.join().expect("no panic").expect("it served");
        }
        assert_eq!(self.paths.record(), None);
    }
}

/// Returns frontends that send the client's name, then what they receive.
fn frontends() -> Frontends {
    let echo = |_: &AnalysisHost, hello: &Hello, mut stream: UnixStream| {
        let _ = stream.write_all(hello.client_name.as_bytes());
        let mut bytes = [0; 64];
        while let Ok(read) = stream.read(&mut bytes) {
            if read == 0 || stream.write_all(&bytes[..read]).is_err() {
                return;
            }
        }
    };
    Frontends {
        lsp: Box::new(move |host, hello, stream, replayed| {
            replayed();
            echo(host, hello, stream);
        }),
        mcp: Box::new(echo),
    }
}

fn read(stream: &mut UnixStream, length: usize) -> String {
    stream.set_read_timeout(Some(LONG)).expect("set");
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes).expect("read");
    String::from_utf8(bytes).expect("UTF-8")
}

/// Returns whether the other end is closed, without a byte before.
fn closed(stream: &mut UnixStream) -> bool {
    stream.set_read_timeout(Some(LONG)).expect("set");
    match stream.read(&mut [0; 1]) {
        Ok(read) => read == 0,
        Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
    }
}

#[test]
fn a_client_starts_a_server_and_its_bytes_go_to_the_frontend() {
    let site = Site::new(LONG);
    let mut one = site.connect(Frontend::Mcp).expect("connected");
    assert_eq!(one.welcome.pid, std::process::id());
    assert_eq!(one.welcome.warnings, [""; 0]);
    assert_eq!(read(&mut one.stream, 4), "test");
    one.stream.write_all(b"bytes").expect("sent");
    assert_eq!(read(&mut one.stream, 5), "bytes");
    let two = site.connect(Frontend::Lsp).expect("connected");
    assert_eq!(two.welcome.instance, one.welcome.instance);
    assert_eq!(site.started.load(Ordering::SeqCst), 1);
    site.end();
    // A connected client sees the end of its stream.
    assert!(closed(&mut one.stream));
}

/// Puts a folder where a record is to be written: it cannot be replaced, as on a full disk.
fn obstruct(folder: &std::path::Path) -> PathBuf {
    let record = folder.join("server.json");
    std::fs::create_dir_all(&record).expect("made");
    record
}

#[test]
fn a_server_whose_record_cannot_be_in_the_workspace_has_it_beside_the_socket() {
    let site = Site::new(LONG);
    obstruct(&site.top.path().join("w/.codeweft"));
    let mut one = site.connect(Frontend::Mcp).expect("connected");
    assert_eq!(read(&mut one.stream, 4), "test");
    let record = site.paths.record().expect("written");
    assert_eq!(record.pid, std::process::id());
    let folder = site.paths.make().expect("there");
    assert!(folder.path().join("server.json").is_file());
    site.end();
}

#[test]
fn a_server_that_cannot_listen_names_the_path_and_leaves_nothing() {
    let site = Site::new(LONG);
    obstruct(&site.top.path().join("w/.codeweft"));
    let folder = site.paths.make().expect("made").path().to_owned();
    let record = obstruct(&folder);
    let claim = ServerClaim::take(&site.paths, LONG).expect("taken");
    let wrong = claim.listen("instance").expect_err("no record can be made");
    let words = wrong.to_string();
    let start = format!("{} cannot be made: ", record.display());
    assert!(words.starts_with(&start), "{words}");
    let left = std::fs::read_dir(folder).expect("there");
    let left: Vec<_> = left.map(|one| one.expect("there").file_name()).collect();
    assert_eq!(left, ["server.json"]);
}

#[test]
fn of_twenty_clients_at_one_instant_one_starts_a_server() {
    let site = Site::new(LONG);
    let barrier = Arc::new(Barrier::new(20));
    let clients: Vec<_> = (0..20)
        .map(|_| {
            let (site, barrier) = (site.clone(), barrier.clone());
            thread::spawn(move || {
                barrier.wait();
                let connected = site.connect(Frontend::Mcp).expect("connected");
                connected.welcome.instance
            })
        })
        .collect();
    let mut instances: Vec<String> = clients
        .into_iter()
        .map(|client| client.join().expect("no panic"))
        .collect();
    instances.dedup();
    assert_eq!(instances.len(), 1);
    assert_eq!(site.started.load(Ordering::SeqCst), 1);
    site.end();
}

#[test]
fn a_server_ends_after_the_idle_time_without_a_client() {
    let site = Site::new(Duration::from_millis(50));
    let first = site.connect(Frontend::Mcp).expect("connected");
    let socket = site.paths.sockets().remove(0);
    assert!(socket.exists());
    drop(first);
    let server = site.servers.lock().expect("whole").remove(0);
    server.join().expect("no panic").expect("it served");
    assert!(!socket.exists());
    assert_eq!(site.paths.record(), None);
    // The next client starts the next.
    site.connect(Frontend::Mcp).expect("connected");
    assert_eq!(site.started.load(Ordering::SeqCst), 2);
    for server in site.servers.lock().expect("whole").drain(..) {
        server.join().expect("no panic").expect("it served");
    }
}

#[test]
fn a_server_does_not_end_while_a_client_is_about_to_start_one() {
    let site = Site::new(Duration::from_millis(1));
    let folder = site.paths.make().expect("made");
    let lock = FileLock::try_take(folder.descriptor().expect("open")).expect("locks");
    assert!(lock.is_some());
    site.start().expect("started");
    // Many times its idle time: it stays as long as the lock is held.
    thread::sleep(Duration::from_millis(300));
    let connected = attach(&site.paths, &site.hello(Frontend::Mcp)).expect("connected");
    drop(lock);
    drop(connected);
    let server = site.servers.lock().expect("whole").remove(0);
    server.join().expect("no panic").expect("it served");
}

#[test]
fn a_second_server_finds_that_it_has_lost() {
    let site = Site::new(LONG);
    site.start().expect("started");
    assert!(matches!(
        ServerClaim::take(&site.paths, LONG),
        Err(ClaimError::Lost)
    ));
    site.end();
}

#[test]
fn a_lock_whose_holder_accepts_no_connection_is_waited_for_and_reported() {
    let site = Site::new(LONG);
    let claim = ServerClaim::take(&site.paths, LONG).expect("free");
    let silent = ServerClaim::take(&site.paths, Duration::from_millis(30));
    assert!(matches!(silent, Err(ClaimError::Silent(_))), "{silent:?}");
    let paths = site.paths.clone();
    let waiting = thread::spawn(move || ServerClaim::take(&paths, LONG).map(drop));
    drop(claim);
    waiting.join().expect("no panic").expect("its turn");
}

#[test]
fn a_stale_socket_is_replaced() {
    let site = Site::new(LONG);
    let folder = site.paths.make().expect("made");
    drop(UnixListener::bind(folder.socket()).expect("bound"));
    assert!(folder.socket().exists());
    let connected = site.connect(Frontend::Mcp).expect("connected");
    assert_eq!(site.started.load(Ordering::SeqCst), 1);
    drop(connected);
    site.end();
}

#[test]
fn a_client_tries_again_if_a_server_ends_before_it_answers() {
    let site = Site::new(LONG);
    let folder = site.paths.make().expect("made");
    let dying = UnixListener::bind(folder.socket()).expect("bound");
    let server = thread::spawn(move || drop(dying.accept().expect("a client")));
    let connected = site.connect(Frontend::Mcp).expect("connected");
    server.join().expect("no panic");
    drop(connected);
    site.end();
}

#[test]
fn a_hello_that_is_too_long_no_hello_or_of_another_root_is_refused() {
    let site = Site::new(LONG);
    site.start().expect("started");
    let socket = site.paths.sockets().remove(0);
    for bytes in [&b"CW1\n\x01\x00\x01\x00"[..], b"GET / HTTP/1.1\r\n\r\n"] {
        let mut stream = UnixStream::connect(&socket).expect("connected");
        stream.write_all(bytes).expect("sent");
        let reply: HelloReply = crate::hello::receive(&stream, LONG).expect("an answer");
        assert!(
            matches!(&reply, HelloReply::Refusal(one) if one.refuse == RefusalReason::Hello),
            "{reply:?}"
        );
        assert!(closed(&mut stream));
    }
    let elsewhere = Hello::new(Frontend::Ctl, "/elsewhere", "test", Value::Null);
    let refused = attach(&site.paths, &elsewhere).expect_err("refused");
    assert!(
        matches!(&refused, ConnectError::Refused(one) if one.refuse == RefusalReason::Root),
        "{refused:?}"
    );
    site.end();
}

#[test]
fn a_client_that_says_nothing_is_closed_after_two_seconds() {
    let site = Site::new(LONG);
    site.start().expect("started");
    let socket = site.paths.sockets().remove(0);
    let mut silent = UnixStream::connect(&socket).expect("connected");
    let mut slow = UnixStream::connect(&socket).expect("connected");
    slow.write_all(b"CW1\n").expect("sent");
    let since = Instant::now();
    assert!(closed(&mut silent));
    assert!(closed(&mut slow));
    assert!(since.elapsed() >= Duration::from_millis(1500));
    site.end();
}

#[test]
fn another_version_is_refused_but_may_end_the_server_and_another_build_is_warned() {
    let site = Site::new(LONG);
    site.start().expect("started");
    let of = |build: &str, frontend: Frontend| Hello {
        build: build.to_owned(),
        ..site.hello(frontend)
    };
    let refused = attach(&site.paths, &of("99.0.0+0", Frontend::Mcp)).expect_err("refused");
    assert!(
        matches!(&refused, ConnectError::Refused(one) if one.refuse == RefusalReason::Build),
        "{refused:?}"
    );
    assert!(attach(&site.paths, &of("99.0.0+0", Frontend::Ctl)).is_ok());
    let other = format!("{}+0", version(build()));
    let connected = attach(&site.paths, &of(&other, Frontend::Mcp)).expect("connected");
    assert_eq!(connected.welcome.warnings.len(), 1);
    drop(connected);
    site.end();
}

#[test]
fn a_client_with_another_environment_is_warned_by_name() {
    let site = Site::new(LONG);
    site.start().expect("started");
    let mut hello = site.hello(Frontend::Lsp);
    hello.env.insert("GOFLAGS".into(), "-tags=other".into());
    let connected = attach(&site.paths, &hello).expect("connected");
    let warnings = &connected.welcome.warnings;
    assert_eq!(warnings.len(), 1);
    assert!(
        warnings[0].starts_with("GOFLAGS is `-tags=other` here"),
        "{warnings:?}"
    );
    drop(connected);
    site.end();
}

#[test]
fn the_257th_client_is_refused_because_the_server_is_full() {
    let site = Site::new(LONG);
    site.start().expect("started");
    let mut clients: Vec<ServerConnection> = (0..256)
        .map(|_| attach(&site.paths, &site.hello(Frontend::Mcp)).expect("connected"))
        .collect();
    let refused = attach(&site.paths, &site.hello(Frontend::Mcp)).expect_err("refused");
    assert!(
        matches!(&refused, ConnectError::Refused(one) if one.refuse == RefusalReason::Full),
        "{refused:?}"
    );
    // As soon as the server has seen that one disconnected, another may connect.
    drop(clients.pop());
    let until = Instant::now() + LONG;
    while attach(&site.paths, &site.hello(Frontend::Ctl)).is_err() {
        assert!(Instant::now() < until);
        thread::yield_now();
    }
    drop(clients);
    let until = Instant::now() + LONG;
    while attach(&site.paths, &site.hello(Frontend::Ctl)).is_err() {
        assert!(Instant::now() < until);
        thread::yield_now();
    }
    site.end();
}

#[test]
fn the_status_counts_the_connected_clients() {
    let site = Site::new(LONG);
    let editor = site.connect(Frontend::Lsp).expect("connected");
    let agents: Vec<_> = (0..2)
        .map(|_| site.connect(Frontend::Mcp).expect("connected"))
        .collect();
    let connected = attach(&site.paths, &site.hello(Frontend::Ctl)).expect("connected");
    let mut ctl = ControlClient::new(connected.stream);
    let status = ctl.figures(&ControlRequest::Status).expect("figures");
    assert_eq!(status["editors"], 1);
    assert_eq!(status["agents"], 2);
    assert_eq!(status["instance"], editor.welcome.instance.as_str());
    drop((editor, agents, ctl));
    site.end();
}

#[test]
fn a_graph_request_over_the_control_frontend_is_answered() {
    let site = Site::new(LONG);
    site.start().expect("started");
    let connected = attach(&site.paths, &site.hello(Frontend::Ctl)).expect("connected");
    let mut ctl = ControlClient::new(connected.stream);
    let request: CheckedRequest = serde_json::from_value(serde_json::json!({
        "operation": "callers", "target": "nobody.Knows",
    }))
    .expect("a request");
    let answer = ctl.question(&request).expect("answered");
    let error = answer.expect_err("no such target");
    assert_eq!(
        error.error_type,
        codeweft_graph::answer::ErrorType::TargetNotFound
    );
    drop(ctl);
    site.end();
}

#[test]
fn a_server_whose_workspace_is_gone_can_be_ended_and_leaves_nothing() {
    let site = Site::new(LONG);
    site.start().expect("started");
    let socket = site.paths.sockets().remove(0);
    std::fs::remove_dir_all(site.top.path().join("w/.codeweft")).expect("removed");
    // Without the record it is found at the paths of sockets.
    site.end();
    assert!(!socket.exists());
}
