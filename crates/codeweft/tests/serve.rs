//! The server of a workspace over real processes: found, started, shared, refused, ended.

mod fixture;

use std::fs::{self, Permissions};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use codeweft_testing::doors::Site;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use serde_json::{Value, json};

/// Nothing in these tests should take so long.
const LONG: Duration = Duration::from_secs(60);

/// A user that nobody is.
const NOBODY: u32 = 12345;

/// A small workspace of its own, with everything that a server writes below one folder.
struct Place {
    site: Site,
    _workspace: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        Place::with(Path::new(env!("CARGO_BIN_EXE_codeweft")))
    }

    fn with(binary: &Path) -> Place {
        let workspace = tempfile::tempdir().expect("a folder");
        let root = fs::canonicalize(workspace.path()).expect("there").join("w");
        fs::create_dir(&root).expect("made");
        fs::write(root.join("go.mod"), "module m\n\ngo 1.24\n").expect("written");
        let text = "package m\n\nfunc A() { B() }\n\nfunc B() {}\n";
        fs::write(root.join("a.go"), text).expect("written");
        let site = Site::new(binary, root).expect("a site");
        Place {
            site,
            _workspace: workspace,
        }
    }

    fn root(&self) -> &str {
        self.site.root().to_str().expect("UTF-8")
    }

    /// A command for the workspace, in the site's home and with nothing else of the environment.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.site.command(arguments);
        command.args(["--root", self.root()]);
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if name.starts_with("GO") || name.starts_with("PYTHON") || name == "VIRTUAL_ENV" {
                command.env_remove(name);
            }
        }
        command
            .env("GOROOT", fixture::fixture("goroot-small"))
            .env("GOPATH", "/nonexistent");
        command
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        ran(&mut self.command(arguments))
    }

    /// The folder in which the server's socket lies.
    fn runtime(&self) -> PathBuf {
        let command = self.site.command(&[]);
        let run = command
            .get_envs()
            .find(|(name, _)| *name == "XDG_RUNTIME_DIR");
        PathBuf::from(run.and_then(|(_, value)| value).expect("set"))
    }

    /// The server's process; its socket.
    fn server(&self) -> (u32, PathBuf) {
        let note = self.site.server().expect("a note");
        let pid = note["pid"].as_u64().expect("a number") as u32;
        let socket = PathBuf::from(note["socket"].as_str().expect("a text"));
        (pid, socket)
    }

    /// The servers among the living processes of the workspace.
    fn servers(&self) -> Vec<u32> {
        let line = |pid: &u32| fs::read_to_string(format!("/proc/{pid}/cmdline"));
        let mut servers = self.site.processes();
        servers.retain(|pid| line(pid).is_ok_and(|line| line.contains("--detached")));
        servers
    }

    /// Ends the server and asserts that nothing is left of it.
    fn end(&self) {
        let ended = self.run(&["serve", "--stop"]);
        assert_eq!(ended.code, 0, "{ended:?}");
        self.nothing_is_left();
    }

    fn nothing_is_left(&self) {
        assert_eq!(self.site.processes(), [0; 0]);
        assert_eq!(self.site.server(), None);
    }
}

/// What a run came to.
#[derive(Debug)]
struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn ran(command: &mut Command) -> Ran {
    let Output {
        status,
        stdout,
        stderr,
    } = command
        .stdin(Stdio::null())
        .output()
        .expect("it can be run");
    Ran {
        code: status.code().expect("it ends by itself"),
        out: String::from_utf8(stdout).expect("UTF-8"),
        err: String::from_utf8(stderr).expect("UTF-8"),
    }
}

/// An agent whose standard error can be read.
struct Client {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
}

impl Client {
    fn start(mut command: Command) -> Client {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let lines = BufReader::new(child.stdout.take().expect("piped"));
        Client { child, lines }
    }

