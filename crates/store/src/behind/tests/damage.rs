//! Files that are damaged, missing, of another schema, or on a full disk.

use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use codeweft_testing::{Fixture, Workspace};
use rusqlite::Connection;

use crate::sqlite::PAGE_SIZE;

use super::fixture::{Followed, all_rows, assert_level, reader, rows};

const GO: &str = include_str!("go.txt");

/// Returns a workspace with a store that is level, and ended.
fn level() -> (Workspace, Followed) {
    let world = Fixture::new(GO).load();
    let mut followed = Followed::new();
    followed.follow(&world);
    // All of it is in the file itself then.
    let connection = Connection::open(&followed.path).expect("a database");
    let moved: i64 = connection
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))
        .expect("a checkpoint");
    assert_eq!(moved, 0);
    (world, followed)
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Overwrites bytes of a file.
fn overwrite(path: &Path, at: u64, length: usize) {
    let mut file = fs::File::options()
        .write(true)
        .open(path)
        .expect("the file");
    file.seek(SeekFrom::Start(at)).expect("a position");
    file.write_all(&vec![0x5a; length]).expect("written");
}

#[test]
fn a_damaged_header_is_set_aside_and_the_store_rebuilt() {
    let (world, mut followed) = level();
    followed.stop();
    overwrite(&followed.path, 0, 100);
    followed.again();
    followed.follow(&world);
    assert_level(&followed, &world, "rebuilt");
    assert!(beside(&followed.path, ".damaged").is_file());
    let note = followed.behind.figures().json()["note"].to_string();
    assert!(
        note.contains("was damaged") && note.contains("graph.db.damaged"),
        "{note}"
    );
}

#[test]
fn a_damaged_page_is_set_aside_and_the_store_rebuilt() {
    let (world, mut followed) = level();
    followed.stop();
    let size = fs::metadata(&followed.path).expect("the file").len();
    let page = u64::from(PAGE_SIZE);
    overwrite(&followed.path, size / 2 / page * page, PAGE_SIZE as usize);
    followed.again();
    followed.follow(&world);
    assert_level(&followed, &world, "rebuilt");
    assert!(beside(&followed.path, ".damaged").is_file());
}

#[test]
fn a_wal_without_its_file_is_not_taken_for_one_of_the_new_file() {
    let (mut world, mut followed) = level();
    let edit = (
        "new.go".to_owned(),
        Some("package main\n\nfunc late() {}\n".to_owned()),
    );
    world.on_disk(&[edit]);
    followed.follow(&world);
    let wal = beside(&followed.path, "-wal");
    let left = fs::read(&wal).expect("a WAL");
    assert!(!left.is_empty());
    followed.stop();
    fs::remove_file(&followed.path).expect("removed");
    fs::write(&wal, left).expect("left");
    followed.again();
    followed.follow(&world);
    assert_level(&followed, &world, "rebuilt");
}

#[test]
fn a_file_that_is_removed_while_it_is_written_to_is_written_anew() {
    let (mut world, mut followed) = level();
    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(beside(&followed.path, end));
    }
    let edit = (
        "new.go".to_owned(),
        Some("package main\n\nfunc late() {}\n".to_owned()),
    );
    world.on_disk(&[edit]);
    followed.follow(&world);
    // The thread has found out with that batch; the live side hears of it with its next step.
    followed.follow(&world);
    assert_level(&followed, &world, "written anew");
}

