//! The history and the trees of repositories, with and without work trees.

use codeweft_git::{
    Change, Content, GitError, History, HistoryBounds, HistoryState, NewEntries, Objects, Patch,
};

use crate::sandbox::Sandbox;

fn is_source(name: &str) -> bool {
    name.ends_with(".py")
}

fn read(objects: &Objects, revision: &str) -> History {
    let head = objects.commit(revision).expect("a commit");
    let history = objects.history(&head, HistoryBounds::default(), is_source);
    history.expect("read")
}

/// The first lines of messages, each with the files.
fn rows(history: &History) -> Vec<String> {
    let row = |entry: &codeweft_git::LogEntry| {
        let line = entry.message.lines().next().unwrap_or_default();
        format!("{line}: {}", entry.files.join(" "))
    };
    history.entries.iter().map(row).collect()
}

/// Three commits on a branch, one on another, merged; a commit without source.
fn merged() -> Option<Sandbox> {
    let sandbox = Sandbox::repository()?;
    sandbox.write("a.py", "1\n");
    sandbox.write("d/b.py", "1\n");
    sandbox.commit("begin\n\nwith more words");
    sandbox.git("checkout -q -b topic");
    sandbox.git("mv a.py c.py");
    sandbox.commit("move");
    sandbox.git("checkout -q main");
    sandbox.write("README", "1\n");
    sandbox.commit("words");
    sandbox.write("d/b.py", "2\n");
    sandbox.commit("change");
    sandbox.git("merge -q --no-ff -m merge topic");
    sandbox.write("later.py", "");
    sandbox.commit("later");
    Some(sandbox)
}

#[test]
fn a_history_has_the_ancestors_that_touch_source_and_no_merge() {
    let Some(sandbox) = merged() else { return };
    let objects = sandbox.open("").objects().clone();
    let history = read(&objects, "HEAD~1");
    let mut rows = rows(&history);
    // Commits of one second have no order but that of their ancestry.
    rows.sort();
    let expected = ["begin: a.py d/b.py", "change: d/b.py", "move: a.py c.py"];
    assert_eq!(rows, expected);
    assert_eq!(history.state, HistoryState::Whole);
    assert_eq!(
        history.entries.last().expect("one").message,
        "begin\n\nwith more words"
    );
    assert!(history.head_time > 1_700_000_000);
}

#[test]
fn settings_of_a_user_change_no_history() {
    let Some(sandbox) = merged() else { return };
    let objects = sandbox.open("").objects().clone();
    let expected = read(&objects, "HEAD");
    for setting in [
        "log.showRoot false",
        "log.showSignature true",
        "diff.renames copies",
        "log.diffMerges first-parent",
        "diff.noprefix true",
        "core.quotePath true",
        "color.ui always",
        "diff.relative true",
    ] {
        sandbox.git(&format!("config {setting}"));
    }
    assert_eq!(read(&objects, "HEAD"), expected);
}

#[test]
fn a_history_of_a_folder_has_paths_from_there() {
    let Some(sandbox) = merged() else { return };
    let objects = sandbox.open("").objects().clone();
    let head = objects.commit("HEAD").expect("a commit");
    let bounds = HistoryBounds {
        below: "d",
        ..HistoryBounds::default()
    };
    let history = objects.history(&head, bounds, is_source).expect("read");
    assert_eq!(rows(&history), ["change: b.py", "begin: b.py"]);
}

#[test]
fn after_new_commits_only_those_are_read() {
    let Some(sandbox) = merged() else { return };
    let objects = sandbox.open("").objects().clone();
    let bounds = HistoryBounds::default();
    let [last, head] = ["HEAD~1", "HEAD"].map(|name| objects.commit(name).expect("a commit"));
    let since = |from, to| objects.history_since(from, to, bounds, is_source);
    let NewEntries::Appended(new) = since(&last, &head).expect("read") else {
        panic!("an ancestor");
    };
    assert_eq!(rows(&new), ["later: later.py"]);
    let NewEntries::Appended(none) = since(&head, &head).expect("read") else {
        panic!("the same");
    };
    assert!(none.entries.is_empty());
    let NewEntries::Rewritten(whole) = since(&head, &last).expect("read") else {
        panic!("no ancestor");
    };
    assert_eq!(whole, read(&objects, "HEAD~1"));
}

#[test]
fn a_rewritten_history_is_read_anew() {
    let Some(sandbox) = merged() else { return };
    let objects = sandbox.open("").objects().clone();
    let last = objects.commit("HEAD").expect("a commit");
    sandbox.git("commit -q --amend -m other");
    let head = objects.commit("HEAD").expect("a commit");
    let new = objects.history_since(&last, &head, HistoryBounds::default(), is_source);
    let NewEntries::Rewritten(new) = new.expect("read") else {
        panic!("rewritten");
    };
    assert!(rows(&new).contains(&"other: later.py".to_owned()));
    assert_eq!(new.entries.len(), 4);
    // A head that the repository no longer has is none of its ancestors either.
    sandbox.git("reflog expire --expire=now --all");
    sandbox.git("gc -q --prune=now");
    let again = objects.history_since(&last, &head, HistoryBounds::default(), is_source);
    assert_eq!(again.expect("read"), NewEntries::Rewritten(new));
}

