//! The Go judge: building it, running it, reading its verdict, and scoring an export against it.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::place;
use crate::product::Product;

/// Returns the folder of the scoring scripts and of the call graph program.
fn sources() -> PathBuf {
    place::root().join("xtask/judges/go")
}

/// Returns the folder of the judge on `go/types`, which the product carries.
fn judge_sources() -> PathBuf {
    place::root().join("crates/codeweft/judge")
}

/// One of the two judges written in Go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Program {
    /// The type checker of the Go distribution.
    Types,
    /// The call graphs of x/tools.
    CallGraph,
}

impl Program {
    fn folder(self) -> PathBuf {
        match self {
            Program::Types => judge_sources(),
            Program::CallGraph => sources().join("callgraph"),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Program::Types => "gooracle",
            Program::CallGraph => "gocallgraph",
        }
    }

    /// Builds the program.
    pub fn build(self) -> Result<PathBuf> {
        let binary = place::work()?.join(self.name());
        place::stdout(
            Command::new("go")
                .args(["build", "-buildvcs=false", "-o"])
                .arg(&binary)
                .arg(".")
                .env("GOWORK", "off")
                .current_dir(self.folder()),
        )?;
        Ok(binary)
    }

    /// Returns the verdict about packages, as a file of JSON lines. A verdict about Go's library is
    /// cached until the program or the Go release changes. `workspace` is the value of GOWORK.
    ///
    /// # Errors
    /// Among others: the packages import one that is not on this machine. Nothing is downloaded,
    /// so that the judge and the product read the same.
    pub fn verdict(
        self,
        folder: &Path,
        packages: &[&str],
        flags: &[&str],
        workspace: Option<&str>,
    ) -> Result<PathBuf> {
        let judge = self.build()?;
        let release = place::stdout(Command::new("go").arg("version"))?;
        let key = format!("{} {packages:?} {flags:?} {release}", folder.display());
        let kept = place::work()?.join(format!("{:016x}.jsonl", hash(&key, &judge)?));
        let sources_are_ours = folder == place::goroot_src()?;
        if sources_are_ours && kept.is_file() {
            return Ok(kept);
        }
        let offline = |program: &Path| {
            let mut command = Command::new(program);
            command.env("GOPROXY", "off");
            if let Some(workspace) = workspace {
                command.env("GOWORK", workspace);
            }
            command
        };
        let mut list = offline(Path::new("go"));
        list.args(["list", "-deps"])
            .args(flags.contains(&"-tests").then_some("-test"))
            .args(packages)
            .env("CGO_ENABLED", "0")
            .current_dir(folder);
        place::stdout(&mut list)
            .context("not all packages can be loaded; are their imports downloaded?")?;
        let partial = kept.with_extension("partial");
        let mut command = offline(&judge);
        command
            .arg("-C")
            .arg(folder)
            .arg("-o")
            .arg(&partial)
            .args(flags)
            .args(packages);
        place::stdout(&mut command)?;
        std::fs::rename(&partial, &kept)?;
        Ok(kept)
    }
}

/// Returns the type checker's verdict about packages.
pub fn verdict(folder: &Path, packages: &[&str], flags: &[&str]) -> Result<PathBuf> {
    Program::Types.verdict(folder, packages, flags, None)
}

fn hash(key: &str, judge: &Path) -> Result<u64> {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut state = DefaultHasher::new();
    key.hash(&mut state);
    std::fs::read(judge)?.hash(&mut state);
    Ok(state.finish())
}

/// One line of the judge; fields that its kind lacks are empty.
#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub struct Record {
    pub k: String,
    pub at: String,
    pub callee: String,
    pub callee_def: String,
    pub caller: String,
    pub caller_def: String,
    pub def: String,
    pub id: String,
    pub iface: String,
    pub iface_def: String,
    pub iface_method: bool,
    pub kind: String,
    pub method: String,
    pub ptr: bool,
    pub target_def: String,
    pub targets: Vec<Target>,
    #[serde(rename = "type")]
    pub type_id: String,
    pub type_def: String,
}

/// A function or method that may run.
#[derive(Deserialize, Default, Debug)]
pub struct Target {
    pub id: String,
    #[serde(default)]
    pub def: String,
    /// In a call graph: a literal inside it may run, not itself.
    #[serde(default)]
    pub literal: bool,
}

/// Passes every record of a verdict to `take`.
pub fn records(verdict: &Path, mut take: impl FnMut(Record)) -> Result<()> {
    let file = std::fs::File::open(verdict)
        .with_context(|| format!("cannot read {}", verdict.display()))?;
    for line in BufReader::with_capacity(1 << 20, file).lines() {
        let line = line?;
        if line.contains(r#""k":"subiface""#) || line.contains(r#""k":"use""#) {
            continue; // many, and no question here needs them
        }
        take(serde_json::from_str(&line).with_context(|| format!("not a record: {line}"))?);
    }
    Ok(())
}

