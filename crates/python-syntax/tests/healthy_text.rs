//! The reading of healthy text, a rule each: as tree-sitter reads it, but where its grammar departs from
//! the Python reference. What the parser should not read it leaves to tree-sitter.

use codeweft_python_syntax::{PYTHON, is_healthy, lower_with_tree_sitter, print_ir};
use codeweft_syntax::{CachedTree, FileIr, Names, Report, lower, lower_next};
use expect_test::{Expect, expect};

fn lower_alone(text: &str, names: &Names) -> FileIr {
    lower(text, PYTHON, names, &|| false).expect("nothing stops it")
}

/// Asserts that each text is read, and as tree-sitter reads it.
fn are_read(texts: &[&str]) {
    for text in texts {
        assert!(is_healthy(text), "{text}");
        let names = Names::default();
        let own = lower_alone(text, &names);
        let mut other = lower_with_tree_sitter(text, &names).expect("nothing stops it");
        assert!(other.report.error_lines.is_empty(), "{text}");
        // What the grammar does not know was rewritten for it.
        other.report = Report::default().into();
        let print = |ir| print_ir(ir, &names);
        assert!(
            own.same(&other),
            "{text}\n{}\n{}",
            print(&own),
            print(&other)
        );
    }
}

/// Asserts that a text is left to tree-sitter.
fn is_left(text: &str) {
    assert!(!is_healthy(text), "{}", &text[..text.len().min(200)]);
    let names = Names::default();
    let own = lower_alone(text, &names);
    let other = lower_with_tree_sitter(text, &names).expect("nothing stops it");
    assert!(own.same(&other));
}

/// Checks the lowered form of a text that tree-sitter reads differently.
fn check(text: &str, expected: &Expect) {
    assert!(is_healthy(text), "{text}");
    let names = Names::default();
    let own = lower_alone(text, &names);
    let other = lower_with_tree_sitter(text, &names).expect("nothing stops it");
    assert!(!own.same(&other), "tree-sitter reads it too: {text}");
    expected.assert_eq(&print_ir(&own, &names));
}

#[test]
fn statements_of_every_kind_are_read() {
    are_read(&[
        "",
        "# c",
        "x = 1",
        "x: int\ny: int = 2\na = b = c, d = e\na, *b = c\n[a, (b, c)] = d\nx.y, z[0] = 1, 2\n",
        "x += 1\nx.y -= 1\nx[0] **= 2, 3\n",
        "del a, b.c, d[0]\ndel (a, b)\ndel a\n",
        "assert a, 'm'\nassert b\nraise\nraise A from b\nraise A(b)\n",
        "def f():\n    global a, b\n    nonlocal c\n    return\n    return a, *b\n    pass\n",
        "if a:\n    b\nelif c:\n    d\nelse:\n    e\n",
        "while a:\n    break\nelse:\n    continue\n",
        "for a, b in c:\n    d\nelse:\n    e\nfor x in 1, 2:\n    f\nfor (a, b), *c in d: pass\n",
        "try:\n    a\nexcept B as c:\n    d\nexcept (E, F):\n    g\nexcept:\n    h\nelse:\n    i\nfinally:\n    j\n",
        "try:\n    a\nexcept* B as c:\n    d\n",
        "with a, b as c, (d) as (e, f):\n    g\nwith (a as b, c):\n    d\nwith (a, b):\n    c\nwith (a):\n    b\n",
        "async def f():\n    async with a as b:\n        c\n    async for d in e:\n        await d\n",
        "a; b; c = 1;\nif a: b; c\n",
        "print(a)\nprint\nprint(a).b\nexec('x')\n",
        "type X = int\ntype Y[T, *Ts, **P] = list[T]\ntype = 1\nmatch = type\n",
    ]);
}

#[test]
fn imports_of_every_form_are_read() {
    are_read(&[
        "import a, b.c as d, e.f.g\n",
        "from a import b\nfrom .a import b as c, d\nfrom ... import (e, f,)\nfrom .... g import h\n",
        "from a import *\nfrom __future__ import annotations, division\nfrom __future__ import (x)\n",
        "from match import type\nimport case.match\n",
    ]);
}

