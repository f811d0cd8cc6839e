//! Clients that send too much, read too little, or disconnect in the middle of a message.

use std::io::Write as _;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use codeweft_testing::clients::Editor;
use serde_json::json;

use crate::clients::{agent, callers, editor, framed, slow, start, symbols, until};
use crate::workspace::{LONG, TestWorkspace};

/// The maximum time of another client's query while one client misbehaves. The bar is for a release
/// build; in the others, whose tests share the processors, only a client that is blocked until the
/// flood ends waits longer.
const OTHERS_WAIT: Duration = if cfg!(debug_assertions) {
    Duration::from_secs(8)
} else {
    Duration::from_millis(50)
};

/// Queries callers a number of times; returns the 99th percentile of the times.
fn others(agent: &mut codeweft_testing::clients::Agent, times: usize) -> Duration {
    let mut waited: Vec<Duration> = (0..times)
        .map(|_| {
            let asked = Instant::now();
            assert_eq!(callers(agent, "m.B"), ["A"]);
            asked.elapsed()
        })
        .collect();
    waited.sort_unstable();
    waited[times - 1 - times / 100]
}

/// Returns a hundred requests of an editor, as bytes.
fn questions(workspace: &TestWorkspace, from: usize, count: usize) -> Vec<u8> {
    let path = format!("{}/a.go", workspace.root());
    let mut bytes = Vec::new();
    for id in from..from + count {
        let method = [
            "textDocument/references",
            "workspace/symbol",
            "textDocument/hover",
        ][id % 3];
        let mut params = Editor::at(&path, 4, 5);
        params["query"] = json!("");
        params["context"] = json!({"includeDeclaration": true});
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        bytes.extend(framed(request.to_string().as_bytes()));
    }
    bytes
}

#[test]
fn ten_thousand_requests_of_one_editor_are_answered_once_each_and_block_no_other() {
    const COUNT: usize = 10_000;
    let workspace = TestWorkspace::new();
    let (mut other, _process) = agent(&workspace);
    assert_eq!(callers(&mut other, "m.B"), ["A"]);
    let (mut flood, _flooding) = editor(&workspace);
    let bytes = questions(&workspace, 1_000_000, COUNT);
    let flooding = std::thread::spawn(move || {
        flood.raw(&bytes).expect("sent");
        for id in 1_000_000..1_000_000 + COUNT as i64 {
            let answer = flood.answer(id, LONG).expect("answered").message;
            let code = answer["error"]["code"].as_i64();
            // Served, or refused because there are too many.
            assert!(code.is_none() || code == Some(-32802), "{answer}");
        }
        flood
    });
    let waited = others(&mut other, 100);
    assert!(waited < OTHERS_WAIT, "{waited:?}");
    let mut flood = flooding.join().expect("each was answered");
    assert_eq!(
        symbols(&mut flood, &format!("{}/a.go", workspace.root())),
        ["A", "B"]
    );
}

#[test]
fn two_thousand_calls_of_one_agent_are_answered_once_each_and_block_no_other() {
    const COUNT: usize = 2_000;
    let workspace = TestWorkspace::new();
    let (mut other, _process) = agent(&workspace);
    assert_eq!(callers(&mut other, "m.B"), ["A"]);
    let (mut flood, _flooding) = agent(&workspace);
    let flooding = std::thread::spawn(move || {
        let ask = json!({"operation": "impact", "target": "m.B", "depth": 10});
        let ids: Vec<i64> = (0..COUNT)
            .map(|_| flood.send_call(ask.clone()).expect("sent"))
            .collect();
        for id in ids {
            let reply = flood.called(id, LONG).expect("answered");
            assert!(
                !reply.error || reply.structured["error_type"] == "limit_exceeded",
                "{}",
                reply.text
            );
        }
    });
    let waited = others(&mut other, 100);
    assert!(waited < OTHERS_WAIT, "{waited:?}");
    flooding.join().expect("each was answered");
}

