//! Many queries to one process of `codeweft mcp`.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

/// The maximum time for loading on a busy machine.
const LOADED: Duration = Duration::from_secs(600);

/// A running `codeweft mcp`; killed when dropped.
pub struct Session {
    child: Child,
    requests: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
    last: u64,
}

impl Session {
    /// Starts it on a workspace.
    pub fn start(binary: &Path, root: &Path) -> Result<Session> {
        Session::start_with(binary, root, &[])
    }

    /// Starts it on a workspace, with these variables in its environment.
    pub fn start_with(
        binary: &Path,
        root: &Path,
        environment: &[(&str, &Path)],
    ) -> Result<Session> {
        let mut child = Command::new(binary)
            .args(["mcp", "--standalone", "--root"])
            .arg(root)
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", binary.display()))?;
        let requests = child.stdin.take().context("no way to ask")?;
        let answers = child.stdout.take().context("no way to listen")?;
        let mut session = Session {
            child,
            requests,
            answers: BufReader::new(answers).lines(),
            last: 0,
        };
        session.request(
            "initialize",
            json!({"protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "xtask", "version": "0"}}),
        )?;
        session.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(session)
    }

    /// Returns the whole response of `cortex_graph` to a request, which may be an error. Repeats the
    /// query while the workspace is loading.
    pub fn ask(&mut self, arguments: &Value) -> Result<Value> {
        let started = Instant::now();
        loop {
            let call = json!({"name": "cortex_graph", "arguments": arguments,
                "_meta": {"codeweft/whole": true}});
            let mut result = self.request("tools/call", call)?;
            let answer = result["structuredContent"].take();
            let loading = answer["error_type"] == "index_unavailable";
            if !loading || started.elapsed() > LOADED {
                return Ok(answer);
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        writeln!(self.requests, "{message}").context("`codeweft mcp` has ended")
    }

    fn request(&mut self, method: &str, params: Value) -> Result<Value> {
        self.last += 1;
        let id = self.last;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        for line in self.answers.by_ref() {
            let mut message: Value = serde_json::from_str(&line?)?;
            if message["id"] == id {
                if !message["error"].is_null() {
                    bail!("{method}: {}", message["error"]);
                }
                return Ok(message["result"].take());
            }
        }
        bail!("`codeweft mcp` ended without an answer to {method}")
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The client only reads: there is nothing to lose, and no caller to report an error to.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
