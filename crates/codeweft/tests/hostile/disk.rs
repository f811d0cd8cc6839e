//! Changes on disk by tools while both clients query.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::clients::{agent, callers, editor, names, symbols};
use crate::workspace::{LONG, TestWorkspace};

fn git(root: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@t",
            "-c",
            "init.defaultBranch=one",
        ])
        .args([
            "-c",
            "commit.gpgsign=false",
            "-c",
            "core.hooksPath=/dev/null",
        ])
        .args(arguments)
        .current_dir(root)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .expect("git runs");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
}

/// The number of files that a branch changes.
const FILES: usize = 2_000;

/// Writes the files of a branch: callers of `m.B`, a hundred in each package.
fn branch(root: &Path, name: &str) {
    for file in 0..FILES {
        let folder = root.join(format!("p{}", file / 100));
        fs::create_dir_all(&folder).expect("made");
        let text = format!("package p\n\nimport \"m\"\n\nfunc {name}{file}() {{ m.B() }}\n");
        fs::write(folder.join(format!("f{file}.go")), text).expect("written");
    }
}

#[test]
fn a_branch_switch_of_two_thousand_files_during_queries_ends_in_the_branchs_answers() {
    let workspace = TestWorkspace::new();
    let root = workspace.site.root();
    fs::write(root.join(".gitignore"), ".codeweft/\n").expect("written");
    git(root, &["init", "-q"]);
    branch(root, "One");
    git(root, &["add", "."]);
    git(root, &["commit", "-q", "-m", "one"]);
    git(root, &["checkout", "-q", "-b", "two"]);
    branch(root, "Two");
    git(root, &["commit", "-q", "-a", "-m", "two"]);
    let (mut agent, _agent) = agent(&workspace);
    let (mut editor, _editor) = editor(&workspace);
    let ask = json!({"operation": "callers", "target": "m.B", "max_results": 10});
    let found = |agent: &mut codeweft_testing::clients::Agent| {
        let reply = agent.call(ask.clone()).expect("answered");
        let all = names(&reply.structured);
        let shown = all
            .iter()
            .filter(|name| *name != "A")
            .cloned()
            .collect::<Vec<_>>();
        (reply.structured["total_found"].as_u64(), shown)
    };
    let total = Some(FILES as u64 + 1);
    let (all, shown) = found(&mut agent);
    assert_eq!(all, total, "{shown:?}");
    assert!(
        shown.iter().all(|name| name.starts_with("Two")),
        "{shown:?}"
    );
    let path = format!("{}/a.go", workspace.root());
    for (to, prefix) in [("one", "One"), ("two", "Two"), ("one", "One")] {
        let switched = AtomicBool::new(false);
        thread::scope(|scope| {
            let asking = scope.spawn(|| {
                let mut asked = 0;
                while !switched.load(Ordering::Relaxed) {
                    // Files come and go meanwhile: any answer is right, but no error and no end.
                    found(&mut agent);
                    assert_eq!(symbols(&mut editor, &path), ["A", "B"]);
                    asked += 1;
                }
                asked
            });
            git(root, &["checkout", "-q", to]);
            switched.store(true, Ordering::Relaxed);
            assert!(asking.join().expect("both clients are answered") > 0);
        });
        // Everything written before the query is in its answer.
        let asked = Instant::now();
        let (all, shown) = found(&mut agent);
        let took = asked.elapsed();
        assert_eq!(all, total, "{to}: {shown:?}");
        assert!(
            shown.iter().all(|name| name.starts_with(prefix)),
            "{to}: {shown:?}"
        );
        assert!(took < Duration::from_secs(30), "{took:?}");
    }
}

