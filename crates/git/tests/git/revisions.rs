//! Repositories and revisions: what is found, and each way in which it is not.

use std::path::Path;

use crate::sandbox::Sandbox;
use codeweft_git::{GitError, Repository, range};

/// Two commits, a tag of the first, and a branch.
fn history() -> Option<Sandbox> {
    let sandbox = Sandbox::repository()?;
    sandbox.write("a.py", "1\n");
    sandbox.commit("first words");
    sandbox.git("tag -a -m tagged v1");
    sandbox.write("a.py", "2\n");
    sandbox.commit("second");
    sandbox.git("branch topic");
    Some(sandbox)
}

fn hash(sandbox: &Sandbox, revision: &str) -> String {
    let revision = format!("{revision}^{{commit}}");
    let hash = sandbox.git_with(&["rev-parse", &revision]);
    hash.trim().to_owned()
}

#[test]
fn revisions_of_many_forms_are_found() {
    let Some(sandbox) = history() else { return };
    let repository = sandbox.open("");
    assert_eq!(repository.top(), sandbox.top.to_str().expect("UTF-8"));
    let (first, second) = (hash(&sandbox, "HEAD~1"), hash(&sandbox, "HEAD"));
    for (revision, expected) in [
        ("HEAD", &second),
        ("main~1", &first),
        ("v1", &first),
        ("topic^", &first),
        ("@", &second),
        (":/first words", &first),
        ("HEAD^{/first}", &first),
        (&second[..7], &second),
        (&second, &second),
    ] {
        let commit = repository.commit(revision).expect(revision);
        assert_eq!(commit.hash(), expected, "{revision}");
        assert_eq!(commit.short(), &expected[..10]);
    }
}

