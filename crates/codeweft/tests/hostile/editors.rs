//! Invalid messages to the LSP frontend, and messages with impossible contents.

use std::fs;

use codeweft_testing::clients::Editor;
use serde_json::{Value, json};

use crate::clients::{
    agent, callers, editor, framed, names, new_editor, refused, resident, start, symbols,
};
use crate::workspace::{LONG, TestWorkspace};

const PARSE: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const NOT_INITIALIZED: i64 = -32002;

/// Returns the path of the small workspace's only file.
fn file(workspace: &TestWorkspace) -> String {
    format!("{}/a.go", workspace.root())
}

/// Asserts that the server still answers this client correctly.
fn is_served(editor: &mut Editor, workspace: &TestWorkspace) {
    assert_eq!(symbols(editor, &file(workspace)), ["A", "B"]);
}

#[test]
fn an_impossible_length_or_an_endless_header_ends_only_that_client() {
    let workspace = TestWorkspace::new();
    let (mut other, _process) = agent(&workspace);
    assert_eq!(callers(&mut other, "m.B"), ["A"]);
    let server = workspace.server().0;
    let long = vec![b'a'; 1 << 20];
    for bytes in [&b"Content-Length: 1000000000000\r\n\r\n{}"[..], &long] {
        let (mut editor, mut process) = editor(&workspace);
        is_served(&mut editor, &workspace);
        let before = [process.pid(), server].map(|pid| resident(pid).expect("it lives"));
        // It may end before it has read everything.
        let _ = editor.raw(bytes);
        let answer = editor.complaint(LONG).expect("answered");
        assert_eq!(answer["error"]["code"], PARSE, "{answer}");
        assert_eq!(process.code(), Some(1));
        let grown = resident(server)
            .expect("it lives")
            .saturating_sub(before[1]);
        assert!(grown < 8 << 20, "the server grew by {grown} bytes");
        assert_eq!(callers(&mut other, "m.B"), ["A"]);
    }
}

#[test]
fn invalid_json_is_refused_and_the_next_request_is_answered() {
    let workspace = TestWorkspace::new();
    let (mut editor, _process) = editor(&workspace);
    is_served(&mut editor, &workspace);
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":7000,"method":"textDocument/hover","params":{}"#,
        r#"{"a":"#.repeat(100_000)
    );
    let arrays = "[".repeat(100_000);
    for content in [
        deep.as_bytes(),
        arrays.as_bytes(),
        b"{\"jsonrpc\":\"2.0\",\"id\":7001,\"method\":\"\xff\"}",
        b"",
        b"{",
        b"\0\0\0\0",
    ] {
        editor.raw(&framed(content)).expect("sent");
        let answer = editor.complaint(LONG).expect("answered");
        assert_eq!(answer["error"]["code"], PARSE, "{answer}");
        is_served(&mut editor, &workspace);
    }
    // Messages that are JSON, but none of the protocol's.
    for content in [
        "[]",
        "[{\"id\":1}]",
        "7",
        "null",
        "{}",
        r#"{"id":null,"method":"a"}"#,
    ] {
        editor.raw(&framed(content.as_bytes())).expect("sent");
        let answer = editor.complaint(LONG).expect("answered");
        assert_eq!(
            answer["error"]["code"], INVALID_REQUEST,
            "{content}: {answer}"
        );
        is_served(&mut editor, &workspace);
    }
}