#[test]
fn a_full_disk_is_reported_and_nothing_is_lost() {
    let (mut world, mut followed) = level();
    let pages: i64 = followed
        .opened()
        .query_row("PRAGMA page_count", [], |row| row.get(0))
        .expect("a number");
    followed.behind.store().set_test_bounds(Some(pages), None);
    for edit in 0..4 {
        let calls: String = (0..400)
            .map(|at| format!("\tsum(nil) // {edit} {at}\n"))
            .collect();
        let text = format!("package main\n\nfunc late{edit}() {{\n{calls}}}\n");
        world.on_disk(&[(format!("new{edit}.go"), Some(text))]);
        let revision = world.host.revision();
        followed.step_until(&world, |_, behind| behind.has_sent(revision));
        assert!(!followed.behind.figures().flush(Duration::from_millis(150)));
    }
    let error = followed.behind.figures().json()["error"].to_string();
    assert!(error.contains("full"), "{error}");
    let check = rows(&followed.opened(), "PRAGMA quick_check");
    assert_eq!(check, ["ok"]);
    followed.behind.store().set_test_bounds(None, None);
    followed.follow(&world);
    assert_level(&followed, &world, "with room again");
    let error = followed.behind.figures().json()["error"].clone();
    assert_eq!(error, serde_json::Value::Null);
}

#[test]
fn a_store_of_another_schema_is_backed_up_and_rebuilt() {
    let (world, mut followed) = level();
    followed.stop();
    let old = all_rows(&reader(&followed.path));
    let connection = Connection::open(&followed.path).expect("a database");
    connection
        .execute_batch("UPDATE cache_metadata SET value = '2.0' WHERE key = 'schema_version'")
        .expect("another version");
    drop(connection);
    followed.again();
    followed.follow(&world);
    assert_level(&followed, &world, "migrated");
    let backup = beside(&followed.path, ".backup.v2.0");
    assert!(all_rows(&reader(&backup)) == old);
    let version = "SELECT value FROM cache_metadata WHERE key = 'schema_version'";
    assert_eq!(rows(&reader(&backup), version), ["2.0"]);
    assert_eq!(rows(&followed.opened(), version), ["2.2"]);
    let note = followed.behind.figures().json()["note"].to_string();
    assert!(note.contains("another schema (2.0)"), "{note}");
}

#[test]
fn a_database_of_another_program_is_backed_up_and_rebuilt() {
    let world = Fixture::new(GO).load();
    let mut followed = Followed::new();
    followed.stop();
    let _ = fs::remove_file(&followed.path);
    fs::create_dir_all(followed.path.parent().expect("a folder")).expect("made");
    let connection = Connection::open(&followed.path).expect("a database");
    connection
        .execute_batch(
            "CREATE TABLE t (a); INSERT INTO t VALUES (7); CREATE VIEW v AS SELECT unheard(a) FROM t;
             CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t; END",
        )
        .expect("tables");
    drop(connection);
    followed.again();
    followed.follow(&world);
    assert_level(&followed, &world, "migrated");
    let backup = reader(&beside(&followed.path, ".backup.v0"));
    assert_eq!(rows(&backup, "SELECT a FROM t"), ["7"]);
}

#[test]
fn a_store_that_is_level_is_used_as_it_is() {
    let (mut world, mut followed) = level();
    followed.again();
    followed.follow(&world);
    let figures = followed.behind.store().figures();
    assert_eq!(figures.rows.all(), 0, "{figures:?}");
    world.on_disk(&[(
        "new.go".to_owned(),
        Some("package main\n\nfunc late() { main() }\n".to_owned()),
    )]);
    followed.follow(&world);
    assert_level(&followed, &world, "after an edit");
}

#[test]
fn a_link_is_not_followed() {
    let world = Fixture::new(GO).load();
    let mut followed = Followed::new();
    followed.stop();
    let _ = fs::remove_file(&followed.path);
    fs::create_dir_all(followed.path.parent().expect("a folder")).expect("made");
    let victim = beside(&followed.path, ".victim");
    fs::write(&victim, "text").expect("written");
    std::os::unix::fs::symlink(&victim, &followed.path).expect("a link");
    followed.again();
    let until = std::time::Instant::now() + Duration::from_secs(5);
    while followed.behind.figures().json()["error"].is_null() {
        assert!(std::time::Instant::now() < until);
        std::thread::sleep(Duration::from_millis(10));
    }
    let error = followed.behind.figures().json()["error"].to_string();
    assert!(error.contains("symbolic link"), "{error}");
    assert_eq!(fs::read_to_string(&victim).expect("there"), "text");
    drop(world);
}
