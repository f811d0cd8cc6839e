//! The bars of the flow of Python's values: issue 19, over the packages for development.

use anyhow::{Context, Result};

use super::Figure;
use super::lab::Measured;
use super::list::{Bar, Limit, Source};
use crate::python::completeness::Outcome;
use crate::python::flow::Figures;

use Limit::{AtLeast, AtMost, Reported};

/// What a bar takes of the judge's figures.
#[derive(Clone, Copy)]
pub enum Of {
    /// A share, in percent.
    Share(&'static str),
    /// The targets of a site outside of hubs, on the mean.
    Targets,
    /// The same, at the 99th percentile.
    HighTargets,
    /// The number of hubs.
    Hubs,
    /// The answers about callers that call themselves complete, in percent.
    Complete,
    /// The same without functions of tests.
    CompleteOutsideOfTests,
    /// The complete answers that lack a caller or callee that ran.
    Lacking,
}

const fn bar(name: &'static str, what: &'static str, limits: (Limit, Limit), of: Of) -> Bar {
    Bar {
        issue: 19,
        name,
        what,
        floor: limits.0,
        goal: limits.1,
        source: Source::Flow(of),
    }
}

const fn share(
    name: &'static str,
    what: &'static str,
    limits: (f64, f64),
    row: &'static str,
) -> Bar {
    bar(
        name,
        what,
        (AtLeast(limits.0), AtLeast(limits.1)),
        Of::Share(row),
    )
}

/// All bars.
pub const BARS: &[Bar] = &[
    share(
        "flow-call",
        "traced pairs at calls, pooled, %",
        (90.0, 95.0),
        "recall call",
    ),
    share(
        "flow-library",
        "the same without callers in tests, %",
        (87.0, 94.0),
        "recall library",
    ),
    share(
        "flow-site",
        "called names with a callee that ran, %",
        (96.0, 98.0),
        "recall site",
    ),
    share(
        "flow-implicit",
        "traced pairs at operators, loops, properties, %",
        (82.0, 90.0),
        "recall implicit",
    ),
    share(
        "flow-class",
        "traced pairs at class statements, %",
        (95.0, 95.0),
        "recall class",
    ),
    share(
        "flow-via-c",
        "traced pairs through C, %",
        (50.0, 65.0),
        "recall via_c",
    ),
    share(
        "flow-exact",
        "exact edges whose callee ran, %",
        (99.5, 99.5),
        "precision exact",
    ),
    share(
        "flow-claimed",
        "names where one callee ran that have an exact edge, %",
        (75.0, 85.0),
        "claimed exact",
    ),
    bar(
        "flow-targets",
        "targets of a site outside of hubs, mean",
        (AtMost(2.0), Reported),
        Of::Targets,
    ),
    bar(
        "flow-targets-p99",
        "the same, 99th percentile",
        (AtMost(16.0), Reported),
        Of::HighTargets,
    ),
    bar(
        "flow-hubs",
        "sites with more than 32 targets",
        (Reported, Reported),
        Of::Hubs,
    ),
    bar(
        "flow-complete-lacking",
        "complete answers that lack a caller or callee that ran",
        (AtMost(0.0), AtMost(0.0)),
        Of::Lacking,
    ),
    bar(
        "flow-complete",
        "functions that ran with a complete answer about callers, %",
        (AtLeast(45.0), AtLeast(65.0)),
        Of::Complete,
    ),
    bar(
        "flow-complete-own",
        "the same without functions of tests, which runners call, %",
        (Reported, Reported),
        Of::CompleteOutsideOfTests,
    ),
];

/// Returns a figure of the score of the edges.
pub(super) fn of_edges(figures: &Figures, of: Of) -> Result<Measured> {
    let (number, words) = match of {
        Of::Share(row) => {
            let (part, whole) = figures.row(row);
            (percent(part, whole), format!("{part} of {whole}"))
        }
        Of::Targets => (figures.outside_of_hubs().mean(), String::new()),
        Of::HighTargets => (figures.outside_of_hubs().high() as f64, String::new()),
        Of::Hubs => (figures.hubs() as f64, String::new()),
        Of::Complete | Of::CompleteOutsideOfTests | Of::Lacking => {
            return Err(anyhow::anyhow!("this is a figure of answers"));
        }
    };
    Ok(measured(number, words))
}

/// Returns a figure of the answers.
pub(super) fn of_answers(outcome: &Outcome, of: Of) -> Result<Measured> {
    let share = |part: &str, whole: &str| {
        let (part, whole) = (outcome.count(part) as u64, outcome.count(whole) as u64);
        measured(percent(part, whole), format!("{part} of {whole}"))
    };
    match of {
        Of::Complete => Ok(share("complete", "asked")),
        Of::CompleteOutsideOfTests => {
            Ok(share("complete outside of tests", "asked outside of tests"))
        }
        Of::Lacking => {
            let callers = outcome.lacking.iter().map(|one| one.words());
            let callees = outcome.callees.lacking.iter().map(|one| one.words());
            let differences: Vec<String> = callers.chain(callees).collect();
            Ok(Measured {
                figure: Figure::Number(differences.len() as f64),
                differences,
                ..Measured::none(String::new())
            })
        }
        _ => Err(anyhow::anyhow!("this is a figure of edges")),
    }
    .context("a bar of flow")
}

impl Of {
    /// Returns whether answers are judged, and not edges.
    pub(super) fn is_of_answers(self) -> bool {
        matches!(
            self,
            Of::Complete | Of::CompleteOutsideOfTests | Of::Lacking
        )
    }

    /// Returns the command that measures it.
    pub(super) fn command(self) -> String {
        let words = if self.is_of_answers() {
            " --completeness"
        } else {
            ""
        };
        format!("cargo xtask judge flow{words}")
    }
}

fn measured(number: f64, words: String) -> Measured {
    Measured {
        figure: Figure::Number(number),
        words,
        differences: Vec::new(),
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
