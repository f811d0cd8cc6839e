//! Requests between services (rule 79), and routes that contracts declare.

use codeweft_knowledge::graph::Relation;
use expect_test::expect;

use super::wired;
use crate::edges;

#[test]
fn a_host_from_a_field_or_the_environment_names_the_service_that_is_called() {
    let text = r#"
//- compose.yaml
services:
  web: {build: ./web, environment: {QUOTE_ADDR: "http://quote:8080"}}
  quote: {build: ./quote}
  front: {build: ./front}
//- quote/main.go
package main

import "net/http"

func quote(w http.ResponseWriter, r *http.Request) {}

func main() { http.HandleFunc("POST /get-quote/{id}", quote) }
//- web/main.go
package main

import (
	"fmt"
	"net/http"
	"os"
)

type client struct{ addr string }

func mustMapEnv(target *string, key string) {
	v := os.Getenv(key)
	*target = v
}

func (c *client) quote(id string) {
	http.Post(c.addr+"/get-quote/"+id, "", nil)
}

func main() {
	c := &client{}
	mustMapEnv(&c.addr, "QUOTE_ADDR")
	c.quote(fmt.Sprint(1))
}
//- front/main.py
import httpx
import requests


def load():
    requests.get("http://web:80/unknown?x=1")
    client = httpx.Client(base_url="http://quote")
    client.post("/get-quote/1")
"#;
    let graph = wired(text, &[]);
    expect![[r#"
        service::front SERVICE_CALLS service::quote via=endpoint::quote::POST::/get-quote/{} evidence=address|http imports=Some(0)
        service::front SERVICE_CALLS service::web via= evidence=address|http imports=Some(0)
        service::web SERVICE_CALLS service::quote via=endpoint::quote::POST::/get-quote/{} evidence=deployment|http imports=Some(0)
    "#]]
    .assert_eq(&edges(&graph, &[Relation::ServiceCalls]));
}

#[test]
fn a_registration_handles_the_operation_of_its_path_behind_the_servers_base() {
    let text = r#"
//- api.yaml
openapi: 3.0.0
info: {title: A, version: '1'}
servers: [{url: https://x/v1}]
paths:
  /users/{id}:
    get: {operationId: getUser}
  /gone: {get: {operationId: gone}}
//- main.go
package main

import "github.com/gin-gonic/gin"

func show(c *gin.Context)  {}
func extra(c *gin.Context) {}
func getUser()             {}

func main() {
	r := gin.New()
	r.GET("/v1/users/:user", show)
	r.GET("/extra", extra)
}
"#;
    let graph = wired(text, &["github.com/gin-gonic/gin"]);
    let relations = [
        Relation::ProvidesContract,
        Relation::ExposesEndpoint,
        Relation::HandlesEndpoint,
    ];
    expect![[r#"
        contract::api.yaml EXPOSES_ENDPOINT endpoint::shop::GET::/v1/gone
        contract::api.yaml EXPOSES_ENDPOINT endpoint::shop::GET::/v1/users/{}
        contract::code::shop EXPOSES_ENDPOINT endpoint::shop::GET::/extra
        service::shop PROVIDES_CONTRACT contract::api.yaml
        service::shop PROVIDES_CONTRACT contract::code::shop
        symbol::main.go::extra HANDLES_ENDPOINT endpoint::shop::GET::/extra registration
        symbol::main.go::show HANDLES_ENDPOINT endpoint::shop::GET::/v1/users/{} registration
    "#]]
    .assert_eq(&edges(&graph, &relations));
}

#[test]
fn a_file_of_no_service_belongs_to_the_only_one_that_imports_it() {
    let text = r#"
//- compose.yaml
services:
  front: {build: ./front}
  back: {build: ./back}
//- front/main.go
package main

import (
	"m/internal/front"
	"m/internal/shared"
)

func main() { front.Run(); shared.Run() }
//- back/main.go
package main

import "m/internal/shared"

func main() { shared.Run() }
//- internal/front/front.go
package front

import "net/http"

func home(w http.ResponseWriter, r *http.Request) {}

func Run() { http.HandleFunc("/home", home) }
//- internal/shared/shared.go
package shared

import "net/http"

func both(w http.ResponseWriter, r *http.Request) {}

func Run() { http.HandleFunc("/both", both) }
"#;
    let graph = wired(text, &[]);
    expect![[r#"
        contract::code::front EXPOSES_ENDPOINT endpoint::front::ANY::/home
    "#]]
    .assert_eq(&edges(&graph, &[Relation::ExposesEndpoint]));
}

#[test]
fn code_beside_services_without_any_is_a_service_of_the_root() {
    let text = r#"
//- docker/Dockerfile
FROM python:3.13
//- app/__init__.py
//- app/main.py
from fastapi import FastAPI

app = FastAPI()


@app.get("/x")
def x():
    pass
"#;
    let graph = wired(text, &[]);
    expect![[r#"
        contract::code::shop EXPOSES_ENDPOINT endpoint::shop::GET::/x
    "#]]
    .assert_eq(&edges(&graph, &[Relation::ExposesEndpoint]));
}

#[test]
fn a_variable_of_the_service_itself_wins_over_one_of_a_set_that_it_takes() {
    let manifest = |name: &str, more: &str| {
        format!(
            "//- {name}/k8s.yaml\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}}}\nspec: {{template: {{spec: {{containers: [{{image: {name}{more}}}]}}}}}}\n//- {name}/Dockerfile\nFROM x\n"
        )
    };
    let own =
        ", env: [{name: OWN, value: 'http://pay:80'}], envFrom: [{configMapRef: {name: all}}]";
    let text = format!(
        "{}{}{}{}//- all.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: all}}\ndata: {{OWN: 'http://bill:80', OTHER: 'http://ship:80'}}\n//- web/app.py\nimport os\nimport requests\n\ndef f():\n    requests.get(os.environ['OWN'] + '/a')\n    requests.get(os.environ['OTHER'] + '/b')\n",
        manifest("web", own),
        manifest("pay", ""),
        manifest("bill", ""),
        manifest("ship", "")
    );
    let graph = wired(&text, &[]);
    expect![[r#"
        service::web SERVICE_CALLS service::pay via= evidence=deployment|http imports=Some(0)
        service::web SERVICE_CALLS service::ship via= evidence=deployment|http imports=Some(0)
    "#]]
    .assert_eq(&edges(&graph, &[Relation::ServiceCalls]));
}
