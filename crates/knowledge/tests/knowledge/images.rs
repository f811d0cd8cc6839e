//! Images and workloads: which code they run, and under which names others reach them.

use codeweft_knowledge::graph::Relation;
use expect_test::expect;

use crate::wires::{check_calls, events, wired};
use crate::{edges, graph, load};

#[test]
fn the_code_of_an_image_is_where_it_copies_code_from() {
    let text = r#"
//- compose.yaml
services:
  api: {build: {context: ., dockerfile: docker/api/Dockerfile}, command: flask run, environment: {FLASK_APP: shop/api.py}}
  mail: {build: {context: mail-all, dockerfile: docker/mail/Dockerfile}}
  bill: {build: {context: mail-all, dockerfile: docker/Dockerfile}}
  smtp: {image: smtp}
  pay: {image: pay}
//- docker/api/Dockerfile
FROM x
COPY . .
COPY docker/api/httpd.conf /etc/httpd.conf
//- docker/api/configure.py
x = 1
//- shop/api.py
import requests

requests.get("http://pay:80")
//- mail-all/docker/mail/Dockerfile
FROM x
COPY mail/requirements.txt .
COPY mail /app
//- mail-all/docker/Dockerfile
FROM x
//- mail-all/mail/send.py
import requests

requests.get("http://smtp:25")
"#;
    check_calls(
        text,
        expect![[r#"
        service::api SERVICE_CALLS service::pay via= evidence=address|http imports=Some(0)
        service::mail SERVICE_CALLS service::smtp via= evidence=address|http imports=Some(0)
    "#]],
    );
}

#[test]
fn a_container_is_reached_by_its_own_name_and_by_its_aliases() {
    let text = r#"
//- compose.yaml
services:
  web: {build: ./web}
  pay-server: {image: pay, container_name: pay}
  users: {image: users, networks: {back: {aliases: [people]}}}
//- web/app.py
import requests

requests.get("http://pay:80")
requests.get("http://people:80")
"#;
    check_calls(
        text,
        expect![[r#"
        service::web SERVICE_CALLS service::pay-server via= evidence=address|http imports=Some(0)
        service::web SERVICE_CALLS service::users via= evidence=address|http imports=Some(0)
    "#]],
    );
}

#[test]
fn a_worker_begins_with_the_module_of_its_application_and_a_monitor_runs_no_code() {
    let text = r#"
//- compose.yaml
services:
  web: {build: ./shop, command: 'uvicorn main:app'}
  worker: {build: ./shop, command: celery -A work.queue worker}
  monitor: {build: ./shop, command: celery --broker=redis://redis:6379 flower}
//- shop/main.py
from fastapi import FastAPI

from work import paid

app = FastAPI()


@app.post("/paid")
def post():
    paid.delay()
//- shop/work.py
from celery import Celery

queue = Celery("shop")


@queue.task(name="paid")
def paid():
    pass
"#;
    expect![[r#"
        web publishes paid ?
        worker consumes paid ?
    "#]]
    .assert_eq(&events(&wired(text, &[])));
}

#[test]
fn programs_of_one_image_are_those_whose_files_their_commands_run() {
    let text = r#"
//- go.mod
module m
//- compose.yaml
services:
  orders: {build: ., entrypoint: ['./run.sh', './cmd/orders/main.go']}
  mail: {build: ., command: go run ./cmd/mail/main.go}
  pay: {image: pay}
  smtp: {image: smtp}
//- Dockerfile
FROM x
//- cmd/orders/main.go
package main

import "net/http"

func main() { http.Get("http://pay:80") }
//- cmd/mail/main.go
package main

import "net/http"

func main() { http.Get("http://smtp:25") }
//- other/other.go
package other

import "net/http"

func Run() { http.Get("http://pay:80") }
"#;
    check_calls(
        text,
        expect![[r#"
        service::mail SERVICE_CALLS service::smtp via= evidence=address|http imports=Some(0)
        service::orders SERVICE_CALLS service::pay via= evidence=address|http imports=Some(0)
    "#]],
    );
}

#[test]
fn a_script_beside_services_that_name_commands_runs_none_that_is_known() {
    let text = r#"
//- go.mod
module m
//- compose.yaml
services:
  web: {build: ., command: [shop, web]}
  setup: {build: ., command: [./setup.sh]}
  pay: {image: pay}
//- Dockerfile
FROM x
//- main.go
package main

import (
	"net/http"
	"os"
)

func main() {
	switch os.Args[1] {
	case "web":
		web()
	}
}

func web() { http.Get("http://pay:80") }
"#;
    check_calls(
        text,
        expect![[r#"
        service::web SERVICE_CALLS service::pay via= evidence=address|http imports=Some(0)
    "#]],
    );
}

#[test]
fn workloads_of_one_name_in_several_namespaces_are_named_by_their_images() {
    let workload = |namespace: &str| {
        format!(
            "//- {namespace}/k8s.yaml\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: app, namespace: {namespace}}}\nspec: {{template: {{metadata: {{labels: {{app: {namespace}}}}}, spec: {{containers: [{{image: 'reg/{namespace}:1'}}]}}}}}}\n---\napiVersion: v1\nkind: Service\nmetadata: {{name: {namespace}}}\nspec: {{selector: {{app: {namespace}}}}}\n"
        )
    };
    let text = format!(
        "//- go.mod\nmodule m\n{}{}{}//- a/main.go\npackage main\n\nimport \"net/http\"\n\nfunc main() {{ http.Get(\"http://b.b.svc.cluster.local:80\") }}\n//- b/main.go\npackage main\n\nimport \"net/http\"\n\nfunc main() {{ http.Get(\"http://c.c:80\") }}\n//- c/main.go\npackage main\n\nfunc main() {{}}\n",
        workload("a"),
        workload("b"),
        workload("c"),
    );
    let graph = graph(&load(&text));
    expect![[r#"
        service::a SERVICE_CALLS service::b via= evidence=address|http imports=Some(0)
        service::b SERVICE_CALLS service::c via= evidence=address|http imports=Some(0)
    "#]]
    .assert_eq(&edges(&graph, &[Relation::ServiceCalls]));
}
