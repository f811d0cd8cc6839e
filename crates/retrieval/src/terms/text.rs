//! Terms of words: BM25 of whole files, of their chunks and of their paths.

use crate::bm25::{idf, norm, saturated, saturated_by};
use crate::candidates::{Candidates, add, at};
use crate::query::{QueryTerm, ReadQuery};
use crate::term_table::TermCounts;

/// How much the length of a file and of a chunk counts. That of a path does not.
const FILE_LENGTH: f64 = 0.75;
const CHUNK_LENGTH: f64 = 0.4;

/// What an occurrence in a declared name, in the path and in a comment counts beside that in the text.
const NAMES: f64 = 2.0;
const PATH: f64 = 5.0;
const COMMENTS: f64 = 0.5;

/// The chunks of a file whose scores are summed.
const BEST_CHUNKS: usize = 5;

/// Scores of words by position, not normed.
#[derive(Default)]
pub(crate) struct TextScores {
    /// Of the text alone.
    pub(crate) body: Vec<f64>,
    /// Of the text with names, path and comments.
    pub(crate) fields: Vec<f64>,
    pub(crate) fields_title: Vec<f64>,
    pub(crate) path: Vec<f64>,
    pub(crate) path_title: Vec<f64>,
    pub(crate) chunks: ChunkScores,
}

/// Scores of the chunks of all files, one after the other.
#[derive(Default)]
pub(crate) struct ChunkScores {
    /// The number of the first chunk of each position, and that behind the last.
    first: Vec<usize>,
    all: Vec<f64>,
    title: Vec<f64>,
    /// The greatest scores of any chunk: by all words, and by those of the title.
    pub(crate) greatest: (f64, f64),
}

impl ChunkScores {
    /// Returns the scores of the chunks of a position: by all words, and by those of the title.
    pub(crate) fn of(&self, position: usize) -> (&[f64], &[f64]) {
        let bound = |at: usize| self.first.get(at).copied().unwrap_or(self.all.len());
        let range = bound(position)..bound(position + 1);
        let all = self.all.get(range.clone()).unwrap_or(&[]);
        (all, self.title.get(range).unwrap_or(&[]))
    }

    /// Returns of each position the sum of its best chunks: by all words, and by those of the title.
    pub(crate) fn best_sums(&self, positions: usize) -> (Vec<f64>, Vec<f64>) {
        let sum = |scores: &[f64]| {
            let mut scores = scores.to_vec();
            scores.sort_unstable_by(|one, other| other.total_cmp(one));
            scores.iter().take(BEST_CHUNKS).sum::<f64>()
        };
        let sums = (0..positions).map(|position| {
            let (all, title) = self.of(position);
            (sum(all), sum(title))
        });
        sums.unzip()
    }

    /// Returns of each position its best chunk.
    pub(crate) fn best(&self, positions: usize) -> Vec<f64> {
        let of = |position| self.of(position).0.iter().copied().fold(0.0, f64::max);
        (0..positions).map(of).collect()
    }
}

/// Scores the words of a query.
pub(crate) fn scores(candidates: &Candidates<'_>, query: &ReadQuery) -> TextScores {
    let mut pass = Pass::new(candidates);
    for term in &query.terms {
        pass.add_term(term);
    }
    let greatest = |scores: &[f64]| scores.iter().copied().fold(0.0, f64::max);
    let mut scores = pass.scores;
    scores.chunks.greatest = (greatest(&scores.chunks.all), greatest(&scores.chunks.title));
    scores
}

/// The state of a pass over the terms of a query.
struct Pass<'c, 'i> {
    candidates: &'c Candidates<'i>,
    scores: TextScores,
    /// The lengths of files over their average.
    lengths: Vec<f64>,
    /// The norms of the chunks of all files, one after the other.
    chunk_norms: Vec<f64>,
    /// Occurrences of the current term in each file, and the positions that have some.
    counts: Vec<f64>,
    touched: Vec<usize>,
}

