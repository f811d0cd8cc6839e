//! The scan for secrets is a query of each file: an edit scans its file alone, and only where lines are visible.

use codeweft_testing::events::QueryWatch;
use codeweft_testing::fixture::texts;

const FIXTURE: &str = r#"
//- a/a.go
package a

func X() {}
//- b/b.go
package b

import "m/a"

func F() { a.X() }
//- c/c.go
package c

import "m/a"

func G() { a.X() }
//- d/d.go
package d

func H() {}
"#;

fn scanned(workspace: &mut QueryWatch) -> Vec<String> {
    let ran = workspace.ask().executed;
    let scans = ran.into_keys().filter_map(|query| {
        let file = query.strip_prefix("file_secrets ")?;
        Some(file.to_owned())
    });
    scans.collect()
}

#[test]
fn an_edit_scans_its_own_file_and_no_other() {
    let mut workspace = QueryWatch::new(texts(FIXTURE), "a.X");
    assert_eq!(scanned(&mut workspace), ["a/a.go", "b/b.go", "c/c.go"]);
    workspace.open("b/b.go");
    assert_eq!(scanned(&mut workspace), ["b/b.go"]);
    let secret = format!("var password = \"{}\"", "kX9v2Lq8");
    workspace.replace("b/b.go", "func F", &format!("{secret}\n\nfunc F"));
    let ran = workspace.ask();
    let scans: Vec<_> = ran
        .executed
        .keys()
        .filter(|query| query.starts_with("file_secrets"))
        .collect();
    assert_eq!(scans, ["file_secrets b/b.go"]);
    assert!(
        ran.answer
            .contains("Skipped b/b.go: secret detected (password, line 5)"),
        "{}",
        ran.answer
    );
    assert!(!ran.answer.contains("func F() { a.X() }"), "{}", ran.answer);
    assert!(ran.answer.contains("func G()"), "{}", ran.answer);
    workspace.replace("b/b.go", &secret, "");
    let ran = workspace.ask();
    assert!(!ran.answer.contains("Skipped"), "{}", ran.answer);
    workspace.open("d/d.go");
    workspace.replace("d/d.go", "func H() {}", "func H() { println() }");
    assert!(scanned(&mut workspace).is_empty());
}
