//! A call of a tool that resources and prompts are made of: what they say is what the tools answer.

use rmcp::model::ContentBlock;
use serde_json::{Map, Value};

use crate::tools::{ToolCall, tool};

/// A call of a tool, by name.
pub(crate) struct Question {
    /// The tool's name on the wire.
    pub(crate) tool: &'static str,
    /// The call's arguments.
    pub(crate) arguments: Map<String, Value>,
}

impl Question {
    /// Returns a call of a tool; arguments that are no object are none.
    pub(crate) fn new(tool: &'static str, arguments: Value) -> Question {
        let arguments = match arguments {
            Value::Object(arguments) => arguments,
            _ => Map::new(),
        };
        Question { tool, arguments }
    }

    /// Returns the text that the tool answers.
    ///
    /// # Errors
    /// The text of the tool's error, which says what to do.
    pub(crate) async fn answer(self, call: ToolCall<'_>) -> Result<String, String> {
        let Some(tool) = tool(self.tool) else {
            return Err(format!("unknown tool: {}", self.tool));
        };
        let result = tool.call(self.arguments, call).await;
        let texts = result.content.iter().filter_map(ContentBlock::as_text);
        let texts: Vec<&str> = texts.map(|text| text.text.as_str()).collect();
        let text = texts.join("\n");
        match result.is_error {
            Some(true) => Err(text),
            _ => Ok(text),
        }
    }
}
