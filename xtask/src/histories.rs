//! The judges of the impact of a change: the scripts of `xtask/judges/impact` over histories of repositories.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::place;
use crate::product::Product;

/// What both judges take.
#[derive(clap::Args)]
pub struct Histories {
    /// A folder of clones with their histories; nothing is downloaded here, and nothing is written there
    #[arg(long)]
    repositories: PathBuf,
    /// A virtual environment with xtask/judges/impact/requirements.txt; without it, no tests of Python run
    #[arg(long)]
    environment: Option<PathBuf>,
    /// Only the repositories of these names
    #[arg(long, num_args = 1..)]
    only: Vec<String>,
    /// Only this commit
    #[arg(long)]
    commit: Option<String>,
    /// A file to which a line of JSON for each commit is appended
    #[arg(long)]
    out: Option<PathBuf>,
}

/// The judge of affected tests.
#[derive(clap::Args)]
pub struct Tests {
    #[command(flatten)]
    histories: Histories,
    /// How many commits of Go
    #[arg(long, default_value_t = 7)]
    go: usize,
    /// How many commits of Python
    #[arg(long, default_value_t = 13)]
    python: usize,
}

/// The judge of edges that come and go.
#[derive(clap::Args)]
pub struct Edges {
    #[command(flatten)]
    histories: Histories,
    /// How many commits
    #[arg(long, default_value_t = 20)]
    count: usize,
    /// How many differences of a commit to print
    #[arg(long, default_value_t = 10)]
    show: usize,
}

/// Runs the tests of commits and prints those that a change breaks and that are not listed for it. The exit code
/// is 4 if there are some.
pub fn judge_tests(wanted: &Tests) -> Result<ExitCode> {
    let mut command = command("impact.py", &wanted.histories)?;
    command.arg("--go").arg(wanted.go.to_string());
    command.arg("--python").arg(wanted.python.to_string());
    run(&mut command)
}

/// Compares the edges of changes with exports. The exit code is 4 if some differ.
pub fn judge_edges(wanted: &Edges) -> Result<ExitCode> {
    let mut command = command("edge_delta.py", &wanted.histories)?;
    command.arg("--count").arg(wanted.count.to_string());
    command.arg("--show").arg(wanted.show.to_string());
    run(&mut command)
}

fn command(script: &str, wanted: &Histories) -> Result<Command> {
    let work = place::work()?.join(Path::new(script).with_extension(""));
    let mut command = Command::new("python3");
    command
        .arg("-B")
        .arg(place::root().join("xtask/judges/impact").join(script))
        .arg("--codeweft")
        .arg(Product::build()?.binary())
        .arg("--repositories")
        .arg(&wanted.repositories)
        .arg("--work")
        .arg(work);
    let files = [
        ("--environment", &wanted.environment),
        ("--out", &wanted.out),
    ];
    for (flag, file) in files {
        if let Some(file) = file {
            command.arg(flag).arg(file);
        }
    }
    if let Some(commit) = &wanted.commit {
        command.arg("--commit").arg(commit);
    }
    if !wanted.only.is_empty() {
        command.arg("--only").args(&wanted.only);
    }
    Ok(command)
}

fn run(command: &mut Command) -> Result<ExitCode> {
    let status = command.status();
    let status = status.with_context(|| format!("cannot start {}", place::shown(command)))?;
    // 1 is a script that broke; one that was ended has no code.
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.filter(|&code| code != 1).unwrap_or(3)))
}
