//! `cargo bench -p codeweft-testing --bench python`: cold index, edits, new functions, questions, memory
//! and the opening of a module that others infer from, on Python's own library, on sympy and on Django, if
//! they were fetched. `-- --quick` measures less, `-- --part sympy:open` one part alone. If
//! CODEWEFT_BENCH_JSON names a file, every figure is also written there as a line of JSON. Nothing
//! is asserted: the figures are compared with their floors by `cargo xtask bars`.

#[path = "../spine/clock.rs"]
#[expect(dead_code, reason = "this bench measures wall time alone")]
mod clock;
mod cold;
mod corpus;
mod declaration;
mod edits;
mod functions;
#[path = "../spine/ingredients.rs"]
mod ingredients;
mod opening;
#[path = "../spine/operations.rs"]
mod operations;
mod questions;
#[path = "../spine/report.rs"]
mod report;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use corpus::Corpus;
use report::Report;

/// The product's allocator (`codeweft/src/main.rs`).
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const JSON: &str = "CODEWEFT_BENCH_JSON";

/// The parts of a corpus.
const PARTS: [&str; 4] = ["cold", "open", "questions", "declaration"];

fn main() -> ExitCode {
    let mut quick = false;
    let mut part = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => quick = true,
            "--part" => part = arguments.next(),
            // `cargo bench` passes the one, `cargo xtask bars` the other.
            "--bench" | "--json" => {}
            // `cargo test --benches` only checks that it starts.
            "--test" => return ExitCode::SUCCESS,
            other => {
                eprintln!("python: {other} is no argument; there are --quick and --part");
                return ExitCode::from(2);
            }
        }
    }
    let done = match part {
        Some(part) => one(&part, quick),
        None => every(quick),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(words) => {
            eprintln!("python: {words}");
            ExitCode::FAILURE
        }
    }
}

/// Measures a part in this process.
fn one(part: &str, quick: bool) -> Result<(), String> {
    let (name, what) = part.split_once(':').unwrap_or((part, ""));
    let corpora = corpus::all()?;
    let corpus = corpora.iter().find(|corpus| corpus.name == name);
    let corpus = corpus.ok_or_else(|| format!("no corpus {name}"))?;
    let mut report = Report::default();
    report.head(&format!("{name}: {}", corpus.root.display()));
    match what {
        "cold" => cold_and_edits(&mut report, corpus, quick),
        "open" => opening::measure(&mut report, corpus),
        "questions" => questions::measure(&mut report, corpus, quick),
        "declaration" => new_functions(&mut report, corpus, quick),
        _ => {
            let parts = PARTS.join(", ");
            return Err(format!("no part {what} of {name}; there are {parts}"));
        }
    }
    report.write().map_err(|error| error.to_string())
}

/// Measures every part in a process of its own, so that none starts with the memory of another.
fn every(quick: bool) -> Result<(), String> {
    let corpora = corpus::all()?;
    let text = |error: std::io::Error| error.to_string();
    let program = std::env::current_exe().map_err(text)?;
    let lines = tempfile::NamedTempFile::new().map_err(text)?;
    let mut gathered = String::new();
    for corpus in &corpora {
        for what in PARTS {
            let mut command = Command::new(&program);
            command.args(["--part", &format!("{}:{what}", corpus.name)]);
            command.args(quick.then_some("--quick"));
            command.env(JSON, lines.path());
            let status = command.status().map_err(text)?;
            if !status.success() {
                return Err(format!("{}:{what} ended with {status}", corpus.name));
            }
            gathered += &std::fs::read_to_string(lines.path()).map_err(text)?;
        }
    }
    let Some(path) = std::env::var_os(JSON).map(PathBuf::from) else {
        return Ok(());
    };
    let mut file = std::fs::File::create(path).map_err(text)?;
    file.write_all(gathered.as_bytes()).map_err(text)
}

fn cold_and_edits(report: &mut Report, corpus: &Corpus, quick: bool) {
    let host = cold::measure(report, corpus);
    let files = functions::read(&host);
    let count = if quick { 20 } else { 100 };
    let sampling = [
        ("edit", 2 * count, edits::Where::Small),
        ("edit-cycle", count, edits::Where::Cycle(&corpus.cycle)),
        ("edit-medium", count / 2, edits::Where::Medium),
        ("edit-large", count / 2, edits::Where::Large),
    ];
    let mut host = host;
    for (bar, count, place) in sampling {
        let drawn = edits::draw(&files, count, &place);
        let bar = format!("{}-{bar}", corpus.name);
        host = edits::measure(report, host, &drawn, &bar, &place);
    }
}

fn new_functions(report: &mut Report, corpus: &Corpus, quick: bool) {
    let mut host = corpus.served();
    let files = functions::read(&host);
    let drawn = edits::draw(&files, if quick { 20 } else { 100 }, &edits::Where::Any);
    let bar = format!("{}-new-declaration", corpus.name);
    declaration::measure(report, &mut host, &drawn, &bar);
}
