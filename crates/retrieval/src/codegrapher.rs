//! The ranking of the program Codegrapher, for comparison: names and full text joined by reciprocal rank, files pruned to
//! what the cursor's file imports, then a sum of fit, PageRank, recency and tests. Its meaning needs a model: without one
//! the joined ranks take its part.

use std::collections::VecDeque;

use crate::candidates::{Candidates, at, normed};
use crate::formula::{Scored, meaning};
use crate::history::HistoryIndex;
use crate::paths;
use crate::query::RetrievalQuery;

/// The parts of a score.
pub(crate) const NAMES: [&str; 4] = ["meaning", "pagerank", "recency", "is_test"];

const WEIGHTS: [f64; 4] = [0.60, 0.25, 0.10, 0.05];

/// What is added to a rank before it is inverted (reciprocal-rank fusion; Cormack et al., 2009).
const FUSION: f64 = 60.0;

const DAMPING: f64 = 0.85;
const MAX_ROUNDS: usize = 100;
const PRECISION: f64 = 1e-6;

/// Returns the parts of the scores in the order of [`NAMES`], each by position.
pub(crate) fn parts(
    candidates: &Candidates<'_>,
    scored: &Scored,
    history: Option<&HistoryIndex>,
    query: &RetrievalQuery<'_>,
) -> Vec<Vec<f64>> {
    let near = meaning(candidates, query);
    let mut fused = candidates.zeros();
    for values in [
        &scored.text.body,
        &scored.mentions.definitions,
        &scored.text.path,
        &near,
    ] {
        fuse(values, &mut fused);
    }
    // Declarations of a file without a vector do not put the file behind all others.
    let fit = match query.meaning {
        Some(_) => near
            .iter()
            .zip(&fused)
            .map(|(near, fused)| near + fused)
            .collect(),
        None => fused,
    };
    let recency = |path: &str| match history.and_then(|history| history.age_days(path)) {
        Some(days) if days <= 7.0 => 1.0,
        Some(days) if days <= 30.0 => 0.5,
        _ => 0.1,
    };
    let by_path = |value: &dyn Fn(&str) -> f64| {
        let mut values = candidates.zeros();
        for (position, file) in candidates.files() {
            crate::candidates::add(&mut values, position, value(&file.path));
        }
        values
    };
    let is_test = |path: &str| if paths::is_test(path) { 1.0 } else { 0.0 };
    let parts = [
        normed(fit),
        normed(pagerank(candidates)),
        by_path(&recency),
        by_path(&is_test),
    ];
    let weighted = parts.into_iter().zip(WEIGHTS);
    weighted
        .map(|(values, weight)| values.into_iter().map(|value| weight * value).collect())
        .collect()
}

/// Returns which positions the prune keeps: the cursor's file, and those that it imports, directly or through others. `None`
/// for all.
pub(crate) fn kept(candidates: &Candidates<'_>, cursor_file: Option<&str>) -> Option<Vec<bool>> {
    let layout = candidates.layout;
    let start = layout.position(candidates.index.id(cursor_file?)?)?;
    let mut kept = vec![false; layout.order.len()];
    let mut queue = VecDeque::from([start]);
    while let Some(next) = queue.pop_front() {
        match kept.get_mut(next as usize) {
            Some(kept) if !*kept => *kept = true,
            _ => continue,
        }
        queue.extend(layout.imported(next));
    }
    Some(kept)
}

fn fuse(values: &[f64], fused: &mut [f64]) {
    let mut order: Vec<usize> = (0..values.len())
        .filter(|&position| at(values, position) > 0.0)
        .collect();
    order.sort_by(|&one, &other| {
        at(values, other)
            .total_cmp(&at(values, one))
            .then(one.cmp(&other))
    });
    for (rank, position) in order.into_iter().enumerate() {
        crate::candidates::add(fused, position, 1.0 / (FUSION + rank as f64 + 1.0));
    }
}

/// Returns the PageRank of each position, along imports.
fn pagerank(candidates: &Candidates<'_>) -> Vec<f64> {
    let number = candidates.counts.len().max(1) as f64;
    let mut ranks = vec![1.0 / number; candidates.counts.len()];
    for _ in 0..MAX_ROUNDS {
        let mut next = vec![(1.0 - DAMPING) / number; ranks.len()];
        for (position, rank) in ranks.iter().enumerate() {
            let imported = candidates.layout.imported(position as u32);
            let share = DAMPING * rank / imported.len().max(1) as f64;
            for &other in imported {
                crate::candidates::add(&mut next, other as usize, share);
            }
        }
        let change: f64 = next
            .iter()
            .zip(&ranks)
            .map(|(one, other)| (one - other).abs())
            .sum();
        ranks = next;
        if change < PRECISION {
            break;
        }
    }
    ranks
}
