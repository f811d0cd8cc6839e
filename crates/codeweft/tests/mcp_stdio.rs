//! The MCP frontend over real pipes, one JSON-RPC message a line.

mod fixture;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use expect_test::expect;
use fixture::{codeweft, copy, fixture};
use serde_json::{Value, json};

/// A client of raw lines.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl Client {
    fn start(arguments: &[&str], folder: &Path) -> Client {
        let mut child = codeweft()
            .args(["mcp", "--standalone"])
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Client {
            child,
            input,
            output,
            last: 0,
        }
    }

    fn on(root: &Path) -> Client {
        let root = root.to_str().expect("UTF-8");
        Client::start(&["--root", root], &fixture("go-small"))
    }

    fn write(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("still open");
        writeln!(input, "{message}").expect("it reads");
    }

    fn send(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        let id = self.last;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Returns the next message that is no notification.
    fn next(&mut self) -> Value {
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("UTF-8");
            assert!(read > 0, "it went without an answer");
            let message: Value = serde_json::from_str(&line).expect("a message a line");
            assert_eq!(message["jsonrpc"], "2.0");
            if message.get("id").is_some() {
                return message;
            }
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        let answer = self.next();
        assert_eq!(answer["id"], id);
        answer
    }

    fn shake_hands(&mut self) -> Value {
        let answer = self.ask(
            "initialize",
            json!({"protocolVersion": "2025-06-18", "capabilities": {},
                   "clientInfo": {"name": "test", "version": "0"}}),
        );
        self.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer["result"].clone()
    }

    fn call(&mut self, arguments: Value) -> Value {
        let answer = self.ask(
            "tools/call",
            json!({"name": "cortex_graph", "arguments": arguments}),
        );
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().expect("it ends").success());
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // An error means that the test has ended it already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().expect("a text")
}

#[test]
fn the_handshake_and_the_tool_list_are_answered_before_loading() {
    // Enough to load that a client that waited for it would be noticed.
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("go.mod"), "module m\n").expect("written");
    for file in 0..40 {
        let functions: String = (0..400)
            .map(|n| format!("func f{file}_{n}(a int) int {{ return a + {n} }}\n"))
            .collect();
        let path = folder.path().join(format!("f{file}.go"));
        std::fs::write(path, format!("package m\n\n{functions}")).expect("written");
    }
    let mut client = Client::on(folder.path());
    let hello = client.shake_hands();
    assert_eq!(hello["serverInfo"]["name"], "codeweft");
    let instructions = hello["instructions"].as_str().expect("instructions");
    assert!(instructions.chars().count() < 600);
    let call = client.send(
        "tools/call",
        json!({"name": "cortex_graph", "arguments": {"operation": "callees", "target": "f1_1"}}),
    );
    let list = client.send("tools/list", json!({}));
    let ping = client.send("ping", json!({}));
    let mut order: Vec<u64> = (0..3)
        .filter_map(|_| client.next()["id"].as_u64())
        .collect();
    assert_eq!(order.pop(), Some(call), "the call is answered last");
    order.sort();
    assert_eq!(order, [list, ping]);
    client.end();
}

#[test]
fn the_handshake_and_the_tool_list_do_not_depend_on_the_workspace() {
    let mut client = Client::on(Path::new("/nonexistent/workspace"));
    client.shake_hands();
    let there = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    let mut other = Client::on(&fixture("go-small"));
    other.shake_hands();
    let here = other.ask("tools/list", json!({}))["result"]["tools"].clone();
    assert_eq!(there, here);
    let result = client.call(json!({"operation": "callers", "target": "x"}));
    assert_eq!(result["structuredContent"]["error_type"], "invalid_request");
}

#[test]
fn impact_has_type_and_severity_of_each_node() {
    let mut client = Client::on(&fixture("go-small"));
    client.shake_hands();
    let result = client.call(json!({"operation": "impact", "target": "chain.last", "depth": 1}));
    let first = &result["structuredContent"]["results"][0];
    assert_eq!(first["node"]["id"], "chain.third");
    assert_eq!(first["impact_type"], "direct_caller");
    assert_eq!(first["severity"], "must_update");
    assert_eq!(result["structuredContent"]["summary"]["direct_callers"], 1);
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!(
        text.contains("chain.third direct_caller must_update: func third"),
        "{text}"
    );
}

