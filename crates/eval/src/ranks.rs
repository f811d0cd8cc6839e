//! How well a ranking finds the edited files.

use serde::Serialize;

/// The depths at which a ranking is scored.
pub const DEPTHS: [usize; 4] = [1, 3, 5, 10];

/// The positions of a task's edited files in a ranking, 1-based; `None` for a file that is not in it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Positions(pub Vec<Option<usize>>);

impl Positions {
    /// The positions of edited files among ranked paths.
    pub fn of<'a>(edited: &[&str], ranked: impl IntoIterator<Item = &'a str>) -> Positions {
        let mut positions = vec![None; edited.len()];
        for (position, path) in (1..).zip(ranked) {
            let found = edited.iter().position(|one| *one == path);
            if let Some(slot) = found.and_then(|at| positions.get_mut(at)) {
                *slot = Some(position);
            }
        }
        Positions(positions)
    }

    /// Whether all edited files are among the first so many.
    fn all_within(&self, depth: usize) -> bool {
        self.0.iter().all(|one| one.is_some_and(|at| at <= depth))
    }

    /// The share of the edited files that are among the first so many.
    fn recall(&self, depth: usize) -> f64 {
        let found = self.0.iter().flatten().filter(|at| **at <= depth).count();
        found as f64 / self.0.len().max(1) as f64
    }

    /// One over the position of the first edited file; 0 if there is none.
    fn reciprocal(&self) -> f64 {
        let first = self.0.iter().flatten().min();
        first.map_or(0.0, |at| 1.0 / *at as f64)
    }
}

/// How well a ranking finds edited files, over tasks. Shares of 1.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct RankScore {
    /// How many tasks.
    pub tasks: usize,
    /// The share of the tasks whose edited files are *all* among the first 1, 3, 5 and 10: [`DEPTHS`].
    pub acc: [f64; 4],
    /// The mean share of a task's edited files among the first 10.
    pub recall_10: f64,
    /// The mean of one over the position of the first edited file.
    pub mrr: f64,
}

impl RankScore {
    /// The score over tasks; zeroes over none.
    pub fn over<'a>(tasks: impl IntoIterator<Item = &'a Positions>) -> RankScore {
        let tasks: Vec<&Positions> = tasks.into_iter().collect();
        RankScore {
            tasks: tasks.len(),
            acc: DEPTHS.map(|depth| mean(tasks.iter().map(|one| f64::from(one.all_within(depth))))),
            recall_10: mean(tasks.iter().map(|one| one.recall(10))),
            mrr: mean(tasks.iter().map(|one| one.reciprocal())),
        }
    }
}

/// The mean; 0 of nothing.
pub(crate) fn mean(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0_usize);
    for number in numbers {
        sum += number;
        count += 1;
    }
    sum / count.max(1) as f64
}

/// The number that a share of the numbers is at most: 0.5 for the median; 0 of nothing. Of an even count the
/// lower of the two in the middle.
pub(crate) fn quantile(numbers: impl IntoIterator<Item = f64>, share: f64) -> f64 {
    let mut numbers: Vec<f64> = numbers.into_iter().collect();
    numbers.sort_by(f64::total_cmp);
    let last = numbers.len().saturating_sub(1);
    let at = (last as f64 * share).floor() as usize;
    numbers.get(at).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_counts_at_a_depth_if_all_its_edited_files_are_there() {
        let two = Positions::of(&["b", "d"], ["a", "b", "c", "d"]);
        assert_eq!(two, Positions(vec![Some(2), Some(4)]));
        let one = Positions::of(&["a"], ["a", "b"]);
        let none = Positions::of(&["x"], ["a"]);
        let score = RankScore::over([&two, &one, &none]);
        let third = 1.0 / 3.0;
        assert_eq!(score.acc, [third, third, 2.0 * third, 2.0 * third]);
        assert_eq!(score.mrr, (0.5 + 1.0) / 3.0);
        assert_eq!(score.recall_10, 2.0 / 3.0);
        assert_eq!(RankScore::over([]), RankScore::default());
        let half = Positions::of(&["a", "x"], ["a"]);
        assert_eq!(RankScore::over([&half]).recall_10, 0.5);
    }

    #[test]
    fn a_quantile_is_one_of_the_numbers() {
        let numbers = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(quantile(numbers, 0.5), 2.0);
        assert_eq!(quantile(numbers, 0.95), 3.0);
        assert_eq!(quantile(numbers, 1.0), 4.0);
        assert_eq!(quantile([], 0.5), 0.0);
    }
}
