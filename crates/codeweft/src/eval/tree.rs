//! The tree of a commit as a workspace: in a temporary folder, changed from commit to commit.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use codeweft_eval::TreeFile;
use codeweft_git::{Commit, Content, GitError, Objects};
use codeweft_graph::languages;
use codeweft_retrieval::is_test;
use rustc_hash::FxHashMap;
use tempfile::TempDir;

/// A file of more bytes is not read, as in a workspace without settings.
const MAX_FILE: u64 = 2 << 20;

/// A folder with the source files of a commit, and the files that describe its projects.
pub struct TreeFolder {
    folder: TempDir,
    /// What lies in it: the hash of the content by the name.
    written: BTreeMap<String, String>,
    /// Texts of source files by the hash of their content.
    texts: FxHashMap<String, Arc<str>>,
}

impl TreeFolder {
    /// An empty folder.
    ///
    /// Errors: no temporary folder can be made.
    pub fn new() -> io::Result<TreeFolder> {
        Ok(TreeFolder {
            folder: tempfile::Builder::new()
                .prefix("codeweft-eval-")
                .tempdir()?,
            written: BTreeMap::new(),
            texts: FxHashMap::default(),
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Brings the files of a commit into the folder: what differs from the last one is written or removed. Returns
    /// the source files.
    ///
    /// Errors: the repository cannot be read, or the folder not be written.
    pub fn show(&mut self, objects: &Objects, commit: &Commit) -> Result<Vec<TreeFile>, String> {
        let of_git = |error: GitError| format!("{error}; {}", error.what_to_do());
        let tree = objects.tree(commit).map_err(of_git)?;
        let wanted: BTreeMap<String, String> = tree
            .into_iter()
            .filter(|file| {
                (is_source(&file.name) || describes_project(&file.name)) && is_safe(&file.name)
            })
            .map(|file| (file.name, file.blob))
            .collect();
        let old = std::mem::take(&mut self.written);
        for name in old.keys().filter(|name| !wanted.contains_key(*name)) {
            self.remove(name)
                .map_err(|error| not_written(name, &error))?;
        }
        let is_new = |(name, blob): &(&String, &String)| old.get(*name) != Some(blob);
        let new: Vec<(&String, &String)> = wanted.iter().filter(is_new).collect();
        let blobs = new.iter().map(|(_, blob)| (*blob).clone()).collect();
        let contents = objects.blobs(blobs, MAX_FILE).map_err(of_git)?;
        for ((name, blob), content) in new.into_iter().zip(contents) {
            let Content::Bytes(bytes) = content else {
                continue;
            };
            self.write(name, &bytes)
                .map_err(|error| not_written(name, &error))?;
            if is_source(name) {
                let text = String::from_utf8_lossy(&bytes);
                self.texts.insert(blob.clone(), text.into());
            }
        }
        let files = wanted
            .iter()
            .filter(|(name, _)| is_source(name))
            .filter_map(|(name, blob)| {
                Some(TreeFile {
                    path: name.as_str().into(),
                    blob: blob.as_str().into(),
                    text: Arc::clone(self.texts.get(blob)?),
                    is_test: is_test(name),
                })
            });
        let files = files.collect();
        self.written = wanted;
        Ok(files)
    }

    fn absolute(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.absolute(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, bytes)
    }

    /// Removes a file and the folders that are empty without it.
    fn remove(&self, name: &str) -> io::Result<()> {
        let path = self.absolute(name);
        match std::fs::remove_file(&path) {
            // It was too large to be written.
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let above = path.ancestors().skip(1);
        for folder in above.take_while(|folder| *folder != self.folder.path()) {
            if std::fs::remove_dir(folder).is_err() {
                break;
            }
        }
        Ok(())
    }
}

fn not_written(name: &str, error: &io::Error) -> String {
    format!("{name} cannot be written to a temporary folder: {error}")
}

/// Whether a path is that of a source file.
pub fn is_source(path: &str) -> bool {
    languages::of_path(path).is_some()
}

/// Whether a file says how the sources belong together: `go.mod`, `pyproject.toml`.
fn describes_project(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    languages::specs().any(|spec| spec.project_files.contains(&name))
}

/// Whether a name of a tree leads to a file below the folder on every system.
fn is_safe(name: &str) -> bool {
    let is_plain = |part: &str| !matches!(part, "" | "." | ".." | ".git");
    name.split('/').all(is_plain) && !name.contains(['\\', ':', '\0'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_below_the_folder_are_written() {
        assert!(is_safe("a/b.py") && is_safe(".github/a.py"));
        for name in [
            "../a.py",
            "a/../../b.py",
            "/a.py",
            "a//b.py",
            ".git/a.py",
            "c:a.py",
            "a\\b.py",
        ] {
            assert!(!is_safe(name), "{name}");
        }
    }
}
