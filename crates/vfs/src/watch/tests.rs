//! Watches of real folders. Every wait is for an event.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};

use super::*;

const LONG: Duration = Duration::from_secs(30);

/// A watched folder, and what its watch has reported.
struct Watched {
    _top: tempfile::TempDir,
    root: PathBuf,
    watch: Watch,
    batches: Receiver<Batch>,
}

impl Watched {
    /// Watches `w` of a new folder in which `before` has made something.
    fn new(before: impl FnOnce(&Path)) -> Watched {
        Watched::with(WatchOptions::default(), before)
    }

    fn with(options: WatchOptions, before: impl FnOnce(&Path)) -> Watched {
        let top = tempfile::tempdir().expect("a temporary folder");
        let root = std::fs::canonicalize(top.path())
            .expect("it is there")
            .join("w");
        std::fs::create_dir(&root).expect("made");
        before(&root);
        let (sink, batches) = channel();
        let watch = Watch::start(root.to_str().expect("UTF-8"), options, move |batch| {
            let _ = sink.send(batch);
        });
        assert!(watch.armed(LONG));
        let watched = Watched {
            _top: top,
            root,
            watch,
            batches,
        };
        assert!(watched.next().rescan);
        watched
    }

    fn next(&self) -> Batch {
        self.batches.recv_timeout(LONG).expect("a batch comes")
    }

    fn write(&self, path: &str) {
        write(&self.root, path, "text");
    }

    fn rename(&self, from: &str, to: &str) {
        std::fs::rename(self.root.join(from), self.root.join(to)).expect("renamed");
    }

    /// Paths below the root that batches have named, batches_until all of `wanted` are among them.
    fn batches_until(&self, wanted: &[&str]) -> BTreeSet<String> {
        let mut reported = BTreeSet::new();
        while !wanted.iter().all(|path| reported.contains(*path)) {
            reported.extend(self.below(self.next()));
        }
        reported
    }

    /// Returns the paths reported for all events up to now.
    fn reported(&self) -> BTreeSet<String> {
        assert!(self.watch.barrier(LONG));
        let batches: Vec<Batch> = self.batches.try_iter().collect();
        batches
            .into_iter()
            .flat_map(|batch| self.below(batch))
            .collect()
    }

    fn below(&self, batch: Batch) -> Vec<String> {
        let root = format!("{}/", self.root.display());
        let below = |path: String| path.strip_prefix(&root).unwrap_or(&path).to_owned();
        batch.paths.into_iter().map(below).collect()
    }
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::fs::write(path, text).expect("written");
}

fn names(paths: &[&str]) -> BTreeSet<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

#[test]
fn a_new_file_a_change_and_a_deletion_are_reported_by_the_debounce_alone() {
    let watched = Watched::new(|root| write(root, "sub/old.go", ""));
    watched.write("new.go");
    assert_eq!(watched.batches_until(&["new.go"]), names(&["new.go"]));
    watched.write("sub/old.go");
    assert_eq!(
        watched.batches_until(&["sub/old.go"]),
        names(&["sub/old.go"])
    );
    std::fs::remove_file(watched.root.join("new.go")).expect("removed");
    assert_eq!(watched.batches_until(&["new.go"]), names(&["new.go"]));
}

#[test]
fn an_editor_that_saves_by_renaming_names_the_file() {
    let watched = Watched::new(|root| write(root, "a.go", "before"));
    watched.write("a.go.tmp");
    watched.rename("a.go.tmp", "a.go");
    assert_eq!(watched.reported(), names(&["a.go", "a.go.tmp"]));
}

#[test]
fn a_renamed_folder_is_reported_by_both_names_and_watched_by_the_new_one() {
    let watched = Watched::new(|root| {
        write(root, "a/b/one.go", "");
        write(root, "a/two.go", "");
    });
    assert_eq!(watched.watch.state().watches, 3);
    watched.rename("a", "c");
    assert_eq!(watched.reported(), names(&["a", "c"]));
    assert_eq!(watched.watch.state().watches, 3);
    watched.write("c/b/three.go");
    assert_eq!(watched.reported(), names(&["c/b/three.go"]));
    // A new folder of the old name is another one.
    watched.write("a/four.go");
    watched.reported();
    watched.write("a/five.go");
    assert_eq!(watched.reported(), names(&["a/five.go"]));
}