#[test]
fn names_without_a_commit_are_errors_and_never_options() {
    let Some(sandbox) = history() else { return };
    let repository = sandbox.open("");
    for revision in [
        "nope",
        "",
        "--help",
        "-v",
        "--all",
        "--output=x",
        "^HEAD",
        "HEAD..main",
        "HEAD^{tree}",
        "HEAD:a.py",
        "@{upstream}",
        ":/words of no message",
        "0123456789012345678901234567890123456789",
        "a\0b",
        "a b\n",
        "ü",
    ] {
        let error = repository.commit(revision).expect_err(revision);
        let GitError::NoSuchRevision {
            revision: named, ..
        } = &error
        else {
            panic!("{revision}: {error:?}");
        };
        assert_eq!(named, revision);
        assert!(!error.to_string().contains("single revision"), "{error}");
        assert!(error.what_to_do().contains("git log"));
    }
    assert!(!sandbox.top.join("x").exists());
    let error = repository.commit("@{upstream}").expect_err("no upstream");
    let expected = "`@{upstream}` names no commit: no upstream configured for branch 'main'";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_subfolder_and_a_linked_worktree_have_a_repository() {
    let Some(sandbox) = history() else { return };
    sandbox.write("sub/deep/b.py", "");
    let repository = sandbox.open("sub/deep");
    assert_eq!(repository.top(), sandbox.path("").trim_end_matches('/'));
    sandbox.git("worktree add -q linked topic");
    let linked = sandbox.open("linked");
    assert_eq!(linked.top(), sandbox.path("linked"));
    assert_eq!(linked.commit("HEAD"), repository.commit("topic"));
    sandbox.write("linked/a.py", "3\n");
    let before = linked.commit("HEAD").expect("a commit");
    let changed = linked.changed_files(&before, None).expect("read");
    assert_eq!(changed, [sandbox.path("linked/a.py")]);
}

#[test]
fn folders_without_a_work_tree_are_errors() {
    let Some(sandbox) = Sandbox::new() else {
        return;
    };
    let error = |name: &str| {
        let error = Repository::around(&sandbox.top.join(name)).expect_err(name);
        assert!(!error.what_to_do().is_empty());
        error
    };
    // The temporary folder itself must be in no repository.
    assert!(matches!(error(""), GitError::NoRepository { .. }));
    assert!(matches!(error("nowhere"), GitError::NoRepository { .. }));
    sandbox.git("init -q --bare bare");
    assert!(matches!(error("bare"), GitError::NoWorkTree { .. }));
    sandbox.git("init -q full");
    assert!(matches!(error("full/.git"), GitError::NoWorkTree { .. }));
    sandbox.write("broken/.git", "gitdir: nowhere\n");
    assert!(matches!(error("broken"), GitError::NoRepository { .. }));
    sandbox.git("init -q newer");
    sandbox.write(
        "newer/.git/config",
        "[core]\nrepositoryformatversion = 99\n",
    );
    let failed = error("newer");
    let text = failed.to_string();
    assert!(text.starts_with("`git rev-parse` failed: "), "{text}");
    assert!(text.contains("99"), "{text}");
    assert!(Repository::around(Path::new("/nowhere/at/all")).is_err());
    let full = sandbox.open("full");
    std::fs::remove_dir_all(sandbox.top.join("full")).expect("removed");
    let error = full.commit("HEAD").expect_err("the folder is gone");
    assert!(matches!(error, GitError::NoRepository { .. }), "{error}");
}

#[test]
fn a_repository_without_a_commit_says_so() {
    let Some(sandbox) = Sandbox::repository() else {
        return;
    };
    let repository = sandbox.open("");
    for revision in ["HEAD", "@", "HEAD~1", "main"] {
        let error = repository.commit(revision).expect_err(revision);
        assert!(matches!(error, GitError::NoCommitYet { .. }), "{error}");
    }
    sandbox.write("a.py", "");
    sandbox.commit("first");
    assert!(repository.commit("HEAD").is_ok());
    sandbox.git("checkout -q --orphan other");
    let error = repository.commit("HEAD").expect_err("orphan");
    assert!(matches!(error, GitError::NoCommitYet { .. }), "{error}");
    assert!(repository.commit("main").is_ok());
    let error = repository.commit("nope").expect_err("no such branch");
    assert!(matches!(error, GitError::NoSuchRevision { .. }), "{error}");
}

#[test]
fn a_shallow_clone_advises_to_fetch_more() {
    let Some(sandbox) = history() else { return };
    let url = format!("file://{}", sandbox.path(""));
    sandbox.git_with(&["clone", "-q", "--depth", "1", &url, "shallow"]);
    let shallow = sandbox.open("shallow");
    let head = shallow.commit("HEAD").expect("the newest commit");
    let old = hash(&sandbox, "HEAD~1");
    for revision in ["HEAD~1", "v1", &old] {
        let error = shallow.commit(revision).expect_err(revision);
        assert!(
            matches!(error, GitError::NotInShallowClone { .. }),
            "{error}"
        );
        assert!(error.what_to_do().contains("--unshallow"));
        assert!(error.what_to_do().contains("--deepen"));
    }
    assert_eq!(shallow.changed_files(&head, None), Ok(Vec::new()));
    sandbox.git("-C shallow checkout -q --orphan other");
    sandbox.git("-C shallow commit -q -m alone");
    let other = shallow.commit("HEAD").expect("a commit");
    let error = shallow.merge_base(&head, &other).expect_err("none");
    assert!(
        matches!(error, GitError::NotInShallowClone { .. }),
        "{error}"
    );
}

#[test]
fn ranges_lead_to_commits() {
    let Some(sandbox) = history() else { return };
    sandbox.git("checkout -q topic");
    sandbox.write("b.py", "");
    sandbox.commit("on the branch");
    sandbox.git("checkout -q main");
    sandbox.write("c.py", "");
    sandbox.commit("on main");
    let repository = sandbox.open("");
    let commits = |text| {
        let (first, second) = repository.commits(&range(text)).expect("commits");
        (
            first.hash().to_owned(),
            second.map(|one| one.hash().to_owned()),
        )
    };
    let (main, topic) = (hash(&sandbox, "main"), hash(&sandbox, "topic"));
    let base = hash(&sandbox, "topic~1");
    assert_eq!(commits("topic"), (topic.clone(), None));
    assert_eq!(commits("topic..main"), (topic.clone(), Some(main.clone())));
    assert_eq!(commits("topic.."), (topic.clone(), Some(main.clone())));
    assert_eq!(commits("main...topic"), (base, Some(topic)));
    for text in ["main..nope", "nope...main", "..", "--all..main"] {
        assert!(repository.commits(&range(text)).is_err(), "{text}");
    }
    sandbox.git("checkout -q --orphan alone");
    sandbox.commit("alone");
    let error = repository
        .commits(&range("main...alone"))
        .expect_err("no base");
    assert!(matches!(error, GitError::NoMergeBase { .. }), "{error}");
    assert!(repository.commits(&range("main..alone")).is_ok());
}

#[test]
fn a_version_is_a_tag_of_the_commit_else_the_commit() {
    let Some(sandbox) = Sandbox::repository() else {
        return;
    };
    sandbox.write("a.go", "package a\n");
    sandbox.commit("one");
    let repository = sandbox.open("");
    let head = repository.commit("HEAD").expect("a commit");
    let version = || repository.version().expect("a version");
    assert_eq!(version(), head.hash()[..12]);
    sandbox.git("tag nightly");
    assert_eq!(version(), "nightly");
    sandbox.git("tag v1.2.0");
    assert_eq!(version(), "v1.2.0");
    sandbox.write("a.go", "package a // more\n");
    sandbox.commit("two");
    assert_ne!(version(), "v1.2.0");
}
