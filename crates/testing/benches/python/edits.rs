//! The latency of an edit: functions are drawn, weighted by the amount of code, and their files
//! opened; each edit adds a call of a function that the body did not call before, another one each
//! time. Measured from the change of the database to the answer of `callers` of the callee, depth
//! 1, without context.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use codeweft_graph::answer::{ApiError, GraphRequest, GraphResponse, Operation};
use codeweft_testing::SeededRng;
use codeweft_workspace::ProjectDatabase;

use crate::functions::{Body, Source};
use crate::report::Report;

/// The maximum size of a small file, in bytes.
const SMALL: usize = 50_000;

/// The maximum size of a file that is not large, in bytes.
const MEDIUM: usize = 150_000;

/// The files in which functions are drawn.
pub enum Where<'a> {
    /// Files under 50 KB.
    Small,
    /// Those of them in an import cycle.
    Cycle(&'a BTreeSet<String>),
    /// Files of 50 KB to 150 KB.
    Medium,
    /// Files of 150 KB and more.
    Large,
    /// All files.
    Any,
}

impl Where<'_> {
    fn holds(&self, source: &Source) -> bool {
        let size = source.text.len();
        match self {
            Where::Small => size < SMALL,
            Where::Cycle(files) => size < SMALL && files.contains(&source.path),
            Where::Medium => (SMALL..MEDIUM).contains(&size),
            Where::Large => size >= MEDIUM,
            Where::Any => true,
        }
    }

    fn words(&self) -> &'static str {
        match self {
            Where::Small => "files < 50 KB",
            Where::Cycle(_) => "files < 50 KB of the largest import cycle",
            Where::Medium => "files of 50 to 150 KB",
            Where::Large => "files above",
            Where::Any => "all files",
        }
    }

    fn suffix(&self) -> &'static str {
        match self {
            Where::Small | Where::Cycle(_) => "under-50kb",
            Where::Medium => "under-150kb",
            Where::Large => "above-150kb",
            Where::Any => "all",
        }
    }
}

/// A planned edit.
pub struct Drawn<'a> {
    pub source: &'a Source,
    pub body: &'a Body,
    /// A function of the same module that the body's function does not name.
    pub callee: &'a str,
}

/// Draws functions, each with a function of its module to call; no callee twice.
pub fn draw<'a>(files: &'a [Source], count: usize, place: &Where<'_>) -> Vec<Drawn<'a>> {
    let functions: Vec<(&Source, &Body)> = files
        .iter()
        .filter(|source| place.holds(source) && !source.callees.is_empty())
        .flat_map(|source| source.bodies.iter().map(move |body| (source, body)))
        .collect();
    let mut rng = SeededRng::new(23);
    let mut called = BTreeSet::new();
    let mut drawn = Vec::new();
    for _ in 0..count * 50 {
        if drawn.len() == count {
            break;
        }
        let Some(&(source, body)) = rng.one(&functions) else {
            break;
        };
        let text = &source.text[body.span.clone()];
        let free: Vec<&String> = source
            .callees
            .iter()
            .filter(|name| !text.contains(name.as_str()))
            .filter(|name| !called.contains(&(source.path.as_str(), name.as_str())))
            .collect();
        if let Some(&callee) = rng.one(&free) {
            called.insert((source.path.as_str(), callee.as_str()));
            drawn.push(Drawn {
                source,
                body,
                callee,
            });
        }
    }
    drawn
}

/// Makes the edits and reports their times.
pub fn measure(
    report: &mut Report,
    mut host: ProjectDatabase,
    drawn: &[Drawn<'_>],
    bar: &str,
    place: &Where<'_>,
) -> ProjectDatabase {
    let root = host.root().to_owned();
    let (mut first, mut typed, mut comments) = (Vec::new(), Vec::new(), Vec::new());
    let mut opened = BTreeSet::new();
    let (mut lost, mut refused, mut slowest) = (Vec::new(), Vec::new(), Vec::new());
    for Drawn {
        source,
        body,
        callee,
    } in drawn
    {
        let path = Path::new(&root).join(&source.path);
        let mut request = GraphRequest::new(Operation::Callers, source.id(callee));
        request.include_context = false;
        request.max_results = 500;

        let started = Instant::now();
        host.open(&path, &source.text);
        let before = host.ask(&request);
        let touch = started.elapsed();
        if let Err(error) = &before {
            refused.push(error.message.clone());
            host.close(&path);
            continue;
        }
        if opened.insert(&source.path) {
            first.push(touch);
        }
        let (after, time) = ask_after(
            &mut host,
            &path,
            &source.with(body, &format!("{callee}()")),
            &request,
        );
        typed.push(time);
        slowest.push((time, format!("{callee} in {}", source.path)));
        let (had, has) = (sites(&before), sites(&after));
        if has != had + 1 {
            lost.push(format!("{callee} in {}, {had} then {has}", source.path));
        }

        host.change(&path, &source.text);
        let _ = host.ask(&request);
        let (_, time) = ask_after(&mut host, &path, &source.with(body, "# A note."), &request);
        comments.push(time);
        host.change(&path, &source.text);
        host.close(&path);
        let _ = host.ask(&request);
    }
    println!(
        "  {} edits, {}; {} did not show one site more, {} callees were not found",
        drawn.len(),
        place.words(),
        lost.len(),
        refused.len(),
    );
    for words in lost.iter().chain(refused.first()) {
        println!("    {words}");
    }
    let named = |what: &str| format!("{bar}{what}");
    let suffix = place.suffix();
    let words = format!("a call typed, {}", place.words());
    let unseen = (lost.len() + refused.len()) as f64;
    report.figure(&named("-unseen"), unseen, "edits", "without one site more");
    report.spread(&named(&format!("-{suffix}")), typed, &words);
    slowest.sort_unstable_by(|one, other| other.cmp(one));
    for (time, call) in slowest.iter().take(3) {
        println!("    slowest: {call}, {:.1} ms", time.as_secs_f64() * 1e3);
    }
    report.spread(&named("-first-touch"), first, "open and ask");
    report.spread(&named("-comment"), comments, "a comment typed");
    host
}

type Answer = Result<GraphResponse, ApiError>;

/// Changes a text, asks, and returns the answer with the time of both.
pub fn ask_after(
    host: &mut ProjectDatabase,
    path: &Path,
    text: &str,
    request: &GraphRequest,
) -> (Answer, Duration) {
    let started = Instant::now();
    host.change(path, text);
    let answer = host.ask(request);
    (answer, started.elapsed())
}

/// Returns the number of sites of an answer.
pub fn sites(answer: &Answer) -> u32 {
    let results = answer.as_ref().map(|answer| answer.results.as_slice());
    let sites = results.unwrap_or_default().iter();
    sites.map(|result| result.site_count).sum()
}
