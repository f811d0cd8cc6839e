//! `cargo bench -p codeweft --bench live`: latencies of both clients on the Go standard library of
//! this machine. `-- --part NAME` measures one part, `-- --quick` measures less. If
//! CODEWEFT_BENCH_JSON names a file, every figure is also written there as a line of JSON. Nothing
//! is asserted: the figures are compared with their floors by `cargo xtask bars`.

mod agreement;
mod bare;
mod branch;
mod cancel;
mod clients;
mod deep_memory;
mod edits;
mod fresh_check;
mod kill;
mod knowledge;
mod planned_edits;
mod query;
#[path = "../../../testing/benches/spine/report.rs"]
mod report;
mod start;
mod store;
mod warm;

use std::process::ExitCode;

use report::Report;

/// The product's allocator (`src/main.rs`).
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// The parts, in order.
const PARTS: &[(&str, Part)] = &[
    ("edits-here", edits_here),
    ("edits", edits_processes),
    ("store", store_behind),
    ("same", same_doors),
    ("start", start),
    ("query", query_small),
    ("warm", warm_start),
    ("deep-memory", deep_memory),
    ("cancel", cancel),
    ("writes", writes),
    ("own-writes", own_writes),
    ("random", random_edits),
    ("knowledge", knowledge_graph),
];

type Part = fn(&mut Report, bool) -> Result<(), String>;

fn main() -> ExitCode {
    let (mut quick, mut wanted) = (false, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => quick = true,
            "--part" => wanted.extend(arguments.next()),
            "--bench" | "--json" => {}
            "--test" => return ExitCode::SUCCESS,
            other => {
                eprintln!("live: {other} is no argument; there are --quick and --part NAME");
                return ExitCode::from(2);
            }
        }
    }
    let mut report = Report::default();
    let mut failed = false;
    for (name, part) in PARTS {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == name) {
            continue;
        }
        if let Err(words) = part(&mut report, quick) {
            eprintln!("live: {name}: {words}");
            failed = true;
        }
    }
    if let Err(error) = report.write() {
        eprintln!("live: {error}");
        failed = true;
    }
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

fn warm_start(report: &mut Report, quick: bool) -> Result<(), String> {
    report.head("The first answer: nothing kept, then from the cache");
    warm::measure(report, if quick { 1 } else { 5 })
}

fn deep_memory(report: &mut Report, _quick: bool) -> Result<(), String> {
    report.head("Memory a minute after deep questions");
    deep_memory::measure(report, "library", &planned_edits::library()?)?;
    let Some(root) = corpus("django-5.2.15") else {
        println!("  skipped: Django: cargo xtask asks --fetch");
        return Ok(());
    };
    deep_memory::measure(report, "django", &root)
}

fn drawn(quick: bool) -> Result<(std::path::PathBuf, Vec<planned_edits::PlannedEdit>), String> {
    let root = planned_edits::library()?;
    let mut database = planned_edits::database(&root)?;
    let count = if quick { 30 } else { 300 };
    let drawn = planned_edits::edits(&mut database, count + 2, 41);
    Ok((root, drawn))
}

fn edits_here(report: &mut Report, quick: bool) -> Result<(), String> {
    report.head("Typed in the editor, asked by the agent; both doors in this process");
    let (root, drawn) = drawn(quick)?;
    let mut clients = clients::in_process(&root)?;
    edits::measure(report, &mut clients, &drawn, "typed-here")
}

fn edits_processes(report: &mut Report, quick: bool) -> Result<(), String> {
    report.head("The same over real processes: editor, agent, server");
    let (root, drawn) = drawn(quick)?;
    let mut clients = clients::processes(&root)?;
    edits::measure(report, &mut clients, &drawn, "typed")?;
    kill::measure(report, &mut clients, &drawn[..drawn.len().min(20)])
}

fn store_behind(report: &mut Report, quick: bool) -> Result<(), String> {
    report.head("The store behind the database");
    let (root, drawn) = drawn(quick)?;
    store::measure(report, &root, &drawn)
}

