//! The files that a command begins a program with: `python jobs/run.py`, `gunicorn app.wsgi:app`, `celery -A tasks worker`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use codeweft_documents::deployment::DeployedService;

use super::{DeploymentAt, Services, is_below, last};
use crate::code::Code;

/// The names of files that run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EntryFiles {
    modules: Vec<String>,
    scripts: Vec<String>,
    /// The file of a package that runs when the package is imported.
    pub(crate) package: String,
    /// The variables that name the application of a program, by the program.
    variables: BTreeMap<String, String>,
}

impl EntryFiles {
    /// Returns those of `entry_files.toml`.
    pub(crate) fn shipped() -> &'static EntryFiles {
        static FILES: LazyLock<EntryFiles> = LazyLock::new(|| {
            // A test reads the file.
            toml::from_str(include_str!("entry_files.toml")).unwrap_or_else(|_| EntryFiles {
                modules: Vec::new(),
                scripts: Vec::new(),
                package: String::new(),
                variables: BTreeMap::new(),
            })
        });
        &FILES
    }
}

/// The flags behind which a module is named (python, celery, flask).
const MODULE_FLAGS: [&str; 4] = ["-m", "-A", "--app", "--application"];

/// Returns the words of the command of a service, with those that its environment gives the programs that it runs.
pub(super) fn command_of(service: &DeployedService) -> Vec<String> {
    let mut command = service.command.clone();
    let named = |word: &str| EntryFiles::shipped().variables.get(last(word));
    let variables = service.command.iter().flat_map(|word| words(word));
    let variables: BTreeSet<&String> = variables.filter_map(named).collect();
    for name in variables {
        let given = service.variables.iter().find(|one| one.name == *name);
        let Some(value) = given.and_then(|one| one.value.text()) else {
            continue;
        };
        let mut ends = EntryFiles::shipped().scripts.iter();
        let path = ends.find_map(|end| value.strip_suffix(end.as_str()));
        let module = path.map(|path| {
            let path = path.trim_start_matches("./").trim_start_matches('/');
            path.replace('/', ".")
        });
        command.push(MODULE_FLAGS[2].to_owned());
        command.push(module.unwrap_or_else(|| value.to_owned()));
    }
    command
}

/// Returns the files below a folder that a command names, as scripts or modules.
pub(super) fn entries(code: &Code, folder: &str, command: &[String]) -> BTreeSet<String> {
    let words: Vec<&str> = command.iter().flat_map(|word| words(word)).collect();
    let files = EntryFiles::shipped();
    // The scripts of a server that is given an application are its settings.
    let has_scripts = !names_application(command);
    let mut entries = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        let flag = at.checked_sub(1).and_then(|before| words.get(before));
        let is_module = flag.is_some_and(|flag| MODULE_FLAGS.contains(flag));
        let module = match word.split_once(':') {
            // `module:attribute`
            Some((module, attribute)) if is_name(module) && is_name(attribute) => Some(module),
            Some((_, _)) => None,
            None => Some(*word).filter(|word| is_module && is_name(word)),
        };
        let paths = match module {
            Some(module) => module_paths(module),
            None if has_scripts && files.scripts.iter().any(|end| word.ends_with(end)) => {
                vec![(*word).to_owned()]
            }
            None => continue,
        };
        let mut found = paths.iter().filter_map(|path| file(code, folder, path));
        let found = found.next().or_else(|| {
            // `module.attribute` (Celery, Application, `-A`).
            let (around, _) = module.filter(|_| is_module)?.rsplit_once('.')?;
            let mut paths = module_paths(around).into_iter();
            paths.find_map(|path| file(code, folder, &path))
        });
        entries.extend(found);
    }
    if entries.is_empty() && runs_no_application(&words) {
        entries.insert(String::new());
    }
    entries
}

/// Returns the files that may run for a module of a dotted name, best first.
fn module_paths(module: &str) -> Vec<String> {
    let path = module.replace('.', "/");
    let modules = EntryFiles::shipped().modules.iter();
    modules.map(|module| module.replace("{}", &path)).collect()
}