#[test]
fn a_message_with_a_million_keys_is_parsed_and_freed() {
    let workspace = TestWorkspace::new();
    let (mut editor, _process) = editor(&workspace);
    is_served(&mut editor, &workspace);
    let keys: Vec<String> = (0..1_000_000).map(|key| format!(r#""{key}":0"#)).collect();
    let keys = keys.join(",");
    let content = format!(
        r#"{{"jsonrpc":"2.0","id":7000,"method":"textDocument/hover","params":{{{keys}}}}}"#
    );
    editor.raw(&framed(content.as_bytes())).expect("sent");
    let answer = editor.answer(7000, LONG).expect("answered").message;
    assert_eq!(answer["error"]["code"], INVALID_PARAMS);
    is_served(&mut editor, &workspace);
}

#[test]
fn before_initialize_requests_are_refused_and_notifications_pass() {
    let workspace = TestWorkspace::new();
    let (mut editor, _process) = new_editor(&workspace);
    let at = Editor::at(&file(&workspace), 0, 0);
    for method in [
        "textDocument/hover",
        "shutdown",
        "workspace/symbol",
        "nobody/knows",
    ] {
        assert_eq!(refused(&mut editor, method, at.clone()), NOT_INITIALIZED);
    }
    editor.open(&file(&workspace), "package m").expect("sent");
    editor
        .initialize(workspace.root(), &["utf-8"])
        .expect("answered");
    // The documents that these messages opened are not open.
    is_served(&mut editor, &workspace);
    let again = json!({"capabilities": {}});
    assert_eq!(refused(&mut editor, "initialize", again), INVALID_REQUEST);
    is_served(&mut editor, &workspace);
}

#[test]
fn an_editor_with_few_initialize_params_is_served() {
    for params in [
        json!({"rootUri": null, "capabilities": {}}),
        json!({"capabilities": null, "rootUri": 7, "workspaceFolders": [{}, 3]}),
        json!({}),
        Value::Null,
    ] {
        let workspace = TestWorkspace::new();
        // Without a root from the user: the first opened file names it.
        let mut command = workspace.site.command(&["lsp"]);
        command.env("GOROOT", crate::fixture::fixture("goroot-small"));
        let (output, input, _process) = start(command);
        let mut editor = Editor::over(output, input);
        editor.ask("initialize", params.clone()).expect("answered");
        editor.notify("initialized", json!({})).expect("sent");
        let text = fs::read_to_string(file(&workspace)).expect("there");
        editor.open(&file(&workspace), &text).expect("sent");
        assert_eq!(
            symbols(&mut editor, &file(&workspace)),
            ["A", "B"],
            "{params}"
        );
    }
}

#[test]
fn unknown_requests_are_refused_and_unknown_notifications_ignored() {
    let workspace = TestWorkspace::new();
    let (mut editor, _process) = editor(&workspace);
    for method in [
        "textDocument/formatting",
        "$/nobody",
        "",
        "textDocument/didOpen",
        &"x".repeat(100_000),
    ] {
        assert_eq!(refused(&mut editor, method, json!([])), METHOD_NOT_FOUND);
        editor
            .notify(method, json!([1, {"a": null}]))
            .expect("sent");
    }
    for method in [
        "textDocument/hover",
        "callHierarchy/incomingCalls",
        "workspace/executeCommand",
    ] {
        for params in [
            json!(null),
            json!([]),
            json!("x"),
            json!({"textDocument": {"uri": 3}}),
        ] {
            assert_eq!(
                refused(&mut editor, method, params),
                INVALID_PARAMS,
                "{method}"
            );
        }
    }
    is_served(&mut editor, &workspace);
}

#[test]
fn items_with_forged_data_resolve_to_no_symbol() {
    let workspace = TestWorkspace::new();
    let (mut editor, _process) = editor(&workspace);
    let prepared = editor.ask(
        "textDocument/prepareCallHierarchy",
        Editor::at(&file(&workspace), 4, 5),
    );
    let item = prepared.expect("answered")[0].clone();
    assert_eq!(item["name"], "B");
    let data = item["data"].to_string();
    let mut forged = vec![
        json!(null),
        json!(7),
        json!([]),
        json!({}),
        json!({"id": {"id": "m.B"}}),
        json!("m.B"),
        json!("\u{0}"),
        json!("../../../etc/passwd"),
        json!("x".repeat(1_000_000)),
    ];
    // Each byte of the valid data, changed.
    for at in 0..data.len() {
        for byte in [b'0', b'"', b'.', b'/', 0x7f] {
            let mut bytes = data.clone().into_bytes();
            bytes[at] = byte;
            forged.extend(serde_json::from_slice::<Value>(&bytes).ok());
        }
    }
    assert!(forged.len() > 20);
    for data in forged {
        for method in [
            "callHierarchy/incomingCalls",
            "callHierarchy/outgoingCalls",
            "typeHierarchy/supertypes",
            "typeHierarchy/subtypes",
        ] {
            let mut item = item.clone();
            item["data"] = data.clone();
            let id = editor.send(method, json!({"item": item})).expect("sent");
            let answer = editor.answer(id, LONG).expect("answered").message;
            let code = answer["error"]["code"].as_i64();
            let nothing = answer["result"].is_null() || answer["result"] == json!([]);
            let true_one = data == item["data"] || answer["result"][0]["from"]["name"] == "A";
            assert!(
                code == Some(INVALID_PARAMS) || code.is_none() && (nothing || true_one),
                "{method} {data}: {answer}"
            );
        }
    }
    is_served(&mut editor, &workspace);
}

#[test]
fn positions_after_the_end_are_clamped() {
    let workspace = TestWorkspace::new();
    let (mut editor, _process) = editor(&workspace);
    let path = file(&workspace);
    let text = fs::read_to_string(&path).expect("there");
    for most in [1_000, u32::MAX / 2, i32::MAX as u32, u32::MAX] {
        editor.open(&path, &text).expect("sent");
        let end = (most, most);
        editor
            .edit(&path, (end, end), "func C() {}\n")
            .expect("sent");
        assert_eq!(symbols(&mut editor, &path), ["A", "B", "C"], "{most}");
        // A column after the end of a line means its end.
        editor
            .edit(&path, ((0, most), (0, most)), "\n\nvar D int")
            .expect("sent");
        assert_eq!(symbols(&mut editor, &path), ["D", "A", "B", "C"], "{most}");
        for method in [
            "textDocument/hover",
            "textDocument/definition",
            "textDocument/references",
        ] {
            let mut params = Editor::at(&path, most, most);
            params["context"] = json!({"includeDeclaration": true});
            let answer = editor.ask(method, params).expect("answered");
            assert!(
                answer.is_null() || answer == json!([]),
                "{method}: {answer}"
            );
        }
        // A range whose end precedes its start is swapped or refused.
        editor.edit(&path, ((most, 0), (0, 0)), "").expect("sent");
        symbols(&mut editor, &path);
        editor.close(&path).expect("sent");
        is_served(&mut editor, &workspace);
    }
}

#[test]
fn edits_of_closed_documents_and_jumping_versions_are_harmless() {
    let workspace = TestWorkspace::new();
    let (mut editor, _process) = editor(&workspace);
    let path = file(&workspace);
    let uri = format!("file://{path}");
    let text = fs::read_to_string(&path).expect("there");
    // Closed without having been opened.
    editor.close(&path).expect("sent");
    editor.edit(&path, ((0, 0), (4, 0)), "").expect("sent");
    is_served(&mut editor, &workspace);
    editor.open(&path, &text).expect("sent");
    editor.close(&path).expect("sent");
    editor.close(&path).expect("sent");
    editor.edit(&path, ((0, 0), (4, 0)), "").expect("sent");
    is_served(&mut editor, &workspace);
    // Opened twice: the later text holds.
    editor
        .open(&path, "package m\n\nfunc Once() {}\n")
        .expect("sent");
    editor
        .open(&path, "package m\n\nfunc Twice() {}\n")
        .expect("sent");
    assert_eq!(symbols(&mut editor, &path), ["Twice"]);
    editor
        .edit(&path, ((2, 5), (2, 10)), "Thrice")
        .expect("sent");
    assert_eq!(symbols(&mut editor, &path), ["Thrice"]);
    // Versions that jump, repeat and decrease: the edits apply in order of arrival.
    for (version, from, to) in [
        (i32::MAX, "Thrice", "V1"),
        (7, "V1", "V2"),
        (7, "V2", "V3"),
        (-1, "V3", "V4"),
    ] {
        let end = 5 + from.len();
        let range =
            json!({"start": {"line": 2, "character": 5}, "end": {"line": 2, "character": end}});
        let params = json!({
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"range": range, "text": to}],
        });
        editor
            .notify("textDocument/didChange", params)
            .expect("sent");
        assert_eq!(symbols(&mut editor, &path), [to], "version {version}");
    }
    // One close suffices for two opens.
    editor.close(&path).expect("sent");
    is_served(&mut editor, &workspace);
}

