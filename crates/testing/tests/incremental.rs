//! After any edits, in any order of questions, on one thread and on four, every answer is that of
//! a fresh database. `CODEWEFT_SLOW=1` tries many more edits.

use std::collections::BTreeSet;

use codeweft_testing::generate::{Edit, EditKind, Size, edit, workspace};
use codeweft_testing::rows::rows;
use codeweft_testing::same::{Asked, ask, ask_all, questions, same_as_fresh};
use codeweft_testing::{Fixture, Lot, Texts, Workspace};

/// How many scripts of edits, and how long each is.
fn amount() -> (u64, usize) {
    match std::env::var("CODEWEFT_SLOW").is_ok_and(|slow| slow == "1") {
        true => (20, 30),
        false => {
            println!("skipped: 15 more scripts of 30 edits; CODEWEFT_SLOW=1 runs them");
            (5, 12)
        }
    }
}

/// A workspace that edits come to: through editors, saved or not, and from disk.
struct Script {
    live: Workspace,
    texts: Texts,
    open: BTreeSet<String>,
    lot: Lot,
    threads: usize,
    told: Vec<String>,
}

impl Script {
    fn new(seed: u64, threads: usize) -> Script {
        let texts = workspace(seed, Size::SMALL);
        Script {
            live: Fixture::of(texts.clone()).threads(threads).load(),
            texts,
            open: BTreeSet::new(),
            lot: Lot::of(&[seed, threads as u64]),
            threads,
            told: Vec::new(),
        }
    }

    fn run(mut self, steps: usize) {
        // An empty world would be the same as a fresh one, too.
        assert!(rows(self.live.host.db()).len() > 1000);
        self.check();
        for _ in 0..steps {
            if self.lot.chance(1, 8) {
                self.batch();
            } else {
                self.step();
            }
        }
    }

    /// One edit; a third of them, and all that leave something half done, are taken back.
    fn step(&mut self) {
        let Some(kind) = self.lot.one(&EditKind::ALL).copied() else {
            return;
        };
        let Some(edit) = edit(&mut self.lot, &self.texts, kind) else {
            return;
        };
        let half_done = matches!(kind, EditKind::Broken | EditKind::Cycle);
        let undone = half_done || self.lot.chance(1, 3);
        let before = self.texts.clone();
        let list = match undone {
            true => questions(self.live.host.db(), &self.texts, &mut self.lot, 8),
            false => Vec::new(),
        };
        let answers = ask_all(self.live.host.db(), &list, self.threads);
        self.apply(&edit);
        self.check();
        if undone {
            self.apply(&edit.undo(&before));
            self.check();
            let again = ask_all(self.live.host.db(), &list, self.threads);
            assert_eq!(again, answers, "undone: {:#?}", self.told);
        }
    }

    /// Many files at once, as a checkout changes them.
    fn batch(&mut self) {
        let mut texts = self.texts.clone();
        for _ in 0..14 {
            let kind = self
                .lot
                .one(&EditKind::ALL)
                .copied()
                .unwrap_or(EditKind::Body);
            if let Some(edit) = edit(&mut self.lot, &texts, kind)
                && !self.open.contains(&edit.path)
            {
                edit.apply(&mut texts);
            }
        }
        let paths: BTreeSet<&String> = texts.keys().chain(self.texts.keys()).collect();
        let changes: Vec<(String, Option<String>)> = paths
            .into_iter()
            .filter(|path| texts.get(*path) != self.texts.get(*path))
            .map(|path| (path.clone(), texts.get(path).cloned()))
            .collect();
        self.told.push(format!("a batch of {}", changes.len()));
        self.live.on_disk(&changes);
        self.texts = texts;
        self.check();
    }

    fn apply(&mut self, edit: &Edit) {
        let path = &edit.path;
        let manner = match &edit.text {
            None => {
                if self.open.remove(path) {
                    self.live.close(path);
                }
                self.live.on_disk(&[(path.clone(), None)]);
                "removed"
            }
            Some(text) if self.open.contains(path) || self.lot.chance(1, 2) => {
                if self.open.insert(path.clone()) {
                    let now = self.texts.get(path).map_or("", String::as_str);
                    self.live.open(path, now);
                }
                self.live.change(path, text);
                match self.lot.chance(1, 3) {
                    true => {
                        self.live.on_disk(&[(path.clone(), Some(text.clone()))]);
                        "typed and saved"
                    }
                    false => "typed",
                }
            }
            Some(text) => {
                self.live.on_disk(&[(path.clone(), Some(text.clone()))]);
                "written"
            }
        };
        edit.apply(&mut self.texts);
        self.told.push(format!("{:?} {path} {manner}", edit.kind));
    }

    fn check(&mut self) {
        let asked = Asked {
            questions: 16,
            threads: self.threads,
            whole: true,
        };
        let same = same_as_fresh(&self.live.host, &self.texts, &mut self.lot, asked);
        if let Err(words) = same {
            panic!("after {:#?}:\n{words}", self.told);
        }
    }
}

#[test]
fn incremental_answers_are_those_of_a_fresh_database_on_one_thread() {
    let (scripts, steps) = amount();
    for seed in 0..scripts {
        Script::new(seed, 1).run(steps);
    }
}

#[test]
fn incremental_answers_are_those_of_a_fresh_database_on_four_threads() {
    let (scripts, steps) = amount();
    for seed in 0..scripts {
        Script::new(1000 + seed, 4).run(steps);
    }
}

#[test]
fn every_kind_of_edit_alone_leaves_incremental_answers_as_fresh_ones_and_is_undone() {
    let texts = workspace(9, Size::SMALL);
    for kind in EditKind::ALL {
        let mut script = Script::new(9, 1);
        let list = questions(script.live.host.db(), &texts, &mut script.lot, 16);
        let answers = ask_all(script.live.host.db(), &list, 1);
        let edit = edit(&mut script.lot, &texts, kind).expect("a place for every kind");
        script.apply(&edit);
        script.check();
        script.apply(&edit.undo(&texts));
        let again = ask_all(script.live.host.db(), &list, 1);
        assert_eq!(again, answers, "{kind:?} undone");
    }
}

#[test]
fn the_same_question_gives_the_same_bytes_on_one_thread_and_on_four() {
    let texts = workspace(4, Size::SMALL);
    let one = Fixture::of(texts.clone()).load();
    let other = Fixture::of(texts.clone()).threads(4).load();
    let mut lot = Lot::new(4);
    let list = questions(one.host.db(), &texts, &mut lot, 64);
    let answers = ask_all(one.host.db(), &list, 1);
    let found = answers.iter().filter(|answer| answer.contains("\"node\":"));
    assert!(found.count() > list.len() / 4);
    let mut order: Vec<usize> = (0..list.len()).collect();
    lot.shuffle(&mut order);
    for at in order {
        for (workspace, threads) in [(&other, 4), (&other, 1), (&one, 4), (&one, 2)] {
            let again = ask(workspace.host.db(), &list[at], threads);
            assert_eq!(again, answers[at], "{:?} on {threads}", list[at]);
        }
    }
}
