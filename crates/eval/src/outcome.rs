//! What came out of one task.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::baselines::{Bm25, GREP_READS, Grep};
use crate::bundles::{BundleFile, Coverage};
use crate::ranks::Positions;
use crate::task::Task;
use crate::texts::{TextCache, TreeFile};

/// The name of full text search among the rankings.
pub const BM25: &str = "bm25";

/// How many files of a ranking an outcome lists.
const FIRST: usize = 10;

/// What retrieval says to the text of a task.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answer {
    /// Ranked paths by the name of the profile, best first, without tests.
    pub ranked: BTreeMap<String, Vec<Box<str>>>,
    /// The files of the bundle; `None` if none was made.
    pub bundle: Option<Vec<BundleFile>>,
    /// The tokens of the text of the bundle, as it counts them.
    pub bundle_tokens: usize,
    /// The time of one query, ranked and packed, in milliseconds; without the reading of the tree.
    pub milliseconds: f64,
}

/// Tokens that are read for a task.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Tokens {
    /// Of the bundle.
    pub bundle: usize,
    /// Of the first files that grep finds, by [`GREP_READS`].
    pub grep: [usize; GREP_READS.len()],
    /// How many edited files are among these.
    pub grep_found: [usize; GREP_READS.len()],
    /// Of the edited files, which a reader without retrieval does not know.
    pub edited: usize,
    /// Of all source files but tests.
    pub tree: usize,
}

/// What came out of one task.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Outcome {
    /// The task.
    pub task_id: String,
    /// Its repository.
    pub repo: String,
    /// Its kind; empty if it has none.
    pub kind: String,
    /// How many source files the tree has, without tests.
    pub files: usize,
    /// The edited files that are in the tree.
    pub edited: Vec<String>,
    /// Edited files that the tree does not have, or has as tests.
    pub not_in_tree: Vec<String>,
    /// The positions of the edited files by the name of the ranking.
    pub positions: BTreeMap<String, Positions>,
    /// The first files by the name of the ranking.
    pub first: BTreeMap<String, Vec<String>>,
    /// What the bundle covers.
    pub coverage: Option<Coverage>,
    /// Tokens, if there is a bundle.
    pub tokens: Option<Tokens>,
    /// The time of one query, in milliseconds.
    pub milliseconds: f64,
}

/// Scores an answer. `None` if no edited file is in the tree, so that there is no right answer.
pub fn score(
    task: &Task,
    files: &[TreeFile],
    answer: &Answer,
    cache: &mut TextCache,
) -> Option<Outcome> {
    let mut sources: Vec<&TreeFile> = files.iter().filter(|file| !file.is_test).collect();
    sources.sort_by(|one, other| one.path.cmp(&other.path));
    let has = |path: &str| {
        sources
            .binary_search_by(|file| (*file.path).cmp(path))
            .is_ok()
    };
    let edited: BTreeSet<&str> = task.files_edited.iter().map(String::as_str).collect();
    let (edited, not_in_tree): (Vec<&str>, Vec<&str>) =
        edited.into_iter().partition(|path| has(path));
    if edited.is_empty() {
        return None;
    }
    let mut rankings: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (name, ranked) in &answer.ranked {
        rankings.insert(name.clone(), ranked.iter().map(AsRef::as_ref).collect());
    }
    let ranked = Bm25::new(files, cache).rank(&task.description, cache);
    rankings.insert(BM25.to_owned(), ranked);
    let (mut positions, mut first) = (BTreeMap::new(), BTreeMap::new());
    for (name, ranked) in rankings {
        let beginning = ranked.iter().take(FIRST).map(|path| (*path).to_owned());
        first.insert(name.clone(), beginning.collect());
        positions.insert(name, Positions::of(&edited, ranked));
    }
    let bundle = answer.bundle.as_ref();
    let coverage = bundle.map(|bundle| Coverage::of(task, &edited, bundle, answer.bundle_tokens));
    let tokens = bundle.map(|_| {
        let grep = Grep::new(task, files, cache);
        let reads = GREP_READS.map(|count| grep.read(count, &edited));
        let mut of = |file: &TreeFile| cache.content(file).tokens();
        Tokens {
            bundle: answer.bundle_tokens,
            grep: reads.map(|(tokens, _)| tokens),
            grep_found: reads.map(|(_, found)| found),
            edited: sources
                .iter()
                .filter(|file| edited.contains(&&*file.path))
                .map(|file| of(file))
                .sum(),
            tree: sources.iter().map(|file| of(file)).sum(),
        }
    });
    let owned = |paths: Vec<&str>| paths.into_iter().map(str::to_owned).collect();
    Some(Outcome {
        task_id: task.task_id.clone(),
        repo: task.repo.clone(),
        kind: task.kind.clone().unwrap_or_default(),
        files: sources.len(),
        edited: owned(edited),
        not_in_tree: owned(not_in_tree),
        positions,
        first,
        coverage,
        tokens,
        milliseconds: answer.milliseconds,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::tests::{file, plain_words};

    #[test]
    fn edited_files_that_the_tree_does_not_have_are_listed_and_not_counted() {
        let files = [
            file("a.x", "load"),
            file("b.x", "other"),
            file("test_c.x", "load"),
        ];
        let task = Task {
            description: "load".to_owned(),
            files_edited: ["a.x", "new.x", "test_c.x"].map(str::to_owned).to_vec(),
            ..Task::default()
        };
        let answer = Answer {
            ranked: [("ours".to_owned(), vec!["b.x".into(), "a.x".into()])].into(),
            ..Answer::default()
        };
        let mut cache = TextCache::new(plain_words);
        let outcome = score(&task, &files, &answer, &mut cache).expect("a right answer");
        assert_eq!(outcome.edited, ["a.x"]);
        assert_eq!(outcome.not_in_tree, ["new.x", "test_c.x"]);
        assert_eq!(outcome.files, 2);
        assert_eq!(outcome.positions["ours"], Positions(vec![Some(2)]));
        assert_eq!(outcome.positions[BM25], Positions(vec![Some(1)]));
        assert_eq!((outcome.coverage, outcome.tokens), (None, None));
        let task = Task {
            files_edited: vec!["new.x".to_owned()],
            ..task
        };
        assert_eq!(score(&task, &files, &answer, &mut cache), None);
    }

    #[test]
    fn tokens_are_those_of_what_is_read() {
        let files = [
            file("a.x", "load_it now"),
            file("b.x", "load_it twice load_it"),
            file("c.x", "rest"),
        ];
        let task = Task {
            description: "load_it".to_owned(),
            files_edited: vec!["a.x".to_owned()],
            ..Task::default()
        };
        let answer = Answer {
            bundle: Some(Vec::new()),
            bundle_tokens: 2,
            ..Answer::default()
        };
        let mut cache = TextCache::new(plain_words);
        let outcome = score(&task, &files, &answer, &mut cache).expect("a right answer");
        let tokens = outcome.tokens.expect("a bundle");
        let [a, b, c] = [0, 1, 2].map(|at: usize| cache.content(&files[at]).tokens());
        assert_eq!(tokens.grep, [a + b; 3]);
        assert_eq!(tokens.grep_found, [1; 3]);
        assert_eq!((tokens.edited, tokens.tree), (a, a + b + c));
        assert_eq!(
            outcome.coverage.map(|one| (one.found, one.tokens)),
            Some((0, 2))
        );
    }
}
