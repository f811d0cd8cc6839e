//! An export of a package with its tests against the trace of those tests.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;
use serde_json::Value;

use crate::judge::Score;
use crate::place;
use crate::product::Product;

use super::packages::Package;
use super::trace::{self, Tests, Tracer};

/// The inputs of a comparison.
pub struct Comparison {
    /// A package of the list.
    pub package: String,
    /// An export to score instead of a new one.
    pub export: Option<PathBuf>,
    pub show: usize,
}

/// A score and the tests behind it.
pub struct Judged {
    pub score: Score,
    pub tests: Tests,
}

/// Traces the package's tests if needed, exports the same tree, and compares.
pub fn score(wanted: &Comparison) -> Result<Judged> {
    let package = Package::traced(&wanted.package)?;
    let trace = trace::of(package, Tracer::Calls)?;
    let work = place::work()?;
    let export = match &wanted.export {
        Some(file) => file.clone(),
        None => {
            let file = work.join(format!("export-{}.json", package.label()));
            Product::build()?.export(&trace.tree, "calls,embeds", &file)?;
            file
        }
    };
    let figures = work.join(format!("score-{}.json", package.label()));
    let printed = place::stdout(
        Command::new("python3")
            .arg("-B")
            .arg(super::programs().join("score.py"))
            .arg(export)
            .arg(&trace.lines)
            .args(["--tests", "tests/", "--show"])
            .arg(wanted.show.to_string())
            .arg("--json")
            .arg(&figures),
    )?;
    Ok(Judged {
        score: Score::read(&figures, printed)?,
        tests: trace.tests,
    })
}

/// Scores a package and prints; returns the figures.
pub fn judge_and_print(package: String, export: Option<PathBuf>, show: usize) -> Result<Value> {
    let judged = score(&Comparison {
        package,
        export,
        show,
    })?;
    println!("{}", judged.tests.words());
    judged.score.print();
    Ok(judged.score.to_json())
}

#[cfg(test)]
mod tests {
    use super::super::interpreter::Interpreter;
    use super::*;

    #[test]
    fn the_judges_distinguish_right_from_wrong() {
        let interpreter = match Interpreter::find() {
            Ok(found) => found,
            Err(error) => {
                eprintln!("skipped: {error:#}");
                return;
            }
        };
        let output = place::stdout(
            Command::new(interpreter.program)
                .arg("-B")
                .arg(super::super::programs().join("check.py")),
        )
        .unwrap();
        let checks = output
            .lines()
            .filter(|line| line.starts_with("ok "))
            .count();
        assert!(checks >= 19, "{output}");
    }
}
