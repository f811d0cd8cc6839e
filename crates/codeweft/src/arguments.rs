//! The command line.

use std::path::PathBuf;
use std::time::Duration;

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
    /// Look for what is wrong, and say how to mend it
    Doctor(Doctor),
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
    /// Answer from the files on disk, in this process; without it a running server is asked, which
    /// knows what editors have not saved
    #[arg(long)]
    pub disk: bool,
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

/// `codeweft serve`.
#[derive(Debug, Args)]
#[command(
    after_help = "Editors and agents start the server themselves, through `codeweft lsp` and
`codeweft mcp`. It is found by .codeweft/server.json in the workspace, and ends by itself.

Exit codes: 0 done, 1 no server runs (--stop, --status), 2 wrong use (also: one runs already),
3 something broke inside."
)]
pub struct Serve {
    /// Start it in the background, and return once it listens
    #[arg(long, conflicts_with_all = ["stop", "status"])]
    pub detach: bool,
    /// End the server that runs for this workspace
    #[arg(long, conflicts_with = "status")]
    pub stop: bool,
    /// Say whether a server runs for this workspace, and who is connected
    #[arg(long)]
    pub status: bool,
    /// How long it stays when nobody is connected: 500ms, 30s, 10m, 2h
    #[arg(long, value_name = "D", value_parser = duration, default_value = "10m")]
    pub idle_exit: Duration,
    /// Print the status as one line of JSON
    #[arg(long, requires = "status")]
    pub json: bool,
    /// Which workspace.
    #[command(flatten)]
    pub root: Root,
    /// How much is said.
    #[command(flatten)]
    pub quiet: Quiet,
    /// The server that `--detach` starts: a session of its own, standard output tells when it
    /// listens.
    #[arg(long, hide = true, conflicts_with_all = ["detach", "stop", "status"])]
    pub detached: bool,
}

/// `codeweft lsp`.
#[derive(Debug, Args)]
#[command(
    after_help = "An editor starts this itself. It finds the workspace's server or starts one, so
that editors and agents share one database."
)]
pub struct Lsp {
    /// Serve from this process alone; no server is looked for or started
    #[arg(long)]
    pub standalone: bool,
    /// Which workspace; without it the editor names its folder.
    #[command(flatten)]
    pub root: Root,
    /// Taken for the sake of editors that always pass it; there is no other way
    #[arg(long, hide = true)]
    pub stdio: bool,
}

/// `codeweft mcp`.
#[derive(Debug, Args)]
#[command(
    after_help = "An agent's client starts this itself; its configuration names the command
(`codeweft mcp-config` writes it):
  {\"command\": \"codeweft\", \"args\": [\"mcp\", \"--root\", \"/path/to/project\"]}

It finds the workspace's server or starts one, so that editors and agents share one database."
)]
pub struct Mcp {
    /// Serve from this process alone; no server is looked for or started
    #[arg(long)]
    pub standalone: bool,
    /// Which workspace.
    #[command(flatten)]
    pub root: Root,
}

/// `codeweft mcp-config`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  codeweft mcp-config --client claude-code --write
  codeweft mcp-config --client codex

Files: claude-code .mcp.json, cursor .cursor/mcp.json and vscode .vscode/mcp.json in the workspace;
zed settings.json, codex config.toml and windsurf mcp_config.json of the user. What stands in a
file stays; one that cannot be read is left alone.

Exit codes: 0 done, 2 wrong use (also: the file cannot be read), 3 it could not be written.")]
pub struct McpConfig {
    /// Whose configuration
    #[arg(long, value_enum)]
    pub client: Client,
    /// Merge it into the client's file
    #[arg(long)]
    pub write: bool,
    /// Which workspace.
    #[command(flatten)]
    pub root: Root,
    /// How much is said.
    #[command(flatten)]
    pub quiet: Quiet,
}

/// Clients that read a configuration of MCP servers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Client {
    /// Claude Code
    ClaudeCode,
    /// Cursor
    Cursor,
    /// Visual Studio Code
    Vscode,
    /// Zed
    Zed,
    /// Codex
    Codex,
    /// Windsurf
    Windsurf,
}

/// `codeweft stats`.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 printed, 1 no server runs, 2 wrong use.")]
pub struct Stats {
    /// Print the figures as one line of JSON; what is not built yet is null
    #[arg(long)]
    pub json: bool,
    /// Which workspace.
    #[command(flatten)]
    pub root: Root,
    /// How much is said.
    #[command(flatten)]
    pub quiet: Quiet,
}

/// `codeweft doctor`.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 nothing is wrong, 1 something is, 2 wrong use (also: no root)."
)]
pub struct Doctor {
    /// Print the findings as one line of JSON
    #[arg(long)]
    pub json: bool,
    /// Which workspace.
    #[command(flatten)]
    pub root: Root,
    /// How much is said.
    #[command(flatten)]
    pub quiet: Quiet,
}

/// A time as people write it: a whole number and `ms`, `s`, `m` or `h`.
fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let wrong = || "a time is a whole number with ms, s, m or h behind it".to_owned();
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let milliseconds = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err(wrong()),
    };
    let milliseconds = number.checked_mul(milliseconds);
    // A year is as good as for ever, and no clock runs over.
    let year = 365 * 24 * 3_600_000;
    let milliseconds = milliseconds.filter(|time| *time <= year);
    milliseconds
        .map(Duration::from_millis)
        .ok_or_else(|| "the time is longer than a year".to_owned())
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
    fn a_time_has_a_unit() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("10m"), Ok(Duration::from_secs(600)));
        for wrong in ["", "10", "m", "-1s", "1.5h", "10 m", "99999999999h"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
