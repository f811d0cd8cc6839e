//! Resolution of imports to modules.

use expect_test::expect;

use super::world::{World, find};

#[test]
fn a_required_module_is_read_from_the_cache_with_its_capitals_escaped() {
    let layout = World::new(
        "
-- go.mod --
module example.com/m
go 1.26
require (
	github.com/BurntSushi/toml v1.0.0-RC1
	example.com/x/v2 v2.1.0
	gopkg.in/yaml.v3 v3.0.1
)
-- m.go --
package m
import (\"github.com/BurntSushi/toml/internal\"; \"example.com/x/v2\"; \"gopkg.in/yaml.v3\")
-- /cache/github.com/!burnt!sushi/toml@v1.0.0-!r!c1/internal/i.go --
package internal
-- /cache/example.com/x/v2@v2.1.0/x.go --
package x
import \"example.com/x/v2/y\"
-- /cache/example.com/x/v2@v2.1.0/y/y.go --
package y
-- /cache/gopkg.in/yaml.v3@v3.0.1/y.go --
package yaml
",
    )
    .layout();
    assert_eq!(
        find(&layout, "/w", "github.com/BurntSushi/toml/internal"),
        "/cache/github.com/!burnt!sushi/toml@v1.0.0-!r!c1/internal"
    );
    let x = "/cache/example.com/x/v2@v2.1.0";
    assert_eq!(find(&layout, "/w", "example.com/x/v2"), x);
    assert_eq!(find(&layout, x, "example.com/x/v2/y"), format!("{x}/y"));
    assert_eq!(
        find(&layout, "/w", "gopkg.in/yaml.v3"),
        "/cache/gopkg.in/yaml.v3@v3.0.1"
    );
}

#[test]
fn an_import_of_a_missing_module_is_absent_and_reported() {
    let world = World::new(
        "
-- go.mod --
module example.com/m
go 1.26
require example.com/listed v1.0.0
-- m.go --
package m
import (\"example.com/listed/a\"; \"example.com/unlisted\"; \"example.com/m/gone\"; \"./rel\")
",
    );
    expect![[r#"
        Workspace Base m = example.com/m in .: m.go
        note /w/go.mod: example.com/listed v1.0.0 is not in the module cache
    "#]]
    .assert_eq(&world.printed());
    assert_eq!(find(&world.layout(), "/w", "example.com/listed/a"), "-");
}

#[test]
fn the_longest_module_that_holds_the_package_is_taken() {
    let layout = World::new(
        "
-- go.mod --
module example.com/m
go 1.26
require (
	example.com/a v1.0.0
	example.com/a/b v1.0.0
)
-- m.go --
package m
import (\"example.com/a/b/c\"; \"example.com/a/b/d\")
-- /cache/example.com/a@v1.0.0/b/c/c.go --
package c
-- /cache/example.com/a@v1.0.0/b/d/d.go --
package d
-- /cache/example.com/a/b@v1.0.0/c/c.go --
package c
",
    )
    .layout();
    let c = "/cache/example.com/a/b@v1.0.0/c";
    assert_eq!(find(&layout, "/w", "example.com/a/b/c"), c);
    let d = "/cache/example.com/a@v1.0.0/b/d";
    assert_eq!(find(&layout, "/w", "example.com/a/b/d"), d);
}

#[test]
fn a_module_may_be_replaced_by_a_folder_or_another_version() {
    let world = World::new(
        "
-- go.mod --
module example.com/m
go 1.26
require (
	example.com/a v1.0.0
	example.com/b v1.0.0
	example.com/c v1.0.0
	example.com/d v1.0.0
)
replace example.com/a => ../outside
replace example.com/b => example.com/fork v1.5.0
replace example.com/c => ./inside
replace example.com/d v1.1.0 => ./inside
-- m.go --
package m
import (\"example.com/a/x\"; \"example.com/b\"; \"example.com/c\"; \"example.com/d\")
-- inside/go.mod --
module example.com/c
-- inside/c.go --
package c
-- /outside/go.mod --
module example.com/whatever
-- /outside/x/x.go --
package x
-- /outside/nested/go.mod --
module example.com/a/nested
-- /cache/example.com/b@v1.0.0/b.go --
package b
-- /cache/example.com/fork@v1.5.0/b.go --
package b
-- /cache/example.com/d@v1.0.0/d.go --
package d
",
    );
    let layout = world.layout();
    for (path, dir) in [
        ("example.com/a/x", "/outside/x"),
        ("example.com/b", "/cache/example.com/fork@v1.5.0"),
        ("example.com/c", "/w/inside"),
        ("example.com/d", "/cache/example.com/d@v1.0.0"),
    ] {
        assert_eq!(find(&layout, "/w", path), dir, "{path}");
    }
    expect![[r#"
        Library Base example.com/a/x = example.com/a/x in /outside/x: x.go
        Library Base example.com/b = example.com/b in /cache/example.com/fork@v1.5.0: b.go
        Workspace Base example.com/c = example.com/c in inside: c.go
        Library Base example.com/d = example.com/d in /cache/example.com/d@v1.0.0: d.go
        Workspace Base m = example.com/m in .: m.go
    "#]]
    .assert_eq(&world.printed());
}

#[test]
fn a_replacement_that_names_the_version_beats_one_that_does_not() {
    let layout = World::new(
        "
-- go.mod --
module example.com/m
go 1.26
require example.com/a v1.0.0
replace (
	example.com/a => ../every
	example.com/a v1.0.0 => ../one
)
-- m.go --
package m
import \"example.com/a\"
-- /every/a.go --
package a
-- /one/a.go --
package a
",
    )
    .layout();
    assert_eq!(find(&layout, "/w", "example.com/a"), "/one");
}

#[test]
fn a_workspace_file_joins_two_modules() {
    let world = World::new(
        "
-- go.work --
go 1.26
use (
	./a
	./b
	../outside
)
-- a/go.mod --
module example.com/a
go 1.26
-- a/a.go --
package a
import (\"example.com/b/x\"; \"example.com/outside\")
-- b/go.mod --
module example.com/b
go 1.26
-- b/x/x.go --
package x
import \"example.com/a\"
-- /outside/go.mod --
module example.com/outside
-- /outside/o.go --
package outside
import \"example.com/a\"
",
    );
    let layout = world.layout();
    assert_eq!(find(&layout, "/w/a", "example.com/b/x"), "/w/b/x");
    assert_eq!(find(&layout, "/w/b/x", "example.com/a"), "/w/a");
    assert_eq!(find(&layout, "/w/a", "example.com/outside"), "/outside");
    assert_eq!(find(&layout, "/outside", "example.com/a"), "/w/a");
    expect![[r#"
        Workspace Base example.com/a = example.com/a in a: a.go
        Workspace Base example.com/b/x = example.com/b/x in b/x: x.go
        Library Base example.com/outside = example.com/outside in /outside: o.go
    "#]]
    .assert_eq(&world.printed());
}

const TWO_VERSIONS: &str = "
-- go.work --
go 1.26
use ./a
use ./b
replace example.com/r => ./byWork
-- a/go.mod --
module example.com/a
go 1.26
require example.com/l v1.2.0
require example.com/r v1.0.0
replace example.com/r => ../byModule
-- a/a.go --
package a
import (\"example.com/l\"; \"example.com/r\")
-- b/go.mod --
module example.com/b
go 1.26
require example.com/l v1.10.0
-- b/b.go --
package b
import \"example.com/l\"
-- byWork/r.go --
package r
-- byModule/r.go --
package r
-- /cache/example.com/l@v1.2.0/l.go --
package l
-- /cache/example.com/l@v1.10.0/l.go --
package l
";

#[test]
fn the_replacements_of_a_workspace_file_win_and_its_modules_share_versions() {
    let layout = World::new(TWO_VERSIONS).layout();
    assert_eq!(find(&layout, "/w/a", "example.com/r"), "/w/byWork");
    let newest = "/cache/example.com/l@v1.10.0";
    assert_eq!(find(&layout, "/w/a", "example.com/l"), newest);
    assert_eq!(find(&layout, "/w/b", "example.com/l"), newest);
}

#[test]
fn without_the_workspace_file_each_module_builds_alone() {
    for world in [
        World::new(TWO_VERSIONS).variable("GOWORK", "off"),
        // A go.work does not apply to a module that it does not use.
        World::new(&TWO_VERSIONS.replace("use ./a", "")),
    ] {
        let layout = world.layout();
        assert_eq!(find(&layout, "/w/a", "example.com/r"), "/w/byModule");
        let oldest = "/cache/example.com/l@v1.2.0";
        assert_eq!(find(&layout, "/w/a", "example.com/l"), oldest);
    }
}

#[test]
fn modules_of_one_root_find_each_other_if_nothing_else_matches() {
    let layout = World::new(
        "
-- a/go.mod --
module example.com/a
go 1.26
require example.com/b v1.0.0
-- a/a.go --
package a
import (\"example.com/b\"; \"example.com/c\")
-- b/go.mod --
module example.com/b
-- b/b.go --
package b
-- c/go.mod --
module example.com/c
-- c/c.go --
package c
-- /cache/example.com/b@v1.0.0/b.go --
package b
",
    )
    .layout();
    assert_eq!(
        find(&layout, "/w/a", "example.com/b"),
        "/cache/example.com/b@v1.0.0"
    );
    assert_eq!(find(&layout, "/w/a", "example.com/c"), "/w/c");
}

#[test]
fn a_nested_module_is_no_part_of_the_module_around_it() {
    let layout = World::new(
        "
-- go.mod --
module example.com/m
go 1.26
-- m.go --
package m
import (\"example.com/m/in\"; \"example.com/m/sub/x\")
-- in/i.go --
package in
-- sub/go.mod --
module example.com/other
-- sub/x/x.go --
package x
-- sub/y/y.go --
package y
import \"example.com/other/x\"
",
    )
    .layout();
    assert_eq!(find(&layout, "/w", "example.com/m/in"), "/w/in");
    assert_eq!(find(&layout, "/w", "example.com/m/sub/x"), "-");
    assert_eq!(find(&layout, "/w/sub/y", "example.com/other/x"), "/w/sub/x");
}

#[test]
fn an_old_go_mod_takes_the_highest_version_that_anything_requires() {
    let world = "
-- go.mod --
module example.com/m
go 1.16
require example.com/a v1.0.0
require example.com/b v1.1.0
-- m.go --
package m
import (\"example.com/b\"; \"example.com/c\")
-- /cache/cache/download/example.com/a/@v/v1.0.0.mod --
module example.com/a
require example.com/b v1.3.0
require example.com/c v1.0.0
-- /cache/example.com/b@v1.3.0/go.mod --
module example.com/b
require example.com/c v1.4.0
-- /cache/cache/download/example.com/b/@v/v1.1.0.mod --
module example.com/b
require example.com/c v1.5.0
-- /cache/example.com/b@v1.1.0/b.go --
package b
-- /cache/example.com/b@v1.3.0/b.go --
package b
-- /cache/example.com/c@v1.4.0/c.go --
package c
-- /cache/example.com/c@v1.5.0/c.go --
package c
";
    let layout = World::new(world).layout();
    assert_eq!(
        find(&layout, "/w", "example.com/b"),
        "/cache/example.com/b@v1.3.0"
    );
    // The requirements of a version that is not selected count too.
    assert_eq!(
        find(&layout, "/w", "example.com/c"),
        "/cache/example.com/c@v1.5.0"
    );
    let excluded = format!("{world}\n").replace(
        "require example.com/a v1.0.0\n",
        "require example.com/a v1.0.0\nexclude example.com/c v1.5.0\n",
    );
    assert_eq!(
        find(&World::new(&excluded).layout(), "/w", "example.com/c"),
        "/cache/example.com/c@v1.4.0"
    );
}

#[test]
fn a_new_go_mod_lists_what_it_needs_and_the_graph_provides_the_rest() {
    let layout = World::new(
        "
-- go.mod --
module example.com/m
go 1.26
require example.com/a v1.0.0
-- m.go --
package m
import (\"example.com/a\"; \"example.com/b\"; \"example.com/c\"; \"example.com/d\"; \"example.com/e\")
-- /cache/cache/download/example.com/a/@v/v1.0.0.mod --
module example.com/a
go 1.26
require (
	example.com/a v1.9.0
	example.com/b v1.0.0
)
-- /cache/cache/download/example.com/b/@v/v1.0.0.mod --
module example.com/b
go 1.26
require example.com/d v1.0.0
-- /cache/example.com/a@v1.0.0/a.go --
package a
-- /cache/example.com/b@v1.0.0/b.go --
package b
-- /cache/example.com/d@v1.0.0/d.go --
package d
",
    )
    .layout();
    let listed = "/cache/example.com/a@v1.0.0";
    assert_eq!(find(&layout, "/w", "example.com/a"), listed);
    let below = "/cache/example.com/b@v1.0.0";
    assert_eq!(find(&layout, "/w", "example.com/b"), below);
    // Pruning: the requirements of a required module of Go 1.17 or later are not followed.
    assert_eq!(find(&layout, "/w", "example.com/d"), "-");
}

#[test]
fn go_env_and_the_first_folder_of_gopath_locate_the_cache() {
    let world = |text: &str| {
        World::new(&format!(
            "
-- go.mod --
module example.com/m
go 1.26
require example.com/a v1.0.0
-- m.go --
package m
import \"example.com/a\"
{text}"
        ))
        .setting("modcache", "")
    };
    let at = |world: World| find(&world.layout(), "/w", "example.com/a").to_owned();
    let home = world("-- /home/go/pkg/mod/example.com/a@v1.0.0/a.go --\npackage a\n");
    assert_eq!(at(home), "/home/go/pkg/mod/example.com/a@v1.0.0");
    let path = world("-- /p/pkg/mod/example.com/a@v1.0.0/a.go --\npackage a\n");
    assert_eq!(
        at(path.variable("GOPATH", "/p:/q")),
        "/p/pkg/mod/example.com/a@v1.0.0"
    );
    let written = world(
        "-- /home/.config/go/env --\nGOMODCACHE=/elsewhere\n-- /elsewhere/example.com/a@v1.0.0/a.go --\npackage a\n",
    );
    assert_eq!(at(written), "/elsewhere/example.com/a@v1.0.0");
}

#[test]
fn tags_come_from_the_settings_or_from_goflags() {
    let tags = |world: World| {
        crate::settings::of_layout(&world.layout()).map(|settings| settings.tags.join(" "))
    };
    let world = || World::new("-- m.go --\npackage m\n");
    assert_eq!(tags(world().setting("tags", "b,a")).as_deref(), Some("a b"));
    let flags = world().variable("GOFLAGS", "-mod=mod -tags=x,y");
    assert_eq!(tags(flags).as_deref(), Some("x y"));
}
