//! The score of a language: how many names were taken for the symbol that is meant.

use std::collections::BTreeMap;

use super::outcome::{OUTCOMES, Outcome};
use super::projects::Language;

/// A judged question.
pub struct Judged {
    pub language: Language,
    /// The kind of name.
    pub kind: String,
    pub outcome: Outcome,
}

/// Counts of outcomes.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Score {
    counts: BTreeMap<Outcome, usize>,
}

impl Score {
    /// Counts the outcomes of a language, or of one kind of name in it.
    pub fn of(judged: &[Judged], language: Language, kind: Option<&str>) -> Score {
        let mut score = Score::default();
        for one in judged {
            if one.language == language && kind.is_none_or(|kind| kind == one.kind) {
                *score.counts.entry(one.outcome).or_default() += 1;
            }
        }
        score
    }

    /// Returns the number of questions.
    pub fn asked(&self) -> usize {
        self.counts.values().sum()
    }

    /// Returns the number of questions with this outcome.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.counts.get(&outcome).copied().unwrap_or_default()
    }

    /// Returns the number of questions answered for the symbol that is meant.
    pub fn answered(&self) -> usize {
        self.count(Outcome::Answered)
    }

    /// Returns the number of questions answered for that symbol or with it as the first candidate.
    pub fn answered_or_first(&self) -> usize {
        self.answered() + self.count(Outcome::First)
    }

    /// Returns a share of the questions in per cent; 0 without questions, so that a judge that asked
    /// nothing misses its floors.
    pub fn share(&self, count: usize) -> f64 {
        match self.asked() {
            0 => 0.0,
            asked => count as f64 * 100.0 / asked as f64,
        }
    }
}

/// Returns the table of a language: a row for each kind of name, the one with most failures first,
/// and one for all.
pub fn table(judged: &[Judged], language: Language) -> String {
    let mut kinds: Vec<&str> = judged
        .iter()
        .filter(|one| one.language == language)
        .map(|one| one.kind.as_str())
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    let mut rows: Vec<(&str, Score)> = kinds
        .into_iter()
        .map(|kind| (kind, Score::of(judged, language, Some(kind))))
        .collect();
    rows.sort_by_key(|(_, score)| std::cmp::Reverse(score.asked() - score.answered()));
    rows.push(("all", Score::of(judged, language, None)));
    let mut table = format!("{:20} {:>6}", language.name(), "asked");
    for outcome in OUTCOMES {
        table.push_str(&format!(" {:>8}", outcome.name()));
    }
    for (kind, score) in rows {
        table.push_str(&format!("\n{kind:20} {:>6}", score.asked()));
        for outcome in OUTCOMES {
            table.push_str(&format!(" {:>8}", score.count(outcome)));
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn judged(language: Language, kind: &str, outcomes: &[Outcome]) -> Vec<Judged> {
        let of = |outcome: &Outcome| Judged {
            language,
            kind: kind.to_owned(),
            outcome: *outcome,
        };
        outcomes.iter().map(of).collect()
    }

    fn some() -> Vec<Judged> {
        use Outcome::{Answered, First, Listed, Missing, Wrong};
        let mut all = judged(Language::Go, "suffix", &[Answered, Answered, First]);
        all.extend(judged(Language::Go, "case", &[Missing, Wrong]));
        all.extend(judged(Language::Python, "reexport", &[Listed]));
        all
    }

    #[test]
    fn shares_are_of_one_language() {
        let score = Score::of(&some(), Language::Go, None);
        assert_eq!(score.asked(), 5);
        assert_eq!(score.share(score.answered()), 40.0);
        assert_eq!(score.share(score.answered_or_first()), 60.0);
        assert_eq!(score.count(Outcome::Wrong), 1);
        let score = Score::of(&some(), Language::Python, None);
        assert_eq!(score.share(score.answered_or_first()), 0.0);
        assert_eq!(score.count(Outcome::Wrong), 0);
    }

    #[test]
    fn nothing_asked_is_no_success() {
        let score = Score::of(&[], Language::Go, None);
        assert_eq!(score.share(score.answered()), 0.0);
    }

    #[test]
    fn the_kind_with_most_failures_is_the_first_row() {
        expect![[r#"
            go                    asked answered    first   listed  missing    wrong   failed
            case                      2        0        0        0        1        1        0
            suffix                    3        2        1        0        0        0        0
            all                       5        2        1        0        1        1        0"#]]
        .assert_eq(&table(&some(), Language::Go));
    }
}
