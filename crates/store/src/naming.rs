//! What an export needs beside the graph to name symbols across repositories.

use std::sync::Arc;

use codeweft_db::FileSystem;

/// Where the metadata of packages is read, and which version the workspace's own packages have.
#[derive(Clone, Copy)]
pub struct Naming<'a> {
    /// The workspace's folder, absolute, without a trailing `/`.
    pub root: &'a str,
    /// The file system that has the files of package managers, such as `go.mod`.
    pub reader: &'a dyn FileSystem,
    /// The version of packages whose own files name none; empty if it is not known.
    pub version: &'a str,
}

impl Naming<'_> {
    /// Returns the naming without any metadata: packages are named by their import paths.
    pub(crate) fn without_files() -> Naming<'static> {
        Naming {
            root: "/",
            reader: &NoFiles,
            version: "",
        }
    }
}

struct NoFiles;

impl FileSystem for NoFiles {
    fn read(&self, _path: &str) -> Option<Arc<str>> {
        None
    }

    fn list(&self, _dir: &str) -> Vec<String> {
        Vec::new()
    }

    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
}
