//! The workspace's own results and those of libraries: their order, `within`, and the counts.

use codeweft_db::RootDb;
use expect_test::expect;

use super::{execute, lines, toy};
use crate::answer::{GraphRequest, Operation, Within, found};

/// A library function with callers in its library, in another one and in the workspace.
fn db() -> RootDb {
    toy::load(
        "
//- /lib/l/l.go
fn F
fn g : F F
fn h : g
//- /lib/m/m.go
use l
fn a : l.F
//- z/z.go
use l
fn f : l.F
fn k : f
//- z/z_test.go
use l
fn test : l.F
",
    )
}

fn callers(depth: u32) -> GraphRequest {
    GraphRequest {
        depth,
        ..GraphRequest::new(Operation::Callers, "l.F")
    }
}

#[test]
fn each_depth_lists_the_workspace_before_libraries_and_then_by_id() {
    expect![[r#"
        1 z.f  z/z.go:2:8 exact
        1 z.test  z/z_test.go:2:11 exact
        1 l.g  /lib/l/l.go:2:8 exact, /lib/l/l.go:2:10 exact
        1 m.a  /lib/m/m.go:2:8 exact
        2 z.k  z/z.go:3:8 exact
        2 l.h  /lib/l/l.go:3:8 exact
    "#]]
    .assert_eq(&lines(&execute(&db(), &callers(2))));
}

#[test]
fn a_list_that_is_cut_keeps_the_rows_of_the_workspace() {
    let cut = GraphRequest {
        max_results: 2,
        ..callers(1)
    };
    expect![[r#"
        1 z.f  z/z.go:2:8 exact
        1 z.test  z/z_test.go:2:11 exact
        2 of 4, cut at Some(1): within: workspace would leave 2 of 4
    "#]]
    .assert_eq(&lines(&execute(&db(), &cut)));
}

#[test]
fn within_the_workspace_libraries_are_followed_and_not_listed() {
    let own = GraphRequest {
        within: Within::Workspace,
        ..callers(2)
    };
    let answer = execute(&db(), &own);
    expect![[r#"
        1 z.f  z/z.go:2:8 exact
        1 z.test  z/z_test.go:2:11 exact
        2 z.k  z/z.go:3:8 exact
    "#]]
    .assert_eq(&lines(&answer));
    expect![[r#"{"nodes":3,"sites":4,"by":["within"],"words":"3 callers in libraries"}"#]]
        .assert_eq(&serde_json::to_string(&answer.unwrap().hidden).unwrap());
}

#[test]
fn results_and_sites_are_counted_by_whose_they_are_before_cuts() {
    let cut = GraphRequest {
        max_results: 1,
        ..callers(1)
    };
    let answer = execute(&db(), &cut).unwrap();
    expect![[r#"{"workspace":{"nodes":2,"sites":2},"libraries":{"nodes":2,"sites":3}}"#]]
        .assert_eq(&serde_json::to_string(&answer.counts).unwrap());
    expect!["1 of 4 callers (2 in the workspace, 2 in libraries) shown"].assert_eq(&found(&answer));
    let whole =
        |target| found(&execute(&db(), &GraphRequest::new(Operation::Callers, target)).unwrap());
    expect!["1 caller (in a library)"].assert_eq(&whole("l.g"));
    expect!["1 caller"].assert_eq(&whole("z.f"));
}

#[test]
fn the_steps_of_a_path_are_not_counted() {
    let path = GraphRequest {
        to: "l.F".to_owned(),
        ..GraphRequest::new(Operation::Path, "z.k")
    };
    assert_eq!(execute(&db(), &path).unwrap().counts, None);
}
