//! `codeweft eval` on a repository with a small history, as a user runs it.

mod fixture;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::expect;
use fixture::codeweft;
use serde_json::Value;

const PRICE: &str = "import shop.tax\n\n\ndef total(n):\n    return n + shop.tax.rate()\n\n\ndef free():\n    return 0\n";

/// A folder with the clone of a repository, an empty folder for what is temporary, and tasks.
struct Clones {
    folder: tempfile::TempDir,
}

impl Clones {
    /// Makes the repository `clones/owner+shop`; `None` without git.
    fn new() -> Option<Clones> {
        let clones = Clones {
            folder: tempfile::tempdir().expect("a temporary folder"),
        };
        fs::create_dir_all(clones.clone_folder()).expect("made");
        fs::create_dir(clones.path("tmp")).expect("made");
        if !clones.git(0, &["init", "-q", "-b", "main"]) {
            eprintln!("skipped: git cannot be run");
            return None;
        }
        let commits: &[(&str, &[(&str, &str)])] = &[
            (
                "Begin the shop",
                &[
                    ("pyproject.toml", "[project]\nname = \"shop\"\n"),
                    ("shop/__init__.py", ""),
                    ("shop/price.py", PRICE),
                    ("shop/tax.py", "def rate():\n    return 1\n"),
                    ("shop/cart.py", "def add(thing):\n    return [thing]\n"),
                    (
                        "tests/test_price.py",
                        "def test_total():\n    assert True\n",
                    ),
                ],
            ),
            (
                "Charge a higher tax rate\n\nThe law changed.",
                &[
                    ("shop/tax.py", "def rate():\n    return 2\n"),
                    ("tests/test_price.py", "def test_total():\n    assert 1\n"),
                ],
            ),
            (
                "Test the price of nothing",
                &[("tests/test_price.py", "def test_free():\n    assert 1\n")],
            ),
            ("Write a readme with words", &[("README.md", "words\n")]),
            (
                "Polish",
                &[("shop/cart.py", "def add(one):\n    return [one]\n")],
            ),
            (
                "Sell things for free in the cart",
                &[
                    ("shop/cart.py", "def add(one):\n    return one\n"),
                    ("shop/gift.py", "def wrap(one):\n    return one\n"),
                    ("shop/price.py", &PRICE.replace("return 0", "return None")),
                ],
            ),
        ];
        for (at, (message, files)) in (1..).zip(commits) {
            for (path, text) in *files {
                let path = clones.clone_folder().join(path);
                fs::create_dir_all(path.parent().expect("a folder")).expect("made");
                fs::write(path, text).expect("written");
            }
            assert!(clones.git(at, &["add", "-A"]));
            assert!(clones.git(at, &["commit", "-q", "-m", message]));
        }
        Some(clones)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn clone_folder(&self) -> PathBuf {
        self.path("clones/owner+shop")
    }

    /// Runs git in the clone at a fixed time, so that hashes are always the same.
    fn git(&self, at: u64, arguments: &[&str]) -> bool {
        let time = format!("{} +0000", 1_700_000_000 + at);
        let mut command = Command::new("git");
        command
            .args([
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@example.org",
                "-c",
                "commit.gpgSign=false",
            ])
            .args(arguments)
            .current_dir(self.clone_folder())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_AUTHOR_DATE", &time)
            .env("GIT_COMMITTER_DATE", &time);
        command.output().is_ok_and(|output| output.status.success())
    }

    /// Runs `codeweft eval`; returns the exit code and both outputs.
    fn eval(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut command = codeweft();
        command.arg("eval").args(arguments).arg("--quiet");
        command.env("TMPDIR", self.path("tmp"));
        let output = command.output().expect("it runs");
        let text = |bytes: Vec<u8>| {
            let folder = self.folder.path().to_str().expect("UTF-8");
            String::from_utf8(bytes).expect("UTF-8").replace(folder, "")
        };
        let code = output.status.code().expect("it ends");
        (code, text(output.stdout), text(output.stderr))
    }

    /// The tasks of the newest commits, in a file.
    fn tasks(&self) -> String {
        let clone = self.clone_folder();
        let (code, tasks, errors) = self.eval(&["--make-commit-tasks", text(&clone)]);
        assert_eq!((code, errors.as_str()), (0, ""));
        self.write(&tasks)
    }

    fn write(&self, tasks: &str) -> String {
        let file = self.path("tasks.jsonl");
        fs::write(&file, tasks).expect("written");
        text(&file).to_owned()
    }

    /// Runs tasks; returns the exit code and what is printed, with times as `T`.
    fn run(&self, tasks: &str, flags: &[&str]) -> (i32, String, String) {
        let clones = self.path("clones");
        let mut arguments = vec![tasks, "--repositories", text(&clones)];
        arguments.extend(flags);
        let (code, out, errors) = self.eval(&arguments);
        let lines = out.lines().map(|line| {
            if line.starts_with("a query: ") {
                "a query: T"
            } else {
                line
            }
        });
        let out: Vec<&str> = lines.collect();
        (code, out.join("\n"), errors)
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn commits_of_source_files_and_of_some_words_are_tasks() {
    let Some(clones) = Clones::new() else { return };
    let tasks = fs::read_to_string(clones.tasks()).expect("read");
    let rows: Vec<String> = tasks
        .lines()
        .map(|line| {
            let task: Value = serde_json::from_str(line).expect("JSON");
            let (files, ranges) = (&task["files_edited"], &task["ranges"]);
            format!("{} {files} {ranges} {}", task["repo"], task["description"])
        })
        .collect();
    expect![[r#"
        "owner/shop" ["shop/cart.py","shop/price.py"] {"shop/cart.py":[[1,2]],"shop/price.py":[[6,9]]} "Sell things for free in the cart"
        "owner/shop" ["shop/tax.py"] {"shop/tax.py":[[1,2]]} "Charge a higher tax rate\n\nThe law changed.""#]].assert_eq(&rows.join("\n"));
    let newest = [
        "--make-commit-tasks",
        text(&clones.clone_folder()),
        "--count",
        "1",
    ]
    .map(str::to_owned);
    let newest: Vec<&str> = newest.iter().map(String::as_str).collect();
    let first = tasks.lines().next().expect("a task");
    assert_eq!(clones.eval(&newest).1, format!("{first}\n"));
}

#[test]
fn tasks_are_run_without_a_checkout_and_leave_nothing() {
    let Some(clones) = Clones::new() else { return };
    let tasks = clones.tasks();
    let (code, out, errors) = clones.run(&tasks, &["--show", "1"]);
    assert_eq!((code, errors.as_str()), (0, ""));
    expect![[r#"
        2 tasks, 1 of them edit one file; 4 source files on average

        all edited files among the first             tasks    @1    @3    @5   @10   R@10    MRR
        bm25                                             2   0.0  50.0  50.0  50.0   75.0  0.750
          tasks that edit one file                       1   0.0 100.0 100.0 100.0  100.0  0.500
        codegrapher                                      2  50.0 100.0 100.0 100.0  100.0  1.000
          tasks that edit one file                       1 100.0 100.0 100.0 100.0  100.0  1.000
        measured                                         2  50.0 100.0 100.0 100.0  100.0  1.000
          tasks that edit one file                       1 100.0 100.0 100.0 100.0  100.0  1.000

        bundles             tasks   recall      all    hunks   likely   recall expected    files   tokens
        all                     2    100.0    100.0    100.0     75.0    100.0      0.0      3.0      100

        instead of             tokens    saved   median   recall
        grep, 3 files read         28   -257.1   -283.3     75.0
        grep, 5 files read         28   -257.1   -283.3     75.0
        grep, 10 files read        28   -257.1   -283.3     75.0
        the edited files           20   -387.8  -1250.0    100.0
        the whole tree             42   -141.0   -157.1    100.0

        a query: T

        owner/shop@16e6dc9fb97d (4 files)
          bm25: shop/cart.py not at all, shop/price.py at 1
            first shop/price.py
          codegrapher: shop/cart.py at 1, shop/price.py at 2
            first shop/cart.py, shop/price.py, shop/tax.py, shop/__init__.py
          measured: shop/cart.py at 2, shop/price.py at 1
            first shop/price.py, shop/cart.py, shop/tax.py, shop/__init__.py"#]].assert_eq(&out);
    let left: Vec<_> = fs::read_dir(clones.path("tmp"))
        .expect("a folder")
        .collect();
    assert!(left.is_empty(), "{left:?}");
    assert!(
        clones.git(9, &["diff", "--quiet", "HEAD"]),
        "the clone is as it was"
    );
}

#[test]
fn a_bare_clone_and_any_number_of_threads_give_the_same() {
    let Some(clones) = Clones::new() else { return };
    let tasks = clones.tasks();
    let before = clones.run(&tasks, &["--threads", "1"]);
    let bare = clones.path("clones/shop.git");
    assert!(clones.git(9, &["clone", "-q", "--bare", ".", text(&bare)]));
    fs::remove_dir_all(clones.clone_folder()).expect("removed");
    assert_eq!(clones.run(&tasks, &["--threads", "3"]), before);
}

#[test]
fn tasks_that_cannot_be_run_are_named_with_the_reason() {
    let Some(clones) = Clones::new() else { return };
    let line = |id: &str, repo: &str, commit: &str, file: &str| {
        format!(
            "{{\"task_id\": \"{id}\", \"repo\": \"{repo}\", \"commit_before\": \"{commit}\", \"description\": \"tax\", \"files_edited\": [\"{file}\"]}}\n"
        )
    };
    let tasks = [
        line("good", "owner/shop", "main", "shop/tax.py"),
        line("no-clone", "owner/other", "main", "a.py"),
        line("no-commit", "owner/shop", "nowhere", "a.py"),
        line("no-file", "owner/shop", "main", "tests/test_price.py"),
    ];
    let file = clones.write(&tasks.concat());
    let (code, out, errors) = clones.run(&file, &["--acc", "--json"]);
    assert_eq!(code, 0);
    expect![[r#"
        codeweft: no-clone: no clone of owner/other is in /clones: make one with `git clone --bare URL /clones/owner+other`
        codeweft: no-commit: `nowhere` names no commit; see `git log` and `git branch --all` for the names of commits
        codeweft: no-file: none of files_edited is a source file of commit_before: name files that were there
    "#]].assert_eq(&errors);
    let said: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(said["summary"]["tasks"], 1);
    assert_eq!(said["tasks"][0]["task_id"], "good");
    assert_eq!(said["tasks"][0]["coverage"], Value::Null);
    let failed = said["failures"].as_array().expect("a list");
    let failed: Vec<&str> = failed
        .iter()
        .filter_map(|one| one["task_id"].as_str())
        .collect();
    assert_eq!(failed, ["no-clone", "no-commit", "no-file"]);
    let none = clones.write(&tasks[1]);
    assert_eq!(clones.run(&none, &[]).0, 1);
}

#[test]
fn wrong_use_says_what_to_do() {
    let Some(clones) = Clones::new() else { return };
    let tasks = clones.tasks();
    let (code, _, errors) = clones.run(&tasks, &["--weight", "nothing=1"]);
    assert_eq!(code, 2);
    assert!(
        errors.contains("no term of the ranking is named nothing"),
        "{errors}"
    );
    let (code, _, errors) = clones.eval(&[&tasks]);
    assert_eq!(code, 2);
    assert!(errors.contains("--repositories"), "{errors}");
    let broken = clones.write("{}\n");
    let (code, _, errors) = clones.run(&broken, &[]);
    assert_eq!(code, 2);
    assert!(
        errors.starts_with("codeweft: /tasks.jsonl: line 1: missing field"),
        "{errors}"
    );
    let folder = clones.path("tmp");
    let (code, _, errors) = clones.eval(&["--make-commit-tasks", text(&folder)]);
    assert_eq!(code, 2);
    assert!(errors.contains("no folder of a git repository"), "{errors}");
}