    /// Sends the handshake and a question.
    fn ask(&mut self) {
        let input = self.child.stdin.as_mut().expect("open");
        for message in [
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "test", "version": "0"}}}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
                "name": "cortex_graph",
                "arguments": {"operation": "callers", "target": "m.B"}}}),
        ] {
            writeln!(input, "{message}").expect("it reads");
        }
    }

    /// The answer to the question.
    fn answer(&mut self) -> Value {
        loop {
            let mut line = String::new();
            let read = self.lines.read_line(&mut line).expect("UTF-8");
            assert!(read > 0, "it ended without an answer: {}", self.complaints());
            let message: Value = serde_json::from_str(&line).expect("a message a line");
            if message["id"] == 2 {
                return message["result"].clone();
            }
        }
    }

    fn answer_is_right(&mut self) {
        let answer = self.answer();
        let found = &answer["structuredContent"]["results"];
        assert_eq!(found[0]["node"]["name"], "A", "{answer}");
    }

    /// Closes its end, waits, and gives what it said to people.
    fn end(mut self) -> String {
        drop(self.child.stdin.take());
        let words = self.complaints();
        let status = self.child.wait().expect("it ends");
        assert!(status.success(), "{status}: {words}");
        words
    }

    fn complaints(&mut self) -> String {
        let mut words = String::new();
        if let Some(mut err) = self.child.stderr.take() {
            err.read_to_string(&mut words).expect("UTF-8");
        }
        words
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Gone already where the test ended it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for a process to end.
fn wait_for_end(pid: u32) {
    let pid = Pid::from_raw(pid as i32).expect("a process");
    let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) else {
        return;
    };
    let long = Timespec {
        tv_sec: LONG.as_secs() as i64,
        tv_nsec: 0,
    };
    let mut one = [PollFd::new(&process, PollFlags::IN)];
    assert_eq!(poll(&mut one, Some(&long)), Ok(1), "it does not end");
}

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("changed");
}

/// Whether the tests that need a second user can run; they need root.
fn can_be_another() -> bool {
    let can = rustix::process::geteuid().is_root()
        && Command::new("setpriv").arg("--version").output().is_ok();
    if !can {
        eprintln!("left out: another user can be had by root with setpriv alone");
    }
    can
}

fn as_nobody(program: &Path) -> Command {
    let nobody = NOBODY.to_string();
    let mut command = Command::new("setpriv");
    command
        .args(["--reuid", &nobody, "--regid", &nobody, "--clear-groups"])
        .arg(program);
    command
}

fn chown(path: &Path) {
    std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)).expect("changed");
}

/// A copy of a program where every user can run it.
fn open_copy(of: &Path) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    chmod(folder.path(), 0o755);
    let copy = folder.path().join("program");
    fs::copy(of, &copy).expect("copied");
    chmod(&copy, 0o755);
    (folder, copy)
}

/// Whether the other end closes without a byte, long before a hello would have been waited for.
fn shut_at_once(socket: &Path) -> bool {
    let since = Instant::now();
    let mut stream = UnixStream::connect(socket).expect("the folder is open");
    stream.set_read_timeout(Some(LONG)).expect("set");
    let read = stream.read(&mut [0; 1]);
    matches!(read, Ok(0) | Err(_)) && since.elapsed() < Duration::from_millis(1500)
}

#[test]
fn a_client_starts_the_server_and_the_next_one_shares_it() {
    let place = Place::new();
    let mut first = Client::start(place.command(&["mcp"]));
    first.ask();
    first.answer_is_right();
    let (pid, socket) = place.server();
    assert_eq!(place.servers(), [pid]);
    assert!(socket.starts_with(place.runtime()));
    let mut second = Client::start(place.command(&["mcp"]));
    second.ask();
    second.answer_is_right();
    assert_eq!(place.servers(), [pid]);
    let status = place.run(&["serve", "--status", "--json"]);
    let status: Value = serde_json::from_str(&status.out).expect("JSON");
    assert_eq!(status["pid"], pid);
    assert_eq!(status["agents"], 2);
    assert_eq!(first.end(), "");
    assert_eq!(second.end(), "");
    place.end();
}

#[test]
fn two_clients_at_once_start_one_server() {
    clients_start_one_server(2, 1);
}

#[test]
fn twenty_clients_at_one_instant_start_one_server() {
    clients_start_one_server(20, 1);
}

#[test]
fn twenty_clients_at_one_instant_start_one_server_a_hundred_times() {
    if std::env::var_os("CODEWEFT_SLOW").is_some() {
        clients_start_one_server(20, 100);
    }
}

fn clients_start_one_server(count: usize, times: usize) {
    let place = Place::new();
    for _ in 0..times {
        let mut clients: Vec<Client> = (0..count)
            .map(|_| Client::start(place.command(&["mcp"])))
            .collect();
        // They look for a server at their first message.
        for client in &mut clients {
            client.ask();
        }
        for client in &mut clients {
            client.answer_is_right();
        }
        let (pid, _) = place.server();
        assert_eq!(place.servers(), [pid]);
        let status = place.run(&["serve", "--status", "--json"]);
        let status: Value = serde_json::from_str(&status.out).expect("JSON");
        assert_eq!(status["agents"], count);
        for client in clients {
            assert_eq!(client.end(), "");
        }
        place.end();
    }
}

