//! The Parquet export: a folder of tables, so that those of many repositories are one table in an engine.
//!
//! ```text
//! nodes.parquet       a row for each symbol, its moniker, and the key that equal symbols have
//! edges.parquet       calls, embeds, implements and imports, by keys
//! references.parquet  the other uses, by keys
//! files.parquet       the files of the workspace
//! aliases.parquet     names that mean what another module declares, by keys
//! ```

use std::fs::File;
use std::io;
use std::path::Path;

use codeweft_db::Lang;
use codeweft_graph::export::{EdgeType, each_file};
use parquet::errors::ParquetError;

use crate::columns::{Table, written_by};
use crate::format::{ExportFormat, Exported, NamedInput, Writer};
use crate::monikers::{Moniker, NamedEdge, NamedGraph, NamedSymbol};

/// The format.
pub(super) const FORMAT: ExportFormat = ExportFormat {
    name: "parquet",
    about: "A folder of tables, keyed by names that hold across repositories, for DuckDB, Spark, …",
    edges: &EdgeType::ALL,
    writer: Writer::Folder {
        write,
        files: &[NODES, EDGES, REFERENCES, FILES, ALIASES],
    },
};

const NODES: &str = "nodes.parquet";
const EDGES: &str = "edges.parquet";
const REFERENCES: &str = "references.parquet";
const FILES: &str = "files.parquet";
const ALIASES: &str = "aliases.parquet";

fn write(input: &NamedInput<'_>, folder: &Path) -> io::Result<Exported> {
    let graph = NamedGraph::gather(input.db, input.options, input.threads, &input.naming);
    let about = written_by(&[
        ("named_uses_of_absent_packages", graph.named_uses),
        ("unnamed_uses_of_absent_packages", graph.unnamed_uses),
    ]);
    let save = |name: &str, table: Table| -> io::Result<()> {
        let file = File::create_new(folder.join(name))?;
        table.write(file, &about).map_err(io_error)
    };
    save(NODES, nodes(&graph))?;
    let is_reference = |edge: &&NamedEdge| edge.edge_type == EdgeType::References;
    let all = || graph.edges.iter();
    save(
        EDGES,
        edges(&graph, all().filter(|edge| !is_reference(edge))),
    )?;
    save(REFERENCES, edges(&graph, all().filter(is_reference)))?;
    save(FILES, files(input))?;
    save(ALIASES, aliases(&graph.aliases))?;
    Ok(Exported {
        nodes: graph.symbols.len() as u64,
        edges: graph.edges.len() as u64,
        named_uses: graph.named_uses,
        unnamed_uses: graph.unnamed_uses,
    })
}

fn nodes(graph: &NamedGraph) -> Table {
    let mut named: Vec<&NamedSymbol> = graph.symbols.iter().filter(|one| one.is_named()).collect();
    named.sort_by(|one, other| (one.lang, &one.node.id).cmp(&(other.lang, &other.node.id)));
    let mut table = Table::new("nodes", named.len());
    table.int64("key", named.iter().map(|one| one.moniker.key()));
    table.text("manager", named.iter().map(|one| &*one.moniker.manager));
    table.text("package", named.iter().map(|one| &*one.moniker.package));
    table.text("version", named.iter().map(|one| &*one.moniker.version));
    table.text(
        "descriptor",
        named.iter().map(|one| &*one.moniker.descriptor),
    );
    table.text("id", named.iter().map(|one| &*one.node.id));
    table.text("kind", named.iter().map(|one| &*one.node.kind));
    table.text("name", named.iter().map(|one| &*one.node.name));
    table.text(
        "language",
        named.iter().map(|one| one.lang.map_or("", Lang::wire_name)),
    );
    table.text("visibility", named.iter().map(|one| &*one.node.visibility));
    table.flag("external", named.iter().map(|one| one.node.external));
    table.flag("test", named.iter().map(|one| one.test));
    table.text("file", named.iter().map(|one| &*one.node.file));
    table.int32("start_line", named.iter().map(|one| one.node.start_line));
    table.int32("end_line", named.iter().map(|one| one.node.end_line));
    table.int32("name_line", named.iter().map(|one| one.node.name_line));
    table.int32("name_column", named.iter().map(|one| one.node.name_column));
    table.text(
        "signature",
        named
            .iter()
            .map(|one| one.signature.as_deref().unwrap_or_default()),
    );
    table
}

