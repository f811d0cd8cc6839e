//! The history of a repository as retrieval sees it: messages as documents, and which files they touched.

use rustc_hash::FxHashMap;

use crate::query::QueryTerm;
use crate::words::{TermId, identifiers, stems_of};

/// A commit that touched source: message, seconds since epoch, workspace-relative paths that it touched (at most 30).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryCommit {
    /// The hash of the commit, in hexadecimal.
    pub id: String,
    /// When it was committed, in seconds since the epoch.
    pub time: i64,
    /// The whole message.
    pub message: String,
    /// The source files that it touched, from the workspace's root, with `/`.
    pub files: Vec<Box<str>>,
}

/// How much of the history is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistoryState {
    /// All of it, to the bound of commits.
    Read,
    /// The commits that a shallow clone has.
    Shallow,
    /// The commits before one that a partial clone lacks.
    Incomplete,
    /// Nothing: the workspace is in no repository.
    NoRepository,
    /// Nothing: no program `git` could be run.
    NoGit,
    /// Nothing: the repository could not be read.
    Unreadable,
    /// Nothing yet: it is being read.
    #[default]
    Pending,
}

/// What is known of the history: newest first, ancestors of HEAD only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// When HEAD was committed, in seconds since the epoch.
    pub head_time: i64,
    /// The commits, newest first, at most 6,000.
    pub commits: Vec<HistoryCommit>,
    /// How much of the history that is.
    pub state: HistoryState,
}

/// The bounds of what is used of a history: commits, and files of one commit. What touches more says nothing of a file.
const MAX_COMMITS: usize = 6000;
const MAX_FILES: usize = 30;

/// The commits whose messages fit a query best: how many count.
const BEST: usize = 60;

const LENGTH: f64 = 0.4;

/// Messages of commits as searchable documents, and the time of each file's last commit.
#[derive(Debug, Default, PartialEq)]
pub struct HistoryIndex {
    state: HistoryState,
    head_time: i64,
    commits: Vec<Message>,
    /// Of each term the commits whose message has it, with how often.
    postings: FxHashMap<TermId, Vec<(u32, u32)>>,
    last_times: FxHashMap<Box<str>, i64>,
    words: u64,
}

#[derive(Debug, PartialEq)]
struct Message {
    id: Box<str>,
    words: u32,
    files: Box<[Box<str>]>,
}

/// What the history says of a file for a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FileHistory {
    /// The greatest weight of a commit that touched the file.
    pub(crate) max: f64,
    /// The sum of their weights.
    pub(crate) sum: f64,
    /// The commit with the greatest.
    pub(crate) commit: Box<str>,
}

impl HistoryIndex {
    /// Returns the index of a history.
    pub fn new(history: &History) -> HistoryIndex {
        let mut index = HistoryIndex {
            state: history.state,
            head_time: history.head_time,
            ..HistoryIndex::default()
        };
        let few = history
            .commits
            .iter()
            .filter(|commit| commit.files.len() <= MAX_FILES);
        for commit in few.take(MAX_COMMITS) {
            index.add(commit);
        }
        index
    }

    /// Returns how much of the history is known.
    pub fn state(&self) -> HistoryState {
        self.state
    }

    /// Returns the number of commits.
    pub fn len(&self) -> usize {
        self.commits.len()
    }

    /// Returns whether there is no commit.
    pub fn is_empty(&self) -> bool {
        self.commits.is_empty()
    }

    fn add(&mut self, commit: &HistoryCommit) {
        let number = self.commits.len() as u32;
        let mut counts: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut words = 0;
        for (_, identifier) in identifiers(&commit.message) {
            stems_of(identifier, &mut |stem| {
                *counts.entry(TermId::of(stem)).or_default() += 1;
                words += 1;
            });
        }
        for (term, count) in counts {
            self.postings.entry(term).or_default().push((number, count));
        }
        for file in &commit.files {
            let last = self.last_times.entry(file.clone()).or_insert(commit.time);
            *last = (*last).max(commit.time);
        }
        self.words += u64::from(words);
        self.commits.push(Message {
            id: commit.id.as_str().into(),
            words,
            files: commit.files.as_slice().into(),
        });
    }

    /// Returns how recent the last commit of a file is: 1 for now, half for a month ago; 0 without one.
    pub(crate) fn recency(&self, path: &str) -> f64 {
        let Some(&last) = self.last_times.get(path) else {
            return 0.0;
        };
        let days = self.head_time.saturating_sub(last).max(0) as f64 / 86400.0;
        1.0 / (1.0 + days / 30.0)
    }

    /// Returns the days since the last commit of a file, against that of HEAD; `None` without one.
    pub(crate) fn age_days(&self, path: &str) -> Option<f64> {
        let last = self.last_times.get(path)?;
        Some(self.head_time.saturating_sub(*last).max(0) as f64 / 86400.0)
    }

    /// Returns of each file that the best commits touched what they say of it.
    pub(crate) fn files(&self, terms: &[QueryTerm]) -> FxHashMap<&str, FileHistory> {
        let count = self.commits.len() as f64;
        let average = (self.words as f64 / count.max(1.0)).max(1.0);
        let mut scores = vec![0.0; self.commits.len()];
        for term in terms {
            let Some(rows) = self.postings.get(&term.term) else {
                continue;
            };
            let idf = crate::bm25::idf(self.commits.len(), rows.len());
            for &(commit, tf) in rows {
                let words = self
                    .commits
                    .get(commit as usize)
                    .map_or(0, |commit| commit.words);
                let saturated =
                    crate::bm25::saturated(f64::from(tf), LENGTH, f64::from(words) / average);
                if let Some(score) = scores.get_mut(commit as usize) {
                    *score += idf * term.weight * saturated;
                }
            }
        }
        let mut best: Vec<(f64, usize)> = scores
            .into_iter()
            .zip(0..)
            .filter(|&(score, _)| score > 0.0)
            .collect();
        best.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        best.truncate(BEST);
        let first = best.first().map_or(1.0, |&(score, _)| score);
        let mut files: FxHashMap<&str, FileHistory> = FxHashMap::default();
        for (score, number) in best {
            let Some(commit) = self.commits.get(number) else {
                continue;
            };
            let weight = (score / first).powi(2) / (commit.files.len().max(1) as f64).sqrt();
            for file in &commit.files {
                let own = files.entry(file).or_default();
                own.sum += weight;
                if weight > own.max {
                    own.max = weight;
                    own.commit = commit.id.clone();
                }
            }
        }
        files
    }
}
