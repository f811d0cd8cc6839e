//! The LSP frontend on a real [`AnalysisHost`].

mod raw;

use std::time::{Duration, Instant};

use codeweft_lsp::NegotiatedCapabilities;
use raw::{Client, Workspace, at, rows};
use serde_json::{Value, json};

const GO: &str = "package w

type Greeter interface{ Greet() string }

type Loud struct{}

func (Loud) Greet() string { return name() }

func name() string {
\tword := \"x\"
\treturn word + word
}

func All(g Greeter) string {
\treturn g.Greet() + name()
}
";

const PYTHON: &str = "class Base:
    def run(self):
        return helper(1)


class Child(Base):
    def run(self):
        return super().run()


def helper(n):
    total = n
    return total + n


helper(2)
";

fn workspace() -> Workspace {
    Workspace::new(&[
        ("go.mod", "module example.com/w\n\ngo 1.24\n"),
        ("w.go", GO),
        ("m.py", PYTHON),
    ])
}

fn prepared(client: &mut Client, position: Value) -> Value {
    client.ask("textDocument/prepareCallHierarchy", position)
}

fn incoming(client: &mut Client, position: Value) -> Vec<String> {
    let items = prepared(client, position);
    rows(&client.ask("callHierarchy/incomingCalls", json!({"item": items[0]})))
}

#[test]
fn callers_of_go_code_come_with_their_sites() {
    let workspace = workspace();
    let mut client = workspace.plain();
    let uri = workspace.uri("w.go");
    assert_eq!(
        incoming(&mut client, at(&uri, 8, 6)),
        ["All w.go:14:5 at 15:20", "Greet w.go:7:12 at 7:36"]
    );
    let items = prepared(&mut client, at(&uri, 13, 6));
    assert_eq!(items[0]["kind"], 12, "a function: {items}");
    assert_eq!(items[0]["data"]["v"], 1);
    assert_eq!(items[0]["data"]["instance"], workspace.host.instance());
    let callees = client.ask("callHierarchy/outgoingCalls", json!({"item": items[0]}));
    let callees = rows(&callees);
    assert!(
        callees.contains(&"name w.go:9:5 at 15:20".to_owned()),
        "{callees:?}"
    );
}

#[test]
fn callees_of_a_package_have_their_ranges_in_the_items_file() {
    let workspace = Workspace::new(&[
        ("go.mod", "module example.com/w\n\ngo 1.24\n"),
        (
            "a.go",
            "package w\n\nvar a = f()\n\nfunc f() int { return 1 }\n",
        ),
        ("b.go", "package w\n\n// A line more.\n\nvar b = 1 + f()\n"),
    ]);
    let mut client = workspace.plain();
    let calls = {
        let items = prepared(&mut client, at(&workspace.uri("a.go"), 4, 6));
        client.ask("callHierarchy/incomingCalls", json!({"item": items[0]}))
    };
    // The package calls from both files: an item for each.
    let calls = calls.as_array().expect("calls");
    assert_eq!(calls.len(), 2, "{calls:?}");
    for call in calls {
        let callees = client.ask("callHierarchy/outgoingCalls", json!({"item": call["from"]}));
        let [callee] = callees.as_array().expect("callees").as_slice() else {
            panic!("{}: {callees}", call["from"]["uri"]);
        };
        assert_eq!(callee["fromRanges"], call["fromRanges"]);
    }
}

#[test]
fn callers_of_python_code_include_the_module() {
    let workspace = workspace();
    let mut client = workspace.plain();
    let uri = workspace.uri("m.py");
    let items = prepared(&mut client, at(&uri, 10, 5));
    let calls = client.ask("callHierarchy/incomingCalls", json!({"item": items[0]}));
    let names: Vec<(String, u64)> = calls
        .as_array()
        .unwrap()
        .iter()
        .map(|call| {
            let from = &call["from"];
            (
                from["name"].as_str().unwrap().to_owned(),
                from["kind"].as_u64().unwrap(),
            )
        })
        .collect();
    assert!(names.contains(&("run".to_owned(), 6)), "{calls}");
    assert!(
        names.iter().any(|(_, kind)| *kind == 2),
        "a module: {calls}"
    );
}

