//! The Go judge: building it, running it, reading what it says, and scoring an export against it.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::place;
use crate::product::Product;

fn sources() -> PathBuf {
    place::root().join("xtask/judges/go")
}

/// Builds the judge.
pub fn build() -> Result<PathBuf> {
    let binary = place::work()?.join("gooracle");
    place::stdout(
        Command::new("go")
            .args(["build", "-buildvcs=false", "-o"])
            .arg(&binary)
            .arg(".")
            .current_dir(sources()),
    )?;
    Ok(binary)
}

/// What the judge says about packages, as a file of JSON lines; kept until the judge or the Go
/// release changes.
pub fn verdict(folder: &Path, packages: &[&str], flags: &[&str]) -> Result<PathBuf> {
    let judge = build()?;
    let release = place::stdout(Command::new("go").arg("version"))?;
    let key = format!("{} {packages:?} {flags:?} {release}", folder.display());
    let kept = place::work()?.join(format!("{:016x}.jsonl", hash(&key, &judge)?));
    let sources_are_ours = folder == place::goroot_src()?;
    if sources_are_ours && kept.is_file() {
        return Ok(kept);
    }
    let partial = kept.with_extension("partial");
    place::stdout(
        Command::new(&judge)
            .arg("-C")
            .arg(folder)
            .arg("-o")
            .arg(&partial)
            .args(flags)
            .args(packages),
    )?;
    std::fs::rename(&partial, &kept)?;
    Ok(kept)
}

fn hash(key: &str, judge: &Path) -> Result<u64> {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut state = DefaultHasher::new();
    key.hash(&mut state);
    std::fs::read(judge)?.hash(&mut state);
    Ok(state.finish())
}

/// One line of the judge; what a kind of line lacks is empty.
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
    pub kind: String,
    pub method: String,
    pub ptr: bool,
    pub targets: Vec<Target>,
    #[serde(rename = "type")]
    pub type_id: String,
    pub type_def: String,
}

/// A method that may run where an interface's method is called.
#[derive(Deserialize, Default, Debug)]
pub struct Target {
    pub id: String,
    #[serde(default)]
    pub def: String,
}

/// Hands every record of a verdict to `take`.
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

/// What to compare.
pub struct Comparison {
    /// The folder to index; GOROOT's sources without it.
    pub corpus: Option<PathBuf>,
    pub packages: Vec<String>,
    pub tests: bool,
    /// An export to score, instead of a new one.
    pub export: Option<PathBuf>,
    pub show: usize,
}

/// Shares, each `part` of `whole`, by the names that `score.py` gives them.
pub struct Score {
    rows: Vec<(String, u64, u64)>,
    printed: String,
}

impl Score {
    /// A share; `None` where the judge had nothing to compare.
    pub fn share(&self, name: &str) -> Option<f64> {
        let (_, part, whole) = self.rows.iter().find(|(row, _, _)| row == name)?;
        (*whole > 0).then(|| *part as f64 / *whole as f64)
    }

    /// `part / whole` as counted.
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

/// Exports the corpus, runs the judge on the packages, and compares.
pub fn score(wanted: &Comparison) -> Result<Score> {
    let corpus = match &wanted.corpus {
        Some(folder) => folder
            .canonicalize()
            .with_context(|| format!("no folder {}", folder.display()))?,
        None => place::goroot_src()?,
    };
    let export = match &wanted.export {
        Some(file) => file.clone(),
        None => {
            let file = place::work()?.join("export.json");
            Product::build()?.export(&corpus, &file)?;
            file
        }
    };
    let packages: Vec<&str> = wanted.packages.iter().map(String::as_str).collect();
    let flags: &[&str] = if wanted.tests { &["-tests"] } else { &[] };
    let verdict = verdict(&corpus, &packages, flags)?;
    score_export(&export, &verdict, wanted.show)
}

fn score_export(export: &Path, verdict: &Path, show: usize) -> Result<Score> {
    let figures = place::work()?.join("score.json");
    let printed = place::stdout(
        Command::new("python3")
            .arg(sources().join("score.py"))
            .arg(export)
            .arg(verdict)
            .arg("--show")
            .arg(show.to_string())
            .arg("--json")
            .arg(&figures),
    )?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn have(program: &str) -> bool {
        Command::new(program).arg("version").output().is_ok()
    }

    /// A module of three types, in a folder of its own.
    fn module(name: &str) -> PathBuf {
        let folder = place::work().unwrap().join("tests").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("go.mod"), "module example.com/m\n\ngo 1.23\n").unwrap();
        std::fs::write(
            folder.join("m.go"),
            "package m\n\ntype I interface{ M() }\n\ntype T struct{ n int }\n\nfunc (t *T) M() { t.n++ }\n\n\
             func Call(i I) { i.M(); (&T{n: 1}).M() }\n\nvar _ = run()\n\nfunc run() int { Call(&T{}); return 0 }\n",
        )
        .unwrap();
        folder
    }

