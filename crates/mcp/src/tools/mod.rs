//! The tools of agents: a file for each, and the list of them.
//!
//! To add a tool, write a file with a type that implements [`AgentTool`], and add its `mod` line and
//! its entry in [`TOOLS`] here. The handshake's instructions, `tools/list` and `tools/call` follow.

mod analysis;
mod bundle;
mod choice;
mod cut;
mod graph;
mod knowledge;
mod result;
mod schema;
mod tokens;
mod tool;

pub use choice::ToolChoice;
pub(crate) use tool::{AgentTool, ToolCall};

/// The tools that every workspace has, in the order of `tools/list`.
pub(crate) const TOOLS: &[&dyn AgentTool] = &[
    &graph::GraphTool,
    &analysis::AnalysisTool,
    &bundle::BundleTool,
];

/// Returns the tools that are offered, in the order of `tools/list`: those of knowledge only where the workspace has services
/// or contracts.
pub(crate) fn offered(has_knowledge: bool) -> impl Iterator<Item = &'static dyn AgentTool> {
    let of_knowledge = knowledge::TOOLS.iter().filter(move |_| has_knowledge);
    let of_knowledge = of_knowledge.map(|tool| -> &'static dyn AgentTool { tool });
    TOOLS.iter().copied().chain(of_knowledge)
}

/// Returns the tool with a name, offered or not: an agent may know it from before.
pub(crate) fn tool(name: &str) -> Option<&'static dyn AgentTool> {
    offered(true).find(|tool| tool.name() == name)
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
        let mut names: Vec<&str> = offered(true).map(|tool| tool.name()).collect();
        assert_eq!(names.len(), 10);
        for tool in offered(true) {
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
