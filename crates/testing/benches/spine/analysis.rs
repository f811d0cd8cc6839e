//! Latencies of the operations of `cortex_analysis`: the first of a revision, and the later ones.

use std::time::Duration;

use codeweft_db::NodeKind;
use codeweft_graph::answer::{AnalysisOperation, AnalysisRequest};
use codeweft_testing::SeededRng;
use codeweft_testing::rows::declared;
use codeweft_workspace::ProjectDatabase;

use crate::clock::Started;
use crate::report::Report;

/// The operations that have a limit of their own.
const WHOLE: [AnalysisOperation; 2] =
    [AnalysisOperation::Summary, AnalysisOperation::UnusedSymbols];

/// The kinds of a target.
fn target_kinds(operation: AnalysisOperation) -> &'static [NodeKind] {
    match operation {
        AnalysisOperation::PackageSummary => &[NodeKind::Package],
        AnalysisOperation::TypeHierarchy => {
            &[NodeKind::Struct, NodeKind::Interface, NodeKind::Type]
        }
        AnalysisOperation::Detail => &[
            NodeKind::Function,
            NodeKind::Method,
            NodeKind::Struct,
            NodeKind::Interface,
        ],
        _ => &[],
    }
}

/// Returns a request of an operation, about a random symbol if it has a target.
fn request(
    operation: AnalysisOperation,
    symbols: &[(String, NodeKind)],
    rng: &mut SeededRng,
) -> Option<AnalysisRequest> {
    let kinds = target_kinds(operation);
    let fitting = symbols.iter().filter(|(_, kind)| kinds.contains(kind));
    let fitting: Vec<&String> = fitting.map(|(id, _)| id).collect();
    let plain = AnalysisRequest::new(operation);
    Some(match operation {
        AnalysisOperation::Search => AnalysisRequest {
            pattern: Some("*Read*".to_owned()),
            ..plain
        },
        AnalysisOperation::Scope => AnalysisRequest {
            target: Some("net/http/server.go:3000:2".to_owned()),
            ..plain
        },
        _ if kinds.is_empty() => plain,
        _ => AnalysisRequest {
            target: Some(rng.one(&fitting)?.to_string()),
            ..plain
        },
    })
}

/// Measures `count` requests of each operation; the first of each is that of a revision.
pub fn measure(report: &mut Report, host: &ProjectDatabase, count: usize) {
    let symbols = declared(host.db());
    let mut rng = SeededRng::new(23);
    let (mut first, mut near, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    for operation in AnalysisOperation::ALL {
        let mut times: Vec<Duration> = Vec::new();
        for _ in 0..count {
            let Some(request) = request(operation, &symbols, &mut rng) else {
                continue;
            };
            let request = request.check().expect("a request of the bench");
            let started = Started::now();
            let answer = host.answer(&request);
            times.push(started.elapsed());
            if let Err(error) = answer {
                println!("  {}: {}", operation.wire_name(), error.message);
            }
        }
        let Some((&begin, rest)) = times.split_first() else {
            continue;
        };
        let words = format!(
            "{}, the first {:.0} ms",
            operation.wire_name(),
            begin.as_secs_f64() * 1e3
        );
        report.print_spread(rest.to_vec(), &words);
        first.push(begin);
        if WHOLE.contains(&operation) {
            whole.extend(rest)
        } else {
            near.extend(rest)
        }
    }
    let slowest = first.iter().max().copied().unwrap_or_default();
    report.spread(
        "analysis-near",
        near,
        "analyses but summary and unused_symbols",
    );
    report.spread("analysis-whole", whole, "summary and unused_symbols");
    let words = "the slowest first analysis of a revision";
    report.figure("analysis-first", slowest.as_secs_f64() * 1e3, "ms", words);
}
