//! Finds the folders in which git keeps its data about a workspace.

use std::path::{Path, PathBuf};

/// The folders of git for a working tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GitFolders {
    /// The folder of the working tree itself, with its `HEAD` and `index`.
    pub own: PathBuf,
    /// The folder that all working trees share, with `info/exclude`. The same as `own` if there is
    /// only one.
    pub common: PathBuf,
    /// The folder that contains `.git`.
    pub top: PathBuf,
}

impl GitFolders {
    /// Finds the folders of the repository that contains `root`. In a linked working tree `.git` is
    /// a file that names its folder (gitrepository-layout).
    pub(super) fn of(root: &Path) -> Option<GitFolders> {
        let top = root
            .ancestors()
            .find(|folder| folder.join(".git").exists())?;
        let git = top.join(".git");
        let own = if git.is_dir() {
            git
        } else {
            let text = std::fs::read_to_string(&git).ok()?;
            top.join(text.lines().next()?.strip_prefix("gitdir:")?.trim())
        };
        let common = match std::fs::read_to_string(own.join("commondir")) {
            Ok(text) => own.join(text.trim()),
            Err(_) => own.clone(),
        };
        Some(GitFolders {
            own: std::fs::canonicalize(own).ok()?,
            common: std::fs::canonicalize(common).ok()?,
            top: top.to_owned(),
        })
    }

    /// Returns whether a git process is writing to the working tree.
    pub(super) fn is_locked(&self) -> bool {
        self.own.join("index.lock").exists()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linked_working_tree_has_a_folder_of_its_own() {
        let top = tempfile::tempdir().expect("a temporary folder");
        let top = std::fs::canonicalize(top.path()).expect("it is there");
        let write = |path: &str, text: &str| {
            let path = top.join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, text).expect("written");
        };
        write("main/.git/HEAD", "");
        write("main/.git/worktrees/tree/commondir", "../..\n");
        write("tree/.git", "gitdir: ../main/.git/worktrees/tree\n");
        write("tree/sub/a.go", "");
        write("other/.git", "no such line");
        let own = |path: &str| GitFolders::of(&top.join(path)).map(|git| (git.own, git.common));
        let main = top.join("main/.git");
        assert_eq!(own("main"), Some((main.clone(), main.clone())));
        let tree = main.join("worktrees/tree");
        assert_eq!(own("tree"), Some((tree.clone(), main.clone())));
        assert_eq!(own("tree/sub"), Some((tree, main)));
        assert_eq!(own("other"), None);
    }
}