#[test]
fn locals_have_references_and_definitions_but_no_hierarchy() {
    let workspace = workspace();
    let mut client = workspace.plain();
    let uri = workspace.uri("w.go");
    let mut params = at(&uri, 10, 8);
    params["context"] = json!({"includeDeclaration": true});
    let all = client.ask("textDocument/references", params.clone());
    assert_eq!(rows(&all), ["w.go:10:1", "w.go:11:15", "w.go:11:8"]);
    params["context"] = json!({"includeDeclaration": false});
    let uses = client.ask("textDocument/references", params);
    assert_eq!(rows(&uses), ["w.go:11:15", "w.go:11:8"]);
    let definition = client.ask("textDocument/definition", at(&uri, 10, 8));
    assert_eq!(rows(&definition), ["w.go:10:1"]);
    assert_eq!(prepared(&mut client, at(&uri, 10, 8)), Value::Null);
    let types = client.ask("textDocument/prepareTypeHierarchy", at(&uri, 10, 8));
    assert_eq!(types, Value::Null);
}

#[test]
fn a_name_has_the_declaration_of_its_type() {
    let workspace = workspace();
    let mut client = workspace.plain();
    let (go, python) = (workspace.uri("w.go"), workspace.uri("m.py"));
    let of_parameter = client.ask("textDocument/typeDefinition", at(&go, 14, 8));
    assert_eq!(rows(&of_parameter), ["w.go:3:5"]);
    let of_class = client.ask("textDocument/typeDefinition", at(&python, 5, 6));
    assert_eq!(rows(&of_class), ["m.py:6:6"]);
    let of_package = client.ask("textDocument/typeDefinition", at(&go, 0, 8));
    assert_eq!(of_package, json!([]));
}

#[test]
fn types_have_supertypes_and_subtypes() {
    let workspace = workspace();
    let mut client = workspace.plain();
    let (go, python) = (workspace.uri("w.go"), workspace.uri("m.py"));
    let items = client.ask("textDocument/prepareTypeHierarchy", at(&go, 2, 5));
    let below = client.ask("typeHierarchy/subtypes", json!({"item": items[0]}));
    assert_eq!(rows(&below), ["Loud w.go:5:5"]);
    let items = client.ask("textDocument/prepareTypeHierarchy", at(&python, 5, 6));
    let above = client.ask("typeHierarchy/supertypes", json!({"item": items[0]}));
    assert!(
        rows(&above).contains(&"Base m.py:1:6".to_owned()),
        "{above}"
    );
    let implementations = client.ask("textDocument/implementation", at(&go, 2, 5));
    assert_eq!(rows(&implementations), ["w.go:5:5"]);
}

#[test]
fn unsaved_edits_are_in_the_next_answer() {
    let workspace = workspace();
    let mut client = workspace.plain();
    let uri = workspace.uri("w.go");
    client.open(&uri, GO);
    client.change(
        &uri,
        2,
        json!([{"range": {"start": {"line": 13, "character": 0},
                          "end": {"line": 13, "character": 0}},
                "text": "func more() { _ = name() }\n"}]),
    );
    assert_eq!(
        incoming(&mut client, at(&uri, 8, 6)),
        [
            "All w.go:15:5 at 16:20",
            "Greet w.go:7:12 at 7:36",
            "more w.go:14:5 at 14:18"
        ]
    );
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": uri}}),
    );
    assert_eq!(incoming(&mut client, at(&uri, 8, 6)).len(), 2);
}

#[test]
fn a_client_that_disconnects_takes_its_unsaved_text_along() {
    let workspace = workspace();
    let uri = workspace.uri("w.go");
    let mut first = workspace.plain();
    first.open(&uri, GO);
    first.change(
        &uri,
        2,
        json!([{"text": format!("{GO}func more() {{ _ = name() }}\n")}]),
    );
    assert_eq!(incoming(&mut first, at(&uri, 8, 6)).len(), 3);
    first.hang_up();
    let mut second = workspace.plain();
    let until = Instant::now() + raw::PATIENCE;
    while incoming(&mut second, at(&uri, 8, 6)).len() != 2 {
        assert!(Instant::now() < until);
    }
}

