//! `cargo bench -p codeweft-testing --bench spine`: cold index, edits, questions and memory, on
//! generated code and on the Go standard library of this machine. `-- --quick` measures less,
//! `-- --part edits` the edits in the standard library alone.
//! Where CODEWEFT_BENCH_JSON names a file, every figure is a line of JSON there too. Nothing is
//! asserted: figures are told, bars are held by `cargo xtask bars`.

mod cold;
mod corpus;
mod edits;
mod memory;
mod operations;
mod report;

use std::process::ExitCode;

use codeweft_ide::World;
use corpus::Corpus;
use report::Report;

fn main() -> ExitCode {
    let (mut quick, mut edits_only) = (false, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => quick = true,
            "--part" if arguments.next().as_deref() == Some("edits") => edits_only = true,
            // `cargo bench` passes the one, `cargo xtask bars` the other.
            "--bench" | "--json" => {}
            // `cargo test --benches` only wants to know that it starts.
            "--test" => return ExitCode::SUCCESS,
            other => {
                eprintln!("spine: {other} is no argument; there are --quick, --part edits");
                return ExitCode::from(2);
            }
        }
    }
    let mut report = Report::default();
    if !edits_only {
        generated(&mut report, quick);
    }
    match Corpus::standard_library() {
        Ok(corpus) if edits_only => edits_in_standard_library(&mut report, &corpus, quick),
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
    let drawn = edits::draw(&host, drawn(quick));
    let host = edits::measure(report, host, &drawn, "");
    memory::ingredients(host);
}

fn edits_in_standard_library(report: &mut Report, corpus: &Corpus, quick: bool) {
    report.head("Edits in the Go standard library with cmd");
    let host = World::load(corpus.options()).expect("the corpus is a workspace");
    host.index_all(0, &|_| {});
    let drawn = edits::draw(&host, drawn(quick));
    edits::measure(report, host, &drawn, "");
}

/// How many edits are drawn.
fn drawn(quick: bool) -> usize {
    if quick { 30 } else { 300 }
}
