//! The protocol's requests, one handler each. What it says before a tool is called depends on
//! the build alone, so that it says the same with a Host and without.

use std::sync::{Arc, OnceLock};

use codeweft_ide::api::{ApiError, ErrorType, GraphResponse, parse_request};
use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;

use crate::INSTRUCTIONS;
use crate::schema::{TOOL, tool};
use crate::session::Session;
use crate::text;

/// What a question comes to.
pub(crate) type Answer = Result<GraphResponse, ApiError>;

/// Where answers come from.
pub(crate) enum AnswerSource {
    /// A Host.
    Host(Session),
    /// Nowhere: why, once that is known.
    Nowhere(Arc<OnceLock<ApiError>>),
}

/// One client's session.
pub(crate) struct Handler(pub(crate) AnswerSource);

impl Handler {
    async fn answer(
        &self,
        arguments: Option<serde_json::Map<String, Value>>,
        context: &RequestContext<RoleServer>,
    ) -> Answer {
        let session = match &self.0 {
            AnswerSource::Host(session) => session,
            AnswerSource::Nowhere(why) => {
                return Err(why.get().cloned().unwrap_or_else(|| {
                    ApiError::new(
                        ErrorType::IndexUnavailable,
                        "there is no connection to the database of this workspace",
                        "ask again",
                    )
                }));
            }
        };
        let request = parse_request(Value::Object(arguments.unwrap_or_default()))?;
        session.ask(request, context).await
    }
}

/// An answer as a result of the tool: compact text for the model, the whole for programs.
fn result(answer: &Answer) -> CallToolResult {
    let (mut result, structured) = match answer {
        Ok(response) => (
            CallToolResult::success(vec![ContentBlock::text(text::answer(response))]),
            serde_json::to_value(response),
        ),
        Err(error) => (
            CallToolResult::error(vec![ContentBlock::text(text::error(error))]),
            serde_json::to_value(error),
        ),
    };
    result.structured_content = structured.ok();
    result
}

impl rmcp::ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("codeweft", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(vec![tool()]))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        (name == TOOL).then(tool)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name != TOOL {
            return Err(ErrorData::invalid_params(
                format!("unknown tool: {}", request.name),
                None,
            ));
        }
        let answer = self.answer(request.arguments, &context).await;
        Ok(result(&answer).into())
    }
}