#[test]
fn a_search_and_an_outline_are_compact_texts() {
    let mut client = Client::on(&fixture("go-small"));
    client.shake_hands();
    let mut text = |arguments: Value| {
        let result = client.call(arguments);
        let text = result["content"][0]["text"].as_str().expect("a text");
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let (verdict, _) = first.rsplit_once("; r").expect("a revision");
        format!("{verdict}\n{rest}\n")
    };
    expect![[r#"
        search of greet: 6 declarations; complete under linux/amd64 cgo=0 tags=
        greet/greet.go:7-7 greet.Greeter.Greet: Greet(name string) string
        greet/greet.go:14-14 greet.English.Greet: func (English) Greet(name string) string
        greet/greet.go:20-23 greet.French.Greet: func (f *French) Greet(name string) string
        greet/greet.go:3-3 greet: package
        greet/greet.go:6-8 greet.Greeter: type Greeter interface
        greet/outside_test.go:1-1 greet_test: package
    "#]]
    .assert_eq(&text(
        json!({"operation": "search", "target": "greet", "within": "workspace"}),
    ));
    expect![[r#"
        outline of greet/greet.go: 10 declarations found; complete under linux/amd64 cgo=0 tags=
        greet/greet.go
          6-8 greet.Greeter: type Greeter interface
            7-7 greet.Greeter.Greet: Greet(name string) string
          11-11 greet.English: type English struct{}
            14-14 greet.English.Greet: func (English) Greet(name string) string
          17-17 greet.French: type French struct{ count int }
            17-17 greet.French.count: count int
            20-23 greet.French.Greet: func (f *French) Greet(name string) string
          26-28 greet.Say: func Say(g Greeter, name string) string
          31-31 greet.Default: func Default() Greeter
          33-35 greet.join: func join(word, name string) string
    "#]]
    .assert_eq(&text(
        json!({"operation": "outline", "target": "greet/greet.go"}),
    ));
}

#[test]
fn the_list_has_three_small_tools() {
    let mut client = Client::on(&fixture("go-small"));
    client.shake_hands();
    let tools = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    let tools = tools.as_array().expect("a list");
    assert_eq!(tools.len(), 3);
    let sizes: Vec<usize> = tools
        .iter()
        .map(|tool| tool.to_string().chars().count())
        .collect();
    assert!(
        sizes[0] < 2000 && sizes.iter().sum::<usize>() < 4000,
        "{sizes:?}"
    );
    expect![[r#"
        {
          "name": "cortex_graph",
          "description": "Callers, callees, implementations, usages, paths, impact of a symbol or diff, resolved by types: use before changing. search before guessing an id, outline before reading a file. Not for literal text.",
          "inputSchema": {
            "type": "object",
            "properties": {
              "operation": {
                "type": "string",
                "enum": [
                  "callers",
                  "callees",
                  "dependencies",
                  "dependents",
                  "type_usages",
                  "implementations",
                  "implements",
                  "references",
                  "definition",
                  "impact",
                  "path",
                  "search",
                  "outline"
                ]
              },
              "target": {
                "type": "string",
                "description": "id or its end (Type.Method), pattern, path:line, package, file; search: part of a name"
              },
              "to": {
                "type": "string",
                "description": "end of path"
              },
              "scope": {
                "type": "string",
                "description": "path, LIKE with %, glob"
              },
              "exclude_patterns": {
                "type": "array",
                "items": {
                  "type": "string"
                }
              },
              "within": {
                "type": "string",
                "enum": [
                  "all",
                  "workspace"
                ],
                "default": "all"
              },
              "include_context": {
                "type": "boolean",
                "description": "with code"
              },
              "context_lines": {
                "type": "integer",
                "minimum": 0,
                "maximum": 20,
                "default": 3
              },
              "depth": {
                "type": "integer",
                "minimum": 1,
                "maximum": 10,
                "description": "steps; default 1, impact 3, path 10, outline 2"
              },
              "max_results": {
                "type": "integer",
                "minimum": 1,
                "maximum": 500,
                "default": 100
              },
              "max_per_level": {
                "type": "integer",
                "minimum": 1,
                "maximum": 100,
                "default": 50
              },
              "change_type": {
                "type": "string",
                "enum": [
                  "signature",
                  "behavior",
                  "removal"
                ],
                "default": "signature"
              },
              "diff": {
                "type": "boolean",
                "description": "impact: target is HEAD, A..B or a patch"
              },
              "include_unresolved": {
                "type": "boolean",
                "description": "by name too"
              },
              "include_literal_calls": {
                "type": "boolean"
              },
              "include_tests": {
                "type": "boolean",
                "default": true
              },
              "max_tokens": {
                "type": "integer",
                "minimum": 500,
                "maximum": 32000,
                "default": 4000
              },
              "offset": {
                "type": "integer",
                "minimum": 0,
                "maximum": 500
              }
            },
            "required": [
              "operation",
              "target"
            ],
            "additionalProperties": false
          },
          "outputSchema": {
            "type": "object",
            "properties": {
              "results": {
                "type": "array"
              },
              "total_found": {
                "type": "integer"
              },
              "truncated": {
                "type": "boolean"
              },
              "completeness": {
                "type": "object"
              }
            }
          },
          "annotations": {
            "readOnlyHint": true
          }
        }
    "#]].assert_eq(&format!("{:#}\n", tools[0]));
    expect![[r#"
        {
          "name": "cortex_analysis",
          "description": "Whole workspace: symbols by use, unused ones, hotspots, packages, import cycles; one declaration in detail.",
          "inputSchema": {
            "type": "object",
            "properties": {
              "operation": {
                "type": "string",
                "enum": [
                  "symbols",
                  "search",
                  "summary",
                  "package_summary",
                  "detail",
                  "type_hierarchy",
                  "scope",
                  "unused_symbols",
                  "hotspots",
                  "circular_dependencies",
                  "dependency_graph"
                ]
              },
              "target": {
                "type": "string",
                "description": "as of cortex_graph; scope: path:line:column; package or folder narrows"
              },
              "pattern": {
                "type": "string",
                "description": "of names: Get*, %Handler"
              },
              "kinds": {
                "type": "array",
                "items": {
                  "type": "string",
                  "enum": [
                    "package",
                    "interface",
                    "struct",
                    "class",
                    "type",
                    "function",
                    "method",
                    "field",
                    "constant",
                    "variable"
                  ]
                }
              },
              "visibility": {
                "type": "string",
                "enum": [
                  "public",
                  "private"
                ]
              },
              "path_prefix": {
                "type": "string"
              },
              "top_n": {
                "type": "integer",
                "minimum": 1,
                "maximum": 100,
                "default": 10
              },
              "ref_count_min": {
                "type": "integer",
                "minimum": 0
              },
              "ref_count_max": {
                "type": "integer",
                "minimum": 0
              },
              "max_results": {
                "type": "integer",
                "minimum": 1,
                "maximum": 500,
                "default": 100
              },
              "include_tests": {
                "type": "boolean",
                "description": "tests too (default true); unused_symbols: uses by tests count (default false)"
              },
              "max_tokens": {
                "type": "integer",
                "minimum": 500,
                "maximum": 32000,
                "default": 4000
              }
            },
            "required": [
              "operation"
            ],
            "additionalProperties": false
          },
          "outputSchema": {
            "type": "object",
            "properties": {
              "operation": {
                "type": "string"
              },
              "metadata": {
                "type": "object"
              }
            }
          },
          "annotations": {
            "readOnlyHint": true
          }
        }
    "#]].assert_eq(&format!("{:#}\n", tools[1]));
}

#[test]
fn an_answer_is_the_same_as_text_and_as_structure() {
    let mut client = Client::on(&fixture("go-small"));
    client.shake_hands();
    let result = client.call(json!({"operation": "callers", "target": "English.Greet"}));
    assert_eq!(result["isError"], false);
    expect![[r#"
        callers of greet.English.Greet: 3 callers; complete under linux/amd64 cgo=0 tags=; r1
        greet/loud.go
          10-12 greet.Loud.Shout: func (l Loud) Shout(name string) string
            11:11 return l.Greet(name) + "!"
        greet/greet.go
          26-28 greet.Say: func Say(g Greeter, name string) string
            27:11 return g.Greet(name) [dispatch example.com/small/greet.English: greet/greet.go:31 (returned) -> result 1 of greet.Default -> parameter 1 of greet.Say -> here]
        greet/greet_test.go
          7-11 greet.TestEnglish: func TestEnglish(t *testing.T)
            8:17 if (English{}).Greet("x") != "Hello, x""#]]
    .assert_eq(text(&result));
    let whole = &result["structuredContent"];
    for found in whole["results"].as_array().expect("results") {
        let id = found["node"]["id"].as_str().expect("an id");
        assert!(text(&result).contains(id), "{id}");
    }
    assert_eq!(
        whole["completeness"]["configuration"],
        "linux/amd64 cgo=0 tags="
    );
}

#[test]
fn errors_of_a_request_are_explained_to_the_agent() {
    let mut client = Client::on(&fixture("go-small"));
    client.shake_hands();
    for (arguments, kind, word) in [
        (
            json!({"operation": "callers", "target": "x", "bogus": 1}),
            "invalid_request",
            "bogus",
        ),
        (json!({"operation": "callers"}), "invalid_request", "target"),
        (
            json!({"operation": "callers", "target": "x", "depth": 11}),
            "invalid_request",
            "1 to 10",
        ),
        (
            json!({"operation": "callers", "target": "x", "to": "y"}),
            "invalid_request",
            "only path does",
        ),
        (
            json!({"operation": "calls", "target": "x"}),
            "invalid_request",
            "callers",
        ),
        (
            json!({"operation": "callers", "target": "Frist"}),
            "target_not_found",
            "Frist",
        ),
        (
            json!({"operation": "callers", "target": "Greet"}),
            "ambiguous_target",
            "Greet",
        ),
    ] {
        let result = client.call(arguments.clone());
        assert_eq!(result["isError"], true, "{arguments}");
        assert_eq!(
            result["structuredContent"]["error_type"], kind,
            "{arguments}"
        );
        assert!(
            text(&result).contains(word),
            "{arguments}: {}",
            text(&result)
        );
    }
}

#[test]
fn an_unknown_tool_is_an_error_of_the_protocol() {
    let mut client = Client::on(&fixture("go-small"));
    client.shake_hands();
    let answer = client.ask("tools/call", json!({"name": "nope", "arguments": {}}));
    assert_eq!(answer["error"]["code"], -32602);
    // The session continues.
    assert!(client.ask("ping", json!({})).get("result").is_some());
}

#[test]
fn a_root_that_is_too_wide_is_an_error_of_each_call() {
    let mut client = Client::start(&[], Path::new("/"));
    client.shake_hands();
    assert!(client.ask("tools/list", json!({}))["result"]["tools"].is_array());
    for _ in 0..2 {
        let result = client.call(json!({"operation": "callers", "target": "x"}));
        assert_eq!(result["structuredContent"]["error_type"], "invalid_request");
        assert!(text(&result).contains("--root"), "{}", text(&result));
    }
}

#[test]
fn an_agents_own_edits_are_in_its_next_answer() {
    let folder = copy("go-small");
    let mut client = Client::on(folder.path());
    client.shake_hands();
    let callers = |client: &mut Client| {
        let result = client.call(json!({"operation": "callers", "target": "chain.Alone"}));
        let whole = &result["structuredContent"];
        let ids: Vec<String> = whole["results"]
            .as_array()
            .expect("results")
            .iter()
            .map(|found| found["node"]["id"].as_str().unwrap_or_default().to_owned())
            .collect();
        ids.join(" ")
    };
    assert_eq!(callers(&mut client), "");
    // A changed file.
    let chain = folder.path().join("chain/chain.go");
    let before = std::fs::read_to_string(&chain).expect("the file");
    let after = before.replace(
        "func last() int { return 0 }",
        "func last() int { Alone(); return 0 }",
    );
    std::fs::write(&chain, after).expect("written");
    assert_eq!(callers(&mut client), "chain.last");
    // A new file in a new folder.
    std::fs::create_dir(folder.path().join("fresh")).expect("made");
    let fresh =
        "package fresh\n\nimport \"example.com/small/chain\"\n\nfunc New() { chain.Alone() }\n";
    std::fs::write(folder.path().join("fresh/fresh.go"), fresh).expect("written");
    assert_eq!(callers(&mut client), "chain.last fresh.New");
    // A deleted one, and the first as it was.
    std::fs::remove_dir_all(folder.path().join("fresh")).expect("removed");
    std::fs::write(&chain, before).expect("written");
    assert_eq!(callers(&mut client), "");
    client.end();
}

#[test]
fn requests_sent_before_the_end_of_input_are_answered() {
    let mut client = Client::on(&fixture("go-small"));
    client.shake_hands();
    let id = client.send(
        "tools/call",
        json!({"name": "cortex_graph", "arguments": {"operation": "callers", "target": "greet.Say"}}),
    );
    drop(client.input.take());
    assert_eq!(client.next()["id"], id);
}

#[test]
fn a_broken_line_does_not_end_the_session() {
    let mut client = Client::on(&fixture("go-small"));
    client.shake_hands();
    let input = client.input.as_mut().expect("still open");
    writeln!(input, "{{\"jsonrpc\": \"2.0\", \"id\": 7, nonsense").expect("it reads");
    let id = client.send("ping", json!({}));
    // An error for the line may come first.
    let answer = loop {
        let answer = client.next();
        if answer["id"] == id {
            break answer;
        }
    };
    assert!(answer.get("result").is_some());
}

#[test]
fn a_client_that_disconnects_at_once_is_no_error() {
    let client = Client::on(&fixture("go-small"));
    client.end();
}