fn same_doors(report: &mut Report, quick: bool) -> Result<(), String> {
    report.head("One question, both doors");
    let count = if quick { 30 } else { 250 };
    let mut compared = agreement::Compared::default();
    let mut compare = |root: &std::path::Path, methods: usize| -> Result<(), String> {
        let database = planned_edits::database(root)?;
        let placed = codeweft_testing::rows::placed(database.db());
        std::mem::forget(database);
        let symbols = agreement::sample(&placed, count, methods, 5);
        let mut clients = clients::in_process(root)?;
        let root = root.to_str().unwrap_or_default();
        agreement::compare(&mut clients, root, &symbols, &mut compared)
            .map_err(|error| error.to_string())
    };
    compare(&planned_edits::library()?, count * 2 / 5)?;
    match corpus("cpython-3.11") {
        Some(root) => compare(&root, 0)?,
        None => println!("  skipped: Python's library: cargo xtask corpora"),
    }
    println!("  {compared:?}");
    report.figure(
        "doors-symbols",
        compared.symbols as f64,
        "",
        "symbols asked at both doors",
    );
    report.figure(
        "doors-whole",
        compared.whole as f64,
        "",
        "of them compared whole",
    );
    report.figure(
        "doors-methods",
        compared.interface_methods as f64,
        "",
        "of them methods of interfaces",
    );
    report.figure(
        "doors-differences",
        compared.differences as f64,
        "",
        "differences",
    );
    Ok(())
}

/// Returns a folder of CODEWEFT_CORPORA, if it was fetched.
fn corpus(name: &str) -> Option<std::path::PathBuf> {
    let folder = std::path::PathBuf::from(std::env::var_os("CODEWEFT_CORPORA")?);
    let root = folder.join(name);
    root.is_dir().then_some(root)
}

fn start(report: &mut Report, quick: bool) -> Result<(), String> {
    report.head("Starting");
    let words = |error: std::io::Error| error.to_string();
    let library = planned_edits::library()?;
    let folder = tempfile::tempdir().map_err(words)?;
    std::fs::write(folder.path().join("go.mod"), "module m\n").map_err(words)?;
    std::fs::write(folder.path().join("a.go"), "package m\n").map_err(words)?;
    let root = std::fs::canonicalize(folder.path()).map_err(words)?;
    start::initialize(report, &library, if quick { 5 } else { 50 }).map_err(words)?;
    start::tool_size(report, &root).map_err(words)?;
    start::race(report, &root, if quick { 5 } else { 100 })
}

fn query_small(report: &mut Report, quick: bool) -> Result<(), String> {
    report.head("One question of a small project, no server before");
    query::measure(report, if quick { 3 } else { 9 })
}

fn cancel(report: &mut Report, quick: bool) -> Result<(), String> {
    report.head("Cancelled");
    let root = planned_edits::library()?;
    let target = cancel::most_used(&root)?;
    let mut clients = clients::in_process(&root)?;
    let clients::ServerKind::Here(host) = &clients.server else {
        return Err("not here".to_owned());
    };
    let times = if quick { 20 } else { 200 };
    cancel::impact(report, &host.clone(), &mut clients.agent, &target, times)
        .map_err(|error| error.to_string())
}

fn writes(report: &mut Report, quick: bool) -> Result<(), String> {
    report.head("A small write while 8 MiB are parsed");
    cancel::write_while_parsing(report, if quick { 2 } else { 10 })
}

fn own_writes(report: &mut Report, quick: bool) -> Result<(), String> {
    report.head("An agent's own writes");
    kill::own_writes(report, if quick { 20 } else { 200 })
}

fn knowledge_graph(report: &mut Report, quick: bool) -> Result<(), String> {
    report.head("The knowledge graph: after an edit of a body");
    let Some(root) = corpus("knowledge/lnd") else {
        println!("  skipped: cargo xtask judge knowledge --fetch");
        return Ok(());
    };
    let mut database = planned_edits::database(&root)?;
    let drawn = planned_edits::edits(&mut database, if quick { 20 } else { 150 }, 17);
    knowledge::facts(report, &mut database, &drawn);
    knowledge::build(report, &database);
    drop(database);
    let mut clients = clients::in_process(&root)?;
    knowledge::edits(report, &mut clients, &drawn)
}

fn random_edits(report: &mut Report, quick: bool) -> Result<(), String> {
    report.head("Random edits in the library against a fresh database");
    let root = planned_edits::library()?;
    let (edits, asked) = if quick { (10, 40) } else { (50, 200) };
    fresh_check::measure(report, &root, edits, asked)
}