#[test]
fn clients_that_read_nothing_block_no_other_and_are_disconnected() {
    let workspace = TestWorkspace::new();
    let (mut other, _process) = agent(&workspace);
    assert_eq!(callers(&mut other, "m.B"), ["A"]);
    let server = workspace.server().0;
    // An editor and an agent that write without reading.
    let (_unread, mut input, mut deaf_editor) = start(workspace.command(&["lsp"]));
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "capabilities": {}, "rootUri": format!("file://{}", workspace.root())}});
    let mut bytes = framed(hello.to_string().as_bytes());
    bytes.extend(questions(&workspace, 1, 100_000));
    std::thread::spawn(move || {
        // Until the server reads no more.
        let _ = input.write_all(&bytes);
        std::thread::sleep(LONG);
    });
    let (_unread_too, mut input, mut deaf_agent) = start(workspace.command(&["mcp"]));
    std::thread::spawn(move || {
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "deaf", "version": "0"}}});
        let _ = writeln!(input, "{hello}");
        for id in 1..100_000 {
            let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
                "name": "cortex_graph", "arguments": {"operation": "callers", "target": "m.B"}}});
            if writeln!(input, "{call}").is_err() {
                return;
            }
        }
        std::thread::sleep(LONG);
    });
    let waited = others(&mut other, 100);
    assert!(waited < OTHERS_WAIT, "{waited:?}");
    let connected = || {
        let status = workspace.run(&["serve", "--status", "--json"]);
        let status: serde_json::Value = serde_json::from_str(&status.out).expect("JSON");
        (status["editors"].as_u64(), status["agents"].as_u64())
    };
    if slow("ten seconds of reading nothing") {
        until("the editor that reads nothing is closed", || {
            connected().0 == Some(0)
        });
        assert_eq!(callers(&mut other, "m.B"), ["A"]);
    }
    deaf_editor.kill();
    deaf_agent.kill();
    until("those who were killed are gone", || {
        connected() == (Some(0), Some(1))
    });
    assert_eq!(workspace.servers(), [server]);
}

#[test]
fn silent_or_slow_connections_block_no_other() {
    let workspace = TestWorkspace::new();
    let (mut other, _process) = agent(&workspace);
    assert_eq!(callers(&mut other, "m.B"), ["A"]);
    let (server, socket) = workspace.server();
    // Connections that the server no longer accepts are refused or wait; both are fine.
    let mut silent: Vec<UnixStream> = (0..300)
        .filter_map(|_| {
            let stream = UnixStream::connect(&socket).ok()?;
            stream.set_nonblocking(true).ok()?;
            Some(stream)
        })
        .collect();
    assert!(silent.len() > 100, "{}", silent.len());
    for byte in [b"{", b"\"", b"\n", b"\xff"] {
        for stream in &mut silent {
            let _ = stream.write(byte);
        }
        let waited = others(&mut other, 20);
        assert!(waited < OTHERS_WAIT, "{waited:?}");
    }
    // A new client is served once the silent ones are closed.
    let (mut new, _new) = agent(&workspace);
    assert_eq!(callers(&mut new, "m.B"), ["A"]);
    assert_eq!(workspace.servers(), [server]);
}

#[test]
fn a_client_killed_in_the_middle_of_a_message_does_not_affect_others() {
    let workspace = TestWorkspace::new();
    let (mut other, _process) = agent(&workspace);
    assert_eq!(callers(&mut other, "m.B"), ["A"]);
    let server = workspace.server().0;
    let path = format!("{}/a.go", workspace.root());
    let edit = json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
        "textDocument": {"uri": format!("file://{path}"), "version": 9},
        "contentChanges": [{"text": "package m\n\nfunc Half() { B() }\n"}]}});
    let whole = framed(edit.to_string().as_bytes());
    for cut in [1, 10, 19, 22, whole.len() / 2, whole.len() - 1] {
        let (mut editor, mut process) = editor(&workspace);
        editor
            .open(
                &path,
                "package m\n\nfunc A() { B() }\n\nfunc B() {}\n\nfunc T() { B() }\n",
            )
            .expect("sent");
        assert_eq!(symbols(&mut editor, &path), ["A", "B", "T"]);
        assert_eq!(callers(&mut other, "m.B"), ["A", "T"]);
        editor.raw(&whole[..cut]).expect("sent");
        process.kill();
        until("its text goes", || callers(&mut other, "m.B") == ["A"]);
    }
    for cut in [1, 20, 60] {
        let (mut agent, mut process) = agent(&workspace);
        let call =
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cortex_graph"}}"#;
        agent.raw(&call.as_bytes()[..cut]).expect("sent");
        process.kill();
        assert_eq!(callers(&mut other, "m.B"), ["A"]);
    }
    assert_eq!(workspace.servers(), [server]);
}

#[test]
fn the_work_for_a_killed_agent_is_cancelled() {
    let workspace = TestWorkspace::new();
    let (mut other, _process) = agent(&workspace);
    assert_eq!(callers(&mut other, "m.B"), ["A"]);
    for _ in 0..5 {
        let (mut agent, mut process) = agent(&workspace);
        for _ in 0..200 {
            agent
                .send_call(json!({"operation": "impact", "target": "m.B", "depth": 10}))
                .expect("sent");
        }
        process.kill();
        assert_eq!(callers(&mut other, "m.B"), ["A"]);
    }
    until("they are gone", || {
        let status = workspace.run(&["serve", "--status", "--json"]);
        let status: serde_json::Value = serde_json::from_str(&status.out).expect("JSON");
        status["agents"] == 1
    });
}
