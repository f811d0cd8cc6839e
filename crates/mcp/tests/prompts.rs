//! Resources, prompts and completions on a live host: what they say is the answer of now.

mod client;

use client::{Client, host, session};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::UnixStream;

const SHOP: &str = "package shop

// Price returns what an order costs.
func Price(n int) int { return n * 2 }

func Bill() int { return Price(1) }
";

fn shop() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("go.mod"), "module shop\n").expect("written");
    std::fs::write(folder.path().join("shop.go"), SHOP).expect("written");
    folder
}

async fn ask(client: &mut Client<UnixStream>, method: &str, params: Value) -> Value {
    let id = client.send(method, params).await;
    loop {
        let message = client.next().await;
        if message["id"] == id {
            return message;
        }
    }
}

async fn read(client: &mut Client<UnixStream>, uri: &str) -> Value {
    ask(client, "resources/read", json!({"uri": uri})).await
}

fn text(message: &Value) -> &str {
    let text = &message["result"]["contents"][0]["text"];
    text.as_str().unwrap_or_else(|| panic!("a text: {message}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resource_is_the_answer_of_a_tool_and_follows_unsaved_text() {
    let folder = shop();
    let host = host(folder.path());
    let (mut client, _session) = session(&host);
    let hello = client.handshake("2025-06-18").await;
    for capability in ["prompts", "resources", "completions"] {
        assert!(hello.contains(&format!("\"{capability}\"")), "{hello}");
    }
    let callers = read(&mut client, "graph://callers/shop.Price").await;
    assert!(text(&callers).contains("shop.Bill"), "{callers}");
    assert_eq!(
        callers["result"]["contents"][0]["uri"],
        "graph://callers/shop.Price"
    );
    let callees = read(&mut client, "graph://callees/shop.Bill").await;
    assert!(text(&callees).contains("shop.Price"), "{callees}");
    let symbol = read(&mut client, "graph://symbol/Price").await;
    assert!(text(&symbol).contains("func Price(n int) int"), "{symbol}");
    let summary = read(&mut client, "graph://summary").await;
    assert!(text(&summary).contains('2'), "{summary}");
    let schema = read(&mut client, "graph://schema/cortex_graph").await;
    assert!(text(&schema).contains("\"inputSchema\""), "{schema}");

    let editor = host.connect("editor");
    let path = format!("{}/shop.go", host.root());
    let typed = format!("{SHOP}\nfunc Cart() int {{ return Price(2) }}\n");
    host.open(editor, &path, 1, &typed);
    let callers = read(&mut client, "graph://callers/shop.Price").await;
    assert!(text(&callers).contains("shop.Cart"), "{callers}");
    host.leave(editor);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resource_that_is_not_there_is_an_error_that_says_what_is() {
    let folder = shop();
    let host = host(folder.path());
    let (mut client, _session) = session(&host);
    client.handshake("2025-06-18").await;
    let missing = read(&mut client, "graph://callers/shop.Prise").await;
    let words = missing["error"]["message"].as_str().expect("an error");
    assert!(words.contains("shop.Price"), "{words}");
    let missing = read(&mut client, "graph://nothing").await;
    let words = missing["error"]["message"].as_str().expect("an error");
    assert!(words.contains("graph://summary"), "{words}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_begins_with_what_the_graph_says_now() {
    let folder = shop();
    let host = host(folder.path());
    let (mut client, _session) = session(&host);
    client.handshake("2025-06-18").await;
    let listed = ask(&mut client, "prompts/list", json!({})).await;
    let prompts = listed["result"]["prompts"].as_array().expect("a list");
    let names: Vec<&str> = prompts
        .iter()
        .filter_map(|it| it["name"].as_str())
        .collect();
    assert_eq!(names, ["refactor", "explain_impact", "review_change"]);
    for (name, arguments, parts) in [
        (
            "refactor",
            json!({"target": "shop.Price", "goal": "prices in cents"}),
            ["prices in cents", "shop.Bill", "shop.go"],
        ),
        (
            "explain_impact",
            json!({"target": "shop.Price", "change_type": "removal"}),
            ["(removal)", "shop.Bill", "func Price(n int) int"],
        ),
    ] {
        let params = json!({"name": name, "arguments": arguments});
        let answer = ask(&mut client, "prompts/get", params).await;
        let text = answer["result"]["messages"][0]["content"]["text"].as_str();
        let text = text.unwrap_or_else(|| panic!("a text: {answer}"));
        for part in parts {
            assert!(text.contains(part), "{name} has no {part}: {text}");
        }
        assert!(!text.contains("{target}"), "{text}");
    }
    for (params, words) in [
        (
            json!({"name": "explain_impact", "arguments": {"target": "Prise"}}),
            "Price",
        ),
        (json!({"name": "refactor"}), "`target` is required"),
        (json!({"name": "rewrite"}), "there are refactor"),
        // The folder is no repository.
        (json!({"name": "review_change"}), "repository"),
    ] {
        let answer = ask(&mut client, "prompts/get", params).await;
        let said = answer["error"]["message"].as_str();
        let said = said.unwrap_or_else(|| panic!("an error: {answer}"));
        assert!(said.contains(words), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_typed_is_completed_by_symbols_kinds_and_tools() {
    let folder = shop();
    let host = host(folder.path());
    let (mut client, _session) = session(&host);
    client.handshake("2025-06-18").await;
    let of_resource = |uri: &str| json!({"type": "ref/resource", "uri": uri});
    let of_prompt = json!({"type": "ref/prompt", "name": "explain_impact"});
    for (reference, name, value, expected) in [
        (
            of_resource("graph://callers/{symbol}"),
            "symbol",
            "Pri",
            json!(["shop.Price"]),
        ),
        (
            of_resource("graph://schema/{tool}"),
            "tool",
            "cortex_a",
            json!(["cortex_analysis"]),
        ),
        (of_prompt.clone(), "target", "Bil", json!(["shop.Bill"])),
        (of_prompt.clone(), "change_type", "re", json!(["removal"])),
        (of_prompt.clone(), "target", "", json!([])),
        (of_prompt, "goal", "a", json!([])),
    ] {
        let params = json!({"ref": reference, "argument": {"name": name, "value": value}});
        let answer = ask(&mut client, "completion/complete", params).await;
        assert_eq!(
            answer["result"]["completion"]["values"], expected,
            "{name} {value}"
        );
    }
}
