//! How common words are in reports of bugs at large: what every issue says says little of one.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::words::TermId;

/// How many issues of open projects were counted, and of each stem how many of them have it; see the first line.
const TABLE: &str = include_str!("issue_words.tsv");

/// The number of issues counted.
const ISSUES: f64 = 483.0;

static WEIGHTS: LazyLock<FxHashMap<TermId, f64>> = LazyLock::new(|| {
    let rows = TABLE.lines().filter_map(|line| line.split_once('\t'));
    let counted = rows.filter_map(|(stem, count)| Some((stem, count.parse::<f64>().ok()?)));
    counted
        .map(|(stem, count)| {
            (
                TermId::of(stem),
                ((ISSUES + 1.0) / (count + 1.0)).ln() / (ISSUES + 1.0).ln(),
            )
        })
        .collect()
});

/// Returns how much a term says of an issue: 1 for a word that no issue has, near 0 for one that all have.
pub(crate) fn weight(term: TermId) -> f64 {
    WEIGHTS.get(&term).copied().unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_every_issue_weigh_less_than_words_of_few() {
        let of = |stem| weight(TermId::of(stem));
        assert!(of("expect") < 0.1, "{}", of("expect"));
        assert!(of("expect") < of("crash") && of("crash") < of("zsh"));
        assert_eq!(of("frobnicate"), 1.0);
    }
}
