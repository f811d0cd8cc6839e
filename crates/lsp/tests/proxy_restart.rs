//! The proxy after the end of its server, with servers that each test plays itself.

#[path = "proxy/started.rs"]
mod started;

mod raw;

use std::io;

use serde_json::{Value, json};
use started::{Started, folder, params, uri};

const TEXT: &str = "package a\n\nfunc a() {}\n";

/// Returns a proxy with an opened document and its first server, which has read both.
fn with_document(folder: &tempfile::TempDir) -> (Started, raw::Client, String) {
    let mut proxy = Started::new();
    let uri = uri(folder, "sub/a.go");
    std::fs::write(folder.path().join("sub/a.go"), TEXT).unwrap();
    proxy.client.ask("initialize", params(folder));
    proxy.client.notify("initialized", json!({}));
    proxy.client.open(&uri, TEXT);
    let mut server = proxy.server();
    assert_eq!(server.read().unwrap()["method"], "initialized");
    assert_eq!(server.read().unwrap()["method"], "textDocument/didOpen");
    (proxy, server, uri)
}

/// Reads notifications up to the one that all documents are replayed; returns the method of each
/// and the text in it.
fn replayed(server: &mut raw::Client) -> Vec<(String, String)> {
    let mut all = Vec::new();
    loop {
        let message = server.read().expect("not the end");
        let method = message["method"].as_str().expect("a method").to_owned();
        if method == "$/codeweft/replayed" {
            return all;
        }
        let params = &message["params"];
        let texts = [
            &params["textDocument"]["text"],
            &params["contentChanges"][0]["text"],
        ];
        let text = texts.into_iter().find_map(Value::as_str);
        all.push((method, text.unwrap_or_default().to_owned()));
    }
}

fn expected(all: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(method, text): &(&str, &str)| ((*method).to_owned(), (*text).to_owned());
    all.iter().map(owned).collect()
}

#[test]
fn another_server_gets_the_documents_and_the_requests_without_an_answer() {
    let folder = folder();
    let (mut proxy, mut server, uri) = with_document(&folder);
    let change = |line: u32, text: &str| {
        let at = json!({"line": line, "character": 0});
        json!([{"range": {"start": at, "end": at}, "text": text}])
    };
    proxy.client.change(&uri, 2, change(2, "// \u{1d11e}\n"));
    proxy.client.change(&uri, 3, change(3, "func b() {}\n"));
    let answered = proxy.client.begin("textDocument/hover", json!({}));
    let open = proxy.client.begin("textDocument/references", json!({}));
    let cancelled = proxy.client.begin("workspace/symbol", json!({}));
    proxy
        .client
        .notify("$/cancelRequest", json!({"id": cancelled}));
    for _ in 0..6 {
        server.read().unwrap();
    }
    server.send(&json!({"jsonrpc": "2.0", "id": answered, "result": "one"}));
    assert_eq!(proxy.client.answer(answered)["result"], "one");
    server.hang_up();
    assert_eq!(proxy.client.answer(cancelled)["error"]["code"], -32800);
    let mut server = proxy.server();
    let typed = "package a\n\n// \u{1d11e}\nfunc b() {}\nfunc a() {}\n";
    assert_eq!(
        replayed(&mut server),
        expected(&[
            ("initialized", ""),
            ("textDocument/didOpen", TEXT),
            ("textDocument/didSave", ""),
            ("textDocument/didChange", typed),
        ])
    );
    let again = server.read().unwrap();
    assert_eq!(again["id"], open);
    assert_eq!(again["method"], "textDocument/references");
    server.send(&json!({"jsonrpc": "2.0", "id": open, "result": "two"}));
    assert_eq!(proxy.client.answer(open)["result"], "two");
    // What is typed while there is no server is in the text of the next one.
    let notice = json!({"textDocument": {"uri": uri}});
    proxy.client.notify("textDocument/didSave", notice.clone());
    assert_eq!(server.read().unwrap()["method"], "textDocument/didSave");
    server.hang_up();
    let mut server = proxy.server();
    assert_eq!(
        replayed(&mut server),
        expected(&[
            ("initialized", ""),
            ("textDocument/didOpen", typed),
            ("textDocument/didSave", ""),
        ])
    );
    proxy.client.notify("textDocument/didClose", notice);
    assert_eq!(server.read().unwrap()["method"], "textDocument/didClose");
    server.hang_up();
    let mut server = proxy.server();
    assert_eq!(replayed(&mut server), expected(&[("initialized", "")]));
    assert!(proxy.client.others.is_empty(), "{:?}", proxy.client.others);
}

#[test]
fn a_document_opened_with_another_text_than_the_disks_is_not_replayed_as_saved() {
    let folder = folder();
    let (mut proxy, mut server, _) = with_document(&folder);
    let new = uri(&folder, "sub/new.go");
    proxy.client.open(&new, "package a\n");
    proxy.client.open("untitled:Untitled-1", "x");
    server.read().unwrap();
    server.read().unwrap();
    server.hang_up();
    let mut server = proxy.server();
    assert_eq!(
        replayed(&mut server),
        expected(&[
            ("initialized", ""),
            ("textDocument/didOpen", TEXT),
            ("textDocument/didSave", ""),
            ("textDocument/didOpen", "package a\n"),
        ])
    );
}

