//! The two engines: a file of the SQLite export answers as the live database does, all operations about all symbols.

mod compare;
mod fixtures;
mod limits;
mod real_trees;

use codeweft_graph::answer::{ChangeType, GraphRequest, Operation};
use codeweft_graph::export::{ExportOptions, each_package};
use codeweft_testing::{Fixture, Workspace};
use compare::{Difference, Engines, LIBRARIES};

/// The eleven operations that the SQL engine answers.
const OPERATIONS: [Operation; 11] = [
    Operation::Callers,
    Operation::Callees,
    Operation::Dependencies,
    Operation::Dependents,
    Operation::TypeUsages,
    Operation::Implementations,
    Operation::Implements,
    Operation::References,
    Operation::Definition,
    Operation::Impact,
    Operation::Path,
];

/// Returns the ids of all nodes of a workspace.
fn ids(world: &Workspace) -> Vec<String> {
    let mut ids = Vec::new();
    each_package(
        world.host.db(),
        &ExportOptions::default(),
        1,
        &mut |package| {
            ids.extend(package.nodes.into_iter().map(|node| node.id));
        },
    );
    ids
}

/// Returns the requests about a symbol: all operations, those with a depth at several.
fn requests(id: &str, others: &[String]) -> Vec<GraphRequest> {
    let mut requests = Vec::new();
    for operation in OPERATIONS {
        let plain = GraphRequest::new(operation, id);
        match operation {
            Operation::Path => {
                for to in others {
                    let to = to.clone();
                    requests.push(GraphRequest {
                        to,
                        depth: 6,
                        ..plain.clone()
                    });
                }
            }
            Operation::Impact => {
                for change_type in [
                    ChangeType::Signature,
                    ChangeType::Behavior,
                    ChangeType::Removal,
                ] {
                    requests.push(GraphRequest {
                        change_type,
                        ..plain.clone()
                    });
                }
            }
            _ if operation.uses("depth") => {
                for depth in [1, 3, 6] {
                    requests.push(GraphRequest {
                        depth,
                        ..plain.clone()
                    });
                }
            }
            _ => requests.push(plain),
        }
    }
    requests
}

/// Returns the differences between the engines on a fixture that `counts` accepts, a line each.
fn differences(text: &str, counts: impl Fn(&Difference) -> bool) -> Vec<String> {
    let world = Fixture::new(text).load();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let ids = ids(&world);
    let mut engines = Engines::new(world.host.db(), 1, folder.path());
    let mut lines = Vec::new();
    for (id, at) in ids.iter().zip(0..) {
        let others: Vec<String> = ids
            .iter()
            .cycle()
            .skip(at + 1)
            .step_by(7)
            .take(3)
            .cloned()
            .collect();
        for request in requests(id, &others) {
            for one in engines.differences(&request) {
                if counts(&one) {
                    let operation = request.operation.wire_name();
                    let Difference { cause, live, sql } = one;
                    lines.push(format!(
                        "{cause}: {operation} {id} {} depth {}\n  live {live}\n  sql  {sql}",
                        request.to, request.depth
                    ));
                }
            }
        }
    }
    lines
}

#[test]
fn both_engines_give_one_answer_about_every_symbol() {
    for (name, text) in fixtures::ALL {
        let lines = differences(text, |one| one.cause != LIBRARIES);
        assert!(
            lines.is_empty(),
            "{name}: {} differences\n{}",
            lines.len(),
            lines[..lines.len().min(40)].join("\n")
        );
    }
}
