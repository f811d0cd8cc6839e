//! The bars of the store, of the SQL engine and of the exports that others read: issue 16.

use std::cell::OnceCell;
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::lab::{Measured, shared};
use super::list::{Bar, Limit, Source};
use crate::product::Product;
use crate::{place, repositories, scip};

use Limit::{AtLeast, AtMost, Reported, True};

/// A figure of issue 16.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Figure {
    /// What the slow tests of both engines print about Go's library, by the words around it.
    Engines(&'static str),
    /// The memory of a question about a function that thousands call, beside one that nothing calls, in MB.
    Heap,
    /// The tests of the store that kill it a thousand times.
    Kills,
    /// The least share of the judge of SCIP: with the places where scip-go contradicts itself, or without.
    Scip { all_places: bool },
    /// The errors of `scip lint`.
    ScipErrors,
    /// The questions across repositories to which an engine gave other rows than plain dictionaries.
    Repositories,
}

/// The outputs that several figures are of.
#[derive(Default)]
pub struct SqlLab {
    engines: OnceCell<Result<String, String>>,
    scip: OnceCell<Result<Value, String>>,
    repositories: OnceCell<Result<[Value; 2], String>>,
}

const fn bar(
    name: &'static str,
    what: &'static str,
    (floor, goal): (Limit, Limit),
    source: Source,
) -> Bar {
    Bar {
        issue: 16,
        name,
        what,
        floor,
        goal,
        source,
    }
}

/// All bars.
pub const BARS: &[Bar] = &[
    bar(
        "two-engines",
        "1,000 questions about Go's library, SQL beside the live engine: other ids, sites, totals, or false completeness",
        (AtMost(0.0), Reported),
        Source::Sql(Figure::Engines("disagreements")),
    ),
    bar(
        "store-share",
        "the SQLite export of Go's library, in sizes of its sources",
        (AtMost(1.5), AtMost(1.35)),
        Source::Sql(Figure::Engines("sources")),
    ),
    bar(
        "sql-callers",
        "callers to depth 3 of 300 functions of Go's library by SQL, p95 on a processor, ms",
        (AtMost(20.0), Reported),
        Source::Sql(Figure::Engines("p95")),
    ),
    bar(
        "sql-hub",
        "the same of fmt.Sprintf, ms",
        (AtMost(250.0), Reported),
        Source::Sql(Figure::Engines("fmt.Sprintf")),
    ),
    bar(
        "sql-heap",
        "the same: memory beside that of a question about a function without callers, MB",
        (AtMost(5.0), Reported),
        Source::Sql(Figure::Heap),
    ),
    bar(
        "store-kills",
        "1,000 kills of a process that writes the store, in migrations and under readers too: every reopening is whole",
        (True, Reported),
        Source::Sql(Figure::Kills),
    ),
    bar(
        "store-exact",
        "an edit of Go's library until the store has its exact rows, p99, ms",
        (AtMost(1_000.0), Reported),
        Source::LiveBench("store-exact"),
    ),
    bar(
        "store-sets",
        "the same until it has what may run, p99, ms",
        (AtMost(5_000.0), Reported),
        Source::LiveBench("store-sets"),
    ),
    bar(
        "store-burst",
        "an edit each 150 ms: the age of the oldest that the store lacks, p99, ms",
        (AtMost(5_000.0), AtMost(1_000.0)),
        Source::LiveBench("store-burst"),
    ),
    bar(
        "edits-without-store",
        "an edit to its answer without a store, by turns with the next, p99, ms",
        (Reported, Reported),
        Source::LiveBench("edits-without-store"),
    ),
    bar(
        "edits-with-store",
        "an edit to its answer with a store, p99, ms",
        (AtMost(100.0), Reported),
        Source::LiveBench("edits-with-store"),
    ),
    bar(
        "store-tables",
        "the tables of an export: full text beside a model, plans, refused statements, context by bytes",
        (True, Reported),
        Source::CrateTests("codeweft-store", "sqlite"),
    ),
    bar(
        "exports-read",
        "SCIP, Parquet and monikers: each read back by a reader that is not ours",
        (True, Reported),
        Source::CrateTests("codeweft-store", "named"),
    ),
    bar(
        "scip-agreement",
        "five modules: least share of the places of both indexes with scip-go's symbol, but where scip-go contradicts itself",
        (AtLeast(0.999), Reported),
        Source::Sql(Figure::Scip { all_places: false }),
    ),
    bar(
        "scip-agreement-all",
        "the same with the methods of other modules' interfaces, for which scip-go has two symbols",
        (Reported, AtLeast(0.999)),
        Source::Sql(Figure::Scip { all_places: true }),
    ),
    bar(
        "scip-lint",
        "the same: errors of scip lint but for its own order",
        (AtMost(0.0), Reported),
        Source::Sql(Figure::ScipErrors),
    ),
    bar(
        "three-engines",
        "twelve modules and eight packages: questions across them that DuckDB, DataFusion or Spark answers otherwise than plain dictionaries",
        (AtMost(0.0), Reported),
        Source::Sql(Figure::Repositories),
    ),
];

