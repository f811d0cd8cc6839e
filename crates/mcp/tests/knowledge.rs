//! The tools of the knowledge graph on a live host.

mod client;

use std::path::Path;
use std::time::Duration;

use client::{Client, host, session};
use codeweft_workspace::AnalysisHost;
use expect_test::{Expect, expect};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::UnixStream;

const CONTRACT: &str = "openapi: 3.0.0
info: {title: Orders, version: 1.0.0}
paths:
  /orders/{id}:
    get: {operationId: app.views.get_order}
";

const EVENTS: &str = "asyncapi: 3.0.0
info: {title: Events, version: 1.0.0}
channels: {made: {address: orders.created}}
operations:
  orderCreated: {action: send, channel: {$ref: '#/channels/made'}}
";

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
    std::fs::write(path, text).expect("written");
}

/// Returns a workspace with the service `orders`, its contract and its code.
fn shop() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let compose = "services:\n  orders: {build: ./orders}\n  web: {build: ./web, environment: {ORDERS: 'http://orders:80'}}\n";
    write(folder.path(), "compose.yaml", compose);
    write(folder.path(), "orders/Dockerfile", "FROM python\n");
    write(folder.path(), "web/Dockerfile", "FROM python\n");
    write(folder.path(), "web/main.py", "def main(): pass\n");
    write(folder.path(), "orders/api.yaml", CONTRACT);
    write(folder.path(), "orders/events.yaml", EVENTS);
    write(folder.path(), "orders/app/__init__.py", "");
    write(
        folder.path(),
        "orders/app/views.py",
        "def get_order(id): return id\n",
    );
    folder
}

async fn call(client: &mut Client<UnixStream>, tool: &str, arguments: Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    let id = client.send("tools/call", params).await;
    loop {
        let message = client.next().await;
        if message["id"] == id {
            return message["result"].clone();
        }
    }
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().expect("a text")
}

async fn tools(client: &mut Client<UnixStream>) -> usize {
    let id = client.send("tools/list", json!({})).await;
    let answer = client.next().await;
    assert_eq!(answer["id"], id);
    answer["result"]["tools"].as_array().map_or(0, Vec::len)
}

async fn expect_other_tools(client: &mut Client<UnixStream>) {
    let message = client.next().await;
    assert_eq!(message["method"], "notifications/tools/list_changed");
}

