//! The JSON export, `code-graph.json`: one object with its counts first, then nodes and edges, one
//! a line.

use std::io::{self, Write};
use std::path::Path;

use codeweft_db::RootDb;
use codeweft_graph::export::{EdgeType, ExportOptions, PackageRows, each_package};
use serde::Serialize;

use crate::format::{ExportFormat, Exported, Writer};
use crate::spool::Spool;
use crate::timestamp::generated_at;

/// The name on the command line.
const NAME: &str = "json";

/// The format.
pub(super) const FORMAT: ExportFormat = ExportFormat {
    name: NAME,
    about: "One object: _metadata, nodes and edges, one a line",
    edges: DEFAULT_EDGES,
    writer: Writer::Graph(write),
};

/// All but references, which are most of the bytes.
const DEFAULT_EDGES: &[EdgeType] = &[
    EdgeType::Calls,
    EdgeType::Embeds,
    EdgeType::Implements,
    EdgeType::Imports,
];

/// The version of the format; raised when a reader of older files would misread it.
const VERSION: &str = "1";

#[derive(Serialize)]
struct Metadata<'a> {
    version: &'a str,
    generated_at: &'a str,
    node_count: u64,
    edge_count: u64,
}

/// A list of JSON objects, one a line, spooled until its length is known.
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

/// As [`ExportFormat::write`]. The lists are spooled, because their lengths come first.
fn write(
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
        ..Exported::default()
    })
}

fn add(package: &PackageRows, nodes: &mut JsonList, edges: &mut JsonList) -> io::Result<()> {
    package.nodes.iter().try_for_each(|node| nodes.add(node))?;
    package.edges.iter().try_for_each(|edge| edges.add(edge))
}
