//! A client of raw lines, and hosts for it.

#![allow(dead_code, reason = "each test uses a part")]

use std::io;
use std::path::Path;
use std::time::Duration;

use codeweft_mcp::serve;
use codeweft_workspace::{AnalysisHost, HostOptions};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader, ReadHalf, WriteHalf,
};
use tokio::net::UnixStream;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// A client of raw lines.
pub struct Client<S> {
    read: BufReader<ReadHalf<S>>,
    write: WriteHalf<S>,
    last: u64,
}

impl<S: AsyncRead + AsyncWrite> Client<S> {
    pub fn new(stream: S) -> Client<S> {
        let (read, write) = tokio::io::split(stream);
        Client {
            read: BufReader::new(read),
            write,
            last: 0,
        }
    }

    pub async fn say(&mut self, message: Value) {
        let line = format!("{message}\n");
        let written = self.write.write_all(line.as_bytes()).await;
        written.expect("it reads");
    }

    pub async fn line(&mut self) -> String {
        let mut line = String::new();
        let read = timeout(Duration::from_secs(60), self.read.read_line(&mut line));
        let read = read.await.expect("in time").expect("UTF-8");
        assert!(read > 0, "it went without an answer");
        line
    }

    pub async fn next(&mut self) -> Value {
        serde_json::from_str(&self.line().await).expect("a message a line")
    }

    pub async fn send(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        let id = self.last;
        self.say(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await;
        id
    }

    pub async fn notify(&mut self, method: &str, params: Value) {
        self.say(json!({"jsonrpc": "2.0", "method": method, "params": params}))
            .await;
    }

    pub async fn handshake(&mut self, version: &str) -> String {
        let hello = json!({"protocolVersion": version, "capabilities": {},
                           "clientInfo": {"name": "test", "version": "0"}});
        self.send("initialize", hello).await;
        let line = self.line().await;
        self.notify("notifications/initialized", json!({})).await;
        line
    }
}

pub fn host(root: &Path) -> AnalysisHost {
    host_with(root, &[])
}

/// Returns a host with settings by key.
pub fn host_with(root: &Path, settings: &[(&str, &str)]) -> AnalysisHost {
    let settings = settings.iter();
    AnalysisHost::start(HostOptions {
        root: root.canonicalize().expect("it is there"),
        settings: settings
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect(),
        variables: None,
        threads: 0,
        watch: false,
        cache: None,
        cookies: None,
    })
    .expect("a folder for a workspace")
}

pub fn session(host: &AnalysisHost) -> (Client<UnixStream>, JoinHandle<io::Result<()>>) {
    let (ours, theirs) = UnixStream::pair().expect("a pair");
    (Client::new(ours), tokio::spawn(serve(host.clone(), theirs)))
}
