//! `code-graph.json`: one object with its counts first, then nodes and edges, one a line.

use std::io::{self, Write};
use std::path::Path;

use codeweft_db::RootDb;
use codeweft_graph::export::{ExportOptions, PackageRows, each_package};
use serde::Serialize;

use crate::atomic::{folder_of, write_atomically};
use crate::spool::Spool;
use crate::timestamp::generated_at;

/// Raised when a reader of an older file would misread the form.
const VERSION: &str = "1";

/// How much was exported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exported {
    /// Nodes.
    pub nodes: u64,
    /// Edges.
    pub edges: u64,
}

#[derive(Serialize)]
struct Metadata<'a> {
    version: &'a str,
    generated_at: &'a str,
    node_count: u64,
    edge_count: u64,
}

/// A list of JSON objects, one a line, that waits until its length is known.
struct JsonList {
    spool: Spool,
    length: u64,
}

impl JsonList {
    fn new(folder: &Path) -> io::Result<JsonList> {
        Ok(JsonList {
            spool: Spool::new(folder)?,
            length: 0,
        })
    }

    fn add(&mut self, row: &impl Serialize) -> io::Result<()> {
        let before: &[u8] = if self.length == 0 { b"\n" } else { b",\n" };
        self.spool.write_all(before)?;
        serde_json::to_writer(&mut self.spool, row)?;
        self.length += 1;
        Ok(())
    }
}

/// Writes the graph. Its order is fixed: packages by (language, name), nodes by id, edges by
/// (from, type, to, place). What waits is kept in `folder`, not in memory.
pub fn export_json(
    db: &RootDb,
    options: &ExportOptions,
    threads: usize,
    folder: &Path,
    out: &mut dyn Write,
) -> io::Result<Exported> {
    let mut nodes = JsonList::new(folder)?;
    let mut edges = JsonList::new(folder)?;
    let mut result = Ok(());
    each_package(db, options, threads, &mut |package: PackageRows| {
        if result.is_ok() {
            result = add(&package, &mut nodes, &mut edges);
        }
    });
    result?;
    let metadata = Metadata {
        version: VERSION,
        generated_at: &generated_at(),
        node_count: nodes.length,
        edge_count: edges.length,
    };
    out.write_all(b"{\"_metadata\":")?;
    serde_json::to_writer(&mut *out, &metadata)?;
    out.write_all(b",\n\"nodes\":[")?;
    nodes.spool.copy_to(out)?;
    out.write_all(b"\n],\n\"edges\":[")?;
    edges.spool.copy_to(out)?;
    out.write_all(b"\n]}\n")?;
    out.flush()?;
    Ok(Exported {
        nodes: nodes.length,
        edges: edges.length,
    })
}

/// Writes the graph to a file that is there whole or not at all.
pub fn export_json_file(
    db: &RootDb,
    options: &ExportOptions,
    threads: usize,
    target: &Path,
) -> io::Result<Exported> {
    let folder = folder_of(target).unwrap_or(Path::new("."));
    write_atomically(target, |out| export_json(db, options, threads, folder, out))
}

fn add(package: &PackageRows, nodes: &mut JsonList, edges: &mut JsonList) -> io::Result<()> {
    package.nodes.iter().try_for_each(|node| nodes.add(node))?;
    package.edges.iter().try_for_each(|edge| edges.add(edge))
}
