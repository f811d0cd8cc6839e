//! The cost of opening a module that others infer from: its text becomes LOW, and so does every
//! memo that depends on it.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use codeweft_db::{File, Origin, RecordedEvents, UnitGraph};
use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_graph::languages;
use codeweft_python_syntax::PYTHON;
use codeweft_workspace::ProjectDatabase;

use crate::corpus::Corpus;
use crate::functions::{self, Source};
use crate::report::Report;

/// The number of queries that are listed.
const LISTED: usize = 8;

/// The module that is opened if it exists; else the most imported one is.
const CHOSEN: &str = "sympy/core/basic.py";

/// Opens the module, edits it, and reports the queries that ran.
pub fn measure(report: &mut Report, corpus: &Corpus) {
    let mut options = corpus.options();
    options.recording = true;
    let mut host = ProjectDatabase::load(options).expect("the corpus is a workspace");
    host.index_all(0, &|_| {});
    let files = functions::read(&host);
    let Some(source) = chosen(&host, &files) else {
        println!("  skipped: no module with a function is imported");
        return;
    };
    let Some((body, callee)) = source.bodies.first().zip(source.callees.first()) else {
        return;
    };
    let path = Path::new(host.root()).join(&source.path);
    let mut request = GraphRequest::new(Operation::Callers, source.id(callee));
    request.include_context = false;
    println!("  {}, asked for callers of {callee}", source.path);
    if let Err(error) = host.ask(&request) {
        println!("  skipped: {}", error.message);
        return;
    }
    take(&host);

    let bar = |what: &str| format!("{}-{what}", corpus.name);
    let steps: [(&str, &str, Option<String>); 3] = [
        ("open", "opened", None),
        (
            "open-edit",
            "a call typed into its first function",
            Some(source.with(body, &format!("{callee}()"))),
        ),
        (
            "open-result",
            "a `return` typed into its first function",
            Some(source.with(body, &format!("return {callee}()"))),
        ),
    ];
    for (name, words, text) in steps {
        let started = Instant::now();
        match text {
            None => host.open(&path, &source.text),
            Some(text) => host.change(&path, &text),
        };
        let _ = host.ask(&request);
        let asked = started.elapsed().as_secs_f64() * 1e3;
        tell(
            report,
            &bar(name),
            asked,
            &format!("{words}, and asked"),
            &take(&host),
        );
        let started = Instant::now();
        host.index_all(0, &|_| {});
        let rest = started.elapsed().as_secs_f64() * 1e3;
        tell(
            report,
            &bar(&format!("{name}-all")),
            rest,
            "and everything else brought up to date",
            &take(&host),
        );
    }
}

fn take(host: &ProjectDatabase) -> RecordedEvents {
    let recording = host.recording().expect("it records");
    recording.take(host.db())
}

fn tell(report: &mut Report, bar: &str, milliseconds: f64, words: &str, happened: &RecordedEvents) {
    report.figure(bar, milliseconds, "ms", words);
    let executed = happened.executed.len() as f64;
    let what = format!("{bar}-executed");
    report.figure(&what, executed, "queries", "  of which ran");
    let validated = happened.validated as f64;
    let what = format!("{bar}-validated");
    report.figure(&what, validated, "memos", "  and were found valid");
    let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, _) in &happened.executed {
        *by_name.entry(name).or_default() += 1;
    }
    let mut rows: Vec<_> = by_name
        .into_iter()
        .map(|(name, count)| (count, name))
        .collect();
    rows.sort_by(|a, b| b.cmp(a));
    for (count, name) in rows.into_iter().take(LISTED) {
        println!("    {name:<32} {count:>8}");
    }
}

/// Returns the chosen module, else the one with functions that most statements import.
fn chosen<'a>(host: &ProjectDatabase, files: &'a [Source]) -> Option<&'a Source> {
    let usable = |path: &str| {
        let source = files.iter().find(|source| source.path == path);
        source.filter(|source| !source.callees.is_empty() && !source.bodies.is_empty())
    };
    if let Some(source) = usable(CHOSEN) {
        return Some(source);
    }
    let db = host.db();
    let mut imported: BTreeMap<String, usize> = BTreeMap::new();
    for &unit in UnitGraph::get(db).units(db).iter() {
        let Some(language) = languages::language_of(unit.lang(db)) else {
            continue;
        };
        if unit.lang(db) != PYTHON || unit.origin(db) != Origin::Workspace {
            continue;
        }
        for row in language.imports(db, unit).iter() {
            let file: Option<File> = language
                .declaration_range(db, row.to)
                .map(|place| place.file);
            if let Some(file) = file {
                *imported.entry(file.path(db).to_string()).or_default() += 1;
            }
        }
    }
    let mut most: Vec<(usize, &String)> = imported
        .iter()
        .map(|(path, count)| (*count, path))
        .collect();
    most.sort_by(|a, b| b.cmp(a));
    most.into_iter().find_map(|(_, path)| usable(path))
}
