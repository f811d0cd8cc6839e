//! Which tools a client wants listed.

use super::{AgentTool, TOOLS, offered};

/// Which tools a client wants listed (`--tools`).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum ToolChoice {
    /// Those that the workspace has something for.
    #[default]
    OfWorkspace,
    /// These, by name, whatever the workspace has.
    Only(Vec<&'static str>),
}

impl ToolChoice {
    /// Reads a choice: `core`, `all`, or names with commas between them; empty for those of the workspace.
    ///
    /// # Errors
    /// A name that no tool has, with those that there are.
    pub fn parse(words: &str) -> Result<ToolChoice, String> {
        let names = |tools: &mut dyn Iterator<Item = &'static dyn AgentTool>| {
            ToolChoice::Only(tools.map(|tool| tool.name()).collect())
        };
        match words {
            "" => Ok(ToolChoice::OfWorkspace),
            "core" => Ok(names(&mut TOOLS.iter().copied())),
            "all" => Ok(names(&mut offered(true))),
            words => {
                let wanted = words.split(',').map(str::trim);
                let wanted = wanted.map(|name| {
                    let tool = super::tool(name).map(|tool| tool.name());
                    tool.ok_or_else(|| {
                        let all: Vec<&str> = offered(true).map(|tool| tool.name()).collect();
                        format!(
                            "no tool `{name}`; use core, all, or names of {}",
                            all.join(", ")
                        )
                    })
                });
                wanted.collect::<Result<_, _>>().map(ToolChoice::Only)
            }
        }
    }

    /// Returns the tools that are listed, in their order.
    pub(crate) fn listed(
        &self,
        has_knowledge: bool,
    ) -> impl Iterator<Item = &'static dyn AgentTool> {
        let all = matches!(self, ToolChoice::Only(_));
        offered(all || has_knowledge).filter(|tool| match self {
            ToolChoice::OfWorkspace => true,
            ToolChoice::Only(names) => names.contains(&tool.name()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(choice: &ToolChoice, has_knowledge: bool) -> Vec<&'static str> {
        choice
            .listed(has_knowledge)
            .map(|tool| tool.name())
            .collect()
    }

    #[test]
    fn a_choice_is_core_all_or_names() {
        let parse = |words| ToolChoice::parse(words).expect(words);
        assert_eq!(
            listed(&parse("core"), true),
            ["cortex_graph", "cortex_analysis", "codegraph_query"]
        );
        assert_eq!(listed(&parse("all"), false).len(), 10);
        let two = parse("hybrid_search, cortex_graph");
        assert_eq!(listed(&two, false), ["cortex_graph", "hybrid_search"]);
        assert_eq!(listed(&ToolChoice::OfWorkspace, false).len(), 3);
        assert_eq!(listed(&ToolChoice::OfWorkspace, true).len(), 10);
        let error = ToolChoice::parse("cortex").expect_err("no such tool");
        assert!(error.starts_with("no tool `cortex`; use core, all, or names of cortex_graph"));
    }
}