#[test]
fn with_and_without_the_runtime_folder_there_is_one_server() {
    let place = Place::new();
    let mut without = place.command(&["serve", "--detach"]);
    assert_eq!(ran(without.env_remove("XDG_RUNTIME_DIR")).code, 0);
    let (pid, socket) = place.server();
    assert!(!socket.starts_with(place.runtime()));
    let mut with = Client::start(place.command(&["mcp"]));
    with.ask();
    with.answer_is_right();
    assert_eq!(place.servers(), [pid]);
    assert_eq!(with.end(), "");
    place.end();
}

#[test]
fn a_server_that_cannot_be_found_is_not_doubled() {
    // Started with a runtime folder that the second client does not know of.
    let place = Place::new();
    assert_eq!(place.run(&["serve", "--detach"]).code, 0);
    let (pid, _) = place.server();
    let mut command = place.command(&["mcp"]);
    command.env_remove("XDG_RUNTIME_DIR");
    let mut client = Client::start(command);
    client.ask();
    client.answer_is_right();
    assert_eq!(place.servers(), [pid]);
    let words = client.end();
    assert!(words.contains("going on alone in this process"), "{words}");
    place.end();
}

#[test]
fn a_started_server_keeps_nothing_of_its_client() {
    let place = Place::new();
    let kept = place.runtime().join("kept");
    let mut command = Command::new("bash");
    let inner = place.command(&["serve", "--detach"]);
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
        .current_dir(place.root())
        .args(["-c", "exec 9>\"$0\"; exec \"$@\""])
        .arg(&kept)
        .arg(inner.get_program())
        .args(inner.get_args())
        .env("SECRET_OF_THE_CLIENT", "1");
    assert_eq!(ran(&mut command).code, 0);
    let (pid, _) = place.server();
    let of = |what: &str| format!("/proc/{pid}/{what}");
    let open: Vec<PathBuf> = fs::read_dir(of("fd"))
        .expect("ours")
        .filter_map(|entry| fs::read_link(entry.ok()?.path()).ok())
        .collect();
    assert!(!open.contains(&kept), "{open:?}");
    // Its standard output is no pipe that anybody waits for.
    assert_eq!(fs::read_link(of("fd/1")).expect("open"), Path::new("/dev/null"));
    assert_eq!(fs::read_link(of("cwd")).expect("there"), Path::new("/"));
    let stat = fs::read_to_string(of("stat")).expect("there");
    let after_name: Vec<&str> = stat
        .rsplit(") ")
        .next()
        .unwrap_or_default()
        .split(' ')
        .collect();
    assert_eq!(after_name[3], pid.to_string(), "a session of its own");
    let environment = fs::read(of("environ")).expect("ours");
    assert!(!String::from_utf8_lossy(&environment).contains("SECRET_OF_THE_CLIENT"));
    place.end();
}

#[test]
fn what_a_server_writes_is_its_users_alone_and_hidden_from_git() {
    let place = Place::new();
    assert_eq!(place.run(&["serve", "--detach"]).code, 0);
    let (_, socket) = place.server();
    let mode = |path: &Path| {
        let metadata = fs::symlink_metadata(path).expect("there");
        metadata.permissions().mode() & 0o777
    };
    let folder = socket.parent().expect("a folder");
    assert_eq!(mode(folder), 0o700);
    assert_eq!(mode(folder.parent().expect("a folder")), 0o700);
    assert_eq!(mode(&socket), 0o600);
    let own = place.site.root().join(".codeweft");
    assert_eq!(mode(&own.join("server.json")), 0o600);
    assert_eq!(mode(&own.join("lock")), 0o600);
    assert_eq!(
        fs::read_to_string(own.join(".gitignore")).expect("there"),
        "*\n"
    );
    let logs = folder_of_logs(&place);
    for log in fs::read_dir(logs).expect("there") {
        assert_eq!(mode(&log.expect("there").path()), 0o600);
    }
    place.end();
    assert!(!socket.exists());
}

fn folder_of_logs(place: &Place) -> PathBuf {
    let command = place.site.command(&[]);
    let state = command
        .get_envs()
        .find(|(name, _)| *name == "XDG_STATE_HOME");
    PathBuf::from(state.and_then(|(_, value)| value).expect("set")).join("codeweft")
}

