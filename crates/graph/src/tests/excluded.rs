//! Declarations that the build configuration excludes.

use codeweft_db::RootDb;
use expect_test::expect;

use super::{execute, lines, toy};
use crate::answer::{GraphRequest, Operation};

fn world() -> RootDb {
    toy::load(
        "
//- os/proc.go
struct Proc
method Proc.Kill
fn Getpid
//- os/proc_windows.go
excluded
struct Proc
method Proc.Kill
fn Getpid : Proc.Kill
",
    )
}

fn answers(operation: Operation, targets: &[&str]) -> String {
    let db = world();
    let mut text = String::new();
    for target in targets {
        let request = GraphRequest {
            context_lines: 0,
            ..GraphRequest::new(operation, *target)
        };
        let answer = execute(&db, &request);
        text.push_str(&format!("{target} =>\n{}", lines(&answer)));
        for result in answer.iter().flat_map(|answer| &answer.results) {
            let node = &result.node;
            text.push_str(&format!(
                "  {} {} {}:{}:{} {} {}\n",
                node.kind,
                node.visibility,
                node.file,
                node.name_line,
                node.name_column,
                node.package,
                result.context.as_deref().unwrap_or("").replace('\n', " | "),
            ));
        }
    }
    text
}

#[test]
fn an_excluded_declaration_is_named_by_its_file() {
    expect![[r#"
        os.Getpid =>
        os.Getpid
          function public os/proc.go:3:4 os // Lines 3-3 | fn Getpid
        os.Getpid@proc_windows =>
        os.Getpid@proc_windows
          function public os/proc_windows.go:4:4 os // Lines 4-4 | fn Getpid : Proc.Kill
        os.Proc.Kill@proc_windows =>
        os.Proc.Kill@proc_windows
          method public os/proc_windows.go:3:13 os // Lines 3-3 | method Proc.Kill
        os/proc_windows.go:4 =>
        os.Getpid@proc_windows
          function public os/proc_windows.go:4:4 os // Lines 4-4 | fn Getpid : Proc.Kill
        os/proc_windows.go:4:4 =>
        os.Getpid@proc_windows
          function public os/proc_windows.go:4:4 os // Lines 4-4 | fn Getpid : Proc.Kill
        os/proc_windows.go:4:1 =>
        target_not_found: os/proc_windows.go:4:1: the file is left out under toy/1
        ask under a configuration that chooses it
        os.Getpid@proc_plan9 =>
        target_not_found: no symbol, package or file fits os.Getpid@proc_plan9
        search finds declarations by a part of the name
    "#]]
    .assert_eq(&answers(
        Operation::Definition,
        &[
            "os.Getpid",
            "os.Getpid@proc_windows",
            "os.Proc.Kill@proc_windows",
            "os/proc_windows.go:4",
            "os/proc_windows.go:4:4",
            "os/proc_windows.go:4:1",
            "os.Getpid@proc_plan9",
        ],
    ));
}

#[test]
fn an_excluded_declaration_has_no_edges() {
    expect![[r#"
        os.Getpid@proc_windows =>
        invalid_request: callees of os.Getpid@proc_windows: the configuration leaves its file out, so it has no edges: definition takes it
        definition takes it
    "#]].assert_eq(&answers(
        Operation::Callees,
        &["os.Getpid@proc_windows"],
    ));
}
