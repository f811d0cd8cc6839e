//! What a file, a package or a type declares.

use codeweft_db::RootDb;
use expect_test::expect;

use super::{answer, execute, lines, toy};
use crate::answer::{GraphRequest, Operation};

fn world() -> RootDb {
    toy::load(
        "
//- app/a.go
method Store.Close
fn Zero
struct Store
field Store.path
//- app/b.go
fn Alone
method Store.Open
//- app/b_windows.go
excluded
fn Getpid
method Store.Flush
",
    )
}

fn to_depth(db: &RootDb, target: &str, depth: u32) -> String {
    let request = GraphRequest {
        depth,
        ..GraphRequest::new(Operation::Outline, target)
    };
    lines(&execute(db, &request))
}

#[test]
fn the_declarations_of_a_file_are_in_text_order_with_their_nesting() {
    expect![[r#"
        2 app.Store.Close
        1 app.Zero
        1 app.Store
        2 app.Store.path
    "#]]
    .assert_eq(&answer(&world(), Operation::Outline, "app/a.go"));
    expect![[r#"
        1 app.Zero
        1 app.Store
    "#]]
    .assert_eq(&to_depth(&world(), "app/a.go", 1));
}

#[test]
fn the_files_of_a_package_are_in_order_and_those_that_are_not_built_leave_it_open() {
    expect![[r#"
        2 app.Store.Close
        1 app.Zero
        1 app.Store
        2 app.Store.path
        1 app.Alone
        2 app.Store.Open
        6 declarations found; 1 site could declare more under toy/1
          app/b_windows.go:1:1 excluded_file
    "#]]
    .assert_eq(&answer(&world(), Operation::Outline, "app"));
}

#[test]
fn the_members_of_a_type_are_those_of_all_files() {
    expect![[r#"
        1 app.Store.Close
        1 app.Store.path
        1 app.Store.Open
        3 declarations found; 1 site could declare more under toy/1
          app/b_windows.go:3:1 excluded_file
    "#]]
    .assert_eq(&answer(&world(), Operation::Outline, "Store"));
}

#[test]
fn a_file_that_is_not_built_has_an_outline() {
    expect![[r#"
        1 app.Getpid@b_windows
        2 app.Store.Flush@b_windows
    "#]]
    .assert_eq(&answer(&world(), Operation::Outline, "app/b_windows.go"));
    let request = GraphRequest {
        max_results: 1,
        ..GraphRequest::new(Operation::Outline, "app/b_windows.go")
    };
    let answer = execute(&world(), &request).unwrap();
    assert_eq!((answer.total_found, answer.total_returned), (2, 1));
    assert!(answer.truncated);
    expect!["max_results: up to 500 lists more of 2"].assert_eq(&answer.suggestion.unwrap());
}

#[test]
fn a_cut_outline_keeps_the_first_rows_whatever_their_nesting() {
    let request = GraphRequest {
        max_results: 3,
        max_per_level: 1,
        ..GraphRequest::new(Operation::Outline, "app")
    };
    let found = lines(&execute(&world(), &request));
    let first: Vec<&str> = found.lines().take(3).collect();
    assert_eq!(first, ["2 app.Store.Close", "1 app.Zero", "1 app.Store"]);
}

#[test]
fn a_function_has_no_outline() {
    expect![[r#"
        invalid_request: outline of app.Zero: app.Zero is a function: outline takes files, packages and types; ask definition
        outline takes files, packages and types; ask definition
    "#]]
    .assert_eq(&answer(&world(), Operation::Outline, "Zero"));
}

#[test]
fn a_package_that_was_not_read_is_an_error() {
    let db = toy::load(
        "
//- app/a.go
use gone
fn F
",
    );
    expect![[r#"
        target_not_found: outline of gone: it is imported, but its code was not found
        codeweft doctor says which packages are missing
    "#]]
    .assert_eq(&answer(&db, Operation::Outline, "gone"));
}
