//! The server of a workspace is private to its user: folders, notes, other users, inherited
//! descriptors.

mod fixture;
mod workspace;

use std::fs::{self, Permissions};
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Pid;
use serde_json::{Value, json};
use workspace::{Client, LONG, TestWorkspace, output_of, wait_for_end};

/// An unused user id.
const NOBODY: u32 = 12345;

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("changed");
}

/// Returns whether the tests that need a second user can run; they need root.
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

/// Copies a program to where every user can run it.
fn open_copy(of: &Path) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    chmod(folder.path(), 0o755);
    let copy = folder.path().join("program");
    fs::copy(of, &copy).expect("copied");
    chmod(&copy, 0o755);
    (folder, copy)
}

/// Returns whether the other end closes without a byte, long before the timeout for a hello.
fn shut_at_once(socket: &Path) -> bool {
    let since = Instant::now();
    let mut stream = UnixStream::connect(socket).expect("the folder is open");
    stream.set_read_timeout(Some(LONG)).expect("set");
    let read = stream.read(&mut [0; 1]);
    matches!(read, Ok(0) | Err(_)) && since.elapsed() < Duration::from_millis(1500)
}
#[test]
fn a_started_server_inherits_nothing_from_its_client() {
    let workspace = TestWorkspace::new();
    let kept = workspace.runtime().join("kept");
    let mut command = Command::new("bash");
    let inner = workspace.command(&["serve", "--detach"]);
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
        .current_dir(workspace.root())
        .args(["-c", "exec 9>\"$0\"; exec \"$@\""])
        .arg(&kept)
        .arg(inner.get_program())
        .args(inner.get_args())
        .env("SECRET_OF_THE_CLIENT", "1");
    assert_eq!(output_of(&mut command).code, 0);
    let (pid, _) = workspace.server();
    let of = |what: &str| format!("/proc/{pid}/{what}");
    let open: Vec<PathBuf> = fs::read_dir(of("fd"))
        .expect("ours")
        .filter_map(|entry| fs::read_link(entry.ok()?.path()).ok())
        .collect();
    assert!(!open.contains(&kept), "{open:?}");
    // After it has printed that it is ready, its standard output is a pipe that no process waits
    // for.
    let said = Instant::now();
    let output = || fs::read_link(of("fd/1")).expect("open");
    while output() != Path::new("/dev/null") && said.elapsed() < LONG {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(output(), Path::new("/dev/null"));
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
    workspace.end();
}

#[test]
fn the_servers_files_are_private_and_ignored_by_git() {
    let workspace = TestWorkspace::new();
    assert_eq!(workspace.run(&["serve", "--detach"]).code, 0);
    let (_, socket) = workspace.server();
    let mode = |path: &Path| {
        let metadata = fs::symlink_metadata(path).expect("there");
        metadata.permissions().mode() & 0o777
    };
    let folder = socket.parent().expect("a folder");
    assert_eq!(mode(folder), 0o700);
    assert_eq!(mode(folder.parent().expect("a folder")), 0o700);
    assert_eq!(mode(&socket), 0o600);
    let own = workspace.site.root().join(".codeweft");
    assert_eq!(mode(&own.join("server.json")), 0o600);
    assert_eq!(mode(&own.join("lock")), 0o600);
    assert_eq!(
        fs::read_to_string(own.join(".gitignore")).expect("there"),
        "*\n"
    );
    let logs = folder_of_logs(&workspace);
    for log in fs::read_dir(logs).expect("there") {
        assert_eq!(mode(&log.expect("there").path()), 0o600);
    }
    workspace.end();
    assert!(!socket.exists());
}

fn folder_of_logs(workspace: &TestWorkspace) -> PathBuf {
    let command = workspace.site.command(&[]);
    let state = command
        .get_envs()
        .find(|(name, _)| *name == "XDG_STATE_HOME");
    PathBuf::from(state.and_then(|(_, value)| value).expect("set")).join("codeweft")
}

#[test]
fn a_forged_note_is_not_followed() {
    let workspace = TestWorkspace::new();
    let own = workspace.site.root().join(".codeweft");
    fs::create_dir(&own).expect("made");
    let trap = workspace.runtime().join("trap");
    let listener = UnixListener::bind(&trap).expect("bound");
    listener.set_nonblocking(true).expect("set");
    let note = json!({"socket": trap, "pid": 1, "instance": "0", "build": "0"});
    fs::write(own.join("server.json"), note.to_string()).expect("written");
    let mut client = Client::start(workspace.command(&["mcp"]));
    client.ask();
    client.answer_is_right();
    let error = listener.accept().expect_err("nobody came");
    assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
    assert_eq!(client.end(), "");
    workspace.end();
}

#[test]
fn a_folder_that_is_not_private_is_refused_and_clients_serve_themselves() {
    let refuse = |spoil: &dyn Fn(&Path), reason: &str| {
        let workspace = TestWorkspace::new();
        spoil(&workspace.runtime().join("codeweft"));
        let started = workspace.run(&["serve", "--detach"]);
        assert_eq!(started.code, 3, "{started:?}");
        assert!(started.err.contains(reason), "{started:?}");
        let mut client = Client::start(workspace.command(&["mcp"]));
        client.ask();
        client.answer_is_right();
        assert_eq!(workspace.servers(), [0; 0]);
        let words = client.end();
        assert!(words.contains(reason), "{words}");
        assert!(words.contains("going on alone in this process"), "{words}");
        workspace.nothing_is_left();
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
fn another_user_is_disconnected_before_a_byte_is_read() {
    if !can_be_another() {
        return;
    }
    // The server is ours, the other user connects.
    let workspace = TestWorkspace::new();
    assert_eq!(workspace.run(&["serve", "--detach"]).code, 0);
    let (pid, socket) = workspace.server();
    let runtime = workspace.runtime();
    let home = runtime.parent().expect("a home");
    for folder in socket.ancestors().skip(1) {
        if folder.starts_with(home) {
            chmod(folder, 0o755);
        }
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
    // The opened folder is no longer trusted: the server is stopped by a signal.
    let process = Pid::from_raw(pid as i32).expect("a process");
    rustix::process::kill_process(process, rustix::process::Signal::TERM).expect("ours");
    wait_for_end(pid);
    workspace.nothing_is_left();

    // The server is the other user's, we connect.
    let (_keep, binary) = open_copy(Path::new(env!("CARGO_BIN_EXE_codeweft")));
    let other = TestWorkspace::with(&binary);
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
    // It prints a line when it listens.
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

/// Runs as the other user of the test above, and only from it.
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
    let workspace = TestWorkspace::with(&binary);
    let root = workspace.site.root();
    chmod(root.parent().expect("a folder"), 0o755);
    let run = tempfile::tempdir().expect("a folder");
    chown(run.path());
    let command = |arguments: &[&str]| {
        let mut command = as_nobody(&binary);
        command
            .args(arguments)
            .args(["--root", workspace.root()])
            .env_clear()
            .env("HOME", "/nonexistent")
            .env("XDG_RUNTIME_DIR", run.path())
            .current_dir("/");
        command
    };
    let started = output_of(&mut command(&["serve", "--detach"]));
    assert_eq!(started.code, 0, "{started:?}");
    assert!(!root.join(".codeweft").exists());
    let status = output_of(&mut command(&["serve", "--status", "--json"]));
    assert_eq!(status.code, 0, "{status:?}");
    let status: Value = serde_json::from_str(&status.out).expect("JSON");
    let pid = status["pid"].as_u64().expect("a number") as u32;
    let again = output_of(&mut command(&["serve", "--detach"]));
    assert!(again.err.contains("runs already"), "{again:?}");
    let stopped = output_of(&mut command(&["serve", "--stop"]));
    assert_eq!(stopped.code, 0, "{stopped:?}");
    wait_for_end(pid);
}
