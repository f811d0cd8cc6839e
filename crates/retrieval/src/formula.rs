//! The score of a file: a weighted sum of terms.

use crate::candidates::{Candidates, add, at, normed};
use crate::codegrapher;
use crate::history::{HistoryIndex, HistoryState};
use crate::index::{Index, IndexedFile};
use crate::paths;
use crate::query::{Profile, ReadQuery, RetrievalQuery};
use crate::terms::{mentions, structure, text};
use crate::weights::{TERMS, Weights};

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

/// The part of all probability that the likely files have together.
const LIKELY: f64 = 0.9;

/// The part of a score from which a term is named.
const NAMED: f64 = 0.05;

/// The most chunks of a file that a ranking lists.
const MAX_CHUNKS: usize = 8;

/// Ranks the files of the index; tests apart.
pub fn rank(
    index: &Index,
    history: Option<&HistoryIndex>,
    weights: &Weights,
    query: &RetrievalQuery<'_>,
) -> Ranking {
    let read = ReadQuery::of(query.text);
    let mut ranking = Ranking {
        hints: hints(index, history, &read),
        ..Ranking::default()
    };
    if read.terms.is_empty() {
        return ranking;
    }
    let named_tests = mentions::named(index, &read);
    let is_file = |path: &str| {
        query.include_tests
            || !paths::is_test(path)
            || named_tests.iter().any(|named| **named == *path)
    };
    let ranker = Ranker {
        history,
        weights,
        query,
        read: &read,
    };
    ranking.files = ranker.rank(&Candidates::of(index, is_file));
    if ranking.files.is_empty() && !index.is_empty() {
        let hint = "no file has a word of the query: use other words, or names of the code";
        ranking.hints.push(hint.to_owned());
    }
    ranking.tests = ranker.rank(&Candidates::of(index, |path| !is_file(path)));
    ranking
}

fn hints(index: &Index, history: Option<&HistoryIndex>, read: &ReadQuery) -> Vec<String> {
    let mut hints = Vec::new();
    if index.is_empty() {
        hints.push("no source file is indexed".to_owned());
    } else if read.terms.is_empty() {
        hints.push("the query has no word to rank by: name what the code does, a symbol, a path or an error message".to_owned());
    }
    let state = history.map_or(HistoryState::Pending, HistoryIndex::state);
    hints.extend(
        match state {
            HistoryState::Read => None,
            HistoryState::Shallow => {
                Some("the clone is shallow: commits before its border do not count")
            }
            HistoryState::Incomplete => {
                Some("the clone is partial: commits whose objects it lacks do not count")
            }
            HistoryState::NoRepository => Some("no git repository: ranked without history"),
            HistoryState::NoGit => Some("git could not be run: ranked without history"),
            HistoryState::Unreadable => {
                Some("the git history could not be read: ranked without it")
            }
            HistoryState::Pending => {
                Some("the git history has not been read yet: ranked without it")
            }
        }
        .map(str::to_owned),
    );
    let mut cut: Vec<&str> = index
        .files()
        .filter(|file| file.lex.is_cut())
        .map(|file| &*file.path)
        .collect();
    cut.sort_unstable();
    hints.extend(cut.into_iter().map(|path| {
        format!(
            "{path}: only the first {} bytes are searched",
            crate::lex::MAX_TEXT
        )
    }));
    hints
}

/// What one ranking is made by.
struct Ranker<'a> {
    history: Option<&'a HistoryIndex>,
    weights: &'a Weights,
    query: &'a RetrievalQuery<'a>,
    read: &'a ReadQuery,
}

/// The terms of all candidates, and what they come from.
pub(crate) struct Scored {
    /// In the order of [`TERMS`], each by position, unweighted.
    terms: [Vec<f64>; TERMS.len()],
    pub(crate) text: text::TextScores,
    pub(crate) mentions: mentions::MentionScores,
    structure: structure::StructureScores,
    /// The best commit of each position.
    commits: Vec<Box<str>>,
}

/// The terms that say something of a file whatever the query is.
const OF_ANY_QUERY: [&str; 4] = ["recent", "aux", "len", "cursor"];

impl Scored {
    /// Returns whether the query fits any file at all.
    fn has_any_fit(&self) -> bool {
        let terms = TERMS.iter().zip(&self.terms);
        let mut fitting = terms.filter(|((name, _), _)| !OF_ANY_QUERY.contains(name));
        fitting.any(|(_, values)| values.iter().any(|&value| value > 0.0))
    }
}

