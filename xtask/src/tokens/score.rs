//! The figures of the answers.

use super::answer::Answer;

/// A question with its answer.
pub struct Asked {
    /// The question.
    pub words: String,
    pub answer: Answer,
    /// The tokens of the same question answered by grep.
    pub by_grep: usize,
}

impl Asked {
    /// Returns the tokens of the answer beside those of grep. Errors answer nothing; a name that stands
    /// nowhere has no grep.
    fn beside_grep(&self) -> Option<f64> {
        let is_comparable = !self.answer.is_error && self.by_grep > 0;
        is_comparable.then(|| self.answer.tokens as f64 / self.by_grep as f64)
    }
}

/// All questions that were asked.
#[derive(Default)]
pub struct Score {
    pub asked: Vec<Asked>,
}

impl Score {
    /// Returns the tokens that so many in a hundred answers have at most; errors are among them.
    pub fn tokens(&self, percent: usize) -> Option<usize> {
        let mut all: Vec<usize> = self.asked.iter().map(|one| one.answer.tokens).collect();
        all.sort_unstable();
        let last = all.len().checked_sub(1)?;
        all.get(last * percent / 100).copied()
    }

    /// Returns the number of cuts that are not told.
    pub fn untold(&self) -> usize {
        self.asked.iter().map(|one| one.answer.untold.len()).sum()
    }

    /// Returns the number of rows that one form of an answer lacks.
    pub fn missing(&self) -> usize {
        self.asked.iter().map(|one| one.answer.missing.len()).sum()
    }

    /// Returns the median of the answers' tokens beside grep's, question by question.
    pub fn beside_grep(&self) -> Option<f64> {
        let mut all: Vec<f64> = self.asked.iter().filter_map(Asked::beside_grep).collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len().checked_sub(1)? / 2).copied()
    }

    /// Returns the medians of both, in tokens.
    fn medians(&self) -> (usize, usize) {
        let median = |tokens: &dyn Fn(&Asked) -> usize| {
            let comparable = self.asked.iter().filter(|one| one.beside_grep().is_some());
            let mut all: Vec<usize> = comparable.map(tokens).collect();
            all.sort_unstable();
            all.get(all.len() / 2).copied().unwrap_or(0)
        };
        (median(&|one| one.answer.tokens), median(&|one| one.by_grep))
    }

    /// Returns how many questions were asked and compared.
    pub fn words(&self) -> String {
        let errors = self.asked.iter().filter(|one| one.answer.is_error).count();
        let compared = self.asked.iter().filter_map(Asked::beside_grep).count();
        let (ours, grep) = self.medians();
        format!(
            "{} questions, {errors} of them errors; {compared} beside grep, median {ours} and {grep} tokens",
            self.asked.len()
        )
    }

    /// Returns the figures, one a line.
    pub fn table(&self) -> String {
        let tokens = |percent| self.tokens(percent).unwrap_or(0);
        let ratio = self
            .beside_grep()
            .map_or("-".to_owned(), |ratio| format!("{ratio:.3}"));
        format!(
            "{}\ntokens p50 {}, p90 {}, p100 {}\ncuts that are not told {}\nrows that one form lacks {}\n\
             median of the tokens beside grep {ratio}",
            self.words(),
            tokens(50),
            tokens(90),
            tokens(100),
            self.untold(),
            self.missing(),
        )
    }

    /// Returns what is wrong with answers, then the answers that are the longest beside grep.
    pub fn differences(&self) -> Vec<String> {
        let mut all = Vec::new();
        for one in &self.asked {
            let wrong = one.answer.untold.iter().chain(&one.answer.missing);
            all.extend(wrong.map(|wrong| format!("{}: {wrong}", one.words)));
        }
        let mut long: Vec<(&Asked, f64)> = self
            .asked
            .iter()
            .filter_map(|one| Some((one, one.beside_grep()?)))
            .collect();
        long.sort_by(|one, other| other.1.total_cmp(&one.1));
        all.extend(long.into_iter().map(|(one, ratio)| {
            let tokens = one.answer.tokens;
            format!("{}: {tokens} tokens, {ratio:.2} of grep's", one.words)
        }));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_of_questions_that_both_answer() {
        let asked = |tokens, by_grep, is_error| Asked {
            words: String::new(),
            answer: Answer {
                tokens,
                is_error,
                untold: Vec::new(),
                missing: Vec::new(),
            },
            by_grep,
        };
        let score = Score {
            asked: vec![
                asked(100, 1_000, false),
                asked(300, 1_000, false),
                asked(200, 1_000, false),
                asked(50, 10, true),
                asked(70, 0, false),
            ],
        };
        assert_eq!(score.beside_grep(), Some(0.2));
        assert_eq!(
            (score.tokens(50), score.tokens(100)),
            (Some(100), Some(300))
        );
        assert_eq!(
            score.words(),
            "5 questions, 1 of them errors; 3 beside grep, median 200 and 1000 tokens"
        );
        assert_eq!(Score::default().tokens(100), None);
    }
}