#[test]
fn expressions_of_every_kind_are_read() {
    are_read(&[
        "a.b(c, *d, e=f, **g)[h:i, ::j, k](l for m in n)\n",
        "a + b * c ** -d // e % f @ g << 1 >> 2 & h | i ^ j\n",
        "not a and b or c and not (d or e)\n((a)) + (b.c)(d)\n",
        "a < b <= c != d is not e not in f is g in h == i\n",
        "x = lambda: 0, lambda a, /, b=1, *c, d, **e: a if b else c\n",
        "[a, *b, (c,), ()]\n{a, *b}\n{a: b, **c, (d): e}\n{}\n(a, b)\n",
        "[a for b in c if d if e for f in g]\n{a: b for c, d in e}\n{a async for b in c}\n(a for b in c)\n",
        "def f():\n    x = yield\n    y = yield a, b\n    z = yield from c\n    (yield)\n    await d\n",
        "if (n := f()) and g(m := 1): n\n",
        "1, 1.5, 1e5, 1j, 1.5j, 0x1E, 0b1, 1_000\n",
        "True, False, None, ...\n",
        "x = *a, b\nx[*a]\nx[*a, b]\nf(*a or b)\n[*a.b, *c()]\n",
        "a[b,]\na[()]\na[b:c, d]\n",
        "x = (  # c\n    a  # d\n    + b\n)\n",
        "a if b else c if d else e\n",
        "{**a for b in c}\n[*a for b in c]\n",
    ]);
}

#[test]
fn strings_with_their_parts_are_read() {
    are_read(&[
        "'a' \"b\" '''c'''\nu'a' R'\\d'\nrb'\\x' b'c'\n",
        "f'a{b}c{d!r:>{e}.{f}}' 'g' F\"{h=}\"\n",
        "f'{a, b}{(c)}{ {d: e}[f] }'\nf'''\n{\na\n}'''\n",
        "f'{x:%Y-%m}' rf'\\{y}' f'{{}}'\n",
        "x: 'A[B]' = '\\'' \"it's\"\n",
        "t'a{b}'\n",
        "re.sub(r'\\\\', r'\\\\\\\\', x)\n",
    ]);
}

#[test]
fn declarations_with_types_are_read() {
    are_read(&[
        "def f(a, b: int, c=1, d: int = 2, /, e=3, *args: str, g, h: int = 4, **kw: bytes) -> int: ...\n",
        "def f(*, a): pass\ndef f(*args: *Ts): pass\ndef f(a, /): pass\ndef f(): pass\n",
        "@a\n@b.c(d)\nclass A(B, metaclass=C, *d, **e):\n    x = 1\n\n    @staticmethod\n    def f(): pass\n",
        "class A: pass\nclass A(): pass\nclass A[T: int, *Ts, **P](B[T]): pass\ndef f[T, U: (int, str)](a: T) -> U: ...\n",
        "class C[T = int, *Ts = *tuple[int]]: ...\ndef f[T: int = str, **P = [int]](a: T = 1): ...\n",
        "def f(a: list[int] | str | None, b: Literal['x', 1], c: Annotated[int, f()], d: tuple[int,]): ...\n",
        "def f(a: Callable[[int], str], b: a.b[c], d: 'A | B', *e: tuple[*Ts]): ...\n",
        "@a\nasync def f(): pass\n",
    ]);
}

#[test]
fn patterns_are_read() {
    are_read(&[
        "match a:\n    case 1 | -2 | 'b': c\n    case None: d\n    case _: e\n",
        "match a, b:\n    case c, d: e\n    case (c, *_): f\n    case [c, *d] if e: g\n    case (c): h\n",
        "match a:\n    case B(c, d=e): f\n    case b.C(): g\n    case {'k': v, **rest}: h\n    case {1: _}: i\n",
        "match a:\n    case (A() | B()) as c: d\n    case A() as b, c: e\n    case 1+2j: f\n    case b.c: g\n",
        "match (a):\n    case [A(), [b]]: c\n    # d\nmatch = 1\n",
    ]);
}

