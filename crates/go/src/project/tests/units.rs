//! The units that the files of a folder form.

use expect_test::expect;

use super::world::World;

#[test]
fn a_folder_makes_a_unit_of_its_files_and_one_of_each_kind_of_tests() {
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
-- internal/a/b_windows.go --
package a
import \"net/http\"
-- internal/a/a_test.go --
package a
-- internal/a/export_test.go --
package a
-- internal/a/x_test.go --
package a_test
import \"example.com/m/internal/a\"
",
    );
    expect![[r#"
        Library Base errors = errors in /goroot/src/errors: errors.go
        Library Base fmt = fmt in /goroot/src/fmt: fmt.go
        Workspace Base internal/a = example.com/m/internal/a in internal/a: a.go b_windows.go
        Workspace InTest internal/a = example.com/m/internal/a in internal/a: a_test.go export_test.go
        Workspace XTest internal/a_test = example.com/m/internal/a_test in internal/a: x_test.go
        Workspace Base m = example.com/m in .: main.go
    "#]].assert_eq(&world.printed());
}

#[test]
fn the_clause_of_most_selected_files_is_the_package() {
    let world = World::new(
        "
-- go.mod --
module example.com/m
-- a/a.go --
package a
-- a/b.go --
package b
-- a/c.go --
package a
-- a/gen.go --
//go:build ignore

package main
-- a/doc.go --
package documentation
-- a/z_windows.go --
package z
-- a/z2_windows.go --
package z
-- a/z3_windows.go --
package z
",
    );
    expect![[r#"
        Workspace Base a = example.com/m/a in a: a.go c.go doc.go gen.go z2_windows.go z3_windows.go z_windows.go
        note /w/a/b.go: package b in a folder of package a: it is left out
    "#]].assert_eq(&world.printed());
}

#[test]
fn the_tag_ignore_does_not_make_a_generator_the_package() {
    let world = World::new(
        "
-- go.mod --
module example.com/m
-- a/a.go --
package a
-- a/gen1.go --
//go:build ignore

package main
-- a/gen2.go --
//go:build ignore && linux

package main
",
    )
    .setting("tags", "ignore");
    expect![[r#"
        Workspace Base a = example.com/m/a in a: a.go
        note /w/a/gen1.go: package main in a folder of package a: it is left out
        note /w/a/gen2.go: package main in a folder of package a: it is left out
    "#]]
    .assert_eq(&world.printed());
}

#[test]
fn a_folder_of_tests_alone_has_no_unit_of_its_own() {
    let world = World::new(
        "
-- go.mod --
module example.com/m
-- a/a_test.go --
package a
-- b/b_test.go --
package b_test
import \"example.com/m/a\"
",
    );
    expect![[r#"
        Workspace InTest a = example.com/m/a in a: a_test.go
        Workspace XTest b_test = example.com/m/b_test in b: b_test.go
    "#]]
    .assert_eq(&world.printed());
}

#[test]
fn a_package_whose_name_ends_in_test_has_its_tests_inside() {
    let world = World::new(
        "
-- go.mod --
module example.com/m
-- a/a.go --
package a_test
-- a/a_test.go --
package a_test
-- a/x_test.go --
package a_test_test
-- a/stranger_test.go --
package other
",
    );
    expect![[r#"
        Workspace Base a = example.com/m/a in a: a.go
        Workspace InTest a = example.com/m/a in a: a_test.go
        Workspace XTest a_test = example.com/m/a_test in a: x_test.go
        note /w/a/stranger_test.go: package other in a folder of package a_test: it is left out
    "#]]
    .assert_eq(&world.printed());
}

#[test]
fn a_file_without_a_clause_counts_as_the_packages() {
    let world = World::new(
        "
-- go.mod --
module example.com/m
-- a/a.go --
package a
-- a/b.go --
func
-- a/c_test.go --
",
    );
    expect![[r#"
        Workspace Base a = example.com/m/a in a: a.go b.go
        Workspace InTest a = example.com/m/a in a: c_test.go
    "#]]
    .assert_eq(&world.printed());
}

#[test]
fn a_folder_that_the_configuration_empties_keeps_its_candidates() {
    let world = World::new(
        "
-- go.mod --
module example.com/m
-- a/a_windows.go --
package a
-- a/b_windows.go --
package a
import \"net/http\"
-- a/a_windows_test.go --
package a_test
",
    );
    expect![[r#"
        Workspace Base a = example.com/m/a in a: a_windows.go b_windows.go
        Workspace XTest a_test = example.com/m/a_test in a: a_windows_test.go
    "#]]
    .assert_eq(&world.printed());
}

#[test]
fn folders_of_test_data_and_hidden_ones_are_not_laid_out() {
    let world = World::new(
        "
-- go.mod --
module example.com/m
-- a/testdata/b/b.go --
package b
-- _c/c.go --
package c
-- a/.d/d.go --
package d
-- a/_e.go --
package a
-- a/a.go --
package a
import _ \"example.com/m/f/testdata/g\"
-- f/testdata/g/g.go --
package g
",
    );
    expect![[r#"
        Workspace Base a = example.com/m/a in a: a.go
        Workspace Base f/testdata/g = example.com/m/f/testdata/g in f/testdata/g: g.go
    "#]]
    .assert_eq(&world.printed());
}

#[test]
fn tests_of_libraries_are_excluded_with_their_imports() {
    let world = World::new(
        "
-- go.mod --
module example.com/m
go 1.26
require example.com/l v1.0.0
-- m.go --
package m
import \"example.com/l\"
-- /cache/example.com/l@v1.0.0/l.go --
package l
-- /cache/example.com/l@v1.0.0/l_test.go --
package l
import \"net/http\"
-- /cache/example.com/l@v1.0.0/l_windows.go --
package l
import \"net/http\"
",
    );
    expect![[r#"
        Library Base example.com/l = example.com/l in /cache/example.com/l@v1.0.0: l.go l_windows.go
        Workspace Base m = example.com/m in .: m.go
    "#]]
    .assert_eq(&world.printed());
}
