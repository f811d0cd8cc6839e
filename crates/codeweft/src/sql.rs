//! `codeweft sql`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use codeweft_server::ControlRequest;
use codeweft_store::{SqlAnswer, SqlBounds, SqlError, SqlFile, SqlValue};
use codeweft_workspace::settings::Settings;
use serde_json::{Map, Value};

use crate::arguments::Root;
use crate::output::{print, print_error};
use crate::{connection, workspace};

/// `codeweft sql`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  codeweft export --format sqlite --output graph.db
  codeweft sql --db graph.db \"SELECT caller_function_id, file_path, line FROM function_calls
    WHERE callee_function_id = 'store.Open'\"
  codeweft sql --db graph.db \"SELECT name, sql FROM sqlite_schema WHERE type = 'view'\"

The file is only read: what writes, attaches another file or sets anything is refused.

Exit codes: 0 rows, 1 no row, 2 wrong use (also: a statement that is wrong or refused, no such file),
3 the time is over, or the file could not be read.")]
pub struct Sql {
    /// The statement: SELECT or WITH
    #[arg(value_name = "SQL")]
    pub statement: String,
    /// The file that codeweft export --format sqlite has written. Without it: the store of the workspace,
    /// which codeweft serve keeps
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// Which workspace.
    #[command(flatten)]
    pub root: Root,
    /// The form of the rows
    #[arg(long, value_enum, default_value_t = RowFormat::Table)]
    pub format: RowFormat,
    /// The number of rows listed
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub max_rows: usize,
    /// The seconds after which the statement is ended
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub timeout: u64,
}

/// The form of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum RowFormat {
    /// Columns for people
    Table,
    /// An object a row, one a line
    Json,
    /// RFC 4180
    Csv,
}

/// The exit code if the statement has no row.
const NO_ROW: u8 = 1;

/// The exit code of a statement or file that is wrong.
const WRONG: u8 = 2;

/// The exit code if the file could not be read.
const BROKEN: u8 = 3;

/// Runs a statement on a file; returns the exit code.
pub fn run(sql: &Sql) -> u8 {
    let bounds = SqlBounds {
        rows: sql.max_rows,
        time: Duration::from_secs(sql.timeout),
    };
    let path = match &sql.db {
        Some(path) => path.clone(),
        None => match own_store(&sql.root) {
            Ok(path) => path,
            Err(code) => return code,
        },
    };
    let answer = SqlFile::open(&path).and_then(|mut file| file.query(&sql.statement, bounds));
    match answer {
        Ok(answer) => {
            if answer.truncated {
                print_error(&format!(
                    "the first {} rows; --max-rows lists more",
                    answer.rows.len()
                ));
            }
            let code = if answer.rows.is_empty() { NO_ROW } else { 0 };
            print(&printed(&answer, sql.format), code)
        }
        Err(error) => {
            print_error(&error.to_string());
            match error {
                SqlError::TooLong(_) | SqlError::Broken(_) => BROKEN,
                _ => WRONG,
            }
        }
    }
}

/// Returns the store of a workspace, and says on standard error how far it is behind. Prints the error and returns the
/// exit code if there is none.
fn own_store(wanted: &Root) -> Result<PathBuf, u8> {
    let root = workspace::find(wanted)?;
    let wrong = |words: String| {
        print_error(&words);
        WRONG
    };
    let settings = Settings::find(&root, &BTreeMap::new(), None);
    let store = settings.and_then(|settings| settings.store(&root));
    let path = store
        .map_err(|error| wrong(error.to_string()))?
        .unwrap_or_default();
    if !path.is_file() {
        let words = format!(
            "there is no store of {root}: codeweft serve keeps one, unless codeweft.toml says otherwise; \
             codeweft export --format sqlite --output FILE writes one for --db"
        );
        return Err(wrong(words));
    }
    if let Some(words) = lag(&root, &path) {
        print_error(&words);
    }
    Ok(path)
}

