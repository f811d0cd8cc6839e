//! Services whose image nothing of the workspace builds, found by the commands of its programs that they run.
//!
//! ```text
//! orders: {image: hub/shop-api, command: [orders]} ──┐  `orders` and `mail` are commands of one program, and no other
//! mail:   {image: hub/shop-api, command: [mail]} ────┘  program has one of these: both run it
//! cache:  {image: hub/cache, command: [serve]} ·········  one word alone may be a command of any program
//! ```

use std::collections::{BTreeMap, BTreeSet};

use codeweft_documents::deployment::DeployedService;

use super::reach::{closure, imports, mains};
use crate::facts::Facts;
use crate::services::{Services, building, parent, words_of};
use crate::wires::Commands;

/// The workloads of an image, each with the word of its command that may be one of a program.
type Workloads<'a> = Vec<(&'a DeployedService, String)>;

/// Returns the services of facts, those that run an image of one of the workspace's programs with its code.
///
/// An image is that of a program if nothing builds it, its workloads run two commands of the program or more, every other one of
/// them that has a command does too, and no other program has a command of these names. Else nothing is known of it.
pub(super) fn with_commands(facts: &Facts, commands: &Commands) -> Services {
    let mut services = facts.declared_services.clone();
    let images = images(facts);
    if images.is_empty() || commands.list.is_empty() || !facts.settings.services.is_empty() {
        return services;
    }
    let programs = programs(facts, commands);
    for workloads in images.values() {
        let Some(main) = program_of(workloads, &programs) else {
            continue;
        };
        let owner = facts.declared_services.of_path(main);
        let folder = owner.and_then(|owner| owner.paths.first().cloned());
        let folder = folder.unwrap_or_else(|| parent(main).to_owned());
        for (workload, _) in workloads {
            let Some(name) = facts
                .declared_services
                .of_host(&workload.name)
                .map(|of| &of.name)
            else {
                continue;
            };
            let mut all = services.list.iter_mut();
            // One that runs code of the workspace is known by that.
            let run = all.find(|one| one.name == *name && one.paths.is_empty());
            if let Some(run) = run {
                run.paths.push(folder.clone());
            }
        }
        // The program by itself is what the workloads make of it, unless something else deploys it.
        let is_deployed = |name: &str| deployed(facts).any(|(_, one)| is_of(facts, one, name));
        if let Some(owner) = owner.filter(|owner| !is_deployed(&owner.name)) {
            services.list.retain(|one| one.name != owner.name);
        }
    }
    services
}

fn deployed(facts: &Facts) -> impl Iterator<Item = (bool, &DeployedService)> {
    let deployments = facts.deployments.iter();
    deployments.flat_map(|(_, deployment)| {
        let all = deployment
            .services
            .iter()
            .filter(|one| !one.name.is_empty());
        all.map(move |one| (building(deployment, one).is_some(), one))
    })
}

fn is_of(facts: &Facts, deployed: &DeployedService, service: &str) -> bool {
    let of = facts.declared_services.of_host(&deployed.name);
    of.is_some_and(|of| of.name == service)
}

/// Returns the images that nothing builds, with their workloads that have a command and run no code that is known.
fn images(facts: &Facts) -> BTreeMap<&str, Workloads<'_>> {
    let mut images: BTreeMap<&str, Workloads<'_>> = BTreeMap::new();
    let mut built: BTreeSet<&str> = BTreeSet::new();
    for (is_built, workload) in deployed(facts).filter(|(_, one)| !one.image.is_empty()) {
        let of = facts.declared_services.of_host(&workload.name);
        if is_built || of.is_none_or(|of| !of.paths.is_empty()) {
            built.insert(&workload.image);
        } else if let Some(word) = first_word(&workload.command) {
            let workloads = images.entry(&workload.image).or_default();
            workloads.push((workload, word));
        }
    }
    images.retain(|image, _| !built.contains(image));
    images
}

/// Returns the word of a command that chooses what its program runs: the first behind the path of the program, which an image may
/// have by itself.
fn first_word(command: &[String]) -> Option<String> {
    let mut words = words_of(command);
    words.find(|word| !word.contains('/'))
}

/// Returns the names of commands, each with the programs that have such a one: by the file of their `main`.
fn programs<'a>(facts: &'a Facts, commands: &'a Commands) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let code = &*facts.code;
    let imports = imports(code, &|_| false);
    let packages = code.files.iter().filter(|file| !file.is_test);
    let packages: BTreeMap<&str, &str> =
        packages.map(|file| (&*file.path, &*file.package)).collect();
    let mut programs: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in mains(code) {
        let mut symbols = code.symbols.iter();
        let main = symbols.find(|symbol| symbol.is_main() && *symbol.package == *package);
        let Some(main) = main.filter(|main| packages.contains_key(&*main.file)) else {
            continue;
        };
        let imported = closure(std::iter::once(package), |package| {
            imports.get(package).into_iter().flatten().copied()
        });
        for command in &commands.list {
            let of = packages.get(&*command.path);
            if of.is_some_and(|of| imported.contains(of)) {
                for name in &command.names {
                    programs.entry(name).or_default().insert(&main.file);
                }
            }
        }
    }
    programs
}

/// Returns the only program whose commands the workloads of an image run, if they are two or more: the file of its `main`.
fn program_of<'a>(
    workloads: &Workloads<'_>,
    programs: &BTreeMap<&'a str, BTreeSet<&'a str>>,
) -> Option<&'a str> {
    let words: BTreeSet<&str> = workloads.iter().map(|(_, word)| word.as_str()).collect();
    let mut found: BTreeSet<&str> = BTreeSet::new();
    for word in &words {
        found.extend(programs.get(word)?);
    }
    let only = found.first().copied()?;
    (words.len() > 1 && found.len() == 1).then_some(only)
}
