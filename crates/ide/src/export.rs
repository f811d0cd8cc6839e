//! Exports of the whole graph.

use std::io::{self, Write};
use std::path::Path;

use codeweft_graph::export::each_package;
pub use codeweft_graph::export::{EdgeRow, Location, PackageRows};
pub use codeweft_store::{EdgeType, Exported};
use codeweft_store::{ExportOptions, export_json, export_json_file};

use crate::ProjectDatabase;

impl ProjectDatabase {
    /// Writes the graph with these edges to a file, as JSON; the file is there whole or not at
    /// all.
    pub fn export_json_file(&self, edges: &[EdgeType], target: &Path) -> io::Result<Exported> {
        export_json_file(self.db(), &options(edges), self.threads(), target)
    }

    /// Writes the graph with these edges as JSON.
    pub fn export_json(&self, edges: &[EdgeType], out: &mut dyn Write) -> io::Result<Exported> {
        let folder = std::env::temp_dir();
        export_json(self.db(), &options(edges), self.threads(), &folder, out)
    }

    /// Visits every package with its nodes and these edges; of calls not what an interface call may
    /// run.
    pub fn each_package(&self, edges: &[EdgeType], visit: &mut dyn FnMut(PackageRows)) {
        let options = ExportOptions {
            dispatch: false,
            ..options(edges)
        };
        each_package(self.db(), &options, self.threads(), visit);
    }
}

fn options(edges: &[EdgeType]) -> ExportOptions {
    let mut edges = edges.to_vec();
    edges.sort();
    edges.dedup();
    ExportOptions {
        edges,
        ..ExportOptions::default()
    }
}
