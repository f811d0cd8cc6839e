//! The bars of names as people say them: how many of 200 questions are answered for the symbol that
//! is meant.

use crate::asks::projects::Language;
use crate::asks::score::Score;
use crate::asks::{self, Asked, Outcome};

use super::lab::Measured;
use super::list::{self, Bar, Limit, Source};

use Language::{Go, Python};
use Limit::{AtLeast, AtMost};
use Share::{Answered, AnsweredOrFirst, Wrong};

/// The command that measures the figures alone.
pub const COMMAND: &str = "cargo xtask asks";

/// What a row counts of the questions about a language.
#[derive(Clone, Copy)]
pub enum Share {
    /// Answered for the symbol that is meant, in per cent.
    Answered,
    /// Answered for it, or with it as the first candidate, in per cent.
    AnsweredOrFirst,
    /// Answered for another symbol.
    Wrong,
}

const fn bar(
    name: &'static str,
    what: &'static str,
    limits: (Limit, Limit),
    language: Language,
    share: Share,
) -> Bar {
    Bar {
        issue: 13,
        ..list::bar(name, what, limits, Source::Names(language, share))
    }
}

const ANSWERED: &str = "names as people say them: answered by the first question, %";
const FIRST: &str = "the same, or the symbol is the first candidate, %";
const WRONG: &str = "the same: answered for another symbol";

/// All bars.
pub const BARS: &[Bar] = &[
    bar(
        "names-go",
        ANSWERED,
        (AtLeast(88.0), AtLeast(95.0)),
        Go,
        Answered,
    ),
    bar(
        "names-go-first",
        FIRST,
        (AtLeast(95.0), AtLeast(99.0)),
        Go,
        AnsweredOrFirst,
    ),
    bar(
        "names-go-wrong",
        WRONG,
        (AtMost(0.0), AtMost(0.0)),
        Go,
        Wrong,
    ),
    bar(
        "names-python",
        ANSWERED,
        (AtLeast(88.0), AtLeast(95.0)),
        Python,
        Answered,
    ),
    bar(
        "names-python-first",
        FIRST,
        (AtLeast(95.0), AtLeast(99.0)),
        Python,
        AnsweredOrFirst,
    ),
    bar(
        "names-python-wrong",
        WRONG,
        (AtMost(0.0), AtMost(0.0)),
        Python,
        Wrong,
    ),
];

/// Returns a figure of the answered questions, with the questions that were not answered right as
/// its differences.
pub fn measure(asked: &Asked, language: Language, share: Share) -> Measured {
    let score = Score::of(&asked.judged, language, None);
    let number = match share {
        Answered => score.share(score.answered()),
        AnsweredOrFirst => score.share(score.answered_or_first()),
        Wrong if score.asked() == 0 => return Measured::none("no question was asked".to_owned()),
        Wrong => score.count(Outcome::Wrong) as f64,
    };
    let words = format!("of {}: {}", score.asked(), asks::words(&score));
    Measured {
        differences: asked.differences.clone(),
        ..Measured::number(number, words)
    }
}
