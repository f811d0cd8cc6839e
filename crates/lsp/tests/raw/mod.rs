//! A test client that reads and writes raw messages.

#![allow(dead_code, reason = "each test file uses its part")]

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use codeweft_lsp::NegotiatedCapabilities;
use codeweft_workspace::{AnalysisHost, HostOptions};
use serde_json::{Value, json};

/// A timeout far above what any test takes.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub struct Client {
    input: BufReader<UnixStream>,
    output: UnixStream,
    next: i32,
    /// Messages received while another answer was awaited.
    pub others: Vec<Value>,
}

impl Client {
    pub fn new(stream: UnixStream) -> Client {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Client {
            input: BufReader::new(stream.try_clone().unwrap()),
            output: stream,
            next: 0,
            others: Vec::new(),
        }
    }

    pub fn write(&mut self, bytes: &[u8]) {
        self.output.write_all(bytes).unwrap();
    }

    pub fn send(&mut self, message: &Value) {
        let content = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{content}", content.len()).as_bytes());
    }

    /// Sends a message; returns `false` if the connection is closed.
    pub fn try_send(&mut self, message: &Value) -> bool {
        let content = message.to_string();
        let message = format!("Content-Length: {}\r\n\r\n{content}", content.len());
        self.output.write_all(message.as_bytes()).is_ok()
    }

    /// Returns another client on the same connection.
    pub fn second_handle(&self) -> Client {
        Client::new(self.output.try_clone().unwrap())
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request; returns its id.
    pub fn begin(&mut self, method: &str, params: Value) -> i32 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Reads the next message; `None` at the end of the stream.
    pub fn read(&mut self) -> Option<Value> {
        let mut length = None;
        loop {
            let mut line = String::new();
            match self.input.read_line(&mut line) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => return None,
                Err(error) => panic!("nothing came: {error}; {:?}", self.others),
            }
            if line == "\r\n" {
                break;
            }
            if let Some(value) = line.strip_prefix("Content-Length: ") {
                length = Some(value.trim().parse::<usize>().unwrap());
            }
        }
        let mut content = vec![0; length.expect("a length")];
        self.input.read_exact(&mut content).unwrap();
        Some(serde_json::from_slice(&content).unwrap())
    }

    /// Waits for the answer to a request.
    pub fn answer(&mut self, id: impl Into<Value>) -> Value {
        let id = id.into();
        let of_id = |message: &Value| message.get("method").is_none() && message["id"] == id;
        if let Some(at) = self.others.iter().position(of_id) {
            return self.others.remove(at);
        }
        loop {
            let message = self.read().expect("an answer before the end");
            if of_id(&message) {
                return message;
            }
            self.others.push(message);
        }
    }

    /// Sends a request and returns its result.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        let mut answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].take()
    }

    /// Sends a request and returns the code of its error.
    pub fn refused(&mut self, method: &str, params: Value) -> i64 {
        let id = self.begin(method, params);
        let answer = self.answer(id);
        answer["error"]["code"]
            .as_i64()
            .unwrap_or_else(|| panic!("{method}: {answer}"))
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        let language = if uri.ends_with(".py") { "python" } else { "go" };
        self.notify(
            "textDocument/didOpen",
            json!({"textDocument": {
                "uri": uri, "languageId": language, "version": 1, "text": text
            }}),
        );
    }

    pub fn change(&mut self, uri: &str, version: i32, changes: Value) {
        self.notify(
            "textDocument/didChange",
            json!({
                "textDocument": {"uri": uri, "version": version}, "contentChanges": changes
            }),
        );
    }

    /// Closes the writing side.
    pub fn hang_up(&self) {
        self.output.shutdown(std::net::Shutdown::Both).unwrap();
    }
}

/// Returns the params of a position: line and character, 0-based.
pub fn at(uri: &str, line: u32, character: u32) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
}

/// A folder with source files, and a host on it.
pub struct Workspace {
    pub folder: tempfile::TempDir,
    pub host: AnalysisHost,
}

impl Workspace {
    pub fn new(files: &[(&str, &str)]) -> Workspace {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let host = start(folder.path());
        Workspace { folder, host }
    }

    pub fn uri(&self, path: &str) -> String {
        format!("file://{}/{path}", self.host.root())
    }

    /// Returns a client that has sent nothing yet, of a server that was given these negotiated
    /// capabilities.
    pub fn client(&self, capabilities: &NegotiatedCapabilities) -> Client {
        let (client, serving) = serve(&self.host, capabilities);
        drop(serving);
        client
    }

    /// Returns a client with common capabilities.
    pub fn plain(&self) -> Client {
        self.client(&NegotiatedCapabilities::default())
    }
}

pub fn start(root: &Path) -> AnalysisHost {
    AnalysisHost::start(HostOptions {
        root: root.to_owned(),
        settings: Default::default(),
        variables: Some(Default::default()),
        threads: 2,
        watch: false,
        cache: None,
        cookies: None,
    })
    .unwrap()
}

pub fn serve(
    host: &AnalysisHost,
    capabilities: &NegotiatedCapabilities,
) -> (Client, JoinHandle<std::io::Result<()>>) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    let (host, capabilities) = (host.clone(), capabilities.clone());
    let serving = thread::spawn(move || {
        codeweft_lsp::serve_stream(&host, &capabilities, "test", theirs, &|| {})
    });
    (Client::new(ours), serving)
}

/// Returns `name path:line` of each item, or `path:line:character` of each location, sorted; lines
/// are 1-based.
pub fn rows(list: &Value) -> Vec<String> {
    let mut rows: Vec<String> = list
        .as_array()
        .unwrap_or_else(|| panic!("no list: {list}"))
        .iter()
        .map(row)
        .collect();
    rows.sort();
    rows
}

fn row(value: &Value) -> String {
    let item = value.get("from").or(value.get("to")).unwrap_or(value);
    let file = |uri: &Value| {
        let uri = uri.as_str().unwrap();
        uri.rsplit('/').next().unwrap().to_owned()
    };
    let position = |range: &Value| {
        let start = &range["start"];
        let line = start["line"].as_u64().unwrap() + 1;
        format!("{line}:{}", start["character"])
    };
    let Some(name) = item["name"].as_str() else {
        return format!("{}:{}", file(&item["uri"]), position(&item["range"]));
    };
    if let Some(location) = item.get("location") {
        return format!(
            "{name} {}:{}",
            file(&location["uri"]),
            position(&location["range"])
        );
    }
    let mut row = format!(
        "{name} {}:{}",
        file(&item["uri"]),
        position(&item["selectionRange"])
    );
    for site in value["fromRanges"].as_array().into_iter().flatten() {
        row.push_str(&format!(" at {}", position(site)));
    }
    row
}
