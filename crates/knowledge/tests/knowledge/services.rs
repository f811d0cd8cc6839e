//! Which services there are, and which files are theirs.

use std::collections::BTreeMap;

use codeweft_knowledge::graph::{Graph, NodeData};
use codeweft_knowledge::{DeclaredService, KnowledgeSettings, build};
use expect_test::{Expect, expect};

use crate::{check_invariants, graph, load};

fn print(graph: &Graph) -> String {
    let mut lines = Vec::new();
    for node in &graph.nodes {
        match &*node.data {
            NodeData::Service {
                service_name,
                stack,
                estimated_loc,
                ..
            } => {
                lines.push(format!("{service_name} ({stack}) {estimated_loc}"));
            }
            NodeData::File {
                file_path,
                service_name,
                ..
            } => lines.push(format!("  {file_path}: {service_name}")),
            _ => {}
        }
    }
    lines.sort_by_key(|line| line.starts_with(' '));
    lines.join("\n")
}

fn check(text: &str, expected: Expect) {
    let graph = graph(&load(text));
    check_invariants(&graph);
    assert!(graph.errors.is_empty());
    expected.assert_eq(&print(&graph));
}

#[test]
fn a_workspace_without_deployments_is_one_service() {
    check(
        "//- a/a.go\npackage a\n\nfunc F() {}\n",
        expect![[r#"
        shop (go) 2
          a/a.go: shop"#]],
    );
}

#[test]
fn a_folder_with_a_dockerfile_is_a_service_nested_ones_too() {
    check(
        "//- a/Dockerfile\nFROM x\n//- a/main.go\npackage main\n\nfunc main() {}\n//- a/b/Dockerfile\nFROM x\n//- a/b/app.py\nx = 1\n//- lib/l.go\npackage l\n",
        expect![[r#"
            a (go) 2
            b (python) 1
              a/Dockerfile: a
              a/b/Dockerfile: b
              a/b/app.py: b
              a/main.go: a
              lib/l.go: "#]],
    );
}

#[test]
fn two_programs_of_one_folder_are_two_services_if_they_are_built_apart() {
    check(
        "//- compose.yml\nservices:\n  api: {build: {context: ., dockerfile: docker/api.Dockerfile}}\n  job: {build: ., command: /job}\n//- docker/api.Dockerfile\nFROM x\nRUN go build -o /x ./cmd/api\n//- Dockerfile\nFROM x\n//- cmd/api/main.go\npackage main\n\nfunc main() {}\n//- cmd/job/main.go\npackage main\n\nfunc main() {}\n",
        expect![[r#"
            api (go) 2
            job (go) 2
              Dockerfile: 
              cmd/api/main.go: api
              cmd/job/main.go: job
              compose.yml: 
              docker/api.Dockerfile: "#]],
    );
}

#[test]
fn a_program_is_found_by_the_file_that_a_command_builds_in_a_mounted_folder() {
    let dockerfile = |name: &str| {
        format!(
            "//- docker/Dockerfile-{name}\nFROM x\nCOPY .. /app\nENTRYPOINT watch --build=\"go build -o main {name}/cmd/main.go\" --command=./main\n//- {name}/cmd/main.go\npackage main\n\nfunc main() {{}}\n//- {name}/inside/a.go\npackage inside\n"
        )
    };
    check(
        &format!(
            "//- compose.yml\nservices:\n  api: {{build: {{context: ., dockerfile: docker/Dockerfile-api}}, volumes: ['./:/app']}}\n  job: {{build: {{context: ., dockerfile: docker/Dockerfile-job}}, volumes: ['./:/app']}}\n{}{}",
            dockerfile("api"),
            dockerfile("job")
        ),
        expect![[r#"
            api (go) 3
            job (go) 3
              api/cmd/main.go: api
              api/inside/a.go: api
              compose.yml: 
              docker/Dockerfile-api: 
              docker/Dockerfile-job: 
              job/cmd/main.go: job
              job/inside/a.go: job"#]],
    );
}

#[test]
fn a_service_of_the_root_has_the_name_of_the_only_workload_that_runs_its_image() {
    check(
        "//- Dockerfile\nFROM x\n//- a.py\nx = 1\n//- k8s/a.yaml\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{image: 'reg/shop:1'}]}}}\n",
        expect![[r#"
            web (python) 1
              Dockerfile: web
              a.py: web
              k8s/a.yaml: web"#]],
    );
    let workload = |name: &str| {
        format!(
            "//- k8s/{name}.yaml\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}}}\nspec: {{template: {{spec: {{containers: [{{image: 'reg/shop:1'}}]}}}}}}\n"
        )
    };
    check(
        &format!(
            "//- Dockerfile\nFROM x\n//- a.py\nx = 1\n{}{}",
            workload("web"),
            workload("job")
        ),
        expect![[r#"
            shop (python) 1
              Dockerfile: shop
              a.py: shop
              k8s/job.yaml: shop
              k8s/web.yaml: shop"#]],
    );
}

#[test]
fn a_workload_whose_image_has_the_name_of_a_program_is_a_service() {
    check(
        "//- k8s/a.yaml\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: shop-orders}\nspec: {template: {spec: {containers: [{image: 'reg/orders:1'}]}}}\n//- cmd/orders/main.go\npackage main\n\nfunc main() {}\n//- cmd/tool/main.go\npackage main\n\nfunc main() {}\n",
        expect![[r#"
            shop-orders (go) 2
              cmd/orders/main.go: shop-orders
              cmd/tool/main.go: 
              k8s/a.yaml: "#]],
    );
}

#[test]
fn services_of_one_name_are_named_by_their_folders() {
    check(
        "//- a/api/Dockerfile\nFROM x\n//- b/api/Dockerfile\nFROM x\n//- a/api/x.py\nx = 1\n",
        expect![[r#"
            a/api (python) 1
            b/api () 0
              a/api/Dockerfile: a/api
              a/api/x.py: a/api
              b/api/Dockerfile: b/api"#]],
    );
}

#[test]
fn declared_services_win_and_one_without_files_is_an_error() {
    let workspace =
        load("//- a/Dockerfile\nFROM x\n//- a/a.go\npackage a\n//- b/b.go\npackage b\n");
    let declared = |path: &str| DeclaredService {
        paths: vec![path.to_owned()],
        ..DeclaredService::default()
    };
    let settings = KnowledgeSettings {
        services: BTreeMap::from([
            ("one".to_owned(), declared("./b/")),
            ("none".to_owned(), declared("c")),
        ]),
        ..KnowledgeSettings::default()
    };
    let graph = build(workspace.host.db(), "/w", &settings, 1);
    check_invariants(&graph);
    let errors: Vec<String> = graph
        .errors
        .iter()
        .map(|error| format!("{}: {}", error.file, error.message))
        .collect();
    assert_eq!(
        errors,
        ["codeweft.toml: the service `none` has no file: check its paths"]
    );
    expect![[r#"
        one (go) 1
          a/Dockerfile: 
          a/a.go: 
          b/b.go: one"#]]
    .assert_eq(&print(&graph));
}

#[test]
fn an_environment_file_gives_addresses_unless_the_compose_file_has_the_variable_itself() {
    let graph = crate::graph(&crate::load(
        "
//- compose.yaml
services:
  web: {build: ./web, env_file: [web/.env, web/late.env], environment: {OWN: 'none'}}
  pay: {build: ./pay}
  bill: {build: ./bill}
  ship: {build: ./ship}
//- web/.env
PAY=http://pay:80
BILL=http://nowhere:80
OWN=http://ship:80
//- web/late.env
BILL=http://bill:80
//- web/Dockerfile
FROM x
//- pay/Dockerfile
FROM x
//- bill/Dockerfile
FROM x
//- ship/Dockerfile
FROM x
",
    ));
    expect_test::expect![[r#"
        service::web SERVICE_CALLS service::bill via= evidence=deployment imports=Some(0)
        service::web SERVICE_CALLS service::pay via= evidence=deployment imports=Some(0)
    "#]]
    .assert_eq(&crate::edges(
        &graph,
        &[codeweft_knowledge::graph::Relation::ServiceCalls],
    ));
}

/// Calls between services, and which files are whose.
fn check_calls(text: &str, expected: Expect) {
    let graph = graph(&load(text));
    check_invariants(&graph);
    let relations = [
        codeweft_knowledge::graph::Relation::ServiceCalls,
        codeweft_knowledge::graph::Relation::ContainsFile,
    ];
    expected.assert_eq(&crate::edges(&graph, &relations));
}

#[test]
fn what_is_deployed_without_code_is_a_service_if_one_with_code_calls_it() {
    check_calls(
        "//- compose.yaml\nservices:\n  web: {build: ./web, environment: {DB_HOST: db, MODE: cache}}\n  db: {image: 'postgres:16'}\n  cache: {image: redis}\n//- web/app.py\nx = 1\n",
        expect![[r#"
            service::db CONTAINS_FILE file::compose.yaml
            service::web CONTAINS_FILE file::web/app.py
            service::web SERVICE_CALLS service::db via= evidence=deployment imports=Some(0)
        "#]],
    );
}

#[test]
fn a_dockerfile_inside_a_composed_service_without_code_or_with_generated_code_is_no_service() {
    check_calls(
        "//- compose.yaml\nservices:\n  web: {build: ./web}\n//- web/Dockerfile\nFROM x\n//- web/app.py\nx = 1\n//- web/gen/Dockerfile\nFROM x\n//- web/gen/a.go\n// Code generated by x. DO NOT EDIT.\npackage gen\n//- web/own/Dockerfile\nFROM x\n//- web/own/b.py\ny = 1\n//- web/tool/Dockerfile\nFROM x\n",
        expect![[r#"
            service::own CONTAINS_FILE file::web/own/Dockerfile
            service::own CONTAINS_FILE file::web/own/b.py
            service::web CONTAINS_FILE file::web/Dockerfile
            service::web CONTAINS_FILE file::web/app.py
            service::web CONTAINS_FILE file::web/gen/Dockerfile
            service::web CONTAINS_FILE file::web/gen/a.go
            service::web CONTAINS_FILE file::web/tool/Dockerfile
        "#]],
    );
}

#[test]
fn addresses_in_arguments_and_by_the_names_of_variables_are_calls() {
    check_calls(
        "//- compose.yaml\nservices:\n  web: {build: ./web, command: ['serve', '--pay=pay:80', 'bill'], environment: {BROKERS: 'mail:1,queue:2'}}\n  pay: {build: ./pay}\n  bill: {build: ./bill}\n  mail: {build: ./mail}\n  queue: {build: ./queue}\n//- web/Dockerfile\nFROM x\n//- pay/Dockerfile\nFROM x\n//- bill/Dockerfile\nFROM x\n//- mail/Dockerfile\nFROM x\n//- queue/Dockerfile\nFROM x\n",
        expect![[r#"
            service::bill CONTAINS_FILE file::bill/Dockerfile
            service::mail CONTAINS_FILE file::mail/Dockerfile
            service::pay CONTAINS_FILE file::pay/Dockerfile
            service::queue CONTAINS_FILE file::queue/Dockerfile
            service::web CONTAINS_FILE file::web/Dockerfile
            service::web SERVICE_CALLS service::mail via= evidence=deployment imports=Some(0)
            service::web SERVICE_CALLS service::pay via= evidence=deployment imports=Some(0)
            service::web SERVICE_CALLS service::queue via= evidence=deployment imports=Some(0)
        "#]],
    );
}

#[test]
fn a_set_of_values_that_several_share_says_nothing_of_any_of_them() {
    let manifest = |name: &str| {
        format!(
            "//- k8s/{name}.yaml\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}}}\nspec: {{template: {{spec: {{containers: [{{image: {name}, envFrom: [{{configMapRef: {{name: all}}}}]}}]}}}}}}\n//- {name}/Dockerfile\nFROM x\n"
        )
    };
    let text = format!(
        "{}{}{}//- web/app.py\nx = 1\n//- k8s/all.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: all}}\ndata: {{PAY_ADDR: 'pay:80'}}\n",
        manifest("web"),
        manifest("pay"),
        manifest("bill")
    );
    check_calls(
        &text,
        expect![[r#"
        service::bill CONTAINS_FILE file::bill/Dockerfile
        service::pay CONTAINS_FILE file::pay/Dockerfile
        service::web CONTAINS_FILE file::web/Dockerfile
        service::web CONTAINS_FILE file::web/app.py
    "#]],
    );
}

#[test]
fn the_code_of_a_composed_service_is_beside_its_dockerfile_or_where_it_runs_through_a_volume() {
    check(
        "//- compose.yaml\nservices:\n  pay: {build: {context: ., dockerfile: src/pay/Dockerfile}}\n  bill: {build: images/dev, working_dir: /code/bill, volumes: ['./code:/code', 'data:/code/bill']}\n//- src/pay/Dockerfile\nFROM x\nCOPY ./src/pay/app.py .\n//- src/pay/app.py\nx = 1\n//- images/dev/Dockerfile\nFROM x\n//- code/bill/app.py\nx = 1\n//- code/other/app.py\nx = 1\n",
        expect![[r#"
            bill (python) 1
            pay (python) 1
              code/bill/app.py: bill
              code/other/app.py: 
              compose.yaml: 
              images/dev/Dockerfile: 
              src/pay/Dockerfile: pay
              src/pay/app.py: pay"#]],
    );
}

#[test]
fn each_program_of_a_shared_folder_is_a_service_named_by_its_only_workload_else_by_its_file() {
    let workload = |name: &str, command: &str| {
        format!(
            "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}}}\nspec: {{template: {{spec: {{containers: [{{image: 'reg/team/shop:1', args: [{command}]}}]}}}}}}\n"
        )
    };
    let text = format!(
        "//- Dockerfile\nFROM x\nENTRYPOINT [\"./run.sh\"]\n//- dev.yml\nservices:\n  mail-dev: {{build: ., command: python3 mail.py}}\n  export: {{image: other/export}}\n//- k8s/all.yaml\n{}{}{}{}{}{}//- run.py\nx = 1\n//- server.conf.py\nx = 1\n//- mail.py\nx = 1\n//- exporter.py\nx = 1\n//- jobs/clean.py\nx = 1\n",
        workload("mail-fast", "./mail.py"),
        workload("mail-slow", "./mail.py"),
        workload("cleaner", "./jobs/clean.py"),
        workload("export", "./exporter.py"),
        workload("read", "gunicorn, -c, server.conf.py, 'run:app'"),
        workload("write", "gunicorn, -c, server.conf.py, 'run:app'"),
    );
    let graph = graph(&load(&text));
    check_invariants(&graph);
    let services = graph.nodes.iter().filter_map(|node| match &*node.data {
        NodeData::Service { service_name, .. } => Some(service_name.as_str()),
        _ => None,
    });
    // Another image has the name `export` already, and nothing calls it.
    let services: Vec<&str> = services.collect();
    assert_eq!(services, ["cleaner", "exporter", "mail", "run"]);
}

#[test]
fn a_dockerfile_at_the_root_is_a_service_with_the_name_of_the_workspace() {
    check(
        "//- Dockerfile\nFROM x\n//- main.go\npackage main\n\nfunc main() {}\n",
        expect![[r#"
            shop (go) 2
              Dockerfile: shop
              main.go: shop"#]],
    );
}
