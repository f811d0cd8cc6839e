//! What images are built from, and which hosts select the workloads that run them.

use std::collections::{BTreeMap, BTreeSet};

use codeweft_documents::deployment::{DeployedService, Deployment, Host};
use codeweft_documents::joined;

use super::{DeploymentAt, is_below, parent};

/// Returns the names of the hosts that select a workload by its labels.
pub(super) fn selecting(hosts: &[&Host], workload: &DeployedService) -> Vec<String> {
    let selects = |selector: &[(String, String)]| {
        !selector.is_empty() && selector.iter().all(|label| workload.labels.contains(label))
    };
    let selecting = hosts.iter().filter(|host| selects(&host.selector));
    selecting.map(|host| host.name.clone()).collect()
}

/// The name of the host in its containers (Docker Desktop, Networking).
pub(crate) const DOCKER_HOST: &str = "host.docker.internal";

/// Returns the addresses of the ports that a service publishes, as other containers reach them.
pub(super) fn published(workload: &DeployedService) -> impl Iterator<Item = String> {
    let ports = workload.published.iter();
    ports.map(|port| format!("{DOCKER_HOST}:{port}"))
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

/// Returns the folder of the code of an image: that of its Dockerfile inside the folder that it is built from, if the image has files
/// of it.
pub(super) fn folder_of_image(
    context: &str,
    of_dockerfile: &str,
    image: Option<&DeployedService>,
) -> String {
    let mut sources = image.iter().flat_map(|image| &image.sources);
    let is_of_dockerfile = of_dockerfile != context
        && is_below(of_dockerfile, context)
        && sources.any(|source| is_below(&joined(context, source), of_dockerfile));
    let folder = if is_of_dockerfile {
        of_dockerfile
    } else {
        context
    };
    folder.to_owned()
}
