//! What a task costs, and what it finds, without retrieval: full text search, and grep with reading.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::task::Task;
use crate::texts::{Content, Number, TextCache, TreeFile, identifiers};

/// BM25's bound of the weight of a word that occurs often.
const K1: f64 = 1.2;

/// How much BM25 takes the length of a file into account.
const B: f64 = 0.75;

/// A word counts as often as it occurs in the query, up to this.
const MAX_COUNT: u32 = 3;

/// How many names grep looks for.
const NAMES: usize = 5;

/// A word without any sign of a name is looked for from this length on, in characters.
const SHORTEST_WORD: usize = 4;

/// How many of the files that grep finds are read.
pub const GREP_READS: [usize; 3] = [3, 5, 10];

/// Full text search over the whole texts of files.
///
/// Okapi BM25 with k1 = 1.2 and b = 0.75 (Robertson and Zaragoza 2009); inverse frequency `ln(1+(N-df+.5)/(df+.5))`.
pub struct Bm25<'a> {
    files: Vec<(&'a TreeFile, Arc<Content>)>,
    mean_length: f64,
    /// In how many files a word occurs.
    frequency: FxHashMap<Number, u32>,
}

/// How many names a file has and how often, and the file.
type Matches<'t> = ((usize, u32), (&'t TreeFile, Arc<Content>));

impl<'a> Bm25<'a> {
    /// Reads the files of a tree that are no tests.
    pub fn new(files: &'a [TreeFile], cache: &mut TextCache) -> Bm25<'a> {
        let files = files.iter().filter(|file| !file.is_test);
        let files: Vec<_> = files.map(|file| (file, cache.content(file))).collect();
        let mut frequency: FxHashMap<Number, u32> = FxHashMap::default();
        for (_, content) in &files {
            for term in content.terms.keys() {
                *frequency.entry(*term).or_default() += 1;
            }
        }
        let lengths: f64 = files.iter().map(|(_, content)| content.length).sum();
        Bm25 {
            mean_length: (lengths / files.len().max(1) as f64).max(1.0),
            files,
            frequency,
        }
    }

    /// The paths of the files with a word of the text, best first; ties by path.
    pub fn rank(&self, text: &str, cache: &mut TextCache) -> Vec<&'a str> {
        let mut counts: FxHashMap<Number, u32> = FxHashMap::default();
        for (identifier, count) in cache.identifiers(text) {
            for term in cache.terms_of(identifier).iter() {
                *counts.entry(*term).or_default() += count;
            }
        }
        // In an order that no hash decides: sums of floats depend on it.
        let mut counts: Vec<(Number, u32)> = counts.into_iter().collect();
        counts.sort_unstable();
        let mut scored: Vec<(f64, &str)> = self
            .files
            .iter()
            .map(|(file, content)| (self.score(&counts, content), &*file.path))
            .filter(|(score, _)| *score > 0.0)
            .collect();
        scored.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(other.1)));
        scored.into_iter().map(|(_, path)| path).collect()
    }

    fn score(&self, counts: &[(Number, u32)], content: &Content) -> f64 {
        let all = self.files.len() as f64;
        let length = K1 * (1.0 - B + B * content.length / self.mean_length);
        let terms = counts.iter().filter_map(|(term, count)| {
            let frequency = f64::from(*content.terms.get(term)?);
            let files = f64::from(self.frequency.get(term).copied().unwrap_or(0));
            let rarity = (1.0 + (all - files + 0.5) / (files + 0.5)).ln();
            let weight = f64::from((*count).min(MAX_COUNT)).sqrt();
            Some(rarity * weight * frequency * (K1 + 1.0) / (frequency + length))
        });
        terms.sum()
    }
}

/// The names of a task searched for with grep, and the files that are read because of it.
///
/// The five rarest names of the task, by the files that have them as whole words; the files with most of these
/// names first, then those with most hits. That is kinder to grep than its own order, by path, and the printed
/// lines are not counted.
pub struct Grep<'a> {
    /// The names.
    pub names: Vec<String>,
    /// The files with a hit, those to read first at the beginning.
    files: Vec<(&'a TreeFile, Arc<Content>)>,
}

