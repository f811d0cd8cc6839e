//! A process that writes batches is killed; its file is then that of one of its revisions.
//!
//! ```text
//! this test ── starts ──> itself, as `the_process_that_is_killed`: opens the file, goes on with the script
//!     │ SIGKILL after some milliseconds
//!     └─ reads the revision, and compares all tables with those of a store that was written without a break
//! ```
//!
//! Every tenth kill is in a migration, every tenth while a reader holds the WAL.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use codeweft_testing::SeededRng;
use rusqlite::Connection;

use super::fixture::{all_rows, difference, reader, rows};
use super::replay::Replay;
use crate::behind::open::{self, OpenStore};
use crate::behind::transaction::{self, Known};

/// Names the file to the process that is killed.
const FILE: &str = "CODEWEFT_STORE_KILLED";

/// What the process prints before it opens the file, and then.
const BEGUN: &str = "begun";
const OPEN: &str = "open";

const VERSION: &str = "SELECT value FROM cache_metadata WHERE key = 'schema_version'";

const REVISION: &str = "SELECT value FROM cache_metadata WHERE key = 'revision'";

#[test]
fn the_process_that_is_killed() {
    let Some(path) = std::env::var_os(FILE) else {
        return;
    };
    println!("\n{BEGUN}");
    let mut opened = open::open(Path::new(&path)).expect("a store");
    println!("{OPEN}");
    let mut known = Known::default();
    let mut replay = Replay::new(1);
    replay.skip_to(revision(&opened.connection));
    loop {
        let batch = replay.next_batch();
        transaction::write(&mut opened.connection, &mut known, &batch, "now").expect("written");
    }
}

fn revision(connection: &Connection) -> u64 {
    let found = rows(connection, REVISION);
    found
        .first()
        .map_or(0, |revision| revision.parse().expect("a number"))
}

/// Returns whether a file has its tables: they come in one transaction.
fn has_tables(path: &Path) -> bool {
    path.is_file() && reader(path).prepare("SELECT 1 FROM cache_metadata").is_ok()
}

/// A store that is written without a break.
struct Model {
    opened: OpenStore,
    known: Known,
    replay: Replay,
    _folder: tempfile::TempDir,
}

impl Model {
    fn new() -> Model {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let opened = open::open(&folder.path().join("model.db")).expect("a new file");
        opened
            .connection
            .pragma_update(None, "synchronous", "OFF")
            .expect("a pragma");
        Model {
            opened,
            known: Known::default(),
            replay: Replay::new(1),
            _folder: folder,
        }
    }

    fn go_to(&mut self, revision: u64) {
        assert!(self.replay.revision() <= revision, "a revision was lost");
        while self.replay.revision() < revision {
            let batch = self.replay.next_batch();
            let connection = &mut self.opened.connection;
            transaction::write(connection, &mut self.known, &batch, "now").expect("written");
        }
    }
}

/// Kills a process so many times.
fn kill(times: usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("graph.db");
    let backup: PathBuf = folder.path().join("graph.db.backup.v2.0");
    let mut rng = SeededRng::new(times as u64);
    let mut model = Model::new();
    let (mut batches, mut in_migrations) = (0, 0);
    for kill in 1..=times {
        let before = has_tables(&path).then(|| all_rows(&reader(&path)));
        if kill % 10 == 5 && before.is_some() {
            let connection = Connection::open(&path).expect("a database");
            connection
                .execute_batch(
                    "UPDATE cache_metadata SET value = '2.0' WHERE key = 'schema_version'",
                )
                .expect("another version");
            let _ = std::fs::remove_file(&backup);
        }
        // Also what the process before has left of one.
        let is_migration = before.is_some() && rows(&reader(&path), VERSION) == ["2.0"];
        let reading = (kill % 10 == 0 && before.is_some()).then(|| {
            let reading = reader(&path);
            reading.execute_batch("BEGIN").expect("a transaction");
            let seen = all_rows(&reading);
            (reading, seen)
        });
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args([
                "--exact",
                "behind::tests::kills::the_process_that_is_killed",
                "--nocapture",
            ])
            .env(FILE, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a process");
        let awaited = if kill % 10 == 5 { BEGUN } else { OPEN };
        let said = BufReader::new(child.stdout.take().expect("its output"));
        assert!(
            said.lines()
                .map_while(Result::ok)
                .any(|line| line == awaited)
        );
        sleep(Duration::from_millis(rng.below(80) as u64));
        child.kill().expect("killed");
        let ended = child.wait().expect("the end");
        assert_eq!(ended.code(), None, "kill {kill}: it ended by itself");
        if !path.is_file() {
            continue;
        }
        if let Some((reading, seen)) = reading {
            assert!(
                all_rows(&reading) == seen,
                "kill {kill}: a reader saw a change"
            );
        }
        let found = reader(&path);
        if !has_tables(&path) {
            assert!(before.is_none(), "kill {kill}: the tables are gone");
            continue;
        }
        assert_eq!(rows(&found, "PRAGMA quick_check"), ["ok"], "kill {kill}");
        let version = rows(&found, VERSION);
        if is_migration {
            if backup.is_file() {
                let kept = all_rows(&reader(&backup));
                assert!(Some(kept) == before, "kill {kill}: the backup differs");
            }
            if version == ["2.0"] {
                assert!(
                    Some(all_rows(&found)) == before,
                    "kill {kill}: the old store differs"
                );
                in_migrations += 1;
                // The next process migrates it.
                continue;
            }
            assert!(backup.is_file(), "kill {kill}: there is no backup");
        }
        assert_eq!(version, ["2.2"]);
        let now = revision(&found);
        if now < model.replay.revision() {
            // Migrated, by this process or the one before.
            assert!(
                backup.is_file(),
                "kill {kill}: revision {now} came after a later one"
            );
            model = Model::new();
        }
        batches += now.saturating_sub(model.replay.revision());
        model.go_to(now);
        let difference = difference(&all_rows(&found), &all_rows(&model.opened.connection));
        assert!(
            difference.is_empty(),
            "kill {kill}, revision {now}:\n{difference}"
        );
    }
    println!(
        "{times} kills, {batches} batches, {in_migrations} kills before the end of a migration"
    );
    assert!(batches > 0, "no batch was written");
}

#[test]
fn after_twenty_kills_every_table_is_that_of_one_revision() {
    kill(20);
}

#[test]
fn after_a_thousand_kills_every_table_is_that_of_one_revision() {
    if std::env::var("CODEWEFT_SLOW").is_ok_and(|slow| slow == "1") {
        kill(1000);
    } else {
        println!("skipped: 1000 kills; CODEWEFT_SLOW=1 runs them");
    }
}
