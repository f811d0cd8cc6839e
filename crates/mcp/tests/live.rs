//! MCP sessions on a live host.

mod client;

use std::fmt::Write as _;
use std::future::pending;

use client::{Client, host, session};
use codeweft_mcp::run_proxy;
use codeweft_workspace::HostState;
use rmcp::model::ProtocolVersion;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::Instant;

trait Calls {
    async fn call(&mut self, operation: &str, target: &str) -> Value;
}

impl<S: AsyncRead + AsyncWrite> Calls for Client<S> {
    async fn call(&mut self, operation: &str, target: &str) -> Value {
        let id = self.send("tools/call", call(operation, target)).await;
        let answer = self.next().await;
        assert_eq!(answer["id"], id);
        answer["result"].clone()
    }
}

fn call(operation: &str, target: &str) -> Value {
    json!({"name": "cortex_graph", "arguments": {"operation": operation, "target": target}})
}

fn ids(result: &Value) -> Vec<&str> {
    let results = result["structuredContent"]["results"].as_array();
    let results = results.unwrap_or_else(|| panic!("results: {result}"));
    results
        .iter()
        .filter_map(|found| found["node"]["id"].as_str())
        .collect()
}

const SMALL: &str = "package m

func callee() {}

func one() { callee() }

func two() {}
";

/// Returns a workspace with `SMALL` in `m.go`.
fn small() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("go.mod"), "module m\n").expect("written");
    std::fs::write(folder.path().join("m.go"), SMALL).expect("written");
    folder
}

/// Returns a workspace that takes a while to load.
fn large() -> TempDir {
    let folder = small();
    for file in 0..60 {
        let mut text = "package m\n\n".to_owned();
        for n in 0..600 {
            writeln!(text, "func f{file}_{n}(a int) int {{ return a + {n} }}").expect("memory");
        }
        std::fs::write(folder.path().join(format!("f{file}.go")), text).expect("written");
    }
    folder
}

/// Returns what a client gets for every request that depends on the build alone.
async fn built_in<S: AsyncRead + AsyncWrite>(
    mut client: Client<S>,
    version: &ProtocolVersion,
) -> Vec<String> {
    let mut lines = Vec::new();
    let mut params = json!({});
    if version.has_initialize() {
        client.send("ping", json!({})).await;
        lines.push(client.line().await);
        lines.push(client.handshake(version.as_str()).await);
    } else {
        // The newest version has no handshake and is answered by the one before.
        params = json!({"_meta": {
            "io.modelcontextprotocol/protocolVersion": version.as_str(),
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
        }});
        client.send("server/discover", params.clone()).await;
        lines.push(client.line().await);
    }
    for method in [
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "logging/setLevel",
        "ping",
    ] {
        client.send(method, params.clone()).await;
        lines.push(client.line().await);
    }
    lines
}

