//! What `initialize` settles for the life of a connection.

use codeweft_ide::Encoding;
use serde::{Deserialize, Serialize};

/// What `initialize` decided, from the client's words alone. It goes with the hello to the server,
/// which never decides again. What is missing in a hello is as for a client that said nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NegotiatedCapabilities {
    /// `utf-8`, `utf-16` or `utf-32`.
    pub encoding: String,
    /// Whether the client registers watched files on request.
    pub watches: bool,
    /// Whether the client shows progress that the server begins.
    pub progress: bool,
    /// Whether the client shows document symbols as a tree.
    pub outline: bool,
    /// Whether the client shows Markdown in a hover.
    pub markdown: bool,
}

impl NegotiatedCapabilities {
    /// The encoding of positions; UTF-16 where it is not one of the three (LSP,
    /// `PositionEncodingKind`).
    pub fn encoding(&self) -> Encoding {
        match self.encoding.as_str() {
            "utf-8" => Encoding::Utf8,
            "utf-32" => Encoding::Utf32,
            _ => Encoding::Utf16,
        }
    }
}
