//! Soundness of answers to `callers` and `callees` that claim to be complete: compared with the calls
//! that were observed while a package's own tests ran.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::product::Product;
use crate::{corpora, place};

use super::interpreter::{Interpreter, environment};
use super::packages::Package;
use super::trace::{self, Tests, Tracer};

/// The packages that are queried.
pub const PACKAGES: [&str; 8] = [
    "click",
    "jinja2",
    "httpx",
    "flask",
    "werkzeug",
    "starlette",
    "attrs",
    "marshmallow",
];

/// The reasons of incompleteness of Python's answers. Each must be effective: with it disabled,
/// some answer is complete although it lacks a caller that ran.
pub const REASONS: [&str; 9] = [
    "unknown_receiver",
    "function_value",
    "dynamic_attribute",
    "decorated",
    "special_method",
    "unknown_base",
    "called_by_name",
    "escapes",
    "parse_error",
];

/// The result of the judge's program for one tree.
#[derive(Deserialize, Default, Debug)]
pub struct Outcome {
    /// Counts by name: `asked`, `complete`, `lacking`, `functions` and others.
    pub rows: BTreeMap<String, usize>,
    /// The numbers of incomplete answers by their first reason.
    pub reasons: BTreeMap<String, usize>,
    /// Complete answers that lack a caller that ran.
    #[serde(rename = "false")]
    pub lacking: Vec<Lacking>,
    /// By reason, what disabling it makes complete.
    pub mutants: BTreeMap<String, Mutant>,
    /// The answers to `callees`.
    #[serde(skip)]
    pub callees: Callees,
}

/// The result for answers to `callees`.
#[derive(Deserialize, Default, Debug)]
pub struct Callees {
    /// Counts by name: `asked`, `complete`, `lacking` and others.
    rows: BTreeMap<String, usize>,
    /// Complete answers that lack a callee that ran.
    #[serde(rename = "false")]
    pub lacking: Vec<LackingCallee>,
}

/// An answer that lacks a callee that ran.
#[derive(Deserialize, Clone, Debug)]
pub struct LackingCallee {
    /// How the callee was run, in a few words.
    pub cause: String,
    pub caller: String,
    pub callee: String,
    pub site: String,
}

/// An answer that lacks a caller that ran.
#[derive(Deserialize, Clone, Debug)]
pub struct Lacking {
    /// The origin of the caller: `tree`, `made`, `library` or `runner`.
    pub kind: String,
    /// How the function was run, in a few words.
    pub cause: String,
    pub callee: String,
    pub place: String,
    pub caller: String,
    pub site: String,
}

/// The effect of disabling a reason.
#[derive(Deserialize, Default, Debug)]
pub struct Mutant {
    /// Answers that are then complete.
    pub complete: usize,
    /// Those of them that lack a caller that ran.
    pub lacking: usize,
}

impl Outcome {
    /// Returns a count; 0 if there is none of that name.
    pub fn count(&self, row: &str) -> usize {
        self.rows.get(row).copied().unwrap_or_default()
    }

    /// Adds the result of another tree.
    pub fn add(&mut self, other: &Outcome) {
        for (name, count) in &other.rows {
            *self.rows.entry(name.clone()).or_default() += count;
        }
        for (name, count) in &other.reasons {
            *self.reasons.entry(name.clone()).or_default() += count;
        }
        self.lacking.extend(other.lacking.iter().cloned());
        for (name, count) in &other.callees.rows {
            *self.callees.rows.entry(name.clone()).or_default() += count;
        }
        self.callees
            .lacking
            .extend(other.callees.lacking.iter().cloned());
        self.add_mutants(other);
    }

    /// Adds the mutants of another tree.
    pub fn add_mutants(&mut self, other: &Outcome) {
        for (name, mutant) in &other.mutants {
            let all = self.mutants.entry(name.clone()).or_default();
            all.complete += mutant.complete;
            all.lacking += mutant.lacking;
        }
    }

