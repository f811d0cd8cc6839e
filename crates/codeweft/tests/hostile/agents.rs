//! Invalid lines to the MCP frontend, and requests for what does not exist.

use codeweft_testing::clients::Agent;
use serde_json::{Value, json};

use crate::clients::{agent, callers, new_agent, resident};
use crate::workspace::{LONG, TestWorkspace};

/// Returns the message without an id with which the server answers an unreadable line.
fn complaint(agent: &mut Agent) -> Value {
    let mut reply = Vec::new();
    // On a busy machine the answer of the next query may come before it.
    for _ in 0..20 {
        assert_eq!(callers(agent, "m.B"), ["A"]);
        reply.append(&mut agent.notifications);
        reply.extend(agent.unasked());
        if !reply.is_empty() {
            break;
        }
    }
    let complaint = reply.pop().expect("nothing was said of it");
    assert_eq!(reply, [Value::Null; 0]);
    complaint
}

#[test]
fn a_line_of_more_than_four_mebibytes_is_refused_and_the_next_is_read() {
    let workspace = TestWorkspace::new();
    let (mut agent, process) = agent(&workspace);
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
    let server = workspace.server().0;
    let before = [process.pid(), server].map(|pid| resident(pid).expect("it lives"));
    let target = "x".repeat(4 << 20);
    let call = json!({"jsonrpc": "2.0", "id": 7000, "method": "tools/call", "params": {
        "name": "cortex_graph", "arguments": {"operation": "callers", "target": target}}});
    for line in [format!("{call}\n"), format!("{}\n", "[".repeat(64 << 20))] {
        agent.raw(line.as_bytes()).expect("sent");
        let complaint = complaint(&mut agent);
        assert_eq!(complaint["error"]["code"], -32600, "{complaint}");
    }
    for (pid, before) in [process.pid(), server].into_iter().zip(before) {
        let grown = resident(pid).expect("it lives").saturating_sub(before);
        assert!(grown < 16 << 20, "{grown} bytes");
    }
}

#[test]
fn invalid_json_is_an_error_and_the_next_line_is_answered() {
    let workspace = TestWorkspace::new();
    let (mut agent, _process) = agent(&workspace);
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
    let keys: Vec<String> = (0..300_000).map(|key| format!(r#""{key}":0"#)).collect();
    let keys = format!("{{{}", keys.join(","));
    let deep = "[".repeat(100_000);
    let deeper = format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}"#,
        r#"{"a":"#.repeat(100_000)
    );
    for line in [
        &b"{"[..],
        b"}",
        b"callers m.B",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}",
        b"\0",
        keys.as_bytes(),
        deep.as_bytes(),
        deeper.as_bytes(),
    ] {
        agent.raw(&[line, b"\n"].concat()).expect("sent");
        let complaint = complaint(&mut agent);
        assert_eq!(complaint["error"]["code"], -32700, "{complaint}");
    }
}

#[test]
fn a_batch_is_refused_and_the_next_line_is_answered() {
    let workspace = TestWorkspace::new();
    let (mut agent, _process) = agent(&workspace);
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
    let one = json!({"jsonrpc": "2.0", "id": 7000, "method": "ping"});
    for line in [
        json!([one, one]),
        json!([]),
        json!(7),
        json!("ping"),
        json!(null),
    ] {
        agent.raw(format!("{line}\n").as_bytes()).expect("sent");
        let complaint = complaint(&mut agent);
        let code = complaint["error"]["code"].as_i64();
        assert!(
            code == Some(-32600) || code == Some(-32700),
            "{line}: {complaint}"
        );
    }
}

#[test]
fn unknown_tools_methods_and_fields_and_wrong_types_are_reported() {
    let workspace = TestWorkspace::new();
    let (mut agent, _process) = agent(&workspace);
    for (method, params, expected) in [
        ("tools/call", json!({"name": "rm", "arguments": {}}), -32602),
        ("tools/call", json!({"name": 7}), -32602),
        ("tools/call", json!({}), -32602),
        (
            "tools/call",
            json!({"name": "cortex_graph", "arguments": []}),
            -32602,
        ),
        ("tools/call", json!([]), -32602),
        ("nobody/knows", json!({}), -32601),
    ] {
        let id = agent.send(method, params.clone()).expect("sent");
        let answer = agent.answer(id, LONG).expect("answered").message;
        let code = answer["error"]["code"].as_i64().unwrap_or_default();
        assert!(
            [expected, -32601].contains(&code),
            "{method} {params}: {answer}"
        );
    }
    for arguments in [
        json!({}),
        json!({"operation": "callers"}),
        json!({"operation": "rm -rf", "target": "m.B"}),
        json!({"operation": 7, "target": "m.B"}),
        json!({"operation": "callers", "target": ["m.B"]}),
        json!({"operation": "callers", "target": "m.B", "depth": -1}),
        json!({"operation": "callers", "target": "m.B", "depth": 1e300}),
        json!({"operation": "callers", "target": "m.B", "max_results": u64::MAX}),
        json!({"operation": "callers", "target": "m.B", "include_tests": "yes"}),
        json!({"operation": "callers", "target": "m.B", "disk": true}),
        json!({"operation": "callers", "target": "m.B", "nobody": {"knows": []}}),
        json!({"operation": "path", "target": "m.A"}),
    ] {
        let reply = agent.call(arguments.clone()).expect("answered");
        assert!(reply.error, "{arguments}: {}", reply.text);
        assert_eq!(
            reply.structured["error_type"], "invalid_request",
            "{arguments}"
        );
        // The error is a sentence, not a debug print.
        assert!(reply.text.len() > 20, "{arguments}: {}", reply.text);
    }
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
}

#[test]
fn a_call_before_initialize_is_harmless() {
    let workspace = TestWorkspace::new();
    let (mut agent, _process) = new_agent(&workspace);
    let id = agent
        .send_call(json!({"operation": "callers", "target": "m.B"}))
        .expect("sent");
    let answer = agent.answer(id, LONG).expect("answered").message;
    assert!(answer.get("error").is_some(), "{answer}");
    agent.initialize().expect("answered");
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
}

#[test]
fn two_requests_with_one_id_are_answered_and_the_session_continues() {
    let workspace = TestWorkspace::new();
    let (mut agent, _process) = agent(&workspace);
    let call = json!({"jsonrpc": "2.0", "id": "same", "method": "tools/call", "params": {
        "name": "cortex_graph", "arguments": {"operation": "callers", "target": "m.B"}}});
    agent
        .raw(format!("{call}\n{call}\n{call}\n").as_bytes())
        .expect("sent");
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
}