#[test]
fn a_stale_socket_and_note_are_replaced() {
    let place = Place::new();
    assert_eq!(place.run(&["serve", "--detach"]).code, 0);
    let (killed, socket) = place.server();
    kill(killed);
    assert!(socket.exists(), "nobody could clean up");
    let status = place.run(&["serve", "--status"]);
    assert_eq!(status.code, 1, "{status:?}");
    let mut client = Client::start(place.command(&["mcp"]));
    client.ask();
    client.answer_is_right();
    let (pid, _) = place.server();
    assert_ne!(pid, killed);
    assert_eq!(place.servers(), [pid]);
    assert_eq!(client.end(), "");
    place.end();
}

fn kill(pid: u32) {
    let process = Pid::from_raw(pid as i32).expect("a process");
    rustix::process::kill_process(process, rustix::process::Signal::KILL).expect("ours");
    wait_for_end(pid);
}

#[test]
fn a_signal_ends_the_server_and_it_cleans_up() {
    for signal in [
        rustix::process::Signal::TERM,
        rustix::process::Signal::INT,
        rustix::process::Signal::HUP,
    ] {
        let place = Place::new();
        assert_eq!(place.run(&["serve", "--detach"]).code, 0);
        let (pid, socket) = place.server();
        let process = Pid::from_raw(pid as i32).expect("a process");
        rustix::process::kill_process(process, signal).expect("ours");
        wait_for_end(pid);
        place.nothing_is_left();
        assert!(!socket.exists());
    }
}

#[test]
fn a_forged_note_is_not_followed() {
    let place = Place::new();
    let own = place.site.root().join(".codeweft");
    fs::create_dir(&own).expect("made");
    let trap = place.runtime().join("trap");
    let listener = UnixListener::bind(&trap).expect("bound");
    listener.set_nonblocking(true).expect("set");
    let note = json!({"socket": trap, "pid": 1, "instance": "0", "build": "0"});
    fs::write(own.join("server.json"), note.to_string()).expect("written");
    let mut client = Client::start(place.command(&["mcp"]));
    client.ask();
    client.answer_is_right();
    let error = listener.accept().expect_err("nobody came");
    assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
    assert_eq!(client.end(), "");
    place.end();
}

#[test]
fn a_folder_that_is_not_private_is_refused_and_clients_go_on_alone() {
    let refuse = |spoil: &dyn Fn(&Path), reason: &str| {
        let place = Place::new();
        spoil(&place.runtime().join("codeweft"));
        let started = place.run(&["serve", "--detach"]);
        assert_eq!(started.code, 3, "{started:?}");
        assert!(started.err.contains(reason), "{started:?}");
        let mut client = Client::start(place.command(&["mcp"]));
        client.ask();
        client.answer_is_right();
        assert_eq!(place.servers(), [0; 0]);
        let words = client.end();
        assert!(words.contains(reason), "{words}");
        assert!(words.contains("going on alone in this process"), "{words}");
        place.nothing_is_left();
    };
    refuse(
        &|folder| {
            fs::create_dir(folder).expect("made");
            chmod(folder, 0o755);
        },
        "is open to others (mode 755)",
    );
    refuse(
        &|folder| {
            let target = folder.with_file_name("elsewhere");
            fs::create_dir(&target).expect("made");
            chmod(&target, 0o700);
            symlink(target, folder).expect("linked");
        },
        "is a link or no folder",
    );
    if can_be_another() {
        refuse(
            &|folder| {
                fs::create_dir(folder).expect("made");
                chmod(folder, 0o700);
                chown(folder);
            },
            "belongs to another user",
        );
    }
}

