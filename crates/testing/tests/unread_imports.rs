//! `dependencies` is complete if every import line of the target was read, and otherwise names the
//! file that was not: one with syntax errors, or one that is excluded by the build configuration
//! and imports what the package imports nowhere else.

use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_testing::Fixture;
use codeweft_testing::fixture::texts;
use expect_test::{Expect, expect};

/// Checks what `dependencies` of each target lists, by distance, and its unresolved sites.
fn check(workspace: &str, targets: &[(&str, u32)], expected: Expect) {
    let workspace = Fixture::of(texts(workspace)).load();
    let mut lines = String::new();
    for &(target, depth) in targets {
        let mut request = GraphRequest::new(Operation::Dependencies, target);
        request.depth = depth;
        let answer = workspace.host.ask(&request).expect("an answer");
        let listed: Vec<_> = answer.results.iter().map(|row| &*row.node.name).collect();
        let completeness = answer.completeness;
        assert_eq!(completeness.complete, completeness.first.is_empty());
        let open = completeness.first.iter().map(|site| {
            let at = format!("{}:{}:{}", site.file, site.line, site.column);
            format!("{at} {}", site.reason)
        });
        let open: Vec<String> = open.collect();
        lines += &format!("{target} {depth}: {listed:?}, open at {open:?}\n");
    }
    expected.assert_eq(&lines);
}

#[test]
fn an_excluded_file_may_import_what_the_package_imports_nowhere_else() {
    let workspace = "
//- go.mod
module m

go 1.25
//- a/a.go
package a

import \"m/b\"

var V = b.V
//- b/b.go
package b

import \"fmt\"

var V = fmt.Sprint()
//- b/b_windows.go
package b

import (
\t\"fmt\"
\t\"m/only\"
)

var W = fmt.Sprint(only.V)
//- only/only.go
package only

var V = 1
//- only/only_windows.go
package only

import \"unsafe\"

var P unsafe.Pointer
";
    let targets = [
        ("m/a", 1),
        ("m/a", 2),
        ("m/b", 1),
        ("b/b.go", 1),
        ("m/only", 1),
    ];
    check(
        workspace,
        &targets,
        expect![[r#"
            m/a 1: ["b"], open at []
            m/a 2: ["b", "fmt"], open at ["b/b_windows.go:5:2 excluded_file"]
            m/b 1: ["fmt"], open at ["b/b_windows.go:5:2 excluded_file"]
            b/b.go 1: ["fmt"], open at []
            m/only 1: [], open at []
        "#]],
    );
}

#[test]
fn a_file_with_syntax_errors_may_have_further_imports() {
    let workspace = "
//- a.py
import b
//- b.py
import c
import d e
//- c.py
//- d.py
";
    let targets = [("a", 1), ("a", 2), ("b", 1), ("c", 1)];
    check(
        workspace,
        &targets,
        expect![[r#"
            a 1: ["b"], open at []
            a 2: ["b", "c", "d", "e"], open at ["b.py:2:1 parse_error"]
            b 1: ["c", "d", "e"], open at ["b.py:2:1 parse_error"]
            c 1: [], open at []
        "#]],
    );
}

#[test]
fn a_package_path_of_go_that_is_not_loaded_names_no_python_module() {
    let workspace = "
//- go.mod
module m

go 1.25
//- a/a.go
package a

import \"github.com/some/where\"

var V = where.V
//- b/b.py
import github

def f():
    return github.connect()
";
    let workspace = Fixture::of(texts(workspace)).load();
    let request = GraphRequest::new(Operation::Dependencies, "b.b");
    let answer = workspace.host.ask(&request).expect("an answer");
    let listed = answer.results.iter();
    let listed = listed.map(|row| format!("{} {}", row.node.id, row.node.language));
    assert_eq!(listed.collect::<Vec<_>>(), ["github python"]);
}

#[test]
fn an_excluded_file_could_import_a_package_by_its_import_lines_alone() {
    let workspace = "
//- go.mod
module m

go 1.25
//- b/b.go
package b

var V = 1
//- a/a.go
package a
//- a/a_windows.go
package a

import \"m/b\"

var V = b.V
//- c/c.go
package c
//- c/c_windows.go
package c

var Path = \"m/b\"
";
    let workspace = Fixture::of(texts(workspace)).load();
    let request = GraphRequest::new(Operation::Dependents, "b");
    let answer = workspace.host.ask(&request).expect("an answer");
    let open = answer.completeness.first.iter();
    let open = open.map(|site| format!("{}:{}:{}", site.file, site.line, site.column));
    assert_eq!(open.collect::<Vec<_>>(), ["a/a_windows.go:3:8"]);
}
