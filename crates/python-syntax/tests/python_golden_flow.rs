//! Statements and flow of Python, a rule each.

mod python_printed;

use expect_test::{Expect, expect};

fn check_body(item: u32, text: &str, expected: Expect) {
    expected.assert_eq(&python_printed::body(text, item));
}

#[test]
fn annotations_are_uses_with_roles() {
    check_body(
        0,
        "\
x: A[B] = c
def f(a: C, *b: \"D\") -> E[F]: pass
class G(H[I], metaclass=J):
    k: L
type M = N
isinstance(x, O)
cast(P, x)
cast(\"Q\", x)
",
        expect![[r#"
            %1 = ([] A B)
            %2 = (type %1)
            %3 = (any c %2)
            %4 = ([] E F)
            %5 = ([] H I)
            %6 = (call isinstance %3 O)
            %7 = (call cast P %3)
            %8 = (call cast Q %3)
            store x of #0 c
            load A outside A as Variable
            load B outside B as TypeArgument
            load c outside c
            load C outside C as Parameter
            load D outside D as Parameter
            load E outside E as Result
            load F outside F as TypeArgument
            class #2
            load H outside H as Base
            operator %5
            load I outside I as TypeArgument
            load J outside J
            store M of #0 N
            load N outside N as Alias
            callee isinstance outside isinstance
            call %6
            load x of #0 %3
            load O outside O as Assertion
            callee cast outside cast
            call %7
            load P outside P as Assertion
            load x of #0 %3
            callee cast outside cast
            call %8
            load Q outside Q as Assertion
            load x of #0 %3
        "#]],
    );
}

#[test]
fn lambda_defaults_belong_around() {
    check_body(
        0,
        "\
x = lambda a, b=c: a.d
x()
",
        expect![[r#"
            %1 = (call item.1)
            store x of #0 item.1
            load c outside c
            callee x of #0 item.1
            call %1
        "#]],
    );
}

#[test]
fn decorators_apply_at_their_names() {
    check_body(
        0,
        "\
@a
@b.c
@d(1)
def f(): pass
f()
@e
class C: pass
C()
",
        expect![[r#"
            %1 = (. b c)
            %2 = (call d int)
            %3 = (call decorated.1)
            %4 = (call decorated.2)
            callee a outside a
            decorate #1 by 0
            load b outside b
            callee .c of b %1
            decorate #1 by 1
            decorate #1 by 2
            callee d outside d
            call %2
            callee f of #0 decorated.1
            call %3
            callee e outside e
            decorate #2 by 0
            class #2
            callee C of #0 decorated.2
            call %4
        "#]],
    );
}

#[test]
fn star_expressions_iterate() {
    check_body(
        0,
        "\
a = *b, *c
print(*d)
for x in *e, f: pass
",
        expect![[r#"
            %1 = (star b)
            %2 = (star c)
            %3 = (tuple %1 %2)
            %4 = (star d)
            %5 = (call print %4)
            %6 = (star e)
            %7 = (tuple %6 f)
            %8 = (phi %9)
            %9 = (iter %7)
            store a of #0 %3
            load b outside b
            for b
            load c outside c
            for c
            callee print outside print
            call %5
            load d outside d
            for d
            store x of #0 %9
            load e outside e
            for e
            load f outside f
            for %7
        "#]],
    );
}

#[test]
fn yields_give_and_take() {
    check_body(
        1,
        "\
def f():
    x = yield a
    y = yield from b
    yield x, y
    lambda: (yield)
",
        expect![[r#"
            %1 = (iter b)
            %2 = (yield-from b)
            %3 = (tuple sent %2)
            store x of #1 sent
            load a outside a
            store y of #1 %2
            load b outside b
            for b
            load x of #1 sent
            load y of #1 %2
        "#]],
    );
}

#[test]
fn statements_of_python_2_are_read_through() {
    check_body(
        0,
        "\
print \"x\", y
exec a in b
print >>c, d
try: pass
except A, e: pass
",
        expect![[r#"
            load y outside y
            load a outside a
            load b outside b
            load c outside c
            load d outside d
            load A outside A as Assertion
            load e outside e as Assertion
        "#]],
    );
}

#[test]
fn del_and_augmented_assignment_of_names() {
    check_body(
        0,
        "\
x = 1
x += y
del x
x
",
        expect![[r#"
            %1 = (+= int y)
            store x of #0 int
            augment x of #0 %1
            operator %1
            load y outside y
            delete x of #0 %1
            load x of #0 x
        "#]],
    );
}

#[test]
fn assert_and_loops_test_truth() {
    check_body(
        0,
        "\
assert a, b
while c: break
else: d
for e in f:
    if g: continue
    e
else: e
",
        expect![[r#"
            %1 = (phi %2)
            %2 = (iter f)
            load a outside a
            truth a
            load b outside b
            load c outside c
            truth c
            load d outside d
            store e of #0 %2
            load f outside f
            for f
            load g outside g
            truth g
            load e of #0 %2
            load e of #0 %1
        "#]],
    );
}

#[test]
fn global_names_of_functions_are_uses_of_the_module() {
    check_body(
        1,
        "\
def f():
    global g
    g = 1
    g.h()
    print(g, len)
",
        expect![[r#"
            %1 = (. g h)
            %2 = (call %1)
            %3 = (call print g len)
            load g of #0
            store g of #0 int
            load g of #0 g
            callee .h of g %1
            call %2
            callee print outside print
            call %3
            load g of #0 g
            load len outside len
        "#]],
    );
}

#[test]
fn star_imports_leave_names_open() {
    check_body(
        0,
        "\
from a import *
x = b
x
",
        expect![[r#"
            import.0
            store x of #0 b
            load b outside b
            load x of #0 b
        "#]],
    );
}

#[test]
fn class_bodies_read_their_own_names() {
    check_body(
        1,
        "\
class C:
    a = 1
    b = a
    c = lambda self: a
    def d(self, e=a): return a
    f = [a for a in b]
    g = [a for x in a]
",
        expect![[r#"
            %1 = (iter int)
            %2 = (list %1)
            %3 = (list a)
            store a of #1 int
            store b of #1 int
            load a of #1 int
            store c of #1 item.2
            load a of #1 int
            store f of #1 %2
            load a inside.0 %1
            store a inside.0 %1
            load b of #1 int
            for int
            store g of #1 %3
            load a outside a
            store x inside.1 %1
            load a of #1 int
            for int
        "#]],
    );
}

#[test]
fn self_and_super_in_methods() {
    check_body(
        2,
        "\
class C(B):
    def m(self, x):
        self.y = x
        super().m(self.y)
        super(C, self).n
        return __class__
",
        expect![[r#"
            %1 = (call super)
            %2 = (. %1 m)
            %3 = (. param.0 y)
            %4 = (call %2 %3)
            %5 = (call super C param.0)
            %6 = (. %5 n)
            load self of #2 param.0
            store .y of param.0 param.1
            load x of #2 param.1
            callee super outside super
            call %1
            callee .m of %1 %2
            call %4
            load self of #2 param.0
            load .y of param.0 %3
            callee super outside super
            call %5
            load C of #0 C
            load self of #2 param.0
            load .n of %5 %6
            load __class__ of #1 cell.1
        "#]],
    );
}

#[test]
fn conditional_branches_join() {
    check_body(
        1,
        "\
def f(a):
    if a: x = 1
    else: x = 2
    x.y
    for z in a: x = x.next
    x.y
",
        expect![[r#"
            %1 = (not-none param.0)
            %2 = (. int y)
            %3 = (phi int %6)
            %4 = (phi %5)
            %5 = (iter param.0)
            %6 = (. %3 next)
            %7 = (. %3 y)
            load a of #1 param.0
            truth param.0
            store x of #1 int
            store x of #1 int
            load x of #1 int
            load .y of int %2
            store z of #1 %5
            load a of #1 param.0
            for param.0
            store x of #1 %6
            load x of #1 %3
            load .next of %3 %6
            load x of #1 %3
            load .y of %3 %7
        "#]],
    );
}

#[test]
fn narrowed_values_are_used() {
    check_body(
        1,
        "\
def f(a, b):
    if isinstance(a, C) and a.x: a.y
    a.z
    if b.c is not None: b.c.d
    if not a: return
    a.w
",
        expect![[r#"
            %1 = (call isinstance param.0 C)
            %2 = (narrow param.0 C)
            %3 = (narrow-not param.0 C)
            %4 = (. %2 x)
            %5 = (. %2 y)
            %6 = (. param.0 z)
            %7 = (. param.1 c)
            %8 = (is-not %7 None)
            %9 = (. %7 d)
            %10 = (not-none param.0)
            %11 = (. %10 w)
            callee isinstance outside isinstance
            call %1
            load a of #1 param.0
            load C outside C as Assertion
            load a of #1 %2
            load .x of %2 %4
            truth %4
            load a of #1 %2
            load .y of %2 %5
            load a of #1 param.0
            load .z of param.0 %6
            load b of #1 param.1
            load .c of param.1 %7
            load b of #1 param.1
            load .c of param.1 %7
            load .d of %7 %9
            load a of #1 param.0
            truth param.0
            load a of #1 %10
            load .w of %10 %11
        "#]],
    );
}

#[test]
fn chained_conditions_and_short_circuits() {
    check_body(
        1,
        "\
def f(a):
    x = a and a.b or a.c
    y = (z := a.d) if a else z
    return x, y
",
        expect![[r#"
            %1 = (not-none param.0)
            %2 = (none param.0)
            %3 = (. %1 b)
            %4 = (any %2 %3)
            %5 = (not-none %4)
            %6 = (. param.0 c)
            %7 = (any %5 %6)
            %8 = (. %1 d)
            %9 = (any %8 ?)
            %10 = (tuple %7 %9)
            store x of #1 %7
            load a of #1 param.0
            truth param.0
            load a of #1 %1
            load .b of %1 %3
            truth %3
            load a of #1 param.0
            load .c of param.0 %6
            store y of #1 %9
            store z of #1 %8
            load a of #1 %1
            load .d of %1 %8
            load a of #1 param.0
            truth param.0
            load z of #1 ?
            load x of #1 %7
            load y of #1 %9
        "#]],
    );
}

#[test]
fn match_statements_use_their_patterns() {
    check_body(
        0,
        "\
match a:
    case B(x, y=1): x
    case c.D: pass
    case [1, -2, \"s\", None]: pass
    case {e.F: g}: g
    case h if h.i: pass
",
        expect![[r#"
            %1 = (narrow a B)
            %2 = (position 0 %1)
            %3 = (. %1 y)
            %4 = (. c D)
            %5 = (== a %4)
            %6 = (unpack 0 a)
            %7 = (unpack 1 a)
            %8 = (unpack 2 a)
            %9 = (unpack 3 a)
            %10 = (none %9)
            %11 = (not-none %9)
            %12 = (. e F)
            %13 = ([] a %12)
            %14 = (. a i)
            load a outside a
            load B outside B as Assertion
            store x of #0 %2
            load .y of %1 %3
            load x of #0 %2
            load c outside c
            load .D of c %4
            load e outside e
            load .F of e %12
            store g of #0 %13
            load g of #0 %13
            store h of #0 a
            load h of #0 a
            load .i of a %14
            truth %14
        "#]],
    );
}