#[test]
fn another_user_is_shut_out_before_a_byte_is_read() {
    if !can_be_another() {
        return;
    }
    // The server is ours, the other comes.
    let place = Place::new();
    assert_eq!(place.run(&["serve", "--detach"]).code, 0);
    let (pid, socket) = place.server();
    let mut folder = socket.as_path();
    while let Some(above) = folder.parent().filter(|above| above.starts_with("/tmp/")) {
        chmod(above, 0o755);
        folder = above;
    }
    chmod(&socket, 0o777);
    let (_keep, test) = open_copy(&std::env::current_exe().expect("this test"));
    let other = as_nobody(&test)
        .args(["--exact", "as_another_user", "--nocapture"])
        .env("CODEWEFT_TEST_SOCKET", &socket)
        .current_dir("/")
        .output()
        .expect("it can be run");
    let said = String::from_utf8_lossy(&other.stdout);
    assert!(said.contains("shut out: true"), "{other:?}");
    // The opened folder is no longer one that we trust: by signal, then.
    let process = Pid::from_raw(pid as i32).expect("a process");
    rustix::process::kill_process(process, rustix::process::Signal::TERM).expect("ours");
    wait_for_end(pid);
    place.nothing_is_left();

    // The server is the other's, we come.
    let (_keep, binary) = open_copy(Path::new(env!("CARGO_BIN_EXE_codeweft")));
    let other = Place::with(&binary);
    let root = other.site.root();
    chmod(root.parent().expect("a folder"), 0o755);
    chown(root);
    let run = tempfile::tempdir().expect("a folder");
    chown(run.path());
    let mut server = as_nobody(&binary)
        .args(["serve", "--root", other.root()])
        .env_clear()
        .env("HOME", "/nonexistent")
        .env("XDG_RUNTIME_DIR", run.path())
        .current_dir("/")
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // It says when it listens.
    let mut line = String::new();
    let mut said = BufReader::new(server.stderr.take().expect("piped"));
    said.read_line(&mut line).expect("UTF-8");
    assert!(line.contains(" serving "), "{line}");
    let (_, socket) = other.server();
    assert!(shut_at_once(&socket));
    // We do not take it for ours either.
    let status = other.run(&["serve", "--status"]);
    assert_eq!(status.code, 1, "{status:?}");
    let process = Pid::from_raw(server.id() as i32).expect("a process");
    rustix::process::kill_process(process, rustix::process::Signal::TERM).expect("root may");
    assert!(server.wait().expect("it ends").success());
}

/// The other user of the test above: run by it alone.
#[test]
fn as_another_user() {
    if let Some(socket) = std::env::var_os("CODEWEFT_TEST_SOCKET") {
        assert_eq!(rustix::process::geteuid().as_raw(), NOBODY);
        println!("shut out: {}", shut_at_once(Path::new(&socket)));
    }
}

#[test]
fn a_workspace_that_cannot_be_written_to_has_a_server_too() {
    if !can_be_another() {
        return;
    }
    let (_keep, binary) = open_copy(Path::new(env!("CARGO_BIN_EXE_codeweft")));
    let place = Place::with(&binary);
    let root = place.site.root();
    chmod(root.parent().expect("a folder"), 0o755);
    let run = tempfile::tempdir().expect("a folder");
    chown(run.path());
    let command = |arguments: &[&str]| {
        let mut command = as_nobody(&binary);
        command
            .args(arguments)
            .args(["--root", place.root()])
            .env_clear()
            .env("HOME", "/nonexistent")
            .env("XDG_RUNTIME_DIR", run.path())
            .current_dir("/");
        command
    };
    let started = ran(&mut command(&["serve", "--detach"]));
    assert_eq!(started.code, 0, "{started:?}");
    assert!(!root.join(".codeweft").exists());
    let status = ran(&mut command(&["serve", "--status", "--json"]));
    assert_eq!(status.code, 0, "{status:?}");
    let status: Value = serde_json::from_str(&status.out).expect("JSON");
    let pid = status["pid"].as_u64().expect("a number") as u32;
    let again = ran(&mut command(&["serve", "--detach"]));
    assert!(again.err.contains("runs already"), "{again:?}");
    let stopped = ran(&mut command(&["serve", "--stop"]));
    assert_eq!(stopped.code, 0, "{stopped:?}");
    wait_for_end(pid);
}

#[test]
fn a_server_ends_when_nobody_has_been_connected_for_long_enough() {
    let place = Place::new();
    let started = place.run(&["serve", "--detach", "--idle-exit", "300ms"]);
    assert_eq!(started.code, 0, "{started:?}");
    let (pid, socket) = place.server();
    wait_for_end(pid);
    assert!(!socket.exists());
    place.nothing_is_left();
}

#[test]
fn a_connected_client_keeps_the_server() {
    let place = Place::new();
    let started = place.run(&["serve", "--detach", "--idle-exit", "1s"]);
    assert_eq!(started.code, 0, "{started:?}");
    let (pid, _) = place.server();
    let mut client = Client::start(place.command(&["mcp"]));
    client.ask();
    client.answer_is_right();
    // Longer than it would stay alone.
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(place.servers(), [pid]);
    client.end();
    wait_for_end(pid);
    place.nothing_is_left();
}

