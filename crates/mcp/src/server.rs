//! The protocol's requests, one handler each.

use std::time::Duration;

use codeweft_ide::api::{ApiError, ErrorType, parse_request};
use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer};
use serde_json::Value;

use crate::INSTRUCTIONS;
use crate::keeper::{Answer, Keeper};
use crate::patient::Calls;
use crate::schema::{TOOL, tool};
use crate::text;

/// How often a waiting client that asked for it is told how far loading is.
const TELL: Duration = Duration::from_millis(500);

/// One client's session.
pub(crate) struct Server {
    keeper: Keeper,
    calls: Calls,
}

impl Server {
    /// A session on the keeper's workspace, counting its calls in `calls`.
    pub(crate) fn new(keeper: Keeper, calls: Calls) -> Server {
        Server { keeper, calls }
    }

    async fn answer(
        &self,
        arguments: Option<serde_json::Map<String, Value>>,
        context: &RequestContext<RoleServer>,
    ) -> Answer {
        let request = parse_request(Value::Object(arguments.unwrap_or_default()))?;
        let mut receiver = self.keeper.ask(request);
        let token = context.meta.get_progress_token();
        let mut told = 0.0;
        loop {
            tokio::select! {
                answer = &mut receiver => {
                    return answer.unwrap_or_else(|_| Err(ApiError::new(
                        ErrorType::IndexUnavailable,
                        "the database has gone",
                        "start the server anew",
                    )));
                }
                () = context.ct.cancelled() => {
                    return Err(ApiError::new(
                        ErrorType::IndexUnavailable,
                        "the call was cancelled",
                        "ask again",
                    ));
                }
                () = tokio::time::sleep(TELL), if token.is_some() => {
                    let Some(token) = &token else { continue };
                    let (done, total) = self.keeper.progress().read();
                    // The value of a progress must grow, whatever the phases count.
                    told = f64::max(told + 1e-3, done as f64);
                    let progress = ProgressNotificationParam::new(token.clone(), told)
                        .with_message(format!("loading, {done} of {total} files"));
                    // A client that has gone needs no progress.
                    let _ = context.peer.notify_progress(progress).await;
                }
            }
        }
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

impl rmcp::ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("codeweft", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn on_initialized(&self, _context: NotificationContext<RoleServer>) {
        self.keeper.wake();
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
        let _call = self.calls.begin();
        let answer = self.answer(request.arguments, &context).await;
        Ok(result(&answer).into())
    }
}
