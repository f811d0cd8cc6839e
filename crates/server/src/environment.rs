//! The environment variables that answers depend on: which of them a client sends, and how a server compares
//! them with its own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use codeweft_graph::languages::specs;

use crate::programs::LanguageProgram;

/// The variables of no language that answers depend on.
const COMPARED: [&str; 2] = ["HOME", "XDG_CONFIG_HOME"];

/// Returns the variables that a client sends and a server compares, sorted. Nothing else of the
/// environment is sent or kept.
fn compared_names() -> BTreeSet<&'static str> {
    let names = specs().flat_map(|spec| spec.variables);
    names.chain(&COMPARED).copied().collect()
}

/// Returns the programs that are found by PATH and report where a library is, sorted.
fn programs() -> BTreeSet<&'static str> {
    specs().filter_map(|spec| spec.program).collect()
}

/// Variables that a started server needs beside the compared ones and `CODEWEFT_*`, to find programs, folders
/// and the encoding of file names.
const KEPT: [&str; 9] = [
    "LANG",
    "LC_ALL",
    "PATH",
    "RUST_BACKTRACE",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
];

/// Returns whether a server that a client starts inherits this variable from the client.
pub fn kept(name: &str) -> bool {
    KEPT.contains(&name) || compared_names().contains(name) || name.starts_with("CODEWEFT_")
}

/// Returns the environment of this process for an [`AnalysisHost`](codeweft_workspace::AnalysisHost): the
/// compared variables and PATH.
pub fn of_process() -> BTreeMap<String, String> {
    let mut variables = compared();
    variables.extend(variable("PATH").map(|path| ("PATH".to_owned(), path)));
    variables
}

/// Returns the environment of this process as a hello sends it: the compared variables, and under the names of
/// the languages' programs those that PATH leads to in the workspace at `root`.
pub fn sent(root: &str) -> BTreeMap<String, String> {
    let mut variables = compared();
    let path = std::env::var_os("PATH").unwrap_or_default();
    for spec in specs() {
        let Some(program) = spec.program else {
            continue;
        };
        let wanted = LanguageProgram {
            program,
            environment_file: spec.environment_file,
            version_file: spec.version_file,
        };
        let found = wanted.installed(Path::new(root), std::env::split_paths(&path));
        variables.extend(found.map(|path| (program.to_owned(), path)));
    }
    variables
}

/// Returns the differences between the environments of a server and a client, a sentence each. An empty
/// variable counts as not set.
pub fn differences(
    server: &BTreeMap<String, String>,
    client: &BTreeMap<String, String>,
) -> Vec<String> {
    let words = |value: Option<&String>| match value {
        Some(value) => format!("`{value}`"),
        None => "not set".to_owned(),
    };
    let programs = programs();
    let names = compared_names().into_iter().chain(programs.iter().copied());
    let mut differences = Vec::new();
    for name in names {
        let value = |one: &BTreeMap<String, String>| {
            one.get(name).filter(|value| !value.is_empty()).cloned()
        };
        let (server, client) = (value(server), value(client));
        if server != client {
            let what = if programs.contains(name) {
                format!("the program {name}")
            } else {
                name.to_owned()
            };
            differences.push(format!(
                "{what} is {} here and {} in the running server, whose answers go by its own \
                 (`codeweft serve --stop` ends it)",
                words(client.as_ref()),
                words(server.as_ref()),
            ));
        }
    }
    differences
}

fn compared() -> BTreeMap<String, String> {
    compared_names()
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), variable(name)?)))
        .collect()
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Returns the path where PATH finds a program. Relative folders of PATH are skipped.
pub fn on_path(program: &str) -> Option<String> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder: PathBuf| folder.join(program))
        .find(|file| file.is_file())
        .and_then(|file| file.into_os_string().into_string().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        let pairs = pairs.iter();
        pairs
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    }

    #[test]
    fn a_variable_that_differs_is_named_with_both_values() {
        let server = map(&[("GOFLAGS", "-tags=a"), ("GOOS", "linux")]);
        let client = map(&[("GOFLAGS", ""), ("GOOS", "linux"), ("EDITOR", "vi")]);
        let differences = differences(&server, &client);
        assert_eq!(differences.len(), 1);
        assert!(
            differences[0]
                .starts_with("GOFLAGS is not set here and `-tags=a` in the running server"),
            "{differences:?}"
        );
    }

    #[test]
    fn another_program_is_named_by_its_path() {
        let server = map(&[("go", "/a/go")]);
        let client = map(&[("go", "/b/go")]);
        let differences = differences(&server, &client);
        assert!(
            differences[0].starts_with("the program go is `/b/go` here and `/a/go`"),
            "{differences:?}"
        );
    }

    #[test]
    fn equal_environments_have_no_difference() {
        let one = map(&[("GOFLAGS", "-tags=a"), ("go", "/a/go")]);
        assert_eq!(differences(&one, &one), [""; 0]);
    }
}
