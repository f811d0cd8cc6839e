//! The files that one ranking is over, as a row of numbers each.

use crate::index::{FileId, Index, IndexedFile};
use crate::layout::Layout;

/// The files of a ranking: those of the index whose kind is wanted. All lists of numbers are by position in the order of
/// paths, so that sums are taken in the same order whatever edits made the index.
pub(crate) struct Candidates<'i> {
    pub(crate) index: &'i Index,
    pub(crate) layout: &'i Layout,
    /// Whether the file at a position is ranked.
    pub(crate) counts: Vec<bool>,
    /// How many are.
    pub(crate) number: usize,
}

impl<'i> Candidates<'i> {
    /// Returns the files with a path that is wanted.
    pub(crate) fn of(index: &'i Index, is_wanted: impl Fn(&str) -> bool) -> Candidates<'i> {
        let layout = index.layout();
        let paths = layout.order.iter().map(|&id| index.by_id(id));
        let counts: Vec<bool> = paths
            .map(|file| file.is_some_and(|file| is_wanted(&file.path)))
            .collect();
        Candidates {
            index,
            layout,
            number: counts.iter().filter(|&&counts| counts).count(),
            counts,
        }
    }

    /// Returns as many zeros as there are positions.
    pub(crate) fn zeros(&self) -> Vec<f64> {
        vec![0.0; self.counts.len()]
    }

    /// Returns the position of a file that is ranked.
    pub(crate) fn position(&self, id: FileId) -> Option<usize> {
        let at = self.layout.position(id)? as usize;
        (self.counts.get(at) == Some(&true)).then_some(at)
    }

    /// Returns the files that are ranked, with their positions.
    pub(crate) fn files(&self) -> impl Iterator<Item = (usize, &'i IndexedFile)> {
        let order = self.layout.order.iter().zip(&self.counts).enumerate();
        order.filter_map(|(at, (&id, &counts))| counts.then_some((at, self.index.by_id(id)?)))
    }

    /// Returns the file at a position.
    pub(crate) fn file(&self, at: usize) -> Option<&'i IndexedFile> {
        self.index.by_id(*self.layout.order.get(at)?)
    }

    /// Returns the positions of files that are ranked, of some files.
    pub(crate) fn positions(&self, ids: &[FileId]) -> Vec<usize> {
        let mut positions: Vec<usize> = ids.iter().filter_map(|&id| self.position(id)).collect();
        positions.sort_unstable();
        positions
    }
}

/// Divides numbers by the greatest of them, if that is above 0.
pub(crate) fn normed(mut values: Vec<f64>) -> Vec<f64> {
    let greatest = values.iter().copied().fold(0.0, f64::max);
    if greatest > 0.0 {
        values.iter_mut().for_each(|value| *value /= greatest);
    }
    values
}

/// Adds to the number at a position.
pub(crate) fn add(values: &mut [f64], at: usize, amount: f64) {
    if let Some(value) = values.get_mut(at) {
        *value += amount;
    }
}

/// Returns the number at a position; 0 without one.
pub(crate) fn at(values: &[f64], at: usize) -> f64 {
    values.get(at).copied().unwrap_or(0.0)
}
