//! Opening the file of the store: making it, migrating it, setting a damaged one aside.
//!
//! ```text
//! none                      made, mode 0600; a WAL that was left is removed
//! of this schema, whole     used
//! of another schema         copied to graph.db.backup.v2.0, then emptied in one transaction
//! no database, damaged      renamed to graph.db.damaged, and made anew
//! locked                    tried again, from 50 ms to 5 s
//! ```

use std::fs::{OpenOptions, create_dir_all, remove_file, rename};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, params};

use crate::sqlite::content;
use crate::sqlite::insert::write_codes;
use crate::sqlite::{PAGE_SIZE, SCHEMA_VERSION, create_tables};

/// The first pause while another process has the file locked.
const FIRST_PAUSE: Duration = Duration::from_millis(50);

/// The longest wait for a lock.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// The maximum size of a WAL that no reader needs, in bytes.
const JOURNAL_SIZE: i64 = 64 << 20;

/// The size of the page cache, in KiB.
const CACHE: i64 = 8 << 10;

/// The name of the folder that holds the state of a workspace.
const IGNORE: &str = ".gitignore";

/// An open file.
pub(crate) struct OpenStore {
    pub(crate) connection: Connection,
    /// See [`super::thread::Opened::inputs`].
    pub(crate) inputs: Option<String>,
    /// Whether its tables were made just now.
    pub(crate) is_new: bool,
    /// What was done to have it, for users.
    pub(crate) note: Option<String>,
}

/// Opens a store; makes it if there is none.
///
/// # Errors
/// The file is locked, the disk is full, the folder cannot be written to. What was there is then unchanged.
pub(crate) fn open(path: &Path) -> rusqlite::Result<OpenStore> {
    match open_whole(path) {
        Err(error) if is_damage(&error) => {
            let aside = set_aside(path).map_err(io_error)?;
            let mut opened = open_whole(path)?;
            opened.note = Some(format!(
                "{} was damaged ({error}): it is now {}, and is written anew",
                path.display(),
                aside.display()
            ));
            Ok(opened)
        }
        other => other,
    }
}

fn open_whole(path: &Path) -> rusqlite::Result<OpenStore> {
    make_file(path).map_err(io_error)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_handler(Some(wait_for_lock))?;
    connection.set_prepared_statement_cache_capacity(96);
    // Of a new file only.
    connection.pragma_update(None, "page_size", PAGE_SIZE)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "journal_size_limit", JOURNAL_SIZE)?;
    connection.pragma_update(None, "cache_size", -CACHE)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    // Its schema may be another program's, until it is compared.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    content::define(&connection)?;
    let check: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if check != "ok" {
        return Err(damaged(check));
    }
    let mut note = None;
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let version = if tables == 0 {
        None
    } else {
        Some(version(&connection)?)
    };
    let is_ours =
        version.as_deref() == Some(SCHEMA_VERSION) && schema(&connection)? == own_schema()?;
    if !is_ours {
        if let Some(version) = &version {
            let backup = back_up(&connection, path, version)?;
            note = Some(format!(
                "{} has another schema ({version}): it was copied to {}, and is written anew",
                path.display(),
                backup.display()
            ));
        }
        make_tables(&mut connection)?;
    }
    let inputs: Option<String> = connection
        .query_row(
            "SELECT value FROM cache_metadata WHERE key = 'inputs'",
            [],
            |row| row.get(0),
        )
        .optional()?;
    Ok(OpenStore {
        connection,
        inputs: inputs.filter(|inputs| !inputs.is_empty()),
        is_new: !is_ours,
        note,
    })
}

/// Returns the version of the schema; that of a database of another program is `0`.
fn version(connection: &Connection) -> rusqlite::Result<String> {
    let found = connection.query_row(
        "SELECT value FROM cache_metadata WHERE key = 'schema_version'",
        [],
        |row| row.get::<_, String>(0),
    );
    match found {
        Err(error) if is_damage(&error) => Err(error),
        Ok(version) if is_version(&version) => Ok(version),
        _ => Ok("0".to_owned()),
    }
}

/// Returns the statements that a database was made of.
fn schema(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut find =
        connection.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY sql")?;
    let found = find.query_map([], |row| row.get(0))?;
    found.collect()
}

/// Returns the statements that a store is made of.
fn own_schema() -> rusqlite::Result<Vec<String>> {
    let connection = Connection::open_in_memory()?;
    content::define(&connection)?;
    create_tables(&connection)?;
    schema(&connection)
}

/// Returns whether a version can be a part of a file's name.
fn is_version(version: &str) -> bool {
    let is_short = (1..=16).contains(&version.len());
    is_short
        && version
            .chars()
            .all(|one| one.is_ascii_alphanumeric() || one == '.')
}