impl<'c, 'i> Pass<'c, 'i> {
    fn new(candidates: &'c Candidates<'i>) -> Pass<'c, 'i> {
        let zeros = || candidates.zeros();
        let mut lengths = zeros();
        let mut first = vec![0; candidates.counts.len() + 1];
        let (mut words, mut chunks, mut chunk_words) = (0, 0, 0);
        let mut files = candidates.files().peekable();
        for (position, slot) in first.iter_mut().enumerate() {
            *slot = chunks;
            let Some((_, file)) = files.next_if(|&(at, _)| at == position) else {
                continue;
            };
            words += u64::from(file.lex.words());
            chunks += file.lex.chunks().len();
            chunk_words += file
                .lex
                .chunks()
                .iter()
                .map(|chunk| u64::from(chunk.words))
                .sum::<u64>();
        }
        let average_chunk = (chunk_words as f64 / chunks.max(1) as f64).max(1.0);
        let all_chunks = candidates.files().flat_map(|(_, file)| file.lex.chunks());
        let chunk_norms = all_chunks
            .map(|chunk| norm(CHUNK_LENGTH, f64::from(chunk.words) / average_chunk))
            .collect();
        let average = (words as f64 / candidates.number.max(1) as f64).max(1.0);
        for (position, file) in candidates.files() {
            add(
                &mut lengths,
                position,
                f64::from(file.lex.words()) / average,
            );
        }
        Pass {
            candidates,
            scores: TextScores {
                body: zeros(),
                fields: zeros(),
                fields_title: zeros(),
                path: zeros(),
                path_title: zeros(),
                chunks: ChunkScores {
                    first,
                    all: vec![0.0; chunks],
                    title: vec![0.0; chunks],
                    greatest: (0.0, 0.0),
                },
            },
            lengths,
            chunk_norms,
            counts: zeros(),
            touched: Vec::new(),
        }
    }

    fn count(&mut self, position: usize, amount: f64) {
        if let Some(count) = self.counts.get_mut(position) {
            if *count == 0.0 {
                self.touched.push(position);
            }
            *count += amount;
        }
    }

    fn add_term(&mut self, term: &QueryTerm) {
        let candidates = self.candidates;
        let rows = candidates.index.postings(term.term).iter();
        let rows: Vec<(usize, u32, u32)> = rows
            .filter_map(|&(file, row)| Some((candidates.position(file)?, file, row)))
            .collect();
        let paths = candidates.index.path_postings(term.term).iter();
        let paths: Vec<(usize, f64)> = paths
            .filter_map(|&(file, count)| Some((candidates.position(file)?, count)))
            .collect();
        let in_files = rows
            .iter()
            .filter(|&&(_, file, row)| self.counts(file, row).is_some_and(|row| row.body > 0));
        let file_idf = idf(candidates.number, in_files.count());
        self.add_chunks(term, &rows);
        for &(position, file, row) in &rows {
            let Some(row) = self.counts(file, row) else {
                continue;
            };
            let length = at(&self.lengths, position);
            let body = saturated(f64::from(row.body), FILE_LENGTH, length);
            add(
                &mut self.scores.body,
                position,
                file_idf * term.weight * body,
            );
            let fields = f64::from(row.body)
                + NAMES * f64::from(row.names)
                + COMMENTS * f64::from(row.comments);
            self.count(position, fields);
        }
        let path_idf = idf(candidates.number, paths.len());
        for (position, count) in paths {
            let score = path_idf * saturated(count, 0.0, 1.0);
            add(&mut self.scores.path, position, term.weight * score);
            add(
                &mut self.scores.path_title,
                position,
                term.title_weight * score,
            );
            self.count(position, PATH * count);
        }
        for position in std::mem::take(&mut self.touched) {
            let length = at(&self.lengths, position);
            let score = file_idf * saturated(at(&self.counts, position), FILE_LENGTH, length);
            add(&mut self.scores.fields, position, term.weight * score);
            add(
                &mut self.scores.fields_title,
                position,
                term.title_weight * score,
            );
            if let Some(count) = self.counts.get_mut(position) {
                *count = 0.0;
            }
        }
    }

    fn add_chunks(&mut self, term: &QueryTerm, rows: &[(usize, u32, u32)]) {
        let candidates = self.candidates;
        let in_chunks: usize = rows
            .iter()
            .filter_map(|&(_, file, row)| {
                let terms = candidates.index.by_id(file)?.lex.terms();
                Some(terms.number_of_chunks(row))
            })
            .sum();
        let scores = &mut self.scores.chunks;
        let chunk_idf = idf(scores.all.len(), in_chunks);
        for &(position, file, row) in rows {
            let Some(file) = candidates.index.by_id(file) else {
                continue;
            };
            let first = scores.first.get(position).copied().unwrap_or(0);
            for count in file.lex.terms().chunks_with(row) {
                let chunk = first + count.chunk as usize;
                let norm = at(&self.chunk_norms, chunk);
                let score = chunk_idf * saturated_by(f64::from(count.count), norm);
                add(&mut scores.all, chunk, term.weight * score);
                if term.title_weight > 0.0 {
                    add(&mut scores.title, chunk, term.title_weight * score);
                }
            }
        }
    }

    fn counts(&self, file: u32, row: u32) -> Option<TermCounts> {
        let file = self.candidates.index.by_id(file)?;
        Some(file.lex.terms().counts(row))
    }
}