#[test]
fn a_second_server_says_that_one_runs() {
    let place = Place::new();
    assert_eq!(place.run(&["serve", "--detach"]).code, 0);
    let (pid, _) = place.server();
    let again = place.run(&["serve", "--detach"]);
    assert_eq!(again.code, 0);
    assert!(again.err.contains("a server runs already"), "{again:?}");
    let third = place.run(&["serve"]);
    assert_eq!(third.code, 2);
    assert!(third.err.contains("a server runs already"), "{third:?}");
    assert_eq!(place.servers(), [pid]);
    place.end();
}

#[test]
fn without_a_server_stop_status_and_stats_say_so() {
    let place = Place::new();
    for arguments in [
        &["serve", "--stop"][..],
        &["serve", "--status"],
        &["stats"],
        &["stats", "--json"],
    ] {
        let said = place.run(arguments);
        assert_eq!(said.code, 1, "{said:?}");
        assert_eq!(said.out, "");
        assert!(said.err.contains("no server runs for"), "{said:?}");
    }
    let status = place.run(&["serve", "--status", "--json"]);
    assert_eq!(status.code, 1);
    let status: Value = serde_json::from_str(&status.out).expect("JSON");
    assert_eq!(status["running"], false);
    // None was started, and nothing was written.
    assert!(!place.site.root().join(".codeweft").exists());
}

#[test]
fn a_client_with_another_environment_is_told_the_variable() {
    let place = Place::new();
    assert_eq!(place.run(&["serve", "--detach"]).code, 0);
    let mut command = place.command(&["mcp"]);
    command.env("GOFLAGS", "-tags=other");
    let mut client = Client::start(command);
    client.ask();
    client.answer_is_right();
    let words = client.end();
    assert!(words.contains("GOFLAGS is `-tags=other` here"), "{words}");
    assert_eq!(words.lines().count(), 1, "{words}");
    place.end();
}

#[test]
fn the_command_line_asks_the_server_but_for_the_disk() {
    let place = Place::new();
    let ask = ["query", "callers", "m.B", "--json"];
    let alone = place.run(&ask);
    assert_eq!(alone.code, 0, "{alone:?}");
    assert!(!place.site.root().join(".codeweft").exists());
    assert_eq!(place.run(&["serve", "--detach"]).code, 0);
    let count = || {
        let stats = place.run(&["stats", "--json"]);
        assert_eq!(stats.code, 0, "{stats:?}");
        let stats: Value = serde_json::from_str(&stats.out).expect("JSON");
        stats["query_count"].as_u64().expect("a number")
    };
    let before = count();
    let asked = place.run(&ask);
    assert_eq!(asked.code, 0, "{asked:?}");
    assert_eq!(count(), before + 1);
    let results = |ran: &Ran| {
        let answer: Value = serde_json::from_str(&ran.out).expect("JSON");
        answer["results"].clone()
    };
    assert_eq!(results(&asked), results(&alone));
    let from_disk = place.run(&["query", "callers", "m.B", "--json", "--disk"]);
    assert_eq!(results(&from_disk), results(&alone));
    assert_eq!(count(), before + 1);
    let nobody = place.run(&["query", "callers", "m.Nobody"]);
    assert_eq!(nobody.code, 1, "{nobody:?}");
    assert!(nobody.err.contains("m.Nobody"), "{nobody:?}");
    place.end();
}

#[test]
fn standalone_starts_no_server() {
    let place = Place::new();
    let mut client = Client::start(place.command(&["mcp", "--standalone"]));
    client.ask();
    client.answer_is_right();
    assert_eq!(place.servers(), [0; 0]);
    assert_eq!(client.end(), "");
    assert!(!place.site.root().join(".codeweft").exists());
}

#[test]
fn the_figures_are_those_of_the_specification() {
    let place = Place::new();
    assert_eq!(place.run(&["serve", "--detach"]).code, 0);
    let stats = place.run(&["stats", "--json"]);
    assert_eq!(stats.code, 0, "{stats:?}");
    let stats: Value = serde_json::from_str(&stats.out).expect("JSON");
    for name in [
        "query_count",
        "avg_query_time_ms",
        "p99_query_time_ms",
        "by_operation",
        "cache_hit_rate",
        "graph_size_mb",
        "last_reload_time_ms",
        "revision",
        "files",
        "symbols",
        "edges",
        "rss_bytes",
        "store_bytes",
        "cache_bytes",
    ] {
        assert!(stats.get(name).is_some(), "{name}: {stats}");
    }
    place.end();
}
