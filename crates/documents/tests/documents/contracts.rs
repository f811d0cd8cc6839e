//! Contracts of documents that refer to each other.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use codeweft_documents::contract::{Contract, Trees, read_contracts};
use codeweft_documents::{Format, Tree};
use expect_test::{Expect, expect};

/// Returns the trees of files in one text: `//- path` precedes each.
fn trees(files: &str) -> BTreeMap<String, Tree> {
    let files = files.split("//- ").skip(1);
    let files = files.map(|file| {
        let (path, text) = file.split_once('\n').unwrap();
        (path.to_owned(), Format::of_path(path).unwrap().read(text))
    });
    files.collect()
}

/// Returns the contracts of the first file.
fn contracts(files: &str) -> (Tree, Vec<Contract>) {
    let path = files.trim_start().strip_prefix("//- ").unwrap();
    let path = path.split_once('\n').unwrap().0;
    let all = trees(files);
    let trees = all.iter().map(|(path, tree)| (path.clone(), tree));
    let contracts = read_contracts(path, &Trees::new(trees));
    (all[path].clone(), contracts)
}

/// Prints the contracts of the first file, nodes by their lines.
fn check(files: &str, expected: Expect) {
    let (tree, contracts) = contracts(files);
    let line = |node| tree.line_column(tree.span(node).start).0;
    let mut out = String::new();
    for contract in contracts {
        let kind = contract.kind.wire_name();
        let Contract {
            specification,
            title,
            version,
            ..
        } = &contract;
        writeln!(
            out,
            "{kind} {specification} {title:?} {version:?} :{}",
            line(contract.node)
        )
        .unwrap();
        for operation in &contract.operations {
            let bases = operation.base_paths.join("|");
            write!(
                out,
                "  {} {bases}+{} :{}",
                operation.method,
                operation.path,
                line(operation.node)
            )
            .unwrap();
            let fields = [
                ("id", operation.operation_id.clone().unwrap_or_default()),
                (
                    "controller",
                    operation.controller.clone().unwrap_or_default(),
                ),
                ("rpc", operation.rpc_service.clone().unwrap_or_default()),
                ("summary", operation.summary.clone()),
                ("security", operation.security.join("|")),
                ("tags", operation.tags.join("|")),
                ("schemas", operation.schemas.join("|")),
                (
                    "deprecated",
                    if operation.deprecated {
                        "true".to_owned()
                    } else {
                        String::new()
                    },
                ),
            ];
            for (name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
                write!(out, " {name}={value}").unwrap();
            }
            out.push('\n');
        }
        for channel in &contract.channels {
            let (messages, required) = (channel.messages.join("|"), channel.required.join("|"));
            let id = channel.operation_id.as_deref().unwrap_or("-");
            let (action, address) = (channel.action, &channel.channel);
            writeln!(
                out,
                "  {action:?} {address} :{} id={id} messages={messages} required={required}",
                line(channel.node)
            )
            .unwrap();
        }
        for schema in &contract.schemas {
            writeln!(
                out,
                "  schema {} :{} {:?}",
                schema.name,
                line(schema.node),
                schema.description
            )
            .unwrap();
            for field in &schema.fields {
                let required = if field.required { " required" } else { "" };
                let many = if field.many { " many" } else { "" };
                let reference = field.reference.as_deref().map(|name| format!(" -> {name}"));
                writeln!(
                    out,
                    "    {}: {}{required}{many}{}",
                    field.name,
                    field.field_type,
                    reference.unwrap_or_default()
                )
                .unwrap();
            }
        }
        for (node, message) in &contract.errors {
            writeln!(out, "  error :{}: {message}", line(*node)).unwrap();
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn openapi_3_has_operations_below_its_servers_and_schemas_with_references() {
    check(
        r##"//- api.yaml
openapi: 3.1.0
info: {title: Shop, version: 1.2.0}
servers:
  - url: https://{host}/{base}
    variables: {host: {default: shop}, base: {default: v1}}
security: [{key: []}]
paths:
  /orders/{id}:
    x-openapi-router-controller: shop.orders
    parameters:
      - {name: id, in: path, schema: {$ref: '#/components/schemas/Id'}}
    get:
      operationId: getOrder
      summary: One order
      tags: [orders]
      responses:
        '200': {content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
    delete:
      security: []
      deprecated: true
  /health:
    servers: [{url: /}]
    get: {}
components:
  schemas:
    Id: {type: string}
    Order:
      description: What is bought.
      required: [id]
      properties:
        id: {$ref: '#/components/schemas/Id'}
        lines: {type: array, items: {$ref: '#/components/schemas/Line'}}
        note: {type: [string, 'null']}
        payment: {anyOf: [{$ref: '#/components/schemas/Payment'}, {type: 'null'}]}
    Line:
      allOf:
        - $ref: '#/components/schemas/Base'
        - properties: {count: {type: integer}}
    Base: {properties: {created: {type: string}}}
"##,
        expect![[r#"
            openapi 3.1.0 "Shop" "1.2.0" :1
              GET /v1+/orders/{id} :13 id=getOrder controller=shop.orders summary=One order security=key tags=orders schemas=Id|Order
              DELETE /v1+/orders/{id} :19 controller=shop.orders schemas=Id deprecated=true
              GET +/health :23 security=key
              schema Order :28 "What is bought."
                id: Id required -> Id
                lines: Line[] many -> Line
                note: string
                payment: Payment -> Payment
              schema Line :36 ""
                created: string
                count: integer
              schema Base :39 ""
                created: string
        "#]],
    );
}

#[test]
fn openapi_2_has_a_base_path_and_definitions() {
    check(
        r##"//- swagger.json
{
	"swagger": "2.0", "info": {"title": "Old", "version": "1"}, "basePath": "/api/",
	"paths": {"/a": {"post": {"operationId": "a.make", "parameters": [{"in": "body", "schema": {"$ref": "#/definitions/A"}}]}}},
	"definitions": {"A": {"properties": {"x": {"type": "string"}}}}
}
"##,
        expect![[r#"
            openapi 2.0 "Old" "1" :1
              POST /api+/a :3 id=a.make schemas=A
              schema A :4 ""
                x: string
        "#]],
    );
}

#[test]
fn an_operation_that_cannot_be_read_is_an_error_and_the_others_are_there() {
    check(
        r##"//- api.yaml
openapi: 3.0.0
paths:
  /a:
    get: broken
    put: {operationId: same}
    gte: {}
    x-own: 1
  b:
    get: {}
  /c:
    post: {operationId: same}
  /d:
    $ref: '#/paths/~1nothing'
"##,
        expect![[r#"
            openapi 3.0.0 "" "" :1
              PUT +/a :5 id=same
              POST +/c :11 id=same
              error :4: GET /a is no mapping
              error :6: `gte` of /a is no method
              error :9: the path `b` does not begin with `/`
              error :13: `#/paths/~1nothing` leads nowhere
              error :11: the operationId `same` is repeated
        "#]],
    );
}

#[test]
fn references_lead_to_other_files_and_a_cycle_or_a_missing_file_is_an_error() {
    check(
        r##"//- api/api.yaml
openapi: 3.0.0
paths:
  /a: {$ref: 'paths/a.yaml'}
  /b: {$ref: '../common.json#/paths/~1b%20x'}
  /c: {$ref: '#/x-c'}
  /d: {$ref: missing.yaml}
x-c: {$ref: '#/x-d'}
x-d: {$ref: '#/x-c'}
components:
  schemas:
    A:
      allOf: [{$ref: '#/components/schemas/A'}, {properties: {x: {$ref: '../common.json#/Common'}}}]
//- api/paths/a.yaml
get: {operationId: a, responses: {'200': {schema: {$ref: '../../common.json'}}}}
//- common.json
{"paths": {"/b x": {"get": {"operationId": "b"}}}, "Common": {}}
"##,
        expect![[r#"
            openapi 3.0.0 "" "" :1
              GET +/a :3 id=a schemas=common
              GET +/b :4 id=b
              schema A :12 ""
                x: Common -> Common
              error :5: references in a circle
              error :6: `missing.yaml`: no document api/missing.yaml
        "#]],
    );
}

#[test]
fn asyncapi_2_has_operations_by_channel() {
    check(
        r##"//- events.yaml
asyncapi: 2.6.0
info: {title: Events, version: 0.1.0}
channels:
  orders/created:
    publish:
      operationId: orderCreated
      message: {$ref: '#/components/messages/Created'}
    subscribe:
      message:
        oneOf:
          - {name: Other}
          - $ref: '#/components/messages/Created'
components:
  messages:
    Created: {payload: {$ref: '#/components/schemas/Order'}}
  schemas:
    Order: {type: object, required: [id, at], properties: {id: {type: string}}}
"##,
        expect![[r#"
            asyncapi 2.6.0 "Events" "0.1.0" :1
              Publish orders/created :6 id=orderCreated messages=Created required=at|id
              Consume orders/created :9 id=- messages=Other|Created required=at|id
              schema Order :17 ""
                id: string required
        "#]],
    );
}

#[test]
fn asyncapi_3_has_operations_that_name_their_channel_and_replies() {
    check(
        r##"//- events.yaml
asyncapi: 3.0.0
channels:
  created:
    address: orders.created
    messages: {made: {payload: {required: [id]}}}
  answers: {messages: {}}
operations:
  sendCreated:
    action: send
    channel: {$ref: '#/channels/created'}
    messages: [{$ref: '#/channels/created/messages/made'}]
  onRequest:
    action: receive
    channel: {$ref: '#/channels/created'}
    reply: {channel: {$ref: '#/channels/answers'}}
  wrong: {action: publish, channel: {$ref: '#/channels/created'}}
  none: {action: send}
"##,
        expect![[r#"
            asyncapi 3.0.0 "" "" :1
              Publish orders.created :9 id=sendCreated messages=made required=id
              Consume orders.created :13 id=onRequest messages=made required=id
              Publish answers :13 id=onRequest.reply messages= required=
              error :16: the action of `wrong` is neither send nor receive
              error :17: `none` has no channel
        "#]],
    );
}

#[test]
fn a_json_schema_is_a_contract_of_its_title_and_its_definitions() {
    check(
        r##"//- schemas/order.schema.json
{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "An order",
 "properties": {"line": {"$ref": "line.json#/$defs/Line"}, "file": {"$ref": "other.json"}},
 "$defs": {"Inner": {"properties": {"x": {"type": "number"}}}, "Text": {"type": "string"}}}
"##,
        expect![[r#"
            json_schema draft/2020-12 "An order" "" :1
              schema order :1 ""
                line: Line -> Line
                file: other -> other
              schema Inner :3 ""
                x: number
        "#]],
    );
}

#[test]
fn rpcs_are_operations_and_their_http_bindings_too() {
    check(
        r##"//- shop.proto
syntax = "proto3";
package shop.v1;
service Orders {
  rpc Get(GetRequest) returns (common.v1.Order) { option (google.api.http) = { get: "/v1/{id}" }; }
}
message GetRequest { string id = 1; repeated shop.v1.Item.Part parts = 2; map<string, Item> items = 3; }
"##,
        expect![[r#"
            protobuf  "shop.v1" "" :1
              POST +/shop.v1.Orders/Get :4 id=Get rpc=shop.v1.Orders schemas=GetRequest|Order
              GET +/v1/{id} :4 id=Get rpc=shop.v1.Orders schemas=GetRequest|Order
              schema GetRequest :6 ""
                id: string
                parts: shop.v1.Item.Part[] many -> Item.Part
                items: map<string, Item> many -> Item
        "#]],
    );
}

#[test]
fn documents_that_are_no_contracts_have_none() {
    for files in [
        "//- a.yaml\nkind: Deployment\napiVersion: v1\n",
        "//- a.json\n[1]\n",
        "//- a.yaml\n",
        "//- a.yaml\nopenapi: {a: 1}\n",
        "//- a.proto\nsyntax = \"proto3\";\n",
        "//- a.json\n{\"$schema\": \"https://json.schemastore.org/x\", \"properties\": {\"a\": {}}}",
    ] {
        assert_eq!(contracts(files).1, [], "{files}");
    }
}

#[test]
fn a_contract_is_equal_if_comments_and_blank_lines_move_it() {
    let text = "openapi: 3.0.0\npaths:\n  /a:\n    get: {operationId: a}\n";
    let moved = text
        .replace("paths", "\n# a comment\npaths")
        .replace("get: ", "get:   ");
    let (plain, moved) = (
        format!("//- a.yaml\n{text}"),
        format!("//- a.yaml\n{moved}"),
    );
    let ((tree, contract), (moved_tree, moved_contract)) = (contracts(&plain), contracts(&moved));
    assert_ne!(tree, moved_tree);
    assert_eq!(contract, moved_contract);
}

#[test]
fn a_contract_of_many_aliases_is_cut_and_says_so_and_one_of_many_paths_is_whole() {
    let mut text = "//- a.yaml\nopenapi: 3.0.0\nx0: &x0 {a: {$ref: x}, b: {$ref: y}}\n".to_owned();
    for level in 1..30 {
        let before = level - 1;
        writeln!(text, "x{level}: &x{level} {{a: *x{before}, b: *x{before}}}").unwrap();
    }
    text.push_str("paths:\n  /a: {get: *x29}\n");
    let cut = contracts(&text).1;
    let errors: Vec<&str> = cut[0]
        .errors
        .iter()
        .map(|(_, words)| words.as_str())
        .collect();
    assert_eq!(
        errors,
        ["more than 100,000 nodes behind aliases: what follows is not read"]
    );

    let mut text = "//- a.yaml\nopenapi: 3.0.0\npaths:\n".to_owned();
    for path in 0..20_000 {
        writeln!(text, "  /a/{path}: {{get: {{operationId: a{path}}}}}").unwrap();
    }
    let whole = contracts(&text).1;
    assert_eq!(
        (whole[0].operations.len(), whole[0].errors.len()),
        (20_000, 0)
    );
}
