//! Documents of each format, read and printed with positions.

mod any_text;
mod contracts;
mod deployments;
mod dockerfile;
mod environment;
mod proto;
mod yaml;

use std::fmt::Write as _;

use codeweft_documents::{Reader, Tree, Value};
use expect_test::Expect;

/// Prints the values of a tree with lines and columns, then the errors.
fn print(tree: &Tree) -> String {
    fn value(out: &mut String, tree: &Tree, of: Value<'_>, indent: usize) {
        let (line, column) = tree.line_column(of.span().start);
        let at = format!("{line}:{column}");
        if of.is_mapping() {
            writeln!(out, "{{}} {at}").unwrap();
            for (key, entry) in of.entries() {
                write!(out, "{:indent$}{key}: ", "", indent = indent + 2).unwrap();
                value(out, tree, entry, indent + 2);
            }
        } else if of.is_sequence() {
            writeln!(out, "[] {at}").unwrap();
            for item in of.items() {
                write!(out, "{:indent$}- ", "", indent = indent + 2).unwrap();
                value(out, tree, item, indent + 2);
            }
        } else {
            writeln!(out, "{:?} {at}", of.text()).unwrap();
        }
    }
    let mut out = String::new();
    let reader = Reader::new(tree);
    for root in reader.roots() {
        value(&mut out, tree, root, 0);
    }
    for error in &tree.errors {
        let (line, column) = tree.line_column(error.offset);
        writeln!(out, "error {line}:{column}: {}", error.message).unwrap();
    }
    out
}

fn check(tree: &Tree, expected: Expect) {
    expected.assert_eq(&print(tree));
}