#[test]
fn comments_belong_to_the_block_of_their_indentation() {
    are_read(&[
        "def f():\n    a  # b\n    # c\n  # d\n# e\n\ng\n",
        "class A:\n    def f(self):\n        if a:\n            b\n            # c\n        # d\n    # e\n    # f\nx\n",
        "def f():\n    # a\n    b\n\n        # c\n",
        "if a: b  # c\n    # d\ne\n",
        "try:\n    a\n    # b\n# c\nexcept B:\n    d # e\nelse:\n    f;  # g\n",
        "def f():\n\tif a:\n\t\tb\n\t# c\n\td\r\n\te\r\n",
        "match a:\n    case b:\n        c\n        # d\n    # e\n# f\n",
        "def f():\n    a\n    # no line break at the end",
        "\u{feff}def f(): pass\n",
    ]);
}

#[test]
fn parentheses_around_a_target_hold_no_tuple() {
    check(
        "(x) = f()\nfor (y) in z: y\n",
        &expect![[r#"
            #0 module
              bind x = (call f)
              bind y = (iter z) under Other
            body #0
              %1 = (call f)
              %2 = (phi %3)
              %3 = (iter z)
              store x of #0 %1
              callee f outside f
              call %1
              store y of #0 %3
              load z outside z
              for z
              load y of #0 %3
        "#]],
    );
}

#[test]
fn a_star_in_a_target_takes_the_whole_attribute() {
    check(
        "class A:\n    def f(self, b):\n        *self.a, self.c = b\n",
        &expect![[r#"
            #0 module
              bind A item.1
              #1 class A
                bind f item.2
                #2 def f(self, b) stub falls-through
                  store #1.a = (rest param.1)
                  store #1.c = (unpack -1 param.1)
                  result None
            body #0
              class #1
            body #1
            body #2
              %1 = (rest param.1)
              %2 = (unpack -1 param.1)
              load self of #2 param.0
              store .a of param.0 %1
              load self of #2 param.0
              for param.1
              store .c of param.0 %2
              load b of #2 param.1
        "#]],
    );
}

#[test]
fn a_call_of_type_is_no_type_statement() {
    check(
        "type(x).y = z\n",
        &expect![[r#"
        #0 module
        body #0
          %1 = (call type x)
          callee type outside type
          call %1
          load x outside x
          store .y of %1 z
          load z outside z
    "#]],
    );
}

#[test]
fn operators_bind_as_the_reference_says() {
    check(
        "x = a ^ b & c\n",
        &expect![[r#"
        #0 module
          bind x = (^ a (& b c))
        body #0
          %1 = (& b c)
          %2 = (^ a %1)
          store x of #0 %2
          load a outside a
          operator %2
          load b outside b
          operator %1
          load c outside c
    "#]],
    );
    check(
        "async def f():\n    return await a ** b\n",
        &expect![[r#"
        #0 module
          bind f item.1
          #1 async def f()
            result (** (await a) b)
        body #0
        body #1
          %1 = (await a)
          %2 = (** %1 b)
          await %1
          load a outside a
          operator %2
          load b outside b
    "#]],
    );
}

#[test]
fn lazy_imports_are_read() {
    check(
        "lazy import a\nlazy from b import c\n",
        &expect![[r#"
        import a binds a
        from b import c
        #0 module
          bind a import.0.0
          bind c import.1.0
        body #0
          import.0.0
          import.1
          import.1.0
    "#]],
    );
}

#[test]
fn a_format_specifier_may_begin_with_an_equals_sign() {
    check(
        "f'{x:=5}'\n",
        &expect![[r#"
            #0 module
            body #0
              %1 = (format x)
              %2 = (format x)
              text %2
              load x outside x
              operator %1
        "#]],
    );
}

#[test]
fn print_is_a_function() {
    check(
        "print >> f, x\n",
        &expect![[r#"
        #0 module
        body #0
          %1 = (>> print f)
          load print outside print
          operator %1
          load f outside f
          load x outside x
    "#]],
    );
}

#[test]
fn broken_text_is_left_to_tree_sitter() {
    for text in [
        "def f(",
        "x = = 1\n",
        "print 'a'\n",
        "  x\n y\n",
        "'a\n",
        "a\0b",
        "try: a\n",
    ] {
        is_left(text);
    }
}

#[test]
fn deep_nesting_is_left_to_tree_sitter_and_overflows_no_stack() {
    let deep =
        |open: &str, close: &str| format!("{}1{}\n", open.repeat(9_000), close.repeat(9_000));
    for text in [
        deep("(", ")"),
        deep("[", "]"),
        deep("f(", ")"),
        deep("{1:", "}"),
        deep("-", ""),
        deep("not ", ""),
        deep("lambda: ", ""),
        deep("", ".a"),
        deep("", "()"),
        deep("", "[0]"),
        deep("1+", ""),
        deep("1**", ""),
        deep("1 if 1 else ", ""),
        deep("a and b or ", ""),
        deep("f'{", "}'"),
    ] {
        is_left(&text);
        is_left(
            text.trim_end_matches('\n')
                .trim_end_matches(['1', ')', ']', '}', '\'']),
        );
    }
    let mut text = String::new();
    for depth in 0..500 {
        text += &" ".repeat(depth);
        text += "if a:\n";
    }
    is_left(&(text + &" ".repeat(500) + "b\n"));
}

#[test]
fn the_deepest_text_that_is_read_fits_the_stack() {
    let read = || {
        let deep = |open: &str, close: &str, depth| {
            format!("{}1{}\n", open.repeat(depth), close.repeat(depth))
        };
        for (open, close, depth) in [
            ("(", ")", 390),
            ("[", "]", 390),
            ("f(", ")", 190),
            ("{1:", "}", 390),
            ("-", "", 390),
            ("lambda: ", "", 390),
            ("1 if 1 else ", "", 190),
            ("1**", "", 390),
            ("f'{", "}'", 140),
        ] {
            let text = deep(open, close, depth);
            assert!(is_healthy(&text), "{open}");
            lower_alone(&text, &Names::default());
        }
        let mut text = String::new();
        for depth in 0..90 {
            text += &format!("{}if a:\n", " ".repeat(depth));
        }
        text += &format!("{}b\n", " ".repeat(90));
        assert!(is_healthy(&text));
        lower_alone(&text, &Names::default());
    };
    // A little more than the parser takes for enough.
    let thread = std::thread::Builder::new().stack_size((1 << 20) + (1 << 17));
    let thread = thread.spawn(read).expect("a thread");
    thread.join().expect("every text is read");
}

#[test]
fn a_long_text_of_short_statements_is_read() {
    let line = "x = [a.b(c), -1, *d, {e: f}] + g\n";
    are_read(&[&line.repeat(2_000)]);
    let chain = format!("x = a{}\n", ".b()".repeat(90));
    are_read(&[&chain]);
    is_left(&line.repeat((1 << 20) / line.len() + 1));
}

#[test]
fn a_text_is_read_the_same_while_it_is_edited() {
    let texts = [
        "def f(a):\n    return a\n",
        "def f(a:\n    return a\n",
        "def f(a):\n    (b) = a\n    return b\n",
        "def f(a):\n    (b) = a +\n    return b\n",
        "def f(a):\n    type(a).c = a\n    return b\n",
    ];
    let names = Names::default();
    let mut last = CachedTree::default();
    for text in texts.iter().chain(texts.iter().rev()) {
        let edited = lower_next(text, PYTHON, &names, &mut last, &|| false);
        let edited = edited.expect("nothing stops it");
        assert!(edited.same(&lower_alone(text, &names)), "{text}");
    }
}