impl Ranker<'_> {
    fn rank(&self, candidates: &Candidates<'_>) -> Vec<RankedFile> {
        let scored = self.scored(candidates);
        if !scored.has_any_fit() {
            return Vec::new();
        }
        let weight = |name| self.weights.weight(name);
        let parts: Vec<Vec<f64>> = match self.query.profile {
            Profile::Measured => {
                let terms = TERMS.iter().zip(&scored.terms);
                terms
                    .map(|(&(name, _), values)| {
                        values.iter().map(|value| weight(name) * value).collect()
                    })
                    .collect()
            }
            Profile::Codegrapher => {
                codegrapher::parts(candidates, &scored, self.history, self.query)
            }
        };
        let names: Vec<&'static str> = match self.query.profile {
            Profile::Measured => TERMS.iter().map(|&(name, _)| name).collect(),
            Profile::Codegrapher => codegrapher::NAMES.to_vec(),
        };
        let kept = match self.query.profile {
            Profile::Measured => None,
            Profile::Codegrapher => codegrapher::kept(candidates, self.query.cursor_file),
        };
        let is_kept = |position: usize| {
            kept.as_ref()
                .is_none_or(|kept| kept.get(position) == Some(&true))
        };
        let mut order: Vec<(f64, usize)> = candidates
            .files()
            .filter(|&(position, _)| is_kept(position))
            .map(|(position, _)| {
                (
                    parts.iter().map(|values| at(values, position)).sum(),
                    position,
                )
            })
            .collect();
        order.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        lift_named(&mut order, &scored.mentions.path);
        let likely = likely(&order);
        let ranked = order
            .iter()
            .enumerate()
            .filter_map(|(rank, &(score, position))| {
                let file = candidates.file(position)?;
                let own = names
                    .iter()
                    .zip(&parts)
                    .map(|(&name, values)| (name, at(values, position)));
                let parts: Vec<(&'static str, f64)> = own
                    .filter(|&(_, part)| self.query.explain || part != 0.0)
                    .collect();
                Some(RankedFile {
                    path: file.path.clone(),
                    score,
                    why: self.why(candidates, &scored, position, score, &parts),
                    parts,
                    likely: rank < likely,
                    chunks: self.chunks(&scored, position, file),
                })
            });
        ranked.collect()
    }

    fn scored(&self, candidates: &Candidates<'_>) -> Scored {
        let positions = candidates.counts.len();
        let text = text::scores(candidates, self.read);
        let mentions = mentions::scores(candidates, self.read);
        let structure = structure::scores(candidates, &text, &mentions);
        let (chunks, chunks_title) = text.chunks.best_sums(positions);
        let (mut greatest, mut sum, mut recent) =
            (candidates.zeros(), candidates.zeros(), candidates.zeros());
        let mut commits: Vec<Box<str>> = vec![Box::default(); positions];
        if let Some(history) = self.history {
            let of_files = history.files(&self.read.terms);
            for (position, file) in candidates.files() {
                add(&mut recent, position, history.recency(&file.path));
                let Some(own) = of_files.get(&*file.path) else {
                    continue;
                };
                add(&mut greatest, position, own.max);
                add(&mut sum, position, own.sum.ln_1p());
                if let Some(commit) = commits.get_mut(position) {
                    *commit = own.commit.clone();
                }
            }
        }
        Scored {
            terms: [
                normed(text.fields.clone()),
                normed(text.fields_title.clone()),
                normed(chunks),
                normed(chunks_title),
                normed(text.path.clone()),
                normed(text.path_title.clone()),
                mentions.frame.clone(),
                mentions.path.clone(),
                mentions.path_share.clone(),
                mentions.definition.clone(),
                normed(structure.rank.clone()),
                normed(structure.folder.clone()),
                normed(greatest),
                normed(sum),
                recent,
                structure::beside(candidates),
                structure::length(candidates),
                structure::near_cursor(candidates, self.query.cursor_file),
                normed(meaning(candidates, self.query)),
            ],
            text,
            mentions,
            structure,
            commits,
        }
    }

    /// Returns the names of the parts that make a file's score, the greatest first.
    fn why(
        &self,
        candidates: &Candidates<'_>,
        scored: &Scored,
        position: usize,
        score: f64,
        parts: &[(&'static str, f64)],
    ) -> Vec<String> {
        let mut labels: Vec<(String, f64)> = Vec::new();
        for &(name, part) in parts {
            if part <= NAMED * score || part <= 0.0 {
                continue;
            }
            let label = self.label(candidates, scored, position, name);
            match labels.iter_mut().find(|(other, _)| *other == label) {
                Some((_, sum)) => *sum += part,
                None => labels.push((label, part)),
            }
        }
        labels.sort_by(|one, other| other.1.total_cmp(&one.1));
        labels.into_iter().map(|(label, _)| label).collect()
    }

    fn label(
        &self,
        candidates: &Candidates<'_>,
        scored: &Scored,
        position: usize,
        name: &str,
    ) -> String {
        let label = match name {
            "bmf_title" | "ch_title_top5" => "title",
            "bmf" | "ch_top5" => "text",
            "path" | "path_title" => "path",
            "tb_last" => "traceback",
            "path_full" | "path_share" => "named in query",
            "dir" => "same folder",
            "def_max" => {
                let name = scored.mentions.defined.get(position).copied().flatten();
                let name = name.and_then(|number| self.read.names.get(number));
                return format!("defines {}", name.map_or("", String::as_str));
            }
            "h_max" | "h_sum" => {
                let commit = scored.commits.get(position).map_or("", |commit| &**commit);
                return format!("commit {}", commit.get(..7).unwrap_or(commit));
            }
            "ppr" => return near(candidates, scored, position),
            "cursor" => {
                return format!(
                    "near {} in imports",
                    self.query.cursor_file.unwrap_or_default()
                );
            }
            other => other,
        };
        label.to_owned()
    }

    fn chunks(&self, scored: &Scored, position: usize, file: &IndexedFile) -> Vec<RankedChunk> {
        let (all, title) = scored.text.chunks.of(position);
        let (greatest, greatest_title) = scored.text.chunks.greatest;
        let part = |score: f64, greatest: f64| {
            if greatest > 0.0 {
                score / greatest
            } else {
                0.0
            }
        };
        let (of_all, of_title) = (
            self.weights.weight("ch_top5"),
            self.weights.weight("ch_title_top5"),
        );
        let chunks = file.lex.chunks().iter().zip(all.iter().zip(title));
        let mut best: Vec<(f64, (u32, u32), usize)> = chunks
            .enumerate()
            .map(|(number, (chunk, (&all, &title)))| {
                let score = of_all * part(all, greatest) + of_title * part(title, greatest_title);
                (score, chunk.lines, number)
            })
            .collect();
        best.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        best.truncate(MAX_CHUNKS);
        let chunks = best.into_iter().map(|(score, lines, number)| RankedChunk {
            lines,
            symbol: file.lex.chunk_name(number).into(),
            score,
        });
        chunks.collect()
    }
}

/// Returns how near in meaning each file is; all 0 without a model.
pub(crate) fn meaning(candidates: &Candidates<'_>, query: &RetrievalQuery<'_>) -> Vec<f64> {
    let mut values = candidates.zeros();
    if let Some(meaning) = query.meaning {
        for (position, file) in candidates.files() {
            let near = meaning.get(&file.path).copied();
            add(&mut values, position, near.unwrap_or(0.0));
        }
    }
    values
}

/// Returns which of the files that the text leads to a file is near: the strongest of its neighbours, else itself.
fn near(candidates: &Candidates<'_>, scored: &Scored, position: usize) -> String {
    let seeds = &scored.structure.seeds;
    let ranks = &scored.structure.rank;
    let neighbours = candidates
        .layout
        .neighbours(position as u32)
        .iter()
        .map(|&other| other as usize);
    let mut best: Option<usize> = None;
    for other in neighbours.filter(|&other| at(ranks, other) > 0.0) {
        let strength = |position| (at(seeds, position), at(ranks, position));
        if best.is_none_or(|best| strength(best) < strength(other)) {
            best = Some(other);
        }
    }
    match best.and_then(|other| candidates.file(other)) {
        Some(file) => format!("near {} in imports", file.path),
        None => "text".to_owned(),
    }
}

/// The number of first files that a file is among whose path the query names.
const FIRST: usize = 3;

/// Lifts files that a path of the query means alone to the first few, if there are not more of them.
fn lift_named(order: &mut Vec<(f64, usize)>, paths: &[f64]) {
    let is_named = |&(_, position): &(f64, usize)| at(paths, position) >= 1.0;
    if order.iter().filter(|file| is_named(file)).count() > FIRST {
        return;
    }
    let behind: Vec<usize> = (FIRST..order.len())
        .filter(|&rank| order.get(rank).is_some_and(is_named))
        .collect();
    let first = FIRST.saturating_sub(behind.len());
    for (number, rank) in behind.into_iter().enumerate() {
        let file = order.remove(rank);
        order.insert(first + number, file);
    }
}

/// Returns how many of some files, best first, are likely: those that have most of the probability together.
fn likely(order: &[(f64, usize)]) -> usize {
    let greatest = order.first().map_or(0.0, |&(score, _)| score);
    if greatest <= 0.0 {
        return 0;
    }
    let mass = |score: f64| (2.0 * (score - greatest)).exp();
    let total: f64 = order.iter().map(|&(score, _)| mass(score)).sum();
    let mut sum = 0.0;
    let before = order.iter().take_while(|&&(score, _)| {
        let is_before = sum < LIKELY;
        sum += mass(score) / total;
        is_before
    });
    before.count()
}
