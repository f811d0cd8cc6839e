//! Questions in SQL to a file of the export: one statement, that only reads, within bounds.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, ErrorCode, OpenFlags};

use super::{SCHEMA_VERSION, content};

/// The maximum length of a statement, in bytes.
const MAX_STATEMENT: i32 = 1 << 20;

/// The maximum length of a value, in bytes: larger than any source text, smaller than what a function can be made
/// to return.
const MAX_VALUE: i32 = 64 << 20;

/// The maximum size of an answer, in bytes; it is cut before the row that would exceed it.
const MAX_ANSWER: usize = 256 << 20;

/// The number of steps of SQLite's machine between two looks at the clock, some tens of microseconds.
const STEPS: i32 = 10_000;

/// The bounds of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SqlBounds {
    /// The maximum number of rows; the answer says whether there are more.
    pub rows: usize,
    /// The maximum time.
    pub time: Duration,
}

/// A value of a row.
#[derive(Clone, PartialEq, Debug)]
pub enum SqlValue {
    /// No value.
    Null,
    /// A number without a fraction.
    Integer(i64),
    /// A number with a fraction.
    Real(f64),
    /// A text; bytes of it that are no UTF-8 are replaced.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
}

/// The answer to a statement.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SqlAnswer {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, in the statement's order.
    pub rows: Vec<Vec<SqlValue>>,
    /// Whether there are more rows than the bounds allow.
    pub truncated: bool,
}

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum SqlError {
    /// The file is not there, or may not be read.
    #[error("{path} cannot be opened: {words}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        words: String,
    },
    /// The file is no database of this schema.
    #[error(
        "{path} is no database of the schema {SCHEMA_VERSION}: {words}; codeweft export --format sqlite writes one"
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What was found.
        words: String,
    },
    /// The statement could change something, or leaves the file.
    #[error("only one statement that reads is run, SELECT or WITH: {0}")]
    Refused(String),
    /// The statement is wrong.
    #[error("{0}")]
    Wrong(String),
    /// The time is over.
    #[error("the statement took longer than {0:?}; a WHERE or LIMIT makes it shorter")]
    TooLong(Duration),
    /// The file could not be read further.
    #[error("the database could not be read: {0}")]
    Broken(String),
}

/// A file of the SQLite export, open for reading.
pub struct SqlFile {
    connection: Connection,
    /// Set when the authorizer refuses a part of a statement.
    refused: Arc<AtomicBool>,
    /// Whether a transaction may be begun: by the program itself, never by a statement of a user.
    may_begin: Arc<AtomicBool>,
}

impl SqlFile {
    /// Opens a file.
    ///
    /// # Errors
    /// It cannot be read, or is no database of this schema.
    pub fn open(path: &Path) -> Result<SqlFile, SqlError> {
        // Looked at first, for the system's own words.
        std::fs::File::open(path).map_err(|error| SqlError::Unreadable {
            path: path.to_owned(),
            words: error.to_string(),
        })?;
        let foreign = |words: String| SqlError::Foreign {
            path: path.to_owned(),
            words,
        };
        let opened = guarded(path).map_err(|error| foreign(error.to_string()))?;
        let version: Result<String, Error> = opened.connection.query_row(
            "SELECT value FROM cache_metadata WHERE key = 'schema_version'",
            [],
            |row| row.get(0),
        );
        match version {
            Ok(version) if version == SCHEMA_VERSION => Ok(opened),
            Ok(version) => Err(foreign(format!("its schema is {version}"))),
            Err(error) => Err(foreign(error.to_string())),
        }
    }

    /// Runs a statement that only reads.
    ///
    /// # Errors
    /// The statement is wrong, is refused, or takes too long; the file is damaged.
    pub fn query(&mut self, statement: &str, bounds: SqlBounds) -> Result<SqlAnswer, SqlError> {
        self.refused.store(false, Ordering::Relaxed);
        let end = Instant::now().checked_add(bounds.time);
        let is_over = move || end.is_some_and(|end| Instant::now() >= end);
        self.connection
            .progress_handler(STEPS, Some(is_over))
            .map_err(|error| SqlError::Broken(error.to_string()))?;
        self.rows(statement, bounds.rows)
            .map_err(|error| self.error_of(error, bounds))
    }

