//! The files that differ between two states, and their contents.

use crate::sandbox::{Sandbox, bytes};
use codeweft_git::{Content, GitError};

const MANY: u64 = 1 << 20;

/// The names of the files that differ between a revision and another one, or the disk.
fn changed(sandbox: &Sandbox, before: &str, after: Option<&str>) -> Vec<String> {
    let repository = sandbox.open("");
    let before = repository.commit(before).expect("a commit");
    let after = after.map(|name| repository.commit(name).expect("a commit"));
    let paths = repository.changed_files(&before, after.as_ref());
    sandbox.names(&paths.expect("read"))
}

fn content(sandbox: &Sandbox, revision: &str, name: &str) -> Content {
    let repository = sandbox.open("");
    let commit = repository.commit(revision).expect("a commit");
    let contents = repository.contents(&commit, &[sandbox.path(name)], MANY);
    contents.expect("read").pop().expect("one")
}

fn text(text: &str) -> Content {
    Content::Bytes(text.as_bytes().to_vec())
}

#[test]
fn changes_on_disk_are_listed_staged_or_not() {
    let Some(sandbox) = Sandbox::repository() else {
        return;
    };
    for name in [
        "same",
        "edited",
        "staged",
        "removed",
        "unstaged",
        "old",
        "d/in",
        "taken_back",
    ] {
        sandbox.write(name, format!("{name}\n"));
    }
    sandbox.write(".gitignore", "ignored*\n");
    sandbox.commit("first");
    sandbox.write("edited", "x\n");
    sandbox.write("staged", "x\n");
    sandbox.write("taken_back", "x\n");
    sandbox.git("add staged taken_back");
    sandbox.write("taken_back", "taken_back\n");
    sandbox.remove("removed");
    sandbox.git("rm -q --cached unstaged same");
    sandbox.write("unstaged", "x\n");
    sandbox.git("mv old new");
    sandbox.write("untracked/a", "");
    sandbox.write("ignored.py", "");
    sandbox.write("intended", "");
    sandbox.git("add -N intended");
    let expected = [
        "edited",
        "intended",
        "new",
        "old",
        "removed",
        "staged",
        "unstaged",
        "untracked/a",
    ];
    assert_eq!(changed(&sandbox, "HEAD", None), expected);
    assert_eq!(content(&sandbox, "HEAD", "removed"), text("removed\n"));
    assert_eq!(content(&sandbox, "HEAD", "old"), text("old\n"));
    assert_eq!(content(&sandbox, "HEAD", "new"), Content::Absent);
    assert_eq!(content(&sandbox, "HEAD", "untracked/a"), Content::Absent);
}

#[test]
fn a_folder_in_the_way_of_a_file_is_a_change() {
    let Some(sandbox) = Sandbox::repository() else {
        return;
    };
    sandbox.write("a", "");
    sandbox.write("b/c", "");
    sandbox.commit("first");
    sandbox.remove("a");
    sandbox.write("a/x", "");
    sandbox.remove("b/c");
    std::fs::remove_dir(sandbox.top.join("b")).expect("removed");
    sandbox.write("b", "");
    assert_eq!(changed(&sandbox, "HEAD", None), ["a", "a/x", "b", "b/c"]);
}

#[test]
fn two_commits_are_compared_without_the_disk() {
    let Some(sandbox) = Sandbox::repository() else {
        return;
    };
    sandbox.write("a", "1\n2\n3\n4\n5\n");
    sandbox.write("b", "b\n");
    sandbox.write("d/c", "c\n");
    sandbox.commit("first");
    sandbox.git("mv a renamed");
    sandbox.write("b", "bb\n");
    sandbox.write("d/new", "n\n");
    sandbox.remove("d/c");
    sandbox.commit("second");
    sandbox.write("b", "on disk\n");
    let expected = ["a", "b", "d/c", "d/new", "renamed"];
    assert_eq!(changed(&sandbox, "HEAD~1", Some("HEAD")), expected);
    assert_eq!(changed(&sandbox, "HEAD", Some("HEAD~1")), expected);
    assert_eq!(
        changed(&sandbox, "HEAD", Some("HEAD")),
        Vec::<String>::new()
    );
    assert_eq!(content(&sandbox, "HEAD~1", "b"), text("b\n"));
    assert_eq!(content(&sandbox, "HEAD", "b"), text("bb\n"));
}

