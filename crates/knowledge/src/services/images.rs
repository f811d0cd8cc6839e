//! What images are built from, and which hosts select the workloads that run them.

use std::collections::{BTreeMap, BTreeSet};

use codeweft_documents::deployment::{DeployedService, Deployment, Host};
use codeweft_documents::joined;

use super::{DeploymentAt, is_below, last, parent};

/// Returns the names of the hosts that select a workload by its labels.
pub(super) fn selecting(hosts: &[&Host], workload: &DeployedService) -> Vec<String> {
    let selects = |selector: &[(String, String)]| {
        !selector.is_empty() && selector.iter().all(|label| workload.labels.contains(label))
    };
    let selecting = hosts.iter().filter(|host| selects(&host.selector));
    selecting.map(|host| host.name.clone()).collect()
}

/// Returns the only folder with code that an image copies of the folder that it is built from.
pub(super) fn copied_folder(
    context: &str,
    image: Option<&DeployedService>,
    has_code: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let sources = image.iter().flat_map(|image| &image.sources);
    let paths = sources.map(|source| joined(context, source));
    let mut copied: BTreeSet<String> = paths.filter(|path| has_code(path)).collect();
    let all = copied.clone();
    copied.retain(|path| {
        !all.iter()
            .any(|other| other != path && is_below(path, other))
    });
    let only = copied.pop_first().filter(|_| copied.is_empty());
    only.filter(|path| *path != context && is_below(path, context))
}

/// Returns the names that workloads of several namespaces have, each with an image of its own: a name is one of a namespace
/// (Kubernetes, Object Names and IDs).
pub(super) fn repeated(deployments: &[DeploymentAt]) -> BTreeSet<&str> {
    let mut images: BTreeMap<&str, BTreeMap<&str, BTreeSet<&str>>> = BTreeMap::new();
    let workloads = deployments.iter().flat_map(|(_, one)| &one.services);
    for workload in workloads.filter(|one| !one.namespace.is_empty() && !one.image.is_empty()) {
        let of_name = images.entry(&workload.name).or_default();
        let of_namespace = of_name.entry(&workload.namespace).or_default();
        of_namespace.insert(&workload.image);
    }
    images.retain(|_, of_name| {
        let all: BTreeSet<&&str> = of_name.values().flatten().collect();
        let is_one_each = of_name.values().all(|images| images.len() == 1);
        of_name.len() > 1 && is_one_each && all.len() == of_name.len()
    });
    images.into_keys().collect()
}

/// The name of the host in its containers (Docker Desktop, Networking).
pub(crate) const DOCKER_HOST: &str = "host.docker.internal";

/// Returns the further names of a service, and the addresses of the ports that it publishes, as other containers reach them.
pub(super) fn published(workload: &DeployedService) -> impl Iterator<Item = String> {
    let ports = workload.published.iter();
    let ports = ports.map(|port| format!("{DOCKER_HOST}:{port}"));
    workload.aliases.iter().cloned().chain(ports)
}

/// Returns the service of a compose file that builds the image of one of its services: itself, else the last one that builds an
/// image under that name (Compose Specification, `build`).
pub(crate) fn building<'d>(
    deployment: &'d Deployment,
    service: &'d DeployedService,
) -> Option<&'d DeployedService> {
    if service.build_context.is_some() {
        return Some(service);
    }
    let mut others = deployment.services.iter().rev();
    others.find(|other| {
        let builds = other.build_context.is_some() && !other.image.is_empty();
        builds && other.image == service.image
    })
}

/// Returns the folders of the Dockerfiles that compose files build from each folder.
pub(super) fn contexts(deployments: &[DeploymentAt]) -> BTreeMap<String, BTreeSet<String>> {
    let mut contexts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, deployment) in deployments {
        for service in &deployment.services {
            if let Some(context) = &service.build_context {
                let context = joined(parent(path), context);
                let dockerfile = service.dockerfile.as_deref().unwrap_or("Dockerfile");
                let folder = parent(&joined(&context, dockerfile)).to_owned();
                contexts.entry(context).or_default().insert(folder);
            }
        }
    }
    contexts
}

/// Returns the folder of the code of an image: that of its Dockerfile inside the folder that it is built from, if the image has code
/// of it. A file that is no code says nothing of where the code is: `COPY docker/httpd.conf /etc`.
pub(super) fn folder_of_image(
    context: &str,
    of_dockerfile: &str,
    image: Option<&DeployedService>,
    has_code: &dyn Fn(&str) -> bool,
) -> String {
    let sources = image.iter().flat_map(|image| &image.sources);
    let mut sources = sources.map(|source| joined(context, source));
    let is_folder = |path: &str| !last(path).trim_start_matches('.').contains('.');
    let is_of_dockerfile = of_dockerfile != context
        && is_below(of_dockerfile, context)
        && sources
            .any(|path| is_below(&path, of_dockerfile) && (is_folder(&path) || has_code(&path)));
    let folder = if is_of_dockerfile {
        of_dockerfile
    } else {
        context
    };
    folder.to_owned()
}
