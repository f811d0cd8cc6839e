//! Applies hunks to a text.

use std::borrow::Cow;

use crate::patch::hunk::{Hunk, HunkLine, Side};

/// The hunk that fits nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Misfit {
    /// From 1.
    pub hunk: usize,
    /// The line at which it was looked for first, from 1.
    pub line: usize,
}

/// A line of the text that is being changed.
#[derive(Clone, Copy)]
struct Line<'a> {
    text: &'a str,
    /// Set for the lines of hunks that have been applied; no other hunk may match them.
    is_of_hunk: bool,
}

/// Applies hunks to a text as `git apply` does: the lines before must be there, each with its line break, as
/// near as possible to where the header says. The first lines of a file and those without context behind
/// them stay at its beginning and at its end.
///
/// If all line breaks of the text are of the other kind than those of the hunks (LF, CRLF), the hunks get
/// those of the text.
pub(crate) fn apply(text: &str, hunks: &[Hunk]) -> Result<String, Misfit> {
    apply_exactly(text, hunks).or_else(|misfit| {
        let hunks = with_line_breaks(text, hunks).ok_or(misfit)?;
        apply_exactly(text, &hunks).map_err(|_| misfit)
    })
}

fn apply_exactly(text: &str, hunks: &[Hunk]) -> Result<String, Misfit> {
    let lines = text.split_inclusive('\n');
    let mut lines: Vec<Line<'_>> = lines
        .map(|text| Line {
            text,
            is_of_hunk: false,
        })
        .collect();
    // Diffs without context (`-U0`) say where lines belong by their numbers alone.
    let has_context = hunks.iter().any(Hunk::has_context);
    for (index, hunk) in hunks.iter().enumerate() {
        let before: Vec<&str> = hunk.lines_of(Side::Before).collect();
        let first = hunk.after.start.saturating_sub(1);
        let is_first = hunk.before.start == 0 || (hunk.before.start == 1 && has_context);
        let is_last = has_context && !hunk.ends_with_context();
        let at = position(&lines, &before, first, (is_first, is_last)).ok_or(Misfit {
            hunk: index + 1,
            line: first + 1,
        })?;
        let after = hunk.lines_of(Side::After).map(|text| Line {
            text,
            is_of_hunk: true,
        });
        lines.splice(at..at + before.len(), after);
    }
    Ok(lines.iter().map(|line| line.text).collect())
}

/// The index of the line at which the lines before a hunk begin: the nearest to `first`, of two equally
/// near ones the later. `is_first` and `is_last` allow only the beginning or the end of the text.
fn position(
    lines: &[Line<'_>],
    before: &[&str],
    first: usize,
    (is_first, is_last): (bool, bool),
) -> Option<usize> {
    let last = lines.len().checked_sub(before.len())?;
    let fits = |at: &usize| {
        let found = lines.get(*at..at.saturating_add(before.len()));
        found.is_some_and(|found| {
            let mut pairs = found.iter().zip(before);
            pairs.all(|(line, before)| !line.is_of_hunk && line.text == *before)
        })
    };
    match (is_first, is_last) {
        (true, true) => Some(0).filter(|_| last == 0).filter(fits),
        (true, false) => Some(0).filter(fits),
        (false, true) => Some(last).filter(fits),
        (false, false) => {
            let first = first.min(lines.len());
            let near = |distance| {
                let later = first.checked_add(distance).filter(|at| *at <= last);
                let earlier = first.checked_sub(distance);
                later.filter(fits).or(earlier.filter(fits))
            };
            let farthest = first.max(last.saturating_sub(first));
            (0..=farthest).find_map(near)
        }
    }
}

/// The hunks with the line breaks of the text; `None` if either has both kinds, or both have the same.
fn with_line_breaks(text: &str, hunks: &[Hunk]) -> Option<Vec<Hunk>> {
    let lines = hunks.iter().flat_map(|hunk| hunk.lines.iter());
    let of_hunks = are_crlf(lines.map(|line| line.text.as_str()))?;
    let of_text = are_crlf(text.split_inclusive('\n'))?;
    if of_text == of_hunks {
        return None;
    }
    let converted = |line: &HunkLine| HunkLine {
        side: line.side,
        text: converted(&line.text, of_text).into_owned(),
    };
    let hunks = hunks.iter().map(|hunk| Hunk {
        lines: hunk.lines.iter().map(converted).collect(),
        ..*hunk
    });
    Some(hunks.collect())
}

/// Returns whether all line breaks are CRLF (`true`) or LF (`false`); `None` if some are, or there are none.
fn are_crlf<'t>(lines: impl Iterator<Item = &'t str>) -> Option<bool> {
    let mut ends = lines
        .filter(|line| line.ends_with('\n'))
        .map(|line| line.ends_with("\r\n"));
    let first = ends.next()?;
    ends.all(|end| end == first).then_some(first)
}