/// The inputs of a comparison.
pub struct Comparison {
    /// The folder to index; GOROOT's sources if `None`.
    pub corpus: Option<PathBuf>,
    pub packages: Vec<String>,
    pub tests: bool,
    /// Whether uses and definitions are compared too: a larger export, a longer verdict.
    pub references: bool,
    /// An export to score instead of a new one.
    pub export: Option<PathBuf>,
    /// The value of GOWORK for the go command; unchanged if `None`.
    pub workspace: Option<String>,
    pub show: usize,
}

/// Shares, each `part` of `whole`, by the names that `score.py` gives them.
pub struct Score {
    rows: Vec<(String, u64, u64)>,
    printed: String,
}

impl Score {
    /// Reads a score from what a `score.py` wrote and printed.
    pub fn read(figures: &Path, printed: String) -> Result<Score> {
        let figures: serde_json::Map<String, Value> =
            serde_json::from_str(&std::fs::read_to_string(figures)?)?;
        let rows = figures
            .iter()
            .map(|(name, row)| {
                let number = |field: &str| row[field].as_u64().unwrap_or_default();
                (name.clone(), number("part"), number("whole"))
            })
            .collect();
        Ok(Score { rows, printed })
    }

    /// Returns a share; `None` if the judge had nothing to compare.
    pub fn share(&self, name: &str) -> Option<f64> {
        let (_, part, whole) = self.rows.iter().find(|(row, _, _)| row == name)?;
        (*whole > 0).then(|| *part as f64 / *whole as f64)
    }

    /// Returns `part / whole` as counted.
    pub fn counts(&self, name: &str) -> String {
        match self.rows.iter().find(|(row, _, _)| row == name) {
            Some((_, part, whole)) => format!("{part} of {whole}"),
            None => "not in the score".to_owned(),
        }
    }

    pub fn print(&self) {
        print!("{}", self.printed);
    }

    pub fn to_json(&self) -> Value {
        self.rows
            .iter()
            .map(|(name, part, whole)| (name.clone(), json!({"part": part, "whole": whole})))
            .collect::<serde_json::Map<_, _>>()
            .into()
    }
}

const EDGES: &str = "calls,implements,embeds,imports";
const EDGES_AND_REFERENCES: &str = "calls,implements,embeds,imports,references";

/// Exports the corpus, runs the judge on the packages, and compares.
pub fn score(wanted: &Comparison) -> Result<Score> {
    let corpus = corpus(wanted.corpus.as_deref())?;
    let export = match &wanted.export {
        Some(file) => file.clone(),
        None => export(&corpus, wanted.references)?,
    };
    let packages: Vec<&str> = wanted.packages.iter().map(String::as_str).collect();
    let mut flags = Vec::new();
    flags.extend(wanted.tests.then_some("-tests"));
    flags.extend(wanted.references.then_some("-uses"));
    let workspace = wanted.workspace.as_deref();
    let verdict = Program::Types.verdict(&corpus, &packages, &flags, workspace)?;
    scored("score.py", &export, &verdict, wanted.show)
}

/// Returns the folder to index; GOROOT's sources if none is named.
pub fn corpus(named: Option<&Path>) -> Result<PathBuf> {
    match named {
        Some(folder) => folder
            .canonicalize()
            .with_context(|| format!("no folder {}", folder.display())),
        None => place::goroot_src(),
    }
}

/// Makes a new export of a corpus, in a file that the next one of the same corpus replaces.
pub fn export(corpus: &Path, references: bool) -> Result<PathBuf> {
    let edges = if references {
        EDGES_AND_REFERENCES
    } else {
        EDGES
    };
    let name = corpus.file_name().unwrap_or_default().to_string_lossy();
    let what = if references { "-references" } else { "" };
    let file = place::work()?.join(format!("export{what}-{name}.json"));
    Product::build()?.export(corpus, edges, &file)?;
    Ok(file)
}

/// Compares the dispatch targets in an export of the corpus with x/tools' call graph of a command.
pub fn dispatch(
    corpus: &Path,
    export: &Path,
    command: &str,
    workspace: Option<&str>,
    show: usize,
) -> Result<Score> {
    let verdict = Program::CallGraph.verdict(corpus, &[command], &[], workspace)?;
    scored("dispatch.py", export, &verdict, show)
}

/// Runs a scoring script on an export and a verdict.
fn scored(script: &str, export: &Path, verdict: &Path, show: usize) -> Result<Score> {
    let figures = place::work()?.join(format!("{script}.json"));
    let printed = place::stdout(
        Command::new("python3")
            .arg(sources().join(script))
            .arg(export)
            .arg(verdict)
            .arg("--show")
            .arg(show.to_string())
            .arg("--json")
            .arg(&figures),
    )?;
    Score::read(&figures, printed)
}

#[cfg(test)]
mod tests;
