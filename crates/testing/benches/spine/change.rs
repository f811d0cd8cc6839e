//! The time and the memory of an `impact` of a change of texts, of the size of a commit: a function added in
//! one file, and a statement in three others.

use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_testing::SeededRng;
use codeweft_workspace::{ProjectDatabase, process_memory};

use crate::clock::Started;
use crate::report::Report;

/// The files of a change.
const FILES: usize = 4;

/// What a statement is added before.
const BEFORE: &str = "\n\treturn nil\n";

/// Measures `count` changes.
pub fn measure(report: &mut Report, mut host: ProjectDatabase, count: usize) -> ProjectDatabase {
    let mut paths = host.sources("go");
    let root = host.root().to_owned();
    paths.retain(|path| !path.contains("testdata"));
    let mut rng = SeededRng::new(41);
    let before = process_memory().rss_bytes;
    let mut times = Vec::new();
    for _ in 0..count {
        let mut patch = String::new();
        let mut files = 0;
        while files < FILES {
            let Some(path) = rng.one(&paths) else {
                break;
            };
            let text = std::fs::read_to_string(format!("{root}/{path}")).unwrap_or_default();
            let Some(at) = text.find(BEFORE) else {
                continue;
            };
            let line = text[..at].lines().count() + 1;
            let statement = BEFORE.trim_start_matches('\n');
            patch.push_str(&format!("--- a/{path}\n+++ b/{path}\n"));
            patch.push_str(&format!(
                "@@ -{line},1 +{line},2 @@\n+\tprintln()\n {statement}"
            ));
            if files == 0 {
                let last = text.lines().count();
                let end = text.lines().last().unwrap_or_default();
                patch.push_str(&format!(
                    "@@ -{last},1 +{},3 @@\n {end}\n+\n+func codeweftAdded() {{}}\n",
                    last + 1
                ));
            }
            files += 1;
        }
        let request = GraphRequest {
            diff: true,
            ..GraphRequest::new(Operation::Impact, patch)
        };
        let request = request.check().expect("a request of the bench");
        let started = Started::now();
        let answer = host.answer_alone(&request);
        times.push(started.elapsed());
        match answer {
            Ok(answer) => {
                let change = answer.change.unwrap_or_default();
                println!(
                    "  {:.0} ms: {} symbols, {} tests, {} edges",
                    times.last().map_or(0.0, |time| time.as_secs_f64() * 1e3),
                    change.symbols_total,
                    change.tests_total,
                    change.added_edges_total + change.removed_edges_total
                );
            }
            Err(error) => println!("  {}", error.message),
        }
    }
    times.sort();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    let slowest = times.last().copied().unwrap_or_default();
    report.figure(
        "change-median",
        median.as_secs_f64() * 1e3,
        "ms",
        "the impact of a change, the median",
    );
    report.figure("change", slowest.as_secs_f64() * 1e3, "ms", "the slowest");
    let more = process_memory().rss_bytes.saturating_sub(before);
    report.figure(
        "change-memory",
        more as f64 / 1e6,
        "MB",
        "more memory after them",
    );
    host
}
