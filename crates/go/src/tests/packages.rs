//! Packages, their files and tests, and code outside Go text (Go spec, Packages).

use expect_test::expect;

use super::{Fixture, calls, implements};

#[test]
fn file_name_os_arch_and_build_constraint_choose_the_declaration() {
    calls(
        r#"
//- a.go
package m

func f() { get().M() }
//- a_linux.go
package m

type T struct{}

func (T) M() {}

func get() T { return T{} }
//- a_windows.go
package m

type U struct{}

func (U) M() {}

func get() U { f(); return U{} }
//- b.go
//go:build !linux

package m

func get() int { f(); return 0 }
"#,
        expect![[r#"
            a.go:3:12 get: m.f -> m.get
            a.go:3:18 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn cgo_file_in_and_out() {
    // Without cgo a file that imports "C" is excluded.
    calls(
        r#"
//- a.go
package m

func f() { g(); h() }
//- cgo.go
package m

import "C"

func g() { f() }
//- nocgo.go
//go:build !cgo

package m

func h() { f() }
"#,
        expect![[r#"
            a.go:3:12 g: open, unknown_receiver
            a.go:3:17 h: m.f -> m.h
            nocgo.go:5:12 f: m.h -> m.f
        "#]],
    );
}

#[test]
fn cgo_call_of_c_symbol() {
    // With cgo the calls of C functions are unresolved sites with that reason.
    let fixture = Fixture::with(
        r#"
package m

import "C"

func f() {
    C.puts(nil)
    g(C.size(1))
    var x C.int
    _ = C.add(x, 2).field
    C.get().M()
}

func g(C.size_t) {}
"#,
        &[("cgo", "true")],
    );
    expect![[r#"
        a.go:7:7 puts: open, cgo
        a.go:8:5 g: m.f -> m.g
        a.go:8:9 size: open, cgo
        a.go:10:11 add: open, cgo
        a.go:11:7 get: open, cgo
        a.go:11:13 M: open, cgo
    "#]]
    .assert_eq(&fixture.calls());
}

#[test]
fn documentation_and_ignored_clauses() {
    calls(
        r#"
//- a.go
package m

func f() { g() }
//- b.go
package m

func g() {}
//- doc.go
package documentation

func g() { f() }
//- other.go
package other

func h() { f() }
//- tool.go
//go:build ignore

package main

func f() {}
"#,
        expect![[r#"
            a.go:3:12 g: m.f -> m.g
        "#]],
    );
}

#[test]
fn in_package_test_adds_method_to_base_type() {
    let text = r#"
//- a.go
package m

type T struct{}

func (T) M() {}

type Outer struct{ *T }

type Generic[E any] struct{ e E }

type I interface{ Extra() }

func f(t T, o Outer) {
    t.M()
    t.Extra()
}
//- a_test.go
package m

func (T) Extra() {}

func (g Generic[X]) More() X { g.e = helper(g.e); return g.e }

func helper[E any](e E) E { return e }

type OnlyTest struct{ Outer }

type J interface { Extra(); M() }

func test(t T, o Outer, g Generic[T], x OnlyTest) {
    t.M()
    t.Extra()
    o.Extra()
    o.M()
    g.More().Extra()
    x.Extra()
    helper(o).Extra()
    var i I = t
    i.Extra()
    f(t, o)
}
//- x_test.go
package m_test

import "m"

func test(t m.T, o m.Outer) {
    t.Extra()
    o.T.Extra()
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:14:7 M: m.f -> m.T.M
        a.go:15:7 Extra: open, unknown_receiver
        a_test.go:5:38 helper: m.Generic.More -> m.helper
        a_test.go:14:7 M: m.test -> m.T.M
        a_test.go:15:7 Extra: m.test -> m.T.Extra
        a_test.go:16:7 Extra: m.test -> m.T.Extra
        a_test.go:17:7 M: m.test -> m.T.M
        a_test.go:18:7 More: m.test -> m.Generic.More
        a_test.go:18:14 Extra: m.test -> m.T.Extra
        a_test.go:19:7 Extra: m.test -> m.T.Extra
        a_test.go:20:5 helper: m.test -> m.helper
        a_test.go:20:15 Extra: m.test -> m.T.Extra
        a_test.go:22:7 Extra: m.test -> m.I.Extra
        a_test.go:23:5 f: m.test -> m.f
        x_test.go:6:7 Extra: m_test.test -> m.T.Extra
        x_test.go:7:9 Extra: m_test.test -> m.T.Extra
    "#]],
    );
    implements(
        text,
        expect![[r#"
        m.OnlyTest -> m.I
        m.OnlyTest -> m.J
        m.Outer -> m.I
        m.Outer -> m.J
        m.T -> m.I
        m.T -> m.J
    "#]],
    );
}

#[test]
fn external_test_sees_export_test() {
    calls(
        r#"
//- a.go
package m

func hidden() T { return T{} }

type T struct{}

func (T) M() {}
//- export_test.go
package m

var Hidden = hidden

func Helper() T { return hidden() }

func unexported() {}
//- x_test.go
package m_test

import (
    . "m"
    same "m"
    "m/b"
)

func test() {
    Hidden().M()
    Helper().M()
    same.Helper().M()
    same.unexported()
    b.Through().M()
    own()
}

func own() {}
//- b/b.go
package b

import "m"

func Through() m.T { return m.T{} }
"#,
        expect![[r#"
            export_test.go:5:26 hidden: m.Helper -> m.hidden
            x_test.go:10:5 Hidden: open, function_value
            x_test.go:10:14 M: m_test.test -> m.T.M
            x_test.go:11:5 Helper: m_test.test -> m.Helper
            x_test.go:11:14 M: m_test.test -> m.T.M
            x_test.go:12:10 Helper: m_test.test -> m.Helper
            x_test.go:12:19 M: m_test.test -> m.T.M
            x_test.go:13:10 unexported: open, unknown_receiver
            x_test.go:14:7 Through: m_test.test -> b.Through
            x_test.go:14:17 M: m_test.test -> m.T.M
            x_test.go:15:5 own: m_test.test -> m_test.own
        "#]],
    );
}

#[test]
fn importer_of_p_does_not_see_tests() {
    calls(
        r#"
//- a.go
package m

import "m/b"

func f(t b.T) {
    t.Extra()
    b.Helper()
    t.M()
}
//- b/b.go
package b

type T struct{}

func (T) M() {}
//- b/b_test.go
package b

func (T) Extra() {}

func Helper() {}
//- b/x_test.go
package b_test

func Test() { Test() }
"#,
        expect![[r#"
            a.go:6:7 Extra: open, unknown_receiver
            a.go:7:7 Helper: open, unknown_receiver
            a.go:8:7 M: m.f -> b.T.M
            b/x_test.go:3:15 Test: b_test.Test -> b_test.Test
        "#]],
    );
}

#[test]
fn assembly_stub_and_asm_caller() {
    calls(
        r#"
package m

func stub(x int) T

type T struct{}

func (T) M() {}

func (t *T) asm() (*T, error)

func f(t *T) {
    stub(1).M()
    u, _ := t.asm()
    u.M()
}
"#,
        expect![[r#"
            a.go:13:5 stub: m.f -> m.stub
            a.go:13:13 M: m.f -> m.T.M
            a.go:14:15 asm: m.f -> m.T.asm
            a.go:15:7 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn linkname_is_reported() {
    let fixture = Fixture::new(
        r#"
//- a.go
package m

import _ "unsafe"

//go:linkname pulled m/b.target
func pulled() int

//go:linkname pushed
func pushed() {}

func plain() { pulled() }
//- b/b.go
package b

func target() int { return 0 }

func other() { target() }
"#,
    );
    expect![[r#"
        a.go:11:16 pulled: m.plain -> m.pulled
        b/b.go:5:16 target: b.other -> b.target
    "#]]
    .assert_eq(&fixture.calls());
    expect![[r#"
        m.pulled: w/a.go:6:6 linkname
        m.pushed: w/a.go:9:6 linkname
        m.plain:
    "#]]
    .assert_eq(&fixture.hidden_callers(&["m.pulled", "m.pushed", "m.plain"]));
    expect![[r#"
        b.target: w/a.go:5:1 linkname
        b.other:
    "#]]
    .assert_eq(&fixture.hidden_callers(&["b.target", "b.other"]));
}
