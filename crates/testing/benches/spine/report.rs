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

    /// Adds a named figure, for other programs as well.
    pub fn figure(&mut self, bar: &str, figure: f64, unit: &str, words: &str) {
        println!("  {words:<66} {figure:>10.2} {unit}");
        let line = serde_json::json!({"bar": bar, "figure": figure, "unit": unit});
        self.lines.push(line);
    }

    /// Adds a distribution of times; its 99th percentile is the figure.
    pub fn spread(&mut self, bar: &str, times: Vec<Duration>, words: &str) {
        let (words, figure) = spread_of(times, words);
        match figure {
            Some(figure) => self.figure(bar, figure, "ms", &words),
            None => println!("  {words}"),
        }
    }

    /// Adds the median of times.
    #[allow(dead_code, reason = "each bench uses its part")]
    pub fn middle(&mut self, bar: &str, times: &[Duration], words: &str) {
        let mut times = times.to_vec();
        times.sort_unstable();
        if let Some(middle) = times.get(times.len() / 2) {
            let words = format!("{words}, the median");
            self.figure(bar, middle.as_secs_f64() * 1e3, "ms", &words);
        }
    }

    /// Prints a distribution of times, for people only.
    #[allow(dead_code, reason = "each bench uses its part")]
    pub fn print_spread(&self, times: Vec<Duration>, words: &str) {
        let (words, figure) = spread_of(times, words);
        println!("  {words:<66} {:>10.2} ms", figure.unwrap_or_default());
    }

    /// Writes the lines to the file that CODEWEFT_BENCH_JSON names.
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

/// Returns a distribution of times as text, and its 99th percentile in milliseconds; `None` if
/// there are no times.
fn spread_of(mut times: Vec<Duration>, words: &str) -> (String, Option<f64>) {
    times.sort_unstable();
    let at = |percent: usize| {
        let rank = (times.len() * percent).div_ceil(100).max(1);
        times.get(rank - 1).map(|time| time.as_secs_f64() * 1e3)
    };
    let (Some(middle), Some(most), Some(figure)) = (at(50), at(100), at(99)) else {
        return (format!("{words}: none"), None);
    };
    let count = times.len();
    let words = format!("{words}: {count} times, p50 {middle:.2}, max {most:.2}, p99");
    (words, Some(figure))
}
