//! Latencies of queries without context, on random symbols and on the most used ones.

use std::time::Duration;

use codeweft_db::NodeKind;
use codeweft_graph::answer::{ErrorType, GraphRequest, Operation};
use codeweft_testing::SeededRng;
use codeweft_testing::rows::{declared, most_called};
use codeweft_workspace::ProjectDatabase;

use crate::clock::Started;
use crate::report::Report;

/// Functions and methods.
const CALLED: &[NodeKind] = &[NodeKind::Function, NodeKind::Method];

/// Functions, methods, structs and classes.
const NAMED: &[NodeKind] = &[
    NodeKind::Function,
    NodeKind::Method,
    NodeKind::Struct,
    NodeKind::Class,
];

/// Types.
const TYPES: &[NodeKind] = &[NodeKind::Struct, NodeKind::Class, NodeKind::Type];

/// The operations, each with the kinds of symbols that it accepts.
const OPERATIONS: [(Operation, &[NodeKind]); 9] = [
    (Operation::Callers, CALLED),
    (Operation::Callees, CALLED),
    (Operation::Dependencies, &[NodeKind::Package]),
    (Operation::Dependents, &[NodeKind::Package]),
    (Operation::TypeUsages, TYPES),
    (Operation::Implementations, &[NodeKind::Interface]),
    (Operation::Implements, TYPES),
    (Operation::Definition, NAMED),
    (Operation::References, NAMED),
];

/// The operations that may read the whole graph.
const DEEP: [Operation; 2] = [Operation::Impact, Operation::Path];

/// The number of most used symbols that are queried.
const MOST: usize = 20;

/// The symbols to query, collected once.
struct Symbols {
    declared: Vec<(String, NodeKind)>,
    most: Vec<String>,
}

impl Symbols {
    fn of(host: &ProjectDatabase) -> Symbols {
        Symbols {
            declared: declared(host.db()),
            most: most_called(host.db(), MOST),
        }
    }

    /// Returns queries of random symbols of these kinds, at random depths between the two.
    fn sample(
        &self,
        operation: Operation,
        kinds: &[NodeKind],
        count: usize,
        (least, most): (u32, u32),
    ) -> Vec<GraphRequest> {
        let fitting: Vec<&String> = self
            .declared
            .iter()
            .filter(|(_, kind)| kinds.contains(kind))
            .map(|(id, _)| id)
            .collect();
        let mut rng = SeededRng::new(17);
        let mut requests = Vec::new();
        for _ in 0..count {
            let (Some(target), Some(to)) = (rng.one(&fitting), rng.one(&fitting)) else {
                break;
            };
            let depth = least + rng.below((most - least + 1) as usize) as u32;
            requests.push(request(operation, target, to, depth));
        }
        requests
    }

    /// Returns queries of the most used symbols, at every depth of the range.
    fn most_used(&self, operation: Operation, (least, most): (u32, u32)) -> Vec<GraphRequest> {
        let mut rng = SeededRng::new(19);
        let from: Vec<&String> = self
            .declared
            .iter()
            .filter(|(_, kind)| CALLED.contains(kind))
            .map(|(id, _)| id)
            .collect();
        let mut requests = Vec::new();
        for target in &self.most {
            for depth in least..=most {
                // A path leads to a most used symbol.
                let (target, to) = match (operation, rng.one(&from)) {
                    (Operation::Path, Some(from)) => (*from, target),
                    _ => (target, target),
                };
                requests.push(request(operation, target, to, depth));
            }
        }
        requests
    }
}

fn request(operation: Operation, target: &str, to: &str, depth: u32) -> GraphRequest {
    let mut request = GraphRequest::new(operation, target);
    request.include_context = false;
    request.depth = depth;
    if operation == Operation::Path {
        request.to = to.to_owned();
    }
    request
}

/// Runs `count` queries over all operations, shallow and deep ones; returns the number of answers.
pub fn ask_everything(host: &ProjectDatabase, count: usize) -> usize {
    let symbols = Symbols::of(host);
    let each = count.div_ceil(OPERATIONS.len() + DEEP.len());
    let near = OPERATIONS
        .iter()
        .map(|&(operation, kinds)| symbols.sample(operation, kinds, each, (1, 3)));
    let deep = DEEP
        .iter()
        .map(|&operation| symbols.sample(operation, CALLED, each, (10, 10)));
    let requests: Vec<GraphRequest> = near.chain(deep).flatten().take(count).collect();
    ask(host, requests).times.len()
}