async fn settled(host: &AnalysisHost) {
    let (done, loaded) = tokio::sync::oneshot::channel();
    let done = std::sync::Mutex::new(Some(done));
    host.when_loaded(move |_| {
        if let Some(done) = done.lock().expect("no panic").take() {
            let _ = done.send(());
        }
    });
    loaded.await.expect("it loads");
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_for_services_are_listed_while_there_are_services_or_contracts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), "a.py", "def f(): pass\n");
    let host = host(folder.path());
    let (mut client, _session) = session(&host);
    client.handshake("2025-06-18").await;
    settled(&host).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(tools(&mut client).await, 3);
    let editor = host.connect("editor");
    let path = format!("{}/api.yaml", host.root());
    host.open(editor, &path, 1, CONTRACT);
    expect_other_tools(&mut client).await;
    assert_eq!(tools(&mut client).await, 10);
    host.close(editor, &path);
    expect_other_tools(&mut client).await;
    assert_eq!(tools(&mut client).await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_the_newest_protocol_is_notified_if_it_has_subscribed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), "a.py", "def f(): pass\n");
    let host = host(folder.path());
    let (mut client, _session) = session(&host);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
    });
    let params = json!({"_meta": meta, "notifications": {"toolsListChanged": true}});
    let id = client.send("subscriptions/listen", params).await;
    let acknowledged = client.next().await;
    assert_eq!(
        acknowledged["method"],
        "notifications/subscriptions/acknowledged"
    );
    settled(&host).await;
    let editor = host.connect("editor");
    host.open(editor, &format!("{}/api.yaml", host.root()), 1, CONTRACT);
    let mut subscribed = false;
    for _ in 0..2 {
        // One for the proxy, which does not pass it on, and one of the subscription.
        let message = client.next().await;
        assert_eq!(message["method"], "notifications/tools/list_changed");
        subscribed |= message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == id;
    }
    assert!(subscribed);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_has_what_an_editor_has_not_saved() {
    let folder = shop();
    let host = host(folder.path());
    let (mut client, _session) = session(&host);
    client.handshake("2025-06-18").await;
    settled(&host).await;
    let arguments = json!({"service_name": "orders"});
    let before = call(&mut client, "get_service_context", arguments.clone()).await;
    assert!(text(&before).contains("- GET /orders/{id} -> symbol::orders/app/views.py::get_order"));
    let editor = host.connect("editor");
    let path = |name: &str| format!("{}/{name}", host.root());
    // A handler, a contract and an event: none of it is saved.
    host.open(
        editor,
        &path("orders/app/views.py"),
        1,
        "def read_order(id): return id\n",
    );
    let contract = CONTRACT
        .replace("get_order", "read_order")
        .replace("/orders/", "/bills/");
    host.open(editor, &path("orders/api.yaml"), 1, &contract);
    let events = EVENTS.replace("orders.created", "bills.created");
    host.open(editor, &path("orders/events.yaml"), 1, &events);
    let after = call(&mut client, "get_service_context", arguments).await;
    let words = text(&after);
    assert!(
        words.contains("- GET /bills/{id} -> symbol::orders/app/views.py::read_order"),
        "{words}"
    );
    assert!(
        words.contains("bills.created") && !words.contains("orders.created"),
        "{words}"
    );
    let unsaved = json!([
        "orders/api.yaml",
        "orders/app/views.py",
        "orders/events.yaml"
    ]);
    assert_eq!(after["structuredContent"]["metadata"]["unsaved"], unsaved);
    assert!(words.contains("unsaved: orders/api.yaml"), "{words}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_service_or_node_is_an_error_with_the_nearest() {
    let folder = shop();
    let host = host(folder.path());
    let (mut client, _session) = session(&host);
    client.handshake("2025-06-18").await;
    for (tool, arguments) in [
        ("get_service_context", json!({"service_name": "order"})),
        (
            "check_cross_service_events",
            json!({"service_name": "order"}),
        ),
        (
            "query_graph_neighborhood",
            json!({"node_id": "service::order"}),
        ),
        (
            "find_cross_service_impact",
            json!({"node_id": "service::order"}),
        ),
        (
            "hybrid_search",
            json!({"query": "a", "anchor_node_id": "service::order"}),
        ),
    ] {
        let result = call(&mut client, tool, arguments).await;
        assert_eq!(result["isError"], true, "{tool}");
        let error = &result["structuredContent"];
        assert_eq!(error["error_type"], "target_not_found", "{tool}");
        let nearest = error["candidates"][0].as_str().expect("a candidate");
        assert!(nearest.ends_with("orders"), "{tool}: {error}");
    }
    for (tool, arguments, words) in [
        (
            "query_graph_neighborhood",
            json!({"node_id": "service::orders", "radius": 6}),
            "radius: use 1 to 5",
        ),
        (
            "find_cross_service_impact",
            json!({"node_id": "service::orders", "max_depth": 0}),
            "max_depth: use 1 to 10",
        ),
        (
            "validate_service_boundaries",
            json!({"resolution": 0}),
            "resolution: use 0.01 to 10",
        ),
        (
            "get_service_context",
            json!({"service": "orders"}),
            "unknown field `service`",
        ),
        (
            "build_knowledge_graph",
            json!({"service_interfaces_json": "["}),
            "service_interfaces_json: use an object",
        ),
    ] {
        let result = call(&mut client, tool, arguments).await;
        let error = &result["structuredContent"];
        assert_eq!(error["error_type"], "invalid_request", "{tool}");
        let message = error["message"].as_str().expect("a message");
        assert!(message.contains(words), "{tool}: {message}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_graph_is_disabled_answers_are_empty_and_say_why() {
    let folder = shop();
    let host = client::host_with(folder.path(), &[("knowledge_enabled", "false")]);
    let (mut client, _session) = session(&host);
    client.handshake("2025-06-18").await;
    settled(&host).await;
    for (tool, arguments) in [
        ("build_knowledge_graph", json!({})),
        ("get_service_context", json!({"service_name": "orders"})),
        (
            "query_graph_neighborhood",
            json!({"node_id": "service::orders"}),
        ),
        ("hybrid_search", json!({"query": "orders"})),
        (
            "find_cross_service_impact",
            json!({"node_id": "service::orders"}),
        ),
        ("validate_service_boundaries", json!({})),
        ("check_cross_service_events", json!({})),
    ] {
        let result = call(&mut client, tool, arguments).await;
        assert_ne!(result["isError"], true, "{tool}");
        let words = "there is no knowledge graph: codeweft.toml says [knowledge] enabled = false";
        assert_eq!(text(&result), words, "{tool}");
        assert_eq!(result["structuredContent"]["note"], words, "{tool}");
    }
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(tools(&mut client).await, 3);
}

/// Checks text and structure of an answer; what differs from run to run is taken out.
async fn check(client: &mut Client<UnixStream>, tool: &str, arguments: Value, expected: Expect) {
    let result = call(client, tool, arguments).await;
    let mut structure = result["structuredContent"].clone();
    assert_eq!(structure["metadata"]["partial"], false);
    let object = structure.as_object_mut().expect("an object");
    object.remove("metadata");
    if object.contains_key("build_time_ms") {
        object["build_time_ms"] = json!(0);
    }
    expected.assert_eq(&format!("{}\n\n{structure:#}", text(&result)));
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_are_rows_for_models_and_structures_for_programs() {
    let folder = shop();
    let host = host(folder.path());
    let (mut client, _session) = session(&host);
    client.handshake("2025-06-18").await;
    let orders = "endpoint::orders::GET::/orders/{}";
    let named = json!({"a": {"paths": ["orders"]}}).to_string();
    for (tool, arguments, expected) in [
        (
            "build_knowledge_graph",
            json!({"force_rebuild": false}),
            expect![[r#"
            services: orders, web
            16 nodes, 15 edges, 4 communities
              contract: 2
              endpoint: 1
              event: 1
              file: 8
              service: 2
              symbol: 2
              CONTAINS_FILE: 7
              DEFINES_SYMBOL: 2
              EXPOSES_ENDPOINT: 1
              HANDLES_ENDPOINT: 1
              PROVIDES_CONTRACT: 2
              PUBLISHES_EVENT: 1
              SERVICE_CALLS: 1

            {
              "success": true,
              "node_count": 16,
              "edge_count": 15,
              "node_types": {
                "contract": 2,
                "endpoint": 1,
                "event": 1,
                "file": 8,
                "service": 2,
                "symbol": 2
              },
              "edge_types": {
                "CONTAINS_FILE": 7,
                "DEFINES_SYMBOL": 2,
                "EXPOSES_ENDPOINT": 1,
                "HANDLES_ENDPOINT": 1,
                "PROVIDES_CONTRACT": 2,
                "PUBLISHES_EVENT": 1,
                "SERVICE_CALLS": 1
              },
              "community_count": 4,
              "build_time_ms": 0,
              "services_indexed": [
                "orders",
                "web"
              ],
              "errors": []
            }"#]],
        ),
        (
            "build_knowledge_graph",
            json!({"service_interfaces_json": named}),
            expect![[r#"
            services: a
            15 nodes, 12 edges, 5 communities
              contract: 2
              endpoint: 1
              event: 1
              file: 8
              service: 1
              symbol: 2
              CONTAINS_FILE: 5
              DEFINES_SYMBOL: 2
              EXPOSES_ENDPOINT: 1
              HANDLES_ENDPOINT: 1
              PROVIDES_CONTRACT: 2
              PUBLISHES_EVENT: 1

            {
              "success": true,
              "node_count": 15,
              "edge_count": 12,
              "node_types": {
                "contract": 2,
                "endpoint": 1,
                "event": 1,
                "file": 8,
                "service": 1,
                "symbol": 2
              },
              "edge_types": {
                "CONTAINS_FILE": 5,
                "DEFINES_SYMBOL": 2,
                "EXPOSES_ENDPOINT": 1,
                "HANDLES_ENDPOINT": 1,
                "PROVIDES_CONTRACT": 2,
                "PUBLISHES_EVENT": 1
              },
              "community_count": 5,
              "build_time_ms": 0,
              "services_indexed": [
                "a"
              ],
              "errors": []
            }"#]],
        ),
        (
            "get_service_context",
            json!({"service_name": "orders"}),
            expect![[r###"
                ## Graph RAG Context: orders

                ### Service Dependencies
                - Depended on by: web

                ### APIs This Service Provides
                - GET /orders/{id} -> symbol::orders/app/views.py::get_order

                ### Events
                - Publishes orderCreated on orders.created

                ### Integration Notes
                - No consumer of orderCreated in 1 AsyncAPI contract and recognised code.

                {
                  "service_name": "orders",
                  "provided_endpoints": [
                    {
                      "method": "GET",
                      "path": "/orders/{id}",
                      "handler": "symbol::orders/app/views.py::get_order",
                      "contract_id": "orders/api.yaml"
                    }
                  ],
                  "consumed_endpoints": [],
                  "events_published": [
                    {
                      "event_name": "orderCreated",
                      "channel": "orders.created"
                    }
                  ],
                  "events_consumed": [],
                  "owned_entities": [],
                  "referenced_entities": [],
                  "depends_on": [],
                  "depended_on_by": [
                    "web"
                  ],
                  "context_text": "## Graph RAG Context: orders\n\n### Service Dependencies\n- Depended on by: web\n\n### APIs This Service Provides\n- GET /orders/{id} -> symbol::orders/app/views.py::get_order\n\n### Events\n- Publishes orderCreated on orders.created\n\n### Integration Notes\n- No consumer of orderCreated in 1 AsyncAPI contract and recognised code.\n"
                }"###]],
        ),
        (
            "query_graph_neighborhood",
            json!({"node_id": orders, "radius": 1}),
            expect![[r#"
            endpoint::orders::GET::/orders/{}
              contract::orders/api.yaml EXPOSES_ENDPOINT endpoint::orders::GET::/orders/{}
              symbol::orders/app/views.py::get_order HANDLES_ENDPOINT endpoint::orders::GET::/orders/{}
            3 of 3 nodes

            {
              "center_node": {
                "id": "endpoint::orders::GET::/orders/{}",
                "node_type": "endpoint",
                "method": "GET",
                "path": "/orders/{id}",
                "service_name": "orders",
                "handler_symbol": "symbol::orders/app/views.py::get_order",
                "operation_id": "app.views.get_order",
                "summary": "",
                "file_path": "orders/api.yaml",
                "line": 5,
                "pagerank": 0.1606803506054043,
                "community_id": 0
              },
              "nodes": [
                {
                  "id": "endpoint::orders::GET::/orders/{}",
                  "node_type": "endpoint",
                  "method": "GET",
                  "path": "/orders/{id}",
                  "service_name": "orders",
                  "handler_symbol": "symbol::orders/app/views.py::get_order",
                  "operation_id": "app.views.get_order",
                  "summary": "",
                  "file_path": "orders/api.yaml",
                  "line": 5,
                  "pagerank": 0.1606803506054043,
                  "community_id": 0
                },
                {
                  "id": "symbol::orders/app/views.py::get_order",
                  "node_type": "symbol",
                  "symbol_name": "get_order",
                  "kind": "function",
                  "language": "python",
                  "service_name": "orders",
                  "file_path": "orders/app/views.py",
                  "line_start": 1,
                  "line_end": 1,
                  "signature": "def get_order(id)",
                  "is_exported": true,
                  "graph_id": "orders.app.views.get_order",
                  "pagerank": 0.0868542435915941,
                  "community_id": 0
                },
                {
                  "id": "contract::orders/api.yaml",
                  "node_type": "contract",
                  "contract_id": "orders/api.yaml",
                  "contract_type": "openapi",
                  "version": "1.0.0",
                  "service_name": "orders",
                  "status": "active",
                  "file_path": "orders/api.yaml",
                  "line": 1,
                  "pagerank": 0.05020455225269992,
                  "community_id": 0
                }
              ],
              "edges": [
                {
                  "source": "contract::orders/api.yaml",
                  "target": "endpoint::orders::GET::/orders/{}",
                  "relation": "EXPOSES_ENDPOINT"
                },
                {
                  "source": "symbol::orders/app/views.py::get_order",
                  "target": "endpoint::orders::GET::/orders/{}",
                  "relation": "HANDLES_ENDPOINT",
                  "found_by": "module_path"
                }
              ],
              "total_nodes_in_neighborhood": 3,
              "truncated": false
            }"#]],
        ),
        (
            "hybrid_search",
            json!({"query": "get order", "n_results": 2}),
            expect![[r#"
                0.974  endpoint::orders::GET::/orders/{}  orders/api.yaml
                0.816  symbol::orders/app/views.py::get_order  orders/app/views.py

                {
                  "results": [
                    {
                      "node_id": "endpoint::orders::GET::/orders/{}",
                      "node_type": "endpoint",
                      "score": 0.9744596177806768,
                      "semantic_score": 0.9574326963011284,
                      "graph_score": 1.0,
                      "distance": -1,
                      "file_path": "orders/api.yaml",
                      "service_name": "orders"
                    },
                    {
                      "node_id": "symbol::orders/app/views.py::get_order",
                      "node_type": "symbol",
                      "score": 0.8162162162687561,
                      "semantic_score": 1.0,
                      "graph_score": 0.5405405406718901,
                      "distance": -1,
                      "file_path": "orders/app/views.py",
                      "service_name": "orders"
                    }
                  ],
                  "query": "get order",
                  "anchor_node_id": "",
                  "compared_by": "words"
                }"#]],
        ),
        (
            "find_cross_service_impact",
            json!({"node_id": orders}),
            expect![[r#"
                endpoint::orders::GET::/orders/{} (orders): 5 nodes reached
                service web: 1 nodes
                  endpoint::orders::GET::/orders/{} - contract::orders/api.yaml - service::orders - service::web
                contract orders/api.yaml (orders)
                  endpoint::orders::GET::/orders/{}

                {
                  "source_node": "endpoint::orders::GET::/orders/{}",
                  "source_service": "orders",
                  "impacted_services": [
                    {
                      "service_name": "web",
                      "impact_count": 1,
                      "impact_paths": [
                        [
                          "endpoint::orders::GET::/orders/{}",
                          "contract::orders/api.yaml",
                          "service::orders",
                          "service::web"
                        ]
                      ]
                    }
                  ],
                  "impacted_contracts": [
                    {
                      "contract_id": "orders/api.yaml",
                      "service_name": "orders",
                      "endpoints_affected": [
                        "endpoint::orders::GET::/orders/{}"
                      ]
                    }
                  ],
                  "impacted_entities": [],
                  "total_impacted_nodes": 5
                }"#]],
        ),
        (
            "validate_service_boundaries",
            json!({}),
            expect![[r#"
            2 services, 7 communities, alignment 1.000
            without edges: orders/Dockerfile, orders/api.yaml, orders/app/__init__.py, orders/app/views.py, orders/events.yaml, web/Dockerfile, web/main.py

            {
              "communities_detected": 7,
              "services_declared": 2,
              "alignment_score": 1.0,
              "misplaced_files": [],
              "isolated_files": [
                "orders/Dockerfile",
                "orders/api.yaml",
                "orders/app/__init__.py",
                "orders/app/views.py",
                "orders/events.yaml",
                "web/Dockerfile",
                "web/main.py"
              ],
              "service_coupling": []
            }"#]],
        ),
        (
            "check_cross_service_events",
            json!({}),
            expect![[r#"
                no known consumer  orderCreated  orders.created  orders -> -
                0 of 1 matched, by 1 AsyncAPI contract and recognised code

                {
                  "orphaned_events": [
                    {
                      "event_name": "orderCreated",
                      "channel": "orders.created",
                      "publishers": [
                        "orders"
                      ],
                      "consumers": []
                    }
                  ],
                  "unmatched_consumers": [],
                  "matched_events": [],
                  "total_events": 1,
                  "known_from": "1 AsyncAPI contract and recognised code",
                  "match_rate": 0.0
                }"#]],
        ),
    ] {
        check(&mut client, tool, arguments, expected).await;
    }
}
