//! Lowering by way of the last tree gives what lowering the whole text gives. `CODEWEFT_SLOW=1` tries
//! the texts of Python's library too, which is below `CODEWEFT_CORPORA`.

use std::path::{Path, PathBuf};

use codeweft_go_syntax::{GO, lower_by_tree_sitter};
use codeweft_python_syntax::PYTHON;
use codeweft_syntax::{CachedTree, FileIr, Lang, Names, lower, lower_next};

const GO_TEXT: &str = include_str!("../../go-syntax/tests/go_fixture.go.txt");

const PYTHON_TEXT: &str = "\
import os
from .a import (b,
                c as d)

class C(b):
    '''Doc with 'quotes'.'''
    x: int = 1

    def m(self, *args, key=None):
        if self.x and (key or
                       args):
            return f\"{self.x!r:>{key}} {d(1)}\"
        for i, j in args:
            with open(i) as f:
                yield f.read()
        else:
            pass

    @property
    def p(self):
        return lambda q: q + 1


def f(a, /, b, *, c):
\tmatch a:
\t\tcase [1, *rest]:
\t\t\treturn rest
\t\tcase C(x=y) if y:
\t\t\treturn y
\treturn [k for k in b if k]
";

fn same(one: &FileIr, other: &FileIr) -> bool {
    *one.header == *other.header
        && *one.items == *other.items
        && *one.bodies == *other.bodies
        && one.ranges == other.ranges
        && one.identifiers == other.identifiers
        && one.report == other.report
}

/// A number that follows from the last one.
fn next(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// Lines to put into Python texts.
const PYTHON_PIECES: [&str; 12] = [
    "\n",
    "# note\n",
    "    # deeper\n",
    "def added(): return f(1)\n",
    "    x = 1\n",
    "        call(self)\n",
    "\ty = 2\n",
    "'''\n",
    "x = (1,\n",
    "     2)\n",
    "if x:\n    y()\n",
    "\\\n",
];

/// Puts pieces into a text and takes lines out of it, and lowers after each step. Returns how many of
/// the texts had no error.
fn check(text: &str, lang: Lang, pieces: &[&str], steps: usize) -> usize {
    let names = Names::default();
    let mut last = CachedTree::default();
    let mut state = 7;
    let mut healthy = 0;
    let mut now = text.to_owned();
    for step in 0..steps {
        let by_tree = if lang == GO {
            // Of healthy text alone no tree is made.
            lower_by_tree_sitter(&now, &names, &mut last, &|| false)
        } else {
            lower_next(&now, lang, &names, &mut last, &|| false)
        };
        let by_tree = by_tree.expect("not stopped");
        let whole = lower(&now, lang, &names, &|| false).expect("not stopped");
        assert!(same(&by_tree, &whole), "step {step}:\n{now}");
        healthy += usize::from(whole.report.error_lines.is_empty());
        let lines: Vec<&str> = now.split_inclusive('\n').collect();
        let at = next(&mut state) % lines.len().max(1);
        now = match next(&mut state) % 4 {
            // Back to health now and then: broken text keeps no tree.
            0 => text.to_owned(),
            1 => lines[..at].concat() + &lines[(at + 1).min(lines.len())..].concat(),
            _ => {
                let piece = pieces[next(&mut state) % pieces.len()];
                lines[..at].concat() + piece + &lines[at..].concat()
            }
        };
    }
    healthy
}

#[test]
fn a_go_text_lowers_the_same_from_its_last_tree() {
    let pieces = [
        "\n",
        "// note\n",
        "func added() { f(1) }\n",
        "\tx := 1\n",
        "}\n",
        "var s = `a\n",
    ];
    let healthy = check(GO_TEXT, GO, &pieces, 60);
    assert!(healthy > 15, "{healthy} of 60 texts had no error");
}

#[test]
fn a_python_text_lowers_the_same_from_its_last_tree() {
    let healthy = check(PYTHON_TEXT, PYTHON, &PYTHON_PIECES, 400);
    assert!(healthy > 100, "{healthy} of 400 texts had no error");
}

#[test]
fn texts_of_pythons_library_lower_the_same_from_their_last_trees() {
    if !std::env::var("CODEWEFT_SLOW").is_ok_and(|slow| slow == "1") {
        println!("skipped: texts of Python's library; CODEWEFT_SLOW=1 lowers them");
        return;
    }
    let Some(corpora) = std::env::var_os("CODEWEFT_CORPORA").map(PathBuf::from) else {
        println!("skipped: set CODEWEFT_CORPORA");
        return;
    };
    let mut texts = Vec::new();
    python_texts(&corpora.join("cpython-3.11"), &mut texts);
    let mut healthy = 0;
    for text in texts.iter().step_by(7) {
        healthy += check(text, PYTHON, &PYTHON_PIECES, 6);
    }
    let lowered = 6 * texts.len().div_ceil(7);
    println!("{lowered} texts, {healthy} without an error");
    assert!(healthy > texts.len() / 7, "{healthy} of {}", texts.len());
}

/// Adds the Python texts below a folder, by path, except large ones.
fn python_texts(folder: &Path, texts: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            python_texts(&path, texts);
        } else if path.extension().is_some_and(|extension| extension == "py")
            && let Ok(text) = std::fs::read_to_string(&path)
            && text.len() < 200_000
        {
            texts.push(text);
        }
    }
}
