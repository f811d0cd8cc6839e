//! Patches of each form that tools write, and each way in which one does not fit.

use std::collections::BTreeMap;
use std::process::Command;

use crate::sandbox::Sandbox;
use codeweft_git::{Change, FilePatch, Patch, PatchError, is_patch};

fn parse(text: &str) -> Patch {
    assert!(is_patch(text), "{text}");
    Patch::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// `change before after` of each file; `-` for none.
fn files(patch: &Patch) -> Vec<String> {
    let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "-".to_owned());
    let file = |file: &FilePatch| {
        format!(
            "{:?} {} {}",
            file.change,
            name(&file.before),
            name(&file.after)
        )
    };
    patch.files.iter().map(file).collect()
}

fn only(text: &str) -> FilePatch {
    let mut patch = parse(text);
    assert_eq!(patch.files.len(), 1, "{text}");
    patch.files.remove(0)
}

/// The texts after a patch of the files in a map.
fn applied(
    patch: &Patch,
    texts: &[(&str, &str)],
) -> Result<BTreeMap<String, Option<String>>, PatchError> {
    patch.apply(|path| {
        let found = texts.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| (*text).to_owned())
    })
}

/// What a patch should make of texts.
fn expected(texts: &[(&str, Option<&str>)]) -> BTreeMap<String, Option<String>> {
    let texts = texts.iter();
    texts
        .map(|(name, text)| ((*name).to_owned(), text.map(str::to_owned)))
        .collect()
}

