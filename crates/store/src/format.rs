//! The interface of a format.

use std::io::{self, Write};
use std::path::Path;

use codeweft_db::RootDb;
use codeweft_graph::export::{EdgeType, ExportOptions};

use crate::atomic::{folder_of, write_atomically, write_folder_atomically};
use crate::naming::Naming;

/// A format of an export.
#[derive(Clone, Copy, Debug)]
pub struct ExportFormat {
    /// The name on the command line.
    pub name: &'static str,
    /// The description for people.
    pub about: &'static str,
    /// The types of edges that are written unless others are named.
    pub edges: &'static [EdgeType],
    pub(crate) writer: Writer,
}

/// The function that writes a format.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Writer {
    /// Of the graph alone. The path is a folder for what has to be buffered.
    Graph(fn(&RootDb, &ExportOptions, usize, &Path, &mut dyn Write) -> io::Result<Exported>),
    /// Of the graph with names across repositories.
    Named(fn(&NamedInput<'_>, &mut dyn Write) -> io::Result<Exported>),
    /// The same, as the files of a folder, which exists and is empty.
    #[cfg_attr(not(feature = "parquet"), expect(dead_code))]
    Folder {
        write: fn(&NamedInput<'_>, &Path) -> io::Result<Exported>,
        /// The names of all files that it may write.
        files: &'static [&'static str],
    },
}

/// The graph, and what names its symbols across repositories.
pub(crate) struct NamedInput<'a> {
    pub(crate) db: &'a RootDb,
    pub(crate) options: &'a ExportOptions,
    pub(crate) threads: usize,
    pub(crate) naming: Naming<'a>,
}

/// The size of an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exported {
    /// The number of nodes.
    pub nodes: u64,
    /// The number of edges.
    pub edges: u64,
    /// The number of uses of packages without source that are resolved by their name in the text; 0 in
    /// formats that do not have them.
    pub named_uses: u64,
    /// The number of calls of what such packages give that the text does not name.
    pub unnamed_uses: u64,
}

/// A format with what names symbols across repositories.
#[derive(Clone, Copy)]
pub struct NamedExport<'a> {
    format: ExportFormat,
    naming: Naming<'a>,
}

impl ExportFormat {
    /// Returns whether the format is a folder of files: only [`ExportFormat::write_file`] writes it.
    pub fn is_folder(&self) -> bool {
        matches!(self.writer, Writer::Folder { .. })
    }

    /// Returns the format with the metadata of packages. Without it, formats with monikers have import paths
    /// for packages and no versions.
    pub fn with_names(self, naming: Naming<'_>) -> NamedExport<'_> {
        NamedExport {
            format: self,
            naming,
        }
    }

    /// As [`NamedExport::write`], without the metadata of packages.
    ///
    /// # Errors
    /// As there.
    pub fn write(
        &self,
        db: &RootDb,
        options: &ExportOptions,
        threads: usize,
        folder: &Path,
        out: &mut dyn Write,
    ) -> io::Result<Exported> {
        let named = self.with_names(Naming::without_files());
        named.write(db, options, threads, folder, out)
    }

    /// As [`NamedExport::write_file`], without the metadata of packages.
    ///
    /// # Errors
    /// As there.
    pub fn write_file(
        &self,
        db: &RootDb,
        options: &ExportOptions,
        threads: usize,
        target: &Path,
    ) -> io::Result<Exported> {
        let named = self.with_names(Naming::without_files());
        named.write_file(db, options, threads, target)
    }
}

impl NamedExport<'_> {
    /// Writes the graph, on up to `threads` threads. Its order is fixed: packages by (language,
    /// name), nodes by id, edges by (from, type, to, location). What has to be buffered is kept in
    /// files in `folder`, not in memory.
    ///
    /// # Errors
    /// A file in `folder` or `out` could not be written, or the format is a folder of files.
    pub fn write(
        &self,
        db: &RootDb,
        options: &ExportOptions,
        threads: usize,
        folder: &Path,
        out: &mut dyn Write,
    ) -> io::Result<Exported> {
        match self.format.writer {
            Writer::Graph(write) => write(db, options, threads, folder, out),
            Writer::Named(write) => write(&self.input(db, options, threads), out),
            Writer::Folder { .. } => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("{} is a folder of files: name one", self.format.name),
            )),
        }
    }

    /// Writes the graph to a file, or to a folder of files, atomically: an existing one is replaced once the
    /// new one is complete.
    ///
    /// # Errors
    /// It could not be written, or a folder with other files has the name; what exists is then unchanged.
    pub fn write_file(
        &self,
        db: &RootDb,
        options: &ExportOptions,
        threads: usize,
        target: &Path,
    ) -> io::Result<Exported> {
        if let Writer::Folder { write, files } = self.format.writer {
            let input = self.input(db, options, threads);
            return write_folder_atomically(target, files, |folder| write(&input, folder));
        }
        let folder = folder_of(target).unwrap_or(Path::new("."));
        write_atomically(target, |out| self.write(db, options, threads, folder, out))
    }

    fn input<'a>(
        &'a self,
        db: &'a RootDb,
        options: &'a ExportOptions,
        threads: usize,
    ) -> NamedInput<'a> {
        NamedInput {
            db,
            options,
            threads,
            naming: self.naming,
        }
    }
}
