//! The bars of the knowledge graph: issue 17.

use anyhow::{Context, Result};

use super::Figure;
use super::lab::Measured;
use super::list::{Bar, Limit, Source};
use crate::knowledge::Score;

use Limit::AtLeast;

/// Returns a bar on a share of the judge's, of 1.
const fn share(name: &'static str, what: &'static str, floor: f64, goal: f64) -> Bar {
    Bar {
        issue: 17,
        name,
        what,
        floor: AtLeast(floor),
        goal: AtLeast(goal),
        source: Source::Knowledge(name),
    }
}

/// Returns a bar on a figure of the live bench.
const fn bench(name: &'static str, what: &'static str, floor: f64, goal: f64) -> Bar {
    Bar {
        issue: 17,
        name,
        what,
        floor: Limit::AtMost(floor),
        goal: Limit::AtMost(goal),
        source: Source::LiveBench(name),
    }
}

/// All bars.
pub const BARS: &[Bar] = &[
    share(
        "go-recall",
        "operations of generated Go servers: one of the handlers is right",
        0.98,
        1.0,
    ),
    share(
        "go-precision",
        "the same: handlers that are right",
        0.99,
        1.0,
    ),
    share(
        "python-recall",
        "operations that name a Python function: one of the handlers is right",
        0.97,
        1.0,
    ),
    share(
        "python-precision",
        "the same: handlers that are right",
        0.99,
        1.0,
    ),
    share(
        "calls-code-recall",
        "calls between services that the code names",
        0.85,
        0.95,
    ),
    share(
        "calls-code-precision",
        "calls between services from code alone: right ones",
        1.0,
        1.0,
    ),
    share(
        "calls-recall",
        "calls between services, with deployment files",
        0.95,
        1.0,
    ),
    share("calls-precision", "the same: right ones", 0.98, 1.0),
    share(
        "events-recall",
        "publishers and consumers of events",
        0.85,
        1.0,
    ),
    share("events-precision", "the same: right ones", 0.98, 1.0),
    Bar {
        issue: 17,
        name: "knowledge-rules",
        what: "the rules of documents and of the knowledge graph, and random edits against a fresh build",
        floor: Limit::True,
        goal: Limit::Reported,
        source: Source::CrateTests("codeweft-knowledge", "knowledge"),
    },
    bench(
        "knowledge-ranks",
        "lnd, 53,000 nodes: ranks and communities, ms",
        1000.0,
        300.0,
    ),
    bench(
        "knowledge-facts",
        "lnd: after an edit of a body, the facts of the file's own code, p99, ms",
        10.0,
        3.0,
    ),
    Bar {
        issue: 17,
        name: "knowledge-line-kept",
        what: "lnd: an edit of a body to the next answer of a tool, p99, ms",
        floor: Limit::Reported,
        goal: Limit::Reported,
        source: Source::LiveBench("knowledge-line-kept"),
    },
];

/// Returns a share.
pub(super) fn measure(score: &Score, name: &str) -> Result<Measured> {
    let count = score.figures.get(name);
    let count = count.with_context(|| format!("the judge counted no {name}"))?;
    let start = format!("{name}: ");
    let differences = score.differences.iter();
    Ok(Measured {
        figure: Figure::Number(count.right as f64 / count.all.max(1) as f64),
        words: format!("{} of {}", count.right, count.all),
        differences: differences
            .filter(|one| one.starts_with(&start))
            .cloned()
            .collect(),
    })
}
