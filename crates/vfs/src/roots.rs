//! Finds the root of the workspace that contains a folder.

use std::path::{Path, PathBuf};

use crate::paths::slashed;

/// A workspace's root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Root {
    /// Absolute, with links followed, `/` between parts, no final `/`.
    pub path: String,
    /// The reason why this folder is the root.
    pub marker: Marker,
}

/// The kinds of roots, the strongest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marker {
    /// It was named by the user.
    Explicit,
    /// It holds `codeweft.toml`.
    Settings,
    /// It holds `.git`: a repository, or a worktree's or submodule's file.
    Git,
    /// It holds a file that describes a project of a language: its name.
    Project(&'static str),
    /// No marker was found: the working folder.
    Folder,
}

const MARKERS: [(&str, Marker); 2] = [("codeweft.toml", Marker::Settings), (".git", Marker::Git)];

/// The reason why a folder cannot be a root.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RootError {
    /// `/` or the home folder.
    #[error("`{0}` is never taken for a workspace; name one with --root DIR")]
    Forbidden(String),
    /// It does not exist or is no folder.
    #[error("`{0}` is not a folder that can be read: {1}")]
    NoFolder(String, String),
    /// Its name is not UTF-8.
    #[error("the folder's name `{0}` is not UTF-8")]
    NameNotUtf8(String),
}

