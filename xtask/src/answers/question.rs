//! A question as it is recorded: about which library, by command line or protocol, in which words.

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

/// How a question is asked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Asked {
    /// A command of the binary; the root is not among its words.
    CommandLine { words: Vec<String> },
    /// A request of `codeweft mcp`.
    Mcp { method: String, params: Value },
    /// A request of `codeweft lsp`. Requests of a hierarchy have the parameters of their `prepare`,
    /// and are asked about the items that it gives.
    Lsp {
        method: String,
        params: Value,
        /// The file that is opened before, relative to the root.
        open: Option<String>,
    },
}

impl Question {
    /// One line that tells which question this is.
    pub fn words(&self) -> String {
        let library = self.library.name();
        match &self.asked {
            Asked::CommandLine { words } => format!("{library}: codeweft {}", words.join(" ")),
            Asked::Mcp { method, params } => format!("{library}: mcp {method} {params}"),
            Asked::Lsp { method, params, .. } => format!("{library}: lsp {method} {params}"),
        }
    }
}
