//! The bars of changes of structure: they change no answer, and the source becomes simpler.

use std::path::Path;

use anyhow::Result;

use crate::answers::{self, Comparison};
use crate::house::{Addition, House, Metric};
use crate::product::Product;

use super::Figure;
use super::lab::Measured;
use super::list::{self, Bar, Limit, Source};

/// The variable that names the recording made before the change.
const RECORDING: &str = "CODEWEFT_ANSWERS";

/// The command that measures the figure alone.
pub const COMMAND: &str = "cargo xtask answers record --binary CODEWEFT --out AFTER --questions \
                           \"$CODEWEFT_ANSWERS\"; cargo xtask answers compare \"$CODEWEFT_ANSWERS\" AFTER";

/// All bars.
pub const BARS: &[Bar] = &[
    Bar {
        issue: 12,
        ..list::bar(
            "answers",
            "answers to 1,000 recorded questions that are not the same bytes as before",
            (Limit::AtMost(0.0), Limit::AtMost(0.0)),
            Source::Answers,
        )
    },
    source("house-cycle", Metric::Cycle),
    source("house-methods", Metric::Methods),
    source("house-homonyms", Metric::Homonyms),
    source("house-operation", Metric::Added(Addition::Operation)),
    source("house-tool", Metric::Added(Addition::Tool)),
    source("house-export", Metric::Added(Addition::Export)),
    source("house-decorator", Metric::Added(Addition::Decorator)),
];

/// The bar of a figure of the source, with the floor that `cargo xtask house` holds it against.
const fn source(name: &'static str, metric: Metric) -> Bar {
    let floor = Limit::AtMost(metric.floor() as f64);
    Bar {
        issue: 12,
        ..list::bar(
            name,
            metric.name(),
            (floor, Limit::Reported),
            Source::House(metric),
        )
    }
}

/// Returns a figure of the source, with what makes it up as its differences.
pub fn of_source(metric: Metric, house: &House) -> Measured {
    match metric.value(house) {
        Some(value) => Measured {
            differences: value.behind,
            ..Measured::number(value.number as f64, value.words)
        },
        None => Measured::none("the source has no list that could be counted".to_owned()),
    }
}

/// Counts the answers that differ from the recording that `CODEWEFT_ANSWERS` names; skipped if it
/// is not set.
pub fn measure<'a>(product: impl FnOnce() -> Result<&'a Product>) -> Result<Measured> {
    match std::env::var_os(RECORDING) {
        Some(recording) => {
            let comparison = answers::since(Path::new(&recording), product()?)?;
            Ok(of_comparison(comparison))
        }
        None => Ok(Measured {
            figure: Figure::Skipped,
            ..Measured::none(format!("{RECORDING} names no recording"))
        }),
    }
}

fn of_comparison(comparison: Comparison) -> Measured {
    let measured = Measured::number(comparison.differences.len() as f64, comparison.words());
    Measured {
        differences: comparison.differences,
        ..measured
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_answer_that_differs_misses_the_bar() {
        let measured = |differences: &[&str]| {
            of_comparison(Comparison {
                asked: 1000,
                differences: differences.iter().map(|one| (*one).to_owned()).collect(),
            })
        };
        let floor = BARS[0].floor;
        assert_eq!(floor.holds(&measured(&[]).figure), Some(true));
        let missed = measured(&["question 1"]);
        assert_eq!(floor.holds(&missed.figure), Some(false));
        assert_eq!(missed.words, "999 of 1000 answers are the same bytes");
    }
}
