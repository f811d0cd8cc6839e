//! The variables of the environment that answers depend on.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// The variables that a client sends and a server compares. Nothing else of the environment is
/// sent or kept.
const COMPARED: [&str; 18] = [
    "CGO_ENABLED",
    "CONDA_PREFIX",
    "GO111MODULE",
    "GOARCH",
    "GOENV",
    "GOEXPERIMENT",
    "GOFLAGS",
    "GOMODCACHE",
    "GOOS",
    "GOPATH",
    "GOROOT",
    "GOTOOLCHAIN",
    "GOWORK",
    "HOME",
    "PYTHONHOME",
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "XDG_CONFIG_HOME",
];

/// Programs that are found by PATH and tell where a library is.
const PROGRAMS: [&str; 2] = ["go", "python3"];

/// Variables that a started server needs beside the compared ones and those of its own name: by
/// these it finds programs, folders and the language of the file system's names.
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

/// Whether a server that a client starts gets this variable of the client's environment.
pub fn kept(name: &str) -> bool {
    KEPT.contains(&name) || COMPARED.contains(&name) || name.starts_with("CODEWEFT_")
}

/// The environment of this process as a Host reads it: the compared variables and PATH.
pub fn of_process() -> BTreeMap<String, String> {
    let mut variables = compared();
    variables.extend(variable("PATH").map(|path| ("PATH".to_owned(), path)));
    variables
}

/// The environment of this process as a client shows it: the compared variables, and under
/// `go` and `python3` the paths where PATH finds these programs.
pub fn shown() -> BTreeMap<String, String> {
    let mut shown = compared();
    for program in PROGRAMS {
        if let Some(path) = on_path(program) {
            shown.insert(program.to_owned(), path);
        }
    }
    shown
}

/// What differs between the environment that a server has and a client's, a sentence each. An
/// empty variable counts as none.
pub fn differences(
    server: &BTreeMap<String, String>,
    client: &BTreeMap<String, String>,
) -> Vec<String> {
    let words = |value: Option<&String>| match value {
        Some(value) => format!("`{value}`"),
        None => "not set".to_owned(),
    };
    let names = COMPARED.iter().chain(&PROGRAMS);
    let mut differences = Vec::new();
    for name in names {
        let value = |one: &BTreeMap<String, String>| {
            one.get(*name).filter(|value| !value.is_empty()).cloned()
        };
        let (server, client) = (value(server), value(client));
        if server != client {
            let what = if PROGRAMS.contains(name) {
                format!("the program {name}")
            } else {
                (*name).to_owned()
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
    COMPARED
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), variable(name)?)))
        .collect()
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Where PATH finds a program; relative folders of PATH do not count.
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