/// Copies a database, with what is in its WAL, to `graph.db.backup.v2.0`, which appears whole.
fn back_up(connection: &Connection, path: &Path, version: &str) -> rusqlite::Result<PathBuf> {
    let backup = beside(path, &format!(".backup.v{version}"));
    let unfinished = beside(path, ".backup.unfinished");
    remove_if_there(&unfinished).map_err(io_error)?;
    let copied = (|| {
        connection.execute("VACUUM INTO ?", [unfinished.to_string_lossy()])?;
        OpenOptions::new()
            .write(true)
            .open(&unfinished)
            .and_then(|file| {
                restrict(&file)?;
                file.sync_all()
            })
            .and_then(|()| rename(&unfinished, &backup))
            .map_err(io_error)
    })();
    if copied.is_err() {
        // What was not finished is worth nothing.
        let _ = remove_if_there(&unfinished);
    }
    copied.map(|()| backup)
}

/// Drops everything and makes the tables, in one transaction.
fn make_tables(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    // A table goes with its indexes and triggers, a virtual one with its own tables.
    loop {
        let next: Option<(String, String)> = transaction
            .query_row(
                "SELECT type, name FROM sqlite_schema
                 WHERE type = 'view' OR type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'
                 ORDER BY type = 'table', sql NOT LIKE 'CREATE VIRTUAL%' LIMIT 1",
                [],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .optional()?;
        let Some((kind, name)) = next else {
            break;
        };
        let name = name.replace('"', "\"\"");
        transaction.execute_batch(&format!("DROP {kind} \"{name}\""))?;
    }
    create_tables(&transaction)?;
    let now = crate::timestamp::generated_at();
    let about = [
        ("schema_version", SCHEMA_VERSION.to_owned()),
        ("codeweft_version", env!("CARGO_PKG_VERSION").to_owned()),
        ("partial", "1".to_owned()),
    ];
    write_codes(&transaction, &about, &now)?;
    transaction.commit()
}

/// Makes an empty file that only its owner may read, unless there is one.
fn make_file(path: &Path) -> io::Result<()> {
    // A link would lead out of the workspace.
    let is_link = |path: &Path| {
        path.symlink_metadata()
            .is_ok_and(|found| found.is_symlink())
    };
    if is_link(path) || path.parent().is_some_and(is_link) {
        let words = format!("{} is a symbolic link, or in one", path.display());
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, words));
    }
    if let Some(folder) = path.parent() {
        let is_new = !folder.is_dir();
        create_dir_all(folder)?;
        if is_new {
            std::fs::write(folder.join(IGNORE), "*\n")?;
        }
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => {
            // Those of a file that was removed.
            remove_if_there(&beside(path, "-wal"))?;
            remove_if_there(&beside(path, "-shm"))
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

fn restrict(file: &std::fs::File) -> io::Result<()> {
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(())
}

/// Renames a database that cannot be used to `graph.db.damaged`, with its WAL.
pub(crate) fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let aside = beside(path, ".damaged");
    for end in ["-wal", "-shm"] {
        remove_if_there(&beside(&aside, end))?;
        let from = beside(path, end);
        match rename(&from, beside(&aside, end)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    rename(path, &aside)?;
    Ok(aside)
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Returns a path with something behind it.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Waits for a lock of another process: 50 ms, then twice as long each time; returns whether to try again.
fn wait_for_lock(tries: i32) -> bool {
    let tries = u32::try_from(tries).unwrap_or_default();
    let pause = FIRST_PAUSE * 2_u32.saturating_pow(tries.min(16));
    // The pauses so far sum up to one less than the next.
    if pause > LONGEST_WAIT + FIRST_PAUSE {
        return false;
    }
    sleep(pause.min(Duration::from_secs(2)));
    true
}

/// Returns whether an error means that the file itself is wrong.
pub(crate) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}

fn damaged(words: String) -> rusqlite::Error {
    let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
    rusqlite::Error::SqliteFailure(code, Some(words))
}

/// Returns an error of the system as one of SQLite.
fn io_error(error: io::Error) -> rusqlite::Error {
    let code = match error.kind() {
        io::ErrorKind::StorageFull => rusqlite::ffi::SQLITE_FULL,
        io::ErrorKind::PermissionDenied => rusqlite::ffi::SQLITE_PERM,
        _ => rusqlite::ffi::SQLITE_CANTOPEN,
    };
    let words = error.to_string();
    rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), Some(words))
}

/// Moves what is in the WAL to the file, as far as no reader needs it.
pub(crate) fn checkpoint(connection: &Connection) -> rusqlite::Result<()> {
    let mut statement = connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)")?;
    let _moved: i64 = statement.query_row(params![], |row| row.get(0))?;
    Ok(())
}

/// Writes the tables of a new file anew, in their order: rows that came file by file fill its pages by three quarters.
pub(crate) fn compact(connection: &Connection) -> rusqlite::Result<()> {
    // The copy is as large as the file.
    connection.pragma_update(None, "temp_store", "FILE")?;
    let compacted = connection.execute_batch("VACUUM");
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    compacted
}
