//! The score of a file: a weighted sum of terms.

use crate::history::HistoryIndex;
use crate::index::Index;
use crate::query::RetrievalQuery;
use crate::weights::Weights;

/// A declaration of a ranked file, or the head of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedChunk {
    /// The first and last line, 1-based.
    pub lines: (u32, u32),
    /// The qualified name of the declaration; empty for the head of a file.
    pub symbol: Box<str>,
    /// How well its words fit, over the best of the query.
    pub score: f64,
}

/// A file with its score.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedFile {
    /// From the workspace's root, with `/`.
    pub path: Box<str>,
    /// The weighted sum of the parts.
    pub score: f64,
    /// The weighted terms; their sum is the score.
    pub parts: Vec<(&'static str, f64)>,
    /// Names of each part that is more than a twentieth of the score.
    pub why: Vec<String>,
    /// Whether it is one of the files that probably hold what the query is about.
    pub likely: bool,
    /// Its declarations, best first.
    pub chunks: Vec<RankedChunk>,
}

/// The files of an index, best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking {
    /// Files but tests, unless the query includes them.
    pub files: Vec<RankedFile>,
    /// Test files.
    pub tests: Vec<RankedFile>,
    /// What the client can do for a better answer, as sentences.
    pub hints: Vec<String>,
}

/// Ranks the files of the index; tests apart.
pub fn rank(
    _index: &Index,
    _history: Option<&HistoryIndex>,
    _weights: &Weights,
    _query: &RetrievalQuery<'_>,
) -> Ranking {
    Ranking::default()
}
