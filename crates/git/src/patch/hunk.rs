//! Hunks: the lines of a file around a change, before and after it.

use crate::PatchError;
use crate::patch::lines::{Lines, without_break};

/// At most so many blank lines may be missing at the end of a patch: the lines of context after a change.
const MAX_LOST: usize = 3;

/// The text that a line of a hunk belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Both,
    Before,
    After,
}

/// A line of a hunk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct HunkLine {
    pub side: Side,
    /// With its line break, if it has one in the file.
    pub text: String,
}

/// Lines of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    /// The first line, from 1; of no lines, the one before them.
    pub start: usize,
    pub count: usize,
}

impl Span {
    /// Returns whether these are the lines of an empty or a missing file.
    pub(crate) fn is_nothing(self) -> bool {
        self.start == 0 && self.count == 0
    }
}

/// One hunk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Hunk {
    pub before: Span,
    pub after: Span,
    pub lines: Vec<HunkLine>,
}

impl Hunk {
    /// The lines of one side, changed or not.
    pub(crate) fn lines_of(&self, side: Side) -> impl Iterator<Item = &str> {
        let lines = self.lines.iter();
        let lines = lines.filter(move |line| line.side == side || line.side == Side::Both);
        lines.map(|line| line.text.as_str())
    }

    /// Returns whether it has an unchanged line.
    pub(crate) fn has_context(&self) -> bool {
        self.lines.iter().any(|line| line.side == Side::Both)
    }

    /// Returns whether its last line is unchanged.
    pub(crate) fn ends_with_context(&self) -> bool {
        self.lines
            .last()
            .is_some_and(|line| line.side == Side::Both)
    }

    /// The hunk that takes this one back.
    pub(crate) fn reversed(&self) -> Hunk {
        let lines = self.lines.iter().map(|line| HunkLine {
            side: match line.side {
                Side::Both => Side::Both,
                Side::Before => Side::After,
                Side::After => Side::Before,
            },
            text: line.text.clone(),
        });
        Hunk {
            before: self.after,
            after: self.before,
            lines: lines.collect(),
        }
    }
}

/// The lines that the header of a hunk names: `@@ -12,3 +14 @@ def f():` is 3 lines from 12, 1 line from
/// 14.
pub(crate) fn spans(line: &str) -> Option<(Span, Span)> {
    let (spans, _) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (before, after) = spans.split_once(" +")?;
    Some((span(before)?, span(after)?))
}

fn span(text: &str) -> Option<Span> {
    let (start, count) = text.split_once(',').unwrap_or((text, "1"));
    let (start, count) = (start.parse().ok()?, count.parse().ok()?);
    Some(Span { start, count })
}

/// Reads the next hunk; `None` if the next line is no header of one. `converted` says that the whole patch
/// has got line breaks of Windows, so that its lines are read without them.
pub(crate) fn read(lines: &mut Lines<'_>, converted: bool) -> Result<Option<Hunk>, PatchError> {
    let Some((before, after)) = lines.peek().and_then(spans) else {
        return Ok(None);
    };
    let unreadable = |line, reason| Err(PatchError::Unreadable { line, reason });
    lines.advance();
    let mut left = (before.count, after.count);
    let mut read: Vec<HunkLine> = Vec::new();
    while left != (0, 0) {
        let Some(line) = lines.peek() else {
            if left.0 != left.1 || left.0 > MAX_LOST {
                return unreadable(lines.number(), "the patch ends inside of a hunk");
            }
            // Blank lines at the end of a patch are easily lost when it is copied.
            read.extend((0..left.0).map(|_| line_of(Side::Both, "\n", false)));
            break;
        };
        if line.starts_with("\\ ") {
            remove_break(&mut read);
            lines.advance();
            continue;
        }
        let (side, text) = match side_and_text(line) {
            Some(found) => found,
            None => {
                return unreadable(
                    lines.number(),
                    "a line of a hunk begins with ' ', '-' or '+'",
                );
            }
        };
        let taken = match side {
            Side::Both => left.0.checked_sub(1).zip(left.1.checked_sub(1)),
            Side::Before => left.0.checked_sub(1).zip(Some(left.1)),
            Side::After => Some(left.0).zip(left.1.checked_sub(1)),
        };
        match taken {
            Some(taken) => left = taken,
            None => {
                return unreadable(
                    lines.number(),
                    "the hunk has more lines than its header says",
                );
            }
        }
        read.push(line_of(side, text, converted));
        lines.advance();
    }
    if lines.peek().is_some_and(|line| line.starts_with("\\ ")) {
        remove_break(&mut read);
        lines.advance();
    }
    Ok(Some(Hunk {
        before,
        after,
        lines: read,
    }))
}

