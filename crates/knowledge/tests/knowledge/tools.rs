//! The tools on the graph of a small workspace.

use codeweft_knowledge::graph::Graph;
use codeweft_knowledge::tools::{
    MAX_CONTEXT_TOKENS, NeighborhoodRequest, SearchIndex, SearchRequest, ServiceContextRequest,
    ToolError, check_cross_service_events, find_cross_service_impact, get_service_context,
    hybrid_search, overview, query_graph_neighborhood, validate_service_boundaries,
};
use expect_test::{Expect, expect};
use serde::Serialize;

use crate::{SHOP, graph, load};

fn shop() -> Graph {
    graph(&load(SHOP))
}

/// Counts words, as tests need no vocabulary.
fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn check(answer: &impl Serialize, expected: Expect) {
    expected.assert_eq(&serde_json::to_string_pretty(answer).unwrap());
}

fn message(error: ToolError) -> String {
    format!(
        "{}: {} {:?}",
        error.error_type, error.message, error.candidates
    )
}

#[test]
fn an_overview_counts_nodes_and_edges_by_type() {
    check(
        &overview(&shop(), 0),
        expect![[r#"
        {
          "success": true,
          "node_count": 66,
          "edge_count": 89,
          "node_types": {
            "contract": 5,
            "domain_entity": 2,
            "endpoint": 5,
            "event": 2,
            "file": 17,
            "service": 3,
            "symbol": 32
          },
          "edge_types": {
            "CALLS": 3,
            "CONSUMES_EVENT": 1,
            "CONTAINS_FILE": 14,
            "DEFINES_SYMBOL": 32,
            "DOMAIN_RELATIONSHIP": 1,
            "EXPOSES_ENDPOINT": 5,
            "HANDLES_ENDPOINT": 4,
            "IMPLEMENTS": 8,
            "IMPLEMENTS_ENTITY": 2,
            "IMPORTS": 5,
            "INHERITS": 2,
            "OWNS_ENTITY": 2,
            "PROVIDES_CONTRACT": 5,
            "PUBLISHES_EVENT": 2,
            "REFERENCES_ENTITY": 1,
            "SERVICE_CALLS": 2
          },
          "community_count": 7,
          "build_time_ms": 0,
          "services_indexed": [
            "orders",
            "pay",
            "web"
          ],
          "errors": []
        }"#]],
    );
}

#[test]
fn a_context_has_what_a_service_offers_uses_and_owns() {
    let context = get_service_context(&shop(), &ServiceContextRequest::new("orders"), &words);
    check(
        &context.unwrap(),
        expect![[r###"
        {
          "service_name": "orders",
          "provided_endpoints": [
            {
              "method": "DELETE",
              "path": "/v1/orders/{id}",
              "handler": "symbol::orders/main.go::server.DropOrder",
              "contract_id": "orders/openapi.yaml"
            },
            {
              "method": "GET",
              "path": "/v1/orders/{id}",
              "handler": "symbol::orders/main.go::server.GetOrder",
              "contract_id": "orders/openapi.yaml"
            }
          ],
          "consumed_endpoints": [
            {
              "method": "POST",
              "path": "/shop.pay.Payments/Charge",
              "provider_service": "pay"
            }
          ],
          "events_published": [
            {
              "event_name": "orderCreated",
              "channel": "orders.created"
            },
            {
              "event_name": "orderLost",
              "channel": "orders.lost"
            }
          ],
          "events_consumed": [],
          "owned_entities": [
            {
              "name": "Line",
              "fields": [
                {
                  "name": "count",
                  "type": "integer",
                  "required": false
                }
              ]
            },
            {
              "name": "Order",
              "fields": [
                {
                  "name": "id",
                  "type": "string",
                  "required": true
                },
                {
                  "name": "lines",
                  "type": "Line[]",
                  "required": false
                }
              ]
            }
          ],
          "referenced_entities": [],
          "depends_on": [
            "pay"
          ],
          "depended_on_by": [
            "web"
          ],
          "context_text": "## Graph RAG Context: orders\n\n### Service Dependencies\n- Depends on: pay\n- Depended on by: web\n\n### APIs This Service Consumes\n- POST /shop.pay.Payments/Charge (pay)\n\n### APIs This Service Provides\n- DELETE /v1/orders/{id} -> symbol::orders/main.go::server.DropOrder\n- GET /v1/orders/{id} -> symbol::orders/main.go::server.GetOrder\n\n### Events\n- Publishes orderCreated on orders.created\n- Publishes orderLost on orders.lost\n\n### Owned Entities\n- Line: count?: integer\n- Order: id: string, lines?: Line[]\n\n### Integration Notes\n- orderCreated is consumed by web.\n- No consumer of orderLost in 2 AsyncAPI contracts and recognised code.\n"
        }"###]],
    );
    let error = get_service_context(&shop(), &ServiceContextRequest::new("order"), &words);
    expect![[r#"target_not_found: no service `order` ["orders", "pay", "web"]"#]]
        .assert_eq(&message(error.unwrap_err()));
}

#[test]
fn a_context_is_never_above_its_tokens_and_sections_that_are_cut_say_so() {
    let mut paths = String::new();
    for path in 0..3_000 {
        paths.push_str(&format!(
            "  /a/{path}: {{get: {{operationId: operation{path}}}}}\n"
        ));
    }
    let text = format!("//- api.yaml\nopenapi: 3.0.0\npaths:\n{paths}//- go.txt\n");
    let graph = graph(&load(&text));
    for tokens in [
        words as fn(&str) -> usize,
        |text: &str| text.len(),
        |text: &str| text.len() / 3,
    ] {
        let context =
            get_service_context(&graph, &ServiceContextRequest::new("shop"), &tokens).unwrap();
        assert_eq!(context.provided_endpoints.len(), 3_000);
        assert!(tokens(&context.context_text) <= MAX_CONTEXT_TOKENS);
        assert!(
            context.context_text.contains("[... truncated ...]"),
            "{}",
            context.context_text
        );
    }
}

#[test]
fn a_neighborhood_is_near_nodes_first_and_filters_keep_the_centre() {
    let request = NeighborhoodRequest {
        radius: 1,
        filter_node_types: "endpoint".to_owned(),
        ..NeighborhoodRequest::new("contract::orders/openapi.yaml")
    };
    let found = query_graph_neighborhood(&shop(), &request).unwrap();
    let ids: Vec<&str> = found.nodes.iter().map(|node| &*node.id).collect();
    expect![[r#"
        contract::orders/openapi.yaml
        endpoint::orders::GET::/v1/orders/{}
        endpoint::orders::DELETE::/v1/orders/{}"#]]
    .assert_eq(&ids.join("\n"));
    // The id of a symbol in the code graph is one of this graph too.
    let by_code = NeighborhoodRequest {
        max_nodes: 2,
        ..NeighborhoodRequest::new("orders.server.GetOrder")
    };
    let found = query_graph_neighborhood(&shop(), &by_code).unwrap();
    assert_eq!(
        &*found.center_node.as_ref().unwrap().id,
        "symbol::orders/main.go::server.GetOrder"
    );
    assert_eq!((found.nodes.len(), found.truncated), (2, true));
    for (field, request) in [
        (
            "radius",
            NeighborhoodRequest {
                radius: 6,
                ..by_code.clone()
            },
        ),
        (
            "max_nodes",
            NeighborhoodRequest {
                max_nodes: 0,
                ..by_code.clone()
            },
        ),
        (
            "filter_edge_types",
            NeighborhoodRequest {
                filter_edge_types: "CALL".to_owned(),
                ..by_code.clone()
            },
        ),
        (
            "no type `x`",
            NeighborhoodRequest {
                filter_node_types: "x".to_owned(),
                ..by_code
            },
        ),
    ] {
        let error = query_graph_neighborhood(&shop(), &request).unwrap_err();
        assert!(error.message.starts_with(field), "{}", error.message);
    }
    let unknown = query_graph_neighborhood(
        &shop(),
        &NeighborhoodRequest::new("endpoint::orders::GET::/orders"),
    );
    expect![[r#"target_not_found: no node `endpoint::orders::GET::/orders`; use an id of hybrid_search or query_graph_neighborhood, or the id of a symbol ["endpoint::orders::GET::/v1/orders/{}", "endpoint::orders::DELETE::/v1/orders/{}", "endpoint::web::GET::/health", "endpoint::web::GET::/gone", "event::orderLost"]"#]].assert_eq(&message(unknown.unwrap_err()));
}

#[test]
fn a_search_finds_by_words_and_prefers_what_is_near_the_anchor() {
    let ids = |request: &SearchRequest| {
        let answer = {
            let graph = shop();
            hybrid_search(&graph, &SearchIndex::of(&graph), request).unwrap()
        };
        let lines = answer
            .results
            .iter()
            .map(|result| format!("{} {}", result.node_id, result.distance));
        lines.collect::<Vec<_>>().join("\n")
    };
    expect![[r#"
        symbol::gen/pay/pay_grpc.pb.go::PaymentsServer.Charge -1
        endpoint::pay::POST::/shop.pay.Payments/Charge -1
        symbol::pay/server_test.go::fake.Charge -1
        symbol::pay/main.go::server.Charge -1
        context::community::2 -1"#]]
    .assert_eq(&ids(&SearchRequest {
        n_results: 5,
        ..SearchRequest::new("charge payment")
    }));
    expect![[r#"
        domain_entity::Order 1
        event::orderCreated 1
        context::service::orders 1
        symbol::web/app/models.py::OrderModel 2
        symbol::orders/main.go::Order 2"#]]
    .assert_eq(&ids(&SearchRequest {
        n_results: 5,
        anchor_node_id: "service::web".to_owned(),
        semantic_weight: 0.1,
        graph_weight: 0.9,
        ..SearchRequest::new("order")
    }));
    expect![[r#"
        context::community::0 -1
        context::community::1 -1
        context::service::orders -1
        context::service::web -1
        context::service::pay -1"#]]
    .assert_eq(&ids(&SearchRequest {
        node_types: "context".to_owned(),
        ..SearchRequest::new("orders")
    }));
    assert_eq!(ids(&SearchRequest::new("zebra")), "");
}

#[test]
fn an_impact_lists_services_contracts_and_entities_with_shortest_paths() {
    let impact = find_cross_service_impact(&shop(), "symbol::pay/main.go::server.Charge", 4);
    check(
        &impact.unwrap(),
        expect![[r#"
        {
          "source_node": "symbol::pay/main.go::server.Charge",
          "source_service": "pay",
          "impacted_services": [
            {
              "service_name": "orders",
              "impact_count": 1,
              "impact_paths": [
                [
                  "symbol::pay/main.go::server.Charge",
                  "endpoint::pay::POST::/shop.pay.Payments/Charge",
                  "service::orders"
                ]
              ]
            },
            {
              "service_name": "web",
              "impact_count": 1,
              "impact_paths": [
                [
                  "symbol::pay/main.go::server.Charge",
                  "endpoint::pay::POST::/shop.pay.Payments/Charge",
                  "service::orders",
                  "service::web"
                ]
              ]
            }
          ],
          "impacted_contracts": [
            {
              "contract_id": "proto/pay.proto",
              "service_name": "pay",
              "endpoints_affected": [
                "endpoint::pay::POST::/shop.pay.Payments/Charge"
              ]
            }
          ],
          "impacted_entities": [],
          "total_impacted_nodes": 6
        }"#]],
    );
}

#[test]
fn boundaries_compare_services_with_communities() {
    check(
        &validate_service_boundaries(&shop(), 1.0).unwrap(),
        expect![[r#"
            {
              "communities_detected": 12,
              "services_declared": 3,
              "alignment_score": 1.0,
              "misplaced_files": [],
              "isolated_files": [
                "orders/Dockerfile",
                "orders/events.yaml",
                "orders/openapi.yaml",
                "pay/Dockerfile",
                "pay/main.go",
                "pay/server_test.go",
                "web/Dockerfile",
                "web/api.yaml",
                "web/app/__init__.py",
                "web/events.yaml"
              ],
              "service_coupling": []
            }"#]],
    );
    let empty = graph(&load("//- a.txt\nnothing\n"));
    let boundaries = validate_service_boundaries(&empty, 1.0).unwrap();
    assert_eq!(
        (boundaries.alignment_score, boundaries.services_declared),
        (1.0, 0)
    );
    assert!(validate_service_boundaries(&empty, 0.0).is_err());
}

#[test]
fn events_are_matched_by_channel() {
    check(
        &check_cross_service_events(&shop(), "").unwrap(),
        expect![[r#"
            {
              "orphaned_events": [
                {
                  "event_name": "orderLost",
                  "channel": "orders.lost",
                  "publishers": [
                    "orders"
                  ],
                  "consumers": []
                }
              ],
              "unmatched_consumers": [],
              "matched_events": [
                {
                  "event_name": "orderCreated",
                  "channel": "orders.created",
                  "publishers": [
                    "orders"
                  ],
                  "consumers": [
                    "web"
                  ]
                }
              ],
              "total_events": 2,
              "known_from": "2 AsyncAPI contracts and recognised code",
              "match_rate": 0.5
            }"#]],
    );
    let of_web = check_cross_service_events(&shop(), "web").unwrap();
    assert_eq!((of_web.total_events, of_web.match_rate), (1, 1.0));
    let none = check_cross_service_events(&graph(&load("//- a.txt\nx\n")), "").unwrap();
    assert_eq!((none.total_events, none.match_rate), (0, 1.0));
}

#[test]
fn a_change_of_an_endpoint_or_its_handler_reaches_the_services_that_call_it() {
    let graph = shop();
    for (node, path) in [
        (
            "endpoint::pay::POST::/shop.pay.Payments/Charge",
            vec![
                "endpoint::pay::POST::/shop.pay.Payments/Charge",
                "service::orders",
            ],
        ),
        (
            "symbol::pay/main.go::server.Charge",
            vec![
                "symbol::pay/main.go::server.Charge",
                "endpoint::pay::POST::/shop.pay.Payments/Charge",
                "service::orders",
            ],
        ),
    ] {
        let impact = find_cross_service_impact(&graph, node, 3).unwrap();
        let services = &impact.impacted_services;
        let orders = services.iter().find(|one| one.service_name == "orders");
        assert!(
            orders
                .unwrap()
                .impact_paths
                .contains(&path.iter().map(|id| (*id).to_owned()).collect())
        );
        // And who calls that service.
        assert!(services.iter().any(|one| one.service_name == "web"));
        let endpoints = &impact.impacted_contracts[0].endpoints_affected;
        assert_eq!(
            endpoints,
            &["endpoint::pay::POST::/shop.pay.Payments/Charge"]
        );
    }
}