#[test]
fn positions_in_a_text_the_database_lacks_are_content_modified() {
    let workspace = workspace();
    let uri = workspace.uri("w.go");
    let mut first = workspace.plain();
    let mut second = workspace.plain();
    second.open(&uri, GO);
    assert_eq!(incoming(&mut second, at(&uri, 8, 6)).len(), 2);
    let items = prepared(&mut second, at(&uri, 8, 6));
    first.open(&uri, GO);
    first.change(&uri, 2, json!([{"text": format!("\n{GO}")}]));
    assert_eq!(incoming(&mut first, at(&uri, 9, 6)).len(), 2);
    let code = second.refused("textDocument/definition", at(&uri, 8, 6));
    assert_eq!(code, -32801);
    // Such a request names an item, not a position.
    let calls = second.ask("callHierarchy/incomingCalls", json!({"item": items[0]}));
    assert_eq!(rows(&calls)[0], "All w.go:15:5 at 16:20");
}

#[test]
fn an_invalid_edit_or_one_of_a_closed_document_changes_nothing() {
    let workspace = workspace();
    let uri = workspace.uri("w.go");
    let mut client = workspace.plain();
    client.change(&uri, 2, json!([{"text": ""}]));
    assert_eq!(incoming(&mut client, at(&uri, 8, 6)).len(), 2);
    client.open(&uri, GO);
    client.change(
        &uri,
        2,
        json!([{"range": {"start": {"line": -1}}, "text": ""}]),
    );
    client.change(&uri, 3, json!("no list"));
    client.notify(
        "textDocument/didOpen",
        json!({"textDocument": {"uri": uri}}),
    );
    assert_eq!(incoming(&mut client, at(&uri, 8, 6)).len(), 2);
}

#[test]
fn a_cancelled_request_is_answered_once() {
    let workspace = workspace();
    let mut client = workspace.plain();
    let uri = workspace.uri("w.go");
    for _ in 0..20 {
        let id = client.begin("textDocument/references", {
            let mut params = at(&uri, 8, 6);
            params["context"] = json!({"includeDeclaration": true});
            params
        });
        client.notify("$/cancelRequest", json!({"id": id}));
        client.notify("$/cancelRequest", json!({"id": "another"}));
        client.notify("$/cancelRequest", json!(null));
        let answer = client.answer(id);
        let code = &answer["error"]["code"];
        assert!(code.is_null() || *code == -32800, "{answer}");
    }
    client.ask("textDocument/hover", at(&uri, 8, 6));
    assert_eq!(client.others, Vec::<Value>::new());
}

#[test]
fn during_the_load_a_request_waits_and_can_be_cancelled() {
    let files: Vec<(String, String)> = (0..500)
        .map(|n| (format!("p{n}/m.py"), PYTHON.repeat(5)))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(p, t)| (&p[..], &t[..])).collect();
    let workspace = Workspace::new(&files);
    let mut client = workspace.client(&NegotiatedCapabilities {
        progress: true,
        ..NegotiatedCapabilities::default()
    });
    let id = client.begin("workspace/symbol", json!({"query": "helper"}));
    let requested = Instant::now();
    client.notify("$/cancelRequest", json!({"id": id}));
    assert_eq!(client.answer(id)["error"]["code"], -32800);
    assert!(requested.elapsed() < Duration::from_secs(5));
    // No progress before `initialized`.
    assert_eq!(client.others, Vec::<Value>::new());
}

#[test]
fn requests_during_the_load_are_answered_after_it_and_only_so_many_wait() {
    let files: Vec<(String, String)> = (0..500)
        .map(|n| (format!("p{n}/m.py"), PYTHON.repeat(5)))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(p, t)| (&p[..], &t[..])).collect();
    let workspace = Workspace::new(&files);
    let mut client = workspace.plain();
    let ids: Vec<_> = (0..40)
        .map(|_| client.begin("workspace/symbol", json!({"query": "helper"})))
        .collect();
    let answers: Vec<Value> = ids.into_iter().map(|id| client.answer(id)).collect();
    let (found, refused): (Vec<&Value>, Vec<&Value>) = answers
        .iter()
        .partition(|answer| answer["result"].is_array());
    assert!(found.len() >= 32, "{} are answered", found.len());
    for answer in refused {
        assert_eq!(answer["error"]["code"], -32802, "{answer}");
    }
}

