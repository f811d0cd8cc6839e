//! The printed intermediate form of Go fixtures.
#![allow(dead_code, reason = "each test file uses its part")]

use std::sync::Arc;

use codeweft_go_syntax::GO;
use codeweft_syntax::{FileIr, Names, lower};

/// Lowers a text that nothing stops.
pub fn lowered(text: &str, names: &Names) -> FileIr {
    lower(text, GO, names, &|| false).expect("nothing stops it")
}

/// The whole of a file, printed.
pub fn printed(text: &str) -> String {
    let names = Names::default();
    codeweft_go_syntax::print_ir(&lowered(text, &names), &names)
}

/// The statements of a function whose body is `body`, printed, one a line.
pub fn statements(body: &str) -> String {
    let text = printed(&format!("package p\nfunc f() {{\n{body}\n}}\n"));
    let (_, body) = text.split_once("body f").unwrap_or(("", &text));
    let lines = body
        .lines()
        .skip(1)
        .map(|line| line.strip_prefix("    ").unwrap_or(line));
    let text = lines.collect::<Vec<_>>().join("\n");
    match text.split_once("}\n") {
        Some((body, report)) => format!("{body}\n{report}\n"),
        None => format!("{}\n", text.strip_suffix('}').unwrap_or(&text)),
    }
}

/// The declarations of a text without its package clause, printed.
pub fn declarations(text: &str) -> String {
    let text = printed(&format!("package p\n{text}"));
    text.strip_prefix("package p\n").unwrap_or(&text).to_owned()
}

/// Which parts of two texts lower to equal values.
pub fn equal_parts(one: &str, other: &str) -> Vec<&'static str> {
    let names = Names::default();
    let (one, other) = (lowered(one, &names), lowered(other, &names));
    let mut parts = Vec::new();
    let mut note = |name, equal: bool| {
        if equal {
            parts.push(name);
        }
    };
    note("header", *one.header == *other.header);
    note(
        "items",
        Arc::as_ref(&one.items) == Arc::as_ref(&other.items),
    );
    note("bodies", *one.bodies == *other.bodies);
    note("ranges", one.ranges == other.ranges);
    note("identifiers", one.identifiers == other.identifiers);
    parts
}
