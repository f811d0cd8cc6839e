//! The outcomes of tasks together: shares by ranking and repository, bundles, tokens, times.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Write as _};

use serde::Serialize;

use crate::baselines::GREP_READS;
use crate::bundles::{BundleScore, Coverage};
use crate::outcome::{Outcome, Tokens};
use crate::ranks::{DEPTHS, RankScore, mean, quantile};

/// The scores of one ranking.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct RankingSummary {
    /// Over all tasks.
    pub all: RankScore,
    /// Over the tasks that edit one file.
    pub single: RankScore,
    /// Over all tasks of each repository.
    pub by_repository: BTreeMap<String, RankScore>,
}

/// How many tokens a bundle saves beside another way to read. Shares of 1: 0.9 for a tenth of the tokens.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Saving {
    /// The mean of the other way's tokens.
    pub tokens_mean: f64,
    /// What the mean bundle saves of that.
    pub of_means: f64,
    /// The median of what a task's bundle saves.
    pub median: f64,
    /// The share of a task's edited files that the other way reads; 1 where it reads all of them.
    pub recall: f64,
}

/// What came out of all tasks.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Summary {
    /// How many tasks were scored.
    pub tasks: usize,
    /// How many of these edit one file.
    pub single: usize,
    /// How many edited files are not in the trees, or are tests.
    pub not_in_tree: usize,
    /// The mean number of source files of a tree, without tests.
    pub files_mean: f64,
    /// Scores by the name of the ranking.
    pub rankings: BTreeMap<String, RankingSummary>,
    /// What the bundles cover; `None` without bundles.
    pub bundles: Option<BundleScore>,
    /// The same by kind of task, if tasks have kinds.
    pub bundles_by_kind: BTreeMap<String, BundleScore>,
    /// What bundles save, by the other way to read: `grep_3`, `grep_5`, `grep_10` (the first files that grep finds),
    /// `edited_files` (which a reader does not know), `whole_tree`; empty without bundles.
    pub savings: BTreeMap<String, Saving>,
    /// The time of a query in milliseconds: the median.
    pub milliseconds_median: f64,
    /// The time that 95 of 100 queries need at most.
    pub milliseconds_p95: f64,
}

impl Summary {
    /// The summary of outcomes, in any order.
    pub fn of(outcomes: &[Outcome]) -> Summary {
        let names: BTreeSet<&String> = outcomes
            .iter()
            .flat_map(|one| one.positions.keys())
            .collect();
        let rankings = names
            .into_iter()
            .map(|name| (name.clone(), ranking(outcomes, name)));
        let covered = |kind: Option<&str>| {
            let of_kind = outcomes
                .iter()
                .filter(|one| kind.is_none_or(|kind| one.kind == kind));
            let covered: Vec<&Coverage> = of_kind.filter_map(|one| one.coverage.as_ref()).collect();
            (!covered.is_empty()).then(|| BundleScore::over(covered))
        };
        let kinds: BTreeSet<&str> = outcomes.iter().map(|one| one.kind.as_str()).collect();
        let kinds = kinds.into_iter().filter(|kind| !kind.is_empty());
        Summary {
            tasks: outcomes.len(),
            single: outcomes.iter().filter(|one| one.edited.len() == 1).count(),
            not_in_tree: outcomes.iter().map(|one| one.not_in_tree.len()).sum(),
            files_mean: mean(outcomes.iter().map(|one| one.files as f64)),
            rankings: rankings.collect(),
            bundles: covered(None),
            bundles_by_kind: kinds
                .filter_map(|kind| Some((kind.to_owned(), covered(Some(kind))?)))
                .collect(),
            savings: savings(outcomes),
            milliseconds_median: quantile(outcomes.iter().map(|one| one.milliseconds), 0.5),
            milliseconds_p95: quantile(outcomes.iter().map(|one| one.milliseconds), 0.95),
        }
    }
}

fn ranking(outcomes: &[Outcome], name: &str) -> RankingSummary {
    let score = |wanted: &dyn Fn(&Outcome) -> bool| {
        let of_them = outcomes.iter().filter(|one| wanted(one));
        RankScore::over(of_them.filter_map(|one| one.positions.get(name)))
    };
    let repositories: BTreeSet<&String> = outcomes.iter().map(|one| &one.repo).collect();
    RankingSummary {
        all: score(&|_| true),
        single: score(&|one| one.edited.len() == 1),
        by_repository: repositories
            .into_iter()
            .map(|repo| (repo.clone(), score(&|one| one.repo == *repo)))
            .collect(),
    }
}