#[test]
fn two_requests_with_one_id_get_an_answer_each() {
    let workspace = workspace();
    let mut client = workspace.plain();
    let uri = workspace.uri("w.go");
    let request = json!({"jsonrpc": "2.0", "id": "same", "method": "textDocument/hover",
                         "params": at(&uri, 8, 6)});
    client.send(&request);
    client.send(&request);
    let answers = [client.answer("same"), client.answer("same")];
    for answer in &answers {
        let code = &answer["error"]["code"];
        assert!(code.is_null() || *code == -32600, "{answer}");
    }
    assert!(answers.iter().any(|answer| answer.get("result").is_some()));
}

#[test]
fn an_invalid_request_is_refused_and_the_connection_continues() {
    let workspace = workspace();
    let mut client = workspace.plain();
    let uri = workspace.uri("w.go");
    assert_eq!(client.refused("textDocument/formatting", json!({})), -32601);
    assert_eq!(client.refused("$/question", json!({})), -32601);
    client.notify("$/unknown", json!({}));
    client.notify("workspace/unknown", json!({}));
    assert_eq!(client.refused("textDocument/hover", json!({})), -32602);
    assert_eq!(client.refused("textDocument/hover", json!(null)), -32602);
    assert_eq!(
        client.refused("callHierarchy/incomingCalls", json!({"item": {}})),
        -32602
    );
    for data in [
        json!(7),
        json!({"v": 2, "id": "x", "instance": ""}),
        json!({"v": 1}),
    ] {
        let params = json!({"item": {"data": data}});
        assert_eq!(client.refused("typeHierarchy/subtypes", params), -32602);
    }
    let forged = json!({"item": {"data": {"v": 1, "id": "no such id", "instance": "00000000"}}});
    for method in [
        "callHierarchy/incomingCalls",
        "callHierarchy/outgoingCalls",
        "typeHierarchy/supertypes",
        "typeHierarchy/subtypes",
    ] {
        assert_eq!(client.ask(method, forged.clone()), json!([]), "{method}");
    }
    client.write(b"Content-Length: 3\r\n\r\n{]}");
    assert_eq!(client.answer(Value::Null)["error"]["code"], -32700);
    let deep = "[".repeat(100_000);
    client.write(format!("Content-Length: {}\r\n\r\n{deep}", deep.len()).as_bytes());
    assert_eq!(client.answer(Value::Null)["error"]["code"], -32700);
    let far = json!({"line": 4_000_000_000_u32, "character": 4_000_000_000_u32});
    client.ask(
        "textDocument/definition",
        json!({"textDocument": {"uri": uri}, "position": far}),
    );
}

#[test]
fn an_invalid_header_is_answered_and_ends_the_connection() {
    let workspace = workspace();
    for header in [
        "Content-Length: 1000000000000\r\n\r\n",
        "Content-Length: -1\r\n\r\n",
        "hello\r\n\r\n",
    ] {
        let mut client = workspace.plain();
        client.write(header.as_bytes());
        assert_eq!(client.answer(Value::Null)["error"]["code"], -32700);
        assert_eq!(client.read(), None);
    }
}

#[test]
fn documents_that_are_no_files_get_empty_answers() {
    let workspace = workspace();
    let mut client = workspace.plain();
    for uri in [
        "untitled:Untitled-1",
        "git:/w/a.go",
        "file://elsewhere/a.go",
    ] {
        client.open(uri, GO);
        client.change(uri, 2, json!([{"text": ""}]));
        let position = at(uri, 8, 6);
        assert_eq!(
            client.ask("textDocument/definition", position.clone()),
            json!([])
        );
        assert_eq!(
            client.ask("textDocument/hover", position.clone()),
            Value::Null
        );
        assert_eq!(prepared(&mut client, position), Value::Null);
    }
}

#[test]
fn an_answer_has_the_uri_that_the_client_opened() {
    let name = "a b#\u{e4}.py";
    let workspace = Workspace::new(&[(name, PYTHON)]);
    let mut client = workspace.plain();
    let ours = workspace.uri("a%20b%23%C3%A4.py");
    let found = client.ask("textDocument/definition", at(&ours, 15, 1));
    assert_eq!(found[0]["uri"], ours);
    let theirs = workspace.uri("%61%20b%23\u{e4}.py");
    client.open(&theirs, PYTHON);
    let found = client.ask("textDocument/definition", at(&theirs, 15, 1));
    assert_eq!(found[0]["uri"], theirs);
}