/// Returns the command that measures a figure alone.
pub fn command(figure: Figure) -> &'static str {
    match figure {
        Figure::Engines(_) => {
            "CODEWEFT_SLOW=1 cargo test --release -p codeweft-store --test engines -- --nocapture"
        }
        Figure::Heap => "codeweft query callers fmt.Sprintf --depth 3 --db FILE, peak memory",
        Figure::Kills => {
            "CODEWEFT_SLOW=1 cargo test --release -p codeweft-store --lib thousand_kills"
        }
        Figure::Scip { .. } | Figure::ScipErrors => "cargo xtask judge scip",
        Figure::Repositories => "cargo xtask judge repositories",
    }
}

/// Measures a figure.
pub fn measure<'p>(
    lab: &SqlLab,
    figure: Figure,
    product: impl FnOnce() -> Result<&'p Product>,
) -> Result<Measured> {
    match figure {
        Figure::Engines(words) => {
            let printed = shared(&lab.engines, engines)?;
            let found = figure_in(printed, words);
            found.with_context(|| format!("the tests printed no {words} of Go's library"))
        }
        Figure::Heap => heap(product()?),
        Figure::Kills => kills(),
        Figure::Scip { all_places } => {
            let figures = shared(&lab.scip, scip::figures)?;
            let name = if all_places {
                "share"
            } else {
                "without_contradictions"
            };
            Ok(least(figures, name))
        }
        Figure::ScipErrors => {
            let figures = shared(&lab.scip, scip::figures)?;
            let modules = figures.as_object().context("no modules")?;
            let errors = modules.values().filter_map(|one| one["lint"].as_f64());
            Ok(Measured::number(
                errors.sum(),
                format!("{} modules", modules.len()),
            ))
        }
        Figure::Repositories => {
            let said = shared(&lab.repositories, repositories::figures)?;
            let outcomes = said.iter().filter_map(|one| one["engines"].as_object());
            let (mut asked, mut differences) = (0, Vec::new());
            for outcome in outcomes.flat_map(|engines| engines.values()) {
                asked += outcome["asked"].as_u64().unwrap_or_default();
                let differ = outcome["differ"].as_array().into_iter().flatten();
                differences.extend(differ.filter_map(Value::as_str).map(str::to_owned));
            }
            Ok(Measured {
                differences: differences.clone(),
                ..Measured::number(differences.len() as f64, format!("{asked} questions"))
            })
        }
    }
}

fn engines() -> Result<String> {
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["test", "--quiet", "--release", "-p", "codeweft-store"])
        .args(["--test", "engines", "--", "--nocapture", "gos_library"])
        .env("CODEWEFT_SLOW", "1")
        .current_dir(place::root());
    // A test that fails has printed its figures.
    let output = place::output(&mut command)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the number before or behind some words in what the engines' tests print about Go's library.