#[test]
fn settings_of_the_repository_do_not_change_the_answer() {
    let Some(sandbox) = Sandbox::repository() else {
        return;
    };
    sandbox.write("sub/a", "1\n");
    sandbox.write("b", "1\n");
    sandbox.write(".gitattributes", "* diff=odd\n");
    sandbox.commit("first");
    sandbox.write("sub/a", "2\n");
    sandbox.write("c", "");
    sandbox.commit("second");
    for (name, value) in [
        ("diff.noprefix", "true"),
        ("diff.relative", "true"),
        ("diff.orderFile", "/nowhere"),
        ("diff.external", "false"),
        ("diff.odd.textconv", "false"),
        ("diff.odd.command", "false"),
        ("core.fsmonitor", "/nowhere"),
        ("color.ui", "always"),
        ("core.quotePath", "true"),
        ("core.pager", "false"),
    ] {
        sandbox.git_with(&["config", name, value]);
    }
    sandbox.write("sub/a", "3\n");
    sandbox.write("ä", "");
    let repository = sandbox.open("sub");
    let commit = repository.commit("HEAD").expect("a commit");
    let paths = repository.changed_files(&commit, None).expect("read");
    assert_eq!(sandbox.names(&paths), ["sub/a", "ä"]);
    assert_eq!(changed(&sandbox, "HEAD~1", Some("HEAD")), ["c", "sub/a"]);
}

#[test]
fn nothing_is_written() {
    let Some(sandbox) = Sandbox::repository() else {
        return;
    };
    sandbox.write("a", "1\n");
    sandbox.write("b", "1\n");
    sandbox.commit("first");
    // The index has the old times of these, so that `git diff` and `git status` write it anew.
    std::thread::sleep(std::time::Duration::from_millis(20));
    sandbox.write("a", "1\n");
    sandbox.write("b", "2\n");
    let entries = || {
        let folder = std::fs::read_dir(sandbox.top.join(".git")).expect("read");
        let mut names: Vec<_> = folder
            .map(|entry| entry.expect("read").file_name())
            .collect();
        names.sort();
        names
    };
    let index = || bytes(&sandbox.top, &[".git/index", ".git/HEAD", ".git/config"]);
    let modified = || {
        let index = std::fs::metadata(sandbox.top.join(".git/index")).expect("read");
        index.modified().expect("a time")
    };
    let before = (entries(), index(), modified());
    assert_eq!(changed(&sandbox, "HEAD", None), ["b"]);
    assert_eq!(content(&sandbox, "HEAD", "b"), text("1\n"));
    assert_eq!((entries(), index(), modified()), before);
    // A lock of another git is no hindrance.
    sandbox.write(".git/index.lock", "");
    assert_eq!(changed(&sandbox, "HEAD", None), ["b"]);
}

