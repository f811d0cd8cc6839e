//! `cargo bench -p codeweft-testing --bench spine`: cold index, edits, questions and memory, on
//! generated code and on the Go standard library of this machine. `-- --quick` measures less.
//! Where CODEWEFT_BENCH_JSON names a file, every figure is a line of JSON there too. Nothing is
//! asserted: figures are told, bars are held by `cargo xtask bars`.

mod cold;
mod corpus;
mod edits;
mod memory;
mod operations;
mod report;

use std::process::ExitCode;

use corpus::Corpus;
use report::Report;

fn main() -> ExitCode {
    let mut quick = false;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--quick" => quick = true,
            // `cargo bench` passes the one, `cargo xtask bars` the other.
            "--bench" | "--json" => {}
            // `cargo test --benches` only wants to know that it starts.
            "--test" => return ExitCode::SUCCESS,
            other => {
                eprintln!("spine: {other} is no argument; there is --quick");
                return ExitCode::from(2);
            }
        }
    }
    let mut report = Report::default();
    generated(&mut report, quick);
    match Corpus::standard_library() {
        Ok(corpus) => standard_library(&mut report, &corpus, quick),
        Err(words) => println!("\nskipped: the Go standard library: {words}"),
    }
    match report.write() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("spine: {error}");
            ExitCode::FAILURE
        }
    }
}

fn generated(report: &mut Report, quick: bool) {
    report.head("Generated code");
    let sizes: &[(&str, usize)] = match quick {
        true => &[("small", 20)],
        false => &[("small", 50), ("medium", 200), ("large", 400)],
    };
    let mut before: Option<cold::Cold> = None;
    for &(name, packages) in sizes {
        let corpus = Corpus::generated(packages);
        let (host, cold) = cold::measure(report, &corpus, name);
        if name == "medium" || quick {
            let found = edits::draw(&host, 100);
            edits::measure(report, host, &found, "-generated");
        }
        if let Some(before) = before.filter(|_| name == "large") {
            let growth = cold.seconds / before.seconds;
            report.figure(
                "growth-cold",
                growth,
                "times",
                "cold, large against medium: twice the code",
            );
        }
        before = Some(cold);
    }
}

fn standard_library(report: &mut Report, corpus: &Corpus, quick: bool) {
    report.head("The Go standard library with cmd");
    let (host, cold) = cold::measure(report, corpus, "");
    operations::measure(report, &host, if quick { 100 } else { 1000 });
    memory::resident(report, &host, cold.bytes);
    let drawn = edits::draw(&host, if quick { 30 } else { 300 });
    let host = edits::measure(report, host, &drawn, "");
    memory::ingredients(host);
}
