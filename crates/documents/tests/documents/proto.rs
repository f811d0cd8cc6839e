//! Protocol buffers files.

use codeweft_documents::read_proto;
use expect_test::expect;

use crate::{check, print};

#[test]
fn services_rpcs_and_messages_have_names_types_and_positions() {
    check(
        &read_proto(
            r#"syntax = "proto3";
package shop.v1;

import "google/api/annotations.proto";

// Orders of a shop.
service Orders {
  rpc Get(GetRequest) returns (Order) {
    option (google.api.http) = {
      get: "/v1/{name=orders/*}"
      additional_bindings { custom { kind: "HEAD" path: "/v1/head" } }
    };
  }
  rpc Watch(stream GetRequest) returns (stream .shop.v1.Order) {
    option deprecated = true;
    option (google.api.http).post = "/v1/watch";
  }
}

message GetRequest { string name = 1; }
message Order {
  repeated Line lines = 1;
  map<string, Line> by_name = 2;
  oneof when { int64 seconds = 3; }
  message Line { optional string text = 1; }
}
"#,
        ),
        expect![[r#"
            {} 1:1
              package: Some("shop.v1") 2:1
              services: [] 1:1
                - {} 7:1
                  name: Some("Orders") 7:9
                  rpcs: [] 7:1
                    - {} 8:3
                      name: Some("Get") 8:7
                      input: Some("GetRequest") 8:11
                      output: Some("Order") 8:32
                      http: [] 8:3
                        - {} 8:3
                          method: Some("GET") 8:3
                          path: Some("/v1/{name=orders/*}") 8:3
                        - {} 8:3
                          method: Some("HEAD") 8:3
                          path: Some("/v1/head") 8:3
                    - {} 14:3
                      name: Some("Watch") 14:7
                      input: Some("GetRequest") 14:20
                      output: Some(".shop.v1.Order") 14:48
                      http: [] 14:3
                        - {} 14:3
                          method: Some("POST") 14:3
                          path: Some("/v1/watch") 14:3
                      deprecated: Some("true") 14:3
              messages: [] 1:1
                - {} 20:1
                  name: Some("GetRequest") 20:9
                  fields: [] 20:1
                    - {} 20:22
                      name: Some("name") 20:22
                      type: Some("string") 20:22
                - {} 21:1
                  name: Some("Order") 21:9
                  fields: [] 21:1
                    - {} 22:3
                      name: Some("lines") 22:3
                      type: Some("Line") 22:3
                      repeated: Some("true") 22:3
                    - {} 23:3
                      name: Some("by_name") 23:3
                      type: Some("map<string, Line>") 23:3
                    - {} 24:16
                      name: Some("seconds") 24:16
                      type: Some("int64") 24:16
                - {} 25:3
                  name: Some("Order.Line") 25:11
                  fields: [] 25:3
                    - {} 25:18
                      name: Some("text") 25:18
                      type: Some("string") 25:18
        "#]],
    );
}

#[test]
fn files_of_proto2_and_of_editions_are_read() {
    check(
        &read_proto(
            "message A { required int32 a = 1; optional group B = 2 { repeated bytes c = 1; } }",
        ),
        expect![[r#"
            {} 1:1
              services: [] 1:1
              messages: [] 1:1
                - {} 1:1
                  name: Some("A") 1:9
                  fields: [] 1:1
                    - {} 1:13
                      name: Some("a") 1:13
                      type: Some("int32") 1:13
                      required: Some("true") 1:13
                    - {} 1:35
                      name: Some("b") 1:35
                      type: Some("B") 1:35
                - {} 1:35
                  name: Some("A.B") 1:50
                  fields: [] 1:35
                    - {} 1:58
                      name: Some("c") 1:58
                      type: Some("bytes") 1:58
                      repeated: Some("true") 1:58
        "#]],
    );
    check(
        &read_proto(
            "edition = \"2024\";\npackage p;\nimport option \"x.proto\";\nmessage A { int32 a = 1 [features.field_presence = LEGACY_REQUIRED]; }\n",
        ),
        expect![[r#"
            {} 1:1
              package: Some("p") 2:1
              services: [] 1:1
              messages: [] 1:1
                - {} 4:1
                  name: Some("A") 4:9
                  fields: [] 4:1
                    - {} 4:13
                      name: Some("a") 4:13
                      type: Some("int32") 4:13
        "#]],
    );
}

#[test]
fn an_error_costs_its_declaration_alone() {
    check(
        &read_proto(
            "syntax = \"proto3\";\npackage p;\nmessage A { string a = ; }\nservice S {\n  rpc Do(A) returns (B);\n}\nmessage B { int32 = 1; }\nmessage C { C c = 1; }\nmessage D {",
        ),
        expect![[r#"
            {} 1:1
              package: Some("p") 2:1
              services: [] 1:1
                - {} 4:1
                  name: Some("S") 4:9
                  rpcs: [] 4:1
                    - {} 5:3
                      name: Some("Do") 5:7
                      input: Some("A") 5:10
                      output: Some("B") 5:22
              messages: [] 1:1
                - {} 8:1
                  name: Some("C") 8:9
                  fields: [] 8:1
                    - {} 8:13
                      name: Some("c") 8:13
                      type: Some("C") 8:13
            error 3:24: expected an integer, but found ';'
            error 7:19: expected an identifier, but found '='
            error 9:1: expected a message field, oneof, reserved range, enum, message, option or '}', but reached end of file
        "#]],
    );
}

#[test]
fn texts_that_are_no_protocol_buffers_are_errors_and_no_panics() {
    for text in [
        "",
        ";",
        "}{",
        "\u{0}",
        "message",
        "/*",
        "\"",
        "syntax = \"proto9\";",
        "edition",
        "{ü}",
    ] {
        print(&read_proto(text));
    }
    let nested = "message A { ".repeat(5_000);
    assert!(!read_proto(&nested).errors.is_empty());
}
