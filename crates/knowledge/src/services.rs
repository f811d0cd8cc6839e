//! The services of a workspace: declared, else found by what is deployed.

mod commands;
mod declared;
mod images;
mod programs;

pub(crate) use commands::{EntryFiles, words_of};
pub use declared::DeclaredService;
pub(crate) use images::{DOCKER_HOST, building};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use codeweft_documents::deployment::{DeployedService, Deployment};
use codeweft_documents::{Format, joined};

use self::images::{contexts, copied_folder, folder_of_image, published, repeated, selecting};
use crate::code::Code;

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
    /// The files that its program begins with, as far as a command names them; an empty path where it runs none of them.
    pub(crate) entries: BTreeSet<String>,
    /// Whether its command runs tasks that others publish.
    pub(crate) is_worker: bool,
    /// Whether its command publishes tasks at their times.
    pub(crate) is_scheduler: bool,
    /// Whether its command gives a server a module with the application in it: that loads handlers by their names.
    pub(crate) is_application: bool,
    /// The words of its commands.
    pub(crate) words: BTreeSet<String>,
}

/// The services, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Services {
    pub(crate) list: Vec<Service>,
}

/// The last labels of public names, which are no namespaces.
const PUBLIC_DOMAINS: [&str; 11] = [
    "ai", "app", "cloud", "co", "com", "dev", "info", "io", "local", "net", "org",
];

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
        // In a cluster the name of the namespace may follow: `orders.shop`, `orders.shop.svc.cluster.local`.
        let mut labels = host.split('.');
        let first = labels.next().unwrap_or(host);
        let is_in_cluster = match (labels.next(), labels.next()) {
            (Some(namespace), None) => !PUBLIC_DOMAINS.contains(&namespace),
            (Some(_), Some(third)) => third == "svc",
            _ => false,
        };
        let mut services = self.list.iter();
        services.find(|service| {
            let hosts = &service.hosts;
            hosts.contains(host) || is_in_cluster && hosts.contains(first)
        })
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
            root_name,
            stages: BTreeMap::new(),
            by_folder: BTreeMap::new(),
            composed: BTreeSet::new(),
            without_code: BTreeMap::new(),
        };
        finder.add_stages(deployments);
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
                ..Service::default()
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
        let is_deployed_alone = list
            .iter()
            .all(|service| service.paths.is_empty() && !service.documents.is_empty());
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
        let mut services = Services { list };
        commands::add_words(&mut services, deployments);
        services
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

/// A service with a folder.
struct Found {
    service: Service,
    /// The compose file that names it.
    document: Option<Arc<str>>,
    /// The words of the command that it runs, as its documents write them.
    command: Vec<String>,
}

/// Finds services by folder.
struct Finder<'a> {
    code: &'a Code,
    /// The name of the workspace.
    root_name: &'a str,
    /// The names of the programs that the stages of Dockerfiles run, by the name of the stage.
    stages: BTreeMap<&'a str, BTreeSet<&'a str>>,
    by_folder: BTreeMap<String, Vec<Found>>,
    /// The Dockerfiles that compose files build.
    composed: BTreeSet<String>,
    /// What is deployed without a folder, by name.
    without_code: BTreeMap<String, Service>,
}

impl<'a> Finder<'a> {
    /// Adds the programs that the stages of Dockerfiles run.
    fn add_stages(&mut self, deployments: &'a [DeploymentAt]) {
        let services = deployments
            .iter()
            .flat_map(|(_, deployment)| &deployment.services);
        for stage in services.flat_map(|service| &service.stages) {
            let program = stage.command.first().map(|program| last(program));
            let programs = self.stages.entry(&stage.name).or_default();
            programs.extend(program);
        }
    }

    /// Adds the services that compose files build.
    fn add_composed(&mut self, deployments: &[DeploymentAt]) {
        let contexts = contexts(deployments);
        for (path, deployment) in deployments {
            for service in &deployment.services {
                let Some(building) = building(deployment, service) else {
                    continue;
                };
                let Some(context) = &building.build_context else {
                    continue;
                };
                // The name of a variable whose value is hidden or absent: the Dockerfile is found by itself.
                if building.dockerfile.as_deref() == Some("") {
                    continue;
                }
                let name = service.name.clone();
                let context = joined(parent(path), context);
                let dockerfile = building.dockerfile.as_deref().unwrap_or("Dockerfile");
                let dockerfile = joined(&context, dockerfile);
                let built = deployments.iter().find(|(path, _)| **path == *dockerfile);
                self.composed.insert(dockerfile.clone());
                let image = built.and_then(|(_, deployment)| deployment.services.first());
                let mounted = service.mounted_folder.as_deref();
                let mounted = mounted.map(|folder| joined(parent(path), folder));
                let command = commands::command_of(service);
                let folder = mounted.filter(|folder| self.has_code(folder));
                let folder = folder.map(|folder| self.refined(folder, image, &command));
                let folder = folder.unwrap_or_else(|| {
                    let of_dockerfile = parent(&dockerfile);
                    let folder = folder_of_image(&context, of_dockerfile, image, &|path| {
                        self.has_code(path)
                    });
                    let folder = self.refined(folder, image, &command);
                    // Of images that are built from one folder each is that of its Dockerfile.
                    let is_shared = contexts.get(&context).is_some_and(|all| all.len() > 1);
                    if is_shared && folder == context && is_below(of_dockerfile, &context) {
                        let copied = copied_folder(&context, image, &|path| self.has_code(path));
                        let copied = copied.filter(|_| !self.has_code(of_dockerfile));
                        copied.unwrap_or_else(|| of_dockerfile.to_owned())
                    } else {
                        folder
                    }
                });
                let published = published(service);
                let service = self.add(folder, &service.name, Some(path), &command);
                let of_image = image.iter().flat_map(|image| &image.command);
                service.words.extend(commands::words_of(of_image));
                service.hosts.insert(name);
                service.hosts.extend(published);
            }
        }
    }

