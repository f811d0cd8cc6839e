//! The services of a workspace: declared, else found by what is deployed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use codeweft_documents::deployment::{DeployedService, Deployment};
use codeweft_documents::joined;
use serde::{Deserialize, Deserializer};

use crate::code::Code;

/// A service that the settings declare.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct DeclaredService {
    /// Folders and files below the root, with `/`; empty for all.
    #[serde(deserialize_with = "one_or_more")]
    pub paths: Vec<String>,
    /// The part of the domain that it is for.
    pub domain: String,
    /// What it does.
    pub description: String,
    /// What it is made with.
    #[serde(deserialize_with = "joined_texts")]
    pub stack: String,
}

/// A text or a list of texts.
#[derive(Deserialize)]
#[serde(untagged)]
enum Texts {
    One(String),
    List(Vec<String>),
}

fn one_or_more<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    Ok(match Texts::deserialize(from)? {
        Texts::One(text) => vec![text],
        Texts::List(list) => list,
    })
}

fn joined_texts<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(one_or_more(from)?.join(", "))
}

/// A service.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Service {
    pub(crate) name: String,
    /// The folders and files that it is made of, without a slash at the end; the empty path is the root.
    pub(crate) paths: Vec<String>,
    pub(crate) declared: DeclaredService,
    /// The names under which other services reach it.
    pub(crate) hosts: BTreeSet<String>,
    /// The documents that deploy it, if nothing of the workspace is built for it: a database, a broker.
    pub(crate) documents: BTreeSet<Arc<str>>,
}

/// The services, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Services {
    pub(crate) list: Vec<Service>,
}

/// A deployment with the path of its document.
pub(crate) type DeploymentAt = (Arc<str>, Arc<Deployment>);

impl Services {
    /// Returns the service that a file belongs to: that of the longest path that contains it.
    pub(crate) fn of_path(&self, path: &str) -> Option<&Service> {
        let containing = self.list.iter().flat_map(|service| {
            let paths = service.paths.iter().filter(|folder| is_below(path, folder));
            paths.map(move |folder| (folder.len(), service))
        });
        // Of equal paths that of the first name.
        let longest = containing.reduce(|best, next| if next.0 > best.0 { next } else { best });
        longest.map(|(_, service)| service)
    }

    /// Returns the service that others reach under a host name.
    pub(crate) fn of_host(&self, host: &str) -> Option<&Service> {
        // In a cluster the name of the namespace may follow: `orders.shop.svc.cluster.local`.
        let first = host.split('.').next().unwrap_or(host);
        let mut services = self.list.iter();
        services.find(|service| service.hosts.contains(host) || service.hosts.contains(first))
    }

    /// Returns the service that has the name of a service of rpcs: `shop.CartService` is `cart`, `cartservice` or
    /// `cart-service`.
    pub(crate) fn of_rpc_service(&self, rpc_service: &str) -> Option<&Service> {
        let compared = |name: &str| {
            let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
            let lower = letters.to_ascii_lowercase();
            lower.strip_suffix("service").unwrap_or(&lower).to_owned()
        };
        let wanted = compared(rpc_service.rsplit('.').next().unwrap_or(rpc_service));
        self.list
            .iter()
            .find(|service| compared(&service.name) == wanted)
    }

    /// Returns the services of a workspace whose root has this name.
    ///
    /// Declared ones win. Else a service is a folder that a compose file builds, that has a Dockerfile, or whose `main`
    /// runs in the image of a Kubernetes workload. What is deployed without code of the workspace follows them. Without any the
    /// whole workspace is one.
    pub(crate) fn find(
        root_name: &str,
        declared: &BTreeMap<String, DeclaredService>,
        code: &Code,
        deployments: &[DeploymentAt],
    ) -> Services {
        let mut finder = Finder {
            code,
            by_folder: BTreeMap::new(),
            composed: BTreeSet::new(),
            without_code: BTreeMap::new(),
        };
        finder.add_composed(deployments);
        finder.add_dockerfiles(deployments);
        finder.add_workloads(deployments);
        let found = finder.finish();
        let mut list: Vec<Service> = if declared.is_empty() {
            found
        } else {
            let found: BTreeMap<String, Service> = found
                .into_iter()
                .map(|service| (service.name.clone(), service))
                .collect();
            let services = declared.iter().map(|(name, declared)| Service {
                name: name.clone(),
                paths: paths_of(declared),
                declared: declared.clone(),
                hosts: found
                    .get(name)
                    .map(|found| found.hosts.clone())
                    .unwrap_or_default(),
                documents: BTreeSet::new(),
            });
            services.collect()
        };
        // The folder of a Dockerfile may hold no code, as where all are in one: then the code is a service of its own.
        let has_code = |service: &Service| {
            let mut files = code.files.iter().filter(|file| !file.is_test);
            files.any(|file| service.paths.iter().any(|path| is_below(&file.path, path)))
        };
        let is_without_code =
            declared.is_empty() && !code.files.is_empty() && !list.iter().any(has_code);
        let is_deployed_alone = list.iter().all(|service| !service.documents.is_empty());
        if is_deployed_alone || is_without_code {
            list.push(Service {
                name: root_name.to_owned(),
                paths: vec![String::new()],
                ..Service::default()
            });
        }
        for service in &mut list {
            service.hosts.insert(service.name.clone());
        }
        list.sort_by(|a, b| a.name.cmp(&b.name));
        Services { list }
    }
}

