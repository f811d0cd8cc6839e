//! Figures: a table for people, lines of JSON for `cargo xtask bars`.

use std::io::Write;
use std::time::Duration;

/// The figures so far.
#[derive(Default)]
pub struct Report {
    lines: Vec<serde_json::Value>,
}

impl Report {
    /// Begins a part.
    pub fn head(&mut self, words: &str) {
        println!("\n{words}");
    }

    /// A figure that has a name for other programs.
    pub fn figure(&mut self, bar: &str, figure: f64, unit: &str, words: &str) {
        println!("  {words:<66} {figure:>10.2} {unit}");
        let line = serde_json::json!({"bar": bar, "figure": figure, "unit": unit});
        self.lines.push(line);
    }

    /// The spread of times; its 99th percentile is the figure.
    pub fn spread(&mut self, bar: &str, mut times: Vec<Duration>, words: &str) {
        if times.is_empty() {
            println!("  {words:<66} {:>10}", "none");
            return;
        }
        times.sort_unstable();
        let at = |percent: usize| {
            let rank = (times.len() * percent).div_ceil(100).max(1);
            times[rank - 1].as_secs_f64() * 1e3
        };
        let words = format!(
            "{words}: {} times, p50 {:.2}, max {:.2}, p99",
            times.len(),
            at(50),
            at(100)
        );
        self.figure(bar, at(99), "ms", &words);
    }

    /// Writes the lines where CODEWEFT_BENCH_JSON says.
    pub fn write(&self) -> std::io::Result<()> {
        let Some(path) = std::env::var_os("CODEWEFT_BENCH_JSON") else {
            return Ok(());
        };
        let mut file = std::fs::File::create(path)?;
        for line in &self.lines {
            writeln!(file, "{line}")?;
        }
        file.flush()
    }
}