    /// Returns the folder whose program the Dockerfile of a folder builds: where that has no code, and its name says only that
    /// something is built there, the folder around it that has a program.
    fn around_build<'f>(&self, folder: &'f str) -> &'f str {
        let mut around = folder;
        while BUILD_FOLDERS.contains(&last(around)) && !self.has_code(around) {
            around = parent(around);
        }
        if self.mains().any(|main| main == around) {
            around
        } else {
            folder
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
            // What a chart fills in later has no name either.
            let is_dockerfile = |service: &&DeployedService| {
                service.name.is_empty() && Format::of_path(path) == Some(Format::Dockerfile)
            };
            let Some(image) = deployment.services.iter().find(is_dockerfile) else {
                continue;
            };
            let folder = self.around_build(parent(path));
            let folder = self.refined(folder.to_owned(), Some(image), &image.command);
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
                let name = match name_of(&folder) {
                    "" => self.root_name,
                    name => name,
                };
                let name = name.to_owned();
                self.add(folder, &name, None, &image.command);
            }
        }
    }

    /// Adds the folders of programs that run in the images of workloads, and the names of workloads as hosts.
    fn add_workloads(&mut self, deployments: &[DeploymentAt]) {
        let hosts = deployments
            .iter()
            .flat_map(|(_, deployment)| &deployment.hosts);
        let hosts: Vec<_> = hosts.collect();
        let programs = self.programs(deployments);
        let repeated = repeated(deployments);
        let mut of_root: BTreeSet<&str> = BTreeSet::new();
        let services = deployments.iter().flat_map(|(path, deployment)| {
            let services = deployment.services.iter();
            let services = services.filter(|service| building(deployment, service).is_none());
            services.map(move |service| (path, service))
        });
        for (path, workload) in services.filter(|(_, service)| !service.image.is_empty()) {
            if workload.name.is_empty() || programs.have(workload) {
                continue;
            }
            let image = last(&workload.image);
            let program = self.program_of_image(image);
            // A name that several namespaces have says nothing: that of the image does.
            let name = if repeated.contains(&*workload.name) {
                image
            } else {
                &workload.name
            };
            let known = self.known(image, name);
            let known = known.or_else(|| self.known(program, name));
            let known = known.or_else(|| {
                let folder = self
                    .main_folder(image)
                    .or_else(|| self.main_folder(program))?;
                self.add(folder.clone(), name, None, &workload.command);
                Some((folder, 0))
            });
            if known.as_ref().is_some_and(|(folder, _)| folder.is_empty()) {
                of_root.insert(name);
            }
            let service =
                match known.and_then(|(folder, at)| self.by_folder.get_mut(&folder)?.get_mut(at)) {
                    Some(found) => &mut found.service,
                    None => {
                        let service = self.without_code.entry(name.to_owned()).or_default();
                        name.clone_into(&mut service.name);
                        service.documents.insert(path.clone());
                        service
                    }
                };
            service.hosts.insert(name.to_owned());
            service.hosts.extend(published(workload));
            service.hosts.extend(selecting(&hosts, workload));
        }
        self.name_root(&of_root);
        self.add_programs(programs, &hosts);
    }

    /// Names the service of the root by the only workload that runs it: the folder of a workspace has any name.
    fn name_root(&mut self, workloads: &BTreeSet<&str>) {
        let found = self.by_folder.get_mut("").map(Vec::as_mut_slice);
        let mut names = workloads.iter();
        if let Some([found]) = found
            && found.document.is_none()
            && let (Some(name), None) = (names.next(), names.next())
        {
            found.service.hosts.insert(found.service.name.clone());
            (*name).clone_into(&mut found.service.name);
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
        let files = image.iter().flat_map(|image| &image.named_files);
        let programs: BTreeSet<String> = sources
            .filter(|source| source.starts_with("./"))
            .map(|source| joined(&folder, source))
            .chain(files.map(|file| joined(&folder, parent(file))))
            .filter(|path| *path != folder && self.mains().any(|main| main == *path))
            .collect();
        if let [program] = &programs.into_iter().collect::<Vec<_>>()[..] {
            return self.around_command(program).to_owned();
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

    /// Returns the folder of a program: around a folder of commands that has no other, where its further code is.
    fn around_command<'f>(&self, main: &'f str) -> &'f str {
        let around = parent(main);
        let has_others = || {
            self.mains()
                .any(|other| other != main && is_below(other, around))
        };
        if last(main) == "cmd" && !around.is_empty() && !has_others() {
            around
        } else {
            main
        }
    }

    /// Returns the folder and number of the service that a workload with an image runs: that of its own name first.
    fn known(&self, image: &str, workload: &str) -> Option<(String, usize)> {
        let all = || {
            let folders = self.by_folder.iter();
            folders.flat_map(|(folder, found)| {
                let numbered = found.iter().enumerate();
                numbered.map(move |(at, found)| (folder, at, &found.service))
            })
        };
        let has_name =
            |service: &Service| service.name == workload || service.hosts.contains(workload);
        let mut named = all().filter(|(_, _, service)| has_name(service));
        let mut of_image = all().filter(|(folder, _, service)| {
            name_of(folder).to_lowercase() == image || service.name.to_lowercase() == image
        });
        let (folder, at, _) = named.next().or_else(|| of_image.next())?;
        Some((folder.clone(), at))
    }

    /// Returns the name of the program in an image: that which the stage of a Dockerfile of its name runs; else the name of the
    /// image, without that of the workspace before it.
    fn program_of_image<'i>(&self, image: &'i str) -> &'i str
    where
        'a: 'i,
    {
        let programs = self.stages.get(image).into_iter().flatten();
        match programs.collect::<Vec<_>>()[..] {
            [program] => program,
            _ => {
                let rest = image.strip_prefix(self.root_name);
                let rest = rest.and_then(|rest| rest.strip_prefix('-'));
                rest.unwrap_or(image)
            }
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
        let symbols = self.code.symbols.iter().filter(|symbol| symbol.is_main());
        let folders: BTreeSet<&str> = symbols.map(|symbol| parent(&symbol.file)).collect();
        folders.into_iter()
    }

    /// Adds a service. Two of one folder are two programs if one document names both; else another name is another host.
    fn add(
        &mut self,
        folder: String,
        name: &str,
        document: Option<&Arc<str>>,
        command: &[String],
    ) -> &mut Service {
        let known = self.by_folder.entry(folder.clone()).or_default();
        let of_name = known.iter().position(|known| known.service.name == name);
        let is_other = known
            .iter()
            .all(|known| known.document.is_some() && known.document.as_ref() == document);
        let at = match of_name {
            Some(at) => at,
            None if is_other => {
                let service = Service {
                    name: name.to_owned(),
                    paths: vec![folder.clone()],
                    ..Service::default()
                };
                known.push(Found {
                    service,
                    document: document.cloned(),
                    command: command.to_vec(),
                });
                known.len() - 1
            }
            None => 0,
        };
        let service = &mut known[at].service;
        // Of the names that documents give it that of its folder is its own.
        if of_name.is_none() && service.name != name && name_of(&folder) == name {
            service.hosts.insert(service.name.clone());
            name.clone_into(&mut service.name);
        }
        service
    }

    /// Returns the services; of those with the same name each is named by its folder.
    fn finish(self) -> Vec<Service> {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        let all = self.by_folder.values().flatten();
        for found in all {
            *counts.entry(found.service.name.clone()).or_default() += 1;
        }
        let mut services: Vec<Service> = Vec::new();
        for (folder, found) in self.by_folder {
            let is_shared = found.len() > 1;
            for Found {
                mut service,
                document,
                command,
            } in found
            {
                if counts.get(&service.name).is_some_and(|count| *count > 1) && !folder.is_empty() {
                    service.name.clone_from(&folder);
                }
                service.words.extend(commands::words_of(&command));
                service.is_worker = commands::runs_tasks(&command);
                service.is_scheduler = commands::schedules_tasks(&command);
                service.is_application = commands::names_application(&command);
                if is_shared {
                    // Each file is of one of them: the others have the document that names them.
                    service.documents.extend(document);
                    service.entries = commands::entries(self.code, &folder, &command);
                }
                services.push(service);
            }
        }
        for (name, service) in self.without_code {
            if !services.iter().any(|known| known.name == name) {
                services.push(service);
            }
        }
        services
    }
}

/// The names of folders that say only that something is built there.
const BUILD_FOLDERS: [&str; 2] = ["docker", "build"];

/// Returns the name of the service in a folder: its last part that says more than that there is code in it.
fn name_of(folder: &str) -> &str {
    let mut parts = folder.rsplit('/');
    let is_named = |part: &&str| !["src", "app"].contains(part) && !BUILD_FOLDERS.contains(part);
    let named = parts.find(is_named);
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
