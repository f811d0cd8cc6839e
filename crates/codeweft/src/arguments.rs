//! The flags of the commands.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use codeweft_ide::api::{AnalysisOperation, Operation};
use codeweft_mcp::ToolChoice;
use codeweft_store::{EdgeType, ExportFormat, FORMATS, format_named};

use crate::fields::Fields;
use crate::sql_query::FromFile;

/// Which workspace.
#[derive(Debug, Args)]
pub struct Root {
    /// The workspace's folder. Without it: the nearest folder above with codeweft.toml, else .git,
    /// else go.work, go.mod or pyproject.toml, else the working folder
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
}

/// For which build Go's files are chosen.
#[derive(Clone, Debug, Default, Args)]
pub struct Build {
    /// Go's operating system: linux, windows, darwin, js, … Without it: `[go] goos` in
    /// codeweft.toml, else GOOS, else this machine's
    #[arg(long, value_name = "OS")]
    pub goos: Option<String>,
    /// Go's architecture: amd64, arm64, wasm, … Without it: `[go] goarch` in codeweft.toml, else
    /// GOARCH, else this machine's
    #[arg(long, value_name = "ARCH")]
    pub goarch: Option<String>,
    /// Go's build tags, by commas. Without it: `[go] tags` in codeweft.toml, else -tags in GOFLAGS
    #[arg(long, value_name = "TAGS")]
    pub tags: Option<String>,
    /// Whether Go files that import "C" are built. Without it: `[go] cgo` in codeweft.toml, else not
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    pub cgo: Option<bool>,
}

impl Build {
    /// Returns the flags that were given, as settings by name.
    pub fn settings(&self) -> BTreeMap<String, String> {
        let cgo = self.cgo.map(|cgo| cgo.to_string());
        let given = [
            ("goos", &self.goos),
            ("goarch", &self.goarch),
            ("tags", &self.tags),
            ("cgo", &cgo),
        ];
        let given = given.into_iter();
        given
            .filter_map(|(key, value)| Some((key.to_owned(), value.clone()?)))
            .collect()
    }

    /// Returns the same flags as command line arguments.
    pub fn arguments(&self) -> Vec<String> {
        let settings = self.settings().into_iter();
        settings
            .map(|(key, value)| format!("--{key}={value}"))
            .collect()
    }
}

/// Which workspace, and for which build.
#[derive(Debug, Args)]
pub struct Workspace {
    /// Which workspace.
    #[command(flatten)]
    pub root: Root,
    /// For which build.
    #[command(flatten)]
    pub build: Build,
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
  codeweft query search store.open --within workspace
  codeweft query outline internal/store/db.go
  codeweft query callers Server.Serve --db graph.db

The last line of an answer says how complete it is: which sites could not be resolved and might
belong to it.

Exit codes: 0 found, 1 nothing found (also: no such target), 2 wrong use (also: several targets
fit, a value out of bounds), 3 something broke inside.")]
pub struct Query {
    /// The request.
    #[command(flatten)]
    pub fields: Fields<Operation>,
    /// How it is answered.
    #[command(flatten)]
    pub answer: Answer,
    /// What answers.
    #[command(flatten)]
    pub file: FromFile,
}

/// How a request is answered.
#[derive(Debug, Args)]
pub struct Answer {
    /// Print the answer as one line of JSON; of an error too. The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// How the answer is printed: a table, JSON, or a picture. An html page is one file that loads
    /// nothing
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "table")]
    format: Format,
    /// Which database.
    #[command(flatten)]
    pub access: Access,
}

/// Which database is asked.
#[derive(Debug, Args)]
pub struct Access {
    /// Answer from the files on disk, in this process; without it a running server is asked, which
    /// knows what editors have not saved
    #[arg(long)]
    pub disk: bool,
    /// Which workspace.
    #[command(flatten)]
    pub workspace: Workspace,
    /// How much is said.
    #[command(flatten)]
    pub quiet: Quiet,
}

/// `codeweft map`.
#[derive(Debug, Args)]
#[command(
    after_help = "The page has the packages by size, their imports, the most called and most used symbols, what is
believed unused, and cycles of imports. It is one file that loads nothing: it can be kept or sent.

Exit codes: 0 written, 1 there is no package, 2 wrong use, 3 it could not be written."
)]
pub struct Map {
    /// Where the page is written; without it a new file in the folder for temporary files
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Do not open it in the browser
    #[arg(long)]
    pub no_open: bool,
    /// Which database.
    #[command(flatten)]
    pub access: Access,
}

impl Answer {
    /// Returns how the answer is printed.
    pub fn format(&self) -> Format {
        if self.json { Format::JSON } else { self.format }
    }
}

