//! The latency of an edit: functions are drawn, weighted by the amount of code, and their files
//! opened; each edit adds one call to the body. Measured from the change of the database to the
//! answer of `callers` of the callee, depth 1, without context.

use std::path::Path;
use std::time::Duration;

use codeweft_db::{Db as _, NodeKind, Origin, UnitGraph, UnitKind};
use codeweft_graph::answer::{GraphRequest, GraphResponse, Operation};
use codeweft_graph::languages;
use codeweft_testing::SeededRng;
use codeweft_workspace::ProjectDatabase;
use rustc_hash::FxHashSet;

use crate::clock::Started;
use crate::report::Report;

/// A planned edit.
pub struct Drawn {
    pub path: String,
    pub text: String,
    /// The byte offset of the body's second line.
    pub at: usize,
    /// A function of the same package.
    pub callee: String,
    /// Its id.
    pub id: String,
}

/// Draws functions, each with a function of its package to call.
pub fn draw(host: &ProjectDatabase, count: usize) -> Vec<Drawn> {
    let db = host.db();
    let mut places = Vec::new();
    for &unit in UnitGraph::get(db).units(db).iter() {
        let Some(language) = languages::language_of(unit.lang(db)) else {
            continue;
        };
        if unit.origin(db) != Origin::Workspace || unit.kind(db) != UnitKind::BASE {
            continue;
        }
        for &file in language.files(db, unit).iter() {
            let starts = bodies(file.text(db));
            places.extend(starts.into_iter().map(|at| (language, unit, file, at)));
        }
    }
    let mut rng = SeededRng::new(11);
    let mut drawn = Vec::new();
    for _ in 0..count * 4 {
        let Some(&(language, unit, file, at)) = rng.one(&places) else {
            break;
        };
        let symbols = language.symbols(db, unit);
        let names = &db.shared().names;
        let functions: Vec<&str> = symbols
            .rows
            .iter()
            .filter(|row| row.kind == NodeKind::Function)
            .map(|row| names.text(row.name))
            .filter(|name| !matches!(*name, "_" | "init" | "main"))
            .collect();
        if let Some(&callee) = rng.one(&functions) {
            drawn.push(Drawn {
                path: file.path(db).to_string(),
                text: file.text(db).to_string(),
                at,
                callee: callee.to_owned(),
                id: format!("{}.{callee}", names.text(unit.name(db))),
            });
        }
        if drawn.len() == count {
            break;
        }
    }
    drawn
}

/// Returns the byte offsets of the second lines of functions.
fn bodies(text: &str) -> Vec<usize> {
    let (mut at, mut starts) = (0, Vec::new());
    for line in text.split_inclusive('\n') {
        at += line.len();
        if line.starts_with("func ") && line.trim_end().ends_with('{') {
            starts.push(at);
        }
    }
    starts
}

/// Makes each edit `best` times and reports the fastest; the figures' names end in `suffix`.
pub fn measure(
    report: &mut Report,
    mut host: ProjectDatabase,
    drawn: &[Drawn],
    suffix: &str,
    best: usize,
) -> ProjectDatabase {
    let root = host.root().to_owned();
    let (mut first, mut comments) = (Vec::new(), Vec::new());
    let mut sizes: [Vec<Duration>; 3] = Default::default();
    let mut shares: [(Vec<Duration>, Vec<Duration>); 3] = Default::default();
    let mut opened = FxHashSet::default();
    let (mut lost, mut slowest) = (0, Vec::new());
    for one in drawn {
        let path = Path::new(&root).join(&one.path);
        let mut request = GraphRequest::new(Operation::Callers, &one.id);
        request.include_context = false;
        request.max_results = 500;

        let started = Started::now();
        host.open(&path, &one.text);
        let before = host.ask(&request);
        let touch = started.elapsed();
        if opened.insert(&one.path) {
            first.push(touch);
            slowest.push((touch, format!("opened {}", one.path)));
        }

        let text = with(one, &format!("\t{}()\n", one.callee));
        let (mut changed, mut time) = (Duration::MAX, Duration::MAX);
        let mut after = None;
        for again in 0..best {
            if again > 0 {
                host.change(&path, &one.text);
                let _ = host.ask(&request);
            }
            let started = Started::now();
            host.change(&path, &text);
            let change = started.elapsed();
            let answer = host.ask(&request);
            let whole = started.elapsed();
            if whole < time {
                (changed, time) = (change, whole);
            }
            after = Some(answer);
        }
        let size = match one.text.len() {
            0..50_000 => 0,
            50_000..150_000 => 1,
            _ => 2,
        };
        sizes[size].push(time);
        slowest.push((time, format!("{} in {}", one.callee, one.path)));
        shares[size].0.push(changed);
        shares[size].1.push(time - changed);
        // A local variable may shadow the callee, and a long list of callers may be truncated.
        let after = after.and_then(Result::ok);
        lost += usize::from(sites(after) != sites(before.ok()) + 1);

        host.change(&path, &one.text);
        let _ = host.ask(&request);
        let text = with(one, "\t// A note.\n");
        let started = Started::now();
        host.change(&path, &text);
        let _ = host.ask(&request);
        comments.push(started.elapsed());
        host.change(&path, &one.text);
        host.close(&path);
        let _ = host.ask(&request);
    }
    println!(
        "  {} edits, of which {lost} did not show one site more",
        drawn.len()
    );
    for (files, (change, ask)) in ["< 50 KB", "< 150 KB", "above"].iter().zip(shares) {
        report.print_spread(change, &format!("of it the change, files {files}"));
        report.print_spread(ask, &format!("of it the question, files {files}"));
    }
    slowest.sort_unstable_by(|one, other| other.cmp(one));
    for (time, what) in slowest.iter().take(6) {
        println!("    slowest: {what}, {:.1} ms", time.as_secs_f64() * 1e3);
    }
    let [small, middle, large] = sizes;
    let bar = |name: &str| format!("{name}{suffix}");
    report.spread(&bar("first-touch"), first, "open and ask");
    report.spread(
        &bar("edit-under-50kb"),
        small,
        "a call typed, files < 50 KB",
    );
    report.spread(&bar("edit-under-150kb"), middle, "files < 150 KB");
    report.spread(&bar("edit-above-150kb"), large, "files above");
    report.spread(&bar("comment-edit"), comments, "a comment typed");
    host
}

/// Returns the number of sites of an answer.
pub fn sites(answer: Option<GraphResponse>) -> u32 {
    let results = answer.map(|answer| answer.results).unwrap_or_default();
    results.iter().map(|result| result.site_count).sum()
}

fn with(one: &Drawn, line: &str) -> String {
    let (before, after) = one.text.split_at(one.at);
    format!("{before}{line}{after}")
}
