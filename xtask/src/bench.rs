//! The figures of `cargo bench`: if the variable CODEWEFT_BENCH_JSON names a file, a bench of this
//! repository writes a line of JSON there for every figure: `{"bar": NAME, "figure": NUMBER,
//! "unit": WORDS}`.

use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::python::cycles;
use crate::{place, race};

/// A bench, by its command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bench {
    /// On Go's library.
    Spine,
    /// On Python's library and a large package.
    Python,
    /// Both frontends on Go's and Python's library.
    Live,
    /// Other language servers beside ours: not a bench of cargo, but as one.
    Race,
}

/// All benches.
pub const BENCHES: [Bench; 4] = [Bench::Spine, Bench::Python, Bench::Live, Bench::Race];

/// One figure.
#[derive(Deserialize, Debug, PartialEq)]
pub struct Line {
    pub bar: String,
    pub figure: f64,
    #[serde(default)]
    pub unit: String,
}

impl Bench {
    /// Returns the command behind the figures.
    pub const fn command(self) -> &'static str {
        match self {
            Bench::Spine => "cargo bench -p codeweft-testing --bench spine -- --json",
            Bench::Python => "cargo bench -p codeweft-testing --bench python -- --json",
            Bench::Live => "cargo bench -p codeweft --bench live -- --json",
            Bench::Race => "cargo xtask race --gopls BIN --ty BIN",
        }
    }

    /// Returns the variable that names a file with the figures of a run before.
    const fn lines_variable(self) -> &'static str {
        match self {
            Bench::Spine => "CODEWEFT_SPINE_LINES",
            Bench::Python => "CODEWEFT_PYTHON_LINES",
            Bench::Live => "CODEWEFT_LIVE_LINES",
            Bench::Race => "CODEWEFT_RACE_LINES",
        }
    }

    /// Fetches the corpora and runs the bench. The benches are slow: if a variable names a file
    /// (CODEWEFT_LIVE_LINES for the one of both frontends), the figures are those that runs of its parts
    /// have written there.
    pub fn run(self) -> Result<Vec<Line>> {
        let words = self.command();
        if let Some(file) = std::env::var_os(self.lines_variable()) {
            println!("{words}: read from {}", file.display());
            let text = std::fs::read_to_string(&file).context("there are no such lines")?;
            return lines(&text);
        }
        let file = place::work()?.join(format!("bench-{self:?}.jsonl"));
        match std::fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        if self == Bench::Race {
            race::write(&file)?;
            return lines(&std::fs::read_to_string(&file)?);
        }
        let mut command = Command::new(env!("CARGO"));
        command
            .args(words.split(' ').skip(1))
            .env("CODEWEFT_BENCH_JSON", &file)
            .current_dir(place::root());
        if self != Bench::Spine {
            command.env("CODEWEFT_CORPORA", cycles::of_measured()?);
        }
        let output = place::output(&mut command)?;
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            bail!("{words}: {}", errors.lines().last().unwrap_or_default());
        }
        let text = std::fs::read_to_string(&file).context("the bench wrote no figures")?;
        lines(&text)
    }
}

/// Returns whether a command is one of a bench.
pub fn is_bench(command: &str) -> bool {
    BENCHES.iter().any(|bench| bench.command() == command)
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