/// How an answer is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    Table,
    #[expect(
        clippy::upper_case_acronyms,
        reason = "its value is the name in small letters"
    )]
    JSON,
    Mermaid,
    #[value(name = "dot")]
    Graphviz,
    Svg,
    Html,
}

/// `codeweft impact`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  codeweft impact --diff                  the files as they are, against HEAD
  codeweft impact --diff main...HEAD      what a branch changes, since it left main
  codeweft impact --diff v1.2..v1.3
  git diff other | codeweft impact --patch -
  codeweft impact store.Open              what a change of one symbol would reach

Of a change it says which symbols differ, which tests can see it, which edges come and go, and what
the symbols reach. Nothing is checked out and nothing is written.

Exit codes: 0 found, 1 nothing found (also: nothing differs), 2 wrong use (also: no such revision, a
patch that does not apply), 3 something broke inside.")]
pub struct Impact {
    /// The symbol, as codeweft query takes it
    #[arg(
        value_name = "TARGET",
        required_unless_present_any = ["diff", "patch"],
        conflicts_with_all = ["diff", "patch"]
    )]
    pub target: Option<String>,
    /// The change: a git revision that the files as they are, unsaved ones too, are compared with; or
    /// two with .. between them, or ... for the point where they parted [without a value: HEAD]
    #[arg(long, value_name = "REVISION", num_args = 0..=1, default_missing_value = "HEAD")]
    pub diff: Option<String>,
    /// The change: a patch in a file, or - for standard input, applied to the files as they are
    #[arg(long, value_name = "FILE", conflicts_with = "diff")]
    pub patch: Option<PathBuf>,
    /// Steps to callers of callers [1 to 10; default 3]
    #[arg(long, value_name = "N")]
    pub depth: Option<i64>,
    /// The number of results, tests and edges listed [1 to 500; default 100]
    #[arg(long, value_name = "N")]
    pub max_results: Option<i64>,
    /// Lists only results in these files: path, LIKE with %, glob
    #[arg(long, value_name = "TEXT")]
    pub scope: Option<String>,
    /// How it is answered.
    #[command(flatten)]
    pub answer: Answer,
}

/// `codeweft analyze`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  codeweft analyze summary
  codeweft analyze symbols --path-prefix internal/ --kinds function,method --ref-count-max 1
  codeweft analyze package_summary internal/store
  codeweft analyze hotspots --top-n 20

Libraries are not listed: every analysis is of the workspace's own files, and uses are counted there.

Exit codes: 0 found, 1 nothing found (also: no such target), 2 wrong use (also: a field that the
operation does not take, a value out of bounds), 3 something broke inside.")]
pub struct Analyze {
    /// The request.
    #[command(flatten)]
    pub fields: Fields<AnalysisOperation>,
    /// How it is answered.
    #[command(flatten)]
    pub answer: Answer,
}

/// `codeweft index`.
#[derive(Debug, Args)]
pub struct Index {
    /// Follow values through calls too, as the first question about calls of function values would: the
    /// times include it then
    #[arg(long)]
    pub values: bool,
    /// Print the counts as one line of JSON
    #[arg(long)]
    pub json: bool,
    /// Which workspace.
    #[command(flatten)]
    pub workspace: Workspace,
    /// How much is said.
    #[command(flatten)]
    pub quiet: Quiet,
}

/// `codeweft init`.
#[derive(Debug, Args)]
#[command(
    after_help = "It finds the workspace's folder, says how much code is in it and what reading it takes, indexes
it once, and prints the next step. Nothing else has to be set up: every command works without it.

Exit codes: 0 done, 1 there is no source file, 2 wrong use (also: codeweft.toml is wrong),
3 codeweft.toml could not be written."
)]
pub struct Init {
    /// Write a codeweft.toml with every key, each behind #; one that is there stays as it is
    #[arg(long)]
    pub write: bool,
    /// Print the result as one line of JSON
    #[arg(long)]
    pub json: bool,
    /// Which workspace.
    #[command(flatten)]
    pub workspace: Workspace,
    /// How much is said.
    #[command(flatten)]
    pub quiet: Quiet,
}

/// `codeweft export`.
#[derive(Debug, Args)]
pub struct Export {
    /// The form of the file
    #[arg(long, value_parser = formats(), default_value = FORMATS[0].name)]
    pub format: ExportFormat,
    /// The file to write, or - for standard output; with the format parquet a folder. A file or an
    /// older export that is there is replaced once the new one is whole
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// The version of the workspace's own packages in scip and parquet. Without it: the tag of git's
    /// HEAD, else its commit, else none
    #[arg(long, value_name = "VERSION")]
    pub package_version: Option<String>,
    /// Which edges [default: all; with the format json all but references]
    #[arg(
        long,
        value_parser = edge_types(),
        value_delimiter = ','
    )]
    pub edges: Vec<EdgeType>,
    /// Which workspace.
    #[command(flatten)]
    pub workspace: Workspace,
    /// How much is said.
    #[command(flatten)]
    pub quiet: Quiet,
}

