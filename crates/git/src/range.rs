//! Ranges of revisions, as they are written for `git diff`.

/// Two states of a repository, by the names of their revisions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range<'a> {
    /// The revision before the changes.
    pub first: &'a str,
    /// The revision after the changes; `None` for the files on disk.
    pub second: Option<&'a str>,
    /// True if the changes begin at the merge base of the two instead of at `first`.
    pub from_merge_base: bool,
}

/// The range that a text names. It always names one; whether there are such revisions is found out by
/// [`Repository::commits`](crate::Repository::commits).
///
/// ```text
/// main           main to the files on disk
/// v1..v2         v1 to v2
/// main...topic   the merge base of main and topic to topic
/// main..         main to HEAD
/// ..topic        HEAD to topic
/// HEAD^{/a..b}   one revision: its dots are in braces
/// :/from a..b    one revision: the rest is searched for in the messages
/// ```
///
/// ```
/// let range = codeweft_git::range("main...topic");
/// assert_eq!((range.first, range.second), ("main", Some("topic")));
/// assert!(range.from_merge_base);
/// ```
pub fn range(text: &str) -> Range<'_> {
    let text = text.trim();
    let one = Range {
        first: text,
        second: None,
        from_merge_base: false,
    };
    let Some((first, dots, second)) = split(text) else {
        return one;
    };
    if first.is_empty() && second.is_empty() {
        return one;
    }
    let or_head = |name| if str::is_empty(name) { "HEAD" } else { name };
    Range {
        first: or_head(first),
        second: Some(or_head(second)),
        from_merge_base: dots == "...",
    }
}

/// Splits a text at its first two or three dots outside braces.
fn split(text: &str) -> Option<(&str, &str, &str)> {
    if text.starts_with(":/") {
        return None;
    }
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '.' if depth == 0 => {
                let (first, rest) = text.split_at_checked(at)?;
                for dots in ["...", ".."] {
                    if let Some(second) = rest.strip_prefix(dots) {
                        return Some((first, dots, second));
                    }
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_outside_braces_separate_two_revisions() {
        let parts = |text| {
            let range = range(text);
            (range.first, range.second, range.from_merge_base)
        };
        assert_eq!(parts(" main\n"), ("main", None, false));
        assert_eq!(parts("v1.2..v1.3"), ("v1.2", Some("v1.3"), false));
        assert_eq!(parts("main...topic"), ("main", Some("topic"), true));
        assert_eq!(parts("main.."), ("main", Some("HEAD"), false));
        assert_eq!(parts("...topic"), ("HEAD", Some("topic"), true));
        assert_eq!(parts("HEAD^{/a..b}"), ("HEAD^{/a..b}", None, false));
        let both = ("HEAD^{/a..b}", Some("@{1}"), false);
        assert_eq!(parts("HEAD^{/a..b}..@{1}"), both);
        assert_eq!(parts(":/from a..b"), (":/from a..b", None, false));
        assert_eq!(parts("über..ä"), ("über", Some("ä"), false));
        for text in ["", "..", "...", "-v", "{..", "."] {
            assert_eq!(parts(text), (text, None, false));
        }
    }
}