    /// Runs statements of the program itself in one transaction that reads, for at most `time`.
    ///
    /// # Errors
    /// The transaction cannot be begun or ended.
    pub(crate) fn in_transaction<T>(
        &mut self,
        time: Duration,
        work: impl FnOnce(&Connection) -> T,
    ) -> Result<T, Error> {
        let end = Instant::now().checked_add(time);
        let is_over = move || end.is_some_and(|end| Instant::now() >= end);
        self.connection.progress_handler(STEPS, Some(is_over))?;
        self.may_begin.store(true, Ordering::Relaxed);
        self.connection.execute_batch("BEGIN")?;
        let done = work(&self.connection);
        self.connection.progress_handler(0, None::<fn() -> bool>)?;
        self.connection.execute_batch("ROLLBACK")?;
        self.may_begin.store(false, Ordering::Relaxed);
        Ok(done)
    }

    fn rows(&self, statement: &str, most: usize) -> Result<SqlAnswer, Error> {
        let mut prepared = self.connection.prepare(statement)?;
        if !prepared.readonly() {
            return Err(Error::InvalidQuery);
        }
        let columns = prepared.column_names();
        let mut answer = SqlAnswer {
            columns: columns.into_iter().map(str::to_owned).collect(),
            ..SqlAnswer::default()
        };
        let mut size = 0;
        let mut rows = prepared.query([])?;
        while let Some(row) = rows.next()? {
            let cells = 0..answer.columns.len();
            let cells: Vec<SqlValue> = cells
                .map(|at| row.get_ref(at).map(value))
                .collect::<Result<_, _>>()?;
            size += cells.iter().map(size_of_value).sum::<usize>();
            if answer.rows.len() == most || size > MAX_ANSWER {
                answer.truncated = true;
                break;
            }
            answer.rows.push(cells);
        }
        Ok(answer)
    }

    fn error_of(&self, error: Error, bounds: SqlBounds) -> SqlError {
        let words = error.to_string();
        if self.refused.load(Ordering::Relaxed) {
            return SqlError::Refused(words);
        }
        match (&error, error.sqlite_error_code()) {
            (Error::MultipleStatement | Error::InvalidQuery, _) => SqlError::Refused(words),
            (_, Some(ErrorCode::OperationInterrupted)) => SqlError::TooLong(bounds.time),
            (_, Some(ErrorCode::ReadOnly | ErrorCode::AuthorizationForStatementDenied)) => {
                SqlError::Refused(words)
            }
            (
                _,
                Some(
                    ErrorCode::DatabaseCorrupt
                    | ErrorCode::NotADatabase
                    | ErrorCode::SystemIoFailure
                    | ErrorCode::DatabaseBusy
                    | ErrorCode::DatabaseLocked,
                ),
            ) => SqlError::Broken(words),
            _ => SqlError::Wrong(words),
        }
    }
}

/// Opens a file so that no statement can write, attach another file or load code.
fn guarded(path: &Path) -> Result<SqlFile, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    // The views and triggers of a foreign file may call only functions that do no harm.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, MAX_STATEMENT)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.execute_batch("PRAGMA query_only = ON; PRAGMA mmap_size = 0")?;
    content::define(&connection)?;
    let refused = Arc::new(AtomicBool::new(false));
    let may_begin = Arc::new(AtomicBool::new(false));
    let (noted, own) = (refused.clone(), may_begin.clone());
    connection.authorizer(Some(move |context: AuthContext<'_>| {
        let is_transaction = matches!(context.action, AuthAction::Transaction { .. });
        if may_run(&context.action) || is_transaction && own.load(Ordering::Relaxed) {
            Authorization::Allow
        } else {
            noted.store(true, Ordering::Relaxed);
            Authorization::Deny
        }
    }))?;
    Ok(SqlFile {
        connection,
        refused,
        may_begin,
    })
}

/// Returns whether a part of a statement only reads this file.
fn may_run(action: &AuthAction<'_>) -> bool {
    match action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => true,
        AuthAction::Function { function_name } => *function_name != "load_extension",
        // The full-text index reads it before each of its own reads.
        AuthAction::Pragma {
            pragma_name: "data_version",
            pragma_value: None,
        } => true,
        _ => false,
    }
}

fn value(cell: ValueRef<'_>) -> SqlValue {
    match cell {
        ValueRef::Null => SqlValue::Null,
        ValueRef::Integer(number) => SqlValue::Integer(number),
        ValueRef::Real(number) => SqlValue::Real(number),
        ValueRef::Text(text) => SqlValue::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => SqlValue::Blob(bytes.to_vec()),
    }
}

fn size_of_value(value: &SqlValue) -> usize {
    let bytes = match value {
        SqlValue::Text(text) => text.len(),
        SqlValue::Blob(bytes) => bytes.len(),
        _ => 0,
    };
    bytes + size_of::<SqlValue>()
}
