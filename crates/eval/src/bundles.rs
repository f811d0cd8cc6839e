//! What a bundle covers of a task.

use serde::Serialize;

use crate::ranks::{mean, quantile};
use crate::task::Task;

/// A file of a bundle.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BundleFile {
    /// From the top folder.
    pub path: Box<str>,
    /// Whether it is marked as likely.
    pub likely: bool,
    /// The lines of each of its rows, first and last, 1-based.
    pub lines: Vec<(u32, u32)>,
    /// The declarations that its rows name.
    pub symbols: Vec<Box<str>>,
}

/// What the bundle of one task covers.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Coverage {
    /// How many files the task edits, of those that are in the tree.
    pub edited: usize,
    /// How many of these are in the bundle.
    pub found: usize,
    /// How many edited hunks the task has; 0 if it lists none.
    pub hunks: usize,
    /// How many of these have a line in common with a row of their file.
    pub hunks_covered: usize,
    /// How many files the bundle has.
    pub files: usize,
    /// How many of these are marked as likely.
    pub likely: usize,
    /// How many of the likely files are edited.
    pub likely_edited: usize,
    /// How many files and names the task expects besides.
    pub expected: usize,
    /// How many of these are in the bundle.
    pub expected_found: usize,
    /// The tokens of the text that is sent.
    pub tokens: usize,
}

impl Coverage {
    /// What a bundle of so many tokens covers of a task; `edited` are its edited files that are in the tree.
    pub fn of(task: &Task, edited: &[&str], bundle: &[BundleFile], tokens: usize) -> Coverage {
        let file = |path: &str| bundle.iter().find(|file| &*file.path == path);
        let is_edited = |file: &&BundleFile| edited.contains(&&*file.path);
        let ranges = edited.iter().filter_map(|path| {
            let ranges = task.ranges.get(*path)?;
            Some((file(path), ranges))
        });
        let (mut hunks, mut hunks_covered) = (0, 0);
        for (file, ranges) in ranges {
            let rows = file.map_or(&[][..], |file| &file.lines);
            hunks += ranges.len();
            let meets =
                |hunk: &&(u32, u32)| rows.iter().any(|row| row.0 <= hunk.1 && hunk.0 <= row.1);
            hunks_covered += ranges.iter().filter(meets).count();
        }
        let expected = &task.expected_bundle_should_contain;
        let has = |name: &&String| {
            file(name).is_some()
                || bundle
                    .iter()
                    .any(|file| file.symbols.iter().any(|symbol| names(symbol, name)))
        };
        Coverage {
            edited: edited.len(),
            found: edited.iter().filter(|path| file(path).is_some()).count(),
            hunks,
            hunks_covered,
            files: bundle.len(),
            likely: bundle.iter().filter(|file| file.likely).count(),
            likely_edited: bundle
                .iter()
                .filter(|file| file.likely)
                .filter(is_edited)
                .count(),
            expected: expected.len(),
            expected_found: expected.iter().filter(has).count(),
            tokens,
        }
    }
}

/// Whether a qualified name is the wanted one, or ends with it: `a.b.C.m` is also `C.m`.
fn names(symbol: &str, wanted: &str) -> bool {
    let start = symbol.strip_suffix(wanted);
    start.is_some_and(|start| !start.ends_with(|last: char| last.is_alphanumeric() || last == '_'))
}

/// What bundles cover, over tasks. Shares of 1; each is a mean over the tasks that have such a share.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct BundleScore {
    /// How many tasks.
    pub tasks: usize,
    /// The share of a task's edited files that are in its bundle.
    pub recall: f64,
    /// The share of the tasks whose edited files all are.
    pub whole: f64,
    /// The share of a task's edited hunks that rows cover.
    pub hunks: f64,
    /// The share of the likely files that are edited.
    pub likely_precision: f64,
    /// The share of the edited files that are likely.
    pub likely_recall: f64,
    /// The likely files.
    pub likely_files: f64,
    /// The share of what a task expects besides.
    pub expected: f64,
    /// The files of a bundle.
    pub files: f64,
    /// The tokens of a bundle: the mean.
    pub tokens_mean: f64,
    /// The most tokens of a bundle.
    pub tokens_most: f64,
}

