//! Terms of where a file is: near files that the text leads to, beside the program, long.

use crate::candidates::{Candidates, add, at, normed};
use crate::pagerank;
use crate::paths;
use crate::terms::mentions::MentionScores;
use crate::terms::text::TextScores;

/// The number of files whose neighbours are lifted.
const SEEDS: usize = 15;

/// Scores of structure by position, not normed.
pub(crate) struct StructureScores {
    /// The mass of personalised PageRank.
    pub(crate) rank: Vec<f64>,
    /// The seed mass of the other files of the folder.
    pub(crate) folder: Vec<f64>,
    /// The mass that the ranks start from.
    pub(crate) seeds: Vec<f64>,
}

/// Returns the files that the text leads to, with how strongly: the best by words and mentions.
fn seeds(candidates: &Candidates<'_>, text: &TextScores, mentions: &MentionScores) -> Vec<f64> {
    let positions = candidates.counts.len();
    let body = normed(text.body.clone());
    let chunk = normed(text.chunks.best(positions));
    let path = normed(text.path.clone());
    let strength = |position: usize| {
        let frame = if at(&mentions.frame, position) > 0.0 {
            1.0
        } else {
            0.0
        };
        0.5 * at(&body, position).powi(2)
            + at(&chunk, position).powi(2)
            + 0.3 * at(&path, position)
            + 0.5 * at(&mentions.definitions, position).min(1.0)
            + at(&mentions.path, position)
            + frame
    };
    let mut best: Vec<(f64, usize)> = candidates
        .files()
        .map(|(position, _)| (strength(position), position))
        .filter(|&(strength, _)| strength > 0.0)
        .collect();
    best.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let mut seeds = candidates.zeros();
    for (strength, position) in best.into_iter().take(SEEDS) {
        add(&mut seeds, position, strength);
    }
    seeds
}

/// Scores the neighbourhoods of what the text leads to.
pub(crate) fn scores(
    candidates: &Candidates<'_>,
    text: &TextScores,
    mentions: &MentionScores,
) -> StructureScores {
    let seeds = seeds(candidates, text, mentions);
    let rank = pagerank::personalised(candidates.layout, &seeds, &candidates.counts);
    let mut folder = candidates.zeros();
    let seeded = candidates
        .files()
        .filter(|&(position, _)| at(&seeds, position) > 0.0);
    for (position, file) in seeded {
        let (own, _) = paths::split(&file.path);
        for other in candidates.positions(candidates.index.in_folder(own)) {
            if other != position {
                add(&mut folder, other, at(&seeds, position));
            }
        }
    }
    StructureScores {
        rank,
        folder,
        seeds,
    }
}

/// Returns 1 for files beside the program: documentation, tools, generated code.
pub(crate) fn beside(candidates: &Candidates<'_>) -> Vec<f64> {
    let mut scores = candidates.zeros();
    for (position, file) in candidates.files() {
        if paths::is_beside(&file.path) {
            add(&mut scores, position, 1.0);
        }
    }
    scores
}

/// Returns the logarithm of each file's lines, less its mean.
pub(crate) fn length(candidates: &Candidates<'_>) -> Vec<f64> {
    let mut scores = candidates.zeros();
    for (position, file) in candidates.files() {
        add(
            &mut scores,
            position,
            (1.0 + f64::from(file.lex.lines())).ln(),
        );
    }
    let mean = scores.iter().sum::<f64>() / candidates.number.max(1) as f64;
    for (position, _) in candidates.files() {
        add(&mut scores, position, -mean);
    }
    scores
}

/// Returns 1 for the direct neighbours of a file in the graph of imports.
pub(crate) fn near_cursor(candidates: &Candidates<'_>, cursor_file: Option<&str>) -> Vec<f64> {
    let mut scores = candidates.zeros();
    let position = cursor_file
        .and_then(|path| candidates.index.id(path))
        .and_then(|id| candidates.layout.position(id));
    let neighbours = position.map_or(&[][..], |position| candidates.layout.neighbours(position));
    for &other in neighbours {
        if candidates.counts.get(other as usize) == Some(&true) {
            add(&mut scores, other as usize, 1.0);
        }
    }
    scores
}
