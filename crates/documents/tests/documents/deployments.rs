//! What is deployed, by documents of each kind.

use std::fmt::Write as _;

use codeweft_documents::Format;
use codeweft_documents::deployment::{VariableValue, read_deployment};
use expect_test::{Expect, expect};

fn check(path: &str, text: &str, expected: Expect) {
    let tree = Format::of_path(path).unwrap().read(text);
    assert!(tree.errors.is_empty());
    let deployment = read_deployment(path, &tree).unwrap();
    let line = |node| tree.line_column(tree.span(node).start).0;
    let mut out = String::new();
    for service in &deployment.services {
        write!(out, "{:?} :{}", service.name, line(service.node)).unwrap();
        let labels = service
            .labels
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let fields = [
            ("image", service.image.clone()),
            ("labels", labels.collect::<Vec<_>>().join("|")),
            ("context", service.build_context.clone().unwrap_or_default()),
            ("dockerfile", service.dockerfile.clone().unwrap_or_default()),
            ("command", service.command.join("|")),
            ("sources", service.sources.join("|")),
            ("files", service.environment_files.join("|")),
            ("sets", service.value_sets.join("|")),
            ("needs", service.depends_on.join("|")),
        ];
        for (name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
            write!(out, " {name}={value}").unwrap();
        }
        out.push('\n');
        for variable in &service.variables {
            let value = match &variable.value {
                VariableValue::Text(text) => format!("{text:?}"),
                VariableValue::FromSet { set, key } => format!("{key} of {set}"),
                VariableValue::Elsewhere => "elsewhere".to_owned(),
            };
            writeln!(
                out,
                "  {} = {value} :{}",
                variable.name,
                line(variable.node)
            )
            .unwrap();
        }
    }
    for host in &deployment.hosts {
        writeln!(
            out,
            "host {} :{} {:?}",
            host.name,
            line(host.node),
            host.selector
        )
        .unwrap();
    }
    for set in &deployment.value_sets {
        writeln!(out, "set {} :{} {:?}", set.name, line(set.node), set.values).unwrap();
    }
    for (node, message) in &deployment.errors {
        writeln!(out, "error :{}: {message}", line(*node)).unwrap();
    }
    expected.assert_eq(&out);
}

