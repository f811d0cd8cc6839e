//! What the path of a file says of it.

use std::sync::LazyLock;

use serde::Deserialize;

const RULES: &str = include_str!("paths.toml");

static READ: LazyLock<Rules> = LazyLock::new(|| toml::from_str(RULES).unwrap_or_default());

/// The rules of `paths.toml`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    tests: Tests,
    beside: Beside,
    libraries: Libraries,
    frames: Vec<Frames>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tests {
    folders: Vec<String>,
    prefixes: Vec<String>,
    suffixes: Vec<String>,
    names: Vec<String>,
    extensions: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Beside {
    folders: Vec<String>,
    names: Vec<String>,
    suffixes: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Libraries {
    installed: Vec<String>,
    foreign: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Frames {
    extensions: Vec<String>,
    innermost_last: bool,
}

/// Where a path of a stack lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FramePath<'p> {
    /// Anywhere: its end may be that of a file of the workspace.
    Any(&'p str),
    /// Below the installed libraries: a file of the workspace only as a whole.
    Installed(&'p str),
    /// In the code of others.
    Foreign,
}

/// Returns the folder of a path without the last `/`, and the file name.
pub(crate) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// Returns the extension of a path, without the dot.
pub(crate) fn extension(path: &str) -> &str {
    let (_, name) = split(path);
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn is_below_any(folder: &str, names: &[String]) -> bool {
    folder
        .split('/')
        .any(|part| names.iter().any(|name| name == part))
}

fn ends_with_any(name: &str, ends: &[String]) -> bool {
    ends.iter().any(|end| name.ends_with(end.as_str()))
}

/// Returns whether a file holds tests or the code of others, by its path from the workspace's root.
pub fn is_test(path: &str) -> bool {
    let rules = &READ.tests;
    let (folder, name) = split(path);
    let has_prefix = rules
        .prefixes
        .iter()
        .any(|begin| name.starts_with(begin.as_str()))
        && rules.extensions.iter().any(|one| one == extension(name));
    is_below_any(folder, &rules.folders)
        || has_prefix
        || ends_with_any(name, &rules.suffixes)
        || rules.names.iter().any(|one| one == name)
}

/// Returns whether a file is beside the program: documentation, examples, tools, generated code.
pub(crate) fn is_beside(path: &str) -> bool {
    let rules = &READ.beside;
    let (folder, name) = split(path);
    is_below_any(folder, &rules.folders)
        || rules.names.iter().any(|one| one == name)
        || ends_with_any(name, &rules.suffixes)
}

/// Returns whether a text has the extension of a language with stacks, and whether these print the innermost frame last.
pub(crate) fn prints_innermost_last(path: &str) -> Option<bool> {
    let extension = extension(path);
    let mut rows = READ.frames.iter();
    let row = rows.find(|row| row.extensions.iter().any(|one| one == extension));
    row.map(|row| row.innermost_last)
}

/// Returns what can be a file of the workspace of the path of a frame, with `/` between its parts.
pub(crate) fn frame_path(path: &str) -> FramePath<'_> {
    let rules = &READ.libraries;
    let below = |folder: &String| {
        let at = path.rfind(folder.as_str())?;
        let starts = at == 0 || path.get(..at)?.ends_with('/');
        let rest = path.get(at + folder.len()..)?.strip_prefix('/')?;
        starts.then_some(rest)
    };
    if rules.foreign.iter().any(|folder| below(folder).is_some()) {
        return FramePath::Foreign;
    }
    match rules.installed.iter().find_map(below) {
        Some(rest) => FramePath::Installed(rest),
        None => FramePath::Any(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_are_read() {
        let read: Result<Rules, _> = toml::from_str(RULES);
        assert!(read.is_ok(), "{:?}", read.err());
    }

    #[test]
    fn a_folder_named_testing_is_source_and_vendor_is_not() {
        for path in [
            "testing/a.go",
            "a/testing/b.py",
            "latest.py",
            "a/contest.go",
            "src/attest.py",
            "test_of.go",
        ] {
            assert!(!is_test(path), "{path}");
        }
        for path in [
            "vendor/a.go",
            "a/tests/b.py",
            "test/b.py",
            "a/test_b.py",
            "a/b_test.go",
            "a/b_test.py",
            "conftest.py",
            "a/testdata/x.go",
            "third_party/x/y.go",
        ] {
            assert!(is_test(path), "{path}");
        }
    }

    #[test]
    fn files_beside_the_program_are_known_by_their_paths() {
        for path in [
            "docs/a.py",
            "a/scripts/b.py",
            "setup.py",
            "a/conf.py",
            "x/a.pb.go",
            "a_pb2.py",
        ] {
            assert!(is_beside(path), "{path}");
        }
        for path in ["a/doc.go", "toolset/a.py", "binary/a.go", "versions.py"] {
            assert!(!is_beside(path), "{path}");
        }
    }

    #[test]
    fn frames_of_libraries_are_no_files_of_the_workspace() {
        assert_eq!(frame_path("/root/go/pkg/mod/x@v1/a.go"), FramePath::Foreign);
        assert_eq!(
            frame_path("/usr/local/go/src/net/http/server.go"),
            FramePath::Foreign
        );
        let installed = "/venv/lib/python3.9/site-packages/requests/api.py";
        assert_eq!(
            frame_path(installed),
            FramePath::Installed("requests/api.py")
        );
        assert_eq!(
            frame_path("/home/a/src/b.py"),
            FramePath::Any("/home/a/src/b.py")
        );
    }
}
