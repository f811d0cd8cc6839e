//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::fields::Fields;

/// Asks a workspace's code: who calls this, what implements it, what does a change reach.
///
/// Answers come from the sources as they stand; nothing is built, run or sent anywhere. Go is
/// resolved as its compiler does, Python as far as its text tells, and what is not known is
/// counted. No toolchain and no interpreter is run, but the sources of their libraries are read
/// where there are some.
#[derive(Debug, Parser)]
#[command(name = "codeweft", version, propagate_version = true)]
#[command(
    after_help = "Exit codes: 0 found, 1 nothing found, 2 wrong use, 3 something broke inside."
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
    /// Read and resolve everything, and say what was found, what was not read, and how long it took
    Index(Index),
    /// Write the whole graph to a file or to standard output
    Export(Export),
    /// Serve the workspace to a coding agent over standard input and output (MCP)
    Mcp(Mcp),
}

/// Which workspace.
#[derive(Debug, Args)]
pub struct Root {
    /// The workspace's folder. Without it: the nearest folder above with codeweft.toml, else .git,
    /// else go.work, go.mod or pyproject.toml, else the working folder
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
}

/// How much is said.
#[derive(Debug, Args)]
pub struct Quiet {
    /// No progress and no notes on standard error; errors are still said
    #[arg(short, long)]
    pub quiet: bool,
}

/// `codeweft query`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  codeweft query callers Server.Serve
  codeweft query implementations io.Reader --scope internal/
  codeweft query callees cmd/tool/main.go:42 --depth 2
  codeweft query path main.main --to internal/store.DB.Close

The last line of an answer says how complete it is: which sites could not be resolved and might
belong to it.

Exit codes: 0 found, 1 nothing found (also: no such target), 2 wrong use (also: several targets
fit, a value out of bounds), 3 something broke inside.")]
pub struct Query {
    /// The request.
    #[command(flatten)]
    pub fields: Fields,
    /// Print the answer as one line of JSON; of an error too
    #[arg(long)]
    pub json: bool,
    /// Which workspace.
    #[command(flatten)]
    pub root: Root,
    /// How much is said.
    #[command(flatten)]
    pub quiet: Quiet,
}

/// `codeweft index`.
#[derive(Debug, Args)]
pub struct Index {
    /// Print the counts as one line of JSON
    #[arg(long)]
    pub json: bool,
    /// Which workspace.
    #[command(flatten)]
    pub root: Root,
    /// How much is said.
    #[command(flatten)]
    pub quiet: Quiet,
}

/// `codeweft export`.
#[derive(Debug, Args)]
pub struct Export {
    /// The form of the file
    #[arg(long, value_enum, default_value_t = Format::Json)]
    pub format: Format,
    /// The file to write, or - for standard output. A file that is there is replaced once the new
    /// one is whole
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Which edges
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "calls,implements,embeds,imports"
    )]
    pub edges: Vec<EdgeKind>,
    /// Which workspace.
    #[command(flatten)]
    pub root: Root,
    /// How much is said.
    #[command(flatten)]
    pub quiet: Quiet,
}

/// The forms of an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// One object: _metadata, nodes and edges, one a line
    Json,
}

/// The edges of an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EdgeKind {
    /// Calls, exact ones and what an interface call may run
    Calls,
    /// Types to interfaces, methods to interface methods
    Implements,
    /// Types to what they embed
    Embeds,
    /// Packages to packages
    Imports,
    /// Every other use
    References,
}

/// `codeweft mcp`.
#[derive(Debug, Args)]
#[command(
    after_help = "An agent's client starts this itself; its configuration names the command:
  {\"command\": \"codeweft\", \"args\": [\"mcp\", \"--root\", \"/path/to/project\"]}"
)]
pub struct Mcp {
    /// Which workspace.
    #[command(flatten)]
    pub root: Root,
}
