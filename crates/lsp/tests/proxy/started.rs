//! A proxy whose servers are the test's own.

#![allow(dead_code, reason = "each test file uses its part")]

use std::io;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use codeweft_lsp::{NegotiatedCapabilities, proxy};
use serde_json::{Value, json};

use crate::raw::Client;

pub struct Started {
    pub client: Client,
    /// Hands the server's connection to the proxy when the test wants it established.
    pub servers: Sender<io::Result<UnixStream>>,
    pub requested: Receiver<(PathBuf, NegotiatedCapabilities, String)>,
    pub code: JoinHandle<u8>,
}

impl Started {
    pub fn new() -> Started {
        Started::with(None)
    }

    pub fn with(given: Option<PathBuf>) -> Started {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let (servers, connected) = channel::<io::Result<UnixStream>>();
        let connected = Mutex::new(connected);
        let (ask, requested) = channel();
        let connect = move |root: &Path, capabilities: &NegotiatedCapabilities, name: &str| {
            // The test does not always look.
            let _ = ask.send((root.to_owned(), capabilities.clone(), name.to_owned()));
            let connected = connected.lock().unwrap();
            connected
                .recv()
                .unwrap_or_else(|_| Err(io::ErrorKind::NotFound.into()))
        };
        let code = thread::spawn(move || {
            let output = theirs.try_clone().unwrap();
            let code = proxy::run(theirs.try_clone().unwrap(), output, given, connect, |_| {});
            // As at the end of the process.
            theirs.shutdown(std::net::Shutdown::Both).ok();
            code
        });
        Started {
            client: Client::new(ours),
            servers,
            requested,
            code,
        }
    }

    pub fn server(&self) -> Client {
        let (ours, theirs) = UnixStream::pair().unwrap();
        self.servers.send(Ok(theirs)).unwrap();
        Client::new(ours)
    }
}

pub fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("go.mod"), "module w\n").unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    folder
}

pub fn uri(folder: &tempfile::TempDir, path: &str) -> String {
    let folder = folder.path().canonicalize().unwrap();
    format!("file://{}/{path}", folder.display())
}

pub fn params(folder: &tempfile::TempDir) -> Value {
    json!({"capabilities": {}, "rootUri": uri(folder, "sub"), "clientInfo": {"name": "vi"}})
}