/// A repository with one commit and with edits of every kind, staged.
fn edited() -> Option<Sandbox> {
    let sandbox = Sandbox::repository()?;
    sandbox.write("a b/edited.py", "1\n2\n3\n4\n5\n");
    sandbox.write("removed.py", "gone\n");
    sandbox.write("renamed.py", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    sandbox.write("moved.py", "one\ntwo\nthree\n");
    sandbox.write("empty.py", "");
    sandbox.write("ä \"q\".py", "1\n");
    sandbox.write("data.bin", b"\0\x01\x02");
    sandbox.write("b/mode.sh", "1\n");
    sandbox.commit("first");
    sandbox.write("a b/edited.py", "1\n2\nthree\n4\n5\n");
    sandbox.remove("removed.py");
    sandbox.remove("empty.py");
    sandbox.git("mv renamed.py to.py");
    sandbox.write("to.py", "1\n2\n3\n4\n5\n6\n7\n8\nnine\n");
    sandbox.git("mv moved.py b/moved.py");
    sandbox.write("ä \"q\".py", "2\n");
    sandbox.write("data.bin", b"\0\x01\x03");
    sandbox.write("b/new.py", "new\n");
    sandbox.write("new_empty.py", "");
    sandbox.git("add -A");
    sandbox.git("update-index --chmod=+x b/mode.sh");
    Some(sandbox)
}

/// The texts of the first commit of [`edited`].
const BEFORE: &[(&str, &str)] = &[
    ("a b/edited.py", "1\n2\n3\n4\n5\n"),
    ("removed.py", "gone\n"),
    ("renamed.py", "1\n2\n3\n4\n5\n6\n7\n8\n9\n"),
    ("moved.py", "one\ntwo\nthree\n"),
    ("empty.py", ""),
    ("ä \"q\".py", "1\n"),
    ("b/mode.sh", "1\n"),
];

fn after_edits() -> BTreeMap<String, Option<String>> {
    expected(&[
        ("a b/edited.py", Some("1\n2\nthree\n4\n5\n")),
        ("b/mode.sh", Some("1\n")),
        ("b/moved.py", Some("one\ntwo\nthree\n")),
        ("b/new.py", Some("new\n")),
        ("empty.py", None),
        ("moved.py", None),
        ("new_empty.py", Some("")),
        ("removed.py", None),
        ("renamed.py", None),
        ("to.py", Some("1\n2\n3\n4\n5\n6\n7\n8\nnine\n")),
        ("ä \"q\".py", Some("2\n")),
    ])
}

#[test]
fn diffs_of_git_are_read_with_any_options_and_settings() {
    let Some(sandbox) = edited() else { return };
    let changes = [
        "Edited a b/edited.py a b/edited.py",
        "Edited b/mode.sh b/mode.sh",
        "Renamed moved.py b/moved.py",
        "Added - b/new.py",
        "Edited data.bin data.bin",
        "Removed empty.py -",
        "Added - new_empty.py",
        "Removed removed.py -",
        "Renamed renamed.py to.py",
        "Edited ä \"q\".py ä \"q\".py",
    ];
    for options in [
        "--find-renames",
        "--find-renames --binary",
        "--find-renames --no-prefix",
        "--find-renames --src-prefix=one/ --dst-prefix=another/",
        "--find-renames --full-index --function-context",
        "--find-renames --unified=0",
        "--find-renames --unified=1 --stat --patch",
        "--find-renames --irreversible-delete",
    ] {
        let patch = parse(&sandbox.git(&format!("diff --cached --no-rename-empty {options}")));
        assert_eq!(files(&patch), changes, "{options}");
        assert_eq!(applied(&patch, BEFORE), Ok(after_edits()), "{options}");
        let binary = patch.files.iter().filter(|file| file.is_binary());
        assert_eq!(binary.count(), 1, "{options}");
    }
    let mnemonic = sandbox.git("-c diff.mnemonicPrefix=true diff --cached -M --no-rename-empty");
    assert!(mnemonic.contains("+++ i/"));
    assert_eq!(files(&parse(&mnemonic)), changes);
    let quoted = sandbox.git("-c core.quotePath=false diff --cached -M --no-rename-empty");
    assert!(quoted.contains("\"b/ä \\\"q\\\".py\""), "{quoted}");
    assert_eq!(files(&parse(&quoted)), changes);
    let whole = parse(&sandbox.git("diff --cached --no-renames"));
    assert_eq!(applied(&whole, BEFORE), Ok(after_edits()));
    assert!(files(&whole).contains(&"Added - to.py".to_owned()));
    let from_disk = parse(&sandbox.git("diff HEAD -M --no-rename-empty"));
    let mut after = after_edits();
    // Its mode differs in the index alone.
    after.remove("b/mode.sh");
    assert_eq!(applied(&from_disk, BEFORE), Ok(after));
}

#[test]
fn mails_and_shown_commits_are_read() {
    let Some(sandbox) = edited() else { return };
    let message =
        "Change\n\n--- a line of dashes\n+++ and of crosses\n--\nno patch: diff --gitting\n";
    sandbox.git_with(&["commit", "-q", "-m", message]);
    for text in [
        sandbox.git("format-patch --stdout -1"),
        sandbox.git("show --find-renames HEAD"),
        sandbox.git("show --find-renames --format=email HEAD"),
    ] {
        assert_eq!(applied(&parse(&text), BEFORE), Ok(after_edits()), "{text}");
    }
}

#[test]
fn a_series_of_patches_is_one_change() {
    let Some(sandbox) = Sandbox::repository() else {
        return;
    };
    sandbox.write("a.py", "1\n2\n3\n");
    sandbox.commit("first");
    sandbox.write("a.py", "one\n2\n3\n");
    sandbox.write("new.py", "n\n");
    sandbox.commit("second");
    sandbox.git("mv a.py b.py");
    sandbox.git("mv new.py newer.py");
    sandbox.commit("third");
    sandbox.write("b.py", "one\n2\nthree\n");
    sandbox.remove("newer.py");
    sandbox.commit("fourth");
    let patch = parse(&sandbox.git("format-patch --stdout -3"));
    assert_eq!(patch.files.len(), 6);
    assert_eq!(
        applied(&patch, &[("a.py", "1\n2\n3\n")]),
        Ok(expected(&[
            ("a.py", None),
            ("b.py", Some("one\n2\nthree\n")),
            ("new.py", None),
            ("newer.py", None),
        ]))
    );
}

#[test]
fn copies_and_exchanged_names_are_of_the_texts_before() {
    let Some(sandbox) = Sandbox::repository() else {
        return;
    };
    let lines = |first: &str| format!("{first}\n") + &"a long line, again and again\n".repeat(20);
    sandbox.write("a.py", lines("1"));
    sandbox.write("x.py", "the lines of another file\n".repeat(20));
    sandbox.commit("first");
    sandbox.write("a.py", lines("one"));
    sandbox.write("b.py", lines("eins"));
    sandbox.git("add -A");
    let patch = parse(&sandbox.git("diff --cached --find-copies"));
    assert_eq!(files(&patch), ["Edited a.py a.py", "Copied a.py b.py"]);
    let (one, eins) = (lines("one"), lines("eins"));
    assert_eq!(
        applied(&patch, &[("a.py", &lines("1"))]),
        Ok(expected(&[("a.py", Some(&one)), ("b.py", Some(&eins))]))
    );
    sandbox.git("reset -q --hard");
    let (a, x) = (sandbox.read("a.py"), sandbox.read("x.py"));
    sandbox.write("a.py", &x);
    sandbox.write("x.py", &a);
    sandbox.git("add -A");
    let patch = parse(&sandbox.git("diff --cached --break-rewrites --find-renames"));
    assert_eq!(files(&patch), ["Renamed x.py a.py", "Renamed a.py x.py"]);
    assert_eq!(
        applied(&patch, &[("a.py", &a), ("x.py", &x)]),
        Ok(expected(&[("a.py", Some(&x)), ("x.py", Some(&a))]))
    );
}

#[test]
fn links_and_submodules_are_skipped() {
    let text = "\
diff --git a/link.py b/link.py
new file mode 120000
index 0000000..1111111
--- /dev/null
+++ b/link.py
@@ -0,0 +1 @@
+a.py
\\ No newline at end of file
diff --git a/module b/module
index 1111111..2222222 160000
--- a/module
+++ b/module
@@ -1 +1 @@
-Subproject commit 1111111
+Subproject commit 2222222
";
    assert!(parse(text).files.is_empty());
}

#[test]
fn diffs_of_diff_are_read() {
    let Some(sandbox) = Sandbox::new() else {
        return;
    };
    if Command::new("diff").arg("--version").output().is_err() {
        println!("skipped: there is no program diff");
        return;
    }
    for (name, before, after) in [
        ("d/edited.py", Some("1\n2\n3\n"), Some("1\ntwo\n3\n")),
        ("a b.py", Some("1\n"), Some("2")),
        ("removed.py", Some("1\n"), None),
        ("new.py", None, Some("1\n")),
        ("ä\".py", Some("1\n"), Some("2\n")),
    ] {
        for (folder, text) in [("old", before), ("new", after)] {
            if let Some(text) = text {
                sandbox.write(&format!("{folder}/{name}"), text);
            }
        }
    }
    sandbox.write("x.py.orig", "1\n");
    sandbox.write("x.py", "2\n");
    let diff = |arguments: &[&str]| {
        let mut command = Command::new("diff");
        command.args(arguments).current_dir(&sandbox.top);
        let output = command.output().expect("diff runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let patch = parse(&diff(&["-urN", "old", "new"]));
    assert_eq!(
        files(&patch),
        [
            "Edited a b.py a b.py",
            "Edited d/edited.py d/edited.py",
            "Added - new.py",
            "Removed removed.py -",
            "Edited ä\".py ä\".py",
        ]
    );
    let text = diff(&["-u", "x.py.orig", "x.py"]);
    let patch = parse(&text);
    assert_eq!(files(&patch), ["Edited x.py.orig x.py"]);
    for name in ["x.py", "x.py.orig"] {
        let changed = expected(&[(name, Some("2\n"))]);
        assert_eq!(applied(&patch, &[(name, "1\n")]), Ok(changed));
    }
    let both = [("x.py.orig", "1\n"), ("x.py", "1\n")];
    assert_eq!(
        applied(&patch, &both),
        Ok(expected(&[("x.py", Some("2\n"))]))
    );
    let other = [("x.py.orig", "1\n"), ("x.py", "3\n")];
    let changed = expected(&[("x.py.orig", Some("2\n"))]);
    assert_eq!(applied(&patch, &other), Ok(changed));
    assert!(matches!(
        applied(&patch, &[]),
        Err(PatchError::Missing { .. })
    ));
}

#[test]
fn diffs_of_subversion_and_mercurial_are_read() {
    let text = "\
Index: d/a.py
===================================================================
--- d/a.py\t(revision 10)
+++ d/a.py\t(working copy)
@@ -1,2 +1,2 @@
 1
-2
+two

Property changes on: d/a.py
___________________________________________________________________
Added: svn:executable
## -0,0 +1 ##
+*
\\ No newline at end of property
Index: new.py
===================================================================
--- new.py\t(nonexistent)
+++ new.py\t(working copy)
@@ -0,0 +1 @@
+1
Index: old.py
===================================================================
--- old.py\t(revision 10)
+++ old.py\t(nonexistent)
@@ -1 +0,0 @@
-1
";
    let patch = parse(text);
    let changes = ["Edited d/a.py d/a.py", "Added - new.py", "Removed old.py -"];
    assert_eq!(files(&patch), changes);
    let before = [("d/a.py", "1\n2\n"), ("old.py", "1\n")];
    let after = [
        ("d/a.py", Some("1\ntwo\n")),
        ("new.py", Some("1\n")),
        ("old.py", None),
    ];
    assert_eq!(applied(&patch, &before), Ok(expected(&after)));
    let text = "\
diff -r 0123456789ab d/a.py
--- a/d/a.py\tThu Jan 01 00:00:00 1970 +0000
+++ b/d/a.py\tFri Jan 05 10:00:00 2024 +0100
@@ -1,2 +1,2 @@
 1
-2
+two
diff -r 0123456789ab new.py
--- /dev/null\tThu Jan 01 00:00:00 1970 +0000
+++ b/new.py\tFri Jan 05 10:00:00 2024 +0100
@@ -0,0 +1,1 @@
+1
diff -r 0123456789ab old.py
--- a/old.py\tThu Jan 04 00:00:00 2024 +0000
+++ /dev/null\tThu Jan 01 00:00:00 1970 +0000
@@ -1,1 +0,0 @@
-1
";
    assert_eq!(files(&parse(text)), changes);
    assert_eq!(applied(&parse(text), &before), Ok(expected(&after)));
}

const EDIT: &str = "\
--- a/a.py
+++ b/a.py
@@ -2,3 +2,3 @@ def f():
 2
-3
+three
 4
";

#[test]
fn a_patch_from_windows_fits_to_texts_of_both_kinds() {
    let text = "1\n2\n3\n4\n5\n";
    let after = text.replace('3', "three");
    let crlf = |text: &str| text.replace('\n', "\r\n");
    for patch in [
        EDIT.to_owned(),
        crlf(EDIT),
        format!("\u{feff}{}", crlf(EDIT)),
    ] {
        let file = only(&patch);
        assert_eq!(file.path(), "a.py");
        assert_eq!(file.apply(Some(text)), Ok(Some(after.clone())));
        assert_eq!(file.apply(Some(&crlf(text))), Ok(Some(crlf(&after))));
    }
    let git = format!(
        "diff --git a/a.py b/a.py\nnew file mode 100644\n{}",
        "--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+1\n"
    );
    let file = only(&crlf(&git));
    assert_eq!((file.change, file.path()), (Change::Added, "a.py"));
    assert_eq!(file.apply(None), Ok(Some("1\n".to_owned())));
}

#[test]
fn texts_around_and_lost_ends_do_no_harm() {
    let text = Some("1\n2\n3\n4\n5\n");
    let after = Ok(Some("1\n2\nthree\n4\n5\n".to_owned()));
    for patch in [
        EDIT.trim_end().to_owned(),
        format!("Hello,\n\n--- see below\n\n{EDIT}-- \nA B\n"),
        format!("{EDIT}\n\n"),
        format!("# user A B\n# date 0\n{EDIT}"),
    ] {
        assert_eq!(only(&patch).apply(text), after, "{patch}");
    }
    let blank = EDIT.replace(" 4\n", " \n");
    let file = only(blank.trim_end());
    assert_eq!(
        file.apply(Some("1\n2\n3\n\n")),
        Ok(Some("1\n2\nthree\n\n".to_owned()))
    );
}

#[test]
fn names_of_revisions_are_no_patches() {
    for text in [
        "main",
        "HEAD~3",
        "a..b",
        "",
        "\n",
        "main\n",
        "--- a\n+++ b\n",
        "diff --git a/x b/x",
    ] {
        assert!(!is_patch(text), "{text}");
    }
    for text in ["", "main", "--- a\n+++ b\n", "some\ntext\n"] {
        assert_eq!(Patch::parse(text), Err(PatchError::NotAPatch));
    }
}

#[test]
fn broken_patches_are_errors_with_the_line() {
    let cut = EDIT.strip_suffix("+three\n 4\n").expect("its end");
    let orphan = "@@ -1 +1 @@\n-1\n+2\n";
    let between = format!("{EDIT}words\n{orphan}");
    let nothing = format!("--- /dev/null\n+++ /dev/null\n{orphan}");
    for (text, expected) in [
        (cut, 6),
        (&EDIT.replace("2,3 @@", "2,2 @@"), 7),
        (&EDIT.replace("\n-3", "\n?3"), 5),
        (orphan, 1),
        (&between, 9),
        (&nothing, 1),
        ("diff --git a/x b/y\nold mode 100644\nnew mode 100755\n", 1),
    ] {
        match Patch::parse(text) {
            Err(PatchError::Unreadable { line, .. }) => assert_eq!(line, expected, "{text}"),
            other => panic!("{other:?}: {text}"),
        }
    }
    let combined = "diff --cc a.py\nindex 1,2..3\n--- a/a.py\n+++ b/a.py\n@@@ -1,1 -1,1 +1,1 @@@\n- 1\n -2\n++3\n";
    assert!(is_patch(combined));
    let error = Patch::parse(combined).expect_err("combined");
    assert_eq!(error, PatchError::Combined { line: 1 });
    assert!(error.what_to_do().contains("--first-parent"));
}

#[test]
fn a_merge_is_shown_as_a_combined_diff() {
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
    sandbox.run(&["merge", "-q", "topic"]);
    sandbox.write("a", "4\n");
    sandbox.commit("merged");
    let error = Patch::parse(&sandbox.git("show HEAD")).expect_err("combined");
    assert!(matches!(error, PatchError::Combined { .. }), "{error}");
    assert!(Patch::parse(&sandbox.git("show --first-parent HEAD")).is_ok());
}

#[test]
fn patches_that_do_not_fit_are_errors_with_the_file() {
    let file = "a.py".to_owned();
    let edit = only(EDIT);
    let does_not_apply = PatchError::DoesNotApply {
        file: file.clone(),
        hunk: 1,
        line: 2,
    };
    assert_eq!(edit.apply(Some("1\n2\n")), Err(does_not_apply.clone()));
    assert_eq!(
        edit.apply(Some("1\n2\n3 \n4\n")),
        Err(does_not_apply.clone())
    );
    let text = does_not_apply.to_string();
    assert_eq!(
        text,
        "hunk 1 of `a.py` does not apply: its lines are not in the text, neither at line 2 nor elsewhere"
    );
    let applied = edit.apply(Some("1\n2\nthree\n4\n5\n"));
    assert_eq!(
        applied,
        Err(PatchError::AlreadyApplied { file: file.clone() })
    );
    let missing = Err(PatchError::Missing { file: file.clone() });
    assert_eq!(edit.apply(None), missing);

    let add = only("--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+1\n");
    assert_eq!(add.apply(None), Ok(Some("1\n".to_owned())));
    let there = Err(PatchError::AlreadyThere { file: file.clone() });
    assert_eq!(add.apply(Some("2\n")), there);
    assert_eq!(add.apply(Some("")), there);
    let applied = Err(PatchError::AlreadyApplied { file: file.clone() });
    assert_eq!(add.apply(Some("1\n")), applied);

    let remove = only("--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n");
    assert_eq!(remove.apply(Some("1\n")), Ok(None));
    assert_eq!(remove.apply(None), missing);
    let leaves = Err(PatchError::LeavesText { file: file.clone() });
    assert_eq!(remove.apply(Some("1\n2\n")), leaves);
    assert!(matches!(
        remove.apply(Some("2\n")),
        Err(PatchError::DoesNotApply { .. })
    ));

    let rename =
        only("diff --git a/a.py b/b.py\nsimilarity index 100%\nrename from a.py\nrename to b.py\n");
    assert_eq!(rename.apply(Some("1\n")), Ok(Some("1\n".to_owned())));
    assert_eq!(rename.apply(None), missing);

    let binary = only(
        "diff --git a/a.py b/a.py\nindex 1..2 100644\nBinary files a/a.py and b/a.py differ\n",
    );
    assert!(binary.is_binary());
    assert_eq!(binary.apply(Some("")), Err(PatchError::Binary { file }));

    for error in [does_not_apply, PatchError::NotAPatch] {
        assert!(!error.what_to_do().is_empty());
    }
}

#[test]
fn the_working_trees_own_diff_is_already_applied() {
    let Some(sandbox) = Sandbox::repository() else {
        return;
    };
    sandbox.write("a.py", "1\n2\n3\n");
    sandbox.commit("first");
    sandbox.write("a.py", "1\n2\nthree\n");
    let patch = parse(&sandbox.git("diff"));
    let error = patch
        .apply(|path| Some(sandbox.read(path)))
        .expect_err("applied");
    assert!(matches!(error, PatchError::AlreadyApplied { .. }));
    assert!(error.what_to_do().contains("HEAD"));
}

#[test]
fn a_file_that_was_empty_or_missing_gets_its_lines() {
    let file = only("--- a.py\n+++ a.py\n@@ -0,0 +1 @@\n+1\n");
    assert_eq!(file.change, Change::Edited);
    for before in [None, Some("")] {
        assert_eq!(file.apply(before), Ok(Some("1\n".to_owned())));
    }
}
