//! What an export needs beside the graph to name symbols across repositories.

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
