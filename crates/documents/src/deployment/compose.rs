//! Compose files (Compose specification).

use super::{DeployedService, Deployment, Variable, VariableValue, image_name, texts, words};
use crate::paths::joined;
use crate::value::Value;

/// The keys of a service of which it has one.
const SERVICE_KEYS: [&str; 4] = ["image", "build", "extends", "provider"];

/// Adds the services of a compose file. Returns whether the root is one: a mapping `services` of mappings, one of which has an
/// image or is built.
pub(super) fn add(deployment: &mut Deployment, root: Value<'_>) -> bool {
    let services = root.get("services").map(Value::entries).unwrap_or_default();
    let is_service = |value: Value<'_>| SERVICE_KEYS.iter().any(|key| value.get(key).is_some());
    if !services.iter().any(|(_, value)| is_service(*value)) {
        return false;
    }
    deployment.is_compose = true;
    for (name, value) in services {
        if !value.is_mapping() {
            let words = format!("the service `{name}` is no mapping");
            deployment.errors.push((value.node(), words));
            continue;
        }
        deployment.services.push(service(name, value));
    }
    true
}

fn service(name: &str, value: Value<'_>) -> DeployedService {
    let build = value.get("build");
    let context = build.and_then(|build| build.text().or_else(|| build.text_of("context")));
    let context = context.or(build.map(|_| "."));
    let command = ["entrypoint", "command"]
        .iter()
        .filter_map(|key| value.get(key));
    let depends_on = value.get("depends_on");
    let needed = depends_on.map(Value::entries).unwrap_or_default();
    let mut depends_on = texts(depends_on);
    depends_on.extend(needed.into_iter().map(|(name, _)| name.to_owned()));
    let files = value.get("env_file");
    let mut environment_files = texts(files);
    let long_form = files.map(Value::items).unwrap_or_default();
    environment_files.extend(
        long_form
            .into_iter()
            .filter_map(|file| Some(file.text_of("path")?.to_owned())),
    );
    DeployedService {
        name: name.to_owned(),
        image: image_name(value.text_of("image").unwrap_or_default()),
        build_context: context.map(str::to_owned),
        dockerfile: build
            .and_then(|build| build.text_of("dockerfile"))
            .map(str::to_owned),
        mounted_folder: mounted_folder(value),
        mounted: mounts(value).map(|(source, _)| source.to_owned()).collect(),
        aliases: aliases(value),
        published: published(value.get("ports")),
        command: command.flat_map(words).collect(),
        variables: variables(value.get("environment")),
        environment_files,
        depends_on,
        node: value.node(),
        ..DeployedService::default()
    }
}

/// Returns the names of a service beside its own: that of its container, and its aliases in networks (Docker, Networking, Container
/// network: embedded DNS; Compose file, `aliases`).
fn aliases(service: Value<'_>) -> Vec<String> {
    let container = service.text_of("container_name").map(str::to_owned);
    let networks = service.get("networks").map(Value::entries);
    let networks = networks.unwrap_or_default().into_iter();
    let of_networks = networks.flat_map(|(_, network)| texts(network.get("aliases")));
    let mut aliases: Vec<String> = container.into_iter().chain(of_networks).collect();
    aliases.retain(|name| !name.is_empty() && !name.contains('$'));
    aliases
}

/// Returns the ports of the host that are published (Compose file, `ports`): of `127.0.0.1:80:8080/tcp` it is `80`.
fn published(ports: Option<Value<'_>>) -> Vec<String> {
    let ports = ports.map(Value::items).unwrap_or_default().into_iter();
    let published = ports.filter_map(|port| match port.text() {
        Some(text) => text.rsplit(':').nth(1),
        None => port.text_of("published"),
    });
    let is_port = |port: &&str| !port.is_empty() && port.chars().all(|c| c.is_ascii_digit());
    published.filter(is_port).map(str::to_owned).collect()
}

/// Returns the folder of the host that the working folder is through a volume.
fn mounted_folder(service: Value<'_>) -> Option<String> {
    let working_folder = service.text_of("working_dir")?;
    let mut mounted = mounts(service).filter_map(|(source, target)| {
        let rest = working_folder.strip_prefix(target.trim_end_matches('/'))?;
        let is_below = rest.is_empty() || rest.starts_with('/');
        is_below.then(|| (target.len(), joined(source, rest)))
    });
    // A folder may be mounted inside another.
    let first = mounted.next()?;
    let deepest = mounted.fold(
        first,
        |best, next| if next.0 > best.0 { next } else { best },
    );
    Some(deepest.1)
}

/// Returns the volumes that are files and folders of the host: source and target.
fn mounts(service: Value<'_>) -> impl Iterator<Item = (&str, &str)> {
    let volumes = service.get("volumes").map(Value::items);
    let mounts = volumes.unwrap_or_default().into_iter();
    let mounts = mounts.filter_map(|volume| match volume.text() {
        Some(text) => {
            let (source, target) = text.split_once(':')?;
            Some((source, target.split(':').next()?))
        }
        None => Some((volume.text_of("source")?, volume.text_of("target")?)),
    });
    // A source that is no path is the name of a volume.
    mounts.filter(|(source, _)| source.starts_with(['.', '/']))
}

/// Returns variables of both forms: a mapping, and a list of `NAME=value`. One without a value is that of the process that
/// starts the service.
fn variables(environment: Option<Value<'_>>) -> Vec<Variable> {
    let Some(environment) = environment else {
        return Vec::new();
    };
    let from = |value: Option<&str>| {
        value.map_or(VariableValue::Elsewhere, |text| {
            VariableValue::Text(text.to_owned())
        })
    };
    let mut variables = Vec::new();
    for (name, value) in environment.entries() {
        variables.push(Variable {
            name: name.to_owned(),
            value: from(value.text()),
            is_of_file: false,
            node: value.node(),
        });
    }
    for item in environment.items() {
        let Some(text) = item.text() else { continue };
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        variables.push(Variable {
            name: name.to_owned(),
            value: from(value),
            is_of_file: false,
            node: item.node(),
        });
    }
    variables
}
