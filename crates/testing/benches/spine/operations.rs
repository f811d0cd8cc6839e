//! Questions at depth 1 without context: symbols by lot, and the most used.

use std::time::{Duration, Instant};

use codeweft_db::NodeKind;
use codeweft_graph::answer::{ErrorType, GraphRequest, Operation};
use codeweft_ide::World;
use codeweft_testing::Lot;
use codeweft_testing::rows::{declared, most_called};

use crate::report::Report;

/// The operations, each with the kinds of symbols that it takes.
const OPERATIONS: [(Operation, &[NodeKind]); 6] = [
    (Operation::Callers, &[NodeKind::Function, NodeKind::Method]),
    (Operation::Callees, &[NodeKind::Function, NodeKind::Method]),
    (Operation::Implementations, &[NodeKind::Interface]),
    (Operation::Implements, &[NodeKind::Struct, NodeKind::Type]),
    (
        Operation::Definition,
        &[NodeKind::Function, NodeKind::Method, NodeKind::Struct],
    ),
    (
        Operation::References,
        &[NodeKind::Function, NodeKind::Method, NodeKind::Struct],
    ),
];

/// Asks `count` symbols by lot of each operation, and the 20 most used.
pub fn measure(report: &mut Report, host: &World, count: usize) {
    let declared = declared(host.db());
    let most = most_called(host.db(), 20);
    let mut all = Vec::new();
    for (operation, kinds) in OPERATIONS {
        let fitting: Vec<&String> = declared
            .iter()
            .filter(|(_, kind)| kinds.contains(kind))
            .map(|(id, _)| id)
            .collect();
        let mut lot = Lot::new(17);
        let drawn = (0..count).filter_map(|_| lot.one(&fitting).copied());
        let (times, refused, first) = ask(host, operation, drawn);
        if times.is_empty() {
            println!("  skipped: {}: {first}", operation.wire_name());
            continue;
        }
        if refused > 0 {
            println!(
                "  {}: {refused} without an answer, first {first}",
                operation.wire_name()
            );
        }
        all.extend_from_slice(&times);
        let name = operation.wire_name().replace('_', "-");
        report.spread(&format!("ask-{name}"), times, &format!("{name}, by lot"));
        if kinds.contains(&NodeKind::Method) {
            let (times, ..) = ask(host, operation, most.iter());
            report.spread(
                &format!("ask-{name}-most"),
                times,
                &format!("{name}, the most used"),
            );
        }
    }
    report.spread("ask", all, "all operations, by lot");
}

/// The times of what was answered, how many were not, and what the first of those said.
fn ask<'a>(
    host: &World,
    operation: Operation,
    targets: impl Iterator<Item = &'a String>,
) -> (Vec<Duration>, usize, String) {
    let (mut times, mut refused, mut first) = (Vec::new(), 0, String::new());
    for target in targets {
        let mut request = GraphRequest::new(operation, target);
        request.include_context = false;
        let started = Instant::now();
        match host.ask(&request) {
            Ok(_) => times.push(started.elapsed()),
            Err(error) => {
                refused += 1;
                if first.is_empty() {
                    first = format!("{target}: {}", error.message);
                }
                // Not built: no other target will fare better.
                if error.error_type == ErrorType::InvalidRequest && refused > 20 && times.is_empty()
                {
                    break;
                }
            }
        }
    }
    (times, refused, first)
}
