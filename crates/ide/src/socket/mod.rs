//! The server of a workspace and how clients find it: the folder of its socket, the lock, the
//! hello, the start.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Host;

/// What a client says first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Hello {
    /// Version and commit of the client's binary.
    pub build: String,
    /// Which door it wants.
    pub door: Door,
    /// The canonical root.
    pub root: String,
    /// Of the client.
    pub pid: u32,
    /// For people: `nvim`, `claude-code`.
    pub client_name: String,
    /// The environment, of the variables that matter only.
    pub env: std::collections::BTreeMap<String, String>,
    /// What the door has decided before the server was found: the editor's encoding and mode.
    pub decided: serde_json::Value,
}

/// The doors of a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Door {
    /// An editor.
    Lsp,
    /// An agent.
    Mcp,
    /// The command line: questions, figures, the end.
    Ctl,
}

/// Serves a workspace until it is told to end or nobody has been connected for long.
pub fn serve(_host: &Host, _folder: &Path) -> std::io::Result<()> {
    todo!()
}
