//! Lowering an edited text from what the text before it said gives what the whole text gives.

mod goroot;

use codeweft_go_syntax::AsGo as _;
use codeweft_go_syntax::{GO, lower_by_tree_sitter};
use codeweft_syntax::{CachedTree, FileIr, Names, lower, lower_edited};

const FIXTURE: &str = include_str!("go_fixture.go.txt");

/// A large text: methods of many sizes, with declarations of every kind between them.
fn large() -> String {
    let mut text =
        String::from("// Package p is large.\npackage p\n\nimport (\n\tq \"a/q\"\n)\n\n");
    for number in 0..100 {
        let lines = 1 + number % 23;
        text +=
            &format!("// f{number} does.\nfunc (t *T{number}[A]) f{number}(a, b int) (c A) {{\n");
        for line in 0..lines {
            text +=
                &format!("\tx{line} := q.Call(a, \"{number}\", func(y int) {{ t.g{line}(y) }})\n");
        }
        text += "\treturn\n}\n\n";
        if number % 5 == 0 {
            text += &format!(
                "var (\n\tv{number} = []int{{1, w({number})}}\n\tw{number} = func() {{ r() }}\n)\n"
            );
        }
        if number % 7 == 0 {
            text += &format!(
                "type T{number}[A any] struct {{ a A; b, c int `tag` }}\nconst c{number} = iota\n"
            );
        }
    }
    text
}

fn whole(text: &str, names: &Names) -> FileIr {
    lower(text, GO, names, &|| false).expect("not stopped")
}

/// A number that follows from the last one.
fn next(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

#[test]
fn the_bodies_of_a_large_text_are_in_chunks_and_those_of_a_small_one_are_not() {
    let names = Names::default();
    let chunks = |text: &str| whole(text, &names).bodies.go().expect("Go").chunks.len();
    assert_eq!(chunks(FIXTURE), 1);
    assert!(chunks(&large()) > 5, "{}", chunks(&large()));
}

#[test]
fn an_edit_in_a_body_keeps_all_chunks_but_its_own() {
    let names = Names::default();
    let old = large();
    let ir = whole(&old, &names);
    let new = old.replacen(
        "\treturn\n}\n\n// f52",
        "\tnewName(1)\n\treturn\n}\n\n// f52",
        1,
    );
    let edited = lower_edited(&old, &ir, &new, GO, &names, &|| false).expect("in a body");
    assert!(edited.same(&whole(&new, &names)));
    let chunks = |ir: &FileIr| ir.bodies.go().expect("Go").chunks.clone();
    let kept = chunks(&ir);
    let kept = kept
        .iter()
        .zip(&chunks(&edited))
        .filter(|(one, other)| std::sync::Arc::ptr_eq(one, other))
        .count();
    assert_eq!(kept, chunks(&ir).len() - 1);
    assert!(std::sync::Arc::ptr_eq(&ir.items, &edited.items));
    let comment = old.replacen(
        "\treturn\n}\n\n// f52",
        "\t// note\n\treturn\n}\n\n// f52",
        1,
    );
    let edited = lower_edited(&old, &ir, &comment, GO, &names, &|| false).expect("in a body");
    assert!(std::sync::Arc::ptr_eq(&ir.bodies, &edited.bodies));
    assert!(edited.same(&whole(&comment, &names)));
}

/// Puts pieces into a text and takes lines out of it, over and over; each text is lowered from the
/// one before, which is the first again after each that has an error. Gives in how many steps the
/// one before was of use.
fn check(text: &str, pieces: &[&str], steps: usize, seed: u64) -> usize {
    let names = Names::default();
    let mut trees = CachedTree::default();
    let (mut state, mut used) = (seed, 0);
    let first = whole(text, &names);
    let (mut old, mut ir) = (text.to_owned(), first.clone());
    for step in 0..steps {
        let lines: Vec<&str> = old.split_inclusive('\n').collect();
        let at = next(&mut state) % lines.len();
        let piece = pieces[next(&mut state) % pieces.len()];
        let new = match next(&mut state) % 6 {
            0 => lines[..at].concat() + &lines[at + 1..].concat(),
            1 => {
                // Inside of a line.
                let at = next(&mut state) % old.len();
                let at = (0..=at).rfind(|&at| old.is_char_boundary(at)).unwrap_or(0);
                format!("{}{}{}", &old[..at], piece.trim(), &old[at..])
            }
            _ => lines[..at].concat() + piece + &lines[at..].concat(),
        };
        let expected = whole(&new, &names);
        if let Some(edited) = lower_edited(&old, &ir, &new, GO, &names, &|| false) {
            assert!(edited.same(&expected), "step {step}, seed {seed}:\n{new}");
            used += 1;
        }
        // Both ways to the next text may follow each other.
        if step % 5 == 0 {
            let by_tree = lower_by_tree_sitter(&new, &names, &mut trees, &|| false);
            assert!(by_tree.expect("not stopped").same(&expected));
        }
        (old, ir) = if expected.report.error_lines.is_empty() {
            (new, expected)
        } else {
            (text.to_owned(), first.clone())
        };
    }
    used
}

const PIECES: &[&str] = &[
    "\n",
    "// note\n",
    "\tx := q.New(1)\n",
    "\tnamed(func() { other() })\n",
    "}\n",
    "{\n",
    "}\nfunc added() {\n",
    "}; func added() {}; func again() {\n",
    "\tvar s = `a\n",
    "`\n",
    "/*\n",
    "*/\n",
    "\tlabel:\n",
    "\tconst k = iota\n",
    "\ttype L struct { l int }\n",
    "\treturn \"é\" + 'ü'\n",
    "//go:linkname local target\n",
    "func added() { f(1) }\n",
];

#[test]
fn any_edits_of_a_large_text_lower_as_the_whole() {
    let used = check(&large(), PIECES, 150, 3);
    assert!(used > 50, "the text before was of use {used} times");
}

/// Every function of the standard library, in files that are in chunks, gets a call.
#[test]
fn the_standard_library_lowers_the_same_from_the_text_before() {
    let Some(files) = goroot::files_if_slow() else {
        return;
    };
    let names = Names::default();
    let (mut used, mut all) = (0, 0);
    for path in files {
        let Ok(old) = std::fs::read_to_string(&path) else {
            continue;
        };
        let ir = whole(&old, &names);
        if ir.bodies.go().is_none_or(|bodies| bodies.chunks.len() < 2) {
            continue;
        }
        // A handful of each file: every text is lowered as a whole too.
        let bodies = &ir.ranges.bodies;
        for span in bodies.iter().step_by(bodies.len() / 6 + 1) {
            let at = span.start as usize + 1;
            if !old.is_char_boundary(at) || old.as_bytes()[at - 1] != b'{' {
                continue;
            }
            let new = format!("{} added(1, q.R);{}", &old[..at], &old[at..]);
            all += 1;
            if let Some(edited) = lower_edited(&old, &ir, &new, GO, &names, &|| false) {
                assert!(edited.same(&whole(&new, &names)), "{}", path.display());
                used += 1;
            }
        }
    }
    assert!(used * 10 > all * 8, "{used} of {all}");
}