#[test]
fn odd_names_are_kept() {
    let Some(sandbox) = Sandbox::repository() else {
        return;
    };
    let names = [
        " first",
        "a b.py",
        "ä/ö.py",
        "q\"uote'.py",
        "tab\there.py",
        "line\nbreak.py",
        "back\\slash",
        "-v",
        "--help",
        ":(top)x",
        "*.py",
        "[a]",
        "trailing ",
        "日本.py",
    ];
    for name in names {
        sandbox.write(name, name);
    }
    sandbox.commit("first");
    let repository = sandbox.open("");
    let commit = repository.commit("HEAD").expect("a commit");
    let paths: Vec<String> = names.iter().map(|name| sandbox.path(name)).collect();
    let contents = repository.contents(&commit, &paths, MANY).expect("read");
    let expected: Vec<Content> = names.iter().map(|name| text(name)).collect();
    assert_eq!(contents, expected);
    for name in names {
        sandbox.write(name, "x");
    }
    let mut sorted = names.to_vec();
    sorted.sort();
    assert_eq!(changed(&sandbox, "HEAD", None), sorted);
    sandbox.commit("second");
    assert_eq!(changed(&sandbox, "HEAD~1", Some("HEAD")), sorted);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf8_are_skipped() {
    use std::os::unix::ffi::OsStrExt;
    let Some(sandbox) = Sandbox::repository() else {
        return;
    };
    sandbox.commit("first");
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.py");
    std::fs::write(sandbox.top.join(name), "").expect("written");
    sandbox.write("a.py", "");
    assert_eq!(changed(&sandbox, "HEAD", None), ["a.py"]);
    sandbox.commit("second");
    assert_eq!(changed(&sandbox, "HEAD~1", Some("HEAD")), ["a.py"]);
    assert_eq!(content(&sandbox, "HEAD", "a.py"), text(""));
}

#[test]
fn contents_come_in_the_order_of_the_paths() {
    let Some(sandbox) = Sandbox::repository() else {
        return;
    };
    sandbox.write("empty", "");
    sandbox.write("large", "x".repeat(1000));
    sandbox.write("d/bytes", b"\0\xff\r\n");
    sandbox.commit("first");
    let repository = sandbox.open("");
    let commit = repository.commit("HEAD").expect("a commit");
    let contents = |names: &[&str], max| {
        let paths: Vec<String> = names.iter().map(|name| sandbox.path(name)).collect();
        repository.contents(&commit, &paths, max).expect("read")
    };
    let bytes = Content::Bytes(b"\0\xff\r\n".to_vec());
    assert_eq!(
        contents(&["d/bytes", "nope", "large", "d", "empty", "d/bytes"], 999),
        [
            bytes.clone(),
            Content::Absent,
            Content::TooLarge { size: 1000 },
            Content::Absent,
            text(""),
            bytes,
        ]
    );
    let large = contents(&["large"], 1000)
        .pop()
        .and_then(Content::into_bytes);
    assert_eq!(large.map(|bytes| bytes.len()), Some(1000));
    assert!(contents(&[], 10).is_empty());
    assert_eq!(contents(&["nope"], 10), [Content::Absent]);
    let odd = [
        "/elsewhere".to_owned(),
        "large".to_owned(),
        sandbox.path("d/../large"),
        sandbox.path("./large"),
        sandbox.path("d//bytes"),
        sandbox.path("a\0b"),
        sandbox.path(""),
        format!("{}x/large", repository.top()),
        repository.top().to_owned(),
    ];
    let contents = repository.contents(&commit, &odd, MANY).expect("read");
    assert!(contents.iter().all(|content| *content == Content::Absent));
}

#[test]
fn three_thousand_files_are_read_at_once() {
    let Some(sandbox) = Sandbox::repository() else {
        return;
    };
    let names: Vec<String> = (0..3000)
        .map(|number| {
            format!(
                "package_{}/module_with_a_long_name_{number}.py",
                number % 40
            )
        })
        .collect();
    let text_of = |number: usize| format!("x = {number}\n").repeat(50);
    for (number, name) in names.iter().enumerate() {
        sandbox.write(name, text_of(number));
    }
    sandbox.commit("first");
    for name in &names {
        sandbox.write(name, "x = 0\n");
    }
    let repository = sandbox.open("");
    let commit = repository.commit("HEAD").expect("a commit");
    assert_eq!(changed(&sandbox, "HEAD", None).len(), 3000);
    let paths: Vec<String> = names.iter().map(|name| sandbox.path(name)).collect();
    let contents = repository.contents(&commit, &paths, MANY).expect("read");
    for (number, content) in contents.into_iter().enumerate() {
        assert_eq!(content, text(&text_of(number)), "{number}");
    }
}

#[test]
fn a_partial_clone_reports_what_it_lacks_and_fetches_nothing() {
    let Some(sandbox) = Sandbox::repository() else {
        return;
    };
    sandbox.write("a", "old\n");
    sandbox.write("b", "1\n");
    sandbox.commit("first");
    sandbox.write("a", "2\n");
    sandbox.commit("second");
    sandbox.git("config uploadpack.allowFilter true");
    sandbox.git("config uploadpack.allowAnySHA1InWant true");
    let url = format!("file://{}", sandbox.path(""));
    sandbox.git_with(&["clone", "-q", "--filter=blob:none", &url, "partial"]);
    let partial = sandbox.open("partial");
    let before = partial.commit("HEAD~1").expect("commits are there");
    let paths = partial
        .changed_files(&before, None)
        .expect("trees are there");
    assert_eq!(paths, [sandbox.path("partial/a")]);
    let both = [sandbox.path("partial/b"), sandbox.path("partial/a")];
    for _ in 0..2 {
        let error = partial.contents(&before, &both, MANY).expect_err("missing");
        let GitError::ObjectMissing { object } = &error else {
            panic!("{error:?}");
        };
        let hash = sandbox.git("rev-parse HEAD~1:a");
        assert_eq!(*object, format!("the object {}", hash.trim()));
        assert!(error.what_to_do().contains("--refetch"));
    }
    let b = partial.contents(&before, &both[..1], MANY).expect("there");
    assert_eq!(b, [text("1\n")]);
    sandbox.git_with(&["clone", "-q", "--filter=tree:0", &url, "treeless"]);
    let treeless = sandbox.open("treeless");
    let before = treeless.commit("HEAD~1").expect("commits are there");
    let missing = |error: GitError| matches!(error, GitError::ObjectMissing { .. });
    let paths = [sandbox.path("treeless/a")];
    assert!(treeless.contents(&before, &paths, MANY).is_err_and(missing));
    assert!(treeless.changed_files(&before, None).is_err_and(missing));
}

#[test]
fn submodules_and_repositories_inside_are_skipped() {
    let Some(sandbox) = Sandbox::new() else {
        return;
    };
    for name in ["module", "outer"] {
        sandbox.git_with(&["init", "-q", name]);
        sandbox.write(&format!("{name}/a.py"), "1\n");
        sandbox.git_with(&["-C", name, "add", "-A"]);
        sandbox.git_with(&["-C", name, "commit", "-q", "-m", "first"]);
    }
    let url = sandbox.path("module");
    sandbox.git_with(&["-C", "outer", "submodule", "--quiet", "add", &url, "one"]);
    sandbox.git_with(&["-C", "outer", "submodule", "--quiet", "add", &url, "two"]);
    sandbox.git_with(&["-C", "outer", "commit", "-q", "-m", "with submodules"]);
    // A new commit in one, and the other gone; and a repository that is none of them.
    sandbox.write("outer/one/a.py", "2\n");
    sandbox.git_with(&["-C", "outer/one", "commit", "-q", "-a", "-m", "second"]);
    std::fs::remove_dir_all(sandbox.top.join("outer/two")).expect("removed");
    sandbox.git("init -q outer/nested");
    sandbox.write("outer/nested/a.py", "");
    sandbox.write("outer/a.py", "2\n");
    let outer = sandbox.open("outer");
    let (first, second) = (outer.commit("HEAD~1"), outer.commit("HEAD"));
    let (first, second) = (first.expect("a commit"), second.expect("a commit"));
    let names = |paths: Result<Vec<String>, GitError>| sandbox.names(&paths.expect("read"));
    assert_eq!(names(outer.changed_files(&second, None)), ["outer/a.py"]);
    let both = ["outer/.gitmodules", "outer/a.py"];
    assert_eq!(names(outer.changed_files(&first, None)), both);
    let one = names(outer.changed_files(&first, Some(&second)));
    assert_eq!(one, ["outer/.gitmodules"]);
    let paths = [sandbox.path("outer/one")];
    assert_eq!(
        outer.contents(&second, &paths, MANY),
        Ok(vec![Content::Absent])
    );
    // Inside a submodule its own repository is found.
    assert_eq!(sandbox.open("outer/one").top(), sandbox.path("outer/one"));
}

#[cfg(unix)]
#[test]
fn links_have_no_content() {
    let Some(sandbox) = Sandbox::repository() else {
        return;
    };
    sandbox.write("a.py", "1\n");
    std::os::unix::fs::symlink("a.py", sandbox.top.join("link.py")).expect("linked");
    std::os::unix::fs::symlink(".", sandbox.top.join("here")).expect("linked");
    sandbox.commit("first");
    assert_eq!(content(&sandbox, "HEAD", "link.py"), Content::Absent);
    assert_eq!(content(&sandbox, "HEAD", "here/a.py"), Content::Absent);
    assert_eq!(content(&sandbox, "HEAD", "a.py"), text("1\n"));
}

#[test]
fn unmerged_files_are_listed_once() {
    let Some(sandbox) = Sandbox::repository() else {
        return;
    };
    sandbox.write("a", "1\n");
    sandbox.commit("first");
    sandbox.git("checkout -q -b topic");
    sandbox.write("a", "2\n");
    sandbox.commit("topic");
    sandbox.git("checkout -q main");
    sandbox.write("a", "3\n");
    sandbox.commit("main");
    assert!(!sandbox.run(&["merge", "-q", "topic"]).status.success());
    assert_eq!(changed(&sandbox, "HEAD", None), ["a"]);
}
