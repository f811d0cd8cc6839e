//! The tools of agents: a file for each, and the list of them.
//!
//! To add a tool, write a file with a type that implements [`AgentTool`], and add its `mod` line and
//! its entry in [`TOOLS`] here. The handshake's instructions, `tools/list` and `tools/call` follow.

mod graph;
mod result;

use std::pin::Pin;

use codeweft_ide::api::ApiError;
use rmcp::model::{CallToolResult, Tool};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Map, Value};

use crate::session::{AnswerSource, Session};

/// The tools, in the order of `tools/list`.
pub(crate) const TOOLS: &[&dyn AgentTool] = &[&graph::GraphTool];

/// The result of a call, once it is there.
pub(crate) type PendingResult<'a> = Pin<Box<dyn Future<Output = CallToolResult> + Send + 'a>>;

/// A tool of agents. All but [`AgentTool::call`] depends on the build alone, for it is answered
/// without a server too.
pub(crate) trait AgentTool: Sync {
    /// Returns the name on the wire.
    fn name(&self) -> &'static str;

    /// Returns the entry in `tools/list`: name, description, schemas.
    fn entry(&self) -> Tool;

    /// Returns when to use the tool and when not; part of the instructions that a client gets with
    /// `initialize`.
    fn instructions(&self) -> &'static str;

    /// Answers a call. Errors are results that say what to do next.
    fn call<'a>(&'a self, arguments: Map<String, Value>, call: ToolCall<'a>) -> PendingResult<'a>;
}

/// The circumstances of a call.
#[derive(Clone, Copy)]
pub(crate) struct ToolCall<'a> {
    /// The source of answers.
    pub(crate) source: &'a AnswerSource,
    /// The protocol's context: cancellation, progress.
    pub(crate) context: &'a RequestContext<RoleServer>,
}

impl<'a> ToolCall<'a> {
    /// Returns the client's session.
    ///
    /// # Errors
    /// There is no server.
    pub(crate) fn session(&self) -> Result<&'a Session, ApiError> {
        self.source.session()
    }
}

/// Returns the tool with a name.
pub(crate) fn tool(name: &str) -> Option<&'static dyn AgentTool> {
    TOOLS.iter().copied().find(|tool| tool.name() == name)
}

/// Returns the instructions that a client gets with `initialize`.
pub(crate) fn instructions() -> String {
    let of_tools: Vec<&str> = TOOLS.iter().map(|tool| tool.instructions()).collect();
    of_tools.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tools_entry_has_its_name_and_no_two_share_one() {
        let mut names: Vec<&str> = TOOLS.iter().map(|tool| tool.name()).collect();
        for tool in TOOLS {
            assert_eq!(tool.entry().name, tool.name());
        }
        names.sort_unstable();
        assert!(names.is_sorted_by(|one, other| one < other), "{names:?}");
    }

    #[test]
    fn the_instructions_are_short() {
        let characters = instructions().chars().count();
        assert!(characters < 600, "{characters} characters");
    }
}
