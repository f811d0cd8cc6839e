//! Measurement: computes the figures of bars from their sources, each source once.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::rc::Rc;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::asks;
use crate::bench::{BENCHES, Bench, Line};
use crate::completeness::{self, Outcome};
use crate::house;
use crate::judge::{self, Comparison, Score};
use crate::judged::{self, OfModule};
use crate::product::Product;
use crate::python::{self, completeness as answers, flow::Figures, judge::Judged};
use crate::questions::{Questions, Verdict};
use crate::retrieval::Set;
use crate::{locals, modules, place, tokens};

use super::complete::TracedResults;
use super::go::{COMMANDS, WHOLE};
use super::list::Source;
use super::python::{TARGETS, TRACED};
use super::{Figure, names, references, sizes, sql, structure};

/// A figure with how it was counted.
pub struct Measured {
    pub figure: Figure,
    pub words: String,
    pub differences: Vec<String>,
}

impl Measured {
    /// Returns a number with how it was counted.
    pub fn number(number: f64, words: String) -> Measured {
        Measured {
            figure: Figure::Number(number),
            words,
            differences: Vec::new(),
        }
    }

    /// Returns a missing figure with the reason.
    pub fn none(words: String) -> Measured {
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

/// The sources of figures, each made on first use and once.
#[derive(Default)]
pub struct Lab {
    product: OnceCell<Result<Product, String>>,
    index: OnceCell<Result<Value, String>>,
    score: OnceCell<Result<Score, String>>,
    whole_score: OnceCell<Result<Score, String>>,
    export: OnceCell<Result<PathBuf, String>>,
    export_of_references: OnceCell<Result<PathBuf, String>>,
    modules: Kept<OfModule>,
    commands: Kept<Score>,
    completeness: OnceCell<Result<Outcome, String>>,
    module_completeness: Kept<Outcome>,
    ran: TracedResults,
    references: OnceCell<Result<Score, String>>,
    whole_references: OnceCell<Result<Score, String>>,
    spine: OnceCell<Result<Vec<Line>, String>>,
    python_bench: OnceCell<Result<Vec<Line>, String>>,
    live_bench: OnceCell<Result<Vec<Line>, String>>,
    race: OnceCell<Result<Vec<Line>, String>>,
    traced: [OnceCell<Result<Judged, String>>; TRACED.len()],
    house: OnceCell<Result<house::House, String>>,
    asked: OnceCell<Result<asks::Asked, String>>,
    sizes: OnceCell<Result<tokens::Score, String>>,
    knowledge: OnceCell<Result<crate::knowledge::Score, String>>,
    flow: OnceCell<Result<Figures, String>>,
    flow_answers: OnceCell<Result<answers::Outcome, String>>,
    secrets: OnceCell<Result<serde_json::Value, String>>,
    sql: sql::SqlLab,
    retrieval: Kept<Value>,
    questions: Questions,
}

/// Values made once for each name.
pub(super) type Kept<T> = RefCell<BTreeMap<&'static str, Result<Rc<T>, String>>>;

/// Returns the value of a name; the first failure is returned again to later callers.
pub(super) fn kept<T>(
    all: &Kept<T>,
    name: &'static str,
    make: impl FnOnce() -> Result<T>,
) -> Result<Rc<T>> {
    if let Some(made) = all.borrow().get(name) {
        return made.clone().map_err(anyhow::Error::msg);
    }
    let made = make().map(Rc::new).map_err(|error| format!("{error:#}"));
    all.borrow_mut().insert(name, made.clone());
    made.map_err(anyhow::Error::msg)
}

/// Returns the value of a cell; the first failure is returned again to later callers.
pub(super) fn shared<T>(
    cell: &OnceCell<Result<T, String>>,
    make: impl FnOnce() -> Result<T>,
) -> Result<&T> {
    match cell.get_or_init(|| make().map_err(|error| format!("{error:#}"))) {
        Ok(value) => Ok(value),
        Err(words) => bail!("{words}"),
    }
}

impl Lab {
    /// The figures of the source of this workspace.
    fn house(&self) -> Result<&house::House> {
        shared(&self.house, || house::measure(&place::root()))
    }

    /// The questions with names as people say them, asked.
    fn asked(&self) -> Result<&asks::Asked> {
        shared(&self.asked, || asks::ask(self.product()?.binary(), None))
    }

    /// The default questions by lot, asked.
    fn sizes(&self) -> Result<&tokens::Score> {
        shared(&self.sizes, || tokens::measure(self.product()?.binary()))
    }

    /// The score of the knowledge graph.
    fn knowledge(&self) -> Result<&crate::knowledge::Score> {
        shared(&self.knowledge, || {
            crate::knowledge::score(self.product()?.binary(), &Default::default())
        })
    }

    /// The pooled score of the edges of the flow of Python's values.
    fn flow(&self) -> Result<&Figures> {
        shared(&self.flow, || python::flow::pooled(self.product()?))
    }

    /// The pooled outcome of the answers of the same packages.
    fn flow_answers(&self) -> Result<&answers::Outcome> {
        shared(&self.flow_answers, || {
            python::flow::pooled_answers(self.product()?)
        })
    }

    /// What `codeweft eval` says of a set of tasks.
    fn retrieval(&self, set: Set) -> Result<Rc<Value>> {
        kept(&self.retrieval, set.name(), || {
            crate::retrieval::score(self.product()?.binary(), set)
        })
    }

    fn product(&self) -> Result<&Product> {
        shared(&self.product, Product::build)
    }

    fn index(&self) -> Result<&Value> {
        shared(&self.index, || {
            self.product()?.index(self.questions.source()?)
        })
    }

    /// Returns an export of Go's library, without or with references.
    fn export(&self, references: bool) -> Result<&PathBuf> {
        let cell = if references {
            &self.export_of_references
        } else {
            &self.export
        };
        shared(cell, || judge::export(self.questions.source()?, references))
    }

    fn scored(&self, packages: &[&str], tests: bool, references: bool) -> Result<Score> {
        judge::score(&Comparison {
            corpus: None,
            packages: packages.iter().map(|one| (*one).to_owned()).collect(),
            tests,
            references,
            export: Some(self.export(references)?.clone()),
            workspace: None,
            show: 0,
        })
    }

    fn score(&self) -> Result<&Score> {
        shared(&self.score, || self.scored(&["net/http"], false, false))
    }

    fn whole_score(&self) -> Result<&Score> {
        shared(&self.whole_score, || self.scored(WHOLE, true, false))
    }

    fn references(&self) -> Result<&Score> {
        shared(&self.references, || self.scored(&["net/http"], false, true))
    }

    fn whole_references(&self) -> Result<&Score> {
        shared(&self.whole_references, || self.scored(WHOLE, true, true))
    }

    /// Returns the scores of a module of the list.
    fn module(&self, path: &'static str) -> Result<Rc<OfModule>> {
        kept(&self.modules, path, || {
            judged::of_module(&modules::find(path)?, 0)
        })
    }

    /// Returns a row of the score of a command of the Go distribution, or of a module.
    fn of_command(
        &self,
        module: Option<&'static str>,
        command: &'static str,
        row: &str,
    ) -> Result<Measured> {
        let Some(module) = module else {
            let score = kept(&self.commands, command, || {
                let source = self.questions.source()?;
                judge::dispatch(source, self.export(false)?, command, None, 0)
            })?;
            return Ok(of_call_graph(&score, row));
        };
        let scores = self.module(module)?;
        let of_it = scores.commands.iter().find(|(name, _)| name == command);
        let (_, score) = of_it.with_context(|| format!("{module} has no {command}"))?;
        Ok(of_call_graph(score, row))
    }

    /// Returns the result for answers that claim to be complete.
    fn completeness(&self) -> Result<&Outcome> {
        shared(&self.completeness, || {
            completeness::measure(
                self.product()?,
                &completeness::Comparison {
                    corpus: self.questions.source()?,
                    packages: WHOLE,
                    tests: true,
                    commands: COMMANDS,
                    workspace: None,
                },
            )
        })
    }

    /// Returns the same for a module of the list, against the call graphs of its commands.
    fn module_completeness(&self, path: &'static str) -> Result<Rc<Outcome>> {
        kept(&self.module_completeness, path, || {
            judged::completeness_of_module(self.product()?, &modules::find(path)?)
        })
    }

    /// Returns the score of definitions of random local identifiers of net/http.
    fn locals(&self) -> Result<Measured> {
        let source = self.questions.source()?;
        let verdict = judge::verdict(source, &["net/http"], &["-uses"])?;
        let lot = locals::sample(&verdict, references::LOCALS)?;
        let outcome = locals::score(self.product()?, source, &lot)?;
        let (right, all) = outcome.counts();
        if all == 0 {
            bail!("the judge knows no local identifier");
        }
        Ok(Measured {
            figure: Figure::Number(right as f64 * 100.0 / all as f64),
            words: outcome.words(),
            differences: outcome.differences,
        })
    }

    /// Returns the score of a traced package.
    fn traced(&self, package: &'static str) -> Result<&Judged> {
        let at = TRACED.iter().position(|one| *one == package);
        let at = at.with_context(|| format!("{package} is not traced"))?;
        shared(&self.traced[at], || {
            python::judge::score(&python::judge::Comparison {
                package: package.to_owned(),
                export: None,
                show: 0,
            })
        })
    }

    fn cell(&self, bench: Bench) -> &OnceCell<Result<Vec<Line>, String>> {
        match bench {
            Bench::Spine => &self.spine,
            Bench::Python => &self.python_bench,
            Bench::Live => &self.live_bench,
            Bench::Race => &self.race,
        }
    }

    fn benched_by(&self, bench: Bench, name: &str) -> Result<Measured> {
        let lines = shared(self.cell(bench), || bench.run())?;
        Ok(match lines.iter().find(|line| line.bar == name) {
            Some(line) => Measured::number(line.figure, line.unit.clone()),
            None => Measured::none(format!("the bench printed no {name}")),
        })
    }

    /// Returns the output of the benches that were run.
    pub fn benched(&self) -> impl Iterator<Item = (Bench, &Line)> {
        BENCHES.into_iter().flat_map(|bench| {
            let lines = match self.cell(bench).get() {
                Some(Ok(lines)) => lines.as_slice(),
                _ => &[],
            };
            lines.iter().map(move |line| (bench, line))
        })
    }

    /// Returns the figure of a source.
    pub fn measure(&self, source: Source, slow: bool) -> Result<Measured> {
        Ok(match source {
            Source::FilesRead => files_read(self.index()?)?,
            Source::Judge(row) => share(self.score()?, row),
            Source::WholeJudge(row) => share(self.whole_score()?, row),
            Source::References(row) => share(self.references()?, row),
            Source::WholeReferences(row) => share(self.whole_references()?, row),
            Source::Module(module, row) => of_types(&self.module(module)?.types, row),
            Source::Command(module, command, row) => self.of_command(module, command, row)?,
            Source::Completeness(row) => of_completeness(self.completeness()?, row),
            Source::CompleteModule(module, row) => {
                of_completeness(&*self.module_completeness(module)?, row)
            }
            Source::RanComplete(package, row) => self.ran.measure(self.product()?, package, row)?,
            Source::Locals => self.locals()?,
            Source::Question(question) => {
                timed(|| question.check(&self.questions, self.product()?))?
            }
            Source::Bench(name) => self.benched_by(Bench::Spine, name)?,
            Source::PythonBench(name) => self.benched_by(Bench::Python, name)?,
            Source::LiveBench(name) => self.benched_by(Bench::Live, name)?,
            Source::Race(name) => self.benched_by(Bench::Race, name)?,
            Source::BinaryTests(file) => tests_of("codeweft", file)?,
            Source::CrateTests(package, file) => tests_of(package, file)?,
            Source::Traced(package, row) => of_trace(self.traced(package)?, row),
            Source::Python(question) => timed(|| question.check(self.product()?))?,
            Source::Tests(filter) => tests(filter)?,
            Source::Answers => structure::measure(|| self.product())?,
            Source::Names(language, share) => names::measure(self.asked()?, language, share),
            Source::Tokens(size) => sizes::measure(self.sizes()?, size),
            Source::Knowledge(name) => super::knowledge::measure(self.knowledge()?, name)?,
            Source::Flow(of) => super::flow::of_edges(self.flow()?, of),
            Source::FlowAnswers(of) => super::flow::of_answers(self.flow_answers()?, of),
            Source::Secrets(name) => {
                super::secrets::measure(shared(&self.secrets, crate::secrets::figures)?, name)
            }
            Source::Sql(figure) => sql::measure(&self.sql, figure, || self.product())?,
            Source::Retrieval(set, share) => {
                super::retrieval::measure(&*self.retrieval(set)?, share)?
            }
            Source::House(metric) => structure::of_source(metric, self.house()?),
            Source::FreshClone if !slow => Measured {
                figure: Figure::Skipped,
                ..Measured::none("takes long: --slow".to_owned())
            },
            Source::FreshClone => super::fresh_clone::measure()?,
        })
    }
}

/// Returns a row of a call graph's score: shares in percent, sizes as factors.
fn of_call_graph(score: &Score, row: &str) -> Measured {
    let words = score.counts(row);
    match score.share(row) {
        Some(times) if row.starts_with("size ") => Measured::number(times, words),
        Some(share) => Measured::number(share * 100.0, words),
        None => Measured::none(words),
    }
}

/// Returns a row of a module's score in percent; skipped if the module has nothing of the kind.
fn of_types(score: &Score, row: &str) -> Measured {
    match share(score, row) {
        Measured {
            figure: Figure::None,
            words,
            ..
        } if words.ends_with("of 0") => Measured {
            figure: Figure::Skipped,
            ..Measured::none("the module has none".to_owned())
        },
        measured => measured,
    }
}

/// Returns a row for answers that claim to be complete: in percent, or as a number for what must
/// not occur.
fn of_completeness(outcome: &Outcome, row: &str) -> Measured {
    let words = outcome.counts(row);
    let (figure, differences) = match row {
        completeness::WITHOUT_STATIC => {
            let none = outcome.complete == 0;
            let count = Figure::Number(outcome.lack_static.len() as f64);
            (
                if none { Figure::None } else { count },
                outcome.lack_static.clone(),
            )
        }
        _ => {
            let share = outcome.share(row);
            let differences = match row {
                completeness::WITHOUT_VTA => outcome.lack_vta.clone(),
                _ => Vec::new(),
            };
            (
                share.map_or(Figure::None, |share| Figure::Number(share * 100.0)),
                differences,
            )
        }
    };
    Measured {
        figure,
        words,
        differences,
    }
}

/// Returns a verdict with the time it took.
fn timed(check: impl FnOnce() -> Result<Verdict>) -> Result<Measured> {
    let started = Instant::now();
    let mut measured = Measured::from(check()?);
    measured.words += &format!(" ({:.0} s)", started.elapsed().as_secs_f64());
    Ok(measured)
}

/// Returns a row of a package's score: in percent, but for the mean of targets; with the test
/// results behind it.
fn of_trace(judged: &Judged, row: &str) -> Measured {
    let words = format!("{}; {}", judged.score.counts(row), judged.tests.words());
    match judged.score.share(row) {
        Some(mean) if row == TARGETS => Measured::number(mean, words),
        Some(share) => Measured::number(share * 100.0, words),
        None => Measured::none(words),
    }
}

/// Returns a row of a score, in percent.
fn share(score: &Score, row: &str) -> Measured {
    match score.share(row) {
        Some(share) => Measured::number(share * 100.0, score.counts(row)),
        None => Measured::none(score.counts(row)),
    }
}

/// Returns the figure from the report of `codeweft index`.
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

/// Runs the tests whose names contain a filter; no match proves nothing.
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
    tested(&mut command, &format!("no test has {filter} in its name"))
}

/// Runs the tests of a package in one file, including the slow ones. A skipped test proves nothing.
fn tests_of(package: &str, file: &str) -> Result<Measured> {
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["test", "--quiet", "--release", "--package", package])
        .args(["--test", file, "--", "--nocapture"])
        .env("CODEWEFT_SLOW", "1")
        .current_dir(place::root());
    tested(&mut command, &format!("{file} has no test"))
}

fn tested(command: &mut Command, none: &str) -> Result<Measured> {
    let output = place::output(command)?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let (passed, failed) = count_tests(&printed);
    if passed + failed == 0 {
        return Ok(Measured::none(if output.status.success() {
            none.to_owned()
        } else {
            "the tests do not build".to_owned()
        }));
    }
    let complained = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines = printed.lines().chain(complained.lines());
    if let Some(skipped) = lines.clone().find(|line| line.starts_with("skipped: ")) {
        return Ok(Measured::none(skipped.to_owned()));
    }
    let compared = lines.filter(|line| line.contains(" compared"));
    let compared: String = compared.map(|line| format!("; {line}")).collect();
    Ok(Measured {
        figure: Figure::True(failed == 0 && output.status.success()),
        words: format!("{passed} passed, {failed} failed{compared}"),
        differences: Vec::new(),
    })
}

/// Returns the sums over cargo's result lines.
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

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
}
