//! The files that differ between two states of a repository.

use std::collections::BTreeSet;
use std::path::Path;

use crate::{Commit, Content, GitError, Objects, Repository};

/// A file whose staged change may have been taken back on disk is compared with the commit up to this size, in
/// bytes; a larger one counts as changed.
const MAX_COMPARED: u64 = 16 << 20;

/// The mode of a submodule in the index.
const SUBMODULE: &[u8] = b"160000 ";

impl Repository {
    /// The paths of the files that differ between a commit and another one, or the files on disk (`None`):
    /// changed (a mode counts), added, removed, and on disk also untracked ones that no rule ignores.
    ///
    /// Absolute, sorted, each once; in the whole repository, also above a workspace that is a subfolder. A
    /// renamed file is one that was removed and one that was added. Submodules and repositories inside are skipped.
    ///
    /// Errors: [`GitError::ObjectMissing`], and those of running git.
    pub fn changed_files(
        &self,
        before: &Commit,
        after: Option<&Commit>,
    ) -> Result<Vec<String>, GitError> {
        let names = match after {
            Some(after) => self.names(&[
                "diff-tree",
                "-r",
                "-z",
                "--name-only",
                "--no-renames",
                "--no-ext-diff",
                "--no-textconv",
                "--ignore-submodules=all",
                before.hash(),
                after.hash(),
                "--",
            ])?,
            None => self.changed_on_disk(before)?,
        };
        Ok(names.iter().map(|name| self.absolute(name)).collect())
    }

    /// The names of the files that differ between a commit and the disk: what differs between the commit
    /// and the index, and between the index and the disk.
    ///
    /// `git diff COMMIT` would be one step, and it writes the index anew when files were touched without a
    /// change, whatever `GIT_OPTIONAL_LOCKS` says.
    fn changed_on_disk(&self, before: &Commit) -> Result<BTreeSet<String>, GitError> {
        let mut changed = self.names(&[
            "diff-index",
            "--cached",
            "-z",
            "--name-only",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--ignore-submodules=all",
            before.hash(),
            "--",
        ])?;
        let mut unstaged = self.names(&[
            "ls-files",
            "-z",
            "--modified",
            "--deleted",
            "--others",
            "--exclude-standard",
        ])?;
        // A repository inside that is not tracked is listed as a folder.
        unstaged.retain(|name| !name.ends_with('/'));
        if unstaged.iter().any(|name| !self.is_no_folder(name)) {
            let submodules = self.submodules()?;
            unstaged.retain(|name| !submodules.contains(name));
        }
        let both: Vec<String> = changed.intersection(&unstaged).cloned().collect();
        changed.append(&mut unstaged);
        for name in self.taken_back(before, both)? {
            changed.remove(&name);
        }
        Ok(changed)
    }

    /// Of names that differ from the index on both sides, those whose file on disk is as in the commit.
    fn taken_back(&self, before: &Commit, names: Vec<String>) -> Result<Vec<String>, GitError> {
        let paths: Vec<String> = names.iter().map(|name| self.absolute(name)).collect();
        let contents = self.contents(before, &paths, MAX_COMPARED)?;
        let files = names.into_iter().zip(paths).zip(contents);
        let same = files.filter(|((_, path), content)| match content {
            Content::Bytes(bytes) => {
                let is_file = std::fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
                is_file && std::fs::read(path).is_ok_and(|disk| disk == *bytes)
            }
            _ => false,
        });
        Ok(same.map(|((name, _), _)| name).collect())
    }

    fn is_no_folder(&self, name: &str) -> bool {
        let path = self.absolute(name);
        std::fs::symlink_metadata(Path::new(&path)).is_ok_and(|found| !found.is_dir())
    }

    /// The names of the submodules in the index.
    fn submodules(&self) -> Result<BTreeSet<String>, GitError> {
        let output = self.run(&["ls-files", "-z", "--stage"])?.into_output()?;
        let entries = output.split(|byte| *byte == 0);
        let entries = entries.filter(|entry| entry.starts_with(SUBMODULE));
        // `mode hash stage`, a tab, the name.
        let names = entries.filter_map(|entry| entry.splitn(2, |byte| *byte == b'\t').nth(1));
        Ok(names.filter_map(utf8).collect())
    }

    /// The names that a command lists with a zero byte behind each.
    fn names(&self, arguments: &[&str]) -> Result<BTreeSet<String>, GitError> {
        let output = self.run(arguments)?.into_output()?;
        let names = output.split(|byte| *byte == 0);
        Ok(names
            .filter(|name| !name.is_empty())
            .filter_map(utf8)
            .collect())
    }
}

impl Objects {
    /// The differences of files between two commits as a patch in unified form, with three lines of context; empty
    /// without differences. Names are from the top folder; bytes that are not UTF-8 are replaced.
    ///
    /// A renamed file is one that is removed and one that is added.
    ///
    /// Errors: [`GitError::ObjectMissing`], and those of running git.
    pub fn patch_between(
        &self,
        before: &Commit,
        after: &Commit,
        names: &[&str],
    ) -> Result<String, GitError> {
        let mut arguments = vec![
            "diff-tree",
            "-r",
            "-p",
            "-U3",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "--diff-algorithm=myers",
            "--src-prefix=a/",
            "--dst-prefix=b/",
            before.hash(),
            after.hash(),
            "--",
        ];
        arguments.extend(names);
        let output = self.run(&arguments)?.into_output()?;
        Ok(String::from_utf8_lossy(&output).into_owned())
    }
}

fn utf8(name: &[u8]) -> Option<String> {
    String::from_utf8(name.to_vec()).ok()
}