#[test]
fn a_folder_that_leaves_the_root_is_not_watched_any_more() {
    let watched = Watched::new(|root| write(root, "a/b/one.go", ""));
    watched.rename("a", "../a");
    assert_eq!(watched.reported(), names(&["a"]));
    assert_eq!(watched.watch.state().watches, 1);
    write(&watched.root, "../a/b/two.go", "");
    assert_eq!(watched.reported(), names(&[]));
}

#[test]
fn folders_that_are_made_faster_than_they_can_be_watched_are_all_found() {
    let watched = Watched::new(|_| {});
    for n in 0..40 {
        watched.write(&format!("d{n}/e/f/g/a.go"));
        if n % 2 == 0 {
            std::fs::remove_dir_all(watched.root.join(format!("d{n}"))).expect("removed");
            watched.write(&format!("d{n}/e/f/a.go"));
        }
    }
    let reported = watched.reported();
    assert!(
        (0..40).all(|n| reported.contains(&format!("d{n}"))),
        "{reported:?}"
    );
    // Each of them is watched by now.
    let mut wanted = BTreeSet::new();
    for n in 0..40 {
        let file = format!("d{n}/e/f/b.go");
        watched.write(&file);
        wanted.insert(file);
    }
    // A deleted folder may be reported late, when no test reads it any more.
    assert!(watched.reported().is_superset(&wanted));
    assert_eq!(watched.watch.state().watches, 1 + 20 * 4 + 20 * 3);
}

#[test]
fn a_folder_that_goes_and_comes_again_and_again_stays_watched() {
    let watched = Watched::new(|_| {});
    for n in 0..100 {
        watched.write("a/b/x.go");
        std::fs::remove_dir_all(watched.root.join("a")).expect("removed");
        watched.write("a/b/y.go");
        if n % 10 == 0 {
            watched.reported();
        }
    }
    watched.reported();
    watched.write("a/b/z.go");
    assert_eq!(watched.reported(), names(&["a/b/z.go"]));
}

#[test]
fn below_an_ignored_folder_nothing_is_watched() {
    let watched = Watched::new(|root| {
        write(root, ".gitignore", "/node_modules/\n");
        write(root, "node_modules/a/b/c.js", "");
        write(root, ".codeweft/graph.db", "");
        write(root, "env/pyvenv.cfg", "");
        write(root, "env/lib/a.py", "");
        write(root, "src/a.go", "");
    });
    assert_eq!(watched.watch.state().watches, 2);
    watched.write("node_modules/a/b/d.js");
    watched.write("node_modules/new/d.js");
    watched.write(".codeweft/graph.db");
    watched.write("env/lib/b.py");
    watched.write(".cache/x/y");
    watched.write("src/b.go");
    assert_eq!(watched.reported(), names(&["src/b.go"]));
    assert_eq!(watched.watch.state().watches, 2);
}

#[test]
fn a_changed_ignore_file_is_reported_and_changes_what_is_watched() {
    let watched = Watched::new(|root| {
        write(root, "sub/.gitignore", "/out/\n");
        write(root, "sub/out/a/a.go", "");
        write(root, "src/a.go", "");
    });
    assert_eq!(watched.watch.state().watches, 3);
    write(&watched.root, "sub/.gitignore", "");
    // What it reveals is to be looked at.
    let revealed = watched.batches_until(&["sub/.gitignore", "sub/out", "sub/out/a"]);
    assert_eq!(revealed.len(), 3);
    assert_eq!(watched.watch.state().watches, 5);
    watched.write("sub/out/a/b.go");
    assert_eq!(watched.reported(), names(&["sub/out/a/b.go"]));
    write(&watched.root, ".ignore", "src\n");
    watched.batches_until(&[".ignore"]);
    watched.reported();
    assert_eq!(watched.watch.state().watches, 4);
    watched.write("src/b.go");
    assert_eq!(watched.reported(), names(&[]));
}