impl BundleScore {
    /// The score over tasks; zeroes over none.
    pub fn over<'a>(tasks: impl IntoIterator<Item = &'a Coverage>) -> BundleScore {
        let tasks: Vec<&Coverage> = tasks.into_iter().collect();
        let all = || tasks.iter().copied();
        let share = |part: fn(&Coverage) -> usize, whole: fn(&Coverage) -> usize| {
            let tasks = all().filter(|one| whole(one) > 0);
            mean(tasks.map(|one| part(one) as f64 / whole(one) as f64))
        };
        BundleScore {
            tasks: tasks.len(),
            recall: share(|one| one.found, |one| one.edited),
            whole: mean(all().map(|one| f64::from(one.found == one.edited))),
            hunks: share(|one| one.hunks_covered, |one| one.hunks),
            likely_precision: share(|one| one.likely_edited, |one| one.likely),
            likely_recall: share(|one| one.likely_edited, |one| one.edited),
            likely_files: mean(all().map(|one| one.likely as f64)),
            expected: share(|one| one.expected_found, |one| one.expected),
            files: mean(all().map(|one| one.files as f64)),
            tokens_mean: mean(all().map(|one| one.tokens as f64)),
            tokens_most: quantile(all().map(|one| one.tokens as f64), 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, likely: bool, lines: &[(u32, u32)], symbols: &[&str]) -> BundleFile {
        BundleFile {
            path: path.into(),
            likely,
            lines: lines.to_vec(),
            symbols: symbols.iter().map(|one| (*one).into()).collect(),
        }
    }

    fn task() -> Task {
        let ranges = [("a", vec![(1, 3), (10, 12)]), ("b", vec![(5, 5)])];
        Task {
            ranges: ranges
                .map(|(path, ranges)| (path.to_owned(), ranges))
                .into(),
            expected_bundle_should_contain: ["C.m", "d", "m"].map(str::to_owned).to_vec(),
            ..Task::default()
        }
    }

    #[test]
    fn a_hunk_is_covered_by_a_row_that_has_one_of_its_lines() {
        let bundle = [
            file("a", true, &[(3, 4), (13, 20)], &["x.C.m"]),
            file("c", true, &[], &["x.am"]),
            file("d", false, &[(5, 5)], &[]),
        ];
        let coverage = Coverage::of(&task(), &["a", "b"], &bundle, 70);
        let expected = Coverage {
            edited: 2,
            found: 1,
            hunks: 3,
            hunks_covered: 1,
            files: 3,
            likely: 2,
            likely_edited: 1,
            expected: 3,
            expected_found: 3,
            tokens: 70,
        };
        assert_eq!(coverage, expected);
        assert!(!names("x.am", "m") && names("m", "m") && names("x.m", "m"));
    }

    #[test]
    fn shares_are_means_over_tasks_that_have_one() {
        let bundle = [file("a", true, &[(1, 20)], &[])];
        let covered = Coverage::of(&task(), &["a"], &bundle, 10);
        let missed = Coverage::of(&Task::default(), &["b"], &[], 30);
        let score = BundleScore::over([&covered, &missed]);
        assert_eq!((score.tasks, score.recall, score.whole), (2, 0.5, 0.5));
        // The second task lists no hunks, and its bundle marks nothing as likely.
        assert_eq!((score.hunks, score.likely_precision), (1.0, 1.0));
        assert_eq!((score.likely_recall, score.likely_files), (0.5, 0.5));
        assert_eq!((score.tokens_mean, score.tokens_most), (20.0, 30.0));
    }
}
