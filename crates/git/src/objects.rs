//! The commits, trees and contents of a repository, with or without a work tree.

use std::path::Path;

use crate::GitError;
use crate::process::{Ended, Git};

/// What a repository stores, read by the user's own program `git` (2.31 or newer): commits, trees, contents.
///
/// It needs no work tree, so a bare repository and a mirror are enough.
#[derive(Clone, Debug)]
pub struct Objects {
    git: Git,
    /// The folder in which commands run.
    folder: String,
}

impl Objects {
    /// The objects of the repository that a folder is: of a work tree's top folder, or of a bare repository.
    ///
    /// A folder inside of a repository is none; [`Repository::around`](crate::Repository::around) finds that.
    ///
    /// Errors: [`GitError::NoGit`], [`GitError::NoRepository`], and those of running git.
    pub fn of(folder: &Path) -> Result<Objects, GitError> {
        let none = || GitError::NoRepository {
            folder: folder.to_string_lossy().into_owned(),
        };
        let Some(name) = folder.to_str().filter(|_| folder.is_dir()) else {
            return Err(none());
        };
        let git = Git::on_path();
        let ended = git.output(folder, &["rev-parse", "--absolute-git-dir"])?;
        if !ended.success && ended.words.contains("not a git repository") {
            return Err(none());
        }
        let printed = ended.into_output()?;
        let printed = String::from_utf8_lossy(&printed);
        let is_bare = std::fs::canonicalize(folder)
            .is_ok_and(|folder| folder == Path::new(printed.trim_end_matches('\n')));
        if !is_bare && !folder.join(".git").exists() {
            return Err(none());
        }
        Ok(Objects::in_folder(git, name.to_owned()))
    }

    /// The objects of the repository around a folder, which is known to be inside of one.
    pub(crate) fn in_folder(git: Git, folder: String) -> Objects {
        Objects { git, folder }
    }

    /// The folder: as it was given, or the top folder of the work tree.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// Runs a command in the folder and returns its whole output.
    pub(crate) fn run(&self, arguments: &[&str]) -> Result<Ended<Vec<u8>>, GitError> {
        self.git.output(Path::new(&self.folder), arguments)
    }

    /// The program.
    pub(crate) fn git(&self) -> &Git {
        &self.git
    }
}
