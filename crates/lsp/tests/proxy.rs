//! The proxy, with a server that each test plays itself.

#[path = "proxy/started.rs"]
mod started;

mod raw;

use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread;

use codeweft_lsp::{NegotiatedCapabilities, initialize, proxy};
use raw::Client;
use serde_json::{Value, json};
use started::{Started, folder, params, uri};

#[test]
fn initialize_is_answered_before_a_server_exists_and_no_message_is_lost() {
    let folder = folder();
    let mut proxy = Started::new();
    let params = params(&folder);
    assert_eq!(
        proxy.client.refused("textDocument/hover", json!({})),
        -32002
    );
    let result = proxy.client.ask("initialize", params.clone());
    assert_eq!(result, initialize(&params).0);
    let (root, capabilities, name) = proxy.requested.recv().unwrap();
    assert_eq!(root, folder.path().canonicalize().unwrap());
    assert_eq!(capabilities, initialize(&params).1);
    assert_eq!(name, "vi");

    proxy.client.notify("initialized", json!({}));
    proxy.client.open(&uri(&folder, "a.go"), "package a\n");
    let id = proxy
        .client
        .begin("textDocument/hover", json!({"early": true}));
    let mut server = proxy.server();
    assert_eq!(server.read().unwrap()["method"], "initialized");
    assert_eq!(server.read().unwrap()["method"], "textDocument/didOpen");
    let requested = server.read().unwrap();
    assert_eq!(requested["params"]["early"], true);
    server.send(&json!({"jsonrpc": "2.0", "id": requested["id"], "result": "seen"}));
    assert_eq!(proxy.client.answer(id)["result"], "seen");

    server.send(&json!({"jsonrpc": "2.0", "id": "s", "method": "a/request"}));
    assert_eq!(proxy.client.read().unwrap()["id"], "s");
    proxy
        .client
        .send(&json!({"jsonrpc": "2.0", "id": "s", "result": 7}));
    assert_eq!(server.read().unwrap()["result"], 7);

    let id = proxy.client.begin("shutdown", Value::Null);
    assert_eq!(server.read().unwrap()["method"], "shutdown");
    server.send(&json!({"jsonrpc": "2.0", "id": id, "result": null}));
    assert_eq!(proxy.client.answer(id)["result"], Value::Null);
    proxy.client.notify("exit", Value::Null);
    assert_eq!(server.read().unwrap()["method"], "exit");
    drop(server);
    assert_eq!(proxy.code.join().unwrap(), 0);
}

#[test]
fn shutdown_and_exit_need_no_server() {
    let folder = folder();
    let mut proxy = Started::new();
    proxy.client.ask("initialize", params(&folder));
    let early = proxy.client.begin("textDocument/hover", json!({}));
    assert_eq!(proxy.client.ask("shutdown", Value::Null), Value::Null);
    assert_eq!(proxy.client.answer(early)["error"]["code"], -32800);
    assert_eq!(
        proxy.client.refused("textDocument/hover", json!({})),
        -32600
    );
    proxy.client.notify("exit", Value::Null);
    assert_eq!(proxy.code.join().unwrap(), 0);
}

#[test]
fn exit_without_shutdown_is_a_failure() {
    let folder = folder();
    let mut proxy = Started::new();
    proxy.client.ask("initialize", params(&folder));
    let mut server = proxy.server();
    proxy.client.notify("initialized", json!({}));
    assert_eq!(server.read().unwrap()["method"], "initialized");
    proxy.client.notify("exit", Value::Null);
    assert_eq!(server.read().unwrap()["method"], "exit");
    drop(server);
    assert_eq!(proxy.code.join().unwrap(), 1);

    let mut proxy = Started::new();
    proxy.client.notify("exit", Value::Null);
    assert_eq!(proxy.code.join().unwrap(), 1);
}

#[test]
fn an_editor_that_disconnects_closes_the_socket_at_once() {
    let folder = folder();
    let mut proxy = Started::new();
    proxy.client.ask("initialize", params(&folder));
    let mut server = proxy.server();
    proxy.client.begin("textDocument/hover", json!({}));
    assert_eq!(server.read().unwrap()["method"], "textDocument/hover");
    proxy.client.hang_up();
    assert_eq!(server.read(), None);
    assert_eq!(proxy.code.join().unwrap(), 1);
}

