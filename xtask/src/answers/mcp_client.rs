//! A client of `codeweft mcp` that keeps answers as the lines that they came in.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::server::Server;

/// A running `codeweft mcp`; it ends with its value.
pub struct McpClient {
    child: Child,
    requests: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl McpClient {
    /// Starts it beside a server.
    pub fn start(server: &Server) -> Result<McpClient> {
        let mut child = server
            .command(["mcp"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start `codeweft mcp`")?;
        let requests = child.stdin.take().context("no way to ask")?;
        let answers = child.stdout.take().context("no way to listen")?;
        Ok(McpClient {
            child,
            requests,
            answers: BufReader::new(answers).lines(),
        })
    }

    /// Sends a request of this id and returns the line of its answer. `initialize` is followed by the
    /// notification that the protocol demands.
    pub fn ask(&mut self, id: usize, method: &str, params: &Value) -> Result<String> {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let line = self.answer(id, method)?;
        if method == "initialize" {
            self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        }
        Ok(line)
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        writeln!(self.requests, "{message}").context("`codeweft mcp` has ended")
    }

    fn answer(&mut self, id: usize, method: &str) -> Result<String> {
        for line in self.answers.by_ref() {
            let line = line?;
            let message: Value = serde_json::from_str(&line)?;
            if message["id"] == id {
                return Ok(line);
            }
        }
        bail!("`codeweft mcp` ended without an answer to {method}")
    }
}

impl Drop for McpClient {
    fn drop(&mut self) {
        // It only reads: there is nothing to lose, and no one to tell of an error.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
