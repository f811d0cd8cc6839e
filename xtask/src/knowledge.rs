//! The judge of the knowledge graph: `xtask/judges/knowledge` over open projects.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::corpora;
use crate::place;
use crate::product::Product;

/// What to judge.
#[derive(clap::Args, Default)]
pub struct Knowledge {
    /// Clone the projects first, at their commits; needs git and its host
    #[arg(long)]
    fetch: bool,
    /// The projects of the test set, which are judged once, instead of the others
    #[arg(long)]
    test_set: bool,
    /// The projects of a later list, which were chosen and read after the rules were written, instead of those of the first: 2, 3 or 4
    #[arg(long, conflicts_with = "test_set")]
    list: Option<u32>,
    /// Only this project
    #[arg(long)]
    only: Option<String>,
    /// How many differences to print
    #[arg(long, default_value_t = 0)]
    show: usize,
    /// The `codeweft` to judge; without it a release build
    #[arg(long)]
    binary: Option<PathBuf>,
}

/// How many of all are right.
#[derive(Deserialize)]
pub struct Count {
    pub right: u64,
    pub all: u64,
}

/// What the judge says.
#[derive(Deserialize)]
pub struct Score {
    /// The projects that were there.
    pub projects: Vec<String>,
    pub figures: BTreeMap<String, Count>,
    pub differences: Vec<String>,
}

fn sources() -> PathBuf {
    place::root().join("xtask/judges/knowledge")
}

fn projects() -> Result<PathBuf> {
    Ok(corpora::folder()?.join("knowledge"))
}

/// Judges the projects.
pub fn score(binary: &Path, wanted: &Knowledge) -> Result<Score> {
    let handlers = place::work()?.join("knowledge-handlers");
    place::stdout(
        Command::new("go")
            .args(["build", "-buildvcs=false", "-o"])
            .arg(&handlers)
            .arg(".")
            .env("GOWORK", "off")
            .current_dir(sources().join("handlers")),
    )?;
    let mut command = Command::new("python3");
    command
        .arg("-B")
        .arg(sources().join("score.py"))
        .arg("--codeweft")
        .arg(binary)
        .arg("--handlers")
        .arg(&handlers)
        .arg("--projects")
        .arg(projects()?);
    if wanted.test_set {
        command.arg("--test-set");
    }
    if let Some(list) = wanted.list {
        command.arg("--list").arg(list.to_string());
    }
    if let Some(only) = &wanted.only {
        command.arg("--only").arg(only);
    }
    let score: Score = serde_json::from_str(&place::stdout(&mut command)?)?;
    if score.projects.is_empty() {
        bail!(
            "no project is there: cargo xtask judge knowledge --fetch, or clone those of {} into {}",
            sources().join("projects.tsv").display(),
            projects()?.display()
        );
    }
    Ok(score)
}

/// Runs the judge and prints what it says.
pub fn judge(wanted: &Knowledge) -> Result<ExitCode> {
    if wanted.fetch {
        fetch()?;
    }
    let score = match &wanted.binary {
        Some(binary) => score(binary, wanted)?,
        None => score(Product::build()?.binary(), wanted)?,
    };
    println!("{}", score.projects.join(", "));
    for (name, count) in &score.figures {
        println!("  {name}: {} of {}", count.right, count.all);
    }
    for words in score.differences.iter().take(wanted.show) {
        println!("  {words}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Clones the projects that are not there, at their commits.
fn fetch() -> Result<()> {
    let list = std::fs::read_to_string(sources().join("projects.tsv"))?;
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let mut cells = line.split('\t');
        let (Some(name), Some(repository), Some(commit)) =
            (cells.next(), cells.next(), cells.next())
        else {
            bail!("projects.tsv: not three cells: {line}");
        };
        let folder = projects()?.join(name);
        if folder.is_dir() {
            continue;
        }
        std::fs::create_dir_all(&folder)?;
        let git = |words: &[&str]| {
            let mut command = Command::new("git");
            place::stdout(command.args(words).current_dir(&folder))
        };
        let fetched = git(&["init", "--quiet"])
            .and_then(|_| git(&["fetch", "--quiet", "--depth", "1", repository, commit]))
            .and_then(|_| git(&["checkout", "--quiet", "FETCH_HEAD"]));
        if let Err(error) = fetched {
            std::fs::remove_dir_all(&folder)
                .with_context(|| format!("cannot remove {}", folder.display()))?;
            println!("{name}  not to be had: {error:#}");
        }
    }
    Ok(())
}
