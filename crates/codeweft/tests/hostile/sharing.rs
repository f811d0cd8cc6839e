//! Several clients on one file, and the state after one of them, or the server, is killed.

use std::fs;
use std::time::{Duration, Instant};

use codeweft_testing::clients::Editor;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::clients::{agent, callers, editor, refused, symbols, until};
use crate::workspace::{LONG, TestWorkspace, wait_for_end};

const CONTENT_MODIFIED: i64 = -32801;

#[test]
fn with_two_editors_on_one_file_the_latest_change_wins_and_a_close_falls_back() {
    let workspace = TestWorkspace::new();
    let path = format!("{}/a.go", workspace.root());
    let text = fs::read_to_string(&path).expect("there");
    let (mut agent, _agent) = agent(&workspace);
    let (mut first, _first) = editor(&workspace);
    let (mut second, _second) = editor(&workspace);
    first.open(&path, &text).expect("sent");
    first
        .edit(&path, ((0, 9), (0, 9)), "\n\nfunc First() { B() }")
        .expect("sent");
    assert_eq!(symbols(&mut first, &path), ["First", "A", "B"]);
    assert_eq!(callers(&mut agent, "m.B"), ["A", "First"]);
    second.open(&path, &text).expect("sent");
    second
        .edit(&path, ((0, 9), (0, 9)), "\n\n\nfunc Second() { B() }")
        .expect("sent");
    assert_eq!(symbols(&mut second, &path), ["Second", "A", "B"]);
    assert_eq!(callers(&mut agent, "m.B"), ["A", "Second"]);
    // The first editor's positions are those of another text.
    let at = Editor::at(&path, 2, 6);
    assert_eq!(
        refused(&mut first, "textDocument/definition", at.clone()),
        CONTENT_MODIFIED
    );
    assert_eq!(
        refused(&mut first, "textDocument/documentSymbol", at),
        CONTENT_MODIFIED
    );
    // Its own edit applies to its own text, which is then the latest again.
    first.edit(&path, ((2, 5), (2, 10)), "Again").expect("sent");
    assert_eq!(symbols(&mut first, &path), ["Again", "A", "B"]);
    assert_eq!(callers(&mut agent, "m.B"), ["A", "Again"]);
    let at = Editor::at(&path, 3, 6);
    assert_eq!(
        refused(&mut second, "textDocument/definition", at),
        CONTENT_MODIFIED
    );
    // Falls back to the other's text, then to the disk's.
    first.close(&path).expect("sent");
    // The other's answer shows that the close was processed; its own text holds again.
    until("the second one's text holds", || {
        callers(&mut agent, "m.B") == ["A", "Second"]
    });
    assert_eq!(symbols(&mut second, &path), ["Second", "A", "B"]);
    second.close(&path).expect("sent");
    assert_eq!(symbols(&mut second, &path), ["A", "B"]);
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
}

#[test]
fn the_unsaved_text_of_a_killed_editor_is_dropped_even_with_a_request_in_flight() {
    let workspace = TestWorkspace::new();
    let path = format!("{}/a.go", workspace.root());
    let text = fs::read_to_string(&path).expect("there");
    let (mut agent, _agent) = agent(&workspace);
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
    for in_flight in [false, true] {
        let (mut editor, mut process) = editor(&workspace);
        editor.open(&path, &text).expect("sent");
        editor
            .edit(&path, ((0, 9), (0, 9)), "\n\nfunc Typed() { B() }")
            .expect("sent");
        assert_eq!(symbols(&mut editor, &path), ["Typed", "A", "B"]);
        assert_eq!(callers(&mut agent, "m.B"), ["A", "Typed"]);
        if in_flight {
            let mut params = Editor::at(&path, 2, 6);
            params["context"] = json!({"includeDeclaration": true});
            editor
                .send("textDocument/references", params)
                .expect("sent");
            editor
                .send("workspace/symbol", json!({"query": ""}))
                .expect("sent");
        }
        let killed = Instant::now();
        process.kill();
        until("the disk's text holds", || {
            callers(&mut agent, "m.B") == ["A"]
        });
        let took = killed.elapsed();
        assert!(took < Duration::from_secs(2), "{took:?}");
    }
}

#[test]
fn an_agents_write_to_a_file_open_and_unchanged_in_an_editor_is_in_its_next_answer() {
    let workspace = TestWorkspace::new();
    let path = format!("{}/a.go", workspace.root());
    let text = fs::read_to_string(&path).expect("there");
    let (mut agent, _agent) = agent(&workspace);
    let (mut editor, _editor) = editor(&workspace);
    editor.open(&path, &text).expect("sent");
    assert_eq!(symbols(&mut editor, &path), ["A", "B"]);
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
    for round in 0..20 {
        fs::write(&path, format!("{text}\nfunc W{round}() {{ B() }}\n")).expect("written");
        assert_eq!(
            callers(&mut agent, "m.B"),
            ["A".to_owned(), format!("W{round}")]
        );
        // The editor's positions are those of the text that it has.
        let at = Editor::at(&path, 2, 6);
        assert_eq!(
            refused(&mut editor, "textDocument/hover", at),
            CONTENT_MODIFIED
        );
    }
    // It takes over the text on disk, as editors do: by an edit.
    let now = fs::read_to_string(&path).expect("there");
    let params = json!({
        "textDocument": {"uri": format!("file://{path}"), "version": 100},
        "contentChanges": [{"text": now}],
    });
    editor
        .notify("textDocument/didChange", params)
        .expect("sent");
    assert_eq!(symbols(&mut editor, &path), ["A", "B", "W19"]);
    assert_eq!(callers(&mut agent, "m.B"), ["A", "W19"]);
    // An edit made then wins over the disk.
    editor
        .edit(&path, ((0, 9), (0, 9)), "\n\nfunc Typed() { B() }")
        .expect("sent");
    assert_eq!(symbols(&mut editor, &path), ["Typed", "A", "B", "W19"]);
    fs::write(&path, &text).expect("written");
    assert_eq!(callers(&mut agent, "m.B"), ["A", "Typed", "W19"]);
}

