//! `cargo bench -p codeweft-testing --bench spine`: cold index, edits, queries, memory and growth,
//! on the Go standard library of this machine and on generated code. `-- --part NAME` measures one
//! part (it may be repeated), `-- --quick` measures less, `-- --best N` makes every edit N times
//! and counts the fastest, `-- --cpu` reports processor time of all threads instead of wall time;
//! the last two are for machines that run something else too. If CODEWEFT_BENCH_JSON names a file,
//! every figure is also written there as a line of JSON. Nothing is asserted: the figures are
//! compared with their floors by `cargo xtask bars`.

mod analysis;
mod change;
mod clock;
mod cold;
mod corpus;
mod declaration;
mod edits;
mod growth;
mod ingredients;
mod memory;
mod operations;
mod report;
mod retrieval;
mod signature;

use std::process::ExitCode;

use codeweft_workspace::ProjectDatabase;
use corpus::Corpus;
use report::Report;

/// The product's allocator (`codeweft/src/main.rs`).
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// The parts, and the figures of each.
const PARTS: [(&str, &str); 13] = [
    ("generated", "cold, edits and comments in generated code"),
    ("growth", "growth-cold, growth-memory, growth-memos"),
    (
        "comment",
        "comment: queries of others that a comment or a blank line runs",
    ),
    ("cold", "cold"),
    (
        "memory",
        "memory-per-byte, after 1,000 questions over all operations",
    ),
    (
        "operations",
        "operations-lot, operations-used, question-slowest",
    ),
    ("deep", "deep-lot, deep-used, question-slowest"),
    ("analysis", "analysis-near, analysis-whole, analysis-first"),
    ("change", "change-median, change, change-memory"),
    (
        "edits",
        "first-touch, edit-under-50kb, edit-under-150kb, edit-above-150kb",
    ),
    (
        "declaration",
        "new-declaration, removed-declaration: a function added and removed",
    ),
    ("signature", "signature"),
    (
        "retrieval",
        "bundle-first, bundle, bundle-edit, in generated code and in the library",
    ),
];

/// The options of a run.
struct Wanted {
    quick: bool,
    parts: Vec<String>,
    /// The number of times that an edit is made; the fastest counts.
    best: usize,
}

impl Wanted {
    fn has(&self, part: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|wanted| wanted == part)
    }

    /// Returns `few` if less is to be measured, else `many`.
    fn count(&self, few: usize, many: usize) -> usize {
        if self.quick { few } else { many }
    }
}

fn main() -> ExitCode {
    let mut wanted = Wanted {
        quick: false,
        parts: Vec::new(),
        best: 1,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => wanted.quick = true,
            "--part" => wanted.parts.extend(arguments.next()),
            "--best" => {
                let times = arguments.next().and_then(|times| times.parse().ok());
                wanted.best = times.unwrap_or(1).max(1);
            }
            "--cpu" => clock::by_processor(),
            // One size of generated code, in a process of its own.
            growth::ALONE => return growth::alone(arguments.next()),
            // `cargo bench` passes the one, `cargo xtask bars` the other.
            "--bench" | "--json" => {}
            // `cargo test --benches` only checks that it starts.
            "--test" => return ExitCode::SUCCESS,
            other => {
                eprintln!(
                    "spine: {other} is no argument; there are --quick, --best N, --cpu, --part NAME"
                );
                return ExitCode::from(2);
            }
        }
    }
    let unknown = |part: &&String| PARTS.iter().all(|(name, _)| name != part);
    if let Some(part) = wanted.parts.iter().find(unknown) {
        eprintln!("spine: there is no part {part}; there are:");
        for (name, lines) in PARTS {
            eprintln!("  {name:12} {lines}");
        }
        return ExitCode::from(2);
    }
    let mut report = Report::default();
    if wanted.has("generated") {
        generated(&mut report, &wanted);
    }
    if wanted.has("retrieval") {
        report.head("Retrieval in generated code of 50,000 lines");
        let corpus = Corpus::generated(wanted.count(20, 130));
        let host = ProjectDatabase::load(corpus.options()).expect("the corpus is a workspace");
        let drawn = edits::draw(&host, wanted.count(30, 300));
        retrieval::measure(&mut report, host, &drawn, "-generated");
    }
    if wanted.has("growth") {
        growth::measure(&mut report, wanted.quick);
    }
    if wanted.has("comment") {
        growth::comment(&mut report);
    }
    let parts = [
        "cold",
        "memory",
        "operations",
        "deep",
        "analysis",
        "change",
        "edits",
        "declaration",
        "signature",
        "retrieval",
    ];
    if parts.iter().any(|part| wanted.has(part)) {
        match Corpus::standard_library() {
            Ok(corpus) => standard_library(&mut report, &corpus, &wanted),
            Err(words) => println!("\nskipped: the Go standard library: {words}"),
        }
    }
    match report.write() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("spine: {error}");
            ExitCode::FAILURE
        }
    }
}

fn generated(report: &mut Report, wanted: &Wanted) {
    report.head("Generated code");
    let corpus = Corpus::generated(wanted.count(20, 200));
    let host = cold::measure(report, &corpus, "generated");
    let found = edits::draw(&host, 100);
    edits::measure(report, host, &found, "-generated", wanted.best);
}

fn standard_library(report: &mut Report, corpus: &Corpus, wanted: &Wanted) {
    report.head("The Go standard library with cmd");
    let mut host = if wanted.has("cold") {
        cold::measure(report, corpus, "")
    } else {
        let host = ProjectDatabase::load(corpus.options()).expect("the corpus is a workspace");
        host.index_all(0, &|_| {});
        host
    };
    if wanted.has("memory") {
        let asked = operations::ask_everything(&host, wanted.count(100, 1000));
        println!("  {asked} questions over all operations");
        memory::resident(report, &host);
    }
    let mut slowest = None;
    if wanted.has("operations") {
        let count = wanted.count(100, 1000);
        slowest = slowest.max(Some(operations::near(report, &host, count, "")));
    }
    if wanted.has("deep") {
        let count = wanted.count(50, 1000);
        slowest = slowest.max(Some(operations::deep(report, &host, count, "")));
    }
    if wanted.has("analysis") {
        analysis::measure(report, &host, wanted.count(5, 100));
    }
    if wanted.has("change") {
        host = change::measure(report, host, wanted.count(3, 20));
    }
    if let Some(slowest) = slowest {
        operations::slowest(report, "", slowest);
    }
    if wanted.has("edits") {
        let drawn = edits::draw(&host, wanted.count(30, 300));
        host = edits::measure(report, host, &drawn, "", wanted.best);
    }
    if wanted.has("declaration") {
        let drawn = edits::draw(&host, wanted.count(30, 300));
        host = declaration::measure(report, host, &drawn);
    }
    if wanted.has("signature") {
        host = signature::measure(report, host, wanted.count(1, 3));
    }
    if wanted.has("retrieval") {
        let drawn = edits::draw(&host, wanted.count(30, 300));
        host = retrieval::measure(report, host, &drawn, "");
    }
    if wanted.has("memory") {
        ingredients::print(host);
    }
}
