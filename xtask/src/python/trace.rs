//! A package's own tests, run once under the tracer.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::{corpora, place};

use super::interpreter::environment;
use super::packages::{Package, TESTS};

/// The result of a traced run.
pub struct Trace {
    /// The traced tree: the workspace to export.
    pub tree: PathBuf,
    /// The tracer's lines.
    pub lines: PathBuf,
    pub tests: Tests,
}

/// The results of the tests.
#[derive(Serialize, Deserialize, Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tests {
    pub passed: u64,
    pub failed: u64,
    pub errors: u64,
    pub skipped: u64,
}

/// The metadata beside a trace.
#[derive(Serialize, Deserialize)]
struct Kept {
    key: String,
    tests: Tests,
}

impl Tests {
    /// Returns `628 tests passed, 0 failed, 0 errors`.
    pub fn words(self) -> String {
        format!(
            "{} tests passed, {} failed, {} errors",
            self.passed, self.failed, self.errors
        )
    }

    /// Parses the closing line of pytest: `3 failed, 14 passed, 1 skipped in 22.59s`.
    fn read(printed: &str) -> Option<Tests> {
        let counts = printed.lines().rev().find_map(|line| {
            let (counts, time) = line.trim_matches(['=', ' ']).rsplit_once(" in ")?;
            time.contains('s').then_some(counts)
        })?;
        let mut tests = Tests::default();
        for count in counts.split(", ") {
            let (number, word) = count.split_once(' ')?;
            let number: u64 = number.parse().ok()?;
            match word {
                "passed" => tests.passed = number,
                "failed" => tests.failed = number,
                "error" | "errors" => tests.errors = number,
                "skipped" => tests.skipped = number,
                _ => {}
            }
        }
        Some(tests)
    }
}

/// Returns whether test files could not be loaded: then the trace lacks what they would have run.
fn failed_to_collect(printed: &str) -> Option<&str> {
    printed
        .lines()
        .map(|line| line.trim_matches(['_', ' ']))
        .find(|line| line.starts_with("ERROR collecting "))
}

/// The kind of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tracer {
    /// The calls between functions of the tree.
    Calls,
    /// All callers of each function of the tree, inside and outside of it.
    Callers,
}

impl Tracer {
    /// Returns its program, with those that it imports.
    fn programs(self) -> &'static [&'static str] {
        match self {
            Tracer::Calls => &["trace_calls.py"],
            Tracer::Callers => &["trace_callers.py", "trace_calls.py"],
        }
    }

    /// Returns the name of a package's cached trace.
    fn kept(self, package: &Package) -> String {
        match self {
            Tracer::Calls => package.label(),
            Tracer::Callers => format!("{}.callers", package.label()),
        }
    }
}

/// Returns the trace of a package: cached beside the corpora until the tracer, the requirements or
/// the way to run it change.
pub fn of(package: &Package, tracer: Tracer) -> Result<Trace> {
    let words = package.traced.context("its tests are not traced")?;
    let tree = package.bring()?.canonicalize()?;
    let corpora = corpora::folder()?;
    let python = environment(&corpora, package.requirements)?;
    let programs: Vec<PathBuf> = (tracer.programs().iter())
        .map(|name| super::programs().join(name))
        .collect();
    let texts = programs
        .iter()
        .map(std::fs::read)
        .collect::<Result<Vec<_>, _>>()?;
    let version = place::stdout(Command::new(&python).arg("--version"))?;
    let (texts, required) = (texts.concat(), std::fs::read(package.requirements.file())?);
    let (label, run, tests) = (package.label(), words.join(" "), package.tests.join(" "));
    let mut parts: Vec<&[u8]> = vec![&texts, &required];
    parts.extend([version.as_bytes(), label.as_bytes(), run.as_bytes()]);
    if package.tests != TESTS {
        parts.push(tests.as_bytes());
    }
    let key = super::key(&parts);
    let folder = corpora.join("traces");
    std::fs::create_dir_all(&folder)?;
    let lines = folder.join(format!("{}.jsonl", tracer.kept(package)));
    let beside = folder.join(format!("{}.tests.json", tracer.kept(package)));
    if let Ok(text) = std::fs::read_to_string(&beside)
        && let Ok(kept) = serde_json::from_str::<Kept>(&text)
        && kept.key == key
        && lines.is_file()
    {
        let tests = kept.tests;
        return Ok(Trace { tree, lines, tests });
    }
    imports_the_tree(&python, package, &tree)?;
    let partial = lines.with_extension("partial");
    let mut command = surroundings(&python, package, &tree);
    command.arg("-B").args(programs.first());
    command.arg("--root").arg(&tree);
    command.arg("--out").arg(&partial);
    command.args(["--", "-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    command.arg("--continue-on-collection-errors");
    command.args(words).args(package.tests);
    let output = place::output(&mut command)?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = printed.lines().last().unwrap_or_default();
    if let Some(error) = failed_to_collect(&printed) {
        bail!(
            "no measurement: the tests of {} were not all collected: {error}",
            package.label()
        );
    }
    // 1: some tests failed. All other codes of pytest mean that the run did not complete.
    if !matches!(output.status.code(), Some(0 | 1)) {
        bail!(
            "the tests of {} ended with {}: {last} {}",
            package.label(),
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    let tests = Tests::read(&printed).filter(|tests| tests.passed > 0);
    let tests = tests.with_context(|| format!("pytest told no test that passed: {last}"))?;
    std::fs::rename(&partial, &lines)?;
    std::fs::write(&beside, serde_json::to_string(&Kept { key, tests })?)?;
    Ok(Trace { tree, lines, tests })
}

/// Returns the command to run Python in the tree, with the tree's own package first on the path.
fn surroundings(python: &Path, package: &Package, tree: &Path) -> Command {
    let mut command = Command::new(python);
    command
        .current_dir(tree)
        .env("PYTHONPATH", tree.join(package.path))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONHASHSEED", "0")
        .stdin(Stdio::null());
    for name in [
        "PYTEST_ADDOPTS",
        "PYTEST_PLUGINS",
        "PYTHONHOME",
        "PYTHONSTARTUP",
    ] {
        command.env_remove(name);
    }
    command
}

/// Checks that the tree is imported: a trace of an installed copy would be empty.
fn imports_the_tree(python: &Path, package: &Package, tree: &Path) -> Result<()> {
    let output = place::stdout(surroundings(python, package, tree).arg("-c").arg(format!(
        "import os, {name}; print(os.path.realpath({name}.__file__))",
        name = package.module
    )))?;
    if !Path::new(output.trim()).starts_with(tree) {
        bail!(
            "the tests of {} would import {}",
            package.label(),
            output.trim()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_line_of_pytest_is_counted() {
        let read = Tests::read("....\n3 failed, 14 passed, 1 skipped, 2 xfailed in 22.59s\n");
        let expected = Tests {
            passed: 14,
            failed: 3,
            errors: 0,
            skipped: 1,
        };
        assert_eq!(read, Some(expected));
        let read = Tests::read("== 2 passed, 1 error in 61.20s (0:01:01) ==\n").unwrap();
        assert_eq!((read.passed, read.errors), (2, 1));
        assert_eq!(Tests::read("no tests ran\n"), None);
    }

    #[test]
    fn a_test_file_that_was_not_collected_is_reported() {
        let printed = "....\n____ ERROR collecting tests/test_a.py ____\nE   ImportError\n";
        assert_eq!(
            failed_to_collect(printed),
            Some("ERROR collecting tests/test_a.py")
        );
        assert_eq!(failed_to_collect("1 passed in 0.1s\n"), None);
    }
}
