//! The printed names of packages (spec: ids).

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
    expect![[""]].assert_eq(&world.printed());
}

#[test]
fn a_short_name_of_the_standard_library_stays_whole() {
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
    expect![[""]].assert_eq(&world.printed());
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
    expect![[""]].assert_eq(&world.printed());
}

#[test]
fn the_root_package_stays_whole_where_a_folder_has_its_name() {
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
    expect![[""]].assert_eq(&world.printed());
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
    expect![[""]].assert_eq(&world.printed());
}

#[test]
fn packages_with_one_import_path_are_told_apart_by_version_or_place() {
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
    expect![[""]].assert_eq(&world.printed());
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
    expect![[""]].assert_eq(&print(&layout, "/w"));
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
    expect![[""]].assert_eq(&world.printed());
}
