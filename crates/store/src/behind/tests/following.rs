//! The rows after edits.

use std::fmt::Debug;

use codeweft_testing::generate::python::PythonEditKind;
use codeweft_testing::generate::{self, GoEditKind, Size, python};
use codeweft_testing::script::Edits;
use codeweft_testing::{Fixture, Script, SeededRng};

use super::fixture::{Followed, assert_level};

const GO: &str = include_str!("go.txt");
const PYTHON: &str = include_str!("python.txt");

/// Returns the number of scripts of edits, and the length of each.
fn amount() -> (u64, usize) {
    if std::env::var("CODEWEFT_SLOW").is_ok_and(|slow| slow == "1") {
        (24, 40)
    } else {
        println!("skipped: 22 more scripts, of 40 edits; CODEWEFT_SLOW=1 runs them");
        (2, 16)
    }
}

#[test]
fn a_new_store_has_the_rows_of_an_export() {
    for texts in [GO, PYTHON] {
        let world = Fixture::new(texts).load();
        let mut followed = Followed::new();
        followed.follow(&world);
        assert_level(&followed, &world, "new");
    }
}

/// Follows a script of edits: every third revision to its end, the others as far as a burst lets it.
fn follow_script<Kind: Copy + Debug>(mut script: Script<Kind>, edits: &Edits<Kind>, steps: usize) {
    let mut followed = Followed::new();
    let mut rng = SeededRng::new(steps as u64);
    let mut history = Vec::new();
    for step in 0..steps {
        let Some(&kind) = script.rng.one(edits.kinds) else {
            return;
        };
        let texts = script.texts.clone();
        let Some(edit) = (edits.edit)(&mut script.rng, &texts, kind) else {
            continue;
        };
        // A package beside a module of its name has the same id: one row is that of both, of which is not determined.
        let module = edit.path.strip_suffix("/__init__.py");
        if module.is_some_and(|module| texts.contains_key(&format!("{module}.py"))) {
            continue;
        }
        script.apply(&edit);
        history.push(format!("{kind:?} {}", edit.path));
        match rng.below(6) {
            0 => {}
            1 => followed.follow_some(&script.live, rng.below(12)),
            2 => followed.follow_exact(&script.live),
            3 if step % 5 == 0 => {
                followed.again();
                followed.follow(&script.live);
            }
            _ => {
                followed.follow(&script.live);
                assert_level(&followed, &script.live, &format!("after {history:#?}"));
            }
        }
    }
    followed.follow(&script.live);
    assert_level(
        &followed,
        &script.live,
        &format!("at the end of {history:#?}"),
    );
}

#[test]
fn after_any_edits_of_go_all_tables_are_those_of_a_fresh_export() {
    let (scripts, steps) = amount();
    for seed in 0..scripts {
        let edits = || Edits {
            kinds: &GoEditKind::ALL,
            edit: generate::edit,
            is_half_done: GoEditKind::is_half_done,
        };
        let texts = generate::workspace(seed, Size::SMALL);
        follow_script(Script::new(texts, edits(), 60 + seed, 1), &edits(), steps);
    }
}

#[test]
fn after_any_edits_of_python_all_tables_are_those_of_a_fresh_export() {
    let (scripts, steps) = amount();
    for seed in 0..scripts {
        let edits = || Edits {
            kinds: &PythonEditKind::ALL,
            edit: python::edit,
            is_half_done: PythonEditKind::is_half_done,
        };
        let texts = python::workspace(seed, Size::SMALL);
        follow_script(Script::new(texts, edits(), 60 + seed, 1), &edits(), steps);
    }
}