/// Returns whether a command is one of Celery that names no application: it loads no code but that of libraries
/// (`celery --broker=… flower`).
fn runs_no_application(words: &[&str]) -> bool {
    let program = words.first().map(|program| last(program));
    let mut options = words.iter().filter_map(|word| word.split('=').next());
    program == Some("celery") && !options.any(|option| MODULE_FLAGS.contains(&option))
}

/// Returns whether a command runs the tasks of a queue (Celery, Command Line Interface).
pub(super) fn runs_tasks(command: &[String]) -> bool {
    behind_celery(command, &["worker"])
}

/// Returns whether a command publishes tasks at their times (Celery, Periodic Tasks: by itself, or within a worker).
pub(super) fn schedules_tasks(command: &[String]) -> bool {
    behind_celery(command, &["beat", "-B", "--beat"])
}

/// Returns whether a command of Celery has one of some words.
fn behind_celery(command: &[String], wanted: &[&str]) -> bool {
    let words: Vec<&str> = command.iter().flat_map(|word| words(word)).collect();
    let is_celery = |word: &&str| word.rsplit('/').next() == Some("celery");
    let celery = words.iter().position(is_celery);
    let behind = celery.and_then(|celery| words.get(celery..));
    behind.is_some_and(|behind| behind.iter().any(|word| wanted.contains(word)))
}

/// Returns whether a command gives a server the module of an application: `gunicorn shop.wsgi:app`; or runs a program that takes
/// one of its environment.
pub(super) fn names_application(command: &[String]) -> bool {
    let mut words = command.iter().flat_map(|word| words(word));
    let programs = &EntryFiles::shipped().variables;
    words.any(|word| {
        let parts = word.split_once(':');
        programs.contains_key(last(word))
            || parts.is_some_and(|(module, attribute)| is_name(module) && is_name(attribute))
    })
}

/// Returns the words of commands that may name what runs: those that are no options.
pub(crate) fn words_of<'a>(
    commands: impl IntoIterator<Item = &'a String>,
) -> impl Iterator<Item = String> {
    let words = commands.into_iter().flat_map(|word| words(word));
    let words = words.filter(|word| !word.starts_with('-'));
    words.map(str::to_owned)
}

/// Gives services the words of the commands that they are deployed with; without any they keep those of their images.
pub(super) fn add_words(services: &mut Services, deployments: &[DeploymentAt]) {
    let mut deployed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for one in deployments.iter().flat_map(|(_, one)| &one.services) {
        let service = Some(&*one.name).filter(|name| !name.is_empty());
        if let Some(service) = service.and_then(|name| services.of_host(name)) {
            let words = deployed.entry(service.name.clone()).or_default();
            words.extend(words_of(&one.command));
        }
    }
    for service in &mut services.list {
        let words = deployed.remove(&service.name).unwrap_or_default();
        if !words.is_empty() {
            service.words = words;
        }
    }
}

/// Returns the words of a text that a shell may run.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts =
        text.split(|c: char| c.is_whitespace() || matches!(c, ';' | '&' | '|' | '"' | '\''));
    parts.filter(|word| !word.is_empty())
}

/// Returns whether a text is a dotted name.
fn is_name(text: &str) -> bool {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    !text.is_empty()
        && text.chars().all(is_of_name)
        && !text.starts_with(|c: char| c.is_ascii_digit())
}

/// Returns the only file below a folder with a path, which may begin in the image: `/app/jobs/run.py`.
fn file(code: &Code, folder: &str, path: &str) -> Option<String> {
    let mut rest = path.trim_start_matches("./").trim_start_matches('/');
    loop {
        let named = code.files.iter().filter(|file| {
            !file.is_test
                && is_below(&file.path, folder)
                && (*file.path == *rest
                    || file
                        .path
                        .strip_suffix(rest)
                        .is_some_and(|before| before.ends_with('/')))
        });
        // The file nearest to the folder, where several end so.
        let nearest = named.min_by_key(|file| file.path.len());
        if let Some(nearest) = nearest {
            return Some(nearest.path.to_string());
        }
        rest = rest.split_once('/')?.1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_files_that_run_are_read() {
        let files = EntryFiles::shipped();
        assert_eq!(files.modules.len(), 3);
        assert!(!files.scripts.is_empty() && !files.package.is_empty());
    }
}
