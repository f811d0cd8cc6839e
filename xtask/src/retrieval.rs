//! The judge of retrieval: `codeweft eval` on three sets of tasks.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde_json::Value;

use crate::corpora;
use crate::place;
use crate::product::Product;

/// How many tasks are made of the commits of each project.
const COMMITS: usize = 40;

/// The projects whose issues are tasks; weights were chosen on these.
const ISSUE_PROJECTS: [&str; 5] = [
    "marshmallow-code/marshmallow",
    "pvlib/pvlib-python",
    "pydicom/pydicom",
    "pylint-dev/astroid",
    "sqlfluff/sqlfluff",
];

/// What to judge.
#[derive(clap::Args)]
pub struct Retrieval {
    /// Clone the projects first; needs git and its host
    #[arg(long)]
    fetch: bool,
    /// The tasks; without it all sets
    #[arg(long, value_enum)]
    set: Option<Set>,
    /// How many tasks that were not answered well to print
    #[arg(long, default_value_t = 0)]
    show: usize,
    /// The `codeweft` to judge; without it a release build
    #[arg(long)]
    binary: Option<PathBuf>,
}

/// A set of tasks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
pub enum Set {
    /// Issues of five projects of Python (the dev split of SWE-bench): issue_tasks.jsonl in $CODEWEFT_CORPORA/retrieval,
    /// made by judges/retrieval/swe_bench.py
    Issues,
    /// Commits of ten projects, five in Go and five in Python, whose messages are the texts
    Commits,
    /// The twenty tasks of bench-data/ground_truth.jsonl
    Truth,
}

impl Set {
    const ALL: [Set; 3] = [Set::Issues, Set::Commits, Set::Truth];

    pub fn name(self) -> &'static str {
        match self {
            Set::Issues => "issues",
            Set::Commits => "commits",
            Set::Truth => "truth",
        }
    }
}

/// A project whose commits are tasks.
struct Project {
    name: String,
    commit: String,
    address: String,
}

/// The folder with the clones: `OWNER+NAME` each, bare or not; links to clones elsewhere do.
fn folder() -> Result<PathBuf> {
    let folder = corpora::folder()?.join("retrieval");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn projects() -> Result<Vec<Project>> {
    let list = place::root().join("xtask/judges/retrieval/projects.tsv");
    let list = std::fs::read_to_string(list)?;
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let [name, commit, address] = cells[..] else {
                bail!("projects.tsv: not three cells: {line}");
            };
            Ok(Project {
                name: name.to_owned(),
                commit: commit.to_owned(),
                address: address.to_owned(),
            })
        })
        .collect()
}

/// Returns what `codeweft eval --json` says of a set: `summary`, `tasks`, `failures`.
pub fn score(binary: &Path, set: Set) -> Result<Value> {
    let tasks = tasks(binary, set)?;
    let mut command = eval(binary, &tasks)?;
    let said: Value = serde_json::from_str(&place::stdout(command.arg("--json"))?)?;
    let failures = said["failures"].as_array().map_or(0, Vec::len);
    if failures > 0 {
        bail!(
            "{failures} tasks could not be run, the first: {}",
            said["failures"][0]
        );
    }
    Ok(said)
}

fn eval(binary: &Path, tasks: &Path) -> Result<Command> {
    let mut command = Command::new(binary);
    command.arg("eval").arg(tasks).arg("--quiet");
    command.arg("--repositories").arg(folder()?);
    Ok(command)
}

/// Returns the file of the tasks of a set.
fn tasks(binary: &Path, set: Set) -> Result<PathBuf> {
    match set {
        Set::Truth => Ok(place::root().join("bench-data/ground_truth.jsonl")),
        Set::Issues => {
            let tasks = folder()?.join("issue_tasks.jsonl");
            if !tasks.is_file() {
                bail!(
                    "{} is not there: python3 xtask/judges/retrieval/swe_bench.py DEV.jsonl makes it of the dev split \
                     of SWE-bench",
                    tasks.display()
                );
            }
            Ok(tasks)
        }
        Set::Commits => {
            let mut all = String::new();
            for project in projects()? {
                let mut command = Command::new(binary);
                command.args(["eval", "--quiet", "--make-commit-tasks"]);
                command.arg(clone_of(&project.name)?);
                command.args([
                    "--revision",
                    &project.commit,
                    "--count",
                    &COMMITS.to_string(),
                ]);
                let made = place::stdout(&mut command);
                all += &made.with_context(|| format!("no tasks of {}", project.name))?;
            }
            let file = place::work()?.join("retrieval-commits.jsonl");
            std::fs::write(&file, all)?;
            Ok(file)
        }
    }
}

/// Returns the folder of a clone.
fn clone_of(name: &str) -> Result<PathBuf> {
    let outer = folder()?.join(name.replace('/', "+"));
    let inner = outer.join("repo");
    let clone = if inner.is_dir() { inner } else { outer };
    if !clone.is_dir() {
        bail!(
            "{} is not there: cargo xtask judge retrieval --fetch, or a link to a clone",
            clone.display()
        );
    }
    Ok(clone)
}

/// Runs the judge and prints what it says.
pub fn judge(wanted: &Retrieval) -> Result<ExitCode> {
    if wanted.fetch {
        fetch()?;
    }
    let binary = match &wanted.binary {
        Some(binary) => binary.canonicalize()?,
        None => Product::build()?.binary().to_owned(),
    };
    let sets = match wanted.set {
        Some(set) => vec![set],
        None => Set::ALL.to_vec(),
    };
    for set in sets {
        println!("{}", set.name());
        let mut command = eval(&binary, &tasks(&binary, set)?)?;
        command.args(["--show", &wanted.show.to_string()]);
        println!("{}", place::stdout(&mut command)?);
    }
    Ok(ExitCode::SUCCESS)
}

/// Clones what is not there, bare: the histories are needed, not the files.
fn fetch() -> Result<()> {
    let issues = ISSUE_PROJECTS.map(|name| (name.to_owned(), format!("https://github.com/{name}")));
    let commits = projects()?
        .into_iter()
        .map(|project| (project.name, project.address));
    for (name, address) in issues.into_iter().chain(commits) {
        let clone = folder()?.join(name.replace('/', "+"));
        if clone.exists() {
            continue;
        }
        let mut command = Command::new("git");
        command
            .args(["clone", "--quiet", "--bare", &address])
            .arg(&clone);
        match place::stdout(&mut command) {
            Ok(_) => println!("{name}  {}", clone.display()),
            Err(error) => println!("{name}  not to be had: {error:#}"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_ten_projects_with_whole_commits() {
        let projects = projects().unwrap();
        assert_eq!(projects.len(), 10);
        for project in projects {
            assert_eq!(project.commit.len(), 40, "{}", project.name);
            assert!(project.address.ends_with(&project.name), "{}", project.name);
            assert!(
                !ISSUE_PROJECTS.contains(&project.name.as_str()),
                "{}",
                project.name
            );
        }
    }
}
