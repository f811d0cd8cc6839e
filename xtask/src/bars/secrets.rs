//! The bars of secrets: issue 18.

use serde_json::Value;

use super::lab::Measured;
use super::list::{Bar, Limit, Source};

use Limit::{AtLeast, AtMost, Reported, True};

/// Returns a bar on a figure of the judge.
const fn judged(name: &'static str, what: &'static str, floor: Limit, figure: &'static str) -> Bar {
    Bar {
        issue: 18,
        name,
        what,
        floor,
        goal: Reported,
        source: Source::Secrets(figure),
    }
}

/// All bars.
pub const BARS: &[Bar] = &[
    judged(
        "secrets-found",
        "100 secrets planted in Go's library: share that is found",
        AtLeast(0.95),
        "found",
    ),
    judged(
        "secrets-false",
        "Go's library as it is: files with secrets, a million lines; keys of tests count",
        Reported,
        "false_per_million",
    ),
    judged(
        "secrets-written",
        "found secrets in anything that was written or printed",
        AtMost(0.0),
        "written",
    ),
    judged(
        "secrets-detect-secrets",
        "the same by detect-secrets",
        AtMost(0.0),
        "detect_secrets",
    ),
    Bar {
        issue: 18,
        name: "secrets-tests",
        what: "planted secrets are in no answer, hover, export, store or cache, unsaved ones too",
        floor: True,
        goal: Reported,
        source: Source::BinaryTests("secrets"),
    },
];

/// Returns a figure of the judge.
pub fn measure(figures: &Value, name: &str) -> Measured {
    match figures[name].as_f64() {
        Some(figure) => Measured::number(figure, figures.to_string()),
        None => Measured::none(format!("no {name}: is detect-secrets installed?")),
    }
}
