//! The interface of a tool.

use std::pin::Pin;

use codeweft_ide::api::ApiError;
use rmcp::model::{CallToolResult, Tool};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Map, Value};

use crate::session::{AnswerSource, Session};

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

/// The key of `_meta` with which a program requests the whole answer.
const WHOLE: &str = "codeweft/whole";

impl<'a> ToolCall<'a> {
    /// Returns whether the client is a program that requests the whole answer, of any size.
    pub(crate) fn is_for_whole(&self) -> bool {
        self.context.meta.get(WHOLE) == Some(&Value::Bool(true))
    }

    /// Returns the client's session.
    ///
    /// # Errors
    /// There is no server.
    pub(crate) fn session(&self) -> Result<&'a Session, ApiError> {
        self.source.session()
    }
}
