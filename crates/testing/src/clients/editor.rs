//! An LSP client, byte by byte.

use std::io::{self, BufRead, Read, Write};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::connection::{Connection, Framing, PATIENCE, TimedMessage, result};

/// A client of the LSP frontend. It answers requests of the server with `null`.
pub struct Editor {
    connection: Connection,
    version: i64,
    /// The notifications received so far.
    pub notifications: Vec<Value>,
}

impl Editor {
    /// Returns a client over the server's ends of two pipes, or the two halves of a socket.
    pub fn over(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> Editor {
        let framing = Framing {
            read: read_content,
            write: |message| {
                let body = message.to_string();
                format!("Content-Length: {}\r\n\r\n{body}", body.len())
            },
        };
        Editor {
            connection: Connection::over(input, output, framing),
            version: 1,
            notifications: Vec::new(),
        }
    }

    /// Sends `initialize` and `initialized` for a workspace; returns the server's result.
    pub fn initialize(&mut self, root: &str, encodings: &[&str]) -> io::Result<Value> {
        let params = json!({
            "processId": std::process::id(),
            "clientInfo": {"name": "codeweft-testing"},
            "rootUri": uri(root),
            "capabilities": {
                "general": {"positionEncodings": encodings},
                "textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": true}},
            },
        });
        let result = self.ask("initialize", params)?;
        self.notify("initialized", json!({}))?;
        Ok(result)
    }

    /// Sends a request; returns its id.
    pub fn send(&mut self, method: &str, params: Value) -> io::Result<i64> {
        self.connection.request(method, params)
    }

    /// Sends a notification; returns the time before its first byte was written.
    pub fn notify(&mut self, method: &str, params: Value) -> io::Result<Instant> {
        self.connection.notify(method, params)
    }

    /// Waits for the whole answer to a request.
    pub fn answer(&mut self, id: i64, patience: Duration) -> io::Result<TimedMessage> {
        self.answer_to(&Value::from(id), patience)
    }

    /// Waits for the error about a message without a readable id; its id is `null`.
    pub fn complaint(&mut self, patience: Duration) -> io::Result<Value> {
        Ok(self.answer_to(&Value::Null, patience)?.message)
    }

    fn answer_to(&mut self, id: &Value, patience: Duration) -> io::Result<TimedMessage> {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(answer) = self.connection.take_answer(id) {
                return Ok(answer);
            }
            self.take(deadline)?;
        }
    }

    /// Sends a request and returns its result; an error of the server is an error.
    pub fn ask(&mut self, method: &str, params: Value) -> io::Result<Value> {
        let id = self.send(method, params)?;
        let answer = self.answer(id, PATIENCE)?.message;
        result(method, &answer)
    }

    /// Reads messages until a deadline, or until `enough` holds for the notifications.
    pub fn wait_for_notification(
        &mut self,
        patience: Duration,
        enough: impl Fn(&Value) -> bool,
    ) -> io::Result<Value> {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(at) = self.notifications.iter().position(&enough) {
                return Ok(self.notifications.remove(at));
            }
            self.take(deadline)?;
        }
    }

    /// Opens a document with a text.
    pub fn open(&mut self, path: &str, text: &str) -> io::Result<Instant> {
        let language = if path.ends_with(".go") {
            "go"
        } else {
            "python"
        };
        self.version += 1;
        let document = json!({
            "uri": uri(path), "languageId": language, "version": self.version, "text": text
        });
        self.notify("textDocument/didOpen", json!({"textDocument": document}))
    }

    /// Replaces a range (line, character; 0-based) of a document.
    pub fn edit(
        &mut self,
        path: &str,
        (start, end): ((u32, u32), (u32, u32)),
        text: &str,
    ) -> io::Result<Instant> {
        self.version += 1;
        let position = |(line, character)| json!({"line": line, "character": character});
        let range = json!({"start": position(start), "end": position(end)});
        self.notify(
            "textDocument/didChange",
            json!({
                "textDocument": {"uri": uri(path), "version": self.version},
                "contentChanges": [{"range": range, "text": text}],
            }),
        )
    }

    /// Closes a document.
    pub fn close(&mut self, path: &str) -> io::Result<Instant> {
        let params = json!({"textDocument": {"uri": uri(path)}});
        self.notify("textDocument/didClose", params)
    }

    /// Returns the params of a request about a position (0-based).
    pub fn at(path: &str, line: u32, character: u32) -> Value {
        json!({
            "textDocument": {"uri": uri(path)},
            "position": {"line": line, "character": character},
        })
    }

    /// Sends `shutdown` and `exit`.
    pub fn leave(&mut self) -> io::Result<()> {
        self.ask("shutdown", Value::Null)?;
        self.notify("exit", Value::Null).map(|_| ())
    }

    /// Sends raw bytes.
    pub fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.connection.raw(bytes)
    }

    fn take(&mut self, deadline: Instant) -> io::Result<()> {
        let arrived = self.connection.next(deadline)?;
        let message = &arrived.message;
        match (message.get("id"), message.get("method")) {
            (Some(id), Some(_)) => {
                let answer = json!({"jsonrpc": "2.0", "id": id, "result": null});
                self.connection.write(&answer)?;
            }
            (Some(_), None) => self.connection.answers.push(arrived),
            (None, _) => self.notifications.push(arrived.message),
        }
        Ok(())
    }
}

/// Returns the `file:` URI of an absolute path.
pub(crate) fn uri(path: &str) -> String {
    let mut uri = String::from("file://");
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(byte.into());
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

/// Reads the headers of a message and its content.
fn read_content(input: &mut dyn BufRead) -> Option<Vec<u8>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        match input.read_line(&mut line) {
            Ok(0) | Err(_) => return None,
            Ok(_) => {}
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(("Content-Length", value)) = line.split_once(": ") {
            length = value.parse::<usize>().ok();
        }
    }
    let mut body = vec![0; length?];
    input.read_exact(&mut body).ok()?;
    Some(body)
}