fn paths_of(declared: &DeclaredService) -> Vec<String> {
    let paths = declared.paths.iter();
    let paths: Vec<String> = paths
        .map(|path| {
            path.trim_start_matches("./")
                .trim_end_matches('/')
                .to_owned()
        })
        .collect();
    if paths.is_empty() {
        vec![String::new()]
    } else {
        paths
    }
}

/// Returns whether a path is a folder or file, or below it; everything is below the empty path.
pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder);
    folder.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Finds services by folder.
struct Finder<'a> {
    code: &'a Code,
    by_folder: BTreeMap<String, Service>,
    /// The Dockerfiles that compose files build.
    composed: BTreeSet<String>,
    /// What is deployed without a folder, by name.
    without_code: BTreeMap<String, Service>,
}

impl Finder<'_> {
    /// Adds the services that compose files build.
    fn add_composed(&mut self, deployments: &[DeploymentAt]) {
        for (path, deployment) in deployments {
            for service in &deployment.services {
                let Some(context) = &service.build_context else {
                    continue;
                };
                let context = joined(parent(path), context);
                let dockerfile = service.dockerfile.as_deref().unwrap_or("Dockerfile");
                let dockerfile = joined(&context, dockerfile);
                let built = deployments.iter().find(|(path, _)| **path == *dockerfile);
                self.composed.insert(dockerfile.clone());
                let image = built.and_then(|(_, deployment)| deployment.services.first());
                let mounted = service.mounted_folder.as_deref();
                let mounted = mounted.map(|folder| joined(parent(path), folder));
                let folder = mounted.filter(|folder| self.has_code(folder));
                let folder = folder.unwrap_or_else(|| {
                    let folder = folder_of_image(&context, parent(&dockerfile), image);
                    self.refined(folder, image, &service.command)
                });
                self.add(folder, &service.name, true);
            }
        }
    }

    /// Returns whether somebody wrote code in a folder.
    fn has_code(&self, folder: &str) -> bool {
        let mut files = self.code.files.iter();
        files.any(|file| !file.is_generated && is_below(&file.path, folder))
    }

    /// Adds the folders of Dockerfiles that are not in a service yet.
    fn add_dockerfiles(&mut self, deployments: &[DeploymentAt]) {
        let composed_folders: Vec<String> = self.by_folder.keys().cloned().collect();
        for (path, deployment) in deployments {
            let is_dockerfile = |service: &&DeployedService| service.name.is_empty();
            let Some(image) = deployment.services.iter().find(is_dockerfile) else {
                continue;
            };
            let folder = self.refined(parent(path).to_owned(), Some(image), &image.command);
            let is_known = self.composed.contains(&**path) || self.by_folder.contains_key(&folder);
            let mut files = self.code.files.iter();
            let has_code = self.has_code(&folder);
            let mut composed = composed_folders.iter();
            let is_in_composed =
                composed.any(|known| !known.is_empty() && is_below(&folder, known));
            // A Dockerfile for tests or tools beside that of the service, one that generates code.
            let is_tool = folder.is_empty()
                || is_in_composed
                || files.any(|file| is_below(&file.path, &folder));
            if !is_known && (has_code || !is_tool) {
                let name = name_of(&folder).to_owned();
                self.add(folder, &name, false);
            }
        }
    }

    /// Adds the folders of programs that run in the images of workloads, and the names of workloads as hosts.
    fn add_workloads(&mut self, deployments: &[DeploymentAt]) {
        let hosts = deployments
            .iter()
            .flat_map(|(_, deployment)| &deployment.hosts);
        let hosts: Vec<_> = hosts.collect();
        let services = deployments.iter().flat_map(|(path, deployment)| {
            let services = deployment.services.iter();
            services.map(move |service| (path, service))
        });
        for (path, workload) in services
            .filter(|(_, service)| !service.image.is_empty() && service.build_context.is_none())
        {
            if workload.name.is_empty() {
                continue;
            }
            let image = last(&workload.image);
            let known = self.by_folder.iter().find(|(folder, service)| {
                name_of(folder) == image
                    || service.name == image
                    || service.name == workload.name
                    || service.hosts.contains(&workload.name)
            });
            let folder = known.map(|(folder, _)| folder.clone());
            let folder = folder.or_else(|| {
                let folder = self.main_folder(image)?;
                self.add(folder.clone(), &workload.name, true);
                Some(folder)
            });
            let service = match folder.and_then(|folder| self.by_folder.get_mut(&folder)) {
                Some(service) => service,
                None => {
                    let service = self.without_code.entry(workload.name.clone()).or_default();
                    service.name.clone_from(&workload.name);
                    service.documents.insert(path.clone());
                    service
                }
            };
            service.hosts.insert(workload.name.clone());
            let selects = |selector: &[(String, String)]| {
                !selector.is_empty() && selector.iter().all(|label| workload.labels.contains(label))
            };
            let selecting = hosts.iter().filter(|host| selects(&host.selector));
            service
                .hosts
                .extend(selecting.map(|host| host.name.clone()));
        }
    }

    /// Returns the folder that an image is really made of: below the folder that it is built from, that of the only program
    /// that is built or run.
    fn refined(
        &self,
        folder: String,
        image: Option<&DeployedService>,
        command: &[String],
    ) -> String {
        let sources = image.iter().flat_map(|image| &image.sources);
        let programs: BTreeSet<String> = sources
            .filter(|source| source.starts_with("./"))
            .map(|source| joined(&folder, source))
            .filter(|path| *path != folder && self.mains().any(|main| main == *path))
            .collect();
        if let [program] = &programs.into_iter().collect::<Vec<_>>()[..] {
            return program.clone();
        }
        let program = command.first().map(|program| last(program));
        let mut named = self.mains().filter(|main| {
            is_below(main, &folder) && *main != folder && program == Some(last(main))
        });
        match (named.next(), named.next()) {
            (Some(main), None) => main.to_owned(),
            _ => folder,
        }
    }

    /// Returns the only folder of a program with this name.
    fn main_folder(&self, name: &str) -> Option<String> {
        let mut named = self.mains().filter(|main| last(main) == name);
        match (named.next(), named.next()) {
            (Some(main), None) => Some(main.to_owned()),
            _ => None,
        }
    }

    /// Returns the folders of programs, sorted: packages of several files with a function `main`.
    fn mains(&self) -> impl Iterator<Item = &str> {
        let symbols = self.code.symbols.iter().filter(|symbol| {
            symbol.name == "main"
                && symbol.kind == "function"
                && symbol.container == symbol.package
                && symbol.lang.is_some_and(|lang| !lang.packages_are_files)
                && !symbol.is_test
        });
        let folders: BTreeSet<&str> = symbols.map(|symbol| parent(&symbol.file)).collect();
        folders.into_iter()
    }

    fn add(&mut self, folder: String, name: &str, is_named: bool) {
        let known = self.by_folder.entry(folder.clone());
        let service = known.or_insert_with(|| Service {
            name: name.to_owned(),
            paths: vec![folder],
            ..Service::default()
        });
        if is_named {
            service.hosts.insert(name.to_owned());
        }
    }

    /// Returns the services; of those with the same name each is named by its folder.
    fn finish(self) -> Vec<Service> {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for service in self.by_folder.values() {
            *counts.entry(service.name.clone()).or_default() += 1;
        }
        let services = self.by_folder.into_iter().map(|(folder, mut service)| {
            if counts.get(&service.name).is_some_and(|count| *count > 1) && !folder.is_empty() {
                service.name = folder;
            }
            service
        });
        let mut services: Vec<Service> = services.collect();
        for (name, service) in self.without_code {
            if !services.iter().any(|known| known.name == name) {
                services.push(service);
            }
        }
        services
    }
}

/// Returns the folder of the code of an image: that of its Dockerfile inside the folder that it is built from, if the image has files
/// of it.
fn folder_of_image(context: &str, of_dockerfile: &str, image: Option<&DeployedService>) -> String {
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

/// Returns the name of the service in a folder: its last part that says more than that there is code in it.
fn name_of(folder: &str) -> &str {
    let mut parts = folder.rsplit('/');
    let named = parts.find(|part| !["src", "app", "docker", "build"].contains(part));
    named.unwrap_or(folder)
}

/// Returns the folder of a path; empty for one at the root.
pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns the last part of a path.
pub(crate) fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
