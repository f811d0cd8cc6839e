//! The lines of `cargo bench`: where the variable CODEWEFT_BENCH_JSON names a file, the bench
//! `spine` writes a line of JSON there for every figure: `{"bar": NAME, "figure": NUMBER, "unit": WORDS}`.

use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::place;

/// The command behind the figures.
pub const COMMAND: &str = "cargo bench -p codeweft-testing --bench spine -- --json";

/// One figure.
#[derive(Deserialize, Debug, PartialEq)]
pub struct Line {
    pub bar: String,
    pub figure: f64,
    #[serde(default)]
    pub unit: String,
}

/// Runs the bench.
pub fn run() -> Result<Vec<Line>> {
    let file = place::work()?.join("bench.jsonl");
    match std::fs::remove_file(&file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    let mut command = Command::new(env!("CARGO"));
    command
        .args(COMMAND.split(' ').skip(1))
        .env("CODEWEFT_BENCH_JSON", &file)
        .current_dir(place::root());
    let output = place::output(&mut command)?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        bail!("{COMMAND}: {}", errors.lines().last().unwrap_or_default());
    }
    let text = std::fs::read_to_string(&file).context("the bench wrote no figures")?;
    lines(&text)
}

fn lines(text: &str) -> Result<Vec<Line>> {
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).with_context(|| format!("no figure: {line}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_figure() {
        let read = lines("{\"bar\": \"cold\", \"figure\": 2.5, \"unit\": \"times\"}\n\n").unwrap();
        assert_eq!(read.len(), 1);
        assert_eq!((read[0].bar.as_str(), read[0].figure), ("cold", 2.5));
        assert!(lines("not JSON").is_err());
    }
}
