//! The tools of agents: a file for each, and the list of them.
//!
//! To add a tool, write a file with a type that implements [`AgentTool`], and add its `mod` line and
//! its entry in [`TOOLS`] here. The handshake's instructions, `tools/list` and `tools/call` follow.

mod analysis;
mod graph;
mod result;
mod schema;
mod tokens;
mod tool;

pub use tokens::count as count_tokens;
pub(crate) use tool::{AgentTool, ToolCall};

/// The tools, in the order of `tools/list`.
pub(crate) const TOOLS: &[&dyn AgentTool] = &[&graph::GraphTool, &analysis::AnalysisTool];

/// Returns the tool with a name.
pub(crate) fn tool(name: &str) -> Option<&'static dyn AgentTool> {
    TOOLS.iter().copied().find(|tool| tool.name() == name)
}

/// Returns the instructions that a client gets with `initialize`.
pub(crate) fn instructions() -> String {
    let of_tools: Vec<&str> = TOOLS.iter().map(|tool| tool.instructions()).collect();
    of_tools.concat()
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
