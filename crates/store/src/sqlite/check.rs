//! The check of a file: what is wrong with it, found without changing it.

use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _};

use super::{SCHEMA_VERSION, SqlError, content};

/// The maximum number of problems that are reported.
const MAX_PROBLEMS: usize = 20;

/// The findings about a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileCheck {
    /// The version of its schema.
    pub schema: String,
    /// The number of files with a text.
    pub texts: i64,
    /// The number of declarations.
    pub symbols: i64,
    /// What is wrong, the first problems; none if nothing is.
    pub problems: Vec<String>,
}

/// Numbers that lead to no row: words for them, and the statement that counts them.
const LINKS: [(&str, &str); 6] = [
    (
        "uses have no owner",
        "SELECT count(*) FROM uses WHERE owner NOT IN (SELECT sid FROM symbol_rows)",
    ),
    (
        "uses have no target",
        "SELECT count(*) FROM uses WHERE target NOT IN (SELECT sid FROM symbol_rows)",
    ),
    (
        "users have no use",
        "SELECT count(*) FROM users x WHERE NOT EXISTS (SELECT 1 FROM uses u
            WHERE u.owner = x.owner AND u.target = x.target AND u.kind = x.kind)",
    ),
    (
        "sites of calls have no set",
        "SELECT count(*) FROM run_sites WHERE set_id NOT IN (SELECT set_id FROM run_sets)",
    ),
    (
        "declarations have no file",
        "SELECT count(*) FROM symbol_rows WHERE file_id NOT IN (SELECT file_id FROM files)",
    ),
    (
        "texts have no file",
        "SELECT count(*) FROM file_text WHERE file_id NOT IN (SELECT file_id FROM files)",
    ),
];

/// Checks a file: its header and its schema; `deep`: also every page, index and word of the full-text index, the hash of
/// every text, and that every number leads to a row. The latter reads the whole file.
///
/// # Errors
/// The file is not there, may not be read, is no database of this schema, or so damaged that its schema cannot be read.
pub fn check_file(path: &Path, deep: bool) -> Result<FileCheck, SqlError> {
    std::fs::File::open(path).map_err(|error| SqlError::Unreadable {
        path: path.to_owned(),
        words: error.to_string(),
    })?;
    let foreign = |words: String| SqlError::Foreign {
        path: path.to_owned(),
        words,
    };
    let (connection, schema) = opened(path).map_err(|error| match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt) => SqlError::Broken(error.to_string()),
        _ => foreign(error.to_string()),
    })?;
    if schema != SCHEMA_VERSION {
        return Err(foreign(format!("its schema is {schema}")));
    }
    let mut check = FileCheck {
        schema,
        ..FileCheck::default()
    };
    if let Err(error) = look(&connection, deep, &mut check) {
        check.add(error.to_string());
    }
    Ok(check)
}

fn opened(path: &Path) -> rusqlite::Result<(Connection, String)> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.execute_batch("PRAGMA query_only = ON")?;
    content::define(&connection)?;
    let version = "SELECT value FROM cache_metadata WHERE key = 'schema_version'";
    let schema: Option<String> = connection
        .query_row(version, [], |row| row.get(0))
        .optional()?;
    Ok((
        connection,
        schema.unwrap_or_else(|| "not written".to_owned()),
    ))
}

impl FileCheck {
    fn add(&mut self, problem: String) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }
}

fn look(connection: &Connection, deep: bool, check: &mut FileCheck) -> rusqlite::Result<()> {
    let count = |statement: &str| connection.query_row(statement, [], |row| row.get::<_, i64>(0));
    check.texts = count("SELECT count(*) FROM file_text WHERE z IS NOT NULL")?;
    check.symbols = count("SELECT count(*) FROM symbol_rows WHERE kind > 0")?;
    if !deep {
        return Ok(());
    }
    let statement = format!("PRAGMA integrity_check({MAX_PROBLEMS})");
    let mut pages = connection.prepare(&statement)?;
    let mut lines = pages.query([])?;
    while let Some(line) = lines.next()? {
        let words: String = line.get(0)?;
        if words != "ok" {
            check.add(words);
        }
    }
    for (words, statement) in LINKS {
        match count(statement)? {
            0 => {}
            found => check.add(format!("{found} {words}")),
        }
    }
    texts(connection, check)
}

/// Compares each text with the hash and the size that are written beside it.
fn texts(connection: &Connection, check: &mut FileCheck) -> rusqlite::Result<()> {
    let mut texts = connection.prepare(
        "SELECT t.file_path, t.z, t.size, f.file_hash FROM file_text t JOIN files f ON f.file_id = t.file_id
         WHERE t.z IS NOT NULL ORDER BY t.file_path",
    )?;
    let mut rows = texts.query([])?;
    while let Some(row) = rows.next()? {
        let path: String = row.get(0)?;
        let packed: Vec<u8> = row.get(1)?;
        let size = usize::try_from(row.get::<_, i64>(2)?).unwrap_or(packed.len());
        let hash: Option<String> = row.get(3)?;
        match content::uncompressed(&packed, size) {
            Err(error) => check.add(format!("{path}: {error}")),
            Ok(text) => {
                let own = blake3::hash(&text).to_hex();
                if hash.as_deref() != Some(own.as_str()) {
                    check.add(format!(
                        "{path}: the text has another hash than is written beside it"
                    ));
                }
            }
        }
    }
    Ok(())
}
