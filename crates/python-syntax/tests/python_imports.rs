//! Imports of Python modules.

use codeweft_python_syntax::{AsPython as _, PYTHON};
use codeweft_syntax::{Names, lower};

fn imports(text: &str) -> Vec<String> {
    let names = Names::default();
    let ir = lower(text, PYTHON, &names, &|| false).expect("nothing stops it");
    let header = ir.header.python().expect("a Python file");
    assert_eq!(header.imports.len(), ir.ranges.imports.len());
    let lines = header
        .imports
        .iter()
        .zip(&ir.ranges.imports)
        .map(|(import, span)| {
            let imported: Vec<&str> = import.names.iter().map(|&name| names.text(name)).collect();
            let (module, level) = (names.text(import.module), import.level);
            let at = &text[span.start as usize..span.end as usize];
            format!("{level} {module:?} {imported:?} at {at:?}")
        });
    lines.collect()
}

#[test]
fn every_import_statement_counts_wherever_it_stands() {
    let text = "\
from __future__ import annotations
import a.b, c as d
from . import e, f as g
from ..h.i import (j, k)
from l import *
try:
    import m
except ImportError:
    if x:
        def f():
            class C:
                from n . o import p
";
    assert_eq!(
        imports(text),
        [
            "0 \"__future__\" [\"annotations\"] at \"__future__\"",
            "0 \"a.b\" [] at \"a.b\"",
            "0 \"c\" [] at \"c\"",
            "1 \"\" [\"e\", \"f\"] at \".\"",
            "2 \"h.i\" [\"j\", \"k\"] at \"..h.i\"",
            "0 \"l\" [] at \"l\"",
            "0 \"m\" [] at \"m\"",
            "0 \"n.o\" [\"p\"] at \"n . o\"",
        ]
    );
}

#[test]
fn identifiers_are_collected_and_errors_have_lines() {
    let names = Names::default();
    let text = "def f(a):\n    return a.b\n\ndef g(:\n    pass\n";
    let ir = lower(text, PYTHON, &names, &|| false).expect("nothing stops it");
    for name in ["f", "a", "b", "g"] {
        assert!(
            names
                .get(name)
                .is_some_and(|name| ir.identifiers.contains(name)),
            "{name}"
        );
    }
    assert_eq!(&ir.report.error_lines[..], [4]);
    assert!(lower(&"x = 1\n".repeat(5000), PYTHON, &names, &|| true).is_none());
}
