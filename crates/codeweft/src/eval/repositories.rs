//! The clones of a folder, by the name of their repository.

use std::path::{Path, PathBuf};

use codeweft_git::{GitError, Objects};

/// Finds the clone of a repository, `owner/name` or a name, in a folder.
///
/// Errors: none of the folders that it may be in is a repository; or the one that is cannot be read.
pub fn find(folder: &Path, repo: &str) -> Result<Objects, String> {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('\\');
    if !repo.split('/').all(is_plain) {
        return Err(format!(
            "{repo} is no name of a repository: write owner/name"
        ));
    }
    let tried = candidates(folder, repo);
    for path in &tried {
        match Objects::of(path) {
            Ok(objects) => return Ok(objects),
            Err(GitError::NoRepository { .. }) => {}
            Err(error) => return Err(format!("{error}; {}", error.what_to_do())),
        }
    }
    let name = tried.first().map_or(folder, PathBuf::as_path);
    Err(format!(
        "no clone of {repo} is in {}: make one with `git clone --bare URL {}`",
        folder.display(),
        name.display()
    ))
}

/// The folders that the clone may be in, in the order in which they are tried.
fn candidates(folder: &Path, repo: &str) -> Vec<PathBuf> {
    let name = repo.rsplit('/').next().unwrap_or(repo);
    let mut names = vec![
        repo.replace('/', "+"),
        repo.to_owned(),
        repo.replace('/', "__"),
    ];
    if !names.iter().any(|one| one == name) {
        names.push(name.to_owned());
    }
    names.dedup();
    let mut all = Vec::new();
    for name in names {
        all.push(folder.join(&name));
        all.push(folder.join(&name).join("repo"));
        all.push(folder.join(format!("{name}.git")));
    }
    all
}

/// The name of the repository in a folder, from the folder's own: `owner+name` or `owner__name` is `owner/name`.
pub fn name_of(folder: &Path) -> String {
    let named = |folder: &Path| folder.file_name()?.to_str().map(str::to_owned);
    let own = named(folder);
    let name = match own.as_deref() {
        Some("repo" | ".git") => folder.parent().and_then(named),
        _ => own,
    };
    let name = name.unwrap_or_else(|| "repository".to_owned());
    let name = name.strip_suffix(".git").unwrap_or(&name);
    let pair = name.split_once('+').or_else(|| name.split_once("__"));
    match pair {
        Some((owner, name)) if !owner.is_empty() && !name.is_empty() => format!("{owner}/{name}"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_is_looked_for_by_several_names() {
        let paths = candidates(Path::new("/c"), "o/n");
        let paths: Vec<_> = paths.iter().filter_map(|path| path.to_str()).collect();
        assert_eq!(
            paths,
            [
                "/c/o+n",
                "/c/o+n/repo",
                "/c/o+n.git",
                "/c/o/n",
                "/c/o/n/repo",
                "/c/o/n.git",
                "/c/o__n",
                "/c/o__n/repo",
                "/c/o__n.git",
                "/c/n",
                "/c/n/repo",
                "/c/n.git",
            ]
        );
        assert_eq!(candidates(Path::new("/c"), "n").len(), 3);
        for outside in ["..", "a/../b", "", "/etc"] {
            assert!(find(Path::new("/c"), outside).is_err(), "{outside}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        let error = find(folder.path(), "o/n").expect_err("none is there");
        assert!(
            error.contains("no clone of o/n") && error.contains("git clone"),
            "{error}"
        );
    }

    #[test]
    fn a_repository_is_named_after_its_folder() {
        for (folder, name) in [
            ("/c/o+n/repo", "o/n"),
            ("/c/o__n.git", "o/n"),
            ("/c/n", "n"),
            ("/c/n/.git", "n"),
            ("/", "repository"),
            ("/c/+n", "+n"),
        ] {
            assert_eq!(name_of(Path::new(folder)), name, "{folder}");
        }
    }
}