#[test]
fn a_write_before_a_barrier_has_been_reported_after_it() {
    let watched = Watched::new(|root| write(root, "sub/a.go", ""));
    let missed: Vec<u32> = (0..300)
        .filter(|n| {
            let file = match n % 3 {
                0 => format!("sub/new{n}.go"),
                1 => format!("made{n}/new.go"),
                _ => "sub/a.go".to_owned(),
            };
            watched.write(&file);
            let reported = watched.reported();
            !reported.contains(&file) && !reported.contains(&format!("made{n}"))
        })
        .collect();
    assert_eq!(missed, [0; 0]);
}

#[test]
fn one_watch_serves_the_barriers_of_many_threads() {
    let watched = Watched::new(|root| write(root, "a.go", ""));
    let watch = &watched.watch;
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..50).for_each(|_| assert!(watch.barrier(LONG))));
        }
    });
}

#[test]
fn cookies_may_lie_in_a_folder_of_the_owner_and_leave_nothing() {
    let own = tempfile::tempdir().expect("a temporary folder");
    let options = WatchOptions {
        cookies: Some(own.path().to_owned()),
        ..WatchOptions::default()
    };
    let watched = Watched::with(options, |_| {});
    write(own.path(), "sock", "");
    watched.write("a.go");
    assert_eq!(watched.reported(), names(&["a.go"]));
    drop(watched);
    let left: Vec<_> = std::fs::read_dir(own.path()).expect("listed").collect();
    assert_eq!(left.len(), 1);
}

#[test]
fn more_folders_than_may_be_watched_are_looked_at_now_and_then() {
    let options = WatchOptions {
        max_folders: 3,
        poll: Duration::from_millis(20),
        ..WatchOptions::default()
    };
    let watched = Watched::with(options, |root| {
        (0..5).for_each(|n| write(root, &format!("d{n}/a.go"), ""));
    });
    let state = watched.watch.state();
    assert!(state.limit_reached && !state.is_reliable());
    assert_eq!(state.watches, 3);
    assert!(!watched.watch.barrier(LONG));
    assert!(watched.next().rescan);
    assert!(watched.next().rescan);
}

#[test]
fn a_root_that_goes_is_looked_for_and_watched_again_when_it_comes_back() {
    let options = WatchOptions {
        poll: Duration::from_millis(20),
        ..WatchOptions::default()
    };
    let watched = Watched::with(options, |root| write(root, "sub/a.go", ""));
    watched.rename("", "../elsewhere");
    while watched.watch.state().alive {
        watched.next();
    }
    assert!(!watched.watch.barrier(LONG));
    std::fs::rename(watched.root.with_file_name("elsewhere"), &watched.root).expect("renamed");
    while !watched.watch.state().alive {
        watched.next();
    }
    watched.reported();
    watched.write("sub/b.go");
    assert_eq!(watched.reported(), names(&["sub/b.go"]));
}

#[test]
fn lost_events_ask_for_a_look_at_everything_and_leave_everything_watched() {
    let watched = Watched::new(|root| write(root, "sub/a.go", ""));
    let lost = notify::Event::new(notify::EventKind::Other).set_flag(notify::event::Flag::Rescan);
    let sent = watched.watch.to_watcher.send(Message::Event(Ok(lost)));
    sent.expect("heard");
    assert!(watched.next().rescan);
    watched.reported();
    watched.write("sub/b.go");
    assert_eq!(watched.reported(), names(&["sub/b.go"]));
}

#[test]
fn without_events_of_the_system_everything_is_checked_periodically() {
    let options = WatchOptions {
        poll: Duration::from_millis(20),
        ..WatchOptions::default()
    };
    let watched = Watched::with(options, |root| write(root, "a.go", ""));
    watched.watch.to_watcher.send(Message::Dead).expect("heard");
    assert!(watched.next().rescan);
    assert!(watched.next().rescan);
    assert!(!watched.watch.state().alive);
    assert!(!watched.watch.barrier(LONG));
}

