//! Files that are written whole or not at all, alike each time, and read by other programs.

use std::path::Path;
use std::process::Command;

use codeweft_store::{EdgeType, ExportOptions, check_file, format_named};
use codeweft_testing::Fixture;
use expect_test::expect;
use rusqlite::OpenFlags;

use super::{GO, PYTHON, exported, opened, text};

#[test]
fn equal_texts_give_equal_tables_on_one_thread_and_on_four() {
    for texts in [GO, PYTHON] {
        let export = |threads: usize| {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let world = Fixture::new(texts).threads(threads).load();
            let path = exported(&world, "sqlite", &EdgeType::ALL, folder.path());
            let found = opened(&path, OpenFlags::SQLITE_OPEN_READ_ONLY);
            let names = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1";
            let tables = super::rows(&found, names);
            let tables = tables.iter().filter(|name| !name.starts_with("files_fts"));
            let tables = tables.map(|name| {
                // The time of an export is none of its tables' contents.
                let (columns, rest) = match name.as_str() {
                    "cache_metadata" => ("key, value", "WHERE key <> 'generated_at'"),
                    "files" => ("file_id, file_path, is_built, file_hash", ""),
                    _ => ("*", ""),
                };
                let rows = text(&found, &format!("SELECT {columns} FROM {name} {rest}"));
                format!("{name}\n{rows}\n")
            });
            tables.collect::<String>()
        };
        let (one, four) = (export(1), export(4));
        assert!(one == four);
        assert!(one.contains("symbol_rows\n1 | "));
    }
}

#[test]
fn a_folder_that_is_missing_is_an_error_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let world = Fixture::new(GO).load();
    let format = format_named("sqlite").expect("a format");
    let target = folder.path().join("missing/graph.db");
    let error = format
        .write_file(world.host.db(), &ExportOptions::default(), 1, &target)
        .expect_err("there is no such folder");
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    assert!(!target.exists());
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told_and_the_old_file_stays() {
    let world = Fixture::new(GO).load();
    let format = format_named("sqlite").expect("a format");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .expect("the system has a full device");
    let error = format
        .write(
            world.host.db(),
            &ExportOptions::default(),
            1,
            folder.path(),
            &mut full,
        )
        .expect_err("the device is full");
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    let left = std::fs::read_dir(folder.path())
        .expect("the folder")
        .count();
    assert_eq!(left, 0, "no draft is left");
}

#[test]
fn python_reads_an_export() {
    const SCRIPT: &str = "
import sqlite3, sys, zlib
db = sqlite3.connect('file:' + sys.argv[1] + '?mode=ro', uri=True)
db.create_function('sqlar_uncompress', 2, lambda z, n: z if z is None or len(z) == n else zlib.decompress(z), deterministic=True)
print(*db.execute('pragma integrity_check').fetchone())
print(*db.execute('select count(*) > 0 from edges').fetchone())
for row in db.execute(\"select caller_function_id, line from function_calls where callee_function_id = 'shape.Round'\"): print(*row)
print(*db.execute(\"select file_path from files_fts where files_fts match 'TestSum'\").fetchone())
print(*db.execute(\"select length(content) from file_content where file_path = 'other_windows.go'\").fetchone())
";
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = exported(
        &Fixture::new(GO).load(),
        "sqlite",
        &EdgeType::ALL,
        folder.path(),
    );
    match run(SCRIPT, &path) {
        Some(said) => expect![[r#"
            ok
            1
            m.main 8
            main_test.go
            30
        "#]]
        .assert_eq(&said),
        None => println!("skipped: there is no python3 with the module sqlite3 and FTS5"),
    }
}

fn run(script: &str, path: &Path) -> Option<String> {
    let probe = "import sqlite3; sqlite3.connect(':memory:').execute('create virtual table t using fts5(a)')";
    let has = Command::new("python3").args(["-c", probe]).output().ok()?;
    if !has.status.success() {
        return None;
    }
    let done = Command::new("python3")
        .args(["-c", script])
        .arg(path)
        .output();
    let done = done.expect("it started a moment ago");
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    Some(String::from_utf8_lossy(&done.stdout).into_owned())
}

#[test]
fn a_whole_file_has_no_problem_and_what_is_wrong_with_another_is_found() {
    let world = Fixture::new(GO).load();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = exported(&world, "sqlite", &EdgeType::ALL, folder.path());
    let problems = |deep: bool| check_file(&path, deep).expect("a database").problems;
    assert_eq!(problems(true), [""; 0]);
    let change = |statement: &str| {
        let connection = opened(&path, OpenFlags::SQLITE_OPEN_READ_WRITE);
        connection.execute_batch(statement).expect("changed");
    };
    change("UPDATE files SET file_hash = 'x' WHERE file_id = (SELECT min(file_id) FROM file_text)");
    change("DELETE FROM symbol_rows WHERE sid = (SELECT min(target) FROM uses)");
    assert_eq!(problems(false), [""; 0]);
    let found = problems(true).join("\n");
    assert!(found.contains("uses have no target"), "{found}");
    assert!(found.contains("another hash than is written"), "{found}");
    let mut bytes = std::fs::read(&path).expect("the file");
    let size = bytes.len();
    bytes[size / 2..size / 2 + 4096].fill(0x5a);
    std::fs::write(&path, &bytes).expect("damaged");
    // The damage may be where the tables are described: then nothing can be read.
    let is_found = || match check_file(&path, true) {
        Ok(check) => !check.problems.is_empty(),
        Err(error) => error.to_string().contains("could not be read"),
    };
    assert!(is_found());
    std::fs::write(&path, &bytes[..size / 2]).expect("cut");
    assert!(is_found());
    std::fs::write(
        &path,
        b"no database at all, but long enough to be read as one",
    )
    .expect("written");
    let foreign = check_file(&path, true)
        .expect_err("no database")
        .to_string();
    assert!(
        foreign.contains("is no database of the schema"),
        "{foreign}"
    );
}
