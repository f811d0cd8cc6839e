//! A client of `codeweft lsp` that keeps answers as the bodies that they came in.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::drawn::uri;
use super::server::Server;

/// The longest body that is read.
const LONGEST: usize = 1 << 30;

/// Requests about an item, with the request that gives the items at a position.
const OF_ITEMS: &[(&str, &str)] = &[
    (
        "callHierarchy/incomingCalls",
        "textDocument/prepareCallHierarchy",
    ),
    (
        "callHierarchy/outgoingCalls",
        "textDocument/prepareCallHierarchy",
    ),
    (
        "typeHierarchy/supertypes",
        "textDocument/prepareTypeHierarchy",
    ),
    (
        "typeHierarchy/subtypes",
        "textDocument/prepareTypeHierarchy",
    ),
];

/// A running `codeweft lsp`; it ends with its value.
pub struct LspClient {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    root: PathBuf,
    open: BTreeSet<String>,
}

impl LspClient {
    /// Starts it beside a server.
    pub fn start(server: &Server) -> Result<LspClient> {
        let mut child = server
            .command(["lsp"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start `codeweft lsp`")?;
        let requests = child.stdin.take().context("no way to ask")?;
        let answers = child.stdout.take().context("no way to listen")?;
        Ok(LspClient {
            child,
            requests,
            answers: BufReader::new(answers),
            root: server.root().to_owned(),
            open: BTreeSet::new(),
        })
    }

    /// Opens the file, where one is named, with its text on disk, then sends a request of this id and
    /// returns the body of its answer. Of a request about items it is a body a line: the items', and
    /// those of the answers about each.
    pub fn ask(
        &mut self,
        id: usize,
        method: &str,
        params: &Value,
        open: Option<&str>,
    ) -> Result<String> {
        if let Some(file) = open {
            self.open(file)?;
        }
        let of_items = OF_ITEMS.iter().find(|(of_item, _)| *of_item == method);
        let Some((_, prepare)) = of_items else {
            let body = self.request(json!(id), method, params)?;
            if method == "initialize" {
                self.notify("initialized", &json!({}))?;
            }
            return Ok(body);
        };
        let mut bodies = vec![self.request(json!(id), prepare, params)?];
        let prepared: Value = serde_json::from_str(&bodies[0])?;
        let items = prepared["result"].as_array().into_iter().flatten();
        for (at, item) in items.enumerate() {
            let id = json!(format!("{id}.{at}"));
            bodies.push(self.request(id, method, &json!({"item": item}))?);
        }
        Ok(bodies.join("\n"))
    }

    /// Opens a file once; one that is no UTF-8 is left to the disk.
    fn open(&mut self, file: &str) -> Result<()> {
        let Ok(text) = std::fs::read_to_string(self.root.join(file)) else {
            return Ok(());
        };
        if !self.open.insert(file.to_owned()) {
            return Ok(());
        }
        let language = match Path::new(file).extension() {
            Some(one) if one == "go" => "go",
            _ => "python",
        };
        let document = json!({"uri": uri(&self.root, file), "languageId": language,
            "version": 1, "text": text});
        self.notify("textDocument/didOpen", &json!({"textDocument": document}))
    }

    fn notify(&mut self, method: &str, params: &Value) -> Result<()> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    fn request(&mut self, id: Value, method: &str, params: &Value) -> Result<String> {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let body = self
                .body()
                .with_context(|| format!("no answer to {method}"))?;
            let message: Value = serde_json::from_str(&body)?;
            if message["method"].is_string() {
                // A request of the server; notifications have no id.
                if !message["id"].is_null() {
                    self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": null}))?;
                }
            } else if message["id"] == id {
                return Ok(body);
            }
        }
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let body = message.to_string();
        let sent = write!(
            self.requests,
            "Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        sent.and_then(|()| self.requests.flush())
            .context("`codeweft lsp` has ended")
    }

    fn body(&mut self) -> Result<String> {
        let mut length = None;
        loop {
            let mut line = String::new();
            if self.answers.read_line(&mut line)? == 0 {
                bail!("`codeweft lsp` has ended");
            }
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            if let Some(number) = line.strip_prefix("Content-Length:") {
                length = Some(number.trim().parse::<usize>()?);
            }
        }
        match length {
            Some(length) if length <= LONGEST => {
                let mut body = vec![0; length];
                self.answers.read_exact(&mut body)?;
                Ok(String::from_utf8(body)?)
            }
            _ => bail!("a message without a length, or one of more than {LONGEST} bytes"),
        }
    }
}

impl Drop for LspClient {
    fn drop(&mut self) {
        // It only reads: there is nothing to lose, and no one to tell of an error.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
