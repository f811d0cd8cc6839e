//! Statements that are run, refused and ended.

use std::time::Duration;

use codeweft_store::{EdgeType, SqlBounds, SqlError, SqlFile, SqlValue};
use codeweft_testing::Fixture;

use super::{GO, exported};

const BOUNDS: SqlBounds = SqlBounds {
    rows: 100,
    time: Duration::from_secs(60),
};

/// Returns an export that is open for questions, with its folder.
fn file() -> (SqlFile, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = exported(
        &Fixture::new(GO).load(),
        "sqlite",
        &EdgeType::ALL,
        folder.path(),
    );
    (SqlFile::open(&path).expect("an export"), folder)
}

#[test]
fn statements_that_read_are_run() {
    let (mut file, _folder) = file();
    for (statement, expected) in [
        (
            "SELECT count(*) FROM function_calls WHERE callee_function_id = 'shape.Round'",
            "1",
        ),
        (
            "SELECT file_path FROM files_fts WHERE files_fts MATCH 'TestSum'",
            "main_test.go",
        ),
        (
            "SELECT snippet(files_fts, 1, '', '', '', 4) FROM files_fts WHERE files_fts MATCH 'TestSum'",
            "func TestSum(t *testing",
        ),
        (
            "SELECT length(content) FROM file_content WHERE file_path = 'other_windows.go'",
            "30",
        ),
        (
            "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n WHERE x < 9) SELECT max(x) FROM n",
            "9",
        ),
        (
            "SELECT symbol_id FROM symbols WHERE name = 'Square' AND kind = 'struct' -- a comment",
            "shape.Square",
        ),
        ("  ; SELECT 1", "1"),
    ] {
        let answer = file.query(statement, BOUNDS);
        let first = answer
            .ok()
            .and_then(|answer| answer.rows.into_iter().next());
        let word = match first.as_deref() {
            Some([SqlValue::Integer(number)]) => number.to_string(),
            Some([SqlValue::Text(text)]) => text.clone(),
            other => format!("{other:?}"),
        };
        assert_eq!(word, expected, "{statement}");
    }
}

#[test]
fn what_writes_attaches_or_sets_is_refused() {
    let (mut file, folder) = file();
    let beside = folder.path().join("beside.db").display().to_string();
    for statement in [
        "ATTACH ':memory:' AS other",
        &format!("ATTACH '{beside}' AS other"),
        "DETACH main",
        "PRAGMA query_only = OFF",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA writable_schema = ON",
        "PRAGMA user_version",
        "PRAGMA data_version = 3",
        "INSERT INTO kinds VALUES (99, 'x')",
        "INSERT INTO files_fts (files_fts) VALUES ('rebuild')",
        "UPDATE symbol_rows SET name = 'x'",
        "DELETE FROM uses",
        "WITH gone AS (SELECT 1) DELETE FROM uses",
        "DROP VIEW edges",
        "CREATE TABLE t (x)",
        "CREATE TEMP TABLE t (x)",
        "CREATE TEMP VIEW v AS SELECT 1",
        "VACUUM",
        &format!("VACUUM INTO '{beside}'"),
        "REINDEX",
        "ANALYZE",
        "BEGIN IMMEDIATE",
        "SAVEPOINT s",
        "SELECT load_extension('x')",
        "SELECT 1; DELETE FROM uses",
        "SELECT 1; SELECT 2",
    ] {
        let answer = file.query(statement, BOUNDS);
        assert!(
            matches!(answer, Err(SqlError::Refused(_))),
            "{statement}: {answer:?}"
        );
    }
    assert!(!folder.path().join("beside.db").exists());
    assert!(
        file.query("SELECT 1", BOUNDS).is_ok(),
        "a refusal ends nothing else"
    );
}

#[test]
fn a_statement_that_is_wrong_is_told_as_such() {
    let (mut file, _folder) = file();
    for statement in [
        "SELEC 1",
        "SELECT * FROM gopher",
        "SELECT",
        "SELECT zeroblob(1000000000)",
    ] {
        let answer = file.query(statement, BOUNDS);
        assert!(
            matches!(answer, Err(SqlError::Wrong(_))),
            "{statement}: {answer:?}"
        );
    }
}

#[test]
fn a_statement_ends_at_its_deadline_and_its_rows_at_their_bound() {
    let (mut file, _folder) = file();
    let endless =
        "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n";
    let bounds = SqlBounds {
        time: Duration::from_millis(50),
        ..BOUNDS
    };
    let answer = file.query(endless, bounds);
    assert!(matches!(answer, Err(SqlError::TooLong(_))), "{answer:?}");
    let rows = "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT x FROM n";
    let answer = file.query(rows, BOUNDS).expect("rows");
    assert_eq!((answer.rows.len(), answer.truncated), (100, true));
    let rows = "SELECT kind FROM kinds";
    let answer = file.query(rows, BOUNDS).expect("rows");
    assert_eq!((answer.rows.len(), answer.truncated), (11, false));
}

#[test]
fn a_file_that_is_no_export_is_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let missing = SqlFile::open(&folder.path().join("missing.db"));
    assert!(matches!(missing, Err(SqlError::Unreadable { .. })));
    let text = folder.path().join("text.db");
    std::fs::write(&text, "package a\n".repeat(200)).expect("writes");
    assert!(matches!(
        SqlFile::open(&text),
        Err(SqlError::Foreign { .. })
    ));
    let other = folder.path().join("other.db");
    let made = rusqlite::Connection::open(&other).and_then(|connection| {
        connection.execute_batch(
            "CREATE TABLE cache_metadata (key, value);
             INSERT INTO cache_metadata VALUES ('schema_version', '2.0')",
        )
    });
    made.expect("a database");
    let words = SqlFile::open(&other)
        .map(|_| ())
        .expect_err("another schema");
    assert!(words.to_string().contains("its schema is 2.0"), "{words}");
}
