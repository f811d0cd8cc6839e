//! How far an analysis host is.

use crate::project::Progress;

/// How far a Host is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HostState {
    /// The workspace is being read; questions wait.
    Loading(Progress),
    /// Questions are answered.
    Ready,
    /// The workspace could not be read: why. Every question says so.
    Failed(String),
}

impl HostState {
    /// One word for people.
    pub fn word(&self) -> &'static str {
        match self {
            HostState::Loading(_) => "loading",
            HostState::Ready => "ready",
            HostState::Failed(_) => "failed",
        }
    }
}
