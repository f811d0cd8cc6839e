//! The files of a commit.

use crate::contents::blob;
use crate::{Commit, GitError, Objects};

/// A regular file of a commit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TreeFile {
    /// Its path from the top folder, with `/` between parts.
    pub name: String,
    /// The hash of its content; equal contents have equal ones. [`Objects::blobs`] reads it.
    pub blob: String,
}

impl Objects {
    /// The regular files of a commit, sorted by name; without links, submodules and names that are not UTF-8.
    ///
    /// Errors: [`GitError::ObjectMissing`], and those of running git.
    pub fn tree(&self, commit: &Commit) -> Result<Vec<TreeFile>, GitError> {
        let arguments = ["ls-tree", "-r", "-z", "--full-tree", commit.hash()];
        let output = self.run(&arguments)?.into_output()?;
        let entries = output.split(|byte| *byte == 0).filter_map(blob);
        let mut files: Vec<TreeFile> = entries
            .map(|(name, blob)| TreeFile { name, blob })
            .collect();
        files.sort();
        Ok(files)
    }
}
