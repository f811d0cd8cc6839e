//! The SQLite export: the tables of [`crate::sqlite`] in one file.

use std::fs::{File, remove_file};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use codeweft_db::RootDb;
use codeweft_graph::export::{
    EdgeType, ExportOptions, each_detailed_package, each_file, library_units,
};
use codeweft_graph::languages;
use rusqlite::{Connection, ErrorCode};

use crate::format::{ExportFormat, Exported, Writer};
use crate::spool::temporary_path;
use crate::sqlite::{Gathered, HAS_OPEN_SITES, PAGE_SIZE, SCHEMA_VERSION, write_tables};
use crate::timestamp::generated_at;

/// The name on the command line.
const NAME: &str = "sqlite";

/// The format.
pub(super) const FORMAT: ExportFormat = ExportFormat {
    name: NAME,
    about: "A database: tables of symbols, uses and texts, a full-text index, and views for SQL",
    edges: &EdgeType::ALL,
    writer: Writer::Graph(write),
};

/// A database that is written beside the output and then copied to it; removed when dropped.
struct TemporaryDatabase(PathBuf);

impl Drop for TemporaryDatabase {
    fn drop(&mut self) {
        // A file that cannot be removed is left to the system.
        let _ = remove_file(&self.0);
    }
}

/// As [`ExportFormat::write`]. SQLite writes to a file of its own in `folder`, since it seeks.
fn write(
    db: &RootDb,
    options: &ExportOptions,
    threads: usize,
    folder: &Path,
    out: &mut dyn Write,
) -> io::Result<Exported> {
    let mut gathered = Gathered::default();
    let mut result = Ok(());
    let options = &ExportOptions {
        for_answers: true,
        ..options.clone()
    };
    each_detailed_package(db, options, threads, &mut |package| {
        if result.is_ok() {
            result = gathered.add(package);
        }
    });
    result?;
    let mut files = Vec::new();
    each_file(db, threads, &mut |file| files.push(file));
    let exported = Exported {
        nodes: gathered.nodes,
        edges: gathered.edges,
        ..Exported::default()
    };
    let configurations = languages::ALL.iter();
    let configurations: Vec<String> = configurations
        .map(|language| language.configuration(db))
        .filter(|configuration| !configuration.is_empty())
        .collect();
    let now = generated_at();
    let mut about: Vec<(&str, String)> = vec![
        ("schema_version", SCHEMA_VERSION.to_owned()),
        (HAS_OPEN_SITES, "1".to_owned()),
        ("codeweft_version", env!("CARGO_PKG_VERSION").to_owned()),
        ("configuration", configurations.join("; ")),
        ("node_count", exported.nodes.to_string()),
        ("edge_count", exported.edges.to_string()),
        ("generated_at", now.clone()),
        ("library_units", library_units(db).to_string()),
    ];
    let configured = languages::ALL.iter().map(|language| {
        let key = format!("configuration.{}", language.lang().wire_name());
        (key, language.configuration(db))
    });
    let configured: Vec<(String, String)> = configured.collect();
    let configured = configured.iter();
    about.extend(configured.map(|(key, words)| (key.as_str(), words.clone())));
    let temporary = TemporaryDatabase(temporary_path(folder));
    // Created here, so that a folder that cannot be written to is reported in the system's own words.
    File::create_new(&temporary.0)?;
    let written = (|| {
        let connection = Connection::open(&temporary.0)?;
        connection.pragma_update(None, "page_size", PAGE_SIZE)?;
        // The file is only used whole: nothing has to be rolled back, and it is synced as the copy.
        connection.execute_batch(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
             PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536; BEGIN",
        )?;
        write_tables(&connection, gathered, files, &about, &now)?;
        connection.execute_batch("COMMIT")?;
        connection.close().map_err(|(_, error)| error)
    })();
    written.map_err(io_error)?;
    io::copy(&mut File::open(&temporary.0)?, out)?;
    out.flush()?;
    Ok(exported)
}

/// Returns an error of SQLite as one of the file that it could not write.
fn io_error(error: rusqlite::Error) -> io::Error {
    let kind = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => io::ErrorKind::StorageFull,
        Some(ErrorCode::PermissionDenied | ErrorCode::ReadOnly) => io::ErrorKind::PermissionDenied,
        _ => io::ErrorKind::Other,
    };
    io::Error::new(kind, error)
}
