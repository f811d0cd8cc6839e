//! The request handlers of the protocol. Everything before a tool call depends on the build alone,
//! so that it is answered the same with a host and without.

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};

use crate::session::AnswerSource;
use crate::tools::{TOOLS, ToolCall, instructions, tool};

/// The handler of one client's session.
pub(crate) struct Handler(pub(crate) AnswerSource);

impl rmcp::ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("codeweft", env!("CARGO_PKG_VERSION")))
            .with_instructions(instructions())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let entries = TOOLS.iter().map(|tool| tool.entry());
        Ok(ListToolsResult::with_all_items(entries.collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tool(name).map(|tool| tool.entry())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tool(&request.name) else {
            return Err(ErrorData::invalid_params(
                format!("unknown tool: {}", request.name),
                None,
            ));
        };
        let call = ToolCall {
            source: &self.0,
            context: &context,
        };
        let arguments = request.arguments.unwrap_or_default();
        Ok(tool.call(arguments, call).await.into())
    }
}
