//! Wires in code: a fixture for each rule, with small stubs of the libraries or without them.

mod edits;
mod events;
mod go_routes;
mod go_values;
mod objects;
mod passed;
mod python_routes;
mod requests;
mod rpcs;
mod settings;
mod stubs;
mod table;

use std::fmt::Write as _;

use codeweft_knowledge::graph::{Graph, NodeData, Relation};
use codeweft_testing::Fixture;
use expect_test::Expect;

use crate::{check_invariants, edges, graph};

/// Returns the graph of a fixture with these libraries' stubs.
pub(crate) fn wired(text: &str, stubs: &[&str]) -> Graph {
    let text = stubs::with_stubs(text, stubs);
    let graph = graph(&Fixture::of(text).load());
    check_invariants(&graph);
    graph
}

/// Checks the calls between the services of a fixture.
pub(crate) fn check_calls(text: &str, expected: Expect) {
    let graph = wired(text, &[]);
    expected.assert_eq(&edges(&graph, &[Relation::ServiceCalls]));
}

/// Prints the endpoints, each with its handler: `GET /a main.go::users`, `?` where only names say so.
pub(crate) fn routes(graph: &Graph) -> String {
    let mut lines = Vec::new();
    for (number, node) in (0..).zip(&graph.nodes) {
        let NodeData::Endpoint {
            method,
            path,
            handler_symbol,
            operation_id,
            ..
        } = &*node.data
        else {
            continue;
        };
        let mut handled = graph
            .edges_of(Relation::HandlesEndpoint)
            .filter(|edge| edge.to == number);
        let assumed = handled.any(|edge| edge.data.assumed);
        let handler = handler_symbol.strip_prefix("symbol::").unwrap_or("-");
        let mut line = format!("{method} {path} {handler}");
        if !operation_id.is_empty() {
            write!(line, " ({operation_id})").unwrap();
        }
        if assumed {
            line.push_str(" ?");
        }
        lines.push(line);
    }
    printed(lines)
}

/// Prints the events with what services do with them.
pub(crate) fn events(graph: &Graph) -> String {
    let mut lines = Vec::new();
    for relation in [Relation::PublishesEvent, Relation::ConsumesEvent] {
        for edge in graph.edges_of(relation) {
            let name = |number| graph.node(number).unwrap().id.split_once("::").unwrap().1;
            let word = match relation {
                Relation::PublishesEvent => "publishes",
                _ => "consumes",
            };
            let assumed = if edge.data.assumed { " ?" } else { "" };
            lines.push(format!(
                "{} {word} {}{assumed}",
                name(edge.from),
                name(edge.to)
            ));
        }
    }
    printed(lines)
}

fn printed(mut lines: Vec<String>) -> String {
    lines.sort();
    if lines.is_empty() {
        lines.push("none".to_owned());
    }
    lines.join("\n") + "\n"
}

/// Compares the routes of a fixture.
pub(crate) fn check_routes(text: &str, stubs: &[&str], expected: Expect) {
    expected.assert_eq(&routes(&wired(text, stubs)));
}

/// Compares the events of a fixture.
pub(crate) fn check_events(text: &str, stubs: &[&str], expected: Expect) {
    expected.assert_eq(&events(&wired(text, stubs)));
}
