//! Kubernetes manifests: workloads, services, config maps, lists and templates of them, and the applications of Clowder.

use super::{
    DeployedService, Deployment, Host, ValueSet, Variable, VariableValue, image_name, pairs,
    template, words,
};
use crate::value::{Reader, Value};

/// The kinds whose `spec.template` is a pod (Kubernetes API, workloads).
const WORKLOADS: [&str; 6] = [
    "Deployment",
    "StatefulSet",
    "DaemonSet",
    "ReplicaSet",
    "ReplicationController",
    "Job",
];

/// Adds an object. Returns whether the root is one: it has `apiVersion` and `kind`.
pub(super) fn add(deployment: &mut Deployment, root: Value<'_>) -> bool {
    let (Some(_), Some(kind)) = (root.text_of("apiVersion"), root.text_of("kind")) else {
        return false;
    };
    let metadata = root.get("metadata");
    let name = metadata
        .and_then(|metadata| metadata.text_of("name"))
        .unwrap_or_default();
    let spec = root.get("spec");
    let known = deployment.services.len();
    match kind {
        "List" => {
            for item in root.get("items").map(Value::items).unwrap_or_default() {
                add(deployment, item);
            }
        }
        "Service" => deployment.hosts.push(Host {
            name: name.to_owned(),
            selector: pairs(spec.and_then(|spec| spec.get("selector"))),
            node: root.node(),
        }),
        "ConfigMap" => deployment.value_sets.push(ValueSet {
            name: name.to_owned(),
            values: pairs(root.get("data")),
            node: root.node(),
        }),
        "Template" => template::add(deployment, root),
        // Clowder, ClowdApp: deployments and jobs of one container each.
        "ClowdApp" => {
            for list in ["deployments", "jobs"] {
                let parts = spec.and_then(|spec| spec.get(list)).map(Value::items);
                for part in parts.unwrap_or_default() {
                    if let (Some(name), Some(pod)) = (part.text_of("name"), part.get("podSpec")) {
                        deployment.services.push(container(name, pod));
                    }
                }
            }
        }
        "Pod" => add_pod(deployment, name, Some(root)),
        "CronJob" => {
            let job = spec.and_then(|spec| spec.get("jobTemplate")?.get("spec")?.get("template"));
            add_pod(deployment, name, job);
        }
        "Kustomization" | "Component" => {
            for patch in root.get("patches").map(Value::items).unwrap_or_default() {
                add_patch(deployment, patch);
            }
        }
        _ if WORKLOADS.contains(&kind) => {
            add_pod(deployment, name, spec.and_then(|spec| spec.get("template")));
        }
        // Knative names its workloads `Service` too, and others have objects of their own: no code runs by them.
        _ => {}
    }
    let namespace = metadata.and_then(|metadata| metadata.text_of("namespace"));
    for service in deployment.services.iter_mut().skip(known) {
        if let Some(namespace) = namespace.filter(|_| service.namespace.is_empty()) {
            namespace.clone_into(&mut service.namespace);
        }
    }
    true
}

/// Adds a patch that is written as a text in the document: a part of an object (Kustomize, `patches`).
fn add_patch(deployment: &mut Deployment, patch: Value<'_>) {
    let Some(text) = patch.text_of("patch") else {
        return;
    };
    let tree = crate::read_yaml(text);
    let reader = Reader::new(&tree);
    let mut patched = Deployment::default();
    for root in reader.roots() {
        // A patch has no patches.
        let kind = root.text_of("kind").unwrap_or_default();
        if WORKLOADS.contains(&kind) || kind == "ConfigMap" {
            add(&mut patched, root);
        }
    }
    // Nodes are those of the document itself.
    for mut service in patched.services {
        service.node = patch.node();
        for variable in &mut service.variables {
            variable.node = patch.node();
        }
        deployment.services.push(service);
    }
    for mut set in patched.value_sets {
        set.node = patch.node();
        deployment.value_sets.push(set);
    }
}

/// Adds the containers of a pod or of the template of one.
fn add_pod(deployment: &mut Deployment, name: &str, pod: Option<Value<'_>>) {
    let Some(pod) = pod else { return };
    let labels = pod
        .get("metadata")
        .and_then(|metadata| metadata.get("labels"));
    let labels = pairs(labels);
    let spec = pod.get("spec");
    let volumes = spec.and_then(|spec| spec.get("volumes"));
    let volumes = volumes.map(Value::items).unwrap_or_default();
    let containers = spec.and_then(|spec| spec.get("containers"));
    let containers = containers.map(Value::items).unwrap_or_default();
    for container in containers {
        deployment.services.push(DeployedService {
            labels: labels.clone(),
            mounted_sets: mounted_sets(container, &volumes),
            ..self::container(name, container)
        });
    }
}

/// Returns what a container runs, with its variables.
fn container(name: &str, container: Value<'_>) -> DeployedService {
    let command = ["command", "args"]
        .iter()
        .filter_map(|key| container.get(key));
    let sources = container
        .get("envFrom")
        .map(Value::items)
        .unwrap_or_default();
    let sets = sources
        .into_iter()
        .filter_map(|source| source.get("configMapRef")?.text_of("name"));
    DeployedService {
        name: name.to_owned(),
        image: image_name(container.text_of("image").unwrap_or_default()),
        command: command.flat_map(words).collect(),
        variables: variables(container),
        value_sets: sets.map(str::to_owned).collect(),
        node: container.node(),
        ..DeployedService::default()
    }
}

/// Returns the config maps that are files of a container, by the volumes of its pod.
fn mounted_sets(container: Value<'_>, volumes: &[Value<'_>]) -> Vec<String> {
    let mounts = container.get("volumeMounts").map(Value::items);
    let mounts = mounts.unwrap_or_default().into_iter();
    let sets = mounts.filter_map(|mount| {
        let name = mount.text_of("name")?;
        let mut volumes = volumes.iter();
        let volume = volumes.find(|volume| volume.text_of("name") == Some(name))?;
        Some(volume.get("configMap")?.text_of("name")?.to_owned())
    });
    sets.collect()
}

fn variables(container: Value<'_>) -> Vec<Variable> {
    let env = container.get("env").map(Value::items).unwrap_or_default();
    let variables = env.into_iter().filter_map(|variable| {
        let from_set = || {
            let reference = variable.get("valueFrom")?.get("configMapKeyRef")?;
            Some(VariableValue::FromSet {
                set: reference.text_of("name")?.to_owned(),
                key: reference.text_of("key")?.to_owned(),
            })
        };
        let text = variable.text_of("value");
        let value = match (text, variable.get("valueFrom")) {
            (Some(text), _) => VariableValue::Text(text.to_owned()),
            (None, Some(_)) => from_set().unwrap_or(VariableValue::Elsewhere),
            // Kubernetes API, EnvVar: without both the value is empty.
            (None, None) => VariableValue::Text(String::new()),
        };
        Some(Variable {
            name: variable.text_of("name")?.to_owned(),
            value,
            is_of_file: false,
            node: variable.node(),
        })
    });
    variables.collect()
}
