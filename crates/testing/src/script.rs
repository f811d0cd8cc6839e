//! A sequence of random edits on a workspace, with a check after each that it answers as a fresh
//! one.

use std::collections::BTreeSet;
use std::fmt::Debug;

use crate::fresh_check::{CheckedQuestions, ask_all, questions, same_as_fresh};
use crate::generate::Edit;
use crate::{Fixture, SeededRng, Texts, Workspace};

/// The source of a script's edits.
pub struct Edits<Kind: 'static> {
    /// The kinds.
    pub kinds: &'static [Kind],
    /// Returns an edit of a kind at a random position of texts; `None` if there is no position for
    /// one.
    pub edit: fn(&mut SeededRng, &Texts, Kind) -> Option<Edit<Kind>>,
    /// Returns whether edits of a kind are always undone.
    pub is_half_done: fn(Kind) -> bool,
}

/// A workspace under edits: through editors, saved or not, and on disk.
pub struct Script<Kind: 'static> {
    /// The workspace.
    pub live: Workspace,
    /// Its current texts.
    pub texts: Texts,
    /// The source of random numbers.
    pub rng: SeededRng,
    edits: Edits<Kind>,
    open: BTreeSet<String>,
    threads: usize,
    history: Vec<String>,
}

impl<Kind: Copy + Debug> Script<Kind> {
    /// Returns a script on these texts, loaded and queried with `threads` threads.
    pub fn new(texts: Texts, edits: Edits<Kind>, seed: u64, threads: usize) -> Script<Kind> {
        Script {
            live: Fixture::of(texts.clone()).threads(threads).load(),
            texts,
            rng: SeededRng::of(&[seed, threads as u64]),
            edits,
            open: BTreeSet::new(),
            threads,
            history: Vec::new(),
        }
    }

    /// Makes `steps` edits or batches of edits, with a check before and after each.
    pub fn run(&mut self, steps: usize) {
        self.check();
        for _ in 0..steps {
            if self.rng.chance(1, 8) {
                self.batch();
            } else {
                self.step();
            }
        }
    }

    fn draw(&mut self, texts: &Texts) -> Option<Edit<Kind>> {
        let kind = *self.rng.one(self.edits.kinds)?;
        (self.edits.edit)(&mut self.rng, texts, kind)
    }

    /// Makes one edit; a third of them, and all that leave a text invalid, are undone.
    fn step(&mut self) {
        let before = self.texts.clone();
        let Some(edit) = self.draw(&before) else {
            return;
        };
        let undone = (self.edits.is_half_done)(edit.kind) || self.rng.chance(1, 3);
        let list = if undone {
            questions(self.live.host.db(), &self.texts, &mut self.rng, 11)
        } else {
            Vec::new()
        };
        let answers = ask_all(self.live.host.db(), &list, self.threads);
        self.apply(&edit);
        self.check();
        if undone {
            self.apply(&edit.undo(&before));
            self.check();
            let again = ask_all(self.live.host.db(), &list, self.threads);
            assert_eq!(again, answers, "undone: {:#?}", self.history);
        }
    }

    /// Changes many files at once, as a checkout does.
    fn batch(&mut self) {
        let mut texts = self.texts.clone();
        for _ in 0..14 {
            if let Some(edit) = self.draw(&texts)
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
        self.history.push(format!("a batch of {}", changes.len()));
        self.live.on_disk(&changes);
        self.texts = texts;
        self.check();
    }

    /// Applies an edit by one of the methods that it can arrive by.
    pub fn apply(&mut self, edit: &Edit<Kind>) {
        let path = &edit.path;
        let manner = match &edit.text {
            None => {
                if self.open.remove(path) {
                    self.live.close(path);
                }
                self.live.on_disk(&[(path.clone(), None)]);
                "removed"
            }
            Some(text) if self.open.contains(path) || self.rng.chance(1, 2) => {
                if self.open.insert(path.clone()) {
                    let now = self.texts.get(path).map_or("", String::as_str);
                    self.live.open(path, now);
                }
                self.live.change(path, text);
                if self.rng.chance(1, 3) {
                    self.live.on_disk(&[(path.clone(), Some(text.clone()))]);
                    "typed and saved"
                } else {
                    "typed"
                }
            }
            Some(text) => {
                self.live.on_disk(&[(path.clone(), Some(text.clone()))]);
                "written"
            }
        };
        edit.apply(&mut self.texts);
        self.history
            .push(format!("{:?} {path} {manner}", edit.kind));
    }

    /// Compares everything with a fresh database over the same texts.
    pub fn check(&mut self) {
        let checked = CheckedQuestions {
            questions: 22,
            threads: self.threads,
            whole: true,
        };
        let same = same_as_fresh(&self.live.host, &self.texts, &mut self.rng, checked);
        if let Err(words) = same {
            if let Ok(folder) = std::env::var("CODEWEFT_KEEP") {
                keep(&self.texts, std::path::Path::new(&folder));
            }
            panic!("after {:#?}:\n{words}", self.history);
        }
    }
}

/// Writes texts to a folder, to inspect a failed check.
fn keep(texts: &Texts, folder: &std::path::Path) {
    for (path, text) in texts {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            let _ = std::fs::create_dir_all(parent);
        }
        let _ = std::fs::write(path, text);
    }
}