/// Returns the root of the workspace that contains `folder`: the nearest ancestor with
/// `codeweft.toml`, else `.git`, else the first of `project_files` that any ancestor holds, else the
/// folder itself. Never `/`, the home folder or a folder above it.
///
/// ```text
/// ~/src/tool/.git
/// ~/src/tool/cmd/go.mod
/// ~/src/tool/cmd/a/          root: ~/src/tool (`.git` is stronger than the nearer `go.mod`)
/// ```
pub fn find_root(folder: &Path, project_files: &[&'static str]) -> Result<Root, RootError> {
    find_below(folder, project_files, home().as_deref())
}

/// Returns the folder that the user named, as the root; `/` and the home folder are refused.
pub fn explicit_root(folder: &Path) -> Result<Root, RootError> {
    named(folder, home().as_deref())
}

fn home() -> Option<PathBuf> {
    std::env::home_dir().and_then(|home| std::fs::canonicalize(home).ok())
}

fn named(folder: &Path, home: Option<&Path>) -> Result<Root, RootError> {
    let folder = real(folder)?;
    if forbidden(&folder, home) {
        return Err(RootError::Forbidden(printed(&folder)));
    }
    root(&folder, Marker::Explicit)
}

fn find_below(
    folder: &Path,
    project_files: &[&'static str],
    home: Option<&Path>,
) -> Result<Root, RootError> {
    let folder = real(folder)?;
    let candidates = || {
        folder
            .ancestors()
            .take_while(|ancestor| !forbidden(ancestor, home))
    };
    let projects = project_files
        .iter()
        .map(|&name| (name, Marker::Project(name)));
    for (name, marker) in MARKERS.into_iter().chain(projects) {
        if let Some(found) = candidates().find(|folder| folder.join(name).exists()) {
            return root(found, marker);
        }
    }
    if forbidden(&folder, home) {
        return Err(RootError::Forbidden(printed(&folder)));
    }
    root(&folder, Marker::Folder)
}

fn forbidden(folder: &Path, home: Option<&Path>) -> bool {
    folder.parent().is_none() || home == Some(folder)
}

fn real(folder: &Path) -> Result<PathBuf, RootError> {
    let bad = |words: String| RootError::NoFolder(printed(folder), words);
    let real = std::fs::canonicalize(folder).map_err(|error| bad(error.to_string()))?;
    if !real.is_dir() {
        return Err(bad("it is a file".to_owned()));
    }
    Ok(real)
}

fn root(folder: &Path, marker: Marker) -> Result<Root, RootError> {
    match slashed(folder) {
        Some(path) => Ok(Root { path, marker }),
        None => Err(RootError::NameNotUtf8(printed(folder))),
    }
}

fn printed(folder: &Path) -> String {
    folder.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a home folder with files in it (a final `/` makes a folder); returns the root found
    /// from `from`.
    fn find(files: &[&str], from: &str) -> Result<(String, Marker), RootError> {
        let top = tempfile::tempdir().expect("a temporary folder");
        let home = std::fs::canonicalize(top.path()).expect("it is there");
        for file in files {
            let path = home.join(file);
            let folder = if file.ends_with('/') {
                &path
            } else {
                path.parent().expect("below the home")
            };
            std::fs::create_dir_all(folder).expect("made");
            if !file.ends_with('/') {
                std::fs::write(&path, "").expect("written");
            }
        }
        let root = find_below(
            &home.join(from),
            &["go.work", "go.mod", "pyproject.toml"],
            Some(&home),
        )?;
        let below = root.path.strip_prefix(home.to_str().expect("UTF-8"));
        Ok((below.unwrap_or(&root.path).to_owned(), root.marker))
    }

    #[test]
    fn settings_beat_a_nearer_repository() {
        let files = ["w/codeweft.toml", "w/a/.git/", "w/a/b/"];
        assert_eq!(find(&files, "w/a/b"), Ok(("/w".into(), Marker::Settings)));
    }

    #[test]
    fn a_repository_beats_a_nearer_module() {
        let files = ["w/.git/", "w/a/go.mod"];
        assert_eq!(find(&files, "w/a"), Ok(("/w".into(), Marker::Git)));
    }

    #[test]
    fn a_worktree_whose_git_is_a_file_is_a_repository() {
        assert_eq!(
            find(&["w/.git", "w/a/"], "w/a"),
            Ok(("/w".into(), Marker::Git))
        );
    }

    #[test]
    fn go_work_beats_go_mod_beats_pyproject() {
        let files = ["w/go.work", "w/a/go.mod", "w/a/b/pyproject.toml"];
        assert_eq!(
            find(&files, "w/a/b"),
            Ok(("/w".into(), Marker::Project("go.work")))
        );
        assert_eq!(
            find(&files[1..], "w/a/b"),
            Ok(("/w/a".into(), Marker::Project("go.mod")))
        );
        assert_eq!(
            find(&files[2..], "w/a/b"),
            Ok(("/w/a/b".into(), Marker::Project("pyproject.toml")))
        );
    }

    #[test]
    fn without_a_marker_the_folder_itself_is_the_root() {
        assert_eq!(find(&["w/a/"], "w/a"), Ok(("/w/a".into(), Marker::Folder)));
    }

    #[test]
    fn a_repository_of_the_home_folder_does_not_count() {
        assert_eq!(
            find(&[".git/", "w/"], "w"),
            Ok(("/w".into(), Marker::Folder))
        );
        assert!(matches!(find(&[".git/"], ""), Err(RootError::Forbidden(_))));
    }

    #[test]
    fn a_named_root_is_used_unchanged_but_not_the_filesystem_nor_the_home() {
        let top = tempfile::tempdir().expect("a temporary folder");
        let home = std::fs::canonicalize(top.path()).expect("it is there");
        std::fs::create_dir_all(home.join("w/a")).expect("made");
        std::fs::write(home.join("w/go.mod"), "").expect("written");
        let root = named(&home.join("w/a"), Some(&home)).expect("a folder");
        assert!(root.path.ends_with("/w/a"));
        assert_eq!(root.marker, Marker::Explicit);
        assert!(matches!(
            named(&home, Some(&home)),
            Err(RootError::Forbidden(_))
        ));
        assert!(matches!(
            named(Path::new("/"), None),
            Err(RootError::Forbidden(_))
        ));
        assert!(matches!(
            named(&home.join("none"), None),
            Err(RootError::NoFolder(..))
        ));
    }
}