fn edges<'g>(graph: &'g NamedGraph, edges: impl Iterator<Item = &'g NamedEdge>) -> Table {
    let symbol = |number: u32| {
        graph
            .symbols
            .get(number as usize)
            .filter(|one| one.is_named())
    };
    let rows: Vec<(&NamedSymbol, &NamedSymbol, &NamedEdge)> = edges
        .filter_map(|edge| Some((symbol(edge.from)?, symbol(edge.to)?, edge)))
        .collect();
    let mut table = Table::new("edges", rows.len());
    table.int64("from_key", rows.iter().map(|(from, ..)| from.moniker.key()));
    table.int64("to_key", rows.iter().map(|(_, to, _)| to.moniker.key()));
    table.text("type", rows.iter().map(|row| row.2.edge_type.wire_name()));
    table.text("resolution", rows.iter().map(|row| row.2.resolution));
    table.text("kind", rows.iter().map(|row| row.2.kind.name()));
    table.text("receiver", rows.iter().map(|row| row.2.receiver));
    table.text(
        "package",
        rows.iter().map(|(from, ..)| &*from.moniker.package),
    );
    let location = |row: &(&NamedSymbol, &NamedSymbol, &'g NamedEdge)| row.2.location.as_ref();
    table.text(
        "file",
        rows.iter()
            .map(|row| location(row).map_or("", |location| &*location.file)),
    );
    table.int32(
        "line",
        rows.iter()
            .map(|row| location(row).map_or(0, |location| location.line)),
    );
    table.int32(
        "column",
        rows.iter()
            .map(|row| location(row).map_or(0, |location| location.column)),
    );
    table.flag("test", rows.iter().map(|row| row.2.test));
    table.flag("in_literal", rows.iter().map(|row| row.2.in_literal));
    table
}

fn files(input: &NamedInput<'_>) -> Table {
    let mut rows = Vec::new();
    each_file(input.db, input.threads, &mut |mut file| {
        let bytes = u32::try_from(file.text.len()).unwrap_or(u32::MAX);
        // Texts are not exported, and those of all files at once are many bytes.
        file.text = "".into();
        rows.push((file, bytes));
    });
    let mut table = Table::new("files", rows.len());
    table.text("path", rows.iter().map(|(file, _)| &*file.path));
    table.text(
        "language",
        rows.iter().map(|(file, _)| file.lang.wire_name()),
    );
    table.text("package_id", rows.iter().map(|(file, _)| &*file.package));
    table.flag("test", rows.iter().map(|(file, _)| file.test));
    table.flag("built", rows.iter().map(|(file, _)| file.built));
    table.int32("bytes", rows.iter().map(|(_, bytes)| *bytes));
    table.int32("lines", rows.iter().map(|(file, _)| file.lines.total));
    table.int32("code_lines", rows.iter().map(|(file, _)| file.lines.code));
    table.int32(
        "comment_lines",
        rows.iter().map(|(file, _)| file.lines.comment),
    );
    table.int32("blank_lines", rows.iter().map(|(file, _)| file.lines.blank));
    table
}

fn aliases(aliases: &[(Moniker, Moniker)]) -> Table {
    let mut table = Table::new("aliases", aliases.len());
    table.int64("alias_key", aliases.iter().map(|(alias, _)| alias.key()));
    table.int64("key", aliases.iter().map(|(_, target)| target.key()));
    table.text("manager", aliases.iter().map(|(alias, _)| &*alias.manager));
    table.text("package", aliases.iter().map(|(alias, _)| &*alias.package));
    table.text("version", aliases.iter().map(|(alias, _)| &*alias.version));
    table.text(
        "descriptor",
        aliases.iter().map(|(alias, _)| &*alias.descriptor),
    );
    table
}

fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}
