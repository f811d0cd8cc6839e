//! The client capabilities that `initialize` negotiates for the life of a connection.

use codeweft_workspace::Encoding;
use serde::{Deserialize, Serialize};

/// The client's capabilities as read from the params of `initialize`. The proxy sends them to the
/// server in its hello, and the server never negotiates again. A field missing in a hello has the
/// value for a client that said nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NegotiatedCapabilities {
    /// The position encoding: `utf-8`, `utf-16` or `utf-32`.
    pub encoding: String,
    /// Whether the client supports dynamic registration of watched files.
    pub watches: bool,
    /// Whether the client shows work done progress that the server begins.
    pub progress: bool,
    /// Whether the client supports hierarchical document symbols.
    pub outline: bool,
    /// Whether the client renders Markdown in a hover.
    pub markdown: bool,
}

impl NegotiatedCapabilities {
    /// Returns the encoding of positions; UTF-16 if the name is not one of the three (LSP,
    /// `PositionEncodingKind`).
    pub fn encoding(&self) -> Encoding {
        match self.encoding.as_str() {
            "utf-8" => Encoding::Utf8,
            "utf-32" => Encoding::Utf32,
            _ => Encoding::Utf16,
        }
    }
}