#[test]
fn uris_outside_the_workspace_reveal_nothing() {
    let workspace = TestWorkspace::new();
    let outside = workspace.site.root().with_file_name("canary.go");
    fs::write(&outside, "package canary\n\nfunc CanarySings() {}\n").expect("written");
    std::os::unix::fs::symlink(&outside, workspace.site.root().join("link.go")).expect("linked");
    let (mut editor, _process) = editor(&workspace);
    is_served(&mut editor, &workspace);
    let root = workspace.root();
    let mut answers = String::new();
    let uris = [
        format!("file://{root}/../canary.go"),
        format!("file://{root}/./%2e%2e/canary.go"),
        format!("file://{root}/%2e%2e%2fcanary.go"),
        format!("file://{}", outside.display()),
        format!("file://{root}/link.go"),
        format!("file://{root}/a.go%00.go"),
        format!("file://host{root}/a.go"),
        "file://host/".to_owned(),
        "file://".to_owned(),
        "file:///".to_owned(),
        "file:///dev/zero".to_owned(),
        "file:///proc/self/mem".to_owned(),
        "untitled:Untitled-1".to_owned(),
        String::new(),
        format!("file:///{}", "a/".repeat(40_000)),
    ];
    for uri in &uris {
        let document = json!({"uri": uri});
        for (method, position) in [
            (
                "textDocument/documentSymbol",
                json!({"line": 0, "character": 0}),
            ),
            ("textDocument/hover", json!({"line": 2, "character": 6})),
            (
                "textDocument/prepareCallHierarchy",
                json!({"line": 2, "character": 6}),
            ),
            (
                "textDocument/definition",
                json!({"line": 2, "character": 6}),
            ),
        ] {
            let params = json!({"textDocument": document, "position": position});
            let answer = editor.ask(method, params).expect("answered");
            answers.push_str(&answer.to_string());
        }
        // The reported file cannot be read from disk any more.
        let changed = json!({"changes": [{"uri": uri, "type": 1}]});
        editor
            .notify("workspace/didChangeWatchedFiles", changed)
            .expect("sent");
    }
    let found = editor.ask("workspace/symbol", json!({"query": "CanarySings"}));
    answers.push_str(&found.expect("answered").to_string());
    let (mut agent, _other) = agent(&workspace);
    for target in [
        "canary.CanarySings",
        "CanarySings",
        "../canary.go:3",
        "link.go:3",
        "/canary.go",
        "a.go\u{0}:3",
    ] {
        for field in ["target", "to"] {
            let mut ask = json!({"operation": "callers", "target": "m.B", "context_lines": 3});
            ask[field] = json!(target);
            let reply = agent.call(ask).expect("answered");
            answers.push_str(&reply.text.replace(target, ""));
            assert_eq!(
                names(&reply.structured).len(),
                usize::from(!reply.error),
                "{target}"
            );
        }
    }
    assert!(!answers.contains("CanarySings"), "{answers}");
    is_served(&mut editor, &workspace);
}
