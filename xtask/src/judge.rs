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
        let partial = kept.with_extension("partial");
        let mut command = Command::new(&judge);
        command
            .arg("-C")
            .arg(folder)
            .arg("-o")
            .arg(&partial)
            .args(flags)
            .args(packages);
        if let Some(workspace) = workspace {
            command.env("GOWORK", workspace);
        }
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
mod tests {
    use super::*;

    fn have(program: &str) -> bool {
        Command::new(program).arg("version").output().is_ok()
    }

    /// Returns a module of one file, in a folder of its own.
    fn module_of(name: &str, text: &str) -> PathBuf {
        let folder = place::work().unwrap().join("tests").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("go.mod"), "module example.com/m\n\ngo 1.23\n").unwrap();
        std::fs::write(folder.join("m.go"), text).unwrap();
        folder
    }

    /// Returns a module of three types.
    fn module(name: &str) -> PathBuf {
        module_of(
            name,
            "package m\n\ntype I interface{ M() }\n\ntype T struct{ n int }\n\nfunc (t *T) M() { t.n++ }\n\n\
             func Call(i I) { i.M(); (&T{n: 1}).M() }\n\nvar _ = run()\n\nfunc run() int { Call(&T{}); return 0 }\n",
        )
    }

    #[test]
    fn the_judge_pairs_types_with_generic_interfaces_that_they_satisfy_for_some_arguments() {
        if !have("go") {
            eprintln!("skipped: no Go toolchain");
            return;
        }
        let folder = module_of(
            "unifies",
            "package m\n\ntype Store[K comparable, V any] interface { Get(K) V; Put(K, V) }\n\n\
             type Fits struct{}\n\nfunc (*Fits) Get(string) int { return 0 }\n\nfunc (*Fits) Put(string, int) {}\n\n\
             type Two struct{}\n\nfunc (Two) Get(string) int { return 0 }\n\nfunc (Two) Put(string, bool) {}\n\n\
             type Slices struct{}\n\nfunc (Slices) Get([]int) int { return 0 }\n\nfunc (Slices) Put([]int, int) {}\n\n\
             type Map[A any] struct{}\n\nfunc (Map[A]) Get(int) []A { return nil }\n\nfunc (Map[A]) Put(int, []A) {}\n",
        );
        let verdict = verdict(&folder, &["./..."], &[]).unwrap();
        let mut said = Vec::new();
        records(&verdict, |record| {
            if record.k == "impl" {
                said.push(format!(
                    "{} {} {}",
                    record.type_id, record.iface, record.ptr
                ));
            }
        })
        .unwrap();
        said.sort();
        assert_eq!(
            said,
            [
                "example.com/m.Fits example.com/m.Store true",
                "example.com/m.Map example.com/m.Store false",
            ]
        );
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
        // One call found, one with the wrong target, one with the wrong caller, one missing.
        let export = json!({
            "nodes": [node("m", "package", 1, 9), node("m.I", "interface", 3, 6),
                node("m.I.M", "method", 3, 19), node("m.T", "struct", 5, 6),
                node("m.T.M", "method", 7, 13), node("m.Call", "function", 9, 6),
                node("m.run", "function", 13, 6)],
            "edges": [call("m.Call", "m.I.M", 9, 20), call("m.Call", "m.I.M", 9, 36),
                call("m.run", "m.run", 11, 9),
                json!({"from": "m.T", "to": "m.I", "type": "implements", "receiver": "pointer"}),
                json!({"from": "m.T.M", "to": "m.I.M", "type": "implements"}),
                json!({"from": "m.run", "to": "m.I.M", "type": "implements"})],
        });
        let file = folder.join("export.json");
        std::fs::write(&file, export.to_string()).unwrap();
        let score = scored("score.py", &file, &verdict, 0).unwrap();
        assert_eq!(score.counts("recall interface"), "1 of 1");
        assert_eq!(score.counts("recall static"), "1 of 3");
        assert_eq!(score.counts("precision exact"), "2 of 3");
        assert_eq!(score.counts("caller of the call"), "1 of 2");
        assert_eq!(score.counts("recall implements"), "1 of 1");
        assert_eq!(score.counts("precision implements"), "1 of 1");
        assert_eq!(score.counts("recall implements, methods"), "1 of 1");
        assert_eq!(score.counts("precision implements, methods"), "1 of 2");
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
        let locals = crate::locals::sample(&verdict, 100).unwrap();
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
        // All references: the receiver's type, the field twice, the literal's type, the call.
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
            let score = scored("score.py", &file, &verdict, 0).unwrap();
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
        // A local variable has no edge: one to it is wrong, and so is one where nothing is used.
        for (line, column) in [(8, 25), (1, 1)] {
            let mut more = all.to_vec();
            more.push(edge("references", "m.T.n", line, column));
            assert_eq!(score(&more, "recall"), "5 of 5");
            assert_eq!(score(&more, "precision"), "5 of 6");
        }
    }

    /// A command in a module: dispatch, promotion, values, literals, type parameters.
    #[test]
    fn call_graphs_are_contracted_to_declarations() {
        if !have("go") || !have("python3") {
            eprintln!("skipped: no Go toolchain, or no Python");
            return;
        }
        let Ok(_) = Program::CallGraph.build() else {
            eprintln!("skipped: golang.org/x/tools is not to be had");
            return;
        };
        let folder = module("callgraph");
        let text = "package main\n\ntype I interface{ M() }\n\ntype T struct{}\n\nfunc (t *T) M() {}\n\n\
                    type E struct{ *T }\n\ntype Unused struct{}\n\nfunc (Unused) M() {}\n\n\
                    func call(i I, f func()) { i.M(); f() }\n\nfunc f() {}\n\n\
                    func of[X I](x X) { x.M() }\n\n\
                    func main() {\n\tcall(E{}, f)\n\tcall(E{}, func() {})\n\tcall(E{}, (&T{}).M)\n\tof(&T{})\n}\n";
        std::fs::write(folder.join("m.go"), text).unwrap();
        let verdict = Program::CallGraph
            .verdict(&folder, &["."], &[], None)
            .unwrap();
        let mut said = Vec::new();
        records(&verdict, |record| {
            if record.k == "site" && !record.at.starts_with('/') && record.kind != "static" {
                let targets = record.targets.iter();
                let targets: Vec<String> = targets
                    .map(|one| format!("{}{}", if one.literal { "in " } else { "" }, one.def))
                    .collect();
                said.push(format!(
                    "{} {}: {}",
                    record.at,
                    record.kind,
                    targets.join(", ")
                ));
            }
        })
        .unwrap();
        assert_eq!(
            said,
            [
                "m.go:15:30 interface: m.go:7:13",
                "m.go:15:35 value: m.go:17:6, in m.go:21:6, m.go:7:13",
                "m.go:19:23 typeparam: m.go:7:13",
            ]
        );

        let node = |id: &str, kind: &str, line: u32, column: u32| json!({"id": id, "kind": kind, "file": "m.go", "name_line": line, "name_column": column});
        let nodes = [
            node("m.T.M", "method", 7, 13),
            node("m.Unused.M", "method", 13, 15),
            node("m.f", "function", 17, 6),
            node("m.main", "function", 21, 6),
        ];
        let call = |to: &str, column: u32, resolution: &str| {
            json!({"from": "m.call", "to": to, "type": "calls", "resolution": resolution,
                "location": {"file": "m.go", "line": 15, "column": column}})
        };
        let edges = [
            call("m.T.M", 30, "dispatch"),
            call("m.Unused.M", 30, "dispatch"),
            call("m.f", 35, "value"),
            call("m.main", 35, "value"),
            call("m.Unused.M", 35, "value"),
        ];
        let file = folder.join("export.json");
        std::fs::write(&file, json!({"nodes": nodes, "edges": edges}).to_string()).unwrap();
        let score = scored("dispatch.py", &file, &verdict, 0).unwrap();
        let counts = |row: &str| score.counts(row);
        assert_eq!(counts("recall dispatch"), "1 of 1");
        assert_eq!(counts("size dispatch"), "2 of 1");
        assert_eq!(counts("recall type parameters"), "0 of 1");
        assert_eq!(counts("recall values"), "1 of 2");
        assert_eq!(counts("size values"), "2 of 2");
        assert_eq!(counts("recall literals"), "1 of 1");
        assert_eq!(counts("recall either"), "2 of 3");
        assert_eq!(counts("size either"), "3 of 3");
    }
}
