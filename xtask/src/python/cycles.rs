//! The largest import cycle of each measured corpus, so that a bench can edit in it without a
//! Python.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{corpora, place};

use super::interpreter::Interpreter;
use super::packages::{PACKAGES, library};

/// The package, besides the library, that edits are measured on: more than 300,000 lines of pure
/// Python.
pub const MEASURED: &str = "sympy";

/// Fetches the bench's corpora, and writes, beside each, the files of its largest import cycle:
/// `sympy-1.14.0.cycle`, a path a line. Returns the folder of the corpora.
pub fn of_measured() -> Result<PathBuf> {
    let package = PACKAGES.iter().find(|one| one.name == MEASURED);
    let package = package.context("the list of packages lacks the measured one")?;
    for tree in [library()?, package.bring()?] {
        write(&tree)?;
    }
    corpora::folder()
}

fn write(tree: &Path) -> Result<()> {
    let name = tree.file_name().unwrap_or_default().to_string_lossy();
    let list = tree.with_file_name(format!("{name}.cycle"));
    if list.is_file() {
        return Ok(());
    }
    let output = place::stdout(
        Command::new(Interpreter::find()?.program)
            .arg("-B")
            .arg(super::programs().join("declared.py"))
            .arg(tree)
            .arg("cycle"),
    )?;
    let mut files = String::new();
    for line in output.lines() {
        let row: super::declared::Row = serde_json::from_str(line)?;
        files += &row.file;
        files.push('\n');
    }
    std::fs::write(&list, files).with_context(|| format!("cannot write {}", list.display()))
}
