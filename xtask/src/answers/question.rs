//! A recorded question: its library, its channel (command line or protocol), and its text.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::library::Library;

/// A question about a library.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Question {
    pub library: Library,
    #[serde(flatten)]
    pub asked: Asked,
}

/// The channel and text of a question.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Asked {
    /// A command of the binary; the root is not among its arguments.
    CommandLine { words: Vec<String> },
    /// A request to `codeweft mcp`.
    Mcp { method: String, params: Value },
    /// A request to `codeweft lsp`. Requests of a hierarchy have the parameters of their `prepare`,
    /// and are sent for each item that it returns.
    Lsp {
        method: String,
        params: Value,
        /// The file that is opened first, relative to the root.
        open: Option<String>,
    },
}

impl Question {
    /// Returns one line that identifies the question.
    pub fn words(&self) -> String {
        let library = self.library.name();
        match &self.asked {
            Asked::CommandLine { words } => format!("{library}: codeweft {}", words.join(" ")),
            Asked::Mcp { method, params } => format!("{library}: mcp {method} {params}"),
            Asked::Lsp { method, params, .. } => format!("{library}: lsp {method} {params}"),
        }
    }
}