#[test]
fn the_requests_of_two_servers_do_not_mix() {
    let folder = folder();
    let (mut proxy, mut server, _) = with_document(&folder);
    let register = |id: &str| {
        let registration = json!({"id": id, "method": "workspace/didChangeWatchedFiles",
            "registerOptions": {"watchers": []}});
        json!({"jsonrpc": "2.0", "id": id, "method": "client/registerCapability",
            "params": {"registrations": [registration]}})
    };
    let create = |token: &str| {
        json!({"jsonrpc": "2.0", "id": "create", "method": "window/workDoneProgress/create",
            "params": {"token": token}})
    };
    server.send(&register("first"));
    assert_eq!(proxy.client.read().unwrap()["id"], "first");
    let made = json!({"jsonrpc": "2.0", "id": "first", "result": null});
    proxy.client.send(&made);
    assert_eq!(server.read().unwrap(), made);
    server.send(&json!({"jsonrpc": "2.0", "method": "$/progress",
        "params": {"token": "t1", "value": {"kind": "begin", "title": "x"}}}));
    assert_eq!(proxy.client.read().unwrap()["method"], "$/progress");
    server.send(&create("t1"));
    assert_eq!(proxy.client.read().unwrap()["id"], "create");
    server.hang_up();
    // The progress that the first server began is ended.
    let ended = proxy.client.read().unwrap();
    assert_eq!(
        ended["params"],
        json!({"token": "t1", "value": {"kind": "end"}})
    );
    let mut server = proxy.server();
    replayed(&mut server);
    // The same registration is not made twice.
    server.send(&register("second"));
    let made = json!({"jsonrpc": "2.0", "id": "second", "result": null});
    assert_eq!(server.read().unwrap(), made);
    // A request under an id that the client has not answered to the first server gets another.
    server.send(&create("t2"));
    let asked = proxy.client.read().unwrap();
    assert_eq!(asked["params"]["token"], "t2");
    assert_ne!(asked["id"], "create");
    let answer = |id: &Value, result: &str| json!({"jsonrpc": "2.0", "id": id, "result": result});
    proxy.client.send(&answer(&json!("create"), "to the first"));
    proxy.client.send(&answer(&asked["id"], "to the second"));
    let expected = answer(&json!("create"), "to the second");
    assert_eq!(server.read().unwrap(), expected);
}

#[test]
fn a_request_under_which_two_servers_end_is_answered_with_an_error() {
    let folder = folder();
    let (mut proxy, mut server, _) = with_document(&folder);
    let id = proxy.client.begin("textDocument/hover", json!({}));
    server.read().unwrap();
    server.hang_up();
    let mut server = proxy.server();
    replayed(&mut server);
    assert_eq!(server.read().unwrap()["id"], id);
    server.hang_up();
    let refused = proxy.client.answer(id);
    assert_eq!(refused["error"]["code"], -32803, "{refused}");
    let mut server = proxy.server();
    replayed(&mut server);
    let next = proxy.client.begin("textDocument/hover", json!({}));
    assert_eq!(server.read().unwrap()["id"], next);
}

#[test]
fn requests_made_and_cancelled_while_there_is_no_server_are_answered_once() {
    let folder = folder();
    let (mut proxy, server, _) = with_document(&folder);
    server.hang_up();
    let kept = proxy.client.begin("textDocument/hover", json!({}));
    let cancelled = proxy.client.begin("textDocument/references", json!({}));
    proxy
        .client
        .notify("$/cancelRequest", json!({"id": cancelled}));
    assert_eq!(proxy.client.answer(cancelled)["error"]["code"], -32800);
    let mut server = proxy.server();
    replayed(&mut server);
    let request = server.read().unwrap();
    assert_eq!(request["id"], kept, "{request}");
    server.send(&json!({"jsonrpc": "2.0", "id": kept, "result": null}));
    proxy.client.answer(kept);
    let shutdown = proxy.client.begin("shutdown", Value::Null);
    let asked = server.read().unwrap();
    assert_eq!(asked["method"], "shutdown", "{asked}");
    // A server that ends meanwhile has done what it was asked.
    server.hang_up();
    assert_eq!(proxy.client.answer(shutdown)["result"], Value::Null);
    proxy.client.notify("exit", Value::Null);
    assert_eq!(proxy.code.join().unwrap(), 0);
}

#[test]
fn without_another_server_every_request_is_answered_and_the_reason_is_shown() {
    let folder = folder();
    let (mut proxy, mut server, _) = with_document(&folder);
    let id = proxy.client.begin("textDocument/hover", json!({}));
    server.read().unwrap();
    server.hang_up();
    proxy
        .servers
        .send(Err(io::Error::other("it ends again and again")))
        .unwrap();
    assert_eq!(proxy.client.answer(id)["error"]["code"], -32800);
    let reply = proxy.client.read().unwrap();
    let words = reply["params"]["message"].as_str().unwrap();
    assert!(words.contains("it ends again and again"), "{words}");
    assert_eq!(proxy.code.join().unwrap(), 1);
}
