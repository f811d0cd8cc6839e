//! What readers and edits see of the thread that writes.

use std::time::{Duration, Instant};

use codeweft_testing::Fixture;
use rusqlite::Connection;

use super::fixture::{Followed, LONG, all_rows, assert_level, reader, rows};
use super::replay::Replay;
use crate::behind::FollowStep;
use crate::behind::open;
use crate::behind::transaction::{self, Known};

const GO: &str = include_str!("go.txt");

#[test]
fn a_reader_in_a_transaction_sees_one_revision_during_a_hundred_batches() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("graph.db");
    let mut opened = open::open(&path).expect("a new file");
    let mut known = Known::default();
    let mut replay = Replay::new(8);
    let mut write = |count: usize| {
        for _ in 0..count {
            let batch = replay.next_batch();
            transaction::write(&mut opened.connection, &mut known, &batch, "now").expect("written");
        }
    };
    write(20);
    let reading = reader(&path);
    reading.execute_batch("BEGIN").expect("a transaction");
    let revision = "SELECT value FROM cache_metadata WHERE key = 'revision'";
    let seen = (rows(&reading, revision), all_rows(&reading));
    assert_eq!(seen.0, ["20"]);
    for _ in 0..10 {
        write(10);
        assert!((rows(&reading, revision), all_rows(&reading)) == seen);
    }
    reading.execute_batch("COMMIT").expect("the end");
    assert_eq!(rows(&reading, revision), ["120"]);
    assert!(all_rows(&reading) != seen.1);
}

#[test]
fn edits_go_on_while_the_store_cannot_write_and_what_waits_is_bounded() {
    let texts = codeweft_testing::texts(GO);
    let mut world = Fixture::of(texts.clone()).load();
    let mut followed = Followed::new();
    followed.follow(&world);
    let bound = 24 << 10;
    followed.behind.store().set_test_bounds(None, Some(bound));
    let other = Connection::open(&followed.path).expect("a database");
    other.execute_batch("BEGIN IMMEDIATE").expect("a lock");
    world.open("main.go", &texts["main.go"]);
    let mut waited = 0;
    for edit in 0..60 {
        let text = format!("{}\nfunc more{edit}() {{ sum(nil) }}\n", texts["main.go"]);
        world.change("main.go", &text);
        let other_file = format!("package main\n\nfunc other{edit}() {{ main() }}\n");
        world.on_disk(&[(format!("more{edit}.go"), Some(other_file))]);
        let began = Instant::now();
        followed.step_until(&world, |step, behind| {
            waited += usize::from(step == FollowStep::Wait(Duration::from_millis(50)));
            behind.has_sent(world.host.revision()) || matches!(step, FollowStep::Wait(_))
        });
        // A step of the live side does not wait for the thread: the bound is far above what it computes.
        assert!(
            began.elapsed() < Duration::from_secs(3),
            "{:?}",
            began.elapsed()
        );
        assert!(followed.behind.store().waiting_bytes() < 2 * bound);
    }
    assert!(waited > 0, "the bound was never reached");
    other
        .execute_batch("ROLLBACK")
        .expect("the end of the lock");
    followed.follow(&world);
    assert_level(&followed, &world, "after the lock");
}

#[test]
fn a_lock_of_another_program_is_waited_for() {
    let mut world = Fixture::new(GO).load();
    let mut followed = Followed::new();
    followed.follow(&world);
    let other = Connection::open(&followed.path).expect("a database");
    other.execute_batch("BEGIN IMMEDIATE").expect("a lock");
    world.on_disk(&[(
        "new.go".to_owned(),
        Some("package main\n\nfunc late() {}\n".to_owned()),
    )]);
    let revision = world.host.revision();
    followed.step_until(&world, |_, behind| behind.has_sent(revision));
    assert!(!followed.behind.figures().flush(Duration::from_millis(400)));
    other
        .execute_batch("ROLLBACK")
        .expect("the end of the lock");
    assert!(followed.behind.figures().flush(LONG));
    assert_eq!(
        followed.behind.figures().json()["error"],
        serde_json::Value::Null
    );
    followed.follow(&world);
    assert_level(&followed, &world, "after the lock");
}

#[test]
#[cfg(unix)]
fn only_its_owner_may_read_the_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = Fixture::new(GO).load();
    let mut followed = Followed::new();
    followed.follow(&world);
    let _open = followed.opened();
    for end in ["", "-wal", "-shm"] {
        let mut path = followed.path.clone().into_os_string();
        path.push(end);
        let found = std::fs::metadata(&path).expect("a file beside the store");
        assert_eq!(found.permissions().mode() & 0o777, 0o600, "{path:?}");
    }
}

#[test]
fn a_new_file_is_compacted_once_nothing_is_written_and_stays_level() {
    let mut world = Fixture::new(GO).load();
    let mut followed = Followed::new();
    followed.follow(&world);
    // Free pages come from texts that were large for a moment; zlib makes little of these words.
    let pages = |followed: &Followed| rows(&followed.opened(), "PRAGMA freelist_count");
    let mut rng = codeweft_testing::SeededRng::new(3);
    let words = (0..20_000).map(|_| format!("// {}\n", rng.below(1 << 30)));
    let text = format!("package main\n{}", words.collect::<String>());
    world.on_disk(&[("big.go".to_owned(), Some(text))]);
    followed.follow(&world);
    world.on_disk(&[("big.go".to_owned(), None)]);
    followed.follow(&world);
    assert_ne!(pages(&followed), ["0"]);
    let until = Instant::now() + LONG;
    while pages(&followed) != ["0"] {
        assert!(Instant::now() < until);
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_level(&followed, &world, "compacted");
    let edit = (
        "new.go".to_owned(),
        Some("package main\n\nfunc late() { main() }\n".to_owned()),
    );
    world.on_disk(&[edit]);
    followed.follow(&world);
    assert_level(&followed, &world, "after an edit");
}