    #[test]
    fn the_judge_says_what_calls_implement_and_mean() {
        if !have("go") {
            eprintln!("skipped: no Go toolchain");
            return;
        }
        let folder = module("says");
        let verdict = verdict(&folder, &["./..."], &["-uses"]).unwrap();
        let mut said = Vec::new();
        records(&verdict, |record| match record.k.as_str() {
            "call" => said.push(format!(
                "{} {} {}",
                record.caller, record.kind, record.callee
            )),
            "impl" => said.push(format!(
                "{} {} {}",
                record.type_id, record.iface, record.ptr
            )),
            _ => {}
        })
        .unwrap();
        assert_eq!(
            said,
            [
                "example.com/m.T example.com/m.I true",
                "example.com/m.Call interface (example.com/m.I).M",
                "example.com/m.Call static (*example.com/m.T).M",
                "example.com/m.<vars> static example.com/m.run",
                "example.com/m.run static example.com/m.Call",
            ]
        );
        let text = std::fs::read_to_string(&verdict).unwrap();
        let uses: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .filter(|record: &Value| record["k"] == "use" && record["name"] == "n")
            .collect();
        let kinds: Vec<_> = uses
            .iter()
            .map(|one| (one["kind"].as_str().unwrap(), one["def"].as_str().unwrap()))
            .collect();
        assert_eq!(kinds, [("field", "m.go:5:16"); 3]);
        assert_eq!(uses.iter().filter(|one| one["decl"] == true).count(), 1);
    }

    #[test]
    fn a_score_counts_what_is_right_missing_and_wrong() {
        if !have("go") || !have("python3") {
            eprintln!("skipped: no Go toolchain, or no Python");
            return;
        }
        let folder = module("score");
        let verdict = verdict(&folder, &["./..."], &[]).unwrap();
        let node = |id: &str, kind: &str, line: u32, column: u32| json!({"id": id, "kind": kind, "file": "m.go", "name_line": line, "name_column": column});
        let call = |from: &str, to: &str, line: u32, column: u32| {
            json!({"from": from, "to": to, "type": "calls", "resolution": "exact",
                "location": {"file": "m.go", "line": line, "column": column}})
        };
        // One call found, one with the wrong target, one by the wrong caller, one missing.
        let export = json!({
            "nodes": [node("m", "package", 1, 9), node("m.I", "interface", 3, 6),
                node("m.I.M", "method", 3, 19), node("m.T", "struct", 5, 6),
                node("m.T.M", "method", 7, 13), node("m.Call", "function", 9, 6),
                node("m.run", "function", 13, 6)],
            "edges": [call("m.Call", "m.I.M", 9, 20), call("m.Call", "m.I.M", 9, 36),
                call("m.run", "m.run", 11, 9),
                json!({"from": "m.T", "to": "m.I", "type": "implements", "receiver": "pointer"})],
        });
        let file = folder.join("export.json");
        std::fs::write(&file, export.to_string()).unwrap();
        let score = score_export(&file, &verdict, 0).unwrap();
        assert_eq!(score.counts("recall interface"), "1 of 1");
        assert_eq!(score.counts("recall static"), "1 of 3");
        assert_eq!(score.counts("precision exact"), "2 of 3");
        assert_eq!(score.counts("caller of the call"), "1 of 2");
        assert_eq!(score.counts("recall implements"), "1 of 1");
        assert_eq!(score.counts("precision implements"), "1 of 1");
    }
}
