//! The bars of sizes: the tokens of default answers to 500 questions by lot.
//!
//! The measure of `tokens-beside-grep` is the median, over the questions, of an answer's tokens (text
//! and structure) divided by the tokens of what grep would give for it: the lines of `grep -rnw NAME`
//! in the files of the language, where NAME is the last part of the target's id, and the text of the
//! innermost function around each hit, once. A question of `path` looks for both ends.

use crate::tokens::Score;

use super::lab::Measured;
use super::list::{self, Bar, Limit, Source};

use Limit::AtMost;

/// The command that measures the figures alone.
pub const COMMAND: &str = "cargo xtask tokens";

/// What a row counts.
#[derive(Clone, Copy)]
pub enum Size {
    /// The tokens of the largest answer.
    Largest,
    /// The cuts that an answer does not say.
    Untold,
    /// The rows that text or structure lacks.
    Missing,
    /// The tokens beside those of grep.
    BesideGrep,
}

const fn bar(name: &'static str, what: &'static str, most: f64, size: Size) -> Bar {
    let limits = (AtMost(most), AtMost(most));
    Bar {
        issue: 13,
        ..list::bar(name, what, limits, Source::Tokens(size))
    }
}

/// All bars.
pub const BARS: &[Bar] = &[
    bar(
        "tokens-largest",
        "default answers to 500 questions by lot: tokens of the largest, text and structure",
        4_000.0,
        Size::Largest,
    ),
    bar(
        "tokens-untold",
        "the same: cuts that are not told",
        0.0,
        Size::Untold,
    ),
    bar(
        "tokens-rows",
        "the same: rows that text or structure lacks",
        0.0,
        Size::Missing,
    ),
    bar(
        "tokens-beside-grep",
        "the same: median of the tokens beside grep with the functions around its hits",
        0.4,
        Size::BesideGrep,
    ),
];

/// Returns a figure of the answers.
pub fn measure(score: &Score, size: Size) -> Measured {
    let number = match size {
        Size::Largest => score.tokens(100).map(|tokens| tokens as f64),
        Size::Untold => Some(score.untold() as f64),
        Size::Missing => Some(score.missing() as f64),
        Size::BesideGrep => score.beside_grep(),
    };
    match number {
        Some(number) => Measured {
            differences: score.differences(),
            ..Measured::number(number, score.words())
        },
        None => Measured::none("no question was asked".to_owned()),
    }
}