/// Returns the parser of `--format`.
fn formats() -> impl TypedValueParser<Value = ExportFormat> {
    let values = FORMATS.iter();
    let values = values.map(|format| PossibleValue::new(format.name).help(format.about));
    PossibleValuesParser::new(values)
        .try_map(|name| format_named(&name).ok_or("there is no such format"))
}

/// The edges of an export, with their descriptions.
const EDGES: [(EdgeType, &str); EdgeType::ALL.len()] = [
    (
        EdgeType::Calls,
        "Calls, exact ones and what an interface call may run",
    ),
    (
        EdgeType::Implements,
        "Types to interfaces, methods to interface methods",
    ),
    (EdgeType::Embeds, "Types to what they embed"),
    (EdgeType::Imports, "Packages to packages"),
    (EdgeType::References, "Every other use"),
];

/// Returns the parser of `--edges`.
fn edge_types() -> impl TypedValueParser<Value = EdgeType> {
    let values = EDGES.iter();
    let values = values.map(|(edge, words)| PossibleValue::new(edge.wire_name()).help(words));
    PossibleValuesParser::new(values).try_map(|name| {
        let mut edges = EdgeType::ALL.into_iter();
        let named = edges.find(|edge| edge.wire_name() == name);
        named.ok_or("there are no such edges")
    })
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
    /// How long it stays when nobody is connected: 500ms, 30s, 10m, 2h. Without it: `[serve]
    /// idle_exit` in codeweft.toml, else 10m
    #[arg(long, value_name = "D", value_parser = codeweft_workspace::settings::duration)]
    pub idle_exit: Option<Duration>,
    /// Whether it keeps the graph in a file that other programs read while it runs. Without it: `[store]
    /// enabled` in codeweft.toml, else it does
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    pub store: Option<bool>,
    /// Print the status as one line of JSON
    #[arg(long, requires = "status")]
    pub json: bool,
    /// Which workspace.
    #[command(flatten)]
    pub workspace: Workspace,
    /// How much is said.
    #[command(flatten)]
    pub quiet: Quiet,
    /// The server that `--detach` starts: a session of its own, standard output says when it
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
    pub workspace: Workspace,
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
    /// The tools that are listed: core, all, or names with commas between them; without it those of services and contracts
    /// are listed once the workspace has some
    #[arg(long, value_name = "TOOLS", value_parser = ToolChoice::parse, default_value = "", hide_default_value = true)]
    pub tools: ToolChoice,
    /// Which workspace.
    #[command(flatten)]
    pub workspace: Workspace,
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
    /// Print when the server walked, read, lowered and laid out the workspace, when it answered its
    /// first requests and when it had read ahead, with bars
    #[arg(long)]
    pub timeline: bool,
    /// Which workspace.
    #[command(flatten)]
    pub workspace: Workspace,
    /// How much is said.
    #[command(flatten)]
    pub quiet: Quiet,
}

/// `codeweft validate`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  codeweft validate --deep
  codeweft validate --deep --tests --fail-under 0.99 ./internal/...

The judge is Go's own type checker: a small program that this one carries is built and run with the
`go` on PATH (1.23 or newer), without a network; it writes nothing below the workspace. Every go.mod
below the root is judged. What is compared, pair by pair: static calls and calls through interfaces
to the declared method, which types implement which interfaces, imports, references.

Exit codes: 0 compared, 1 nothing to compare, 2 wrong use (also: no `go`), 3 something broke inside,
4 the accuracy is below --fail-under.")]
pub struct Validate {
    /// Compare all that the compiler knows; there is no other validation
    #[arg(long)]
    pub deep: bool,
    /// Print the result as one line of JSON
    #[arg(long)]
    pub json: bool,
    /// Exit with 4 where the accuracy is less: 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub fail_under: Option<f64>,
    /// Judge test files too
    #[arg(long)]
    pub tests: bool,
    /// Which packages, as `go list` takes them, from the root; all without one
    #[arg(value_name = "PATTERN")]
    pub patterns: Vec<String>,
    /// Which workspace.
    #[command(flatten)]
    pub workspace: Workspace,
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
    /// Read the whole store: every page, index, text and link between rows
    #[arg(long)]
    pub deep: bool,
    /// Which workspace.
    #[command(flatten)]
    pub root: Root,
    /// How much is said.
    #[command(flatten)]
    pub quiet: Quiet,
}

/// Parses a number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok();
    let share = share.filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share is a number from 0 to 1".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_between_zero_and_one() {
        assert_eq!(share("0.99"), Ok(0.99));
        for wrong in ["", "-0.1", "1.1", "NaN", "99%"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }
}