/// The side of a line in a hunk, and the line of the file. A blank line is one whose first blank was lost.
fn side_and_text(line: &str) -> Option<(Side, &str)> {
    if without_break(line).is_empty() {
        return Some((Side::Both, line));
    }
    let sides = [(' ', Side::Both), ('-', Side::Before), ('+', Side::After)];
    sides
        .into_iter()
        .find_map(|(mark, side)| Some((side, line.strip_prefix(mark)?)))
}

fn line_of(side: Side, text: &str, converted: bool) -> HunkLine {
    let text = if converted || !text.ends_with('\n') {
        format!("{}\n", without_break(text))
    } else {
        text.to_owned()
    };
    HunkLine { side, text }
}

/// `\ No newline at end of file`, in any language: the line before has no line break.
fn remove_break(lines: &mut [HunkLine]) {
    if let Some(last) = lines.last_mut()
        && last.text.ends_with('\n')
    {
        last.text.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hunk(text: &str) -> Result<Option<Hunk>, PatchError> {
        read(&mut Lines::new(text), false)
    }

    /// The lines before and after a hunk, each side in one text.
    fn sides(text: &str) -> (String, String) {
        let hunk = hunk(text).expect("read").expect("a hunk");
        let side = |side| hunk.lines_of(side).collect::<String>();
        (side(Side::Before), side(Side::After))
    }

    #[test]
    fn headers_name_lines_with_and_without_a_count() {
        let of = |line| spans(line).map(|(b, a)| (b.start, b.count, a.start, a.count));
        assert_eq!(of("@@ -12,3 +14 @@ def f():\n"), Some((12, 3, 14, 1)));
        assert_eq!(of("@@ -0,0 +1,2 @@"), Some((0, 0, 1, 2)));
        for line in [
            "@@ -1 +1",
            "@@ 1 +1 @@",
            "@@ -a +1 @@",
            "@@ -1,+1 @@",
            "@@@ -1 -1 +1 @@@",
            "@@ -99999999999999999999 +1 @@",
        ] {
            assert_eq!(of(line), None, "{line}");
        }
    }

    #[test]
    fn a_hunk_ends_where_its_header_says() {
        let text = "@@ -1,2 +1,2 @@\n a\n-b\n+c\n-- \n2.39\n";
        assert_eq!(sides(text), ("a\nb\n".to_owned(), "a\nc\n".to_owned()));
        let text = "@@ -1 +0,0 @@\n--- x\n+++ y\n";
        assert_eq!(sides(text), ("-- x\n".to_owned(), String::new()));
    }

    #[test]
    fn missing_line_breaks_are_marked_in_any_language() {
        let text = "@@ -1 +1 @@\n-a\n\\ Kein Zeilenumbruch am Dateiende.\n+b\n";
        assert_eq!(sides(text), ("a".to_owned(), "b\n".to_owned()));
        let text = "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n";
        assert_eq!(sides(text), ("a\n".to_owned(), "b".to_owned()));
        let text = "@@ -1,2 +1 @@\n-a\n b\n\\ No newline at end of file\n";
        assert_eq!(sides(text), ("a\nb".to_owned(), "b".to_owned()));
    }

    #[test]
    fn lost_blanks_are_read() {
        let text = "@@ -1,3 +1,3 @@\n\n-b\n+c";
        assert_eq!(sides(text), ("\nb\n\n".to_owned(), "\nc\n\n".to_owned()));
        let text = "@@ -1,2 +1,2 @@\n\r\n-b\r\n+c\r\n";
        assert_eq!(
            sides(text),
            ("\r\nb\r\n".to_owned(), "\r\nc\r\n".to_owned())
        );
    }

    #[test]
    fn wrong_numbers_are_errors_with_the_line() {
        let line_of = |text| match hunk(text) {
            Err(PatchError::Unreadable { line, .. }) => line,
            other => panic!("{other:?}"),
        };
        assert_eq!(line_of("@@ -1,9 +1,9 @@\n a\n-b\n+c\n"), 5);
        assert_eq!(line_of("@@ -1,2 +1 @@\n-a\n+b\n+c\n"), 4);
        assert_eq!(line_of("@@ -1,2 +1 @@\n-a\nb\n"), 3);
        assert_eq!(line_of("@@ -1,2 +1 @@\n"), 2);
    }
}
