//! `codeweft impact` in a git repository, as a user runs it.

mod fixture;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use expect_test::{Expect, expect};
use fixture::{codeweft, run};

/// Runs git; `false` without the program.
fn git(folder: &Path, arguments: &[&str]) -> bool {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    let mut command = Command::new("git");
    command.args(identity).args(arguments).current_dir(folder);
    command.env("GIT_CONFIG_NOSYSTEM", "1");
    command.output().is_ok_and(|output| output.status.success())
}

const PRICE: &str = "def total(n):\n    return n\n\n\ndef free():\n    return 0\n";

/// Makes a repository with one commit; `None` without git.
fn repository() -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in [
        ("pyproject.toml", "[project]\nname = \"shop\"\n"),
        ("shop/__init__.py", ""),
        ("shop/price.py", PRICE),
        (
            "tests/test_price.py",
            "from shop.price import free, total\n\n\ndef test_total():\n    assert total(1)\n\n\ndef test_free():\n    assert not free()\n",
        ),
    ] {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }
    let is_made = git(folder.path(), &["init", "-q"])
        && git(folder.path(), &["add", "-A"])
        && git(folder.path(), &["commit", "-qm", "first"]);
    if !is_made {
        eprintln!("skipped: git cannot be run");
    }
    is_made.then_some(folder)
}

/// Checks what a command prints, with hashes of commits as `HASH`.
fn check(folder: &Path, arguments: &[&str], expected: Expect) {
    let mut all = vec!["impact"];
    all.extend(arguments);
    let root = folder.to_str().expect("UTF-8");
    all.extend(["--disk", "--root", root]);
    let (code, out, err) = run(&all);
    let output = Command::new("git")
        .args(["log", "--format=%H"])
        .current_dir(folder)
        .output()
        .expect("git runs");
    let mut text = format!("{out}{err}exit {code}\n");
    for hash in String::from_utf8_lossy(&output.stdout).lines() {
        text = text.replace(hash.get(..10).unwrap_or("-"), "HASH");
    }
    expected.assert_eq(&text);
}

fn change(folder: &Path) {
    let text = PRICE.replace("return n", "return n * 2");
    std::fs::write(folder.join("shop/price.py"), text).expect("written");
}

#[test]
fn the_files_as_they_are_against_the_last_commit() {
    let Some(folder) = repository() else {
        return;
    };
    check(
        folder.path(),
        &["--diff"],
        expect![[r#"
        HEAD (HASH) to the files as they are: 0 files, 0 symbols
        tests: 0 certain, 0 possible
        edges: 0 added, 0 removed
        implementations 0, direct callers 0, transitive callers 0, type usages 0; files 0, packages 0, external packages 0
        no reached node found; complete
        exit 1
    "#]],
    );
    change(folder.path());
    check(
        folder.path(),
        &["--diff"],
        expect![[r#"
        HEAD (HASH) to the files as they are: 1 file, 1 symbol
          shop/price.py:1 behavior shop.price.total
        tests: 1 certain, 0 possible
          tests/test_price.py:4 tests.test_price.test_total
        edges: 0 added, 0 removed
        tests/test_price.py
          4  tests.test_price.test_total  [direct_caller, review_needed]
          5    assert total(1)
        implementations 0, direct callers 1, transitive callers 0, type usages 0; files 1, packages 1, external packages 1
        1 reached node; complete
        exit 0
    "#]],
    );
    git(folder.path(), &["commit", "-qam", "second"]);
    check(
        folder.path(),
        &["--diff", "HEAD~..HEAD"],
        expect![[r#"
            HEAD~ (HASH) to HEAD (HASH): 1 file, 1 symbol
              shop/price.py:1 behavior shop.price.total
            tests: 1 certain, 0 possible
              tests/test_price.py:4 tests.test_price.test_total
            edges: 0 added, 0 removed
            tests/test_price.py
              4  tests.test_price.test_total  [direct_caller, review_needed]
              5    assert total(1)
            implementations 0, direct callers 1, transitive callers 0, type usages 0; files 1, packages 1, external packages 1
            1 reached node; complete
            exit 0
        "#]],
    );
}

#[test]
fn a_patch_from_standard_input_is_applied_in_memory() {
    let Some(folder) = repository() else {
        return;
    };
    let patch = "--- a/shop/price.py\n+++ b/shop/price.py\n@@ -1,2 +1 @@\n-def total(n):\n-    return n\n+def total(n, more): pass\n";
    let root = folder.path().to_str().expect("UTF-8").to_owned();
    let mut child = codeweft()
        .args([
            "impact", "--patch", "-", "--disk", "--json", "--root", &root,
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("codeweft runs");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(patch.as_bytes()).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let symbols = &answer["change"]["symbols"];
    assert_eq!(symbols[0]["id"], "shop.price.total");
    assert_eq!(symbols[0]["change"], "signature");
    assert_eq!(
        answer["change"]["tests"][0]["id"],
        "tests.test_price.test_total"
    );
    let text = std::fs::read_to_string(folder.path().join("shop/price.py")).expect("a file");
    assert_eq!(text, PRICE);
}

#[test]
fn a_revision_or_a_patch_that_is_none_is_an_error_that_says_what_to_do() {
    let Some(folder) = repository() else {
        return;
    };
    check(
        folder.path(),
        &["--diff", "nosuch"],
        expect![[r#"
        codeweft: target: `nosuch` names no commit
        codeweft: see `git log` and `git branch --all` for the names of commits
        exit 2
    "#]],
    );
    let patch = folder.path().join("wrong.diff");
    std::fs::write(
        &patch,
        "--- a/shop/price.py\n+++ b/shop/price.py\n@@ -1 +1 @@\n-no\n+yes\n",
    )
    .expect("written");
    let patch = patch.to_str().expect("UTF-8");
    check(
        folder.path(),
        &["--patch", patch],
        expect![[r#"
        codeweft: target: hunk 1 of `shop/price.py` does not apply: its lines are not in the text, neither at line 1 nor elsewhere
        codeweft: make the patch from the current texts, or name the revision that it was made from
        exit 2
    "#]],
    );
    check(
        folder.path(),
        &["--patch", "absent.diff"],
        expect![[r#"
        codeweft: the patch absent.diff cannot be read: No such file or directory (os error 2)
        codeweft: name a file with the output of git diff, or - for standard input
        exit 2
    "#]],
    );
}