#[tokio::test(flavor = "multi_thread")]
async fn built_in_answers_are_byte_equal_with_and_without_a_host() {
    let folder = small();
    let host = host(folder.path());
    for version in ProtocolVersion::KNOWN_VERSIONS {
        let (client, _session) = session(&host);
        let with = built_in(client, version).await;
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (read, write) = tokio::io::split(theirs);
        tokio::spawn(run_proxy(read, write, pending));
        let without = built_in(Client::new(ours), version).await;
        assert_eq!(with, without, "{version}");
        let named = with.iter().any(|line| line.contains("\"codeweft\""));
        let listed = with.iter().any(|line| line.contains("\"cortex_graph\""));
        assert!(named && listed, "{version}: {with:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_sessions_on_one_host_are_answered_at_once() {
    let folder = small();
    let host = host(folder.path());
    let (mut first, _first) = session(&host);
    let (mut second, _second) = session(&host);
    first.handshake("2025-06-18").await;
    second.handshake("2024-11-05").await;
    for _ in 0..20 {
        let (callers, callees) = tokio::join!(
            first.call("callers", "callee"),
            second.call("callees", "one")
        );
        assert_eq!(ids(&callers), ["m.one"]);
        assert_eq!(ids(&callees), ["m.callee"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lifecycle_without_a_handshake_is_served() {
    let folder = small();
    let host = host(folder.path());
    let (mut client, _session) = session(&host);
    let mut params = call("callers", "callee");
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    client.notify("notifications/cancelled", json!({})).await;
    client.send("tools/call", params).await;
    assert_eq!(ids(&client.next().await["result"]), ["m.one"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn unsaved_text_of_another_client_is_in_the_next_answer() {
    let folder = small();
    let host = host(folder.path());
    let (mut client, _session) = session(&host);
    client.handshake("2025-06-18").await;
    let before = client.call("callers", "callee").await;
    assert_eq!(ids(&before), ["m.one"]);
    assert_eq!(
        before["structuredContent"]["metadata"]["unsaved"],
        json!([])
    );
    let editor = host.connect("editor");
    let path = format!("{}/m.go", host.root());
    let typed = SMALL.replace("func two() {}", "func two() { callee() }");
    host.open(editor, &path, 1, &typed);
    let result = client.call("callers", "callee").await;
    assert_eq!(ids(&result), ["m.one", "m.two"]);
    assert_eq!(
        result["structuredContent"]["metadata"]["unsaved"],
        json!(["m.go"])
    );
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!(text.contains("m.two unsaved"), "{text}");
    assert!(text.contains("unsaved in an editor: m.go"), "{text}");
    host.leave(editor);
    let after = client.call("callers", "callee").await;
    assert_eq!(ids(&after), ["m.one"]);
}

/// Returns a workspace with 300 callers of `callee`, one of which has 400 lines and 200 calls of it, and
/// more names that end in `callee` than an error lists.
fn busy() -> TempDir {
    let folder = small();
    let write = |name: &str, text: String| {
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    for file in 0..30 {
        let callers = (0..10).map(|n| {
            format!("func f{file}_{n}(first, second int) {{\n\tcallee()\n\tif first > second {{\n\t\tcallee()\n\t}}\n}}\n\n")
        });
        write(
            &format!("f{file}.go"),
            format!("package m\n\n{}", callers.collect::<String>()),
        );
    }
    let lines = (0..200).map(|n| format!("\tcallee()\n\tprintln(\"\\t{n}\", `\"`)\n"));
    let methods = (0..30).map(|n| format!("type T{n} struct{{}}\n\nfunc (T{n}) twin() {{}}\n\n"));
    write(
        "long.go",
        format!(
            "package m\n\nfunc long() {{\n{}}}\n\n{}",
            lines.collect::<String>(),
            methods.collect::<String>()
        ),
    );
    folder
}

/// Returns the tokens of text and structure of a result together.
fn tokens(result: &Value) -> usize {
    let vocabulary = tiktoken::get_encoding("o200k_base").expect("compiled in");
    let count = |text: &str| vocabulary.count(text);
    let text = result["content"][0]["text"].as_str().expect("a text");
    count(text) + count(&result["structuredContent"].to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answer_has_more_tokens_than_it_may_have() {
    let folder = busy();
    let host = host(folder.path());
    let (mut client, _session) = session(&host);
    client.handshake("2025-06-18").await;
    let mut cut = 0;
    for (operation, target) in [
        ("callers", "callee"),
        ("references", "callee"),
        ("impact", "callee"),
        ("definition", "m.long"),
        ("definition", "%f1%"),
        ("callees", "m.long"),
        ("callers", "f29.go"),
        ("callers", "twin"),
        ("callers", "nothing.like.it"),
    ] {
        for further in [
            json!({}),
            json!({"max_tokens": 500}),
            json!({"max_tokens": 500, "include_context": true}),
            json!({"max_tokens": 1500, "include_context": true, "max_results": 500}),
            json!({"max_tokens": 32000, "include_context": true, "max_results": 500}),
            json!({"max_tokens": 700, "offset": 100}),
            json!({"max_tokens": 500, "exclude_patterns": vec!["%no such folder%"; 400]}),
        ] {
            let mut params = call(operation, target);
            let arguments = params["arguments"].as_object_mut().expect("fields");
            arguments.extend(further.as_object().cloned().unwrap_or_default());
            client.send("tools/call", params).await;
            let result = client.next().await["result"].clone();
            let most = further["max_tokens"].as_u64().unwrap_or(4_000) as usize;
            let tokens = tokens(&result);
            assert!(tokens <= most, "{operation} {target} {further}: {tokens}");
            let text = result["content"][0]["text"].as_str().expect("a text");
            let structure = &result["structuredContent"];
            if result["isError"] == true {
                continue;
            }
            let ids = ids(&result);
            assert!(ids.iter().all(|id| text.contains(id)), "{text}");
            if structure["total_found"] != ids.len() {
                cut += 1;
                assert!(
                    structure["truncated"] == true || further["offset"].is_u64(),
                    "{text}"
                );
                assert!(text.contains("\ncut: "), "{text}");
            }
        }
    }
    assert!(cut > 10, "{cut}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_of_an_answer_have_each_row_once() {
    let folder = busy();
    let host = host(folder.path());
    let (mut client, _session) = session(&host);
    client.handshake("2025-06-18").await;
    let mut seen: Vec<String> = Vec::new();
    let mut params = call("callers", "callee");
    loop {
        client.send("tools/call", params.clone()).await;
        let result = client.next().await["result"].clone();
        seen.extend(ids(&result).into_iter().map(str::to_owned));
        let structure = &result["structuredContent"];
        if structure["next_offset"].is_null() {
            assert_eq!(structure["total_found"], 302);
            break;
        }
        params["arguments"]["offset"] = structure["next_offset"].clone();
    }
    assert_eq!(seen.len(), 302);
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 302);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_gets_the_whole_answer() {
    let folder = busy();
    let host = host(folder.path());
    let (mut client, _session) = session(&host);
    client.handshake("2025-06-18").await;
    let mut params = call("callers", "callee");
    params["arguments"]["max_results"] = json!(500);
    params["_meta"] = json!({"codeweft/whole": true});
    client.send("tools/call", params).await;
    let result = client.next().await["result"].clone();
    assert_eq!(ids(&result).len(), 302);
    let first = &result["structuredContent"]["results"][0];
    assert!(first["context"].is_string() && first["node"]["name_line"].is_u64());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_call_is_not_answered_and_the_session_continues() {
    let folder = large();
    let host = host(folder.path());
    let (mut client, _session) = session(&host);
    client.handshake("2025-06-18").await;
    let id = client.send("tools/call", call("callers", "callee")).await;
    let missing_reason = json!({"requestId": id, "reason": "enough"});
    client
        .notify("notifications/cancelled", missing_reason)
        .await;
    let answer = client.call("callers", "callee").await;
    assert_eq!(ids(&answer), ["m.one"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_calls_of_a_client_that_disconnects_are_cancelled() {
    let folder = large();
    let host = host(folder.path());
    let (mut client, session) = session(&host);
    client.handshake("2025-06-18").await;
    client.send("tools/call", call("callers", "callee")).await;
    // The message was read before the ping behind it was answered.
    client.send("ping", json!({})).await;
    client.next().await;
    drop(client);
    session.await.expect("no panic").expect("no error");
    let state = host.state();
    assert!(matches!(state, HostState::Loading(_)), "{state:?}");
}

/// The paused clock advances whenever no task is runnable; the host's threads run in real time.
#[tokio::test(start_paused = true)]
async fn a_client_that_waits_for_the_load_gets_progress_and_an_error_after_a_while() {
    let folder = large();
    let host = host(folder.path());
    let (mut client, _session) = session(&host);
    client.handshake("2025-06-18").await;
    let mut params = call("callers", "callee");
    params["_meta"] = json!({"progressToken": "token"});
    let id = client.send("tools/call", params).await;
    let since = Instant::now();
    let mut reported = Vec::new();
    let answer = loop {
        let message = client.next().await;
        if message["id"] == id {
            break message;
        }
        assert_eq!(message["method"], "notifications/progress");
        assert_eq!(message["params"]["progressToken"], "token");
        let done = message["params"]["progress"].as_f64().expect("a number");
        let total = message["params"]["total"].as_f64().expect("a number");
        assert!(done <= total && done.fract() == 0.0, "{message}");
        reported.push(done);
    };
    assert_eq!(since.elapsed().as_secs(), 20);
    assert_eq!(answer["result"]["isError"], true);
    let error = &answer["result"]["structuredContent"];
    assert_eq!(error["error_type"], "index_unavailable");
    let message = error["message"].as_str().expect("a text");
    assert!(message.contains("still being read: "), "{message}");
    assert!(reported.len() >= 2, "{reported:?}");
    assert!(
        reported.is_sorted_by(|one, next| one < next),
        "{reported:?}"
    );
}