fn converted(line: &str, to_crlf: bool) -> Cow<'_, str> {
    let (from, to) = if to_crlf {
        ("\n", "\r\n")
    } else {
        ("\r\n", "\n")
    };
    match line.strip_suffix(from) {
        Some(line) => Cow::Owned(format!("{line}{to}")),
        None => Cow::Borrowed(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::hunk;
    use crate::patch::lines::Lines;

    fn hunks(text: &str) -> Vec<Hunk> {
        let mut lines = Lines::new(text);
        std::iter::from_fn(|| hunk::read(&mut lines, false).expect("hunks")).collect()
    }

    /// Numbered lines, `1` to `count`.
    fn numbers(count: usize) -> String {
        (1..=count).map(|number| format!("{number}\n")).collect()
    }

    #[test]
    fn hunks_move_with_their_lines() {
        let hunks = hunks("@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n@@ -9,3 +9,2 @@\n 9\n-10\n 11\n");
        let after = numbers(12).replace("5\n", "five\n").replace("10\n", "");
        assert_eq!(apply(&numbers(12), &hunks), Ok(after.clone()));
        let text = format!("x\ny\n{}", numbers(12));
        assert_eq!(apply(&text, &hunks), Ok(format!("x\ny\n{after}")));
        let text = numbers(12)
            .replace("1\n2\n3\n", "")
            .replace("8\n", "8\nz\n");
        let moved = after.replace("1\n2\n3\n", "").replace("8\n", "8\nz\n");
        assert_eq!(apply(&text, &hunks), Ok(moved));
        let text = numbers(12).replace("10\n", "ten\n");
        assert_eq!(apply(&text, &hunks), Err(Misfit { hunk: 2, line: 9 }));
    }

    #[test]
    fn the_nearest_lines_are_taken() {
        let text = "a\n-\nb\n".repeat(5);
        let hunks = hunks("@@ -7,3 +7,3 @@\n a\n--\n++\n b\n");
        let after = "a\n-\nb\n".repeat(2) + "a\n+\nb\n" + &"a\n-\nb\n".repeat(2);
        assert_eq!(apply(&text, &hunks), Ok(after.clone()));
        assert_eq!(
            apply(&format!("x\n{text}"), &hunks),
            Ok(format!("x\n{after}"))
        );
    }

    #[test]
    fn the_first_and_the_last_lines_of_a_file_stay_there() {
        let first = hunks("@@ -1,2 +1,3 @@\n+0\n 1\n 2\n");
        assert!(apply(&numbers(3), &first).is_ok());
        assert!(apply(&format!("x\n{}", numbers(3)), &first).is_err());
        let last = hunks("@@ -2,2 +2,3 @@\n 2\n 3\n+4\n");
        assert_eq!(apply(&numbers(3), &last), Ok(numbers(4)));
        assert!(apply(&numbers(5), &last).is_err());
        let whole = hunks("@@ -0,0 +1 @@\n+1\n");
        assert_eq!(apply("", &whole), Ok(numbers(1)));
    }

    #[test]
    fn without_context_the_numbers_decide() {
        let insert = hunks("@@ -2,0 +3 @@\n+new\n");
        assert_eq!(apply(&numbers(3), &insert), Ok("1\n2\nnew\n3\n".to_owned()));
        let remove = hunks("@@ -2 +1,0 @@\n-2\n");
        assert_eq!(apply(&numbers(3), &remove), Ok("1\n3\n".to_owned()));
        let top = hunks("@@ -0,0 +1 @@\n+new\n");
        assert_eq!(apply(&numbers(1), &top), Ok("new\n1\n".to_owned()));
    }

    #[test]
    fn hunks_take_the_line_breaks_of_the_text() {
        let lf = hunks("@@ -1,2 +1,2 @@\n 1\n-2\n+two\n");
        assert_eq!(apply("1\r\n2\r\n", &lf), Ok("1\r\ntwo\r\n".to_owned()));
        let crlf = hunks("@@ -1,2 +1,2 @@\n 1\r\n-2\r\n+two\r\n");
        assert_eq!(apply("1\r\n2\r\n", &crlf), Ok("1\r\ntwo\r\n".to_owned()));
        assert_eq!(apply("1\n2\n", &crlf), Ok("1\ntwo\n".to_owned()));
        assert!(apply("1\r\n2\n", &lf).is_err());
        let to_crlf = hunks("@@ -1 +1 @@\n-1\n+1\r\n");
        assert_eq!(apply("1\n", &to_crlf), Ok("1\r\n".to_owned()));
    }

    #[test]
    fn numbers_far_beyond_the_text_do_no_harm() {
        let most = usize::MAX;
        let far = hunks(&format!("@@ -{most},3 +{most},3 @@\n 1\n-2\n+two\n 3\n"));
        assert!(apply(&numbers(4), &far).is_ok());
        assert!(apply("", &far).is_err());
        let insert = hunks(&format!("@@ -{most},0 +{most} @@\n+x\n"));
        assert_eq!(apply("1\n", &insert), Ok("1\nx\n".to_owned()));
    }
}
