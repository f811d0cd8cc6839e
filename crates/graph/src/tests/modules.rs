//! Units with several packages: every file is a module.

use expect_test::expect;

use super::{answer, execute, toy};
use crate::answer::{GraphRequest, Operation, verdict};

const MODULES: &str = "
//- app/one.py
use lib
fn One
var first : One
//- app/two.py
use app
var second : app.One
embed second app.One
//- lib/end.py
";

#[test]
fn calls_at_module_level_belong_to_the_module() {
    let db = toy::load(MODULES);
    expect![[r#"
        1 app/one  app/one.py:3:13 exact
        1 app/two  app/two.py:2:14 exact
    "#]]
    .assert_eq(&answer(&db, Operation::Callers, "app.One"));
    expect![[r#"
        1 app.One  app/one.py:3:13 exact
    "#]]
    .assert_eq(&answer(&db, Operation::Callees, "app/one"));
    expect![[r#"
        app/one  app/one.py:3:13 exact
        app/two  app/two.py:2:14 exact, app/two.py:3:14 exact
    "#]]
    .assert_eq(&answer(&db, Operation::References, "app.One"));
}

#[test]
fn a_file_target_means_its_module() {
    let db = toy::load(MODULES);
    expect![[r#"
        1 app/one  app/two.py:1:5 exact
    "#]]
    .assert_eq(&answer(&db, Operation::Dependencies, "app/two.py"));
    expect![[r#"
        1 app/one  app/one.py:1:5 exact
    "#]]
    .assert_eq(&answer(&db, Operation::Dependents, "lib/end.py"));
}

#[test]
fn a_folder_target_means_its_modules() {
    let db = toy::load(MODULES);
    expect![[r#"
        app/one
        app/two
    "#]]
    .assert_eq(&answer(&db, Operation::Definition, "./app"));
}

/// Prints the callers of a target with the note and the verdict.
fn callers(text: &str, target: &str) -> String {
    let db = toy::load(text);
    let found = execute(&db, &GraphRequest::new(Operation::Callers, target)).unwrap();
    let ids: Vec<&str> = found.results.iter().map(|one| &*one.node.id).collect();
    let (note, verdict) = (found.note.as_deref(), verdict(&found));
    format!("{}\n{}\n{verdict}\n", note.unwrap_or("-"), ids.join(" "))
}

#[test]
fn callers_of_a_package_are_those_of_its_code_and_of_a_file_those_of_what_it_declares() {
    let text = "
//- a/a.go
fn F
fn inside : F g
fn g
//- a/b.go
fn also : F
//- b/b.go
use a
fn caller : a.F
//- c/c.go
fn alone : other
fn other
";
    expect![[r#"
        a is taken for its code outside functions; name a file for what it declares

        no caller found; complete under toy/1
    "#]]
    .assert_eq(&callers(text, "a"));
    expect![[r#"
        a/a.go is taken for the 3 declarations in it, called from outside of it
        a.also b.caller
        2 callers from outside the file found; complete under toy/1
    "#]]
    .assert_eq(&callers(text, "a/a.go"));
    expect![[r#"
        c is taken for its code outside functions; name a file for what it declares

        no caller found; complete under toy/1
    "#]]
    .assert_eq(&callers(text, "c"));
}

#[test]
fn callers_of_a_module_are_those_of_its_code_outside_functions_and_the_note_says_so() {
    expect![[r#"
        app/one is taken for its code outside functions; name a file for what it declares

        no caller found; complete under toy/1
    "#]]
    .assert_eq(&callers(MODULES, "app/one"));
    expect![[r#"
        ./app is taken for its code outside functions; name a file for what it declares

        no caller found; complete under toy/1
    "#]]
    .assert_eq(&callers(MODULES, "./app"));
    expect![[r#"
        lib/end is taken for its code outside functions; name a file for what it declares

        no caller found; complete under toy/1
    "#]]
    .assert_eq(&callers(MODULES, "lib/end"));
}

#[test]
fn callees_of_a_package_are_those_of_its_code_outside_functions_and_the_note_says_so() {
    let note = |operation, target: &str| {
        let request = GraphRequest::new(operation, target);
        execute(&toy::load(MODULES), &request).unwrap().note
    };
    let taken = note(Operation::Callees, "app/one");
    expect!["app/one is taken for its code outside functions; name a file for what it declares"]
        .assert_eq(&taken.unwrap());
    assert_eq!(note(Operation::Callees, "app.One"), None);
    assert_eq!(note(Operation::Dependencies, "app/one"), None);
}
