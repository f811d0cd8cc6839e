//! The answers of `declared.py` about Python's own library.

use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::place;

use super::interpreter::Interpreter;
use super::packages::library;

/// One line; fields that a question does not set are empty.
#[derive(Deserialize, Default, Debug, Clone)]
#[serde(default)]
pub struct Row {
    pub id: String,
    pub file: String,
    pub line: u64,
    pub column: u64,
    pub kind: String,
    pub depth: u64,
    pub distance: u64,
    /// Whether every binding of the names on the way leads there.
    pub sure: bool,
}

impl Row {
    /// Returns `file:line:column`.
    pub fn place(&self) -> String {
        format!("{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Returns the answer to a question, given as arguments of `declared.py`; cached until the program
/// or the release of Python changes.
pub fn ask(words: &[&str]) -> Result<Vec<Row>> {
    let root = library()?;
    let interpreter = Interpreter::find()?;
    let programs = super::programs();
    let program = programs.join("declared.py");
    let key = super::key(&[
        &std::fs::read(&program)?,
        &std::fs::read(programs.join("binding.py"))?,
        interpreter.version.as_bytes(),
        root.as_os_str().as_encoded_bytes(),
        words.join(" ").as_bytes(),
    ]);
    let kept = place::work()?.join(format!("declared-{key}.jsonl"));
    let output = match std::fs::read_to_string(&kept) {
        Ok(output) => output,
        Err(_) => {
            let mut command = Command::new(&interpreter.program);
            command.arg("-B").arg(&program).arg(&root).args(words);
            let output = place::stdout(&mut command)?;
            std::fs::write(&kept, &output)?;
            output
        }
    };
    output
        .lines()
        .map(|line| serde_json::from_str(line).with_context(|| format!("not a row: {line}")))
        .collect()
}