    /// Returns the reasons that had no effect.
    pub fn unseen(&self) -> Vec<&'static str> {
        let seen = |reason: &&str| self.mutants.get(*reason).is_some_and(|one| one.lacking > 0);
        REASONS.into_iter().filter(|one| !seen(one)).collect()
    }

    /// Returns the share of answers that are complete.
    pub fn share(&self) -> Option<f64> {
        let queried = self.count("asked");
        (queried > 0).then(|| self.count("complete") as f64 / queried as f64)
    }

    /// Returns the mutants as text.
    pub fn mutants_in_words(&self) -> String {
        let words = self
            .mutants
            .iter()
            .map(|(reason, mutant)| format!("{reason} {} of {}", mutant.lacking, mutant.complete));
        words.collect::<Vec<_>>().join(", ")
    }
}

impl Callees {
    /// Returns a count; 0 if there is none of that name.
    pub fn count(&self, row: &str) -> usize {
        self.rows.get(row).copied().unwrap_or_default()
    }
}

impl LackingCallee {
    /// Returns one line.
    pub fn words(&self) -> String {
        let LackingCallee {
            cause,
            caller,
            callee,
            site,
        } = self;
        format!("{caller} lacks {callee} at {site}\t{cause}")
    }
}

impl Lacking {
    /// Returns one line.
    pub fn words(&self) -> String {
        let Lacking {
            kind,
            cause,
            callee,
            place,
            caller,
            site,
        } = self;
        format!("{callee} ({place}) lacks {caller} at {site}\t{kind}: {cause}")
    }
}

/// The result for a package, and the tests behind it.
pub struct Judged {
    pub outcome: Outcome,
    pub tests: Tests,
    /// The output of the judge's program.
    pub printed: String,
}

/// Traces the package's tests if needed, queries the callers of everything that ran, and compares.
pub fn of(product: &Product, package: &str, show: usize) -> Result<Judged> {
    of_package(product, Package::traced(package)?, show)
}

/// Does the same for a package of any list.
pub fn of_package(product: &Product, package: &Package, show: usize) -> Result<Judged> {
    let trace = trace::of(package, Tracer::Callers)?;
    let python = environment(&corpora::folder()?, package.requirements)?;
    let installed = python.parent().and_then(Path::parent);
    let figures = place::work()?.join(format!("callers-{}.json", package.label()));
    let wanted = Wanted {
        product,
        tree: &trace.tree,
        trace: &trace.lines,
        environment: installed,
        figures,
        show,
    };
    let (mut outcome, mut printed) = run_judge(&wanted)?;
    let figures = place::work()?.join(format!("callees-{}.json", package.label()));
    let wanted = Wanted { figures, ..wanted };
    printed.push_str("callees:\n");
    printed.push_str(&place::stdout(&mut command(&wanted, "ask_callees.py"))?);
    outcome.callees = serde_json::from_str(&read_text(&wanted.figures)?)?;
    Ok(Judged {
        outcome,
        tests: trace.tests,
        printed,
    })
}

/// The inputs of the judge's program.
pub struct Wanted<'a> {
    pub product: &'a Product,
    pub tree: &'a Path,
    pub trace: &'a Path,
    /// The virtual environment whose packages the index reads.
    pub environment: Option<&'a Path>,
    /// The file for the figures.
    pub figures: PathBuf,
    pub show: usize,
}

/// Runs the judge's program; returns the figures and its output.
pub fn run_judge(wanted: &Wanted<'_>) -> Result<(Outcome, String)> {
    let printed = place::stdout(&mut command(wanted, "ask_callers.py"))?;
    Ok((read(&wanted.figures)?, printed))
}

