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
    /// Whether uses and definitions are compared, too: a larger export, a longer verdict.
    pub references: bool,
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
    /// From what a `score.py` wrote and printed.
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

const EDGES: &str = "calls,implements,embeds,imports";
const EDGES_AND_REFERENCES: &str = "calls,implements,embeds,imports,references";

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
            let (file, edges) = match wanted.references {
                true => ("export-references.json", EDGES_AND_REFERENCES),
                false => ("export.json", EDGES),
            };
            let file = place::work()?.join(file);
            Product::build()?.export(&corpus, edges, &file)?;
            file
        }
    };
    let packages: Vec<&str> = wanted.packages.iter().map(String::as_str).collect();
    let mut flags = Vec::new();
    flags.extend(wanted.tests.then_some("-tests"));
    flags.extend(wanted.references.then_some("-uses"));
    let verdict = verdict(&corpus, &packages, &flags)?;
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
    Score::read(&figures, printed)
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

    #[test]
    fn references_are_scored_by_use_and_definition() {
        if !have("go") || !have("python3") {
            eprintln!("skipped: no Go toolchain, or no Python");
            return;
        }
        let folder = module("references");
        let text = "package m\n\ntype T struct{ n int }\n\nfunc (t *T) M() { t.n++ }\n\n\
                    func f() {\n\tone := struct{ n int }{n: 1}\n\t(&T{n: one.n}).M()\n}\n";
        std::fs::write(folder.join("m.go"), text).unwrap();
        let verdict = verdict(&folder, &["./..."], &["-uses"]).unwrap();
        let locals = crate::locals::drawn(&verdict, 100).unwrap();
        let mut of_one: Vec<&str> = locals
            .iter()
            .filter(|local| local.declared == "m.go:8:17" || local.name == "one")
            .map(|local| local.at.as_str())
            .collect();
        of_one.sort_unstable();
        let expected = [
            "m.go:8:17",
            "m.go:8:2",
            "m.go:8:25",
            "m.go:9:13",
            "m.go:9:9",
        ];
        assert_eq!(of_one, expected);

        let node = |id: &str, line: u32, column: u32| {
            json!({"id": id, "kind": "type", "file": "m.go",
            "name_line": line, "name_column": column})
        };
        let edge = |edge_type: &str, to: &str, line: u32, column: u32| {
            json!({"from": "m", "to": to, "type": edge_type, "resolution": "exact",
                "location": {"file": "m.go", "line": line, "column": column}})
        };
        // All that there is: the receiver's type, the field twice, the literal's type, the call.
        let all = [
            edge("references", "m.T", 5, 10),
            edge("references", "m.T.n", 5, 21),
            edge("references", "m.T", 9, 4),
            edge("references", "m.T.n", 9, 6),
            edge("calls", "m.T.M", 9, 17),
        ];
        let nodes = [
            node("m.T", 3, 6),
            node("m.T.n", 3, 16),
            node("m.T.M", 5, 13),
            node("m.f", 7, 6),
        ];
        let file = folder.join("export.json");
        let score = |edges: &[Value], name: &str| {
            std::fs::write(&file, json!({"nodes": nodes, "edges": edges}).to_string()).unwrap();
            let score = score_export(&file, &verdict, 0).unwrap();
            score.counts(&format!("references {name}"))
        };
        assert_eq!(score(&all, "recall"), "5 of 5");
        assert_eq!(score(&all, "precision"), "5 of 5");
        for at in 0..all.len() {
            let mut less = all.to_vec();
            let gone = less.remove(at);
            assert_eq!(score(&less, "recall"), "4 of 5", "without {gone}");
            assert_eq!(score(&less, "precision"), "4 of 4", "without {gone}");
            let mut turned = all.to_vec();
            turned[at]["to"] = json!("m.f");
            assert_eq!(score(&turned, "recall"), "4 of 5", "instead of {gone}");
            assert_eq!(score(&turned, "precision"), "4 of 5", "instead of {gone}");
        }
        // A local is no edge: one to it is wrong, and so is one where nothing is used.
        for (line, column) in [(8, 25), (1, 1)] {
            let mut more = all.to_vec();
            more.push(edge("references", "m.T.n", line, column));
            assert_eq!(score(&more, "recall"), "5 of 5");
            assert_eq!(score(&more, "precision"), "5 of 6");
        }
    }
}
