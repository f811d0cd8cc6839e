//! The store that `codeweft serve` keeps, over real processes.

mod fixture;
mod workspace;

use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value;
use workspace::{LONG, TestWorkspace};

const CALLS: &str =
    "SELECT caller_function_id, callee_function_id FROM function_calls ORDER BY 1, 2";

/// Waits until the store is level with the workspace.
fn wait_until_level(workspace: &TestWorkspace) {
    let until = Instant::now() + LONG;
    loop {
        let stats = workspace.run(&["stats", "--json"]);
        let stats: Value = serde_json::from_str(&stats.out).unwrap_or_default();
        if stats["store"]["lag_ms"] == 0 && stats["store"]["dispatch_revision"] == stats["revision"]
        {
            return;
        }
        assert!(Instant::now() < until, "{stats}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn calls(workspace: &TestWorkspace) -> (String, String) {
    let found = workspace.run(&["sql", CALLS, "--format", "csv"]);
    assert!(found.code == 0 || found.code == 1, "{found:?}");
    let rows = found.out.lines().skip(1).collect::<Vec<_>>().join(" ");
    (rows, found.err)
}

#[test]
fn a_server_keeps_a_store_that_follows_the_files() {
    let workspace = TestWorkspace::new();
    assert_eq!(workspace.run(&["serve", "--detach"]).code, 0);
    wait_until_level(&workspace);
    assert_eq!(calls(&workspace), ("m.A,m.B".to_owned(), String::new()));
    let text = "package m\n\nfunc A() { B() }\n\nfunc B() { C() }\n\nfunc C() {}\n";
    fs::write(format!("{}/a.go", workspace.root()), text).expect("written");
    let until = Instant::now() + LONG;
    while calls(&workspace).0 != "m.A,m.B m.B,m.C" {
        assert!(Instant::now() < until);
        std::thread::sleep(Duration::from_millis(20));
    }
    wait_until_level(&workspace);
    workspace.end();
    let (rows, said) = calls(&workspace);
    assert_eq!(rows, "m.A,m.B m.B,m.C");
    assert!(
        said.starts_with("codeweft: no server runs: the store has the workspace as it was at 2"),
        "{said}"
    );
    // Another server takes it as it is.
    assert_eq!(workspace.run(&["serve", "--detach"]).code, 0);
    wait_until_level(&workspace);
    let stats = workspace.run(&["stats", "--json"]);
    let stats: Value = serde_json::from_str(&stats.out).expect("JSON");
    assert_eq!(stats["store"]["rows"], 0, "{stats}");
    assert_eq!(stats["store_bytes"], stats["store"]["bytes"]);
    workspace.end();
}

#[test]
fn a_server_that_is_to_keep_no_store_makes_no_file() {
    let workspace = TestWorkspace::new();
    assert_eq!(
        workspace.run(&["serve", "--detach", "--store=false"]).code,
        0
    );
    let stats = workspace.run(&["stats", "--json"]);
    let stats: Value = serde_json::from_str(&stats.out).expect("JSON");
    assert_eq!(stats["store"], Value::Null);
    workspace.end();
    let settings = format!("{}/codeweft.toml", workspace.root());
    fs::write(settings, "[store]\nenabled = false\n").expect("written");
    assert_eq!(workspace.run(&["serve", "--detach"]).code, 0);
    let stats = workspace.run(&["stats", "--json"]);
    let stats: Value = serde_json::from_str(&stats.out).expect("JSON");
    assert_eq!(stats["store"], Value::Null);
    workspace.end();
    assert!(!fs::exists(format!("{}/.codeweft/graph.db", workspace.root())).expect("a look"));
    let refused = workspace.run(&["sql", "SELECT 1"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.err.contains("codeweft serve keeps one"),
        "{}",
        refused.err
    );
}
