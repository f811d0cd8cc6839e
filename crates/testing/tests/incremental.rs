//! After any edits, in any query order, on one thread and on four, every answer equals that of a
//! fresh database. `CODEWEFT_SLOW=1` tries many more edits.

use codeweft_testing::fresh_check::{ask, ask_all, questions};
use codeweft_testing::generate::{GoEditKind, Size, edit, workspace};
use codeweft_testing::rows::rows;
use codeweft_testing::script::Edits;
use codeweft_testing::{Fixture, Script, SeededRng};

/// Returns the number of scripts of edits, and the length of each.
fn amount() -> (u64, usize) {
    if std::env::var("CODEWEFT_SLOW").is_ok_and(|slow| slow == "1") {
        (20, 30)
    } else {
        println!("skipped: 15 more scripts of 30 edits; CODEWEFT_SLOW=1 runs them");
        (5, 12)
    }
}

/// Returns a script of generated edits on a generated workspace.
fn script(seed: u64, threads: usize) -> Script<GoEditKind> {
    let edits = Edits {
        kinds: &GoEditKind::ALL,
        edit,
        is_half_done: GoEditKind::is_half_done,
    };
    let script = Script::new(workspace(seed, Size::SMALL), edits, seed, threads);
    // An empty database would equal a fresh one as well.
    assert!(rows(script.live.host.db()).len() > 1000);
    script
}

#[test]
fn incremental_answers_equal_those_of_a_fresh_database_on_one_thread() {
    let (scripts, steps) = amount();
    for seed in 0..scripts {
        script(seed, 1).run(steps);
    }
}

#[test]
fn incremental_answers_equal_those_of_a_fresh_database_on_four_threads() {
    let (scripts, steps) = amount();
    for seed in 0..scripts {
        script(1000 + seed, 4).run(steps);
    }
}

#[test]
fn incremental_answers_equal_those_of_a_fresh_database_with_files_in_chunks() {
    let size = Size {
        packages: 3,
        files: 2,
        functions: 200,
    };
    let texts = workspace(5, size);
    assert!(texts.values().filter(|text| text.len() > 32 << 10).count() > 3);
    let edits = Edits {
        kinds: &GoEditKind::ALL,
        edit,
        is_half_done: GoEditKind::is_half_done,
    };
    // Each step queries a fresh database of large files, so there are a third of the steps.
    Script::new(texts, edits, 5, 1).run(amount().1 / 3);
}

#[test]
fn after_every_kind_of_edit_answers_equal_fresh_ones_and_undo_restores_them() {
    let texts = workspace(9, Size::SMALL);
    for kind in GoEditKind::ALL {
        let mut script = script(9, 1);
        let list = questions(script.live.host.db(), &texts, &mut script.rng, 16);
        let answers = ask_all(script.live.host.db(), &list, 1);
        let edit = edit(&mut script.rng, &texts, kind).expect("a place for every kind");
        script.apply(&edit);
        script.check();
        script.apply(&edit.undo(&texts));
        let again = ask_all(script.live.host.db(), &list, 1);
        assert_eq!(again, answers, "{kind:?} undone");
    }
}

#[test]
fn the_same_request_gives_the_same_bytes_on_one_thread_and_on_four() {
    let texts = workspace(4, Size::SMALL);
    let one = Fixture::of(texts.clone()).load();
    let other = Fixture::of(texts.clone()).threads(4).load();
    let mut rng = SeededRng::new(4);
    let list = questions(one.host.db(), &texts, &mut rng, 64);
    let answers = ask_all(one.host.db(), &list, 1);
    let found = answers.iter().filter(|answer| answer.contains("\"node\":"));
    assert!(found.count() > list.len() / 4);
    let mut order: Vec<usize> = (0..list.len()).collect();
    rng.shuffle(&mut order);
    for at in order {
        for (workspace, threads) in [(&other, 4), (&other, 1), (&one, 4), (&one, 2)] {
            let again = ask(workspace.host.db(), &list[at], threads);
            assert_eq!(again, answers[at], "{:?} on {threads}", list[at]);
        }
    }
}
