//! The progress of an analysis host.

use crate::project::Progress;

/// The state of an analysis host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HostState {
    /// The workspace is being loaded; requests wait.
    Loading(Progress),
    /// Requests are answered.
    Ready,
    /// The workspace could not be loaded, with the reason; every request fails with it.
    Failed(String),
}

impl HostState {
    /// Returns one word for people.
    pub fn word(&self) -> &'static str {
        match self {
            HostState::Loading(_) => "loading",
            HostState::Ready => "ready",
            HostState::Failed(_) => "failed",
        }
    }
}
