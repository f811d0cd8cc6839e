//! Files that are written whole or not at all, alike each time, and read by other programs.

use std::path::Path;
use std::process::Command;

use codeweft_store::{EdgeType, ExportOptions, format_named};
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
