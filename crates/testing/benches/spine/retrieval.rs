//! The time of a question what a text is about, and of the first one after an edit, which takes the edit into the index.
//! Texts are comments of the corpus, of the length of a report.

use std::path::Path;

use codeweft_db::UnitGraph;
use codeweft_ide::api::BundleRequest;
use codeweft_testing::SeededRng;
use codeweft_workspace::{ProjectDatabase, RequestCancellation, process_memory};

use crate::clock::Started;
use crate::edits::Drawn;
use crate::report::Report;

/// The words of a question.
const WORDS: usize = 120;

/// Measures `count` questions and the edits.
pub fn measure(
    report: &mut Report,
    mut host: ProjectDatabase,
    drawn: &[Drawn],
    suffix: &str,
) -> ProjectDatabase {
    let cancel = RequestCancellation::default();
    let before = process_memory().rss_bytes;
    let started = Started::now();
    host.snapshot(&cancel).with_retrieval_index(|index| {
        println!("  {} files indexed", index.len());
    });
    report.figure(
        &format!("bundle-first{suffix}"),
        started.elapsed().as_secs_f64() * 1e3,
        "ms",
        "the words of all files, read for the first time",
    );
    let held = process_memory().rss_bytes.saturating_sub(before);
    let db = host.db();
    let units = UnitGraph::get(db).units(db).iter();
    let files = units.flat_map(|unit| unit.files(db).iter());
    let bytes: usize = files.map(|file| file.text(db).len()).sum();
    report.figure(
        &format!("bundle-memory{suffix}"),
        held as f64 / bytes.max(1) as f64,
        "bytes",
        "what the index holds, per byte of source",
    );
    let mut rng = SeededRng::new(71);
    let mut times = Vec::new();
    for one in drawn {
        let comments = one
            .text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("//"));
        let words: Vec<&str> = comments.flat_map(str::split_whitespace).collect();
        let from = rng.below(words.len().saturating_sub(WORDS).max(1));
        let text = words.iter().skip(from).take(WORDS).copied();
        let request = BundleRequest {
            query: format!("{}\n{}", one.callee, text.collect::<Vec<_>>().join(" ")),
            cursor_file: String::new(),
            max_depth: 0,
            token_budget: None,
            include_snippets: false,
            include_tests: false,
            explain: false,
        };
        let started = Started::now();
        let answer = host.snapshot(&cancel).bundle(&request);
        times.push(started.elapsed());
        assert!(answer.is_ok(), "{:?}", answer.err());
    }
    times.sort_unstable();
    let rank = (times.len() * 95).div_ceil(100).max(1);
    if let Some(time) = times.get(rank - 1) {
        report.figure(
            &format!("bundle-p95{suffix}"),
            time.as_secs_f64() * 1e3,
            "ms",
            "what a text is about, p95",
        );
    }
    report.spread(&format!("bundle{suffix}"), times, "what a text is about");
    let root = host.root().to_owned();
    let mut times = Vec::new();
    for one in drawn {
        let path = Path::new(&root).join(&one.path);
        host.open(&path, &one.text);
        host.snapshot(&cancel).with_retrieval_index(|_| ());
        let (before, behind) = one.text.split_at(one.at);
        host.change(&path, &format!("{before}\t{}()\n{behind}", one.callee));
        let started = Started::now();
        host.snapshot(&cancel).with_retrieval_index(|_| ());
        times.push(started.elapsed());
        host.change(&path, &one.text);
        host.snapshot(&cancel).with_retrieval_index(|_| ());
        host.close(&path);
    }
    report.spread(
        &format!("bundle-edit{suffix}"),
        times,
        "the index takes an edit",
    );
    host
}
