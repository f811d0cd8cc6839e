//! An MCP client, line by line.

use std::io::{self, BufRead, Read, Write};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::connection::{Connection, Framing, PATIENCE, TimedMessage, result};

/// A client of the MCP frontend.
pub struct Agent {
    connection: Connection,
    /// The notifications received so far.
    pub notifications: Vec<Value>,
}

/// The result of a tool call.
#[derive(Clone, Debug)]
pub struct ToolResult {
    /// The time at which its last byte was read.
    pub at: Instant,
    /// Whether it is an error.
    pub error: bool,
    /// The structured content, for programs.
    pub structured: Value,
    /// The text, for the model.
    pub text: String,
}

impl Agent {
    /// Returns a client over the server's ends of two pipes, or the two halves of a socket.
    pub fn over(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> Agent {
        let framing = Framing {
            read: read_line,
            write: |message| format!("{message}\n"),
        };
        Agent {
            connection: Connection::over(input, output, framing),
            notifications: Vec::new(),
        }
    }

    /// Does the handshake of the older lifecycle; returns the server's result.
    pub fn initialize(&mut self) -> io::Result<Value> {
        let result = self.ask(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "codeweft-testing", "version": "0"},
            }),
        )?;
        self.notify("notifications/initialized", json!({}))?;
        Ok(result)
    }

    /// Sends a request; returns its id.
    pub fn send(&mut self, method: &str, params: Value) -> io::Result<i64> {
        self.connection.request(method, params)
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) -> io::Result<()> {
        self.connection.notify(method, params).map(drop)
    }

    /// Waits for the whole answer to a request.
    pub fn answer(&mut self, id: i64, patience: Duration) -> io::Result<TimedMessage> {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(answer) = self.connection.take_answer(&Value::from(id)) {
                return Ok(answer);
            }
            let arrived = self.connection.next(deadline)?;
            match arrived.message.get("id") {
                Some(_) => self.connection.answers.push(arrived),
                None => self.notifications.push(arrived.message),
            }
        }
    }

    /// Returns the answers with the id `null` received so far: errors for lines without a readable
    /// id.
    pub fn unasked(&mut self) -> Vec<Value> {
        let all = std::mem::take(&mut self.connection.answers).into_iter();
        let (complaints, answers): (Vec<TimedMessage>, Vec<TimedMessage>) =
            all.partition(|arrived| arrived.message["id"].is_null());
        self.connection.answers = answers;
        complaints.into_iter().map(|one| one.message).collect()
    }

    /// Sends a request and returns its result; an error of the protocol is an error.
    pub fn ask(&mut self, method: &str, params: Value) -> io::Result<Value> {
        let id = self.send(method, params)?;
        let answer = self.answer(id, PATIENCE)?.message;
        result(method, &answer)
    }

    /// Sends a call of `cortex_graph` for the whole answer, without a bound; returns its id.
    pub fn send_call(&mut self, arguments: Value) -> io::Result<i64> {
        let meta = json!({"codeweft/whole": true});
        let params = json!({"name": "cortex_graph", "arguments": arguments, "_meta": meta});
        self.send("tools/call", params)
    }

    /// Calls `cortex_graph` as a model does, for an answer that is bounded, and waits for the result.
    pub fn call_bounded(&mut self, arguments: Value) -> io::Result<ToolResult> {
        let params = json!({"name": "cortex_graph", "arguments": arguments});
        let id = self.send("tools/call", params)?;
        self.called(id, PATIENCE)
    }

    /// Waits for the result of a call.
    pub fn called(&mut self, id: i64, patience: Duration) -> io::Result<ToolResult> {
        let TimedMessage { at, mut message } = self.answer(id, patience)?;
        if let Some(error) = message.get("error") {
            return Err(io::Error::other(format!("tools/call: {error}")));
        }
        let mut result = message["result"].take();
        Ok(ToolResult {
            at,
            error: result["isError"] == true,
            text: result["content"][0]["text"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            structured: result["structuredContent"].take(),
        })
    }

    /// Calls `cortex_graph` and waits for the result.
    pub fn call(&mut self, arguments: Value) -> io::Result<ToolResult> {
        let id = self.send_call(arguments)?;
        self.called(id, PATIENCE)
    }

    /// Sends raw bytes.
    pub fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.connection.raw(bytes)
    }
}

/// Reads a line.
fn read_line(input: &mut dyn BufRead) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    match input.read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => {
            line.pop_if(|last| *last == b'\n');
            Some(line)
        }
    }
}