/// Returns the command that runs one of the judge's programs.
fn command(wanted: &Wanted<'_>, program: &str) -> Command {
    let mut command = Command::new("python3");
    command
        .arg("-B")
        .arg(super::programs().join(program))
        .args([wanted.tree, wanted.trace])
        .arg("--binary")
        .arg(wanted.product.binary())
        .arg("--json")
        .arg(&wanted.figures)
        .args(["--show", &wanted.show.to_string()]);
    if let Some(environment) = wanted.environment {
        command.arg("--environment").arg(environment);
    }
    command
}

/// Does the same on programs of our own, each of which runs functions in ways of its kind.
pub fn of_programs(product: &Product) -> Result<Outcome> {
    let figures = place::work()?.join("callers-ways.json");
    let output = place::output(&mut programs(product, &figures)?)?;
    if !output.status.success() {
        eprintln!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    read(&figures)
}

/// Returns the command that queries the programs of our own and writes the figures.
fn programs(product: &Product, figures: &Path) -> Result<Command> {
    let mut command = Command::new(Interpreter::find()?.program);
    command
        .arg("-B")
        .arg(super::programs().join("check_callers.py"))
        .arg("--binary")
        .arg(product.binary())
        .arg("--told")
        .arg(figures);
    Ok(command)
}

fn read(figures: &Path) -> Result<Outcome> {
    Ok(serde_json::from_str(&read_text(figures)?)?)
}

fn read_text(figures: &Path) -> Result<String> {
    std::fs::read_to_string(figures).with_context(|| format!("cannot read {}", figures.display()))
}

/// Judges a package, or all, and prints; returns the figures over all.
pub fn judge_and_print(package: Option<&str>, show: usize) -> Result<Value> {
    let product = Product::build()?;
    let mut all = Outcome::default();
    let packages = package.map_or(PACKAGES.to_vec(), |one| vec![one]);
    for package in &packages {
        let judged = of(&product, package, show)?;
        println!("# {package}: {}\n{}", judged.tests.words(), judged.printed);
        all.add(&judged.outcome);
    }
    if packages.len() > 1 {
        println!(
            "# all: {} functions ran, {} answers, {} complete, {} of them lack a caller that ran",
            all.count("functions"),
            all.count("asked"),
            all.count("complete"),
            all.count("lacking")
        );
        println!(
            "# all: callees of {} functions, {} complete, {} of them lack a callee that ran",
            all.callees.count("asked"),
            all.callees.count("complete"),
            all.callees.lacking.len()
        );
        println!("muted: {}", all.mutants_in_words());
    }
    Ok(
        json!({"rows": all.rows, "reasons": all.reasons, "mutants": all.mutants_in_words(),
        "lacking": all.lacking.iter().map(Lacking::words).collect::<Vec<_>>(),
        "callees": all.callees.rows,
        "lacking_callees": all.callees.lacking.iter().map(LackingCallee::words).collect::<Vec<_>>()}),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_about_every_way_to_run_a_function_lack_none_and_need_every_reason() {
        if let Err(error) = Interpreter::find() {
            eprintln!("skipped: {error:#}");
            return;
        }
        let product = Product::build_for_tests().unwrap();
        let figures = place::work().unwrap().join("tests-ways.json");
        let printed = place::stdout(&mut programs(&product, &figures).unwrap()).unwrap();
        let checks = printed.lines().filter(|line| line.starts_with("ok "));
        assert!(checks.count() >= 5, "{printed}");
    }

    #[test]
    fn outcomes_add_up_and_list_the_reasons_without_effect() {
        let text = r#"{"rows": {"asked": 4, "complete": 2, "functions": 4}, "reasons": {"escapes": 2},
            "false": [], "errors": {}, "mutants": {"escapes": {"complete": 2, "lacking": 1, "seen": []}}}"#;
        let mut all: Outcome = serde_json::from_str(text).unwrap();
        all.add(&serde_json::from_str(text).unwrap());
        assert_eq!((all.count("asked"), all.share()), (8, Some(0.5)));
        assert_eq!(all.mutants_in_words(), "escapes 2 of 4");
        assert_eq!(all.unseen().len(), REASONS.len() - 1);
    }
}
