//! Units with several packages: every file is a module.

use expect_test::expect;

use super::{answer, toy};
use crate::answer::Operation;

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