#[test]
fn a_file_written_by_editor_and_agent_gives_both_the_same_answer() {
    let workspace = TestWorkspace::new();
    let (mut agent, _agent) = agent(&workspace);
    let (mut editor, _editor) = editor(&workspace);
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
    for round in 0..10 {
        let path = format!("{}/new{round}.go", workspace.root());
        // Opened before it is on disk, as a new file is; then saved, closed and removed.
        editor.open(&path, "").expect("sent");
        let text = "package m\n\nfunc New() { B() }\n";
        editor.edit(&path, ((0, 0), (0, 0)), text).expect("sent");
        assert_eq!(symbols(&mut editor, &path), ["New"]);
        assert_eq!(callers(&mut agent, "m.B"), ["A", "New"]);
        fs::write(&path, text).expect("written");
        let saved = json!({"textDocument": {"uri": format!("file://{path}")}});
        editor.notify("textDocument/didSave", saved).expect("sent");
        editor.close(&path).expect("sent");
        assert_eq!(symbols(&mut editor, &path), ["New"]);
        assert_eq!(callers(&mut agent, "m.B"), ["A", "New"]);
        fs::remove_file(&path).expect("there");
        assert_eq!(callers(&mut agent, "m.B"), ["A"]);
    }
}

#[test]
fn after_the_server_is_killed_both_clients_go_on_with_another_one() {
    let workspace = TestWorkspace::new();
    let path = format!("{}/a.go", workspace.root());
    let text = fs::read_to_string(&path).expect("there");
    let (mut agent, _agent) = agent(&workspace);
    let (mut editor, _editor) = editor(&workspace);
    editor.open(&path, &text).expect("sent");
    editor
        .edit(&path, ((0, 9), (0, 9)), "\n\nfunc Typed() { B() }")
        .expect("sent");
    assert_eq!(symbols(&mut editor, &path), ["Typed", "A", "B"]);
    for _ in 0..2 {
        kill_server(&workspace);
        // The agent may be the first to find another server; the editor's text is in its answer.
        assert_eq!(callers(&mut agent, "m.B"), ["A", "Typed"]);
        assert_eq!(symbols(&mut editor, &path), ["Typed", "A", "B"]);
    }
    assert_eq!(workspace.servers(), [workspace.server().0]);
    assert!(
        editor.notifications.is_empty(),
        "{:?}",
        editor.notifications
    );
}

#[test]
fn requests_in_flight_when_the_server_is_killed_are_answered_once_each() {
    let workspace = TestWorkspace::new();
    let (mut agent, _process) = agent(&workspace);
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
    let ids: Vec<i64> = (0..300)
        .map(|_| {
            let ask = json!({"operation": "impact", "target": "m.B", "depth": 10});
            agent.send_call(ask).expect("sent")
        })
        .collect();
    kill_server(&workspace);
    for id in ids {
        let reply = agent.called(id, LONG).expect("answered");
        let busy = reply.structured["error_type"] == "limit_exceeded";
        assert!(!reply.error || busy, "{}", reply.text);
    }
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
}

#[test]
fn a_server_that_is_killed_again_and_again_is_reported() {
    let workspace = TestWorkspace::new();
    let path = format!("{}/a.go", workspace.root());
    let (mut agent, mut agent_process) = agent(&workspace);
    let (mut editor, mut editor_process) = editor(&workspace);
    for _ in 0..4 {
        assert_eq!(callers(&mut agent, "m.B"), ["A"]);
        assert_eq!(symbols(&mut editor, &path), ["A", "B"]);
        kill_server(&workspace);
    }
    let shown = editor.wait_for_notification(LONG, |reply| reply["method"] == "window/showMessage");
    let words = shown.expect("told")["params"]["message"].to_string();
    assert!(words.contains("ended 4 times within a minute"), "{words}");
    assert_eq!(editor_process.code(), Some(1));
    let reply = agent.call(json!({"operation": "callers", "target": "m.B"}));
    let reply = reply.expect("answered");
    assert_eq!(reply.structured["error_type"], "index_unavailable");
    assert!(reply.text.contains("within a minute"), "{}", reply.text);
    drop(agent);
    assert_eq!(agent_process.code(), Some(0));
}

/// Kills the server of the workspace (SIGKILL) and waits for its end.
fn kill_server(workspace: &TestWorkspace) {
    let server = workspace.server().0;
    let process = Pid::from_raw(server as i32).expect("a process");
    kill_process(process, Signal::KILL).expect("ours");
    wait_for_end(server);
}
