//! The bars of the SQL engine: issue 16.

use super::list::{Bar, Limit, Source};

/// All bars.
pub const BARS: &[Bar] = &[Bar {
    issue: 16,
    name: "two-engines",
    what: "1,000 questions each about Go's library, flask and django: SQL answers as the live engine, callers p95 in 20 ms, hubs in 250",
    floor: Limit::True,
    goal: Limit::Reported,
    source: Source::CrateTests("codeweft-store", "engines"),
}];
