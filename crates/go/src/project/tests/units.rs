//! How the files of a folder make units.

use expect_test::expect;

use super::world::World;

#[test]
fn a_module_with_its_libraries() {
    let world = World::new(
        "
-- go.mod --
module example.com/m
go 1.26
-- main.go --
package main
import (\"fmt\"; \"example.com/m/internal/a\")
-- internal/a/a.go --
package a
-- internal/a/a_test.go --
package a
-- internal/a/x_test.go --
package a_test
import \"example.com/m/internal/a\"
",
    );
    expect![[""]].assert_eq(&world.printed());
}
