//! The editor's door: the Language Server Protocol on a Host.

use std::io::{self, Read, Write};

use codeweft_ide::{Encoding, Host};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What `initialize` decided, from the client's words alone. It goes with the hello to the server,
/// which never decides again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Decided {
    /// `utf-8`, `utf-16` or `utf-32`.
    pub encoding: String,
    /// Whether the client registers watched files on request.
    pub watches: bool,
    /// Whether the client shows progress that the server begins.
    pub progress: bool,
}

impl Decided {
    /// The encoding of positions.
    pub fn encoding(&self) -> Encoding {
        todo!()
    }
}

/// The whole result of `initialize` for its params, and what it decides: a pure function.
pub fn initialize(_params: &Value) -> (Value, Decided) {
    todo!()
}

/// The folder that `initialize` names as root: the first workspace folder's, else `rootUri`, else
/// `rootPath`; `None` where it names none.
pub fn root_of(_params: &Value) -> Option<std::path::PathBuf> {
    todo!()
}

/// Serves one editor whose `initialize` was answered already, until it says `exit` or goes. Blocks.
pub fn serve(
    _host: &Host,
    _decided: &Decided,
    _client_name: &str,
    _input: impl Read + Send + 'static,
    _output: impl Write + Send + 'static,
) -> io::Result<()> {
    todo!()
}
