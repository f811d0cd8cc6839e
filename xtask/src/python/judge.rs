//! An export of a package with its tests against the trace of those tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use serde_json::Value;

use crate::judge::Score;
use crate::place;
use crate::product::Product;

use super::packages::Package;
use super::trace::{self, Tests, Trace, Tracer};

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
    let export = match &wanted.export {
        Some(file) => file.clone(),
        None => export(&Product::build()?, package, &trace)?,
    };
    let (figures, printed) = compare(package, &trace, &export, wanted.show)?;
    Ok(Judged {
        score: Score::read(&figures, printed)?,
        tests: trace.tests,
    })
}

/// Exports the traced tree.
pub fn export(product: &Product, package: &Package, trace: &Trace) -> Result<PathBuf> {
    let file = place::work()?.join(format!("export-{}.json", package.label()));
    product.export(&trace.tree, "calls,embeds", &file)?;
    Ok(file)
}

/// Compares an export with a trace; returns the file of the figures, and what `score.py` prints.
pub fn compare(
    package: &Package,
    trace: &Trace,
    export: &Path,
    show: usize,
) -> Result<(PathBuf, String)> {
    let figures = place::work()?.join(format!("score-{}.json", package.label()));
    let mut command = Command::new("python3");
    command.arg("-B").arg(super::programs().join("score.py"));
    command.arg(export).arg(&trace.lines);
    for folder in package.tests {
        command.arg("--tests").arg(format!("{folder}/"));
    }
    command.arg("--show").arg(show.to_string());
    command.arg("--json").arg(&figures);
    let printed = place::stdout(&mut command)?;
    Ok((figures, printed))
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
