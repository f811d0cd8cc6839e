//! The bars of retrieval: issue 18.

use anyhow::{Context, Result};
use serde_json::Value;

use super::Figure;
use super::lab::Measured;
use super::list::{Bar, Limit, Source};
use crate::retrieval::Set;

use Limit::{AtLeast, AtMost};

/// A figure in what `codeweft eval --json` says, by JSON pointers below `summary`.
#[derive(Clone, Copy)]
pub enum Share {
    /// It is there.
    At(&'static str),
    /// The first less the second.
    Over(&'static str, &'static str),
}

/// Returns a bar on a share, of 1.
const fn bar(
    name: &'static str,
    what: &'static str,
    (floor, goal): (f64, f64),
    set: Set,
    share: Share,
) -> Bar {
    Bar {
        issue: 18,
        name,
        what,
        floor: AtLeast(floor),
        goal: AtLeast(goal),
        source: Source::Retrieval(set, share),
    }
}

use Share::{At, Over};

/// Returns a bar on a figure of the bench: times in milliseconds.
const fn timed(
    name: &'static str,
    what: &'static str,
    (floor, goal): (f64, f64),
    figure: &'static str,
) -> Bar {
    Bar {
        issue: 18,
        name,
        what,
        floor: AtMost(floor),
        goal: AtMost(goal),
        source: Source::Bench(figure),
    }
}

/// All bars.
pub const BARS: &[Bar] = &[
    timed(
        "bundle-small",
        "what a text of 120 words is about, 50,000 lines of generated code, p95, ms",
        (30.0, 5.0),
        "bundle-p95-generated",
    ),
    timed(
        "bundle-large",
        "the same in Go's library with cmd, 2 million lines, p95, ms",
        (200.0, 40.0),
        "bundle-p95",
    ),
    timed(
        "bundle-edit",
        "a call typed into a body of Go's library: the index takes it, p99, ms",
        (10.0, 3.0),
        "bundle-edit",
    ),
    timed(
        "bundle-memory",
        "what the index of Go's library holds, bytes a byte of source",
        (1.0, 1.0),
        "bundle-memory",
    ),
    bar(
        "retrieval-1",
        "issues: all edited files are the first ones",
        (0.40, 0.45),
        Set::Issues,
        At("/rankings/measured/all/acc/0"),
    ),
    bar(
        "retrieval-5",
        "issues: all edited files are among the first 5",
        (0.67, 0.73),
        Set::Issues,
        At("/rankings/measured/all/acc/2"),
    ),
    bar(
        "retrieval-recall-10",
        "issues: edited files among the first 10",
        (0.85, 0.90),
        Set::Issues,
        At("/rankings/measured/all/recall_10"),
    ),
    bar(
        "retrieval-single-1",
        "issues with one edited file: it is the first",
        (0.72, 0.78),
        Set::Issues,
        At("/rankings/measured/single/acc/0"),
    ),
    bar(
        "retrieval-single-5",
        "issues with one edited file: it is among the first 5",
        (0.90, 0.94),
        Set::Issues,
        At("/rankings/measured/single/acc/2"),
    ),
    bar(
        "retrieval-commits-1",
        "commits of ten projects: all edited files first, more than full text search (BM25)",
        (0.08, 0.12),
        Set::Commits,
        Over("/rankings/measured/all/acc/0", "/rankings/bm25/all/acc/0"),
    ),
    bar(
        "bundle-files",
        "issues: edited files in a bundle of 3,500 tokens",
        (0.92, 0.97),
        Set::Issues,
        At("/bundles/recall"),
    ),
    bar(
        "bundle-hunks",
        "issues: edited hunks with a line in a row of the bundle",
        (0.70, 0.80),
        Set::Issues,
        At("/bundles/hunks"),
    ),
    bar(
        "bundle-likely",
        "issues: files marked as likely that are edited",
        (0.60, 0.70),
        Set::Issues,
        At("/bundles/likely_precision"),
    ),
    bar(
        "bundle-likely-recall",
        "issues: edited files that are marked as likely",
        (0.68, 0.68),
        Set::Issues,
        At("/bundles/likely_recall"),
    ),
    bar(
        "bundle-tokens",
        "issues: tokens that bundles save beside reading the first 5 files that grep finds, of the means",
        (0.80, 0.93),
        Set::Issues,
        At("/savings/grep_5/of_means"),
    ),
    bar(
        "truth-files",
        "20 tasks: edited files in a bundle of 3,500 tokens",
        (0.85, 1.0),
        Set::Truth,
        At("/bundles/recall"),
    ),
    bar(
        "truth-likely",
        "20 tasks: files marked as likely that are edited",
        (0.60, 0.70),
        Set::Truth,
        At("/bundles/likely_precision"),
    ),
    bar(
        "truth-tokens",
        "20 tasks: tokens that a bundle saves beside reading the edited files, median",
        (0.30, 0.80),
        Set::Truth,
        At("/savings/edited_files/median"),
    ),
];

/// Returns a share.
pub(super) fn measure(said: &Value, share: Share) -> Result<Measured> {
    let summary = &said["summary"];
    let at = |pointer: &str| {
        let number = summary.pointer(pointer).and_then(Value::as_f64);
        number.with_context(|| format!("eval says nothing of {pointer}"))
    };
    let tasks = &summary["tasks"];
    Ok(match share {
        At(pointer) => Measured {
            figure: Figure::Number(at(pointer)?),
            words: format!("{tasks} tasks"),
            differences: Vec::new(),
        },
        Over(pointer, other) => {
            let (ours, other) = (at(pointer)?, at(other)?);
            Measured {
                figure: Figure::Number(ours - other),
                words: format!("{ours:.3} and {other:.3}, {tasks} tasks"),
                differences: Vec::new(),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_share_is_read_or_is_the_difference_of_two() {
        let said = json!({"summary": {"tasks": 3, "a": [0.5], "b": 0.25}});
        let number = |share| match measure(&said, share) {
            Ok(Measured {
                figure: Figure::Number(number),
                ..
            }) => Some(number),
            _ => None,
        };
        assert_eq!(number(At("/a/0")), Some(0.5));
        assert_eq!(number(Over("/a/0", "/b")), Some(0.25));
        assert_eq!(number(At("/c")), None);
    }
}