#[test]
fn a_failure_to_get_a_server_is_reported() {
    let folder = folder();
    let mut proxy = Started::new();
    proxy.client.ask("initialize", params(&folder));
    proxy
        .servers
        .send(Err(io::Error::other("no socket folder")))
        .unwrap();
    let reply = proxy.client.read().unwrap();
    let words = reply["params"]["message"].as_str().unwrap();
    assert!(words.contains("no socket folder"), "{words}");
    assert_eq!(proxy.code.join().unwrap(), 1);
}

#[test]
fn without_a_root_the_first_opened_file_names_it() {
    let folder = folder();
    let mut proxy = Started::new();
    proxy
        .client
        .ask("initialize", json!({"capabilities": {}, "rootUri": null}));
    proxy.client.notify("initialized", json!({}));
    let nothing = proxy.client.ask("workspace/symbol", json!({"query": "a"}));
    assert_eq!(nothing, Value::Null);
    proxy.client.open("untitled:Untitled-1", "x");
    proxy.client.open(&uri(&folder, "sub/a.go"), "package a\n");
    let (root, ..) = proxy.requested.recv().unwrap();
    assert_eq!(root, folder.path().canonicalize().unwrap());
    let mut server = proxy.server();
    assert_eq!(server.read().unwrap()["method"], "initialized");
    let untitled = server.read().unwrap();
    assert_eq!(
        untitled["params"]["textDocument"]["uri"],
        "untitled:Untitled-1"
    );
    let opened = server.read().unwrap();
    assert_eq!(
        opened["params"]["textDocument"]["uri"],
        uri(&folder, "sub/a.go")
    );
}

#[test]
fn a_root_given_by_the_user_is_used_unchanged() {
    let folder = folder();
    let other = tempfile::tempdir().unwrap();
    let mut proxy = Started::with(Some(folder.path().join("sub")));
    proxy.client.ask("initialize", params(&other));
    let (root, ..) = proxy.requested.recv().unwrap();
    assert_eq!(root, folder.path().canonicalize().unwrap().join("sub"));
}

#[test]
fn an_invalid_frame_ends_the_proxy_with_an_error() {
    let folder = folder();
    let mut proxy = Started::new();
    proxy.client.write(b"Content-Length: 2\r\n\r\n[]");
    assert_eq!(proxy.client.answer(Value::Null)["error"]["code"], -32600);
    proxy.client.ask("initialize", params(&folder));
    let mut server = proxy.server();
    proxy.client.notify("initialized", json!({}));
    assert_eq!(server.read().unwrap()["method"], "initialized");
    proxy.client.write(b"Content-Length: 1000000000000\r\n\r\n");
    assert_eq!(proxy.client.answer(Value::Null)["error"]["code"], -32700);
    assert_eq!(server.read(), None);
    assert_eq!(proxy.code.join().unwrap(), 1);
}

#[test]
fn with_a_server_in_the_same_process_the_proxy_is_a_whole_language_server() {
    let folder = folder();
    let text = "package w\n\nfunc a() {}\n";
    std::fs::write(folder.path().join("a.go"), text).unwrap();
    let (ours, theirs) = UnixStream::pair().unwrap();
    let connect = |root: &Path, capabilities: &NegotiatedCapabilities, name: &str| {
        let host = raw::start(root);
        let (near, far) = UnixStream::pair()?;
        let (capabilities, name) = (capabilities.clone(), name.to_owned());
        thread::spawn(move || codeweft_lsp::serve_stream(&host, &capabilities, &name, far, &|| {}));
        Ok(near)
    };
    let code = thread::spawn(move || {
        let output = theirs.try_clone().unwrap();
        proxy::run(theirs, output, None, connect, |_| {})
    });
    let mut client = Client::new(ours);
    client.ask("initialize", params(&folder));
    client.notify("initialized", json!({}));
    let uri = uri(&folder, "a.go");
    client.open(&uri, text);
    client.change(
        &uri,
        2,
        json!([{"text": format!("{text}func b() {{ a() }}\n")}]),
    );
    let items = client.ask("textDocument/prepareCallHierarchy", raw::at(&uri, 2, 5));
    let calls = client.ask("callHierarchy/incomingCalls", json!({"item": items[0]}));
    assert_eq!(raw::rows(&calls), ["b a.go:4:5 at 4:11"]);
    assert_eq!(client.ask("shutdown", Value::Null), Value::Null);
    client.notify("exit", Value::Null);
    assert_eq!(code.join().unwrap(), 0);
}