fn savings(outcomes: &[Outcome]) -> BTreeMap<String, Saving> {
    let read: Vec<(&Tokens, usize)> = outcomes
        .iter()
        .filter_map(|one| Some((one.tokens.as_ref()?, one.edited.len())))
        .collect();
    if read.is_empty() {
        return BTreeMap::new();
    }
    let saving = |tokens: &dyn Fn(&Tokens) -> usize, found: &dyn Fn(&Tokens) -> Option<usize>| {
        let tokens_mean = mean(read.iter().map(|(one, _)| tokens(one) as f64));
        let bundle_mean = mean(read.iter().map(|(one, _)| one.bundle as f64));
        // Where the other way reads nothing, nothing is saved.
        let saved = |bundle: f64, other: f64| {
            if other > 0.0 {
                1.0 - bundle / other
            } else {
                0.0
            }
        };
        let each = read
            .iter()
            .map(|(one, _)| saved(one.bundle as f64, tokens(one) as f64));
        Saving {
            tokens_mean,
            of_means: saved(bundle_mean, tokens_mean),
            median: quantile(each, 0.5),
            recall: mean(read.iter().map(|(one, edited)| match found(one) {
                Some(found) => found as f64 / (*edited).max(1) as f64,
                None => 1.0,
            })),
        }
    };
    let mut savings = BTreeMap::new();
    for (at, count) in GREP_READS.into_iter().enumerate() {
        let of_grep = move |all: &[usize]| all.get(at).copied().unwrap_or(0);
        let saving = saving(&|one| of_grep(&one.grep), &|one| {
            Some(of_grep(&one.grep_found))
        });
        savings.insert(format!("grep_{count}"), saving);
    }
    savings.insert(
        "edited_files".to_owned(),
        saving(&|one| one.edited, &|_| None),
    );
    savings.insert("whole_tree".to_owned(), saving(&|one| one.tree, &|_| None));
    savings
}

/// A share as a percentage with one decimal.
struct Percent(f64);

impl Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}", self.0 * 100.0)
    }
}

impl Display for Summary {
    /// Tables for a terminal. Percentages, but for the mean reciprocal rank.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tasks, single, files) = (self.tasks, self.single, self.files_mean);
        writeln!(
            f,
            "{tasks} tasks, {single} of them edit one file; {files:.0} source files on average"
        )?;
        if self.not_in_tree > 0 {
            let count = self.not_in_tree;
            writeln!(
                f,
                "{count} edited files were not there before, or are tests; they do not count"
            )?;
        }
        if !self.rankings.is_empty() {
            self.write_rankings(f)?;
        }
        if let Some(bundles) = &self.bundles {
            self.write_bundles(f, bundles)?;
        }
        let (median, p95) = (self.milliseconds_median, self.milliseconds_p95);
        write!(
            f,
            "\na query: {median:.1} ms in the median, {p95:.1} ms for 95 of 100"
        )
    }
}