#[test]
fn a_repository_that_is_made_anew_has_its_lock_seen() {
    let watched = Watched::new(|root| git(root, &["init", "-q"]));
    for _ in 0..2 {
        std::fs::remove_dir_all(watched.root.join(".git")).expect("removed");
        watched.batches_until(&[".git"]);
        git(&watched.root, &["init", "-q"]);
        watched.batches_until(&[".git"]);
        watched.reported();
    }
    watched.write(".git/index.lock");
    watched.write("a.go");
    assert!(
        watched
            .batches
            .recv_timeout(2 * coalescer::MAX_DELAY)
            .is_err()
    );
    std::fs::remove_file(watched.root.join(".git/index.lock")).expect("removed");
    assert_eq!(watched.below(watched.next()), ["a.go"]);
}

fn git(root: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=n", "-c", "user.email=e", "-c", "gc.auto=0"])
        .args(arguments)
        .current_dir(root)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git is there");
    assert!(done.status.success(), "{done:?}");
}

/// A repository with two branches that differ in 2,000 files.
fn two_branches(root: &Path) {
    git(root, &["init", "-q", "-b", "one"]);
    write(root, "stays.go", "");
    for branch in ["one", "two"] {
        for n in 0..2_000 {
            write(root, &format!("d{}/f{n}.go", n % 20), branch);
        }
        git(root, &["add", "-A"]);
        git(root, &["commit", "-q", "-m", branch]);
        if branch == "one" {
            git(root, &["checkout", "-q", "-b", "two"]);
        }
    }
}

#[test]
fn a_checkout_of_2000_files_is_one_batch() {
    let watched = Watched::new(two_branches);
    git(&watched.root, &["checkout", "-q", "one"]);
    let batch = watched.next();
    assert!(!batch.rescan);
    let paths = watched.below(batch);
    assert_eq!(
        paths.iter().filter(|path| path.ends_with(".go")).count(),
        2_000
    );
    assert_eq!(watched.reported(), names(&[]));
}

#[test]
fn while_git_holds_its_lock_paths_are_gathered() {
    let watched = Watched::new(|root| git(root, &["init", "-q"]));
    watched.write(".git/index.lock");
    watched.write("a.go");
    // Longer than events put a batch off without the lock.
    assert!(
        watched
            .batches
            .recv_timeout(2 * coalescer::MAX_DELAY)
            .is_err()
    );
    watched.write("b.go");
    watched.rename(".git/index.lock", ".git/index");
    assert_eq!(watched.below(watched.next()), ["a.go", "b.go"]);
}

#[test]
fn the_lock_of_a_linked_working_tree_is_its_own_and_its_excludes_are_shared() {
    let watched = Watched::new(|root| {
        let main = root.with_file_name("main");
        std::fs::create_dir(&main).expect("made");
        git(&main, &["init", "-q"]);
        git(&main, &["commit", "-q", "--allow-empty", "-m", "m"]);
        git(&main, &["worktree", "add", "-q", "-b", "tree", "../w"]);
        write(root, "out/a.go", "");
    });
    let of_main = watched.root.with_file_name("main").join(".git");
    let own = of_main.join("worktrees/w");
    write(&own, "index.lock", "");
    watched.write("a.go");
    assert!(
        watched
            .batches
            .recv_timeout(2 * coalescer::MAX_DELAY)
            .is_err()
    );
    std::fs::remove_file(own.join("index.lock")).expect("removed");
    assert_eq!(watched.below(watched.next()), ["a.go"]);
    assert_eq!(watched.watch.state().watches, 2);
    write(&of_main, "info/exclude", "out\n");
    assert!(watched.next().rescan);
    watched.reported();
    assert_eq!(watched.watch.state().watches, 1);
}
