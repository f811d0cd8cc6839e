//! The bars of the flow of Python's values: issue 19, over the packages for development.

use super::Figure;
use super::lab::Measured;
use super::list::{Bar, Limit, Source};
use crate::python::completeness::{Lacking, LackingCallee, Outcome};
use crate::python::flow::Figures;

use Limit::{AtLeast, AtMost, Reported};

/// What a bar takes of the score of the edges.
#[derive(Clone, Copy)]
pub enum OfEdges {
    /// A share, in percent.
    Share(&'static str),
    /// The targets of a site outside of hubs, on the mean.
    Targets,
    /// The same, at the 99th percentile.
    HighTargets,
    /// The number of hubs.
    Hubs,
}

/// What a bar takes of the answers that call themselves complete.
#[derive(Clone, Copy)]
pub enum OfAnswers {
    /// The answers about callers that call themselves complete, in percent.
    Complete,
    /// The same without functions of tests.
    CompleteOutsideOfTests,
    /// The complete answers that lack a caller or callee that ran.
    Lacking,
}

const fn bar(
    name: &'static str,
    what: &'static str,
    limits: (Limit, Limit),
    source: Source,
) -> Bar {
    Bar {
        issue: 19,
        name,
        what,
        floor: limits.0,
        goal: limits.1,
        source,
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
        Source::Flow(OfEdges::Share(row)),
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
        Source::Flow(OfEdges::Targets),
    ),
    bar(
        "flow-targets-p99",
        "the same, 99th percentile",
        (AtMost(16.0), Reported),
        Source::Flow(OfEdges::HighTargets),
    ),
    bar(
        "flow-hubs",
        "sites with more than 32 targets",
        (Reported, Reported),
        Source::Flow(OfEdges::Hubs),
    ),
    bar(
        "flow-complete-lacking",
        "complete answers that lack a caller or callee that ran",
        (AtMost(0.0), AtMost(0.0)),
        Source::FlowAnswers(OfAnswers::Lacking),
    ),
    bar(
        "flow-complete",
        "functions that ran with a complete answer about callers, %",
        (AtLeast(45.0), AtLeast(65.0)),
        Source::FlowAnswers(OfAnswers::Complete),
    ),
    bar(
        "flow-complete-own",
        "the same without functions of tests, which runners call, %",
        (Reported, Reported),
        Source::FlowAnswers(OfAnswers::CompleteOutsideOfTests),
    ),
];

/// Returns a figure of the score of the edges.
pub(super) fn of_edges(figures: &Figures, of: OfEdges) -> Measured {
    match of {
        OfEdges::Share(row) => share_of(figures.row(row)),
        OfEdges::Targets => measured(figures.outside_of_hubs().mean(), String::new()),
        OfEdges::HighTargets => measured(figures.outside_of_hubs().high() as f64, String::new()),
        OfEdges::Hubs => measured(figures.hubs() as f64, String::new()),
    }
}

/// Returns a figure of the answers.
pub(super) fn of_answers(outcome: &Outcome, of: OfAnswers) -> Measured {
    let count = |row| outcome.count(row) as u64;
    match of {
        OfAnswers::Complete => share_of((count("complete"), count("asked"))),
        OfAnswers::CompleteOutsideOfTests => share_of((
            count("complete outside of tests"),
            count("asked outside of tests"),
        )),
        OfAnswers::Lacking => {
            let callers = outcome.lacking.iter().map(Lacking::words);
            let callees = outcome.callees.lacking.iter().map(LackingCallee::words);
            let differences: Vec<String> = callers.chain(callees).collect();
            Measured {
                differences: differences.clone(),
                ..measured(differences.len() as f64, String::new())
            }
        }
    }
}

fn share_of((part, whole): (u64, u64)) -> Measured {
    let percent = 100.0 * part as f64 / whole.max(1) as f64;
    measured(percent, format!("{part} of {whole}"))
}

fn measured(number: f64, words: String) -> Measured {
    Measured {
        figure: Figure::Number(number),
        words,
        differences: Vec::new(),
    }
}
