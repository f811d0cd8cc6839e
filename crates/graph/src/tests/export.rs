//! What an export holds.

use std::fmt::Write as _;

use expect_test::expect;

use super::toy;
use crate::export::{EdgeType, ExportOptions, each_package_of};

const WORLD: &str = "
//- a/a.go
use os
use ghost
interface Shape
abstract Shape.Area 1
struct Square
method Square.Area 1
struct Boxed
embed Boxed a.Square
fn f : Shape.Area os.Exit %Square.Area ~f =count {Local}
var count : f
//- a/a_test.go
use a
struct Fake
method *Fake.Area 1
fn TestF : f
//- /lib/os/os.go
fn Exit : Other
fn Other
";

fn exported(options: &ExportOptions, threads: usize) -> String {
    let db = toy::load(WORLD);
    let mut text = String::new();
    each_package_of(&db, &[&toy::GO], options, threads, &mut |rows| {
        writeln!(text, "package {} external {}", rows.name, rows.external).unwrap();
        for node in &rows.nodes {
            writeln!(text, "  {} {}", node.kind, node.id).unwrap();
        }
        for edge in &rows.edges {
            writeln!(text, "  {}", serde_json::to_string(edge).unwrap()).unwrap();
        }
    });
    text
}

#[test]
fn packages_nodes_and_edges_come_in_order_and_libraries_only_where_an_edge_touches() {
    let text = exported(&ExportOptions::default(), 1);
    assert_eq!(text, exported(&ExportOptions::default(), 4));
    expect![[r#""#]].assert_eq(&text);
}

#[test]
fn references_come_only_when_named() {
    let options = ExportOptions {
        edges: vec![EdgeType::References],
        dispatch: false,
    };
    let text = exported(&options, 1);
    let edges: Vec<&str> = text.lines().filter(|line| line.contains('{')).collect();
    expect![[r#""#]].assert_eq(&edges.join("\n"));
}
