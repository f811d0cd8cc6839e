//! The repository around a folder.

use std::path::Path;

use crate::process::{Ended, Git};
use crate::{GitError, Objects};

/// A git repository with a work tree, read by the user's own program `git` (2.31 or newer). Each method runs
/// it anew; a run that takes longer than 30 seconds is ended.
#[derive(Clone, Debug)]
pub struct Repository {
    /// Its commands run in the top folder of the work tree.
    objects: Objects,
}

impl Repository {
    /// Finds the repository around a folder: the folder itself, or one above it, also in linked worktrees.
    ///
    /// Variables of the environment that name another repository (`GIT_DIR`) have no effect.
    ///
    /// Errors: [`GitError::NoGit`], [`GitError::NoRepository`], [`GitError::NoWorkTree`], and those of running git.
    pub fn around(folder: &Path) -> Result<Repository, GitError> {
        Repository::read_by(Git::on_path(), folder)
    }

    /// As [`Repository::around`], by a given program.
    pub(crate) fn read_by(git: Git, folder: &Path) -> Result<Repository, GitError> {
        let name = || folder.to_string_lossy().into_owned();
        if !folder.is_dir() {
            return Err(GitError::NoRepository { folder: name() });
        }
        let ended = git.output(folder, &["rev-parse", "--show-toplevel"])?;
        if !ended.success {
            if ended.words.contains("not a git repository") {
                return Err(GitError::NoRepository { folder: name() });
            }
            if ended.words.contains("must be run in a work tree") {
                return Err(GitError::NoWorkTree { folder: name() });
            }
        }
        match String::from_utf8(ended.into_output()?) {
            Ok(mut top) if top.len() > 1 && top.ends_with('\n') => {
                top.pop();
                Ok(Repository {
                    objects: Objects::in_folder(git, top),
                })
            }
            _ => Err(GitError::UnexpectedOutput {
                command: "git rev-parse".to_owned(),
            }),
        }
    }

    /// The top folder of the work tree: absolute, with links followed and `/` between parts.
    pub fn top(&self) -> &str {
        self.objects.folder()
    }

    /// The commits, trees and contents of the repository, which need no work tree.
    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// Runs a command in the top folder and returns its whole output.
    pub(crate) fn run(&self, arguments: &[&str]) -> Result<Ended<Vec<u8>>, GitError> {
        self.objects.run(arguments)
    }

    /// The absolute path of a name below the top folder.
    pub(crate) fn absolute(&self, name: &str) -> String {
        format!("{}/{name}", self.top().trim_end_matches('/'))
    }

    /// The part of an absolute path below the top folder; `None` outside it, and for a path that is not
    /// normalised.
    pub(crate) fn relative<'a>(&self, path: &'a str) -> Option<&'a str> {
        let rest = path.strip_prefix(self.top().trim_end_matches('/'))?;
        let name = rest.strip_prefix('/')?;
        let is_normal =
            !name.contains('\0') && name.split('/').all(|part| !matches!(part, "" | "." | ".."));
        is_normal.then_some(name)
    }
}
