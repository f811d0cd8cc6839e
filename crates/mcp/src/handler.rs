//! The request handlers of the protocol. Everything before a tool call depends on the build alone,
//! so that it is answered the same with a host and without; but once a workspace has services or contracts, a host lists
//! tools for them too, and says so (`notifications/tools/list_changed`).

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult,
    GetPromptRequestParams, GetPromptResponse, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
    SubscriptionFilter, Tool,
};
use rmcp::service::{RequestContext, RoleServer, SubscriptionContext};

use crate::session::AnswerSource;
use crate::tools::{ToolCall, instructions, tool};
use crate::{completions, prompts, resources};

/// The handler of one client's session.
pub(crate) struct Handler(pub(crate) AnswerSource);

impl rmcp::ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(capabilities())
            .with_server_info(Implementation::new("codeweft", env!("CARGO_PKG_VERSION")))
            .with_instructions(instructions())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.0.listed()))
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let mut accepted = SubscriptionFilter::default();
        accepted.tools_list_changed = requested.tools_list_changed;
        Some(accepted)
    }

    /// Notifies a client of the newest protocol of other tools, until it cancels.
    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let AnswerSource::Host(session) = &self.0 else {
            context.cancelled().await;
            return Ok(());
        };
        let mut offers = session.offers_knowledge();
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                changed = offers.changed() => {
                    let is_over = changed.is_err();
                    if is_over || context.sink().notify_tool_list_changed().await.is_err() {
                        return Ok(());
                    }
                }
            }
        }
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
        let arguments = request.arguments.unwrap_or_default();
        Ok(tool.call(arguments, self.call(&context)).await.into())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::listed()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let prompt = prompts::get(&request.name, arguments, self.call(&context)).await?;
        Ok(prompt.into())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::listed()))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let templates = resources::templates();
        Ok(ListResourceTemplatesResult::with_all_items(templates))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let resource = resources::read(request.uri, self.call(&context)).await?;
        Ok(resource.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let values = completions::complete(&request, self.call(&context)).await;
        // A client shows no errors while somebody types.
        Ok(CompleteResult::new(values.unwrap_or_default()))
    }
}

impl Handler {
    fn call<'a>(&'a self, context: &'a RequestContext<RoleServer>) -> ToolCall<'a> {
        ToolCall {
            source: &self.0,
            context,
        }
    }
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities::builder()
        .enable_tools()
        .enable_tool_list_changed()
        .enable_prompts()
        .enable_resources()
        .enable_completions()
        .build()
}
