//! Python text that the grammar cannot read as it stands: what the language lacks in it, what the
//! grammar lacks of the language, bounds.

mod python_printed;

use std::cell::Cell;

use codeweft_python_syntax::PYTHON;
use codeweft_syntax::{Names, lower};
use expect_test::{Expect, expect};
use python_printed::{body, equal_parts, items, items_of, lowered, printed};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&items(text));
}

/// The items' names with those around them, without what else is known.
fn names_of(text: &str) -> Vec<String> {
    let names = Names::default();
    let ir = lowered(text, &names);
    let items = items_of(&ir);
    let mut paths: Vec<String> = Vec::new();
    for item in &items.items {
        let path = paths
            .get(item.parent as usize)
            .map_or(String::new(), |around| {
                format!("{around}/{}", names.text(item.name))
            });
        paths.push(path);
    }
    paths.split_off(1)
}

#[test]
fn an_open_bracket_ends_before_the_next_statement() {
    check(
        "class A:\n    def f(self):\n        return y(1\n    def g(self):\n        return [2, {3\n\n@d\nclass B:\n    pass\n",
        expect![[r#"
            #0 module
              bind A item.1
              bind B item.4
              #1 class A
                bind f item.2
                bind g item.3
                #2 def f(self)
                  result (call y int)
                #3 def g(self)
                  result (list int (set int))
              #4 class B
                @ d
            chunked
            errors at [3, 5]
        "#]],
    );
}

#[test]
fn an_open_bracket_of_a_head_ends_behind_it() {
    check(
        "def f(a, b\n    return a\ndef g(x:\n    return x\nclass C(f(:\n    y = 1\nif f(:\n    z = 1\nelse:\n    z = 2\n",
        expect![[r#"
            #0 module
              bind f item.1
              bind g item.2
              bind C item.3
              bind z = int under Other
              bind z = int under Other
              #1 def f(a, b)
                result param.0
              #2 def g(x)
                result param.0
              #3 class C((call item.1))
                bind y = int
            chunked
            errors at [1, 3, 5, 7]
        "#]],
    );
}

#[test]
fn a_head_without_its_colon_gets_one() {
    check(
        "def f(a)\n    return a\nclass C\n    x = 1\nfor x in y\n    z = x\n",
        expect![[r#"
            #0 module
              bind f item.1
              bind C item.2
              bind x = (iter y) under Other
              bind z = (iter y) under Other
              #1 def f(a)
                result param.0
              #2 class C
                bind x = int
            chunked
            errors at [1, 3, 5]
        "#]],
    );
}

#[test]
fn a_string_in_single_quotes_ends_with_its_line() {
    check(
        "x = \"abc\ny = f('d)\nz = f\"{a}\n\ndef g(): return y\n",
        expect![[r##"
            #0 module
              bind x = "abc"
              bind y = (call f "d)")
              bind z = (format a)
              bind g item.1
              #1 def g()
                result y
            chunked
            errors at [1, 2, 3]
        "##]],
    );
}

#[test]
fn a_string_in_triple_quotes_ends_before_a_declaration() {
    check(
        "def f():\n    \"\"\"open\n    x = 1\n\ndef g():\n    \"\"\"doc\n    \"\"\"\n    return 1\n",
        expect![[r#"
            #0 module
              bind f item.1
              bind g item.2
              #1 def f() stub falls-through
                result None
              #2 def g()
                result int
            chunked
            errors at [2]
        "#]],
    );
}

#[test]
fn brackets_that_close_nothing_are_removed() {
    check(
        "x = f(a))\ny = (b]\nz = [c)]\n",
        expect![[r#"
            #0 module
              bind x = (call f a)
              bind y = b
              bind z = (list c)
            chunked
            errors at [1, 2, 3]
        "#]],
    );
}

#[test]
fn a_dot_or_operator_without_its_right_operand_is_removed() {
    check(
        "x = a.\ny = (b +)\nz = f(c, d=)\nw = a and\nv = [a.]\nu: int =\ns = f(x[], (not))\nt = f(a, *\n@\ndef g(a, /, *): pass\nfrom m import *\nr = y[",
        expect![[r#"
            from m import *
            #0 module
              bind x = a
              bind y = b
              bind z = (call f c d)
              bind w = a
              bind v = (list a)
              bind u: int
              bind s = (call f a (tuple))
              bind t = (call f a)
              bind g item.1
              bind * import.0
              bind r = b
              #1 def g(/a) falls-through
                result None
            chunked
            errors at [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12]
        "#]],
    );
}

#[test]
fn while_a_statement_is_typed_all_else_is_read_as_it_was() {
    let text = "class A:\n    def f(self, x):\n        pass\n        z = x\n        x.g(2)\n        return z(1)\n\n    def g(self, y):\n        type(y).z = y ^ 2 & y\n";
    let typed = "self.g(x, \"a\", key=[x.y], *x, **x) and x[self.g(not x):x + 1] == {x: self.h}";
    let read = |text: &str| {
        let read = [items(text), body(text, 3)].concat();
        let is_report = |line: &&str| line.starts_with("chunked") || line.starts_with("errors");
        let lines = read.lines().filter(|line| !is_report(line));
        lines.flat_map(|line| [line, "\n"]).collect::<String>()
    };
    for (end, _) in typed.char_indices().skip(1) {
        let typed = &typed[..end];
        assert_eq!(read(&text.replace("pass", typed)), read(text), "{typed}");
    }
}

#[test]
fn a_broken_statement_leaves_its_function() {
    check(
        "class C:\n    def f(self):\n        x = = 1\n        self.\n        return a b\n    def g(self): return self.\n",
        expect![[r#"
            #0 module
              bind C item.1
              #1 class C
                bind f item.2
                bind g item.3
                #2 def f(self)
                  result b
                #3 def g(self)
                  result param.0
            chunked
            errors at [3, 4, 5, 6]
        "#]],
    );
}

#[test]
fn names_are_declared_once_however_the_text_is_broken() {
    let text = "class A:\n    def f(self):\n        return [1, (2, {3: 'x'})]\n    async def g(self): pass\ndef h(a=(1, 2)): return f\"{a['k']}\"\nclass B(A): x = 1\n";
    let whole = names_of(text);
    assert_eq!(whole, ["/A", "/A/f", "/A/g", "/h", "/B"]);
    for (at, byte) in text.bytes().enumerate() {
        if matches!(byte, b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'\'' | b':') {
            let broken = [&text[..at], " ", &text[at + 1..]].concat();
            assert_eq!(names_of(&broken), whole, "{broken}");
        }
    }
}

#[test]
fn defaults_of_type_parameters_are_read_as_bounds() {
    check(
        "class C[T = int, *Ts = *tuple[int]]: pass\ndef f[T: int = str, **P = [int]](a: T = 1): pass\ntype X[T = f(a=1)] = T\n",
        expect![[r#"
            #0 module
              bind C item.1
              bind f item.2
              bind X type ?
              #1 class C[T: int, Ts: (star ([] tuple int))]
              #2 def f[T: (| int str), P: (list int)](a: typeparam.2.0 = int) falls-through
                result None
        "#]],
    );
}

#[test]
fn newer_statements_are_put_in_words_of_the_grammar() {
    check(
        "lazy import os\nlazy from a import b\nx = {**y for y in z}\nlazy = 1\n",
        expect![[r#"
            import os binds os
            from a import b
            #0 module
              bind os import.0.0
              bind b import.1.0
              bind x = (dict (star (iter z)) ?)
              bind lazy = int
        "#]],
    );
}

#[test]
fn a_tab_goes_to_the_next_multiple_of_eight() {
    assert_eq!(
        names_of("class A:\n    def f(self):\n  \tdef g(): pass\n\tx = 1\n    \tclass B: pass\n"),
        ["/A", "/A/f", "/A/f/g", "/A/f/B"]
    );
}

#[test]
fn line_ends_may_be_carriage_returns() {
    let text = "# doc\ndef f():\n    return 1\nclass C:\n    x = 1\n";
    let equal = equal_parts(text, &text.replace('\n', "\r"));
    assert_eq!(equal, ["header", "items", "bodies", "identifiers"]);
    let equal = equal_parts(text, &text.replace('\n', "\r\n"));
    assert_eq!(equal, ["header", "items", "bodies", "identifiers"]);
}

#[test]
fn a_nul_is_a_reported_error() {
    check(
        "x = 1\0\ndef f(): pass\n",
        expect![[r#"
            #0 module
              bind x = int
              bind f item.1
              #1 def f() falls-through
                result None
            errors at [1]
        "#]],
    );
}

#[test]
fn no_python_and_nothing_at_all_are_read() {
    check(
        "<html>\n  <body>'</body>\n</html>\n",
        expect![[r#"
            #0 module
            chunked
            errors at [1, 2, 3]
        "#]],
    );
    check(
        "",
        expect![[r#"
        #0 module
    "#]],
    );
    check(
        "\u{feff}x = 1",
        expect![[r#"
        #0 module
          bind x = int
    "#]],
    );
}

#[test]
fn statements_that_reach_nothing_leave_items_equal() {
    let text = "def f(a, *rest):\n    x = a.b\n    while x:\n        x = x.next\n    return x\nclass C:\n    def m(self):\n        self.y = [1, 2]\n";
    let more = text
        .replace(
            "    return x\n",
            "    print(a, x, [1, 2], k=a)\n    return x\n",
        )
        .replace("        self.y", "        self.z.w(1)\n        self.y")
        .replace("    x = a.b", "    print(x.next)\n    x = a.b");
    let equal = equal_parts(text, &more);
    assert!(equal.contains(&"items"), "{equal:?}");
    assert!(!equal.contains(&"bodies"), "{equal:?}");
    let stub = "def f(a):\n    raise NotImplementedError(a)\n";
    let more = stub.replace("    raise", "    print(a)\n    raise");
    assert!(equal_parts(stub, &more).contains(&"items"));
    let method = "class C:\n    def f(self, a):\n        pass\n";
    let more = method.replace("pass", "print(a)");
    assert!(equal_parts(method, &more).contains(&"items"));
    let moved = text.replace("def f", "# more\n\n\ndef  f");
    assert_eq!(
        equal_parts(text, &moved),
        ["header", "items", "bodies", "identifiers"]
    );
}

/// `open` and `close` around something, `depth` times.
fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn deep_nesting_keeps_what_stands_around() {
    let mut texts: Vec<String> = [
        ("(", "x", ")"),
        ("[", "x", "]"),
        ("{", "x", "}"),
        ("{1: ", "x", "}"),
        ("f(", "x", ")"),
        ("f(k=", "x", ")"),
        ("a[", "x", "]"),
        ("not ", "x", ""),
        ("-", "x", ""),
        ("lambda: ", "x", ""),
        ("lambda a=", "x", ": 1"),
        ("x if x else ", "x", ""),
        ("[", "x", " for a in b]"),
        ("(x := ", "x", ")"),
        ("await ", "x", ""),
        ("(yield ", "x", ")"),
        ("*", "x", ""),
        ("x + (", "x", ")"),
        ("x < (", "x", ")"),
        ("x and (", "x", ")"),
        ("x or not (", "x", ")"),
        ("(x, ", "y", ") = 1"),
    ]
    .iter()
    .flat_map(|(open, inner, close)| [500, 3000].map(|depth| nested(open, inner, close, depth)))
    .collect();
    // The language allows 150, the grammar fewer.
    texts.push(nested("f'{", "x", "}'", 100));
    texts.extend([
        ["x".to_owned(), " + x".repeat(5000)].concat(),
        ["x".to_owned(), ".b()".repeat(5000)].concat(),
        ["x".to_owned(), "[0]".repeat(5000)].concat(),
        ["x".to_owned(), " and x".repeat(5000)].concat(),
        ["x".to_owned(), " < x".repeat(5000)].concat(),
        ["x = ".repeat(3000), "x".to_owned()].concat(),
        ["if x: y\n".to_owned(), "elif x: y\n".repeat(3000)].concat(),
        "def f(): return x\n".repeat(3000),
        "try: x\nexcept x: y\n".repeat(1000),
    ]);
    for text in &texts {
        let text = format!("before = 1\n{text}\ndef after(): pass\n");
        let names = Names::default();
        let ir = lowered(&text, &names);
        let is_mentioned = names.get("x").is_some_and(|x| ir.identifiers.contains(x));
        assert!(is_mentioned, "{text:.40}");
        let items = items_of(&ir);
        assert_eq!(items.misplaced_node(), None, "{text:.40}");
        let after = names.get("after");
        assert!(
            items.items.iter().any(|item| Some(item.name) == after),
            "{text:.40}"
        );
    }
}

#[test]
fn deep_statements_are_read_or_cut() {
    let heads = [
        "def f():",
        "class C:",
        "if x:",
        "while x:",
        "for x in y:",
        "with x:",
        "try:",
        "match x:",
        "case x:",
        "async def f():",
    ];
    for head in heads {
        let mut text = String::new();
        for depth in 0..300 {
            text.push_str(&" ".repeat(depth));
            text.push_str(head);
            text.push('\n');
        }
        text.push_str(&" ".repeat(300));
        text.push_str("x()\ndef after(): pass\n");
        assert!(printed(&text).contains("after"), "{head}");
    }
}

#[test]
fn open_ends_do_not_overflow() {
    let opens = [
        "(",
        "[",
        "{",
        "f(",
        "def f(",
        "class C(",
        "'",
        "\"\"\"",
        "f'{",
        "f\"{f'{",
        "if ",
        "@",
        "lambda ",
        "x.",
        "x[",
        "import ",
        "from . import (",
        "case ",
        ")",
        "\\\n",
        "{**",
        "[T = ",
        "class C[T = ",
        "\0",
        "\r",
        " \t",
        "lazy ",
    ];
    for open in opens {
        for depth in [1, 10, 3000] {
            let text = format!("x = 1\n{}\ndef g(): pass\n", open.repeat(depth));
            let names = Names::default();
            let ir = lowered(&text, &names);
            assert_eq!(items_of(&ir).misplaced_node(), None, "{open:?}");
        }
    }
}

#[test]
fn lowering_stops_when_requested() {
    let names = Names::default();
    let text = "def f(a):\n    return f(a, b, c\n".repeat(3_000);
    assert!(lower(&text, PYTHON, &names, &|| true).is_none());
    let asked = Cell::new(0u32);
    let count = || {
        asked.set(asked.get() + 1);
        false
    };
    assert!(lower(&text, PYTHON, &names, &count).is_some());
    let all = asked.get();
    for after in [0, all / 2, all - 1] {
        asked.set(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() > after
        };
        let stopped = lower(&text, PYTHON, &names, &stop);
        assert!(stopped.is_none(), "{after} of {all}");
    }
}
