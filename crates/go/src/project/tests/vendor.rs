//! `vendor` folders of modules, of workspaces and of GOPATH.

use expect_test::expect;

use super::world::{World, find};

const VENDORED: &str = "
-- go.mod --
module example.com/m
go 1.26
require example.com/v v1.0.0
-- m.go --
package m
import (\"example.com/v/p\"; \"example.com/m/sub\")
-- sub/s.go --
package sub
-- vendor/modules.txt --
# example.com/v v1.0.0
## explicit
example.com/v/p
-- vendor/example.com/v/go.mod --
module example.com/v
-- vendor/example.com/v/p/p.go --
package p
import \"example.com/w\"
-- vendor/example.com/w/w.go --
package w
-- /cache/example.com/v@v1.0.0/p/p.go --
package p
";

#[test]
fn a_vendor_folder_with_a_list_replaces_the_cache() {
    let world = World::new(VENDORED);
    let layout = world.layout();
    assert_eq!(
        find(&layout, "/w", "example.com/v/p"),
        "/w/vendor/example.com/v/p"
    );
    assert_eq!(
        find(&layout, "/w/vendor/example.com/v/p", "example.com/w"),
        "/w/vendor/example.com/w"
    );
    expect![[r#"
        Workspace Base example.com/v/p = example.com/v/p in vendor/example.com/v/p: p.go
        Workspace Base example.com/w = example.com/w in vendor/example.com/w: w.go
        Workspace Base m = example.com/m in .: m.go
        Workspace Base sub = example.com/m/sub in sub: s.go
    "#]]
    .assert_eq(&world.printed());
}

#[test]
fn a_vendor_folder_is_ignored_without_a_list_for_old_modules_and_with_mod_mod() {
    let cached = "/cache/example.com/v@v1.0.0/p";
    for world in [
        World::new(&VENDORED.replace("modules.txt", "list.txt")),
        World::new(&VENDORED.replace("go 1.26", "go 1.13")),
        World::new(VENDORED).variable("GOFLAGS", "-v -mod=mod"),
    ] {
        assert_eq!(find(&world.layout(), "/w", "example.com/v/p"), cached);
    }
    let forced = World::new(&VENDORED.replace("go 1.26", "go 1.13"));
    let forced = forced.variable("GOFLAGS", "-mod=vendor").layout();
    assert_eq!(
        find(&forced, "/w", "example.com/v/p"),
        "/w/vendor/example.com/v/p"
    );
}

#[test]
fn a_workspace_has_a_vendor_folder_of_its_own() {
    let layout = World::new(
        "
-- go.work --
go 1.22
use ./a
-- vendor/modules.txt --
## workspace
-- vendor/example.com/v/v.go --
package v
-- a/go.mod --
module example.com/a
go 1.22
require example.com/v v1.0.0
-- a/a.go --
package a
import \"example.com/v\"
",
    )
    .layout();
    assert_eq!(
        find(&layout, "/w/a", "example.com/v"),
        "/w/vendor/example.com/v"
    );
    let unit = layout.units.iter().find(|unit| unit.dir.contains("vendor"));
    assert_eq!(unit.map(|unit| unit.name.as_str()), Some("example.com/v"));
}

#[test]
fn a_project_of_gopath_looks_through_the_vendor_folders_upwards() {
    let world = World::new(
        "
-- /home/go/src/example.com/p/p.go --
package p
import (\"fmt\"; \"example.com/v\"; \"example.com/q\"; \"example.com/p/sub/deep\")
-- /home/go/src/example.com/p/vendor/example.com/v/v.go --
package v
import \"example.com/u\"
-- /home/go/src/example.com/p/vendor/example.com/u/u.go --
package u
-- /home/go/src/example.com/p/sub/vendor/example.com/v/v.go --
package v
-- /home/go/src/example.com/p/sub/deep/d.go --
package deep
import (\"example.com/v\"; \"example.com/u\"; \"example.com/q\")
-- /home/go/src/example.com/q/q.go --
package q
import \"example.com/v\"
-- /home/go/src/example.com/v/v.go --
package v
",
    );
    let project = "/home/go/src/example.com/p";
    let layout = world.layout_of(project);
    let outer = format!("{project}/vendor/example.com/v");
    let inner = format!("{project}/sub/vendor/example.com/v");
    assert_eq!(find(&layout, project, "example.com/v"), outer);
    let deep = format!("{project}/sub/deep");
    assert_eq!(find(&layout, &deep, "example.com/v"), inner);
    assert_eq!(
        find(&layout, &deep, "example.com/u"),
        format!("{project}/vendor/example.com/u")
    );
    let q = "/home/go/src/example.com/q";
    assert_eq!(find(&layout, &deep, "example.com/q"), q);
    assert_eq!(
        find(&layout, q, "example.com/v"),
        "/home/go/src/example.com/v"
    );
    let names: Vec<_> = layout.units.iter().map(|unit| unit.name.as_str()).collect();
    expect![[r#"
        errors
        example.com/q
        example.com/v
        fmt
        p
        sub/deep
        sub/vendor/example.com/v
        vendor/example.com/u
        vendor/example.com/v"#]]
    .assert_eq(&names.join("\n"));
}
