//! The command line: its commands.

use clap::{Parser, Subcommand};

use crate::arguments::{
    Analyze, Doctor, Export, Impact, Index, Init, Lsp, Map, Mcp, McpConfig, Query, Serve, Stats,
    Validate,
};
use crate::bundle::Bundle;
use crate::eval::Eval;
use crate::knowledge::Knowledge;
use crate::model::Model;
use crate::sql::Sql;

/// Asks a workspace's code: who calls this, what implements it, what does a change reach.
///
/// Answers come from the sources as they stand; nothing is built, run or sent anywhere. Go is
/// resolved as its compiler does, Python as far as its text tells, and what is not known is
/// counted. No toolchain and no interpreter is run, but the sources of their libraries are read
/// where there are some.
#[derive(Debug, Parser)]
#[command(name = "codeweft", version, propagate_version = true)]
#[command(
    after_help = "Exit codes: 0 found, 1 nothing found, 2 wrong use, 3 something broke inside, 4 a
--fail-under was missed."
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Ask one question and print its answer
    Query(Query),
    /// Say what a change reaches: of a symbol, of the working tree against git, of a patch
    Impact(Impact),
    /// Look at the whole workspace: what is used most, what is unused, which imports which
    Analyze(Analyze),
    /// Draw the workspace as a page and open it in the browser
    Map(Map),
    /// Take a first look at a workspace: what is in it, a first index, and what to do next
    Init(Init),
    /// Read and resolve everything, and say what was found, what was not read, and how long it took
    Index(Index),
    /// Write the whole graph to a file or to standard output
    Export(Export),
    /// Run an SQL statement that reads on a file of export --format sqlite
    Sql(Sql),
    /// Ask about services: contracts, endpoints with their handlers, events, calls between them
    Knowledge(Knowledge),
    /// Find the files and declarations that a text is about: an issue, a task, an error, a symbol
    Bundle(Bundle),
    /// Add a model of what declarations mean, for bundles; none is needed
    Model(Model),
    /// Keep the workspace's database live for editors, agents and the command line
    Serve(Serve),
    /// Serve an editor over standard input and output (LSP)
    Lsp(Lsp),
    /// Serve a coding agent over standard input and output (MCP)
    Mcp(Mcp),
    /// Print, or merge into its file, what an agent's client needs to start Codeweft
    McpConfig(McpConfig),
    /// Print the figures of the running server
    Stats(Stats),
    /// Compare the graph with what the compiler's own type checker says
    Validate(Validate),
    /// Score what retrieval finds for tasks whose right answer is known
    Eval(Eval),
    /// Look for what is wrong, and say how to mend it
    Doctor(Doctor),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_arguments_do_not_contradict_each_other() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn flags_of_a_build_come_back_as_arguments() {
        let line = ["codeweft", "index", "--goos", "js", "--tags=a,b", "--cgo"];
        let arguments = Arguments::try_parse_from(line).expect("right");
        let Command::Index(index) = arguments.command else {
            panic!("another command");
        };
        let again = index.workspace.build.arguments();
        assert_eq!(again, ["--cgo=true", "--goos=js", "--tags=a,b"]);
    }
}