/// Measures depth 1 to 3: `count` random symbols for each operation, and the most used. The names of
/// figures begin with `prefix`. Returns the time of the slowest question.
pub fn near(report: &mut Report, host: &ProjectDatabase, count: usize, prefix: &str) -> Duration {
    let symbols = Symbols::of(host);
    let (mut rng, mut used) = (Vec::new(), Vec::new());
    for (operation, kinds) in OPERATIONS {
        let name = operation.wire_name().replace('_', "-");
        let asked = ask(host, symbols.sample(operation, kinds, count, (1, 3)));
        rng.extend_from_slice(&asked.times);
        let bar = format!("{prefix}ask-{name}");
        asked.tell(report, &bar, &format!("{name}, by lot"));
        if kinds.contains(&NodeKind::Method) {
            let asked = ask(host, symbols.most_used(operation, (1, 3)));
            used.extend_from_slice(&asked.times);
            let words = format!("{name}, the most used");
            asked.tell(report, &format!("{bar}-most"), &words);
        }
    }
    let words = "all operations, depth 1 to 3, by lot";
    spread_of_all(report, &format!("{prefix}operations"), words, rng, used)
}

/// Measures `impact` and `path` at depth 10: `count` random symbols, and the most used. The names of
/// figures begin with `prefix`. Returns the time of the slowest question.
pub fn deep(report: &mut Report, host: &ProjectDatabase, count: usize, prefix: &str) -> Duration {
    let symbols = Symbols::of(host);
    let (mut rng, mut used) = (Vec::new(), Vec::new());
    for operation in DEEP {
        let name = operation.wire_name();
        let asked = ask(host, symbols.sample(operation, CALLED, count, (10, 10)));
        rng.extend_from_slice(&asked.times);
        let bar = format!("{prefix}ask-{name}");
        asked.tell(report, &bar, &format!("{name}, by lot"));
        let asked = ask(host, symbols.most_used(operation, (10, 10)));
        used.extend_from_slice(&asked.times);
        let words = format!("{name}, the most used");
        asked.tell(report, &format!("{bar}-most"), &words);
    }
    let words = "impact and path, depth 10, by lot";
    spread_of_all(report, &format!("{prefix}deep"), words, rng, used)
}

/// Reports the times of all operations together and returns the longest.
fn spread_of_all(
    report: &mut Report,
    bar: &str,
    words: &str,
    by_lot: Vec<Duration>,
    used: Vec<Duration>,
) -> Duration {
    let slowest = by_lot.iter().chain(&used).max().copied();
    report.spread(&format!("{bar}-lot"), by_lot, words);
    report.spread(&format!("{bar}-used"), used, "the same, the most used");
    slowest.unwrap_or_default()
}

/// Reports the slowest of all questions.
pub fn slowest(report: &mut Report, prefix: &str, slowest: Duration) {
    let milliseconds = slowest.as_secs_f64() * 1e3;
    let words = "the slowest question of all, any depth";
    report.figure(
        &format!("{prefix}question-slowest"),
        milliseconds,
        "ms",
        words,
    );
}

/// The results of a series of queries.
#[derive(Default)]
struct Asked {
    times: Vec<Duration>,
    refused: usize,
    /// The message of the first refusal.
    first: String,
    /// The slowest, by time from the longest on.
    slowest: Vec<(Duration, String)>,
}

/// The number of slow questions that are printed.
const SLOWEST: usize = 5;

impl Asked {
    fn tell(self, report: &mut Report, bar: &str, words: &str) {
        if self.refused > 0 {
            println!(
                "  {words}: {} without an answer, first {}",
                self.refused, self.first
            );
        }
        for (time, target) in self.slowest.iter().filter(|(time, _)| time.as_millis() > 4) {
            println!("    slow: {target}, {:.1} ms", time.as_secs_f64() * 1e3);
        }
        report.spread(bar, self.times, words);
    }
}

fn ask(host: &ProjectDatabase, requests: Vec<GraphRequest>) -> Asked {
    let mut asked = Asked::default();
    for request in requests {
        let started = Started::now();
        match host.ask(&request) {
            Ok(_) => {
                let time = started.elapsed();
                asked.times.push(time);
                let at = asked.slowest.partition_point(|(other, _)| *other >= time);
                if at < SLOWEST {
                    let words =
                        format!("{} {} depth {}", request.target, request.to, request.depth);
                    asked.slowest.insert(at, (time, words));
                    asked.slowest.truncate(SLOWEST);
                }
            }
            Err(error) => {
                asked.refused += 1;
                if asked.first.is_empty() {
                    asked.first = format!("{}: {}", request.target, error.message);
                }
                // Not supported: no other target will be accepted.
                if error.error_type == ErrorType::InvalidRequest
                    && asked.refused > 20
                    && asked.times.is_empty()
                {
                    break;
                }
            }
        }
    }
    asked
}
