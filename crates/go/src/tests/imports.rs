//! Imports in resolution (Go spec, Import declarations). The layout of modules is tested in
//! `project/tests`.

use expect_test::expect;

use super::{Fixture, calls};

#[test]
fn import_name_differs_from_last_element() {
    calls(
        r#"
package m

import (
    "m/go-yaml"
    "m/v"
)

func f() {
    yaml.F().M()
    other.G()
    v.H()
}
//- go-yaml/a.go
package yaml

type T struct{}

func (T) M() {}

func F() T { return T{} }
//- v/a.go
package other

func G() {}
func H() {}
"#,
        expect![[r#"
            a.go:10:10 F: m.f -> go-yaml.F
            a.go:10:14 M: m.f -> go-yaml.T.M
            a.go:11:11 G: m.f -> v.G
            a.go:12:7 H: open, unknown_receiver
        "#]],
    );
}

#[test]
fn major_version_suffix_v2() {
    // A package that is not loaded is named after its path, without the version.
    calls(
        r#"
package m

import (
    "m/lib/v2"
    "example.com/absent/v3"
)

func f() {
    lib.F()
    absent.G()
    v3.H()
}
//- lib/v2/a.go
package lib

func F() {}
"#,
        expect![[r#"
            a.go:10:9 F: m.f -> lib/v2.F
            a.go:11:12 G: open, unknown_receiver
            a.go:12:8 H: open, unknown_receiver
        "#]],
    );
}

#[test]
fn gopkg_in_suffix() {
    let fixture = Fixture::new(
        r#"
package m

import (
    "gopkg.in/yaml.v3"
    "gopkg.in/user/check.v1"
)

func f() {
    yaml.F()
    check.G()
}
"#,
    );
    expect![[r#"
        a.go:10:10 F: open, unknown_receiver
        a.go:11:11 G: open, unknown_receiver
    "#]]
    .assert_eq(&fixture.calls());
    expect![[r#"
        m -> gopkg.in/user/check.v1 (absent)
        m -> gopkg.in/yaml.v3 (absent)
    "#]]
    .assert_eq(&fixture.imports());
}

#[test]
fn import_of_absent_module_is_unresolved() {
    let fixture = Fixture::new(
        r#"
package m

import (
    "example.com/absent"
    . "example.com/dotted"
)

type T struct {
    absent.Base
    own Own
}

type Own struct{}

func (Own) M() {}

type I interface{ M() }

func f(t T, x absent.X, y *absent.Y) {
    absent.F().M()
    x.M().N()
    y.Field.M()
    t.own.M()
    t.M()
    Dotted().M()
    for _, z := range absent.List { z.M() }
    _ = absent.Z{Own: t, own: helper()}
    g := absent.New()
    g.M(helper(), absent.F())
}

func helper() Own { return Own{} }

// The absent type may have a method that hides the one of Deep, but none that hides Own's.
type Hiding struct {
    absent.Base
    Own
    Outer
}

type Outer struct{ Deep }

type Deep struct{}

func (Deep) N() {}

func g(h Hiding) {
    h.N()
    h.Deep.N()
    h.Outer.N()
    h.M()
}
"#,
    );
    expect![[r#"
        a.go:21:12 F: open, unknown_receiver
        a.go:21:16 M: open, unknown_receiver
        a.go:22:7 M: open, unknown_receiver
        a.go:22:11 N: open, unknown_receiver
        a.go:23:13 M: open, unknown_receiver
        a.go:24:11 M: m.f -> m.Own.M
        a.go:25:7 M: open, unknown_receiver
        a.go:26:5 Dotted: open, unknown_receiver
        a.go:26:14 M: open, unknown_receiver
        a.go:27:39 M: open, unknown_receiver
        a.go:28:31 helper: m.f -> m.helper
        a.go:29:17 New: open, unknown_receiver
        a.go:30:7 M: open, unknown_receiver
        a.go:30:9 helper: m.f -> m.helper
        a.go:30:26 F: open, unknown_receiver
        a.go:49:7 N: open, unknown_receiver
        a.go:50:12 N: m.g -> m.Deep.N
        a.go:51:13 N: m.g -> m.Deep.N
        a.go:52:7 M: m.g -> m.Own.M
    "#]]
    .assert_eq(&fixture.calls());
    expect![[r#"
        a.go:11:9 Own: FieldType of m.Own
        a.go:16:7 Own: Receiver of m.Own
        a.go:20:10 T: Parameter of m.T
        a.go:24:7 own: Read of m.T.own
        a.go:33:15 Own: Result of m.Own
        a.go:33:28 Own: Literal of m.Own
        a.go:38:5 Own: Embed of m.Own
        a.go:39:5 Outer: Embed of m.Outer
        a.go:42:20 Deep: Embed of m.Deep
        a.go:46:7 Deep: Receiver of m.Deep
        a.go:48:10 Hiding: Parameter of m.Hiding
        a.go:50:7 Deep: Read of m.Outer.Deep
        a.go:51:7 Outer: Read of m.Hiding.Outer
    "#]]
    .assert_eq(&fixture.references());
}

#[test]
fn import_cycle_reads_as_absent() {
    // The first package in order of path keeps its import; the edge that closes the cycle is cut,
    // and nothing is resolved through it.
    calls(
        r#"
//- a/a.go
package a

import "m/b"

type A struct{ b.B }

func (A) M() { b.F(); b.F().N() }
func F() A { return A{} }
//- b/b.go
package b

import "m/a"

type B struct{ a *a.A }

func (B) N() { a.F().M(); b() }
func F() B { return B{} }
func b() {}
//- c/c.go
package c

import "m/c"

func F() { c.F(); g() }
func g() {}
"#,
        expect![[r#"
            a/a.go:7:18 F: a.A.M -> b.F
            a/a.go:7:25 F: a.A.M -> b.F
            a/a.go:7:29 N: a.A.M -> b.B.N
            b/b.go:7:18 F: open, unknown_receiver
            b/b.go:7:22 M: open, unknown_receiver
            b/b.go:7:27 b: b.B.N -> b.b
            c/c.go:5:14 F: open, unknown_receiver
            c/c.go:5:19 g: c.F -> c.g
        "#]],
    );
}
