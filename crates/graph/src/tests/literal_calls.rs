//! Calls of function literals are no calls of the function that made them: they are counted apart.

use expect_test::{Expect, expect};

use super::execute;
use super::flows::shapes;
use crate::answer::{GraphRequest, Operation, verdict};

/// Compares the answers without calls of literals, and with them.
fn check(text: &str, requests: &[(Operation, &str)], expected: Expect) {
    let db = shapes(text);
    let mut printed = String::new();
    for &(operation, target) in requests {
        for include_literal_calls in [false, true] {
            let mut request = GraphRequest::new(operation, target);
            request.include_literal_calls = include_literal_calls;
            let answer = execute(&db, &request).unwrap();
            printed.push_str(&format!("{operation:?} {target}: {}\n", verdict(&answer)));
            for result in &answer.results {
                let sites = result.sites.iter();
                let sites = sites.map(|site| {
                    let literal = if site.of_literal { " of_literal" } else { "" };
                    format!("{}:{}{literal}", site.line, site.column)
                });
                let sites: Vec<String> = sites.collect();
                printed.push_str(&format!("  {}  {}\n", result.node.id, sites.join(", ")));
            }
        }
    }
    expected.assert_eq(&printed);
}

use Operation::{Callees, Callers, Impact};

#[test]
fn calls_of_a_literal_are_counted_apart_and_listed_on_request() {
    check(
        "
fn run 1 : @7<p:b.run/0
fn h : +\\7>p:b.run/0
fn k : b.h
",
        &[(Callers, "b.h"), (Callees, "b.run")],
        expect![[r#"
            Callers b.h: 1 caller shown; hidden: 1 caller by calls of function literals made in it (listed with `include_literal_calls`); otherwise complete under toy/1
              b.k  5:8
            Callers b.h: 2 callers; complete under toy/1
              b.k  5:8
              b.run  3:12 of_literal
            Callees b.run: no callee shown; hidden: 1 callee by calls of function literals made in them (listed with `include_literal_calls`); otherwise complete under toy/1
            Callees b.run: 1 callee; complete under toy/1
              b.h  3:12 of_literal
        "#]],
    );
}

#[test]
fn a_call_that_may_run_the_function_itself_is_no_call_of_its_literal() {
    check(
        "
fn run 1 : @7<p:b.run/0
fn h : +\\7>p:b.run/0
fn k : &b.h +&b.h>p:b.run/0
",
        &[(Callers, "b.h"), (Callees, "b.run")],
        expect![[r#"
            Callers b.h: 1 caller; complete under toy/1
              b.run  3:12
            Callers b.h: 1 caller; complete under toy/1
              b.run  3:12
            Callees b.run: 1 callee; complete under toy/1
              b.h  3:12
            Callees b.run: 1 callee; complete under toy/1
              b.h  3:12
        "#]],
    );
}

#[test]
fn deeper_levels_do_not_follow_calls_of_literals_and_impact_does() {
    check(
        "
fn run 1 : @7<p:b.run/0
fn h : +\\7>p:b.run/0
fn top : b.run
",
        &[(Callers, "b.h"), (Impact, "b.h")],
        expect![[r#"
            Callers b.h: no caller shown; hidden: 1 caller by calls of function literals made in it (listed with `include_literal_calls`); otherwise complete under toy/1
            Callers b.h: 1 caller; complete under toy/1
              b.run  3:12 of_literal
            Impact b.h: 2 reached nodes; complete under toy/1
              b.run  3:12 of_literal
              b.top  5:10
            Impact b.h: 2 reached nodes; complete under toy/1
              b.run  3:12 of_literal
              b.top  5:10
        "#]],
    );
}

#[test]
fn a_literal_that_escapes_leaves_only_its_own_calls_open() {
    check(
        "
fn reflected 1
fn h : +\\7>p:b.reflected/0
",
        &[(Callers, "b.h")],
        expect![[r#"
            Callers b.h: no caller found; complete under toy/1
            Callers b.h: no caller found; 1 site could call it under toy/1: b/b.go:3:4 reflection
        "#]],
    );
}
