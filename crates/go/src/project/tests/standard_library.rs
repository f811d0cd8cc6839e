//! GOROOT as a library and as a workspace, and the search for it.

use expect_test::expect;

use super::world::{World, find, print};

const COMMANDS: &str = "
-- /goroot/src/cmd/go.mod --
module cmd
-- /goroot/src/cmd/go/main.go --
package main
import (\"fmt\"; \"cmd/internal/x\"; \"golang.org/x/mod/semver\"; \"golang.org/x/net/idna\")
-- /goroot/src/cmd/internal/x/x.go --
package x
-- /goroot/src/cmd/vendor/golang.org/x/mod/semver/s.go --
package semver
import \"golang.org/x/mod/internal/lazy\"
-- /goroot/src/cmd/vendor/golang.org/x/mod/internal/lazy/l.go --
package lazy
-- /goroot/src/builtin/builtin.go --
package builtin
-- /goroot/src/unsafe/unsafe.go --
package unsafe
";

#[test]
fn the_library_finds_its_own_vendor_folder() {
    let world = World::new(
        "
-- go.mod --
module example.com/m
go 1.26
-- m.go --
package m
import (\"net/http\"; \"unsafe\"; \"C\"; \"golang.org/x/net/idna\"; \"vendor/golang.org/x/net/idna\")
",
    )
    .setting("cgo", "true");
    let layout = world.layout();
    expect![[r#"
        Workspace Base m = example.com/m in .: m.go
        Library Base net/http = net/http in /goroot/src/net/http: http.go
        Library Base vendor/golang.org/x/net/idna = vendor/golang.org/x/net/idna in /goroot/src/vendor/golang.org/x/net/idna: idna.go
    "#]].assert_eq(&print(&layout, "/w"));
    let idna = "/goroot/src/vendor/golang.org/x/net/idna";
    assert_eq!(
        find(&layout, "/goroot/src/net/http", "golang.org/x/net/idna"),
        idna
    );
    assert_eq!(find(&layout, "/w", "golang.org/x/net/idna"), "-");
    assert_eq!(find(&layout, "/w", "vendor/golang.org/x/net/idna"), "-");
}

#[test]
fn a_goroot_as_workspace_has_the_names_that_the_go_command_prints() {
    let world = World::new(COMMANDS);
    let layout = world.layout_of("/goroot/src");
    expect![[r#"
        Workspace Base cmd/go = cmd/go in cmd/go: main.go
        Workspace Base cmd/internal/x = cmd/internal/x in cmd/internal/x: x.go
        Workspace Base cmd/vendor/golang.org/x/mod/internal/lazy = cmd/vendor/golang.org/x/mod/internal/lazy in cmd/vendor/golang.org/x/mod/internal/lazy: l.go
        Workspace Base cmd/vendor/golang.org/x/mod/semver = cmd/vendor/golang.org/x/mod/semver in cmd/vendor/golang.org/x/mod/semver: s.go
        Workspace Base errors = errors in errors: errors.go
        Workspace Base fmt = fmt in fmt: fmt.go
        Workspace Base net/http = net/http in net/http: http.go
        Workspace Base vendor/golang.org/x/net/idna = vendor/golang.org/x/net/idna in vendor/golang.org/x/net/idna: idna.go
    "#]].assert_eq(&print(&layout, "/goroot/src"));
    let command = "/goroot/src/cmd/go";
    assert_eq!(
        find(&layout, command, "golang.org/x/mod/semver"),
        "/goroot/src/cmd/vendor/golang.org/x/mod/semver"
    );
    assert_eq!(
        find(&layout, command, "cmd/internal/x"),
        "/goroot/src/cmd/internal/x"
    );
    assert_eq!(find(&layout, command, "fmt"), "/goroot/src/fmt");
    // The standard library's vendor folder is not that of the commands.
    assert_eq!(find(&layout, command, "golang.org/x/net/idna"), "-");
}

#[test]
fn the_goroot_itself_and_a_folder_of_it_are_workspaces_too() {
    let world = World::new(COMMANDS).setting("goroot", "");
    for root in ["/goroot", "/goroot/src/net"] {
        let layout = world.layout_of(root);
        let http = layout
            .units
            .iter()
            .find(|unit| unit.name == "net/http")
            .expect("a unit of the standard library");
        assert_eq!(http.origin, codeweft_db::Origin::Workspace);
        let idna = find(&layout, "/goroot/src/net/http", "golang.org/x/net/idna");
        assert_eq!(idna, "/goroot/src/vendor/golang.org/x/net/idna");
        assert_eq!(
            crate::settings::of_layout(&layout).map(|settings| settings.release),
            Some(26)
        );
    }
}

#[test]
fn the_goroot_is_found_by_settings_then_variable_then_the_usual_folders() {
    let world = "
-- go.mod --
module example.com/m
-- m.go --
package m
-- /env/VERSION --
go1.24.1
-- /env/src/fmt/fmt.go --
package fmt
-- /usr/lib/go-1.9/VERSION --
go1.9
-- /usr/lib/go-1.9/src/fmt/fmt.go --
package fmt
-- /usr/lib/go-1.22/VERSION --
go1.22.2
-- /usr/lib/go-1.22/src/fmt/fmt.go --
package fmt
-- /home/sdk/go1.23.4/src/internal/goversion/goversion.go --
package goversion

const Version = 23
";
    let release =
        |world: World| crate::settings::of_layout(&world.layout()).map(|settings| settings.release);
    let none = || World::new(world).setting("goroot", "");
    assert_eq!(release(World::new(world)), Some(26));
    assert_eq!(release(none().variable("GOROOT", "/env")), Some(24));
    assert_eq!(release(none().variable("GOROOT", "/nowhere")), Some(22));
    let sdk = world.replace("/usr/lib/", "/usr/other/");
    assert_eq!(release(World::new(&sdk).setting("goroot", "")), Some(23));
}

#[test]
fn a_setting_that_names_no_goroot_is_reported_and_not_replaced() {
    let world = World::new("-- m.go --\npackage m\nimport \"fmt\"\n")
        .setting("goroot", "/nowhere/")
        .variable("GOROOT", "/goroot");
    expect![[r#"
        Workspace Base w = w in .: m.go
        note /nowhere: go.goroot names no folder with a Go standard library
    "#]]
    .assert_eq(&world.printed());
}

#[test]
fn experiments_are_read_from_the_goroot_and_changed_by_the_environment() {
    let world = World::new(
        "
-- m.go --
package m
-- /goroot/src/internal/buildcfg/exp.go --
package buildcfg

	baseline := goexperiment.Flags{
		New:   true,
		Other: false,
	}
",
    );
    let experiments = |world: World| {
        let settings = crate::settings::of_layout(&world.layout()).expect("a configuration");
        settings.experiments.join(" ")
    };
    assert_eq!(experiments(world), "new");
    let world = World::new("-- m.go --\npackage m\n").variable("GOEXPERIMENT", "jsonv2,nodwarf5");
    assert_eq!(
        experiments(world),
        "greenteagc jsonv2 randomizedheapbase64 regabiargs regabiwrappers"
    );
}