#[test]
fn renamed_removed_and_recreated_folders_are_watched() {
    let workspace = TestWorkspace::new();
    let root = workspace.site.root();
    let (mut agent, _agent) = agent(&workspace);
    let folder = |name: &str| root.join(name);
    let text =
        |function: &str| format!("package p\n\nimport \"m\"\n\nfunc {function}() {{ m.B() }}\n");
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
    for round in 0..5 {
        fs::create_dir_all(folder("p/deep/er")).expect("made");
        fs::write(folder("p/p.go"), text("P")).expect("written");
        fs::write(folder("p/deep/er/p.go"), text("Deep")).expect("written");
        assert_eq!(
            callers(&mut agent, "m.B"),
            ["A", "Deep", "P"],
            "round {round}"
        );
        fs::rename(folder("p"), folder("q")).expect("renamed");
        let reply = agent
            .call(json!({"operation": "callers", "target": "m.B"}))
            .expect("answered");
        let mut files: Vec<&str> = reply.structured["results"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|one| one["node"]["file"].as_str())
            .collect();
        files.sort_unstable();
        assert_eq!(files, ["a.go", "q/deep/er/p.go", "q/p.go"], "round {round}");
        // Under a new name it is watched as before.
        fs::write(folder("q/deep/er/p.go"), text("Deeper")).expect("written");
        assert_eq!(
            callers(&mut agent, "m.B"),
            ["A", "Deeper", "P"],
            "round {round}"
        );
        // Out of the workspace, and back.
        let outside = root.with_file_name("outside");
        fs::rename(folder("q"), &outside).expect("renamed");
        assert_eq!(callers(&mut agent, "m.B"), ["A"], "round {round}");
        fs::rename(&outside, folder("r")).expect("renamed");
        assert_eq!(
            callers(&mut agent, "m.B"),
            ["A", "Deeper", "P"],
            "round {round}"
        );
        fs::remove_dir_all(folder("r")).expect("removed");
        assert_eq!(callers(&mut agent, "m.B"), ["A"], "round {round}");
    }
}

#[test]
fn files_replaced_truncated_or_swapped_are_reread() {
    let workspace = TestWorkspace::new();
    let root = workspace.site.root();
    let (mut agent, _agent) = agent(&workspace);
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
    let (real, temporary) = (root.join("s.go"), root.join(".s.go.swp"));
    for round in 0..10 {
        let text = format!("package m\n\nfunc S{round}() {{ B() }}\n");
        let expected = ["A".to_owned(), format!("S{round}")];
        match round % 4 {
            // Written to another file and renamed.
            0 => {
                fs::write(&temporary, &text).expect("written");
                fs::rename(&temporary, &real).expect("renamed");
            }
            // Moved away and written anew.
            1 => {
                fs::rename(&real, root.join("s.go~")).expect("renamed");
                fs::write(&real, &text).expect("written");
            }
            // Removed and written at once.
            2 => {
                fs::remove_file(&real).expect("there");
                fs::write(&real, &text).expect("written");
            }
            // Same length and old time stamps.
            _ => {
                let old = fs::metadata(&real)
                    .expect("there")
                    .modified()
                    .expect("known");
                fs::write(&real, &text).expect("written");
                let file = fs::File::options().write(true).open(&real).expect("there");
                file.set_modified(old).expect("set");
            }
        }
        assert_eq!(callers(&mut agent, "m.B"), expected, "round {round}");
    }
    fs::write(&real, "").expect("written");
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
}

#[test]
fn a_module_file_that_is_broken_and_repaired_needs_no_restart() {
    let workspace = TestWorkspace::new();
    let root = workspace.site.root();
    let (mut agent, _agent) = agent(&workspace);
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
    let server = workspace.server().0;
    let good = fs::read_to_string(root.join("go.mod")).expect("there");
    for broken in [
        "",
        "module",
        "module m\n\nrequire (",
        "\u{0}",
        "module other\n\ngo 1.24\n",
    ] {
        fs::write(root.join("go.mod"), broken).expect("written");
        let reply = agent.call(json!({"operation": "callers", "target": "B"}));
        reply.expect("answered");
        fs::write(root.join("go.mod"), &good).expect("written");
        assert_eq!(callers(&mut agent, "m.B"), ["A"], "{broken:?}");
    }
    for settings in ["[", "[workspace]\nnobody = 1\n", "\u{0}"] {
        fs::write(root.join("codeweft.toml"), settings).expect("written");
        let reply = agent.call(json!({"operation": "callers", "target": "m.B"}));
        reply.expect("answered");
    }
    fs::remove_file(root.join("codeweft.toml")).expect("there");
    let end = Instant::now() + LONG;
    assert_eq!(callers(&mut agent, "m.B"), ["A"]);
    assert!(Instant::now() < end);
    assert_eq!(workspace.servers(), [server]);
}
