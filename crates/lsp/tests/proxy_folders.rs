//! The proxy with several workspace folders, each with a server that the test plays itself.

#[path = "proxy/started.rs"]
mod started;

mod raw;

use std::io;

use serde_json::{Value, json};
use started::{Started, folder, uri};

/// A proxy of two folders, whose servers are connected and have read what came first.
struct TwoFolders {
    proxy: Started,
    a: tempfile::TempDir,
    b: tempfile::TempDir,
    first: raw::Client,
    second: raw::Client,
}

fn workspace_folder(folder: &tempfile::TempDir) -> Value {
    json!({"uri": uri(folder, ""), "name": "w"})
}

fn request(id: &str, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn result(id: impl Into<Value>, result: impl Into<Value>) -> Value {
    let (id, result): (Value, Value) = (id.into(), result.into());
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

impl TwoFolders {
    fn new() -> TwoFolders {
        let (a, b) = (folder(), folder());
        let mut proxy = Started::new();
        let folders = [workspace_folder(&a), workspace_folder(&b)];
        let params = json!({"capabilities": {}, "workspaceFolders": folders});
        let answer = proxy.client.ask("initialize", params);
        let offered = &answer["capabilities"]["workspace"]["workspaceFolders"];
        assert_eq!(
            *offered,
            json!({"supported": true, "changeNotifications": true})
        );
        proxy.client.notify("initialized", json!({}));
        let mut first = proxy.server();
        assert_eq!(first.read().unwrap()["method"], "initialized");
        let (root, ..) = proxy.requested.recv().unwrap();
        assert_eq!(root, a.path().canonicalize().unwrap());
        // Nothing is asked of the second folder yet.
        proxy.client.open(&uri(&a, "a.go"), "package a\n");
        assert_eq!(first.read().unwrap()["method"], "textDocument/didOpen");
        assert!(proxy.requested.try_recv().is_err());
        proxy.client.open(&uri(&b, "b.go"), "package b\n");
        let (root, ..) = proxy.requested.recv().unwrap();
        assert_eq!(root, b.path().canonicalize().unwrap());
        let mut second = proxy.server();
        assert_eq!(second.read().unwrap()["method"], "initialized");
        let opened = second.read().unwrap();
        assert_eq!(opened["params"]["textDocument"]["uri"], uri(&b, "b.go"));
        TwoFolders {
            proxy,
            a,
            b,
            first,
            second,
        }
    }

    fn begin(&mut self, method: &str, uri: &str) -> i32 {
        let params = json!({"textDocument": {"uri": uri}});
        self.proxy.client.begin(method, params)
    }
}

#[test]
fn a_message_goes_to_the_server_of_its_document() {
    let mut two = TwoFolders::new();
    let (in_a, in_b) = (uri(&two.a, "a.go"), uri(&two.b, "sub/other.go"));
    let id = two.begin("textDocument/hover", &in_b);
    assert_eq!(two.second.read().unwrap()["id"], id);
    two.second.send(&result(id, "from b"));
    assert_eq!(two.proxy.client.answer(id)["result"], "from b");
    two.proxy.client.change(&in_a, 2, json!([{"text": "x"}]));
    assert_eq!(
        two.first.read().unwrap()["params"]["textDocument"]["uri"],
        in_a
    );
    // Of no folder: the first.
    let library = "file:///nowhere/x.go";
    let id = two.begin("textDocument/hover", library);
    assert_eq!(two.first.read().unwrap()["id"], id);
    // Where a definition led there, the server that found it.
    let id = two.begin("textDocument/definition", &in_b);
    assert_eq!(two.second.read().unwrap()["id"], id);
    two.second.send(&result(id, json!([{"uri": library}])));
    two.proxy.client.answer(id);
    let id = two.begin("textDocument/hover", library);
    assert_eq!(two.second.read().unwrap()["id"], id);
    let arguments = json!([{"target": "x", "textDocument": {"uri": in_b}}]);
    let params = json!({"command": "codeweft.impact", "arguments": arguments});
    let id = two.proxy.client.begin("workspace/executeCommand", params);
    assert_eq!(two.second.read().unwrap()["id"], id);
    let params = json!({"command": "codeweft.impact", "arguments": [{"target": "x"}]});
    let id = two.proxy.client.begin("workspace/executeCommand", params);
    assert_eq!(two.first.read().unwrap()["id"], id);
    // A cancellation follows its request, another notification goes to all.
    let id = two.begin("textDocument/references", &in_b);
    two.proxy
        .client
        .notify("$/cancelRequest", json!({"id": id}));
    assert_eq!(two.second.read().unwrap()["id"], id);
    assert_eq!(two.second.read().unwrap()["method"], "$/cancelRequest");
    two.proxy
        .client
        .notify("$/setTrace", json!({"value": "off"}));
    assert_eq!(two.first.read().unwrap()["method"], "$/setTrace");
    assert_eq!(two.second.read().unwrap()["method"], "$/setTrace");
}

#[test]
fn an_item_goes_to_the_server_that_made_it_else_to_that_of_its_file() {
    let mut two = TwoFolders::new();
    let in_b = uri(&two.b, "b.go");
    let id = two.begin("textDocument/prepareCallHierarchy", &in_b);
    assert_eq!(two.second.read().unwrap()["id"], id);
    let library = "file:///lib/x.go";
    let item = |instance: &str, uri: &str| json!({"uri": uri, "data": {"instance": instance}});
    two.second
        .send(&result(id, json!([item("0000000b", library)])));
    two.proxy.client.answer(id);
    let mut ask = |item: Value| {
        let client = &mut two.proxy.client;
        client.begin("callHierarchy/incomingCalls", json!({"item": item}))
    };
    let id = ask(item("0000000b", library));
    assert_eq!(two.second.read().unwrap()["id"], id);
    let id = ask(item("unknown", &in_b));
    assert_eq!(two.second.read().unwrap()["id"], id);
    let id = ask(item("unknown", library));
    assert_eq!(two.first.read().unwrap()["id"], id);
}

#[test]
fn symbols_of_all_folders_are_one_answer() {
    let mut two = TwoFolders::new();
    let ask = |two: &mut TwoFolders| {
        let params = json!({"query": "x"});
        let id = two.proxy.client.begin("workspace/symbol", params);
        assert_eq!(two.first.read().unwrap()["id"], id);
        assert_eq!(two.second.read().unwrap()["id"], id);
        id
    };
    let id = ask(&mut two);
    two.second.send(&result(id, json!(["b"])));
    two.first.send(&result(id, json!(["a1", "a2"])));
    let answer = two.proxy.client.answer(id);
    assert_eq!(answer["result"], json!(["a1", "a2", "b"]));
    // What one server knows is not lost with another's error.
    let failed = |id: i32| {
        let error = json!({"code": -32803, "message": "no"});
        json!({"jsonrpc": "2.0", "id": id, "error": error})
    };
    let id = ask(&mut two);
    two.first.send(&failed(id));
    two.second.send(&result(id, json!(["b"])));
    assert_eq!(two.proxy.client.answer(id)["result"], json!(["b"]));
    let id = ask(&mut two);
    two.first.send(&failed(id));
    two.second.send(&failed(id));
    assert_eq!(two.proxy.client.answer(id)["error"]["code"], -32803);
    // The second ends: its next process is asked again, and the answer has both.
    let id = ask(&mut two);
    two.first.send(&result(id, json!(["a"])));
    two.second.hang_up();
    let mut second = two.proxy.server();
    let asked = loop {
        let message = second.read().unwrap();
        if message["method"] == "workspace/symbol" {
            break message;
        }
    };
    assert_eq!(asked["id"], id);
    second.send(&result(id, json!(["b"])));
    assert_eq!(two.proxy.client.answer(id)["result"], json!(["a", "b"]));
    assert!(two.proxy.client.others.is_empty());
}

#[test]
fn the_requests_and_the_progress_of_two_servers_do_not_mix() {
    let mut two = TwoFolders::new();
    let create = request(
        "create",
        "window/workDoneProgress/create",
        json!({"token": "t"}),
    );
    two.first.send(&create);
    let of_first = two.proxy.client.read().unwrap();
    two.second.send(&create);
    let of_second = two.proxy.client.read().unwrap();
    assert_eq!(of_first, create);
    assert_ne!(of_second["id"], of_first["id"]);
    let token = &of_second["params"]["token"];
    assert_ne!(*token, of_first["params"]["token"]);
    let id = of_second["id"].clone();
    two.proxy.client.send(&result(id, "to the second"));
    two.proxy.client.send(&result("create", "to the first"));
    assert_eq!(
        two.second.read().unwrap(),
        result("create", "to the second")
    );
    assert_eq!(two.first.read().unwrap(), result("create", "to the first"));
    let begin = json!({"jsonrpc": "2.0", "method": "$/progress",
        "params": {"token": "t", "value": {"kind": "begin", "title": "x"}}});
    two.second.send(&begin);
    assert_eq!(two.proxy.client.read().unwrap()["params"]["token"], *token);
    // One registration is enough.
    let registration = json!({"id": "r", "method": "workspace/didChangeWatchedFiles",
        "registerOptions": {"watchers": []}});
    let register = request(
        "register",
        "client/registerCapability",
        json!({"registrations": [registration]}),
    );
    two.first.send(&register);
    assert_eq!(two.proxy.client.read().unwrap()["id"], "register");
    two.second.send(&register);
    assert_eq!(two.second.read().unwrap(), result("register", Value::Null));
    // The end of the second ends the progress that it had begun.
    two.second.hang_up();
    let ended = two.proxy.client.read().unwrap();
    assert_eq!(
        ended["params"],
        json!({"token": token, "value": {"kind": "end"}})
    );
}

#[test]
fn changed_files_are_told_to_the_servers_around_them() {
    let mut two = TwoFolders::new();
    let changed = |two: &mut TwoFolders, uris: &[String]| {
        let changes: Vec<Value> = uris
            .iter()
            .map(|uri| json!({"uri": uri, "type": 2}))
            .collect();
        let params = json!({"changes": changes});
        let client = &mut two.proxy.client;
        client.notify("workspace/didChangeWatchedFiles", params);
    };
    let (in_a, in_b) = (uri(&two.a, "x.go"), uri(&two.b, "y.go"));
    let uris = |message: Value| message["params"]["changes"].as_array().unwrap().len();
    changed(&mut two, std::slice::from_ref(&in_b));
    assert_eq!(uris(two.second.read().unwrap()), 1);
    changed(&mut two, &[in_a, in_b, "file:///nowhere/z.go".to_owned()]);
    assert_eq!(uris(two.first.read().unwrap()), 3);
    assert_eq!(uris(two.second.read().unwrap()), 3);
}

#[test]
fn a_removed_folder_closes_its_connection_and_its_documents_go_on_elsewhere() {
    let mut two = TwoFolders::new();
    let in_b = uri(&two.b, "b.go");
    let waits = two.begin("textDocument/hover", &in_b);
    assert_eq!(two.second.read().unwrap()["id"], waits);
    let both = two
        .proxy
        .client
        .begin("workspace/symbol", json!({"query": "x"}));
    two.first.read().unwrap();
    two.first.send(&result(both, json!(["a"])));
    let change =
        |added: &[Value], removed: &[Value]| json!({"event": {"added": added, "removed": removed}});
    let folder = workspace_folder(&two.b);
    two.proxy.client.notify(
        "workspace/didChangeWorkspaceFolders",
        change(&[], std::slice::from_ref(&folder)),
    );
    assert_eq!(two.proxy.client.answer(waits)["error"]["code"], -32800);
    assert_eq!(two.proxy.client.answer(both)["result"], json!(["a"]));
    while let Some(message) = two.second.read() {
        assert_eq!(message["method"], "workspace/symbol");
    }
    let moved = two.first.read().unwrap();
    assert_eq!(moved["method"], "textDocument/didOpen");
    assert_eq!(moved["params"]["textDocument"]["uri"], in_b);
    let id = two.begin("textDocument/hover", &in_b);
    assert_eq!(two.first.read().unwrap()["id"], id);
    // Added again, it gets the document, and the first server loses it.
    two.proxy.client.notify(
        "workspace/didChangeWorkspaceFolders",
        change(&[folder], &[]),
    );
    let closed = two.first.read().unwrap();
    assert_eq!(closed["method"], "textDocument/didClose");
    let mut second = two.proxy.server();
    assert_eq!(second.read().unwrap()["method"], "initialized");
    let opened = second.read().unwrap();
    assert_eq!(opened["params"]["textDocument"]["uri"], in_b);
}

#[test]
fn without_a_server_for_one_folder_the_other_is_served() {
    let (a, b) = (folder(), folder());
    let mut proxy = Started::new();
    let folders = [workspace_folder(&a), workspace_folder(&b)];
    let params = json!({"capabilities": {}, "workspaceFolders": folders});
    proxy.client.ask("initialize", params);
    proxy.client.notify("initialized", json!({}));
    let mut first = proxy.server();
    // From here on the first folder has its connection, and the next one is the second's.
    assert_eq!(first.read().unwrap()["method"], "initialized");
    let hover = json!({"textDocument": {"uri": uri(&b, "b.go")}});
    let refused = proxy.client.begin("textDocument/hover", hover.clone());
    let none = io::Error::other("no socket folder");
    proxy.servers.send(Err(none)).unwrap();
    assert_eq!(proxy.client.answer(refused)["error"]["code"], -32800);
    let shown = proxy.client.read().unwrap();
    let words = shown["params"]["message"].as_str().unwrap().to_owned();
    assert!(words.contains("no socket folder"), "{words}");
    assert_eq!(proxy.client.refused("textDocument/hover", hover), -32803);
    let id = proxy
        .client
        .begin("workspace/symbol", json!({"query": "x"}));
    assert_eq!(first.read().unwrap()["id"], id);
    first.send(&result(id, json!(["a"])));
    assert_eq!(proxy.client.answer(id)["result"], json!(["a"]));
    let id = proxy.client.begin("shutdown", Value::Null);
    assert_eq!(first.read().unwrap()["method"], "shutdown");
    first.send(&result(id, Value::Null));
    assert_eq!(proxy.client.answer(id)["result"], Value::Null);
    proxy.client.notify("exit", Value::Null);
    assert_eq!(first.read().unwrap()["method"], "exit");
    drop(first);
    assert_eq!(proxy.code.join().unwrap(), 0);
}

#[test]
fn folders_with_one_root_share_a_connection_and_shutdown_is_answered_by_all() {
    let mut two = TwoFolders::new();
    let sub = json!({"uri": uri(&two.b, "sub"), "name": "sub"});
    two.proxy.client.notify(
        "workspace/didChangeWorkspaceFolders",
        json!({"event": {"added": [sub], "removed": [workspace_folder(&two.b)]}}),
    );
    // The last folder of a root is not removed while another has the root: the order does not count.
    let in_sub = uri(&two.b, "sub/x.go");
    let id = two.begin("textDocument/hover", &in_sub);
    let mut second = two.proxy.server();
    loop {
        let message = second.read().unwrap();
        if message["id"] == id {
            break;
        }
    }
    let folders = json!({"event": {"added": [workspace_folder(&two.b)], "removed": []}});
    two.proxy
        .client
        .notify("workspace/didChangeWorkspaceFolders", folders);
    let again = two.begin("textDocument/hover", &uri(&two.b, "x.go"));
    assert_eq!(second.read().unwrap()["id"], again);
    let shutdown = two.proxy.client.begin("shutdown", Value::Null);
    let read_shutdown = |server: &mut raw::Client| {
        while server.read().unwrap()["method"] != "shutdown" {}
    };
    read_shutdown(&mut two.first);
    read_shutdown(&mut second);
    two.first.send(&result(shutdown, Value::Null));
    second.hang_up();
    assert_eq!(two.proxy.client.answer(shutdown)["result"], Value::Null);
}