impl Summary {
    fn write_rankings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = DEPTHS
            .map(|depth| format!("{:>6}", format!("@{depth}")))
            .join("");
        writeln!(
            f,
            "\n{:<44}{:>6}{header}{:>7}{:>7}",
            "all edited files among the first", "tasks", "R@10", "MRR"
        )?;
        let row = |f: &mut fmt::Formatter<'_>, name: &str, score: &RankScore| {
            let mut cells = String::new();
            for share in score.acc {
                write!(cells, "{:>6}", Percent(share).to_string())?;
            }
            let (tasks, recall) = (score.tasks, Percent(score.recall_10).to_string());
            writeln!(
                f,
                "{name:<44}{tasks:>6}{cells}{recall:>7}{:>7.3}",
                score.mrr
            )
        };
        for (name, ranking) in &self.rankings {
            row(f, name, &ranking.all)?;
            if ranking.single.tasks > 0 && ranking.single.tasks < ranking.all.tasks {
                row(f, "  tasks that edit one file", &ranking.single)?;
            }
            for (repository, score) in &ranking.by_repository {
                if ranking.by_repository.len() > 1 {
                    row(f, &format!("  {repository}"), score)?;
                }
            }
        }
        Ok(())
    }

    fn write_bundles(&self, f: &mut fmt::Formatter<'_>, bundles: &BundleScore) -> fmt::Result {
        let columns = [
            "tasks", "recall", "all", "hunks", "likely", "recall", "expected", "files", "tokens",
        ];
        let header = columns.map(|one| format!("{one:>9}")).join("");
        writeln!(f, "\n{:<16}{header}", "bundles")?;
        let row = |f: &mut fmt::Formatter<'_>, name: &str, score: &BundleScore| {
            let shares = [
                score.recall,
                score.whole,
                score.hunks,
                score.likely_precision,
                score.likely_recall,
                score.expected,
            ];
            let shares = shares
                .map(|share| format!("{:>9}", Percent(share).to_string()))
                .join("");
            let (tasks, files, tokens) = (score.tasks, score.files, score.tokens_mean);
            writeln!(f, "{name:<16}{tasks:>9}{shares}{files:>9.1}{tokens:>9.0}")
        };
        row(f, "all", bundles)?;
        for (kind, score) in &self.bundles_by_kind {
            row(f, kind, score)?;
        }
        let header = ["tokens", "saved", "median", "recall"]
            .map(|one| format!("{one:>9}"))
            .join("");
        writeln!(f, "\n{:<20}{header}", "instead of")?;
        let greps =
            GREP_READS.map(|count| (format!("grep_{count}"), format!("grep, {count} files read")));
        let whole = [
            ("edited_files", "the edited files"),
            ("whole_tree", "the whole tree"),
        ];
        let whole = whole.map(|(key, name)| (key.to_owned(), name.to_owned()));
        for (key, name) in greps.into_iter().chain(whole) {
            let Some(saving) = self.savings.get(&key) else {
                continue;
            };
            let shares = [saving.of_means, saving.median, saving.recall];
            let shares = shares
                .map(|share| format!("{:>9}", Percent(share).to_string()))
                .join("");
            writeln!(f, "{name:<20}{:>9.0}{shares}", saving.tokens_mean)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::ranks::Positions;

    fn outcome(repo: &str, positions: &[Option<usize>], bundle: usize) -> Outcome {
        let edited = positions.len();
        Outcome {
            task_id: repo.to_owned(),
            repo: repo.to_owned(),
            kind: "fix".to_owned(),
            files: 10,
            edited: vec![String::new(); edited],
            not_in_tree: vec![String::new()],
            positions: [("bm25".to_owned(), Positions(positions.to_vec()))].into(),
            first: BTreeMap::new(),
            coverage: Some(Coverage {
                edited,
                found: positions.iter().flatten().count(),
                hunks: 4,
                hunks_covered: 3,
                files: 7,
                likely: 2,
                likely_edited: 1,
                tokens: bundle,
                ..Coverage::default()
            }),
            tokens: Some(Tokens {
                bundle,
                grep: [1_000, 2_000, 4_000],
                grep_found: [0, 0, 1],
                edited: 500,
                tree: 10_000,
            }),
            milliseconds: 2.0,
        }
    }

    #[test]
    fn shares_are_by_ranking_by_repository_and_for_tasks_of_one_file() {
        let outcomes = [
            outcome("o/a", &[Some(1)], 100),
            outcome("o/a", &[Some(4)], 300),
            outcome("o/b", &[Some(2), None], 200),
        ];
        let summary = Summary::of(&outcomes);
        let expected = expect![[r#"
            3 tasks, 2 of them edit one file; 10 source files on average
            3 edited files were not there before, or are tests; they do not count

            all edited files among the first             tasks    @1    @3    @5   @10   R@10    MRR
            bm25                                             3  33.3  33.3  66.7  66.7   83.3  0.583
              tasks that edit one file                       2  50.0  50.0 100.0 100.0  100.0  0.625
              o/a                                            2  50.0  50.0 100.0 100.0  100.0  0.625
              o/b                                            1   0.0   0.0   0.0   0.0   50.0  0.500

            bundles             tasks   recall      all    hunks   likely   recall expected    files   tokens
            all                     3     83.3     66.7     75.0     50.0     83.3      0.0      7.0      200
            fix                     3     83.3     66.7     75.0     50.0     83.3      0.0      7.0      200

            instead of             tokens    saved   median   recall
            grep, 3 files read       1000     80.0     80.0      0.0
            grep, 5 files read       2000     90.0     90.0      0.0
            grep, 10 files read      4000     95.0     95.0     83.3
            the edited files          500     60.0     60.0    100.0
            the whole tree          10000     98.0     98.0    100.0

            a query: 2.0 ms in the median, 2.0 ms for 95 of 100"#]];
        expected.assert_eq(&summary.to_string());
        let bm25 = &summary.rankings["bm25"];
        assert_eq!((bm25.all.tasks, bm25.single.tasks), (3, 2));
        assert_eq!(bm25.by_repository["o/b"].recall_10, 0.5);
    }

    #[test]
    fn without_bundles_there_are_no_savings() {
        let ranked = Outcome {
            coverage: None,
            tokens: None,
            ..outcome("r", &[Some(1)], 0)
        };
        let summary = Summary::of(&[ranked]);
        assert!(summary.bundles.is_none() && summary.savings.is_empty());
        assert!(!summary.to_string().contains("instead of"));
        assert_eq!(Summary::of(&[]), Summary::default());
    }
}