#[test]
fn a_compose_file_has_services_with_what_they_are_built_from_and_their_variables() {
    check(
        "compose.yaml",
        r#"x-base: &base
  environment: {LEVEL: info}
services:
  web:
    <<: *base
    build: {context: ./web, dockerfile: Web.Dockerfile}
    command: /bin/web --port 80
    depends_on: {db: {condition: service_healthy}}
    env_file: [web.env, {path: more.env}]
  worker:
    build: .
    image: registry:5000/shop/worker:1.2@sha256:abc
    environment:
      - QUEUE_ADDR=queue:5672
      - TOKEN
    depends_on: [db]
  db: {image: "postgres:16"}
  broken: 1
"#,
        expect![[r#"
            "web" :5 context=./web dockerfile=Web.Dockerfile command=/bin/web|--port|80 files=web.env|more.env needs=db
              LEVEL = "info" :2
            "worker" :11 image=registry:5000/shop/worker context=. needs=db
              QUEUE_ADDR = "queue:5672" :14
              TOKEN = elsewhere :15
            "db" :17 image=postgres
            error :18: the service `broken` is no mapping
        "#]],
    );
}

#[test]
fn manifests_have_workloads_with_containers_hosts_and_sets_of_values() {
    check(
        "deploy/all.yaml",
        r#"apiVersion: apps/v1
kind: Deployment
metadata: {name: orders}
spec:
  template:
    metadata: {labels: {app: orders}}
    spec:
      containers:
        - name: server
          image: shop/orders:v1
          command: [/bin/orders]
          args: ["--debug"]
          env:
            - {name: PAY_ADDR, value: "pay:50051"}
            - {name: TOPIC, valueFrom: {configMapKeyRef: {name: topics, key: orders}}}
            - {name: SECRET, valueFrom: {secretKeyRef: {name: s, key: k}}}
            - {name: EMPTY}
          envFrom: [{configMapRef: {name: common}}]
---
apiVersion: v1
kind: Service
metadata: {name: orders-http}
spec: {selector: {app: orders}}
---
apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: topics}, data: {orders: shop.orders}}
  - apiVersion: batch/v1
    kind: CronJob
    metadata: {name: clean}
    spec: {jobTemplate: {spec: {template: {spec: {containers: [{image: shop/clean}]}}}}}
"#,
        expect![[r#"
            "orders" :9 image=shop/orders labels=app=orders command=/bin/orders|--debug sets=common
              PAY_ADDR = "pay:50051" :14
              TOPIC = orders of topics :15
              SECRET = elsewhere :16
              EMPTY = "" :17
            "clean" :32 image=shop/clean
            host orders-http :20 [("app", "orders")]
            set topics :28 [("orders", "shop.orders")]
        "#]],
    );
}

#[test]
fn a_dockerfile_has_the_code_of_all_stages_and_what_the_last_runs() {
    check(
        "cmd/web/Dockerfile",
        r#"FROM --platform=linux golang:1.26 AS build
COPY go.mod go.sum ./
COPY . .
RUN go mod download && CGO_ENABLED=0 go build -o /web ./cmd/web
FROM scratch
ENV PORT=80 HOST="a b"
ENV OLD a form
COPY --from=build /web /web
CMD ["--debug"]
ENTRYPOINT ["/web"]
"#,
        expect![[r#"
            "" :1 image=scratch command=/web|--debug sources=go.mod|go.sum|.|./cmd/web
              PORT = "80" :6
              HOST = "a b" :6
              OLD = "a form" :7
        "#]],
    );
}

#[test]
fn documents_that_deploy_nothing_have_no_deployment() {
    for (path, text) in [
        ("a.yaml", "services: [web]\n"),
        ("a.yaml", "services: {web: {port: 80}}\n"),
        ("a.yaml", "kind: x\n"),
        ("Dockerfile", "# nothing\n"),
        (".env", "A=1\n"),
    ] {
        let tree = Format::of_path(path).unwrap().read(text);
        assert_eq!(read_deployment(path, &tree), None, "{text}");
    }
}

#[test]
fn names_in_compose_files_have_the_values_of_the_environment_file_beside_them() {
    let text = "services:
  web:
    image: shop/${IMAGE:-web}:${TAG}
    build: {context: ., dockerfile: '${WEB_FILE}'}
    env_file: ['${STAGE}.env']
    command: ['--pay=$PAY', '$$HOME', '${', '${NONE:+x}${PAY:+y}${NONE-z}${A:-${B:-deep}}', 'a$ b']
    environment: [PAY, NOWHERE, 'URL=http://${PAY}/x', 'OWN=1']
";
    let tree = Format::Yaml.read(text);
    let deployment = read_deployment("deploy/compose.yaml", &tree).unwrap();
    let pairs = |pairs: &[(&str, &str)]| {
        let pairs = pairs.iter();
        let owned = pairs.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Some(owned.collect())
    };
    let filled = deployment.filled("deploy/compose.yaml", &|path| match path {
        "deploy/.env" => pairs(&[
            ("PORT", "80"),
            ("PAY", "pay:${PORT}"),
            ("WEB_FILE", "./web/Dockerfile"),
            ("STAGE", "test"),
        ]),
        "deploy/test.env" => pairs(&[("OWN", "2"), ("SHIP", "ship:${PORT}")]),
        _ => None,
    });
    let web = &filled.services[0];
    let mut out = format!("{} {:?}\n{:?}\n", web.image, web.dockerfile, web.command);
    for variable in &web.variables {
        let (name, value) = (&variable.name, variable.value.text());
        writeln!(out, "{name} {value:?} {}", variable.is_of_file).unwrap();
    }
    expect![[r#"
        shop/web Some("./web/Dockerfile")
        ["--pay=pay:80", "$HOME", "${", "yzdeep", "a$ b"]
        PAY Some("pay:80") false
        NOWHERE None false
        URL Some("http://pay:80/x") false
        OWN Some("1") false
        SHIP Some("ship:80") true
    "#]]
    .assert_eq(&out);
    let manifest =
        "apiVersion: v1\nkind: Pod\nspec: {containers: [{image: 'x', args: ['${PAY}']}]}";
    let tree = Format::Yaml.read(manifest);
    let deployment = read_deployment("pod.yaml", &tree).unwrap();
    assert_eq!(
        deployment.filled("pod.yaml", &|_| pairs(&[("PAY", "pay")])),
        deployment,
        "only compose files are filled in"
    );
}

#[test]
fn a_template_has_objects_with_the_values_of_its_parameters() {
    check(
        "app.yaml",
        r#"apiVersion: template.openshift.io/v1
kind: Template
objects:
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: '${NAME}-api'}
  spec:
    replicas: ${{COUNT}}
    template:
      metadata: {labels: {app: '${NAME}'}}
      spec:
        containers:
        - image: ${IMAGE}:${TAG}
          args: ['--size=${{COUNT}}', '--word=${WORD}', '${']
          env:
          - {name: TOPIC, value: '${TOPIC}'}
          - {name: KEY, valueFrom: {configMapKeyRef: {name: '${NAME}-values', key: k}}}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: '${NAME}-values'}
  data: {k: '${TOPIC}.late'}
- apiVersion: v1
  kind: Service
  metadata: {name: '${NAME}'}
  spec: {selector: {app: '${NAME}'}}
parameters:
- {name: NAME, value: orders}
- {name: COUNT, value: '2'}
- {name: IMAGE, value: reg/shop/orders}
- {name: TAG, required: true}
- {name: WORD}
- {name: TOPIC, value: orders.placed}
"#,
        expect![[r#"
            "orders-api" :13 image=reg/shop/orders labels=app=orders command=--size=2|--word=${WORD}|${
              TOPIC = "orders.placed" :16
              KEY = k of orders-values :17
            host orders :22 [("app", "orders")]
            set orders-values :18 [("k", "orders.placed.late")]
        "#]],
    );
}

#[test]
fn a_template_without_values_has_none_that_its_parameters_gave() {
    let text = r#"apiVersion: template.openshift.io/v1
kind: Template
objects:
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: api}
  spec:
    template:
      spec:
        containers:
        - image: shop/api
          env:
          - {name: WORD, value: '${WORD}'}
          - {name: DB, value: 'postgres://me:${WORD}@db:5432/shop'}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: values}
  data: {word: 'x-${WORD}'}
parameters:
- {name: WORD, value: abracadabra}
"#;
    let deployment = read_deployment("app.yaml", &Format::Yaml.read(text)).unwrap();
    let values = |deployment| format!("{deployment:?}").matches("abracadabra").count();
    assert_eq!(values(deployment.without_values()), 0);
    assert_eq!(values(deployment), 3, "all were filled in");
}

#[test]
fn an_application_of_clowder_has_deployments_and_jobs() {
    check(
        "app.yaml",
        r#"apiVersion: cloud.redhat.com/v1alpha1
kind: ClowdApp
metadata: {name: shop}
spec:
  deployments:
  - name: api
    podSpec:
      image: reg/shop:1
      args: [./run.py]
      env: [{name: TOPIC, value: orders}]
  - {podSpec: {image: nameless}}
  jobs:
  - name: cleaner
    schedule: '@daily'
    podSpec: {image: 'reg/shop:1', command: [python, jobs/clean.py]}
"#,
        expect![[r#"
            "api" :8 image=reg/shop command=./run.py
              TOPIC = "orders" :10
            "cleaner" :15 image=reg/shop command=python|jobs/clean.py
        "#]],
    );
}