///
/// ```text
/// go: 0 disagreements about the graph
/// go: callers to depth 3 of 300 functions, on a processor: p50 0.10 p95 7.40 p99 30.00 max 90.00 ms
/// go: fmt.Sprintf to depth 3: 17999 nodes in 120.0 ms
/// ```
fn figure_in(printed: &str, words: &str) -> Option<Measured> {
    let mut lines = printed
        .lines()
        .filter_map(|line| line.split_once("go: ").map(|(_, rest)| rest));
    let line = lines.find(|line| line.contains(words))?;
    let (before, behind) = line.split_once(words)?;
    let number = |text: &str| text.parse::<f64>().ok();
    let found = match words {
        "disagreements" | "sources" => before.split(' ').rev().find_map(number),
        "p95" => behind.split(' ').find_map(number),
        _ => behind.split(' ').filter_map(number).next_back(),
    };
    found.map(|figure| Measured::number(figure, line.to_owned()))
}

fn kills() -> Result<Measured> {
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["test", "--quiet", "--release", "-p", "codeweft-store"])
        .args(["--lib", "thousand_kills", "--", "--nocapture"])
        .env("CODEWEFT_SLOW", "1")
        .current_dir(place::root());
    let output = place::output(&mut command)?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let line = printed.lines().find(|line| line.contains(" kills, "));
    let Some(line) = line else {
        return Ok(Measured::none("no kill was made".to_owned()));
    };
    Ok(Measured {
        figure: super::Figure::True(output.status.success()),
        ..Measured::number(0.0, line.to_owned())
    })
}

/// Runs a program and prints the most memory that it had, in KiB.
const PEAK: &str = "import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)";

fn heap(product: &Product) -> Result<Measured> {
    let file = place::work()?.join("sql-heap.db");
    let mut export = Command::new(product.binary());
    export
        .args(["export", "--quiet", "--format", "sqlite", "--root"])
        .arg(place::goroot_src()?)
        .arg("--output")
        .arg(&file);
    place::stdout(&mut export)?;
    let peak = |target: &str| -> Result<f64> {
        let mut command = Command::new("python3");
        command
            .args(["-c", PEAK])
            .arg(product.binary())
            .args(["query", "callers", target, "--depth", "3", "--db"])
            .arg(&file);
        let printed = place::stdout(&mut command)?;
        Ok(printed.trim().parse::<f64>()? * 1024.0 / 1e6)
    };
    // Its callers to depth 3 fill the page cache, of two million bytes, and are a hundredth of the hub's.
    let (hub, leaf) = (peak("fmt.Sprintf")?, peak("strconv.Quote")?);
    std::fs::remove_file(&file)?;
    Ok(Measured::number(
        hub - leaf,
        format!("{hub:.1} MB, beside {leaf:.1} of strconv.Quote"),
    ))
}

/// Returns the least of a share over modules.
fn least(figures: &Value, name: &str) -> Measured {
    let modules = figures.as_object().into_iter().flatten();
    let shares = modules.filter_map(|(module, one)| Some((one[name].as_f64()?, module)));
    match shares.min_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((share, module)) => Measured::number(share, module.clone()),
        None => Measured::none("no module was compared".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_from_the_words_around_them() {
        let printed = "test … go: the file has 120 bytes, 1.402 of its sources\ngo: 0 disagreements about the graph\n\
            go: callers to depth 3 of 300 functions, on a processor: p50 0.10 p95 7.40 p99 30.00 max 90.00 ms\n\
            go: fmt.Sprintf to depth 3: 17999 nodes in 120.5 ms\n";
        let figure = |words: &str| match figure_in(printed, words).map(|one| one.figure) {
            Some(super::super::Figure::Number(number)) => Some(number),
            _ => None,
        };
        assert_eq!(figure("disagreements"), Some(0.0));
        assert_eq!(figure("sources"), Some(1.402));
        assert_eq!(figure("p95"), Some(7.4));
        assert_eq!(figure("fmt.Sprintf"), Some(120.5));
        assert_eq!(figure("sync.Mutex.Lock"), None);
    }
}
