//! The interface of a format.

use std::io::{self, Write};
use std::path::Path;

use codeweft_db::RootDb;
use codeweft_graph::export::{EdgeType, ExportOptions};

use crate::atomic::{folder_of, write_atomically};

/// A format of an export.
#[derive(Clone, Copy, Debug)]
pub struct ExportFormat {
    /// The name on the command line.
    pub name: &'static str,
    /// The description for people.
    pub about: &'static str,
    /// The types of edges that are written unless others are named.
    pub edges: &'static [EdgeType],
    /// As [`ExportFormat::write`].
    pub(crate) write: WriteExport,
}

type WriteExport =
    fn(&RootDb, &ExportOptions, usize, &Path, &mut dyn Write) -> io::Result<Exported>;

/// The size of an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exported {
    /// The number of nodes.
    pub nodes: u64,
    /// The number of edges.
    pub edges: u64,
}

impl ExportFormat {
    /// Writes the graph, on up to `threads` threads. Its order is fixed: packages by (language,
    /// name), nodes by id, edges by (from, type, to, location). What has to be buffered is kept in
    /// files in `folder`, not in memory.
    ///
    /// # Errors
    /// A file in `folder` or `out` could not be written.
    pub fn write(
        &self,
        db: &RootDb,
        options: &ExportOptions,
        threads: usize,
        folder: &Path,
        out: &mut dyn Write,
    ) -> io::Result<Exported> {
        (self.write)(db, options, threads, folder, out)
    }

    /// Writes the graph to a file atomically: an existing file is replaced once the new one is
    /// complete.
    ///
    /// # Errors
    /// The file could not be written; an existing one is then unchanged.
    pub fn write_file(
        &self,
        db: &RootDb,
        options: &ExportOptions,
        threads: usize,
        target: &Path,
    ) -> io::Result<Exported> {
        let folder = folder_of(target).unwrap_or(Path::new("."));
        write_atomically(target, |out| self.write(db, options, threads, folder, out))
    }
}
