//! Addresses in documents: configuration files, patches of manifests, names of hosts.

use codeweft_knowledge::graph::Relation;
use expect_test::expect;

use crate::wires::check_calls;
use crate::{edges, graph, load};

#[test]
fn configuration_that_the_code_names_or_a_volume_puts_there_has_addresses() {
    check_calls(
        r#"
//- compose.yaml
services:
  web: {build: ./web}
  job: {build: ./job, volumes: ['./conf/job.yaml:/etc/job.yaml', 'data:/data']}
  db: {image: db}
  queue: {image: queue}
  mail: {image: mail}
//- web/app.py
from pathlib import Path

CONFIG = Path(__file__).parent / "settings.yaml"
//- web/settings.yaml
db: {host: db, port: 5432}
mode: mail
//- web/other.yaml
url: amqp://queue
//- job/main.go
package main

func main() {}
//- conf/job.yaml
exporters: [{endpoint: 'http://queue:4317'}]
"#,
        expect![[r#"
            service::job SERVICE_CALLS service::queue via= evidence=deployment imports=Some(0)
            service::web SERVICE_CALLS service::db via= evidence=deployment imports=Some(0)
        "#]],
    );
}

#[test]
fn a_patch_of_a_manifest_gives_variables() {
    check_calls(
        r#"
//- k8s/web.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [{name: main, image: web}]}}}
//- k8s/pay.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: pay}
spec: {template: {spec: {containers: [{name: main, image: pay}]}}}
//- k8s/kustomization.yaml
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
patches:
- patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec: {template: {spec: {containers: [{name: main, env: [{name: PAY_ADDR, value: 'pay:80'}]}]}}}
- path: other.yaml
//- web/Dockerfile
FROM x
//- web/app.py
x = 1
"#,
        expect![[r#"
            service::web SERVICE_CALLS service::pay via= evidence=deployment imports=Some(0)
        "#]],
    );
}

#[test]
fn a_host_may_name_its_namespace_but_no_public_domain() {
    check_calls(
        r#"
//- compose.yaml
services:
  web: {build: ./web}
  pay: {image: pay}
  bill: {image: bill}
  mail: {image: mail}
  ship: {image: ship}
//- web/app.py
A = "http://pay.shop:80"
B = "http://bill.shop.svc.cluster.local"
C = "https://mail.example.com"
D = "https://ship.io"


def load(name):
    print(name.get(A))
"#,
        expect![[r#"
            service::web SERVICE_CALLS service::bill via= evidence=address imports=Some(0)
            service::web SERVICE_CALLS service::pay via= evidence=address imports=Some(0)
        "#]],
    );
}

#[test]
fn what_is_only_a_library_in_the_folder_of_another_service_is_not_called() {
    check_calls(
        r#"
//- go.mod
module m
//- a/Dockerfile
FROM x
//- b/Dockerfile
FROM x
//- a/main.go
package main

import (
	"m/b/api"
	"m/b/types"
)

func main() { api.Run(); print(types.Name) }
//- b/main.go
package main

import "m/b/types"

func main() { print(types.Name) }
//- b/types/types.go
package types

const Name = "x"
//- b/api/api.go
package api

func Run() {}
"#,
        expect![[""]],
    );
}

#[test]
fn images_that_are_built_from_one_folder_are_each_in_that_of_its_dockerfile() {
    let text = r#"
//- compose.yaml
services:
  web: {build: {context: ., dockerfile: src/web/Dockerfile}}
  pay: {build: {context: ., dockerfile: src/pay/Dockerfile}}
//- compose.tests.yaml
services:
  webtests: {build: {context: ., dockerfile: src/web/tests.Dockerfile}}
//- src/web/Dockerfile
FROM x
//- src/web/tests.Dockerfile
FROM x
//- src/web/app.py
x = 1
//- src/pay/Dockerfile
FROM x
//- src/pay/app.py
x = 1
"#;
    let graph = graph(&load(text));
    expect![[r#"
        service::pay CONTAINS_FILE file::src/pay/Dockerfile
        service::pay CONTAINS_FILE file::src/pay/app.py
        service::web CONTAINS_FILE file::src/web/Dockerfile
        service::web CONTAINS_FILE file::src/web/app.py
        service::web CONTAINS_FILE file::src/web/tests.Dockerfile
    "#]]
    .assert_eq(&edges(&graph, &[Relation::ContainsFile]));
}

#[test]
fn code_of_a_service_with_a_program_of_its_own_is_run_by_those_that_import_it() {
    check_calls(
        r#"
//- go.mod
module m
//- a/Dockerfile
FROM x
//- b/Dockerfile
FROM x
//- a/main.go
package main

import "m/b/api"

func main() { api.Run() }
//- b/main.go
package main

import "m/b/api"

func main() { api.Run() }
//- b/api/api.go
package api

func Run() {}
"#,
        expect![[""]],
    );
}

#[test]
fn a_set_of_values_that_the_code_names_or_a_volume_mounts_has_addresses() {
    check_calls(
        r#"
//- go.mod
module m
//- compose.yaml
services:
  web: {build: ./web}
  job: {build: ./job}
  db: {image: db}
  dex: {image: dex}
  queue: {image: queue}
  mail: {image: mail}
//- web/Dockerfile
FROM x
//- job/Dockerfile
FROM x
//- job/app.py
x = 1
//- config/config.go
package config

import "os"

const Name = "web-settings"

type Config struct {
	Persistence string
	Sso         string
}

func Load(name string) Config { return Config{Persistence: os.Getenv(name)} }
//- auth/auth.go
package auth

const Sso = "sso"

func Is(mode string) bool { return mode == Sso }
//- web/main.go
package main

import (
	"m/auth"
	"m/config"
)

func main() { print(config.Load(config.Name).Persistence, auth.Is("x")) }
//- k8s/settings.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: web-settings}
data:
  persistence: |
    postgresql: {host: db, port: 5432}
  sso: |
    issuer: http://dex:5556
//- test/settings.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: web-settings}
data: {persistence: 'http://mail:80'}
//- k8s/job.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: job}
spec:
  template:
    spec:
      containers: [{image: job, volumeMounts: [{name: config, mountPath: /etc/job}]}]
      volumes: [{name: config, configMap: {name: job-files}}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: job-files}
data: {job.yaml: 'exporters: [{endpoint: "http://queue:4317"}]'}
"#,
        expect![[r#"
            service::job SERVICE_CALLS service::queue via= evidence=deployment imports=Some(0)
            service::web SERVICE_CALLS service::db via= evidence=deployment imports=Some(0)
        "#]],
    );
}

#[test]
fn of_a_document_with_a_secret_the_hosts_of_addresses_are_known() {
    check_calls(
        r#"
//- compose.yaml
services:
  web:
    build: ./web
    environment:
      DB: "postgres://me:${WORD}@${DB_HOST}/shop?sslmode=disable"
      PAY: "http://pay:80/v1"
      MAIL_HOST: mail
      AWS_SECRET_ACCESS_KEY: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLE9"
      AWS_ACCESS_KEY_ID: "AKIAQ3EGVYZ2WJ4PLMNX"
  db: {image: db}
  pay: {image: pay}
  mail: {image: mail}
//- .env
DB_HOST=db
//- web/app.py
x = 1
"#,
        expect![[r#"
            service::web SERVICE_CALLS service::db via= evidence=deployment imports=Some(0)
            service::web SERVICE_CALLS service::mail via= evidence=deployment imports=Some(0)
            service::web SERVICE_CALLS service::pay via= evidence=deployment imports=Some(0)
        "#]],
    );
}

#[test]
fn a_workload_runs_the_program_of_the_stage_or_of_the_workspace_that_its_image_is_named_by() {
    let workload = |name: &str, image: &str| {
        format!(
            "//- k8s/{name}.yaml\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}}}\nspec: {{template: {{spec: {{containers: [{{image: 'reg/{image}:1'}}]}}}}}}\n"
        )
    };
    let text = format!(
        "{}{}{}//- Dockerfile\nFROM x AS build\nRUN make\nFROM x AS cli\nENTRYPOINT [\"tool\"]\nFROM x AS other\n//- cmd/tool/main.go\npackage main\n\nfunc main() {{}}\n//- cmd/store/main.go\npackage main\n\nfunc main() {{}}\n//- ui/main.go\npackage main\n\nfunc main() {{}}\n//- ui/build/docker/Dockerfile\nFROM x\n",
        workload("tool-server", "cli"),
        workload("storage", "shop-store"),
        workload("queue", "shop-queue"),
    );
    expect![[r#"
        service::shop CONTAINS_FILE file::Dockerfile
        service::shop CONTAINS_FILE file::k8s/queue.yaml
        service::shop CONTAINS_FILE file::k8s/storage.yaml
        service::shop CONTAINS_FILE file::k8s/tool-server.yaml
        service::storage CONTAINS_FILE file::cmd/store/main.go
        service::tool-server CONTAINS_FILE file::cmd/tool/main.go
        service::ui CONTAINS_FILE file::ui/build/docker/Dockerfile
        service::ui CONTAINS_FILE file::ui/main.go
    "#]]
    .assert_eq(&edges(&graph(&load(&text)), &[Relation::ContainsFile]));
}

#[test]
fn the_rpcs_of_a_contract_that_is_shared_are_served_by_what_runs_their_handlers() {
    check_calls(
        r#"
//- go.mod
module m
//- compose.yaml
services:
  stock: {build: {context: ., dockerfile: Dockerfile-stock}}
  proxy: {build: {context: ., dockerfile: Dockerfile-proxy}}
  web: {build: {context: ., dockerfile: Dockerfile-web}}
//- Dockerfile-stock
FROM x
RUN go build -o /a ./cmd/stock
//- Dockerfile-proxy
FROM x
RUN go build -o /a ./cmd/proxy
//- Dockerfile-web
FROM x
RUN go build -o /a ./cmd/web
//- proto/stock.proto
syntax = "proto3";
package shop;
message M {}
service stockKeeping { rpc get(M) returns (M); }
//- gen/stock.pb.go
// Code generated by protoc-gen-go-grpc. DO NOT EDIT.
package gen

type M struct{}
type CallOption interface{}
type StockKeepingClient interface {
	Get(in *M, opts ...CallOption) (*M, error)
}
type stockKeepingClient struct{}

func (c *stockKeepingClient) Get(in *M, opts ...CallOption) (*M, error) { return nil, nil }
func NewStockKeepingClient(c any) StockKeepingClient                  { return &stockKeepingClient{} }

type StockKeepingServer interface{ Get(*M) (*M, error) }

func RegisterStockKeepingServer(s any, srv StockKeepingServer) {}
//- gen/stock.pb.gw.go
// Code generated by protoc-gen-grpc-gateway. DO NOT EDIT.
package gen

func RegisterStockKeepingHandlerFromEndpoint(mux any, endpoint string) error { return nil }
//- inside/stock/stock.go
package stock

import "m/gen"

type server struct{}

func (server) Get(*gen.M) (*gen.M, error) { return nil, nil }

func Serve() { gen.RegisterStockKeepingServer(nil, server{}) }
//- cmd/stock/main.go
package main

import "m/inside/stock"

func main() { stock.Serve() }
//- cmd/proxy/main.go
package main

import "m/gen"

func main() { gen.RegisterStockKeepingHandlerFromEndpoint(nil, "") }
//- cmd/web/main.go
package main

import "m/gen"

func main() { gen.NewStockKeepingClient(nil).Get(nil) }
"#,
        expect![[r#"
            service::proxy SERVICE_CALLS service::stock via= evidence=stub imports=Some(0)
            service::web SERVICE_CALLS service::stock via=endpoint::::POST::/shop.stockKeeping/get evidence=stub imports=Some(0)
        "#]],
    );
}

#[test]
fn the_machine_of_the_containers_leads_to_what_publishes_the_port() {
    check_calls(
        r#"
//- compose.yaml
services:
  web:
    build: ./web
    environment:
      BROKERS: host.docker.internal:9092
      DB: "postgres://host.docker.internal:5433/shop"
      OTHER: host.docker.internal:1
  broker: {image: broker, ports: ["9092:9092"]}
  db: {image: db, ports: [{target: 5432, published: 5433}, "127.0.0.1:8080:80/tcp", "6000"]}
//- web/app.py
x = 1
"#,
        expect![[r#"
            service::web SERVICE_CALLS service::broker via= evidence=deployment imports=Some(0)
            service::web SERVICE_CALLS service::db via= evidence=deployment imports=Some(0)
        "#]],
    );
}

/// What only a test of a program calls is run by the services that call it outside of tests alone.
#[test]
fn what_a_test_of_a_program_calls_is_run_by_other_services_alone() {
    check_calls(
        r#"
//- go.mod
module m
//- compose.yaml
services:
  shop: {build: {context: ., dockerfile: Dockerfile-shop}}
  audit: {build: {context: ., dockerfile: Dockerfile-audit}}
  orders: {image: orders}
//- Dockerfile-shop
FROM x
RUN go build -o /a ./cmd/shop
//- Dockerfile-audit
FROM x
RUN go build -o /a ./cmd/audit
//- inside/client/client.go
package client

import "net/http"

func Get() { http.Get("http://orders/v1") }

func Name() string { return "client" }
//- cmd/shop/main.go
package main

import "m/inside/client"

func main() { client.Name() }
//- cmd/shop/main_test.go
package main

import "m/inside/client"

func TestGet() { client.Get() }
//- cmd/audit/main.go
package main

import "m/inside/client"

func main() { client.Get() }
"#,
        expect![[r#"
            service::audit SERVICE_CALLS service::orders via= evidence=address|http imports=Some(0)
        "#]],
    );
}
