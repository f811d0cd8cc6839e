//! Programs that share a folder: an image with several of them, of which each workload runs one by its command.
//!
//! ```yaml
//! containers: [{image: reg/shop, args: [./mail.py]}]          # the workload `mail-fast`
//! containers: [{image: reg/shop, args: [./mail.py]}]          # the workload `mail-slow`: both are the program `mail`
//! containers: [{image: reg/shop, args: [./jobs/clean.py]}]    # the workload `cleaner` is one of its own
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use codeweft_documents::deployment::{DeployedService, Host};

use super::images::{building, selecting};
use super::{DeploymentAt, Finder, Found, Service, commands, last, name_of};

/// A workload with its document.
type WorkloadAt<'a> = (&'a Arc<str>, &'a DeployedService);

/// The workloads of the folders that programs share: by folder, then by the files that the programs begin with.
pub(super) struct Programs<'a>(BTreeMap<String, BTreeMap<BTreeSet<String>, Vec<WorkloadAt<'a>>>>);

impl Programs<'_> {
    /// Returns whether a workload is of one of them.
    pub(super) fn have(&self, workload: &DeployedService) -> bool {
        let mut all = self.0.values().flat_map(BTreeMap::values).flatten();
        all.any(|(_, known)| std::ptr::eq(*known, workload))
    }
}

impl Finder<'_> {
    /// Returns the programs of the folders of which several are run.
    pub(super) fn programs<'d>(&self, deployments: &'d [DeploymentAt]) -> Programs<'d> {
        let mut programs: BTreeMap<String, BTreeMap<BTreeSet<String>, Vec<WorkloadAt<'d>>>> =
            BTreeMap::new();
        for (path, deployment) in deployments {
            for workload in &deployment.services {
                let is_workload = !workload.name.is_empty()
                    && !workload.image.is_empty()
                    && building(deployment, workload).is_none();
                let folder = is_workload.then(|| self.built_folder(last(&workload.image)));
                let Some(folder) = folder.flatten() else {
                    continue;
                };
                let command = commands::command_of(workload);
                let entries = commands::entries(self.code, folder, &command);
                if !entries.is_empty() {
                    let of_folder = programs.entry(folder.to_owned()).or_default();
                    of_folder.entry(entries).or_default().push((path, workload));
                }
            }
        }
        programs.retain(|_, of_folder| of_folder.len() > 1);
        Programs(programs)
    }

    /// Returns the folder that an image is built from, by its name: in small letters (Docker, docker image tag).
    fn built_folder(&self, image: &str) -> Option<&str> {
        let is_named = |folder: &str, found: &[Found]| {
            let name = if folder.is_empty() {
                self.root_name
            } else {
                name_of(folder)
            };
            let mut services = found.iter();
            name.to_lowercase() == image
                || services.any(|one| one.service.name.to_lowercase() == image)
        };
        let mut folders = self.by_folder.iter();
        let named = folders.find(|(folder, found)| is_named(folder, found));
        named.map(|(folder, _)| folder.as_str())
    }

    /// Adds the programs, each with the services of its folder that other documents make of it. A program that one
    /// workload runs has the name of that, else that of its file.
    pub(super) fn add_programs(&mut self, programs: Programs<'_>, hosts: &[&Host]) {
        for (folder, of_folder) in programs.0 {
            let known = self.by_folder.remove(&folder).unwrap_or_default();
            let known = known.into_iter().map(|found| {
                let entries = commands::entries(self.code, &folder, &found.command);
                (entries, found)
            });
            let mut known: Vec<(BTreeSet<String>, Found)> = known.collect();
            // The image by itself is what its workloads make of it.
            known.retain(|(entries, found)| found.document.is_some() || !entries.is_empty());
            let mut all: Vec<Found> = Vec::new();
            for (entries, workloads) in of_folder {
                let (same, others) = known.into_iter().partition(|(of, _)| *of == entries);
                known = others;
                let same: Vec<(BTreeSet<String>, Found)> = same;
                let same: Vec<Found> = same.into_iter().map(|(_, found)| found).collect();
                let taken: Vec<&str> = all.iter().map(|found| &*found.service.name).collect();
                let found = self.program(&folder, &entries, (&workloads, &same), hosts, &taken);
                all.extend(found);
            }
            all.extend(known.into_iter().map(|(_, found)| found));
            self.by_folder.insert(folder, all);
        }
    }

    /// Returns a program that workloads run, and the services that documents build of the same.
    fn program(
        &self,
        folder: &str,
        entries: &BTreeSet<String>,
        (workloads, same): (&[WorkloadAt<'_>], &[Found]),
        hosts: &[&Host],
        taken: &[&str],
    ) -> Option<Found> {
        let (document, first) = workloads.first()?;
        let names = workloads.iter().map(|(_, workload)| &workload.name);
        let names = names.chain(same.iter().map(|found| &found.service.name));
        let names: BTreeSet<String> = names.cloned().collect();
        let is_free = |name: &String| {
            !self.without_code.contains_key(name) && !taken.contains(&name.as_str())
        };
        let own = names
            .first()
            .filter(|name| names.len() == 1 && is_free(name));
        let of_file = || Some(stem(entries.first()?).to_owned());
        let name = own.cloned().or_else(of_file)?;
        let mut reached = names;
        for (_, workload) in workloads {
            reached.extend(selecting(hosts, workload));
        }
        let service = Service {
            name,
            paths: vec![folder.to_owned()],
            hosts: reached,
            ..Service::default()
        };
        Some(Found {
            service,
            document: Some((*document).clone()),
            command: first.command.clone(),
        })
    }
}

/// Returns the name of a file without its ending.
fn stem(path: &str) -> &str {
    let name = last(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
