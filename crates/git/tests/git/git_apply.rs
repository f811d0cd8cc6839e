//! Patches make of a text what `git apply` makes of it, and are refused where it refuses them.

use crate::sandbox::Sandbox;
use codeweft_git::{Change, Patch};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

const ROUNDS: u32 = 200;

/// One edit of a list of lines: at an index, so many lines are replaced by others.
type LineEdit = (Index, usize, Vec<&'static str>);

#[derive(Clone, Debug)]
struct Case {
    lines: Vec<&'static str>,
    edits: Vec<LineEdit>,
    /// Edits of the text that the patch is applied to, beside those of the patch.
    moves: Vec<LineEdit>,
    context: usize,
    is_crlf: bool,
    /// Whether the text has a final line break before and after.
    ends: (bool, bool),
}

fn line() -> impl Strategy<Value = &'static str> {
    // Few lines, so that hunks fit at several positions; some look like headers.
    prop::sample::select(vec![
        "a",
        "b",
        "c",
        "{",
        "}",
        "",
        " ",
        "-- x",
        "++ y",
        "@@ -1 +1 @@",
        "\\ no",
        "ä",
    ])
}

fn edits(count: usize) -> impl Strategy<Value = Vec<LineEdit>> {
    vec((any::<Index>(), 0..3_usize, vec(line(), 0..3)), 0..=count)
}

fn case() -> impl Strategy<Value = Case> {
    (
        vec(line(), 0..40),
        edits(4),
        edits(2),
        0..5_usize,
        any::<bool>(),
        any::<(bool, bool)>(),
    )
        .prop_map(|(lines, edits, moves, context, is_crlf, ends)| Case {
            lines,
            edits,
            moves,
            context,
            is_crlf,
            ends,
        })
}

impl Case {
    fn edited(lines: &[&'static str], edits: &[LineEdit]) -> Vec<&'static str> {
        let mut lines = lines.to_vec();
        for (at, removed, added) in edits {
            let at = at.index(lines.len() + 1);
            let end = (at + removed).min(lines.len());
            lines.splice(at..end, added.iter().copied());
        }
        lines
    }

    fn text(&self, lines: &[&str], has_end: bool) -> String {
        let line_break = if self.is_crlf { "\r\n" } else { "\n" };
        let mut text = lines.join(line_break);
        if has_end && !lines.is_empty() {
            text.push_str(line_break);
        }
        text
    }

    /// The texts before and after the patch, and the one that it is applied to.
    fn texts(&self) -> (String, String, String) {
        let after = Case::edited(&self.lines, &self.edits);
        let target = Case::edited(&self.lines, &self.moves);
        (
            self.text(&self.lines, self.ends.0),
            self.text(&after, self.ends.1),
            self.text(&target, self.ends.0),
        )
    }
}

/// What became of the cases.
#[derive(Default, Debug)]
struct Counts {
    equal: usize,
    moved: usize,
    refused: usize,
}

fn check(sandbox: &Sandbox, case: &Case, counts: &mut Counts) -> Result<(), TestCaseError> {
    let (before, after, target) = case.texts();
    sandbox.write("old/f.py", &before);
    sandbox.write("new/f.py", &after);
    let context = format!("--unified={}", case.context);
    let arguments = [
        "diff",
        "--no-index",
        "--no-ext-diff",
        &context,
        "old/f.py",
        "new/f.py",
    ];
    let diff = String::from_utf8(sandbox.run(&arguments).stdout).expect("UTF-8");
    if before == after {
        prop_assert!(diff.is_empty());
        return Ok(());
    }
    let patch =
        Patch::parse(&diff).map_err(|error| TestCaseError::fail(format!("{error}\n{diff}")))?;
    prop_assert_eq!(patch.files.len(), 1);
    let file = &patch.files[0];
    prop_assert_eq!(file.change, Change::Edited);
    prop_assert_eq!(
        file.apply(Some(&before)).ok().flatten(),
        Some(after),
        "{}",
        diff
    );

    sandbox.write("f.py", &target);
    sandbox.write("patch", &diff);
    let mut arguments = vec!["apply", "-p2", "--whitespace=nowarn"];
    if case.context == 0 {
        arguments.push("--unidiff-zero");
    }
    arguments.push("patch");
    let output = sandbox.run(&arguments);
    let ours = file.apply(Some(&target)).ok().flatten();
    if output.status.success() {
        let theirs = sandbox.read("f.py");
        let theirs = Some(theirs);
        if ours != theirs && diff.contains("\n\\ No newline") {
            // git takes a last line without line break for the beginning of any line.
            return Ok(());
        }
        prop_assert_eq!(ours, theirs, "{}", diff);
        let count = if before == target {
            &mut counts.equal
        } else {
            &mut counts.moved
        };
        *count += 1;
    } else {
        // Without any context git still wants the lines at the beginning and the end of the file.
        let has_context = diff.lines().skip(4).any(|line| line.starts_with(' '));
        if has_context || case.context == 0 {
            prop_assert_eq!(
                ours,
                None,
                "{}\n{}",
                diff,
                String::from_utf8_lossy(&output.stderr)
            );
        }
        counts.refused += 1;
    }
    Ok(())
}

#[test]
fn patches_are_applied_as_git_applies_them() {
    let Some(sandbox) = Sandbox::new() else {
        return;
    };
    let config = Config {
        cases: ROUNDS,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let counts = std::cell::RefCell::new(Counts::default());
    let result = runner.run(&case(), |case| {
        check(&sandbox, &case, &mut counts.borrow_mut())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    let counts = counts.into_inner();
    println!("{counts:?}");
    assert!(
        counts.equal > 20 && counts.moved > 20 && counts.refused > 20,
        "{counts:?}"
    );
}

proptest! {
    #![proptest_config(Config { failure_persistence: None, ..Config::default() })]

    #[test]
    fn no_text_makes_the_reader_panic(lines in vec(odd_line(), 0..12), text in ".{0,20}") {
        if let Ok(patch) = Patch::parse(&lines.concat()) {
            for file in &patch.files {
                let _ = file.apply(Some(&text));
                let _ = file.apply(None);
            }
            let _ = patch.apply(|_| Some(text.clone()));
        }
    }
}

/// Lines of headers and hunks, whole and broken.
fn odd_line() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "diff --git a/x b/x\n",
        "diff --git \"a/\\303\\244\" \"b/ä\\\n",
        "diff --git ä ä ä\r\n",
        "--- a/x\n",
        "+++ b/x\n",
        "--- /dev/null\t1970-01-01 00:00:00 +9999999999\n",
        "+++ /dev/null\n",
        "new file mode 100644\n",
        "index 1..2 100644\n",
        "rename from \"\n",
        "rename to x",
        "@@ -1 +1 @@\n",
        "@@ -0,0 +1 @@\n",
        "@@ -18446744073709551615,2 +18446744073709551615,2 @@\r\n",
        "@@ -2,0 +0 @@\n",
        "\\ No newline at end of file\n",
        " ä\n",
        "-\n",
        "+ü",
        "\n",
        "\r\n",
    ]);
    prop_oneof![known.prop_map(str::to_owned), ".{0,10}\n?"]
}
