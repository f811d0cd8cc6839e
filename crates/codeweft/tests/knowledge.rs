//! `codeweft knowledge`: answers of the running server, of a process alone, and pictures.

mod fixture;
mod workspace;

use std::fs;

use codeweft_testing::{SHOP, texts};
use serde_json::{Value, json};
use workspace::{Client, TestWorkspace};

/// Returns a workspace of three services.
fn shop() -> TestWorkspace {
    let workspace = TestWorkspace::new();
    for (path, text) in texts(SHOP) {
        let path = workspace.site.root().join(path);
        fs::create_dir_all(path.parent().expect("below the root")).expect("a folder");
        fs::write(path, text).expect("written");
    }
    workspace
}

#[test]
fn the_command_line_answers_alone_and_says_what_there_is_instead_of_an_unknown_name() {
    let workspace = shop();
    let run = |arguments: &[&str]| workspace.run(arguments);
    let service = run(&["knowledge", "service", "orders", "--disk"]);
    assert_eq!(service.code, 0, "{}", service.err);
    assert!(service.out.contains("- Depends on: pay"), "{}", service.out);
    let unknown = run(&["knowledge", "service", "order"]);
    assert_eq!(unknown.code, 1);
    assert!(
        unknown.err.contains("no service `order`"),
        "{}",
        unknown.err
    );
    assert!(unknown.err.contains("nearest: orders"), "{}", unknown.err);
    let wrong = run(&[
        "knowledge",
        "around",
        "service::pay",
        "--radius",
        "9",
        "--json",
    ]);
    assert_eq!(wrong.code, 2);
    let error: Value = serde_json::from_str(&wrong.out).expect("JSON");
    assert_eq!(error["error_type"], "invalid_request");
    let settings = workspace.site.root().join("codeweft.toml");
    fs::write(settings, "[knowledge]\nenabled = false\n").expect("written");
    let disabled = run(&["knowledge", "overview"]);
    assert_eq!(disabled.code, 1);
    assert!(
        disabled.out.contains("[knowledge] enabled = false"),
        "{}",
        disabled.out
    );
    workspace.nothing_is_left();
}

#[test]
fn a_running_server_answers_with_what_an_agent_sees() {
    let workspace = shop();
    let mut agent = Client::start(workspace.command(&["mcp", "--tools", "all"]));
    agent.ask();
    agent.answer_is_right();
    let (pid, _) = workspace.server();
    let overview = workspace.run(&["knowledge", "overview", "--json"]);
    assert_eq!(overview.code, 0, "{}", overview.err);
    let overview: Value = serde_json::from_str(&overview.out).expect("JSON");
    assert_eq!(
        overview["services_indexed"],
        json!(["orders", "pay", "web"])
    );
    let alone = workspace.run(&["knowledge", "events", "--json", "--disk"]);
    let served = workspace.run(&["knowledge", "events", "--json"]);
    assert_eq!(alone.out, served.out);
    assert_eq!(workspace.servers(), [pid]);
    agent.end();
    workspace.end();
}

#[test]
fn a_map_is_a_page_or_a_drawing() {
    let workspace = shop();
    let mermaid = workspace.run(&["knowledge", "map", "--format", "mermaid"]);
    expect_test::expect![[r#"
        ---
        title: "Services and their calls"
        ---
        flowchart TD
            n0["orders"]
            n1["pay"]
            n2["web"]
            n3["orderCreated"]
            n4["orderLost"]
            n0 -->|"Charge"| n1
            n2 -.-> n0
            n0 --> n3
            n3 --> n2
            n0 --> n4
    "#]]
    .assert_eq(&mermaid.out);
    let one = ["knowledge", "map", "--format", "dot", "--service", "pay"];
    expect_test::expect![[r##"
        digraph {
            label="Services and their calls"
            labelloc=t
            rankdir=TB
            newrank=true
            graph [fontname="Helvetica,Arial,sans-serif", color="#d3d8e0"]
            node [shape=box, style=rounded, fontname="Helvetica,Arial,sans-serif", color="#667085"]
            edge [fontname="Helvetica,Arial,sans-serif", fontsize=10, color="#9aa5b4"]
            n0 [label="orders", tooltip="service::orders"]
            n1 [label="pay", tooltip="service::pay"]
            n0 -> n1 [label="Charge"]
        }
    "##]]
    .assert_eq(&workspace.run(&one).out);
    let around = "endpoint::pay::POST::/shop.pay.Payments/Charge";
    let around = [
        "knowledge",
        "map",
        "--format",
        "mermaid",
        "--around",
        around,
    ];
    expect_test::expect![[r#"
        ---
        title: "Around endpoint::pay::POST::/shop.pay.Payments/Charge"
        ---
        flowchart LR
            subgraph g0["pay"]
                n0["● POST /shop.pay.Payments/Charge"]
                n1["proto/pay.proto"]
                n2["Charge"]
            end
            n3["pay"]
            n1 ==>|"exposes endpoint"| n0
            n3 -->|"provides contract"| n1
            n2 ==>|"handles endpoint"| n0
            linkStyle 0,2 stroke:#c2500c
    "#]]
    .assert_eq(&workspace.run(&around).out);
    let page = workspace.site.root().join("page.html");
    let page = page.to_str().expect("UTF-8");
    let node = "symbol::pay/main.go::server.Charge";
    let written = workspace.run(&[
        "knowledge",
        "map",
        "--no-open",
        "-o",
        page,
        "--around",
        node,
    ]);
    assert_eq!((written.code, written.out.trim()), (0, page));
    let text = fs::read_to_string(page).expect("written");
    for words in [
        "may reach these services",
        "Services and their calls",
        "Endpoints and their callers",
        "Events",
        "Entities",
    ] {
        assert!(text.contains(words), "{words}");
    }
    // It loads nothing.
    assert!(text.contains("default-src 'none'"));
    let unknown = workspace.run(&[
        "knowledge",
        "map",
        "--around",
        "service::orderz",
        "--no-open",
    ]);
    assert_eq!(unknown.code, 1);
    assert!(
        unknown.err.contains("nearest: service::orders"),
        "{}",
        unknown.err
    );
    workspace.nothing_is_left();
}