#[test]
fn positions_count_in_the_negotiated_units() {
    let text = "def f(): pass\n\n\ndef g(): return \"\u{e4}\u{1d54f}\", f()\n";
    let workspace = Workspace::new(&[("m.py", text)]);
    let uri = workspace.uri("m.py");
    for (encoding, column) in [("utf-8", 26), ("utf-16", 23), ("utf-32", 22)] {
        let mut client = workspace.client(&NegotiatedCapabilities {
            encoding: encoding.to_owned(),
            ..NegotiatedCapabilities::default()
        });
        let calls = incoming(&mut client, at(&uri, 0, 4));
        assert_eq!(calls, [format!("g m.py:4:4 at 4:{column}")], "{encoding}");
        let found = client.ask("textDocument/definition", at(&uri, 3, column));
        assert_eq!(rows(&found), ["m.py:1:4"], "{encoding}");
    }
}

#[test]
fn symbols_of_a_document_are_a_tree_or_a_list() {
    let workspace = workspace();
    let uri = workspace.uri("m.py");
    let params = json!({"textDocument": {"uri": uri}});
    let mut client = workspace.client(&NegotiatedCapabilities {
        outline: true,
        ..NegotiatedCapabilities::default()
    });
    let tree = client.ask("textDocument/documentSymbol", params.clone());
    let names = |list: &Value| {
        let rows = list.as_array().unwrap().iter();
        rows.map(|row| row["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&tree), ["Base", "Child", "helper"]);
    assert_eq!(names(&tree[0]["children"]), ["run"]);
    let list = workspace.plain().ask("textDocument/documentSymbol", params);
    assert_eq!(names(&list), ["Base", "run", "Child", "run", "helper"]);
    assert_eq!(list[1]["containerName"], "Base");
    let found = client.ask("workspace/symbol", json!({"query": "helper"}));
    assert_eq!(rows(&found), ["helper m.py:11:4"]);
}

#[test]
fn hover_and_highlights_are_answered() {
    let workspace = workspace();
    let mut client = workspace.client(&NegotiatedCapabilities {
        markdown: true,
        ..NegotiatedCapabilities::default()
    });
    let uri = workspace.uri("m.py");
    let hover = client.ask("textDocument/hover", at(&uri, 10, 5));
    assert_eq!(hover["contents"]["kind"], "markdown");
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.starts_with("```python\ndef helper(n)"), "{text}");
    let marks = client.ask("textDocument/documentHighlight", at(&uri, 12, 12));
    let kinds: Vec<(u64, u64)> = marks
        .as_array()
        .unwrap()
        .iter()
        .map(|mark| {
            (
                mark["range"]["start"]["line"].as_u64().unwrap(),
                mark["kind"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(kinds, [(11, 3), (12, 2)]);
}

#[test]
fn commands_are_answered_as_the_graph_answers() {
    let workspace = workspace();
    let mut client = workspace.plain();
    let uri = workspace.uri("w.go");
    let mut argument = at(&uri, 8, 6);
    argument["change_type"] = json!("signature");
    let by_position = client.ask(
        "workspace/executeCommand",
        json!({"command": "codeweft.impact", "arguments": [argument]}),
    );
    assert!(
        by_position["results"].as_array().unwrap().len() >= 2,
        "{by_position}"
    );
    let path = client.ask(
        "workspace/executeCommand",
        json!({"command": "codeweft.path", "arguments": [{"target": "All", "to": "name"}]}),
    );
    assert!(!path["results"].as_array().unwrap().is_empty(), "{path}");
    for (command, arguments) in [
        ("codeweft.other", json!([{}])),
        ("codeweft.impact", json!([])),
        (
            "codeweft.impact",
            json!([{"target": "name", "colour": "red"}]),
        ),
        (
            "codeweft.impact",
            json!([{"target": "name", "operation": "path"}]),
        ),
        (
            "codeweft.impact",
            json!([{"position": {"line": 0, "character": 0}}]),
        ),
        ("codeweft.path", json!([7])),
    ] {
        let params = json!({"command": command, "arguments": arguments});
        assert_eq!(
            client.refused("workspace/executeCommand", params.clone()),
            -32602,
            "{params}"
        );
    }
    let params =
        json!({"command": "codeweft.impact", "arguments": [{"target": "nowhere.Nothing"}]});
    let id = client.begin("workspace/executeCommand", params);
    let error = client.answer(id);
    assert_eq!(
        error["error"]["data"]["error_type"], "target_not_found",
        "{error}"
    );
}

#[test]
fn after_shutdown_requests_are_refused_and_exit_ends_the_connection_not_the_host() {
    let workspace = workspace();
    let (mut client, serving) = raw::serve(&workspace.host, &NegotiatedCapabilities::default());
    let uri = workspace.uri("w.go");
    assert_eq!(client.ask("shutdown", Value::Null), Value::Null);
    assert_eq!(client.refused("textDocument/hover", at(&uri, 8, 6)), -32600);
    assert_eq!(client.refused("shutdown", Value::Null), -32600);
    client.notify("exit", Value::Null);
    assert_eq!(client.read(), None);
    serving.join().unwrap().unwrap();
    assert_eq!(incoming(&mut workspace.plain(), at(&uri, 8, 6)).len(), 2);
}

#[test]
fn a_stream_that_begins_with_initialize_gets_the_same_answer_as_from_the_proxy() {
    let workspace = workspace();
    let mut client = workspace.plain();
    let params = json!({"capabilities": {
        "general": {"positionEncodings": ["utf-32"]},
        "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}
    }});
    let result = client.ask("initialize", params.clone());
    assert_eq!(result, codeweft_lsp::initialize(&params).0);
    assert_eq!(client.refused("initialize", params), -32600);
    client.notify("initialized", json!({}));
    let requested = client.read().unwrap();
    assert_eq!(requested["method"], "client/registerCapability");
    client.send(&json!({"jsonrpc": "2.0", "id": requested["id"], "result": null}));
    let uri = workspace.uri("w.go");
    assert_eq!(incoming(&mut client, at(&uri, 8, 6)).len(), 2);
}

#[test]
fn a_file_that_the_client_reports_as_changed_is_reread() {
    let workspace = workspace();
    let mut client = workspace.plain();
    let uri = workspace.uri("w.go");
    assert_eq!(incoming(&mut client, at(&uri, 8, 6)).len(), 2);
    let new = workspace.folder.path().join("new.go");
    std::fs::write(new, "package w\n\nfunc fresh() { _ = name() }\n").unwrap();
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({"changes": [{"uri": workspace.uri("new.go"), "type": 1}]}),
    );
    let until = Instant::now() + raw::PATIENCE;
    while incoming(&mut client, at(&uri, 8, 6)).len() != 3 {
        assert!(Instant::now() < until);
    }
}

#[test]
fn a_flood_of_requests_gets_an_answer_each_and_others_do_not_wait_for_it() {
    const MANY: i32 = 5000;
    let workspace = workspace();
    let mut flooding = workspace.plain();
    let uri = workspace.uri("w.go");
    assert_eq!(incoming(&mut flooding, at(&uri, 8, 6)).len(), 2);
    let mut other = workspace.plain();
    let mut writing = flooding.second_handle();
    let position = at(&uri, 8, 6);
    let writer = std::thread::spawn(move || {
        for id in 1000..1000 + MANY {
            writing.send(&json!({
                "jsonrpc": "2.0", "id": id, "method": "textDocument/hover", "params": position
            }));
        }
    });
    for _ in 0..20 {
        assert_eq!(incoming(&mut other, at(&uri, 8, 6)).len(), 2);
    }
    let mut answered = vec![false; MANY as usize];
    for _ in 0..MANY {
        let answer = flooding.read().unwrap();
        let at = answer["id"].as_i64().unwrap() as usize - 1000;
        assert!(!std::mem::replace(&mut answered[at], true), "{answer}");
        let code = &answer["error"]["code"];
        assert!(code.is_null() || *code == -32802, "{answer}");
    }
    writer.join().unwrap();
    assert_eq!(incoming(&mut flooding, at(&uri, 8, 6)).len(), 2);
}

#[test]
fn the_connection_of_a_client_that_reads_nothing_is_closed() {
    let workspace = workspace();
    let (mut client, serving) = raw::serve(&workspace.host, &NegotiatedCapabilities::default());
    // More than sockets and queues hold.
    while client.try_send(&json!({"jsonrpc": "2.0", "id": "x".repeat(10_000), "method": "no"})) {}
    let ended = serving.join().unwrap().unwrap_err();
    assert_eq!(ended.kind(), std::io::ErrorKind::TimedOut);
}

#[test]
fn edits_of_one_notification_apply_in_order() {
    let workspace = workspace();
    let mut client = workspace.plain();
    let uri = workspace.uri("w.go");
    client.open(&uri, GO);
    let edit = |line: u32, from: u32, to: u32, text: &str| {
        json!({"range": {"start": {"line": line, "character": from},
                         "end": {"line": line, "character": to}}, "text": text})
    };
    // `word` becomes `longer`; each range is in the text that the edit before left.
    client.change(
        &uri,
        2,
        json!([
            edit(9, 1, 5, "longer"),
            edit(10, 8, 12, "longer"),
            edit(10, 17, 21, "longer"),
        ]),
    );
    let mut params = at(&uri, 10, 20);
    params["context"] = json!({"includeDeclaration": true});
    let all = client.ask("textDocument/references", params);
    assert_eq!(rows(&all), ["w.go:10:1", "w.go:11:17", "w.go:11:8"]);
    assert_eq!(all[0]["range"]["end"]["character"], 7);
}

#[test]
fn edits_count_in_the_negotiated_units() {
    let text = "def f(): pass\n\n\ndef g(): return \"\u{e4}\u{1d54f}\", None\n";
    let workspace = Workspace::new(&[("m.py", text)]);
    let uri = workspace.uri("m.py");
    for (encoding, column) in [("utf-8", 26), ("utf-16", 23), ("utf-32", 22)] {
        let mut client = workspace.client(&NegotiatedCapabilities {
            encoding: encoding.to_owned(),
            ..NegotiatedCapabilities::default()
        });
        client.open(&uri, text);
        client.change(
            &uri,
            2,
            json!([{"range": {"start": {"line": 3, "character": column},
                              "end": {"line": 3, "character": column + 4}}, "text": "f()"}]),
        );
        let calls = incoming(&mut client, at(&uri, 0, 4));
        assert_eq!(calls, [format!("g m.py:4:4 at 4:{column}")], "{encoding}");
    }
}

#[test]
fn a_root_named_through_a_symbolic_link_is_the_same_root() {
    let workspace = workspace();
    let beside = tempfile::tempdir().unwrap();
    let link = beside.path().join("link");
    std::os::unix::fs::symlink(workspace.folder.path(), &link).unwrap();
    let uri = format!("file://{}/w.go", link.display());
    let mut client = workspace.plain();
    client.open(&uri, GO);
    client.change(
        &uri,
        2,
        json!([{"text": format!("{GO}func more() {{ _ = name() }}\n")}]),
    );
    assert_eq!(incoming(&mut client, at(&uri, 8, 6)).len(), 3);
    let found = client.ask("textDocument/definition", at(&uri, 8, 6));
    assert_eq!(found[0]["uri"], uri);
    let other = workspace.uri("w.go");
    assert_eq!(incoming(&mut workspace.plain(), at(&other, 8, 6)).len(), 3);
}

#[test]
fn begun_progress_is_ended() {
    let files: Vec<(String, String)> = (0..300)
        .map(|n| (format!("p{n}/m.py"), PYTHON.repeat(20)))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(p, t)| (&p[..], &t[..])).collect();
    let workspace = Workspace::new(&files);
    let mut client = workspace.client(&NegotiatedCapabilities {
        progress: true,
        ..NegotiatedCapabilities::default()
    });
    client.notify("initialized", json!({}));
    let id = client.begin("workspace/symbol", json!({"query": "nothing"}));
    let (mut begun, mut ended, mut answered) = (0, 0, false);
    while !answered || begun != ended {
        let message = client.read().unwrap();
        if message["method"] == "window/workDoneProgress/create" {
            client.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": null}));
        }
        match message["params"]["value"]["kind"].as_str() {
            Some("begin") => begun += 1,
            Some("end") => ended += 1,
            _ => {}
        }
        answered |= message["id"] == id;
    }
    assert!(begun <= 1);
}
