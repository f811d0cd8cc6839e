//! The bars of the analyses: what the bench measures, with the limits of issue 15.

use super::list::{Bar, Limit, Source};

use Limit::{AtMost, Reported};
use Source::Bench;

/// Returns a bar of issue 15.
const fn bar(name: &'static str, what: &'static str, floor: f64, from: Source) -> Bar {
    Bar {
        issue: 15,
        name,
        what,
        floor: AtMost(floor),
        goal: Reported,
        source: from,
    }
}

/// All bars.
pub const BARS: &[Bar] = &[
    bar(
        "std-analysis",
        "Go's library: analyses but summary and unused_symbols, p99, ms",
        50.0,
        Bench("analysis-near"),
    ),
    bar(
        "std-analysis-whole",
        "the same: summary and unused_symbols, p99, ms",
        500.0,
        Bench("analysis-whole"),
    ),
    bar(
        "std-analysis-first",
        "the same: the slowest first analysis of a revision, ms",
        1000.0,
        Bench("analysis-first"),
    ),
    bar(
        "std-change",
        "the same: the impact of a change of four files, edges and tests, the median, ms",
        1000.0,
        Bench("change-median"),
    ),
    bar(
        "std-change-memory",
        "the same: more memory after 20 such changes, MB",
        100.0,
        Bench("change-memory"),
    ),
];
