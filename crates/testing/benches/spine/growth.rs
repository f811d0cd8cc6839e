//! Growth on generated code: the cost of a cold index and of an edit at twice the size, and the
//! queries that a comment runs.

use std::process::{Command, ExitCode};

use codeweft_testing::events::{QueryRuns, QueryWatch};
use codeweft_testing::generate::{Size, workspace};
use codeweft_workspace::{ProjectDatabase, process_memory};

use crate::clock::Started;
use crate::corpus::Corpus;
use crate::report::Report;

/// The argument that precedes the number of packages to be measured in a process of its own.
pub const ALONE: &str = "--alone";

/// Measures cold index and memory at one size and at twice that size, and the memos that an edit
/// validates.
pub fn measure(report: &mut Report, quick: bool) {
    report.head("Twice the code");
    let packages = if quick { 100 } else { 400 };
    // The fastest of three: a disturbed process takes longer, but is no larger.
    let best = |packages| {
        let runs = (0..3).filter_map(|_| of_process(packages));
        runs.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1)))
    };
    if let (Some(once), Some(twice)) = (best(packages), best(packages * 2)) {
        println!(
            "  {packages} packages: {:.2} s, {:.0} MB; twice: {:.2} s, {:.0} MB",
            once.0,
            once.1 / 1e6,
            twice.0,
            twice.1 / 1e6
        );
        let words = "cold index at twice the code";
        report.figure("growth-cold", twice.0 / once.0, "times", words);
        let words = "memory at twice the code";
        report.figure("growth-memory", twice.1 / once.1, "times", words);
    }
    // Each package is asked for its imports, and the candidates for more: a constant number of
    // memos for each. The rest must not grow.
    let [once, twice, thrice] = [50, 100, 150].map(validated);
    let each = (twice - once) as f64 / 50.0;
    println!(
        "  an edit validates {once} memos of 50 packages, {twice} of 100, {thrice} of 150: {each:.1} each"
    );
    let more = (thrice as f64 - twice as f64) - (twice as f64 - once as f64);
    let words = "memos that an edit validates more, less those of each unit";
    report.figure("growth-memos", more, "memos", words);
}

/// Returns processor seconds and bytes of a cold index in a process of its own.
fn of_process(packages: usize) -> Option<(f64, f64)> {
    let program = std::env::current_exe().ok()?;
    let output = Command::new(program)
        .args([ALONE, &packages.to_string()])
        .output()
        .ok()?;
    let words = String::from_utf8(output.stdout).ok()?;
    let mut numbers = words.split_whitespace().map(str::parse::<f64>);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// Indexes generated code and prints seconds and bytes of memory.
pub fn alone(packages: Option<String>) -> ExitCode {
    let Some(packages) = packages.and_then(|packages| packages.parse().ok()) else {
        return ExitCode::from(2);
    };
    crate::clock::by_processor();
    let corpus = Corpus::generated(packages);
    let started = Started::now();
    let host = ProjectDatabase::load(corpus.options()).expect("the corpus is a workspace");
    host.index_all(0, &|_| {});
    let seconds = started.elapsed().as_secs_f64();
    println!("{seconds} {}", process_memory().rss_bytes);
    ExitCode::SUCCESS
}

/// Returns a generated workspace with one more package, which is edited and whose function is
/// queried.
fn watched(packages: usize) -> QueryWatch {
    let size = Size {
        packages,
        files: 3,
        functions: 6,
    };
    let mut texts = workspace(1, size);
    texts.insert(
        "edited/x.go".into(),
        "package edited\n\nfunc X(n int) int { return n }\n".into(),
    );
    let body = "package edited\n\nfunc F(n int) int {\n\tn++\n\treturn n\n}\n";
    texts.insert("edited/edited.go".into(), body.into());
    // A constant share of the packages imports it and so is a candidate.
    for package in 0..packages / 10 {
        let text = format!(
            "package asks{package}\n\nimport \"m/edited\"\n\nvar V = edited.X({package})\n"
        );
        texts.insert(format!("asks{package}/asks.go"), text);
    }
    QueryWatch::new(texts, "edited.X")
}

/// Returns the number of memos that an edit validates.
fn validated(packages: usize) -> usize {
    let mut workspace = watched(packages);
    workspace.ask();
    workspace.open("edited/edited.go");
    workspace.ask();
    workspace.replace("edited/edited.go", "\treturn", "\tn = X(n)\n\treturn");
    workspace.ask().validated
}

/// Measures the queries of other files and units that a comment or a blank line runs.
pub fn comment(report: &mut Report) {
    report.head("A comment, a blank line");
    let mut workspace = watched(50);
    workspace.ask();
    workspace.open("edited/edited.go");
    workspace.ask();
    let mut others = 0;
    for line in ["\t// A note.\n", "\n"] {
        workspace.replace("edited/edited.go", "\treturn", &format!("{line}\treturn"));
        let ran: QueryRuns = workspace.ask();
        let own = |query: &&String| query.ends_with(" edited/edited.go");
        let foreign = ran.executed.keys().filter(|query| !own(query));
        for query in foreign {
            println!("    ran: {query}");
            others += 1;
        }
    }
    let words = "queries of others that it runs";
    report.figure("comment", others as f64, "queries", words);
}
