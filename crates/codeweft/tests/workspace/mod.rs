//! A small workspace, its servers and its clients as processes.

#![allow(dead_code, reason = "each test file uses its part")]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use codeweft_testing::clients::Sandbox;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use serde_json::{Value, json};

use crate::fixture;

/// A timeout far above what any test takes.
pub const LONG: Duration = Duration::from_secs(60);

/// A small workspace of its own, with everything that a server writes below one folder.
pub struct TestWorkspace {
    /// The home, the binary and the root.
    pub site: Sandbox,
    _workspace: tempfile::TempDir,
}

impl TestWorkspace {
    pub fn new() -> TestWorkspace {
        TestWorkspace::with(Path::new(env!("CARGO_BIN_EXE_codeweft")))
    }

    pub fn with(binary: &Path) -> TestWorkspace {
        let workspace = tempfile::tempdir().expect("a folder");
        let root = fs::canonicalize(workspace.path()).expect("there").join("w");
        fs::create_dir(&root).expect("made");
        fs::write(root.join("go.mod"), "module m\n\ngo 1.24\n").expect("written");
        let text = "package m\n\nfunc A() { B() }\n\nfunc B() {}\n";
        fs::write(root.join("a.go"), text).expect("written");
        let site = Sandbox::new(binary, root).expect("a site");
        TestWorkspace {
            site,
            _workspace: workspace,
        }
    }

    pub fn root(&self) -> &str {
        self.site.root().to_str().expect("UTF-8")
    }

    /// Returns a command for the workspace, in the sandbox's home and without the rest of the
    /// environment.
    pub fn command(&self, arguments: &[&str]) -> Command {
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

    pub fn run(&self, arguments: &[&str]) -> CommandOutput {
        output_of(&mut self.command(arguments))
    }

    /// Returns the folder of the server's socket.
    pub fn runtime(&self) -> PathBuf {
        let command = self.site.command(&[]);
        let run = command
            .get_envs()
            .find(|(name, _)| *name == "XDG_RUNTIME_DIR");
        PathBuf::from(run.and_then(|(_, value)| value).expect("set"))
    }

    /// Returns the server's process id and its socket.
    pub fn server(&self) -> (u32, PathBuf) {
        let note = self.site.server().expect("a note");
        let pid = note["pid"].as_u64().expect("a number") as u32;
        let socket = PathBuf::from(note["socket"].as_str().expect("a text"));
        (pid, socket)
    }

    /// Returns the servers among the living processes of the workspace.
    pub fn servers(&self) -> Vec<u32> {
        let line = |pid: &u32| fs::read_to_string(format!("/proc/{pid}/cmdline"));
        let mut servers = self.site.processes();
        servers.retain(|pid| line(pid).is_ok_and(|line| line.contains("--detached")));
        servers
    }

    /// Ends the server and asserts that nothing remains of it.
    pub fn end(&self) {
        let ended = self.run(&["serve", "--stop"]);
        assert_eq!(ended.code, 0, "{ended:?}");
        self.nothing_is_left();
    }

    pub fn nothing_is_left(&self) {
        assert_eq!(self.site.processes(), [0; 0]);
        assert_eq!(self.site.server(), None);
    }
}

/// The output of a run.
#[derive(Debug)]
pub struct CommandOutput {
    pub code: i32,
    pub out: String,
    pub err: String,
}

pub fn output_of(command: &mut Command) -> CommandOutput {
    let Output {
        status,
        stdout,
        stderr,
    } = command
        .stdin(Stdio::null())
        .output()
        .expect("it can be run");
    CommandOutput {
        code: status.code().expect("it ends by itself"),
        out: String::from_utf8(stdout).expect("UTF-8"),
        err: String::from_utf8(stderr).expect("UTF-8"),
    }
}

/// An agent whose standard error can be read.
pub struct Client {
    pub child: Child,
    lines: BufReader<std::process::ChildStdout>,
}

impl Client {
    pub fn start(mut command: Command) -> Client {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let lines = BufReader::new(child.stdout.take().expect("piped"));
        Client { child, lines }
    }

    /// Sends the handshake and a query.
    pub fn ask(&mut self) {
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

    /// Returns the answer to the query.
    pub fn answer(&mut self) -> Value {
        loop {
            let mut line = String::new();
            let read = self.lines.read_line(&mut line).expect("UTF-8");
            assert!(
                read > 0,
                "it ended without an answer: {}",
                self.complaints()
            );
            let message: Value = serde_json::from_str(&line).expect("a message a line");
            if message["id"] == 2 {
                return message["result"].clone();
            }
        }
    }

    pub fn answer_is_right(&mut self) {
        let answer = self.answer();
        let found = &answer["structuredContent"]["results"];
        assert_eq!(found[0]["node"]["id"], "m.A", "{answer}");
    }

    /// Closes its input, waits for its end, and returns its standard error.
    pub fn end(mut self) -> String {
        drop(self.child.stdin.take());
        let words = self.complaints();
        let status = self.child.wait().expect("it ends");
        assert!(status.success(), "{status}: {words}");
        words
    }

    pub fn complaints(&mut self) -> String {
        let mut words = String::new();
        if let Some(mut err) = self.child.stderr.take() {
            err.read_to_string(&mut words).expect("UTF-8");
        }
        words
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // An error means that the test has ended it already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for a process to end.
pub fn wait_for_end(pid: u32) {
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

/// Starts a client with pipes as its standard streams.
pub fn start(mut command: Command) -> (std::process::ChildStdout, std::process::ChildStdin, Child) {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let ends = child.stdout.take().zip(child.stdin.take());
    let (output, input) = ends.expect("piped");
    (output, input, child)
}
