//! The contents and order of exports.

use std::fmt::Write as _;

use expect_test::expect;

use super::toy;
use crate::export::{EdgeType, ExportOptions, each_package};

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
    each_package(&db, options, threads, &mut |rows| {
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
fn packages_nodes_and_edges_are_ordered_and_libraries_limited_to_touched_nodes() {
    let text = exported(&ExportOptions::default(), 1);
    assert_eq!(text, exported(&ExportOptions::default(), 4));
    expect![[r#"
        package a external false
          package a
          struct a.Boxed
          struct a.Fake
          method a.Fake.Area
          interface a.Shape
          method a.Shape.Area
          struct a.Square
          method a.Square.Area
          function a.TestF
          variable a.count
          function a.f
          struct a.f.Local
          {"from":"a","to":"a.f","type":"calls","location":{"file":"a/a.go","line":10,"column":13},"resolution":"exact"}
          {"from":"a","to":"a","type":"imports","location":{"file":"a/a_test.go","line":1,"column":5}}
          {"from":"a","to":"ghost","type":"imports","location":{"file":"a/a.go","line":2,"column":5}}
          {"from":"a","to":"os","type":"imports","location":{"file":"a/a.go","line":1,"column":5}}
          {"from":"a.Boxed","to":"a.Square","type":"embeds","location":{"file":"a/a.go","line":8,"column":13}}
          {"from":"a.Boxed","to":"a.Shape","type":"implements","receiver":"value"}
          {"from":"a.Fake","to":"a.Shape","type":"implements","receiver":"pointer","test":true}
          {"from":"a.Fake.Area","to":"a.Shape.Area","type":"implements","test":true}
          {"from":"a.Square","to":"a.Shape","type":"implements","receiver":"value"}
          {"from":"a.Square.Area","to":"a.Shape.Area","type":"implements"}
          {"from":"a.TestF","to":"a.f","type":"calls","location":{"file":"a/a_test.go","line":4,"column":12},"resolution":"exact"}
          {"from":"a.f","to":"a.Fake.Area","type":"calls","location":{"file":"a/a.go","line":9,"column":8},"resolution":"dispatch","reason":"class_hierarchy"}
          {"from":"a.f","to":"a.Shape.Area","type":"calls","location":{"file":"a/a.go","line":9,"column":8},"resolution":"exact"}
          {"from":"a.f","to":"a.Square.Area","type":"calls","location":{"file":"a/a.go","line":9,"column":8},"resolution":"dispatch","reason":"class_hierarchy"}
          {"from":"a.f","to":"a.f","type":"calls","location":{"file":"a/a.go","line":9,"column":40},"resolution":"exact","in_literal":true}
          {"from":"a.f","to":"os.Exit","type":"calls","location":{"file":"a/a.go","line":9,"column":19},"resolution":"exact"}
        package ghost external true
          package ghost
        package os external true
          package os
          function os.Exit
    "#]].assert_eq(&text);
}

#[test]
fn references_are_exported_only_on_request() {
    let options = ExportOptions {
        edges: vec![EdgeType::References],
        dispatch: false,
        ..ExportOptions::default()
    };
    let text = exported(&options, 1);
    let edges = text.lines().map(str::trim);
    let edges: Vec<&str> = edges.filter(|line| line.starts_with('{')).collect();
    expect![[r#"
          {"from":"a","to":"a.Square","type":"references","location":{"file":"a/a.go","line":8,"column":13},"kind":"embed"}
          {"from":"a.f","to":"a.count","type":"references","location":{"file":"a/a.go","line":9,"column":43},"kind":"write"}"#]].assert_eq(&edges.join("\n"));
}