/// Returns how far a store is behind the workspace, if it is.
fn lag(root: &str, path: &Path) -> Option<String> {
    const LEVEL: &str = "SELECT (SELECT value FROM cache_metadata WHERE key = 'revision'),
        (SELECT value FROM cache_metadata WHERE key = 'dispatch_revision'),
        (SELECT value FROM cache_metadata WHERE key = 'partial') = '1',
        (SELECT updated_at FROM cache_metadata WHERE key = 'revision')";
    let bounds = SqlBounds {
        rows: 1,
        time: Duration::from_secs(5),
    };
    let answer = SqlFile::open(path).ok()?.query(LEVEL, bounds).ok()?;
    let row = answer.rows.first()?;
    let cell = |at: usize| row.get(at).map(words).unwrap_or_default();
    let (revision, sets, time) = (cell(0), cell(1), cell(3));
    let is_partial = row.get(2) == Some(&SqlValue::Integer(1));
    let Ok((mut ctl, _)) = connection::ctl(root) else {
        let of = if is_partial {
            "a part of the workspace"
        } else {
            "the workspace"
        };
        return Some(format!(
            "no server runs: the store has {of} as it was at {time}"
        ));
    };
    let figures = ctl.figures(&ControlRequest::Stats).ok()?;
    let lag = figures["store"]["lag_ms"].as_u64();
    match lag {
        Some(0) => None,
        None => Some(format!("the server keeps no store: it is of {time}")),
        Some(_) if is_partial => {
            Some("the store is still being written: rows are missing".to_owned())
        }
        Some(lag) => Some(format!(
            "the store is {lag} ms behind: it has revision {revision}, and of dispatch and value calls {sets}; \
             the workspace is at {}",
            figures["revision"]
        )),
    }
}

fn printed(answer: &SqlAnswer, format: RowFormat) -> String {
    match format {
        RowFormat::Table => table(answer),
        RowFormat::Json => json(answer),
        RowFormat::Csv => csv(answer),
    }
}

/// Returns the rows in columns, with a line of the columns' names.
fn table(answer: &SqlAnswer) -> String {
    let mut lines = vec![answer.columns.clone()];
    for row in &answer.rows {
        let cells = row
            .iter()
            .map(|cell| words(cell).replace(['\n', '\r', '\t'], " "));
        lines.push(cells.collect());
    }
    let width = |cell: &String| cell.chars().count();
    let widths: Vec<usize> = (0..answer.columns.len())
        .map(|at| {
            lines
                .iter()
                .filter_map(|line| line.get(at))
                .map(width)
                .max()
        })
        .map(Option::unwrap_or_default)
        .collect();
    let mut text = String::new();
    for line in &lines {
        let cells = line.iter().zip(&widths);
        let cells: Vec<String> = cells
            .map(|(cell, &width)| format!("{cell:width$}"))
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// Returns an object a row, a line each.
fn json(answer: &SqlAnswer) -> String {
    let rows = answer.rows.iter().map(|row| {
        let cells = answer
            .columns
            .iter()
            .cloned()
            .zip(row.iter().map(|cell| match cell {
                SqlValue::Null => Value::Null,
                SqlValue::Integer(number) => Value::from(*number),
                SqlValue::Real(number) => Value::from(*number),
                SqlValue::Text(_) | SqlValue::Blob(_) => Value::from(words(cell)),
            }));
        Value::Object(cells.collect::<Map<_, _>>()).to_string() + "\n"
    });
    rows.collect()
}

/// Returns the rows with a line of the columns' names (RFC 4180).
fn csv(answer: &SqlAnswer) -> String {
    let quoted = |cell: String| {
        if cell.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell
        }
    };
    let names = answer.columns.iter().cloned().map(quoted);
    let mut text = names.collect::<Vec<_>>().join(",") + "\r\n";
    for row in &answer.rows {
        let cells = row.iter().map(|cell| quoted(words(cell)));
        text.push_str(&cells.collect::<Vec<_>>().join(","));
        text.push_str("\r\n");
    }
    text
}

/// Returns a value as a text; bytes in hexadecimal, NULL as nothing.
fn words(cell: &SqlValue) -> String {
    match cell {
        SqlValue::Null => String::new(),
        SqlValue::Integer(number) => number.to_string(),
        SqlValue::Real(number) => number.to_string(),
        SqlValue::Text(text) => text.clone(),
        SqlValue::Blob(bytes) => bytes.iter().fold(String::new(), |mut text, byte| {
            // Writing to a string does not fail.
            let _ = write!(text, "{byte:02x}");
            text
        }),
    }
}
