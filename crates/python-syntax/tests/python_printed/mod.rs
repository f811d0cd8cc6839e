//! The printed intermediate form of Python fixtures.
#![allow(dead_code, reason = "each test file uses its part")]

use codeweft_python_syntax::{self as python, AsPython as _, PYTHON};
use codeweft_syntax::{FileIr, Names, lower};

/// Lowers a text that nothing stops.
pub fn lowered(text: &str, names: &Names) -> FileIr {
    lower(text, PYTHON, names, &|| false).expect("nothing stops it")
}

/// The items of a lowered Python text.
pub fn items_of(ir: &FileIr) -> &python::Items {
    ir.items.python().expect("a Python file")
}

/// The bodies of a lowered Python text.
pub fn bodies_of(ir: &FileIr) -> &python::Bodies {
    ir.bodies.python().expect("a Python file")
}

/// The whole of a file, printed.
pub fn printed(text: &str) -> String {
    let names = Names::default();
    python::print_ir(&lowered(text, &names), &names)
}

/// Imports, items and report of a text, printed.
pub fn items(text: &str) -> String {
    let mut in_body = false;
    let text = printed(text);
    let lines = text.lines().filter(|line| {
        if !line.starts_with(' ') {
            in_body = line.starts_with("body #");
        }
        !in_body
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The body of the item with this number and the report, printed.
pub fn body(text: &str, item: u32) -> String {
    let head = format!("body #{item}");
    let mut is_shown = false;
    let text = printed(text);
    let lines = text.lines().filter(|line| {
        if !line.starts_with(' ') {
            let is_report = ["repaired", "chunked", "errors", "cut"];
            is_shown = *line == head || is_report.iter().any(|word| line.starts_with(word));
            return is_shown && *line != head;
        }
        is_shown
    });
    let lines = lines.map(|line| line.strip_prefix("  ").unwrap_or(line));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The uses of the item with this number, each with the rest of its line from its token on.
pub fn tokens(text: &str, item: usize) -> String {
    let names = Names::default();
    let ir = lowered(text, &names);
    let bodies = bodies_of(&ir);
    let body = bodies.bodies[item];
    let uses = &bodies.uses[body.uses.iter()];
    let lines = uses.iter().map(|one| {
        let offset = ir.ranges.body_tokens[(body.first_tok + one.tok) as usize];
        let rest = text[offset as usize..].lines().next().unwrap_or("");
        let kind = format!("{:?}", one.kind);
        let kind = kind.split([' ', '(', '{']).next().unwrap_or("").to_owned();
        format!("{kind} at {rest}\n")
    });
    lines.collect()
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
    note("items", *one.items == *other.items);
    note("bodies", *one.bodies == *other.bodies);
    note("ranges", one.ranges == other.ranges);
    note("identifiers", one.identifiers == other.identifiers);
    parts
}
