//! Terms of what a query names: frames of stacks, paths, names of code.

use crate::candidates::{Candidates, add};
use crate::index::Index;
use crate::paths;
use crate::query::{INSTALLED, ReadQuery};

/// Scores of mentions by position.
pub(crate) struct MentionScores {
    /// 1 for the file of the innermost frame in the workspace, less for outer ones.
    pub(crate) frame: Vec<f64>,
    /// One over the files that a named path may mean.
    pub(crate) path: Vec<f64>,
    /// The same over the number of files named.
    pub(crate) path_share: Vec<f64>,
    /// The greatest of one over the files that declare a named thing.
    pub(crate) definition: Vec<f64>,
    /// The sum of these.
    pub(crate) definitions: Vec<f64>,
    /// The name that the greatest belongs to.
    pub(crate) defined: Vec<Option<usize>>,
}

/// The parts of a path, of which the last so many are compared.
const MIN_PARTS: usize = 2;

/// Scores the mentions of a query.
pub(crate) fn scores(candidates: &Candidates<'_>, query: &ReadQuery) -> MentionScores {
    let mut scores = MentionScores {
        frame: candidates.zeros(),
        path: candidates.zeros(),
        path_share: candidates.zeros(),
        definition: candidates.zeros(),
        definitions: candidates.zeros(),
        defined: vec![None; candidates.counts.len()],
    };
    for stack in &query.stacks {
        add_stack(candidates, stack, &mut scores.frame);
    }
    let mut named: Vec<usize> = Vec::new();
    for path in &query.paths {
        let meant = candidates.positions(&files_of(candidates.index, path));
        for &position in &meant {
            raise(&mut scores.path, position, 1.0 / meant.len() as f64);
        }
        named.extend(meant);
    }
    named.sort_unstable();
    named.dedup();
    for (share, path) in scores.path_share.iter_mut().zip(&scores.path) {
        *share = path / named.len().max(1) as f64;
    }
    for (number, name) in query.names.iter().enumerate() {
        let files = candidates.positions(candidates.index.defining(name));
        let part = 1.0 / files.len().max(1) as f64;
        for position in files {
            add(&mut scores.definitions, position, part);
            if raise(&mut scores.definition, position, part)
                && let Some(defined) = scores.defined.get_mut(position)
            {
                *defined = Some(number);
            }
        }
    }
    scores
}

/// Raises the number at a position to `value`; returns whether it was less.
fn raise(values: &mut [f64], position: usize, value: f64) -> bool {
    match values.get_mut(position) {
        Some(own) if *own < value => {
            *own = value;
            true
        }
        _ => false,
    }
}

/// Scores the files of a stack, innermost frame first. Only frames in the workspace are counted.
fn add_stack(candidates: &Candidates<'_>, stack: &[String], scores: &mut [f64]) {
    let mut inside = 0;
    for path in stack {
        let files = match path.strip_prefix(INSTALLED) {
            Some(path) => whole(candidates.index, path),
            None => files_of(candidates.index, path),
        };
        if let [file] = files.as_slice() {
            if let Some(position) = candidates.position(*file) {
                raise(scores, position, 1.0 / (1.0 + f64::from(inside)));
            }
            inside += 1;
        }
    }
}

/// Returns the files whose path ends with a whole path of several parts.
fn whole(index: &Index, path: &str) -> Vec<u32> {
    let parts = path.split('/').count();
    let ends = index.named(paths::split(path).1).iter().copied();
    let ends = ends.filter(|&id| parts >= MIN_PARTS && common_parts(index, id, path) == parts);
    ends.collect()
}

/// Returns the files that a path may mean: those that have most of its last parts, at least two; or the only file of the
/// name.
fn files_of(index: &Index, path: &str) -> Vec<u32> {
    let path = path.replace('\\', "/");
    let path = path.trim_matches('/');
    let named = index.named(paths::split(path).1);
    let common: Vec<usize> = named
        .iter()
        .map(|&id| common_parts(index, id, path))
        .collect();
    let most = common.iter().copied().max().unwrap_or(0);
    if most < MIN_PARTS {
        return if named.len() == 1 {
            named.to_vec()
        } else {
            Vec::new()
        };
    }
    let best = named
        .iter()
        .zip(common)
        .filter(|&(_, common)| common == most);
    best.map(|(&id, _)| id).collect()
}

/// Returns how many of the last parts a path shares with that of a file.
fn common_parts(index: &Index, id: u32, path: &str) -> usize {
    let Some(file) = index.by_id(id) else {
        return 0;
    };
    let pairs = file.path.rsplit('/').zip(path.rsplit('/'));
    pairs.take_while(|(own, other)| own == other).count()
}

/// Returns the files whose paths a query names.
pub(crate) fn named<'i>(index: &'i Index, query: &ReadQuery) -> Vec<&'i str> {
    let ids = query.paths.iter().flat_map(|path| files_of(index, path));
    ids.filter_map(|id| Some(&*index.by_id(id)?.path)).collect()
}
