//! The printed names of packages, which are the prefixes of ids.

use expect_test::expect;

use super::world::{World, print};

#[test]
fn packages_of_the_module_at_the_root_are_named_by_their_path_in_it() {
    let world = World::new(
        "
-- go.mod --
module example.com/x/v2
-- x.go --
package x
-- internal/embed/e.go --
package embed
-- sub/go.mod --
module example.com/x/sub
-- sub/s.go --
package sub
-- sub/t/t.go --
package t
",
    );
    expect![[r#"
        Workspace Base example.com/x/sub = example.com/x/sub in sub: s.go
        Workspace Base example.com/x/sub/t = example.com/x/sub/t in sub/t: t.go
        Workspace Base internal/embed = example.com/x/v2/internal/embed in internal/embed: e.go
        Workspace Base x = example.com/x/v2 in .: x.go
    "#]]
    .assert_eq(&world.printed());
}

#[test]
fn a_name_of_the_standard_library_keeps_its_import_path() {
    let world = World::new(
        "
-- go.mod --
module example.com/fmt
-- f.go --
package fmt
-- errors/e.go --
package errors
-- net/http/h.go --
package http
-- net/n.go --
package net
-- cmd/go/g.go --
package main
",
    );
    expect![[r#"
        Workspace Base cmd/go = example.com/fmt/cmd/go in cmd/go: g.go
        Workspace Base example.com/fmt = example.com/fmt in .: f.go
        Workspace Base example.com/fmt/errors = example.com/fmt/errors in errors: e.go
        Workspace Base example.com/fmt/net/http = example.com/fmt/net/http in net/http: h.go
        Workspace Base net = example.com/fmt/net in net: n.go
    "#]]
    .assert_eq(&world.printed());
}

#[test]
fn without_a_goroot_the_public_packages_are_known() {
    let world = World::new(
        "
-- go.mod --
module example.com/m
-- errors/e.go --
package errors
-- encoding/json/j.go --
package json
-- mine/m.go --
package mine
",
    )
    .setting("goroot", "/nowhere");
    expect![[r#"
        Workspace Base example.com/m/encoding/json = example.com/m/encoding/json in encoding/json: j.go
        Workspace Base example.com/m/errors = example.com/m/errors in errors: e.go
        Workspace Base mine = example.com/m/mine in mine: m.go
        note /nowhere: go.goroot names no folder with a Go standard library
    "#]].assert_eq(&world.printed());
}

#[test]
fn the_root_package_keeps_its_import_path_if_a_folder_has_its_name() {
    let world = World::new(
        "
-- go.mod --
module example.com/x
-- x.go --
package x
-- x/y/y.go --
package y
-- xz/xz.go --
package xz
",
    );
    expect![[r#"
        Workspace Base example.com/x = example.com/x in .: x.go
        Workspace Base x/y = example.com/x/x/y in x/y: y.go
        Workspace Base xz = example.com/x/xz in xz: xz.go
    "#]]
    .assert_eq(&world.printed());
}

#[test]
fn an_external_test_is_named_by_its_package() {
    let world = World::new(
        "
-- go.mod --
module example.com/m
-- a/a.go --
package a
-- a/a_test.go --
package a_test
-- a_test/b.go --
package b
-- m_test.go --
package m_test
",
    );
    expect![[r#"
        Workspace Base a = example.com/m/a in a: a.go
        Workspace Base a_test = example.com/m/a_test in a_test: b.go
        Workspace XTest a_test@a = example.com/m/a_test in a: a_test.go
        Workspace XTest m_test = example.com/m_test in .: m_test.go
    "#]]
    .assert_eq(&world.printed());
}

#[test]
fn packages_with_one_import_path_are_distinguished_by_version_or_location() {
    let world = World::new(
        "
-- one/go.mod --
module example.com/same
go 1.26
require example.com/l v1.9.0
-- one/a.go --
package same
import \"example.com/l\"
-- two/go.mod --
module example.com/same
go 1.26
require example.com/l v1.10.0
-- two/a.go --
package same
import \"example.com/l\"
-- /cache/example.com/l@v1.9.0/l.go --
package l
-- /cache/example.com/l@v1.10.0/l.go --
package l
",
    );
    expect![[r#"
        Library Base example.com/l = example.com/l in /cache/example.com/l@v1.10.0: l.go
        Library Base example.com/l@v1.9.0 = example.com/l in /cache/example.com/l@v1.9.0: l.go
        Workspace Base example.com/same = example.com/same in one: a.go
        Workspace Base example.com/same@two = example.com/same in two: a.go
    "#]]
    .assert_eq(&world.printed());
}

#[test]
fn a_root_inside_a_module_keeps_the_names_that_it_has_there() {
    let world = World::new(
        "
-- go.mod --
module example.com/m
-- top/t.go --
package top
-- sub/s.go --
package sub
import (\"example.com/m/top\"; \"example.com/m/sub/deep\")
-- sub/deep/d.go --
package deep
",
    );
    let layout = world.layout_of("/w/sub");
    expect![[r#"
        Library Base example.com/m/top = example.com/m/top in top: t.go
        Workspace Base sub = example.com/m/sub in sub: s.go
        Workspace Base sub/deep = example.com/m/sub/deep in sub/deep: d.go
    "#]]
    .assert_eq(&print(&layout, "/w"));
}

#[test]
fn a_folder_without_a_module_is_one_named_by_the_root() {
    let world = World::new(
        "
-- main.go --
package main
import (\"fmt\"; \"w/a\"; \"example.com/x\")
-- a/a.go --
package a
",
    );
    expect![[r#"
        Workspace Base a = w/a in a: a.go
        Library Base errors = errors in /goroot/src/errors: errors.go
        Library Base fmt = fmt in /goroot/src/fmt: fmt.go
        Workspace Base w = w in .: main.go
    "#]]
    .assert_eq(&world.printed());
}