impl<'a> Grep<'a> {
    /// Searches the files of a tree that are no tests.
    pub fn new(task: &Task, files: &'a [TreeFile], cache: &mut TextCache) -> Grep<'a> {
        let files: Vec<_> = files
            .iter()
            .filter(|file| !file.is_test)
            .map(|file| (file, cache.content(file)))
            .collect();
        let mut rare: Vec<(bool, usize, &str, Number)> = candidates(task)
            .into_iter()
            .filter_map(|(name, is_word)| {
                let number = cache.identifier(name)?;
                let has =
                    |file: &&(&TreeFile, Arc<Content>)| file.1.identifiers.contains_key(&number);
                let hits = files.iter().filter(has).count();
                (hits > 0).then_some((is_word, hits, name, number))
            })
            .collect();
        rare.sort_unstable();
        rare.truncate(NAMES);
        let mut found: Vec<Matches<'_>> = files
            .into_iter()
            .filter_map(|file| {
                let counts = rare
                    .iter()
                    .filter_map(|(.., number)| file.1.identifiers.get(number));
                let (names, hits): (usize, u32) = (counts.clone().count(), counts.sum());
                (names > 0).then_some(((names, hits), file))
            })
            .collect();
        found.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.0.path.cmp(&other.1.0.path)));
        Grep {
            names: rare
                .iter()
                .map(|(_, _, name, _)| (*name).to_owned())
                .collect(),
            files: found.into_iter().map(|(_, file)| file).collect(),
        }
    }

    /// The tokens of the first so many files, read whole, and how many of the edited files are among them.
    pub fn read(&self, count: usize, edited: &[&str]) -> (usize, usize) {
        let read = || self.files.iter().take(count);
        let found = read().filter(|(file, _)| edited.contains(&&*file.path));
        (
            read().map(|(_, content)| content.tokens()).sum(),
            found.count(),
        )
    }
}

/// What one would search for, each once, with whether it is a word that need not be a name.
fn candidates(task: &Task) -> Vec<(&str, bool)> {
    let mut seen = FxHashSet::default();
    let terms = task.query_terms.iter().flat_map(|term| identifiers(term));
    let given: Vec<(&str, bool)> = terms.map(|name| (name, false)).collect();
    let all = if given.is_empty() {
        let words = identifiers(&task.description);
        let kinds = words.map(|word| (word, !is_name(word)));
        kinds
            .filter(|(word, is_word)| !is_word || word.chars().count() >= SHORTEST_WORD)
            .collect()
    } else {
        given
    };
    all.into_iter()
        .filter(|(name, _)| seen.insert(*name))
        .collect()
}

/// Whether a word looks like a name of code: with `_`, or with a capital behind a small letter.
fn is_name(word: &str) -> bool {
    let letters: Vec<char> = word.chars().collect();
    let has_hump = letters.windows(2).any(|pair| match pair {
        [one, next] => one.is_lowercase() && next.is_uppercase(),
        _ => false,
    });
    has_hump || word.trim_matches('_').contains('_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::tests::{file, plain_words};

    fn files() -> Vec<TreeFile> {
        vec![
            file("a.x", "get_user get_user load parse"),
            file("b.x", "load parse parse"),
            file("c.x", "getUser load"),
            file("test_d.x", "get_user get_user get_user"),
        ]
    }

    #[test]
    fn rare_words_decide_the_order_of_full_text_search() {
        let files = files();
        let mut cache = TextCache::new(plain_words);
        let search = Bm25::new(&files, &mut cache);
        assert_eq!(
            search.rank("load a user", &mut cache),
            ["a.x", "c.x", "b.x"]
        );
        assert_eq!(search.rank("parse", &mut cache), ["b.x", "a.x"]);
        assert!(search.rank("", &mut cache).is_empty());
        assert!(
            Bm25::new(&[], &mut cache)
                .rank("load", &mut cache)
                .is_empty()
        );
    }

    #[test]
    fn grep_takes_names_before_words_and_the_rarest_first() {
        let files = files();
        let mut cache = TextCache::new(plain_words);
        let task = Task {
            description: "I load with get_user or getUser, and parse no_name".to_owned(),
            ..Task::default()
        };
        let grep = Grep::new(&task, &files, &mut cache);
        assert_eq!(grep.names, ["getUser", "get_user", "parse", "load"]);
        // The first file has three of the names.
        let (first, found) = grep.read(1, &["a.x", "b.x"]);
        assert_eq!((first, found), (cache.content(&files[0]).tokens(), 1));
        assert_eq!(grep.read(5, &["a.x", "b.x"]).1, 2);
        let task = Task {
            query_terms: vec!["b.parse".to_owned()],
            ..task
        };
        assert_eq!(Grep::new(&task, &files, &mut cache).names, ["parse"]);
    }

    #[test]
    fn names_of_code_have_an_underscore_or_a_hump() {
        assert!(is_name("get_user") && is_name("getUser") && is_name("HttpServer"));
        assert!(!is_name("Server") && !is_name("_private") && !is_name("HTTP"));
    }
}
