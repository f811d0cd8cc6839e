//! The bars of the issues: the promised figure, its floor and goal, and the command that measures
//! it.

mod analysis;
mod budgets;
mod complete;
mod flow;
mod fresh_clone;
mod go;
mod knowledge;
mod lab;
mod list;
mod live;
mod names;
mod python;
mod record;
mod references;
mod retrieval;
mod secrets;
mod sizes;
mod sql;
mod start;
mod structure;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use lab::{Lab, Measured};
use list::{Bar, Limit, Source};

/// The selected bars, and the use of their figures.
pub struct Wanted {
    pub issue: Option<u32>,
    pub only: Vec<String>,
    pub list: bool,
    pub slow: bool,
    pub json: Option<PathBuf>,
    pub show: usize,
    pub fail: bool,
    pub record: bool,
}

/// A measured figure.
pub enum Figure {
    Number(f64),
    True(bool),
    /// It could not be measured.
    None,
    /// It was not selected.
    Skipped,
}

impl Figure {
    fn printed(&self) -> String {
        match self {
            Figure::Number(number) => {
                let text = format!("{number:.3}");
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            }
            Figure::True(right) => right.to_string(),
            Figure::None | Figure::Skipped => "not measured".to_owned(),
        }
    }
}

/// A row of the table.
pub struct Row {
    name: String,
    what: String,
    figure: String,
    floor: String,
    goal: String,
    holds: Option<bool>,
    reaches_goal: Option<bool>,
    words: String,
    command: String,
}

impl Row {
    /// Returns whether there is a figure.
    fn is_measured(&self) -> bool {
        self.figure != Figure::None.printed()
    }

    /// Returns how it was counted, without the time that it took.
    fn counted(&self) -> Option<&str> {
        let words = self.words.split(" (").next().unwrap_or_default();
        (!words.is_empty()).then_some(words)
    }

    fn verdict(&self) -> &'static str {
        match (self.holds, self.reaches_goal) {
            (Some(false), _) => "MISSED",
            (_, Some(true)) => "goal",
            (Some(true), _) => "holds",
            (None, _) => "told",
        }
    }

    fn to_json(&self, bar: Option<&Bar>, figure: &Figure) -> Value {
        json!({
            "bar": self.name,
            "issue": bar.map(|bar| bar.issue),
            "what": self.what,
            "figure": match figure {
                Figure::Number(number) => json!(number),
                Figure::True(right) => json!(right),
                Figure::None | Figure::Skipped => Value::Null,
            },
            "floor": self.floor,
            "goal": self.goal,
            "verdict": self.verdict(),
            "words": self.words,
            "command": self.command,
        })
    }
}

/// Measures and prints.
pub fn run(wanted: &Wanted) -> Result<ExitCode> {
    let lab = Lab::default();
    let load = record::load();
    let chosen = list::all().filter(|bar| {
        wanted.issue.is_none_or(|issue| issue == bar.issue)
            && (wanted.only.is_empty() || wanted.only.iter().any(|one| means(one, bar.name)))
    });
    let mut rows = Vec::new();
    let mut as_json = Vec::new();
    for bar in chosen {
        let measured = if wanted.list {
            Measured::none(String::new())
        } else {
            eprintln!("measuring {}", bar.name);
            lab.measure(bar.source, wanted.slow)
                .unwrap_or_else(|error| Measured::none(format!("{error:#}")))
        };
        let row = Row {
            name: bar.name.to_owned(),
            what: bar.what.to_owned(),
            figure: measured.figure.printed(),
            floor: bar.floor.printed(),
            goal: bar.goal.printed(),
            holds: bar.floor.holds(&measured.figure),
            reaches_goal: bar.goal.holds(&measured.figure),
            words: measured.words,
            command: bar.source.command(),
        };
        as_json.push(row.to_json(Some(bar), &measured.figure));
        rows.push((row, measured.differences));
    }
    // The further figures of the benches.
    for (bench, line) in lab.benched() {
        let is_bar = |bar: &Bar| matches!(bar.source, Source::Bench(name) | Source::PythonBench(name) | Source::LiveBench(name) | Source::Race(name) if name == line.bar);
        if !list::all().any(is_bar) {
            let figure = Figure::Number(line.figure);
            let row = Row {
                name: line.bar.clone(),
                what: format!("reported by the bench, {}", line.unit),
                figure: figure.printed(),
                floor: Limit::Reported.printed(),
                goal: Limit::Reported.printed(),
                holds: None,
                reaches_goal: None,
                words: String::new(),
                command: bench.command().to_owned(),
            };
            as_json.push(row.to_json(None, &figure));
            rows.push((row, Vec::new()));
        }
    }
    print_rows(&rows, wanted);
    if wanted.record {
        record::write(rows.iter().map(|(row, _)| row), &load)?;
    }
    if let Some(file) = &wanted.json {
        std::fs::write(file, serde_json::to_string_pretty(&as_json)? + "\n")
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    let missed = rows
        .iter()
        .filter(|(row, _)| row.holds == Some(false))
        .count();
    if !wanted.list {
        println!("{missed} of {} missed", rows.len());
    }
    Ok(if wanted.fail && missed > 0 {
        ExitCode::from(4)
    } else {
        ExitCode::SUCCESS
    })
}

fn print_rows(rows: &[(Row, Vec<String>)], wanted: &Wanted) {
    let header = [
        "bar", "figure", "floor", "goal", "", "what", "counted", "command",
    ];
    let mut table = vec![header.map(str::to_owned)];
    for (row, _) in rows {
        let verdict = if wanted.list { "" } else { row.verdict() };
        // A long reason is printed below the table.
        let words = row.words.lines().next().unwrap_or_default();
        table.push([
            row.name.clone(),
            row.figure.clone(),
            row.floor.clone(),
            row.goal.clone(),
            verdict.to_owned(),
            row.what.clone(),
            words.chars().take(60).collect(),
            row.command.clone(),
        ]);
    }
    let mut widths = [0; 8];
    for line in &table {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    for line in &table {
        let cells: Vec<String> = line
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        println!("{}", cells.join("  ").trim_end());
    }
    println!();
    for (row, differences) in rows {
        let is_long = row.words.chars().count() > 60 || row.words.lines().count() > 1;
        if is_long {
            println!("{}: {}", row.name, row.words);
        }
        for one in differences.iter().take(wanted.show) {
            println!("{}: {one}", row.name);
        }
        if differences.len() > wanted.show {
            println!("{}: and {} more", row.name, differences.len() - wanted.show);
        }
    }
}
/// Returns whether a word of `--only` selects a bar: the bar of that name, else every bar whose
/// name contains it.
fn means(word: &str, name: &str) -> bool {
    if list::all().any(|bar| bar.name == word) {
        name == word
    } else {
        name.contains(word)
    }
}
