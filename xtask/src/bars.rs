//! Every bar of the issues: what is promised, the floor, the goal, and the command that measures it.

use std::cell::OnceCell;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::bench::{self, Line};
use crate::judge::{self, Comparison, Score};
use crate::place;
use crate::product::Product;
use crate::questions::{Questions, Verdict};

/// Which bars, and what to do with the figures.
pub struct Wanted {
    pub issue: Option<u32>,
    pub only: Vec<String>,
    pub list: bool,
    pub slow: bool,
    pub json: Option<PathBuf>,
    pub show: usize,
    pub fail: bool,
}

/// One promise.
struct Bar {
    issue: u32,
    name: &'static str,
    what: &'static str,
    floor: Limit,
    goal: Limit,
    source: Source,
}

/// What a figure has to reach.
#[derive(Clone, Copy)]
enum Limit {
    AtLeast(f64),
    AtMost(f64),
    /// The answer is the true one; the tests pass.
    True,
    /// The figure is only told.
    Told,
}

/// Where a figure comes from.
#[derive(Clone, Copy)]
enum Source {
    FilesRead,
    Judge(&'static str),
    Question(Question),
    /// The line of this name of `cargo bench`.
    Bench(&'static str),
    /// Tests of `codeweft-testing` whose names contain this.
    Tests(&'static str),
    FreshClone,
}

/// A question whose true answer is known.
#[derive(Clone, Copy)]
enum Question {
    Callers(&'static str),
    Callees(&'static str, u32),
    Implementations(&'static str),
    Implements(&'static str),
    Dependencies(&'static str),
    Dependents(&'static str),
    Path(&'static str, &'static str),
}

const fn bar(
    name: &'static str,
    what: &'static str,
    (floor, goal): (Limit, Limit),
    source: Source,
) -> Bar {
    Bar {
        issue: 2,
        name,
        what,
        floor,
        goal,
        source,
    }
}

use Limit::{AtLeast, AtMost, Told, True};
use Source::{Bench, Judge, Tests};

const BARS: &[Bar] = &[
    bar(
        "files-read",
        "share of files not read in full, without testdata, %",
        (AtMost(0.1), AtMost(0.0)),
        Source::FilesRead,
    ),
    bar(
        "judge-static",
        "net/http: static calls found as exact, %",
        (AtLeast(85.0), Told),
        Judge("recall static"),
    ),
    bar(
        "judge-interface",
        "net/http: calls of interface methods found, %",
        (Told, Told),
        Judge("recall interface"),
    ),
    bar(
        "judge-typeparam",
        "net/http: calls on type parameters found, %",
        (Told, Told),
        Judge("recall typeparam"),
    ),
    bar(
        "judge-exact",
        "net/http: exact edges that are right, %",
        (AtLeast(97.0), Told),
        Judge("precision exact"),
    ),
    bar(
        "judge-callers",
        "net/http: found calls with the right caller, %",
        (AtLeast(99.0), Told),
        Judge("caller of the call"),
    ),
    bar(
        "judge-implements",
        "net/http: pairs of type and interface found, %",
        (AtLeast(97.0), Told),
        Judge("recall implements"),
    ),
    bar(
        "judge-implements-right",
        "net/http: pairs of type and interface that are right, %",
        (AtLeast(97.0), Told),
        Judge("precision implements"),
    ),
    bar(
        "judge-dispatch",
        "net/http: class-hierarchy targets of interface calls found, %",
        (Told, Told),
        Judge("dispatch of class hierarchy"),
    ),
    bar(
        "callers-of-serve",
        "who calls net/http.(*Server).Serve",
        (True, Told),
        Source::Question(Question::Callers("net/http.Server.Serve")),
    ),
    bar(
        "callees-of-marshal",
        "what encoding/json.Marshal calls, to depth 3",
        (True, Told),
        Source::Question(Question::Callees("encoding/json.Marshal", 3)),
    ),
    bar(
        "types-of-reader",
        "which types implement io.Reader",
        (True, Told),
        Source::Question(Question::Implementations("io.Reader")),
    ),
    bar(
        "types-of-sort",
        "which types implement sort.Interface",
        (True, Told),
        Source::Question(Question::Implementations("sort.Interface")),
    ),
    bar(
        "types-of-handler",
        "which types implement net/http.Handler",
        (True, Told),
        Source::Question(Question::Implementations("net/http.Handler")),
    ),
    bar(
        "interfaces-of-buffer",
        "what bytes.Buffer implements",
        (True, Told),
        Source::Question(Question::Implements("bytes.Buffer")),
    ),
    bar(
        "imports-of-types",
        "what go/types depends on",
        (True, Told),
        Source::Question(Question::Dependencies("go/types")),
    ),
    bar(
        "importers-of-types",
        "what depends on go/types",
        (True, Told),
        Source::Question(Question::Dependents("go/types")),
    ),
    bar(
        "path-to-syscall",
        "exact edges from net/http.ListenAndServe to syscall.Syscall",
        (True, Told),
        Source::Question(Question::Path("net/http.ListenAndServe", "syscall.Syscall")),
    ),
    bar(
        "cold",
        "cold index of the Go library against the bare parse, times",
        (AtMost(4.0), AtMost(2.0)),
        Bench("cold"),
    ),
    bar(
        "edit-under-50kb",
        "an edit to the answer of callers, files under 50 KB, p99, ms",
        (AtMost(25.0), AtMost(5.0)),
        Bench("edit-under-50kb"),
    ),
    bar(
        "edit-under-150kb",
        "the same, files of 50 to 150 KB, p99, ms",
        (Told, AtMost(5.0)),
        Bench("edit-under-150kb"),
    ),
    bar(
        "edit-above-150kb",
        "the same, files above, p99, ms",
        (Told, AtMost(10.0)),
        Bench("edit-above-150kb"),
    ),
    bar(
        "comment-runs-own",
        "a comment edit runs that file's own queries and nothing else",
        (True, Told),
        Tests("a_comment_runs"),
    ),
    bar(
        "memory",
        "anonymous memory after a cold index and 1,000 questions, per source byte",
        (Told, AtMost(4.0)),
        Bench("memory-per-byte"),
    ),
    bar(
        "same-bytes",
        "same question, same bytes, on one thread and on four",
        (True, Told),
        Tests("same_question_gives_the_same_bytes"),
    ),
    bar(
        "incremental-is-fresh",
        "after random edits every answer is that of a fresh database",
        (True, Told),
        Tests("incremental_answers"),
    ),
    bar(
        "fresh-clone",
        "a fresh clone: .ci/run from start to end, minutes",
        (AtMost(25.0), Told),
        Source::FreshClone,
    ),
];

impl Limit {
    fn holds(self, figure: &Figure) -> Option<bool> {
        match (self, figure) {
            (Limit::Told, _) => None,
            (Limit::AtLeast(floor), Figure::Number(number)) => Some(*number >= floor),
            (Limit::AtMost(floor), Figure::Number(number)) => Some(*number <= floor),
            (_, Figure::True(right)) => Some(*right),
            (_, Figure::None) | (Limit::True, Figure::Number(_)) => Some(false),
        }
    }

    fn printed(self) -> String {
        match self {
            Limit::AtLeast(number) => format!(">= {number}"),
            Limit::AtMost(number) => format!("<= {number}"),
            Limit::True => "true".to_owned(),
            Limit::Told => "-".to_owned(),
        }
    }
}

/// What was measured.
enum Figure {
    Number(f64),
    True(bool),
    None,
}

impl Figure {
    fn printed(&self) -> String {
        match self {
            Figure::Number(number) => {
                let text = format!("{number:.3}");
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            }
            Figure::True(right) => right.to_string(),
            Figure::None => "not measured".to_owned(),
        }
    }
}

/// A figure with how it was counted.
struct Measured {
    figure: Figure,
    words: String,
    differences: Vec<String>,
}

impl Measured {
    fn number(number: f64, words: String) -> Measured {
        Measured {
            figure: Figure::Number(number),
            words,
            differences: Vec::new(),
        }
    }

    fn none(words: String) -> Measured {
        Measured {
            figure: Figure::None,
            words,
            differences: Vec::new(),
        }
    }
}

impl From<Verdict> for Measured {
    fn from(verdict: Verdict) -> Measured {
        Measured {
            figure: Figure::True(verdict.right),
            words: verdict.words,
            differences: verdict.differences,
        }
    }
}

impl Question {
    /// The words after `codeweft query`.
    fn words(self) -> String {
        match self {
            Question::Callers(of) => format!("callers {of}"),
            Question::Callees(of, depth) => format!("callees {of} --depth {depth}"),
            Question::Implementations(of) => format!("implementations {of}"),
            Question::Implements(of) => format!("implements {of}"),
            Question::Dependencies(of) => format!("dependencies {of}"),
            Question::Dependents(of) => format!("dependents {of}"),
            Question::Path(from, to) => format!("path {from} --to {to}"),
        }
    }

    fn check(self, questions: &Questions, product: &Product) -> Result<Verdict> {
        match self {
            Question::Callers(of) => questions.callers(product, of),
            Question::Callees(of, depth) => questions.callees(product, of, depth),
            Question::Implementations(of) => questions.implementations(product, of),
            Question::Implements(of) => questions.implements(product, of),
            Question::Dependencies(of) => questions.dependencies(product, of),
            Question::Dependents(of) => questions.dependents(product, of),
            Question::Path(from, to) => questions.path(product, from, to),
        }
    }
}

impl Source {
    /// What one types to get the figure alone.
    fn command(self) -> String {
        const ROOT: &str = "--root \"$(go env GOROOT)/src\"";
        match self {
            Source::FilesRead => format!("codeweft index {ROOT} --json"),
            Source::Judge(_) => "cargo xtask judge go --packages net/http".to_owned(),
            Source::Question(question) => format!("codeweft query {} {ROOT}", question.words()),
            Source::Bench(_) => bench::COMMAND.to_owned(),
            Source::Tests(filter) => format!("cargo test -p codeweft-testing {filter}"),
            Source::FreshClone => {
                "git clone . FOLDER && cd FOLDER && CI=true bash .ci/run".to_owned()
            }
        }
    }
}

/// What the figures are made from, each made on first use and once.
#[derive(Default)]
struct Lab {
    product: OnceCell<Result<Product, String>>,
    index: OnceCell<Result<Value, String>>,
    score: OnceCell<Result<Score, String>>,
    bench: OnceCell<Result<Vec<Line>, String>>,
    questions: Questions,
}

/// The value of a cell; the first failure is told again to everyone who asks.
fn shared<T>(cell: &OnceCell<Result<T, String>>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    match cell.get_or_init(|| make().map_err(|error| format!("{error:#}"))) {
        Ok(value) => Ok(value),
        Err(words) => bail!("{words}"),
    }
}

impl Lab {
    fn product(&self) -> Result<&Product> {
        shared(&self.product, Product::build)
    }

    fn index(&self) -> Result<&Value> {
        shared(&self.index, || {
            self.product()?.index(self.questions.source()?)
        })
    }

    fn score(&self) -> Result<&Score> {
        shared(&self.score, || {
            judge::score(&Comparison {
                corpus: None,
                packages: vec!["net/http".to_owned()],
                tests: false,
                export: None,
                show: 0,
            })
        })
    }

    fn bench(&self) -> Result<&Vec<Line>> {
        shared(&self.bench, bench::run)
    }

    fn measure(&self, source: Source, slow: bool) -> Result<Measured> {
        Ok(match source {
            Source::FilesRead => files_read(self.index()?)?,
            Source::Judge(row) => {
                let score = self.score()?;
                match score.share(row) {
                    Some(share) => Measured::number(share * 100.0, score.counts(row)),
                    None => Measured::none(score.counts(row)),
                }
            }
            Source::Question(question) => {
                let started = Instant::now();
                let verdict = question.check(&self.questions, self.product()?)?;
                let mut measured = Measured::from(verdict);
                measured.words += &format!(" ({:.0} s)", started.elapsed().as_secs_f64());
                measured
            }
            Source::Bench(name) => match self.bench()?.iter().find(|line| line.bar == name) {
                Some(line) => Measured::number(line.figure, line.unit.clone()),
                None => Measured::none(format!("the bench printed no {name}")),
            },
            Source::Tests(filter) => tests(filter)?,
            Source::FreshClone if !slow => Measured::none("takes long: --slow".to_owned()),
            Source::FreshClone => fresh_clone()?,
        })
    }
}

/// From the report of `codeweft index`.
fn files_read(report: &Value) -> Result<Measured> {
    let all = report["files"]
        .as_u64()
        .context("the report tells no files")?;
    let mut differences = Vec::new();
    for list in ["not_in_full", "left_out"] {
        let rows = report[list].as_array();
        for row in rows.with_context(|| format!("the report has no {list}"))? {
            let file = row["file"].as_str().unwrap_or_default();
            let in_testdata = file.split('/').any(|part| part == "testdata");
            if !in_testdata && file.ends_with(".go") {
                differences.push(format!(
                    "{file}: {}",
                    row["reason"].as_str().unwrap_or_default()
                ));
            }
        }
    }
    if all == 0 {
        bail!("the report tells of 0 files");
    }
    Ok(Measured {
        figure: Figure::Number(differences.len() as f64 * 100.0 / all as f64),
        words: format!("{} of {all}", differences.len()),
        differences,
    })
}

/// Runs the tests of a name; none is no proof.
fn tests(filter: &str) -> Result<Measured> {
    let mut command = Command::new(env!("CARGO"));
    command
        .args([
            "test",
            "--quiet",
            "--package",
            "codeweft-testing",
            "--no-fail-fast",
            filter,
        ])
        .current_dir(place::root());
    let output = place::output(&mut command)?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let (passed, failed) = count_tests(&printed);
    if passed + failed == 0 {
        return Ok(Measured::none(match output.status.success() {
            true => format!("no test has {filter} in its name"),
            false => "the tests do not build".to_owned(),
        }));
    }
    Ok(Measured {
        figure: Figure::True(failed == 0 && output.status.success()),
        words: format!("{passed} passed, {failed} failed"),
        differences: Vec::new(),
    })
}

/// The sums of cargo's closing lines.
fn count_tests(printed: &str) -> (u64, u64) {
    let mut counts = (0, 0);
    for line in printed
        .lines()
        .filter(|line| line.starts_with("test result: "))
    {
        let number_before = |word: &str| {
            let words: Vec<&str> = line.split([' ', ';']).collect();
            let at = words.iter().position(|one| *one == word);
            at.and_then(|at| words.get(at.checked_sub(1)?)?.parse::<u64>().ok())
        };
        counts.0 += number_before("passed").unwrap_or(0);
        counts.1 += number_before("failed").unwrap_or(0);
    }
    counts
}

/// Clones what is committed and runs what every change has to pass.
fn fresh_clone() -> Result<Measured> {
    let folder = place::work()?.join("fresh-clone");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let mut clone = Command::new("git");
    clone
        .args(["clone", "--quiet"])
        .arg(place::root())
        .arg(&folder);
    place::stdout(&mut clone)?;
    let started = Instant::now();
    let mut run = Command::new("bash");
    run.arg(".ci/run")
        .current_dir(&folder)
        .env("CI", "true")
        .env_remove("CARGO_TARGET_DIR")
        .stdin(std::process::Stdio::null());
    let output = place::output(&mut run)?;
    let minutes = started.elapsed().as_secs_f64() / 60.0;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = printed.lines().last().unwrap_or_default().to_owned();
    if !output.status.success() {
        bail!(
            ".ci/run ended with {} after {minutes:.1} minutes: {last}",
            output.status
        );
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(Measured::number(minutes, last))
}

/// A row of the table.
struct Row {
    name: String,
    what: String,
    figure: String,
    floor: String,
    goal: String,
    holds: Option<bool>,
    reaches_goal: Option<bool>,
    words: String,
    command: String,
}

impl Row {
    fn verdict(&self) -> &'static str {
        match (self.holds, self.reaches_goal) {
            (Some(false), _) => "MISSED",
            (_, Some(true)) => "goal",
            (Some(true), _) => "holds",
            (None, _) => "told",
        }
    }

    fn to_json(&self, bar: Option<&Bar>, figure: &Figure) -> Value {
        json!({
            "bar": self.name,
            "issue": bar.map(|bar| bar.issue),
            "what": self.what,
            "figure": match figure {
                Figure::Number(number) => json!(number),
                Figure::True(right) => json!(right),
                Figure::None => Value::Null,
            },
            "floor": self.floor,
            "goal": self.goal,
            "verdict": self.verdict(),
            "words": self.words,
            "command": self.command,
        })
    }
}

/// Measures and prints.
pub fn run(wanted: &Wanted) -> Result<ExitCode> {
    let lab = Lab::default();
    let chosen = BARS.iter().filter(|bar| {
        wanted.issue.is_none_or(|issue| issue == bar.issue)
            && (wanted.only.is_empty() || wanted.only.iter().any(|one| bar.name.contains(one)))
    });
    let mut rows = Vec::new();
    let mut as_json = Vec::new();
    for bar in chosen {
        let measured = match wanted.list {
            true => Measured::none(String::new()),
            false => {
                eprintln!("measuring {}", bar.name);
                lab.measure(bar.source, wanted.slow)
                    .unwrap_or_else(|error| Measured::none(format!("{error:#}")))
            }
        };
        let row = Row {
            name: bar.name.to_owned(),
            what: bar.what.to_owned(),
            figure: measured.figure.printed(),
            floor: bar.floor.printed(),
            goal: bar.goal.printed(),
            holds: bar.floor.holds(&measured.figure),
            reaches_goal: bar.goal.holds(&measured.figure),
            words: measured.words,
            command: bar.source.command(),
        };
        as_json.push(row.to_json(Some(bar), &measured.figure));
        rows.push((row, measured.differences));
    }
    // What the bench told besides.
    for line in lab.bench.get().into_iter().flatten().flatten() {
        if !BARS
            .iter()
            .any(|bar| matches!(bar.source, Bench(name) if name == line.bar))
        {
            let figure = Figure::Number(line.figure);
            let row = Row {
                name: line.bar.clone(),
                what: format!("told by the bench, {}", line.unit),
                figure: figure.printed(),
                floor: Limit::Told.printed(),
                goal: Limit::Told.printed(),
                holds: None,
                reaches_goal: None,
                words: String::new(),
                command: bench::COMMAND.to_owned(),
            };
            as_json.push(row.to_json(None, &figure));
            rows.push((row, Vec::new()));
        }
    }
    print_rows(&rows, wanted);
    if let Some(file) = &wanted.json {
        std::fs::write(file, serde_json::to_string_pretty(&as_json)? + "\n")
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    let missed = rows
        .iter()
        .filter(|(row, _)| row.holds == Some(false))
        .count();
    if !wanted.list {
        println!("{missed} of {} missed", rows.len());
    }
    Ok(match wanted.fail && missed > 0 {
        true => ExitCode::from(4),
        false => ExitCode::SUCCESS,
    })
}

fn print_rows(rows: &[(Row, Vec<String>)], wanted: &Wanted) {
    let header = [
        "bar", "figure", "floor", "goal", "", "what", "counted", "command",
    ];
    let mut table = vec![header.map(str::to_owned)];
    for (row, _) in rows {
        let verdict = match wanted.list {
            true => "",
            false => row.verdict(),
        };
        // A long reason stands below the table.
        let words = row.words.lines().next().unwrap_or_default();
        table.push([
            row.name.clone(),
            row.figure.clone(),
            row.floor.clone(),
            row.goal.clone(),
            verdict.to_owned(),
            row.what.clone(),
            words.chars().take(60).collect(),
            row.command.clone(),
        ]);
    }
    let mut widths = [0; 8];
    for line in &table {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    for line in &table {
        let cells: Vec<String> = line
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        println!("{}", cells.join("  ").trim_end());
    }
    println!();
    for (row, differences) in rows {
        let told = row.words.chars().count() > 60 || row.words.lines().count() > 1;
        if told {
            println!("{}: {}", row.name, row.words);
        }
        for one in differences.iter().take(wanted.show) {
            println!("{}: {one}", row.name);
        }
        if differences.len() > wanted.show {
            println!("{}: and {} more", row.name, differences.len() - wanted.show);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_holds_or_not() {
        assert_eq!(AtLeast(85.0).holds(&Figure::Number(85.0)), Some(true));
        assert_eq!(AtLeast(85.0).holds(&Figure::Number(84.9)), Some(false));
        assert_eq!(AtMost(0.1).holds(&Figure::Number(0.2)), Some(false));
        assert_eq!(True.holds(&Figure::True(true)), Some(true));
        assert_eq!(True.holds(&Figure::None), Some(false));
        assert_eq!(AtMost(1.0).holds(&Figure::None), Some(false));
        assert_eq!(Told.holds(&Figure::Number(1.0)), None);
    }

    #[test]
    fn files_not_read_are_counted_without_testdata() {
        let row = |file: &str| json!({"file": file, "lines": [3], "reason": "why"});
        let report = json!({"files": 1000, "left_out": [row("a/b.go"), row("a/c.bin")],
            "not_in_full": [row("x/testdata/y.go"), row("x/z.go")]});
        let measured = files_read(&report).unwrap();
        assert_eq!(measured.differences, ["x/z.go: why", "a/b.go: why"]);
        assert_eq!(measured.words, "2 of 1000");
        assert!(matches!(measured.figure, Figure::Number(share) if share == 0.2));
        assert!(files_read(&json!({"files": 0, "left_out": [], "not_in_full": []})).is_err());
        assert!(files_read(&json!({})).is_err());
    }

    #[test]
    fn closing_lines_are_summed() {
        let printed = "test result: ok. 3 passed; 0 failed; 1 ignored\nnoise\n\
                       test result: FAILED. 1 passed; 2 failed; 0 ignored\n";
        assert_eq!(count_tests(printed), (4, 2));
    }

    #[test]
    fn names_of_bars_are_distinct() {
        let mut names: Vec<_> = BARS.iter().map(|bar| bar.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), BARS.len());
    }
}
