//! Rules for text that does not end what it begins.

mod printed;

use codeweft_syntax::Names;
use expect_test::expect;
use printed::{declarations, lowered};

#[test]
fn a_comment_that_never_ends_is_no_code() {
    expect![[r#"
        func a ()
        body a {
            (call b)}
        chunked
        errors at [8]
    "#]]
    .assert_eq(&declarations(
        "func a() { b() }\n\n/* The function f\nimport it and\ntype in words:\n\n\tf(x\n",
    ));
}

#[test]
fn declarations_behind_a_raw_string_that_never_ends_count_if_they_parse() {
    expect![[r#"
        var s ~ str/0
        func a ()
        var c ~ (call d)
        body s broken
          str/0
        body a {
            (call b)}
        body c
          (call d)
        chunked
        errors at [2]
    "#]]
    .assert_eq(&declarations(
        "var s = `\nfunc a() { b() }\n\nfunc of words that say\n\nvar c = d()\n",
    ));
}

#[test]
fn a_comment_that_never_ends_in_a_body_counts_to_the_bodys_end() {
    expect![[r#"
        func a ()
        func d ()
        body a broken {
            (call b)}
        body d {
            (call e)}
        chunked
        errors at [6]
    "#]]
    .assert_eq(&declarations(
        "func a() {\n\tb()\n\t/* c()\n}\n\nfunc d() { e() }\n",
    ));
}

#[test]
fn go_code_in_a_raw_string_that_the_text_ends_in_declares_nothing() {
    expect![[r#"
        var src ~ str/0
        body src broken
          str/0
        chunked
        errors at [5]
    "#]]
    .assert_eq(&declarations("var src = `\npackage q\n\nfunc no() {}\n"));
    expect![[r#"
        func a ()
        body a broken {
            (call b str/0)}
        chunked
        errors at [8]
    "#]]
    .assert_eq(&declarations(
        "func a() {\n\tb(`\nfunc no() {\n}\n\nfunc neither() {\n}\n",
    ));
}

#[test]
fn a_backquote_too_many_or_too_few_ends_with_its_declaration() {
    let text = "func a() {\n\tb(`x {`)\n}\n\nfunc c() {\n\td(`y`)\n}\n\nvar e = `z`\n\nfunc f() {\n\tg(`\n}\n`)\n}\n";
    expect![[r#"
        func a ()
        func c ()
        var e ~ str/0
        func f ()
        body a broken {
            (call b (lit x str/0))}
        body c {
            (call d str/0)}
        body e
          str/0
        body f {
            (call g str/0)}
        chunked
        errors at [5]
    "#]]
    .assert_eq(&declarations(&text.replacen('`', "", 1)));
    expect![[r#"
        func a ()
        func c ()
        var e ~ str/0
        func f ()
        body a broken {
            (call b (lit x str/0))
            str/0}
        body c {
            (call d str/0)}
        body e
          str/0
        body f {
            (call g str/0)}
        chunked
        errors at [3, 5]
    "#]]
    .assert_eq(&declarations(&text.replacen('`', "``", 1)));
}

#[test]
fn a_spec_whose_line_has_ended_is_whole_though_its_group_is_not_closed() {
    expect![[r#"
        const a = 1 iota 0
        const b = 2 iota 1
        chunked
        errors at [4]
    "#]]
    .assert_eq(&declarations("const (\n\ta = 1\n\tb = 2 // two\n"));
    expect![[r#"
        const a = 1 iota 0
        const b = 2 iota 1 broken
        chunked
        errors at [4]
    "#]]
    .assert_eq(&declarations("const (\n\ta = 1\n\tb = 2"));
}

#[test]
fn a_damaged_spec_leaves_the_others_of_its_group() {
    expect![[r#"
        var a (array (. p A) int)
        var b (array (. p A) int)
        var e ~ 1
        body e
          1
        chunked
        errors at [5, 8]
    "#]]
    .assert_eq(&declarations(
        "var (\n\ta [p.A]int\n\tb [p.A]int\n\tc [p.A\n\td = f(\n\te = 1\n)\n",
    ));
    expect![[r#"
        const a = iota iota 0
        const b = iota iota 1 broken
        const c = iota iota 2 broken
        const d = iota iota 3
        chunked
        errors at [5, 7]
    "#]]
    .assert_eq(&declarations(
        "const (\n\ta = iota\n\tb = f(\n\tc = \"\n\td = iota\n)\n",
    ));
}

#[test]
fn what_is_closed_behind_a_declaration_ends_where_the_next_one_begins() {
    let text = "package p\nfunc a() {\n\tif b {\n\t\tf(\nfunc c() {}\n";
    let names = Names::default();
    let ir = lowered(text, &names);
    let spans: Vec<&str> = ir
        .ranges
        .items
        .iter()
        .chain(&ir.ranges.bodies)
        .map(|span| &text[span.start as usize..span.end as usize])
        .collect();
    assert_eq!(
        spans,
        [
            "func a() {\n\tif b {\n\t\tf(\n",
            "func c() {}",
            "{\n\tif b {\n\t\tf(\n",
            "{}"
        ]
    );
}

#[test]
fn a_for_without_body_says_nothing_of_the_semicolons_of_others() {
    expect![[r#"
        func a ()
        func b ()
        body a broken {
            (:= (i) (0))
            i}
        body b {
            (call c)
            (call d)}
        repaired 1
        chunked
        errors at [3, 4]
    "#]]
    .assert_eq(&declarations(
        "func a() {\n\tfor i := 0; i\n\nfunc b() {\n\tc(); ; d()\n}\n",
    ));
}

#[test]
fn the_first_slash_of_a_comment_says_nothing_of_the_declaration_before() {
    expect![[r#"
        const a = (| (. b C) (. b D)) iota 0
        repaired 1
    "#]]
    .assert_eq(&declarations("const a = b.C | b.D\n\n/"));
}
