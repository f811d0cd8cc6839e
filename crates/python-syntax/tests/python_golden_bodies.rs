//! Expressions and patterns of Python, a rule each.

mod python_printed;

use expect_test::{Expect, expect};

fn check_body(item: u32, text: &str, expected: Expect) {
    expected.assert_eq(&python_printed::body(text, item));
}

#[test]
fn calls_keep_star_and_keyword_arguments() {
    check_body(
        0,
        "\
f(a, *b, k=c, **d)
f(x)(y).m(z)
f(a for a in b)
",
        expect![[r#"
            %1 = (star b)
            %2 = (call f a %1 k=c **d)
            %3 = (call f x)
            %4 = (call %3 y)
            %5 = (. %4 m)
            %6 = (call %5 z)
            %7 = (iter b)
            %8 = (generator %7)
            %9 = (call f %8)
            callee f outside f
            call %2
            load a outside a
            load b outside b
            for b
            keyword k of %2
            load c outside c
            load d outside d
            callee f outside f
            call %3
            load x outside x
            call %4
            load y outside y
            callee .m of %4 %5
            call %6
            load z outside z
            callee f outside f
            call %9
            load a inside.0 %7
            store a inside.0 %7
            load b outside b
            for b
        "#]],
    );
}

#[test]
fn attributes_are_uses_of_their_own() {
    check_body(
        0,
        "\
a.b.c
a.b = c
del a.b
a.b += c
a.b: int = c
",
        expect![[r#"
            %1 = (. a b)
            %2 = (. %1 c)
            %3 = (+= %1 c)
            load a outside a
            load .b of a %1
            load .c of %1 %2
            load a outside a
            store .b of a c
            load c outside c
            load a outside a
            delete .b of a
            load a outside a
            augment .b of a %3
            operator %3
            load c outside c
            load a outside a
            store .b of a c
            load int outside int as Field
            load c outside c
        "#]],
    );
}

#[test]
fn subscripts_store_load_and_delete() {
    check_body(
        0,
        "\
a[b]
a[b] = c
a[b] += c
del a[b], a[1:2]
a[b, c:d, ...]
",
        expect![[r#"
            %1 = ([] a b)
            %2 = (+= %1 c)
            %3 = (tuple b slice ...)
            %4 = ([] a %3)
            load a outside a
            operator %1
            load b outside b
            load a outside a
            store [b] of a
            load b outside b
            load c outside c
            load a outside a
            augment [b] of a
            load b outside b
            operator %2
            load c outside c
            load a outside a
            delete [b] of a
            load b outside b
            load a outside a
            delete [slice] of a
            load a outside a
            operator %4
            load b outside b
            load c outside c
            load d outside d
        "#]],
    );
}

#[test]
fn operators_are_uses() {
    check_body(
        0,
        "\
a + b * -c
a @ b // c ** ~d
not a and b or +c
a < b <= c != d
a in b not in c is d is not e
a if b else c
x = y = a
x += a
x @= a
",
        expect![[r#"
            %1 = (neg c)
            %2 = (* b %1)
            %3 = (+ a %2)
            %4 = (@ a b)
            %5 = (~ d)
            %6 = (** c %5)
            %7 = (// %4 %6)
            %8 = (not a)
            %9 = (any %8 b)
            %10 = (not-none %9)
            %11 = (pos c)
            %12 = (any %10 %11)
            %13 = (< a b)
            %14 = (<= b c)
            %15 = (!= c d)
            %16 = (any %13 %14 %15)
            %17 = (in a b)
            %18 = (not-in b c)
            %19 = (is c d)
            %20 = (is-not d e)
            %21 = (any %17 %18 %19 %20)
            %22 = (any a c)
            %23 = (+= a a)
            %24 = (@= %23 a)
            load a outside a
            operator %3
            load b outside b
            operator %2
            operator %1
            load c outside c
            load a outside a
            operator %4
            load b outside b
            operator %7
            load c outside c
            operator %6
            operator %5
            load d outside d
            load a outside a
            truth a
            load b outside b
            truth b
            operator %11
            load c outside c
            load a outside a
            operator %13
            load b outside b
            operator %14
            load c outside c
            operator %15
            load d outside d
            load a outside a
            operator %17
            load b outside b
            operator %18
            load c outside c
            load d outside d
            load e outside e
            load a outside a
            load b outside b
            truth b
            load c outside c
            store x of #0 a
            store y of #0 a
            load a outside a
            augment x of #0 %23
            operator %23
            load a outside a
            augment x of #0 %24
            operator %24
            load a outside a
        "#]],
    );
}

#[test]
fn constants_are_known() {
    check_body(
        0,
        "\
x = [1, 2.0, 3j, \"s\", b\"b\", None, True, ..., 0xff, 1_0]
y = \"a\" \"b\" 'c'
z = \"%s\"
w = \"0123456789012345678901234567890123456789012345678901234567890123456789\"
",
        expect![[r#"
            %1 = (list int float complex "s" bytes None bool ... int int)
            store x of #0 %1
            store y of #0 "abc"
            store z of #0 "%s"
            store w of #0 string
            text string
        "#]],
    );
}

#[test]
fn displays_keep_their_elements() {
    check_body(
        0,
        "\
(a, b), [a, *b], {a, *b}, {a: b, **c}, (), [], {}, (a,)
",
        expect![[r#"
            %1 = (tuple a b)
            %2 = (star b)
            %3 = (list a %2)
            %4 = (set a %2)
            %5 = (star c)
            %6 = (dict a b %5 ?)
            %7 = (tuple a)
            load a outside a
            load b outside b
            load a outside a
            load b outside b
            for b
            load a outside a
            load b outside b
            for b
            load a outside a
            load b outside b
            load c outside c
            load a outside a
        "#]],
    );
}

#[test]
fn comprehensions_have_scopes_of_their_own() {
    check_body(
        0,
        "\
[a for a in b if c]
{a: d for a, d in b}
{a.x for a in b for e in a}
(a async for a in b)
[[y for y in x] for x in a]
a
",
        expect![[r#"
            %1 = (iter b)
            %2 = (list %1)
            %3 = (unpack 0 %1)
            %4 = (unpack 1 %1)
            %5 = (dict %3 %4)
            %6 = (iter %1)
            %7 = (. %1 x)
            %8 = (set %7)
            %9 = (async-iter b)
            %10 = (generator %9)
            %11 = (iter a)
            %12 = (iter %11)
            %13 = (list %12)
            %14 = (list %13)
            load a inside.0 %1
            store a inside.0 %1
            load b outside b
            for b
            load c outside c
            truth c
            load a inside.1 %3
            load d inside.1 %4
            store a inside.1 %3
            for %1
            store d inside.1 %4
            load b outside b
            for b
            load a inside.2 %1
            load .x of %1 %7
            store a inside.2 %1
            load b outside b
            for b
            store e inside.2 %6
            load a inside.2 %1
            for %1
            load a inside.3 %9
            store a inside.3 %9
            load b outside b
            async for b
            load y inside.5 %12
            store y inside.5 %12
            load x inside.4 %11
            for %11
            store x inside.4 %11
            load a outside a
            for a
            load a outside a
        "#]],
    );
}

#[test]
fn f_strings_use_their_fields() {
    check_body(
        0,
        "\
f\"{a} {b!r:>{c}} {d=} {{no}}\"
f\"{f'{e}'}\" \"s\" rf'{g}\\d'
t\"{h}\"
f'{x[\"k\"]}'
",
        expect![[r#"
            %1 = (format a)
            %2 = (format b)
            %3 = (format c)
            %4 = (format d)
            %5 = (format a b c d)
            %6 = (format e)
            %7 = (format e)
            %8 = (format %7)
            %9 = (format g)
            %10 = (format %7 g)
            %11 = ([] x "k")
            %12 = (format %11)
            %13 = (format %11)
            text %5
            load a outside a
            operator %1
            load b outside b
            operator %2
            load c outside c
            operator %3
            load d outside d
            operator %4
            text %10
            text %7
            operator %8
            load e outside e
            operator %6
            text %10
            text %10
            load g outside g
            operator %9
            load h outside h
            text %13
            load x outside x
            operator %12
            operator %11
        "#]],
    );
}

#[test]
fn assignments_unpack() {
    check_body(
        0,
        "\
a, (b, *c), [d] = e
for f, *g in h: pass
*i, j = k
a.b, c[0] = e
",
        expect![[r#"
            %1 = (unpack 0 e)
            %2 = (unpack 1 e)
            %3 = (unpack 0 %2)
            %4 = (rest %2)
            %5 = (unpack 2 e)
            %6 = (unpack 0 %5)
            %7 = (phi %10)
            %8 = (phi %11)
            %9 = (iter h)
            %10 = (unpack 0 %9)
            %11 = (rest %9)
            %12 = (rest k)
            %13 = (unpack -1 k)
            store a of #0 %1
            store b of #0 %3
            store c of #0 %4
            for %2
            store d of #0 %6
            for e
            for %5
            load e outside e
            store f of #0 %10
            for %9
            store g of #0 %11
            load h outside h
            for h
            store i of #0 %12
            for k
            store j of #0 %13
            load k outside k
            load a of #0 %1
            store .b of %1 %1
            load c of #0 %4
            store [int] of %4
            for e
            load e outside e
        "#]],
    );
}

#[test]
fn walrus_binds_in_the_enclosing_scope() {
    check_body(
        0,
        "\
if (a := f()) and a.b: a
print(x := 1, x)
[y := z for z in q]
y
",
        expect![[r#"
            %1 = (call f)
            %2 = (not-none %1)
            %3 = (. %2 b)
            %4 = (call print int int)
            %5 = (iter q)
            %6 = (list %5)
            store a of #0 %1
            callee f outside f
            call %1
            truth %1
            load a of #0 %2
            load .b of %2 %3
            truth %3
            load a of #0 %2
            callee print outside print
            call %4
            store x of #0 int
            load x of #0 int
            store y of #0 %5
            load z inside.0 %5
            store z inside.0 %5
            load q outside q
            for q
            load y of #0 %5
        "#]],
    );
}

#[test]
fn with_statements_enter_their_values() {
    check_body(
        0,
        "\
with a as b, c(): b
with (d as e, f as (g, h)): e
",
        expect![[r#"
            %1 = (enter a)
            %2 = (call c)
            %3 = (enter d)
            %4 = (enter f)
            %5 = (unpack 0 %4)
            %6 = (unpack 1 %4)
            load a outside a
            with a
            store b of #0 %1
            callee c outside c
            call %2
            with %2
            load b of #0 %1
            load d outside d
            with d
            store e of #0 %3
            load f outside f
            with f
            store g of #0 %5
            store h of #0 %6
            for %4
            load e of #0 %3
        "#]],
    );
}

#[test]
fn await_and_async_statements() {
    check_body(
        1,
        "\
async def f():
    await a
    async with b as c: c
    async for d in e: d
    return [x async for x in y if await z]
",
        expect![[r#"
            %1 = (await a)
            %2 = (async-enter b)
            %3 = (phi %4)
            %4 = (async-iter e)
            %5 = (async-iter y)
            %6 = (await z)
            %7 = (list %5)
            await %1
            load a outside a
            load b outside b
            async with b
            store c of #1 %2
            load c of #1 %2
            store d of #1 %4
            load e outside e
            async for e
            load d of #1 %4
            load x inside.0 %5
            store x inside.0 %5
            load y outside y
            async for y
            await %6
            load z outside z
            truth %6
        "#]],
    );
}

#[test]
fn exceptions_are_caught_and_forgotten() {
    check_body(
        0,
        "\
try: a()
except A as e: e
except (B, C): pass
except* D as e: e
except: pass
raise E(x) from y
",
        expect![[r#"
            %1 = (call a)
            %2 = (caught A)
            %3 = (tuple B C)
            %4 = (caught D)
            %5 = (call E x)
            callee a outside a
            call %1
            load A outside A as Assertion
            store e of #0 %2
            load e of #0 %2
            load B outside B as Assertion
            load C outside C as Assertion
            load D outside D as Assertion
            store e of #0 %4
            load e of #0 %4
            callee E outside E
            call %5
            load x outside x
            callee y outside y
            raise y
        "#]],
    );
}