#[test]
fn a_detached_head_has_its_own_history() {
    let Some(sandbox) = merged() else { return };
    sandbox.git("checkout -q --detach topic");
    let objects = sandbox.open("").objects().clone();
    assert_eq!(rows(&read(&objects, "HEAD")).len(), 2);
}

#[test]
fn a_shallow_history_ends_without_the_files_of_its_oldest_commit() {
    let Some(sandbox) = merged() else { return };
    let url = format!("file://{}", sandbox.path(""));
    sandbox.git(&format!("clone -q --depth 2 {url} shallow"));
    let objects = sandbox.open("shallow").objects().clone();
    let history = read(&objects, "HEAD");
    assert_eq!(history.state, HistoryState::Shallow);
    // Merges have no files, and its parents are where the clone ends.
    assert_eq!(rows(&history), ["later: later.py"]);
}

#[test]
fn a_history_ends_before_a_missing_object() {
    let Some(sandbox) = Sandbox::repository() else {
        return;
    };
    for text in ["1\n", "2\n", "3\n", "4\n"] {
        sandbox.write("d/a.py", text);
        sandbox.commit(&format!("write {text}"));
    }
    let tree = sandbox.git("rev-parse HEAD~3:d");
    let (folder, file) = tree.trim().split_at(2);
    sandbox.remove(&format!(".git/objects/{folder}/{file}"));
    let objects = sandbox.open("").objects().clone();
    let history = read(&objects, "HEAD");
    assert!(
        matches!(history.state, HistoryState::Incomplete { .. }),
        "{:?}",
        history.state
    );
    // The change of the second commit cannot be read, and the third may have had more names.
    assert_eq!(rows(&history), ["write 4: d/a.py"]);
}

#[test]
fn a_repository_needs_no_work_tree() {
    let Some(sandbox) = merged() else { return };
    let expected = read(sandbox.open("").objects(), "main");
    let url = sandbox.path("");
    sandbox.git(&format!("clone -q --bare {url} bare"));
    let bare = Objects::of(&sandbox.top.join("bare")).expect("a repository");
    assert_eq!(read(&bare, "main"), expected);
    let whole = Objects::of(&sandbox.top).expect("a repository");
    assert_eq!(read(&whole, "main"), expected);
    for inside in ["d", "bare/objects", "none", ".git/refs"] {
        let error = Objects::of(&sandbox.top.join(inside)).expect_err(inside);
        assert!(matches!(error, GitError::NoRepository { .. }), "{error:?}");
    }
}

#[test]
fn a_tree_has_the_regular_files_of_a_commit() {
    let Some(sandbox) = merged() else { return };
    let objects = sandbox.open("").objects().clone();
    let commit = objects.commit("topic").expect("a commit");
    let tree = objects.tree(&commit).expect("read");
    let names: Vec<&str> = tree.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["c.py", "d/b.py"]);
    assert_eq!(tree[0].blob, tree[1].blob);
    let blobs = tree.into_iter().map(|file| file.blob).collect();
    let contents = objects.blobs(blobs, 10).expect("read");
    let contents: Vec<_> = contents
        .into_iter()
        .filter_map(|one| one.into_bytes())
        .collect();
    assert_eq!(contents, [b"1\n", b"1\n"]);
}

#[test]
fn a_content_that_the_repository_lacks_is_absent() {
    let Some(sandbox) = merged() else { return };
    let objects = sandbox.open("").objects().clone();
    let known = sandbox.git("rev-parse HEAD:c.py");
    let missing = "0123456789012345678901234567890123456789";
    let contents = objects.blobs(vec![missing.to_owned(), known.trim().to_owned()], 10);
    let expected = [Content::Absent, Content::Bytes(b"1\n".to_vec())];
    assert_eq!(contents.expect("read"), expected);
}

#[test]
fn a_patch_between_commits_names_the_lines_before() {
    let Some(sandbox) = Sandbox::repository() else {
        return;
    };
    let lines: Vec<String> = (1..=20).map(|line| format!("{line}\n")).collect();
    sandbox.write("a.py", lines.concat());
    sandbox.write("b.py", "");
    sandbox.write("other.md", "");
    sandbox.commit("first");
    let mut edited = lines.clone();
    edited[1] = "two\n".to_owned();
    edited.insert(15, "between\n".to_owned());
    sandbox.write("a.py", edited.concat());
    sandbox.write("b.py", "1\n");
    sandbox.write("new.py", "1\n");
    sandbox.write("other.md", "1\n");
    sandbox.commit("second");
    sandbox.git("config diff.noprefix true");
    sandbox.git("config diff.context 0");
    let objects = sandbox.open("").objects().clone();
    let [before, after] = ["HEAD~1", "HEAD"].map(|name| objects.commit(name).expect("a commit"));
    let text = objects.patch_between(&before, &after, &["a.py", "b.py", "new.py"]);
    let patch = Patch::parse(&text.expect("read")).expect("a patch");
    let rows: Vec<_> = patch
        .files
        .iter()
        .map(|file| {
            (
                file.path(),
                file.change,
                file.ranges_before().collect::<Vec<_>>(),
            )
        })
        .collect();
    let expected = [
        ("a.py", Change::Edited, vec![(1, 5), (13, 18)]),
        ("b.py", Change::Edited, vec![(1, 1)]),
        ("new.py", Change::Added, vec![(1, 1)]),
    ];
    assert_eq!(rows, expected);
    let none = objects.patch_between(&after, &after, &[]).expect("read");
    assert_eq!(none, "");
}
