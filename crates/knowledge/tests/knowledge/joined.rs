//! Contracts joined to the code.

use codeweft_knowledge::graph::{NodeData, Relation};
use expect_test::expect;

use crate::{SHOP, check_invariants, edges, graph, load};

#[test]
fn operations_have_handlers_by_interfaces_modules_and_services_call_each_other() {
    let workspace = load(SHOP);
    let graph = graph(&workspace);
    check_invariants(&graph);
    assert!(graph.errors.is_empty());
    expect![[r#"
        contract::orders/openapi.yaml EXPOSES_ENDPOINT endpoint::orders::DELETE::/v1/orders/{}
        contract::orders/openapi.yaml EXPOSES_ENDPOINT endpoint::orders::GET::/v1/orders/{}
        contract::proto/pay.proto EXPOSES_ENDPOINT endpoint::pay::POST::/shop.pay.Payments/Charge
        contract::web/api.yaml EXPOSES_ENDPOINT endpoint::web::GET::/gone
        contract::web/api.yaml EXPOSES_ENDPOINT endpoint::web::GET::/health
        service::orders PROVIDES_CONTRACT contract::orders/events.yaml
        service::orders PROVIDES_CONTRACT contract::orders/openapi.yaml
        service::orders SERVICE_CALLS service::pay via=endpoint::pay::POST::/shop.pay.Payments/Charge evidence=deployment|stub imports=Some(0)
        service::pay PROVIDES_CONTRACT contract::proto/pay.proto
        service::web PROVIDES_CONTRACT contract::web/api.yaml
        service::web PROVIDES_CONTRACT contract::web/events.yaml
        service::web SERVICE_CALLS service::orders via= evidence=deployment imports=Some(0)
        symbol::orders/main.go::server.DropOrder HANDLES_ENDPOINT endpoint::orders::DELETE::/v1/orders/{} server_interface
        symbol::orders/main.go::server.GetOrder HANDLES_ENDPOINT endpoint::orders::GET::/v1/orders/{} server_interface
        symbol::pay/main.go::server.Charge HANDLES_ENDPOINT endpoint::pay::POST::/shop.pay.Payments/Charge server_interface
        symbol::web/app/views.py::health HANDLES_ENDPOINT endpoint::web::GET::/health module_path
    "#]].assert_eq(&edges(
        &graph,
        &[
            Relation::ProvidesContract,
            Relation::ExposesEndpoint,
            Relation::HandlesEndpoint,
            Relation::ServiceCalls,
        ],
    ));
    expect![[r#"
        domain_entity::Order DOMAIN_RELATIONSHIP domain_entity::Line lines 1:N
        service::orders OWNS_ENTITY domain_entity::Line
        service::orders OWNS_ENTITY domain_entity::Order
        service::orders PUBLISHES_EVENT event::orderCreated
        service::orders PUBLISHES_EVENT event::orderLost
        service::web REFERENCES_ENTITY domain_entity::Order
        service::web CONSUMES_EVENT event::orderCreated
        symbol::orders/main.go::Order IMPLEMENTS_ENTITY domain_entity::Order
        symbol::web/app/models.py::OrderModel IMPLEMENTS_ENTITY domain_entity::Order
    "#]]
    .assert_eq(&edges(
        &graph,
        &[
            Relation::OwnsEntity,
            Relation::ReferencesEntity,
            Relation::ImplementsEntity,
            Relation::DomainRelationship,
            Relation::PublishesEvent,
            Relation::ConsumesEvent,
        ],
    ));
    expect![[r#"
        file::orders/main.go IMPORTS file::gen/pay/pay_grpc.pb.go :4 []Charge
        file::orders/main.go IMPORTS file::orders/api/gen.go :5 []
        file::pay/main.go IMPORTS file::gen/pay/pay_grpc.pb.go :3 []
        file::pay/server_test.go IMPORTS file::gen/pay/pay_grpc.pb.go :3 []
        file::web/app/views.py IMPORTS file::web/app/models.py :1 []OrderModel
        symbol::gen/pay/pay_grpc.pb.go::UnimplementedPaymentsServer IMPLEMENTS symbol::gen/pay/pay_grpc.pb.go::PaymentsServer
        symbol::gen/pay/pay_grpc.pb.go::UnimplementedPaymentsServer.Charge IMPLEMENTS symbol::gen/pay/pay_grpc.pb.go::PaymentsServer.Charge
        symbol::gen/pay/pay_grpc.pb.go::UnimplementedPaymentsServer.mustEmbedUnimplementedPaymentsServer IMPLEMENTS symbol::gen/pay/pay_grpc.pb.go::PaymentsServer.mustEmbedUnimplementedPaymentsServer
        symbol::orders/main.go::main CALLS symbol::orders/main.go::server.GetOrder :18 []
        symbol::orders/main.go::server IMPLEMENTS symbol::orders/api/gen.go::ServerInterface
        symbol::orders/main.go::server.DropOrder IMPLEMENTS symbol::orders/api/gen.go::ServerInterface.DropOrder
        symbol::orders/main.go::server.GetOrder CALLS symbol::gen/pay/pay_grpc.pb.go::PaymentsClient.Charge :12 []
        symbol::orders/main.go::server.GetOrder IMPLEMENTS symbol::orders/api/gen.go::ServerInterface.GetOrder
        symbol::pay/main.go::server INHERITS symbol::gen/pay/pay_grpc.pb.go::UnimplementedPaymentsServer
        symbol::pay/main.go::server IMPLEMENTS symbol::gen/pay/pay_grpc.pb.go::PaymentsServer
        symbol::pay/main.go::server.Charge IMPLEMENTS symbol::gen/pay/pay_grpc.pb.go::PaymentsServer.Charge
        symbol::pay/server_test.go::fake INHERITS symbol::gen/pay/pay_grpc.pb.go::UnimplementedPaymentsServer
        symbol::web/app/views.py::health CALLS symbol::web/app/models.py::OrderModel :5 []
    "#]].assert_eq(&edges(
        &graph,
        &[
            Relation::Imports,
            Relation::Calls,
            Relation::Inherits,
            Relation::Implements,
        ],
    ));
}

#[test]
fn an_endpoint_without_a_handler_says_so_by_an_empty_handler() {
    let workspace = load(SHOP);
    let graph = graph(&workspace);
    let endpoints = graph.nodes.iter().filter_map(|node| match &*node.data {
        NodeData::Endpoint {
            method,
            path,
            handler_symbol,
            line,
            ..
        } => Some(format!("{method} {path} :{line} {handler_symbol}")),
        _ => None,
    });
    let endpoints: Vec<String> = endpoints.collect();
    expect![[r#"
        DELETE /v1/orders/{id} :7 symbol::orders/main.go::server.DropOrder
        GET /v1/orders/{id} :6 symbol::orders/main.go::server.GetOrder
        POST /shop.pay.Payments/Charge :3 symbol::pay/main.go::server.Charge
        GET /gone :5 
        GET /health :4 symbol::web/app/views.py::health"#]]
    .assert_eq(&endpoints.join("\n"));
}

#[test]
fn nodes_are_json_with_their_type_rank_and_community() {
    let workspace = load("//- a.go\npackage a\n\nfunc F() {}\n");
    let mut graph = graph(&workspace);
    check_invariants(&graph);
    for node in &mut graph.nodes {
        node.pagerank = (node.pagerank * 1000.0).round() / 1000.0;
    }
    let lines: Vec<String> = graph
        .nodes
        .iter()
        .map(|node| serde_json::to_string(node).unwrap())
        .collect();
    expect![[r#"
        {"id":"file::a.go","node_type":"file","file_path":"a.go","language":"go","service_name":"shop","pagerank":0.341,"community_id":0}
        {"id":"service::shop","node_type":"service","service_name":"shop","domain":"","description":"","stack":"go","estimated_loc":2,"pagerank":0.184,"community_id":0}
        {"id":"symbol::a.go::F","node_type":"symbol","symbol_name":"F","kind":"function","language":"go","service_name":"shop","file_path":"a.go","line_start":3,"line_end":3,"signature":"func F()","is_exported":true,"graph_id":"m.F","pagerank":0.474,"community_id":0}"#]].assert_eq(&lines.join("\n"));
}

#[test]
fn broken_documents_are_errors_with_lines_and_the_rest_is_built() {
    let workspace = load(
        "//- openapi.yaml\nopenapi: 3.0.0\npaths:\n  /a: {get: {}}\n  /b: [\n//- other.yaml\nopenapi: 3.0.0\npaths:\n  /a: {get: {}}\n  /c: {gte: {}}\n//- data.json\n{\"a\": }\n//- a.proto\nmessage {\n",
    );
    let graph = graph(&workspace);
    check_invariants(&graph);
    let errors: Vec<String> = graph
        .errors
        .iter()
        .map(|error| format!("{}:{}: {}", error.file, error.line, error.message))
        .collect();
    expect![[r#"
        a.proto:1: expected an identifier, but found '{'
        openapi.yaml:4: unclosed bracket '['
        other.yaml:3: 1 of 1 operations are in a contract before this one already, which counts: GET /a
        other.yaml:4: `gte` of /c is no method"#]]
    .assert_eq(&errors.join("\n"));
}

#[test]
fn a_handler_that_a_later_copy_of_a_contract_names_is_that_of_the_endpoint() {
    let contract = |controller: &str| {
        format!(
            "openapi: 3.0.0\ninfo: {{title: a, version: '1'}}\npaths:\n  /a:\n    get: {{operationId: app.list{controller}}}\n"
        )
    };
    let text = format!(
        "//- a.yaml\n{}//- b.yaml\n{}//- app.py\ndef list(): pass\n",
        contract("ed"),
        contract("")
    );
    let graph = graph(&load(&text));
    check_invariants(&graph);
    expect![[r#"
        contract::a.yaml EXPOSES_ENDPOINT endpoint::shop::GET::/a
        symbol::app.py::list HANDLES_ENDPOINT endpoint::shop::GET::/a module_path
    "#]]
    .assert_eq(&edges(
        &graph,
        &[Relation::ExposesEndpoint, Relation::HandlesEndpoint],
    ));
}
