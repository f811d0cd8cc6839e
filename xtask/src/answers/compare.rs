//! Comparison of two recordings: the same questions in the same order, each with the same bytes.

use std::path::Path;

use anyhow::{Result, bail};

use super::recording::{Answered, Reader};

/// The number of characters shown before and after the first byte that differs.
const AROUND: usize = 60;

/// The result of a comparison.
#[derive(Default, Debug)]
pub struct Comparison {
    /// The number of questions of either recording.
    pub asked: usize,
    /// The answers that differ or are in one recording only, each as text.
    pub differences: Vec<String>,
}

impl Comparison {
    /// Returns one line of figures.
    pub fn words(&self) -> String {
        let same = self.asked - self.differences.len();
        format!("{same} of {} answers are the same bytes", self.asked)
    }
}

/// Compares two files.
pub fn files(before: &Path, after: &Path) -> Result<Comparison> {
    let (before, after) = (Reader::open(before)?, Reader::open(after)?);
    if before.roots != after.roots {
        bail!(
            "the recordings are of other folders: {:?}, {:?}",
            before.roots,
            after.roots
        );
    }
    let comparison = answers(before, after)?;
    if comparison.asked == 0 {
        bail!("the recordings have no answers");
    }
    Ok(comparison)
}

/// Compares answers in order.
fn answers(
    mut before: impl Iterator<Item = Result<Answered>>,
    mut after: impl Iterator<Item = Result<Answered>>,
) -> Result<Comparison> {
    let mut found = Comparison::default();
    loop {
        let pair = (before.next().transpose()?, after.next().transpose()?);
        let number = found.asked + 1;
        let difference = match &pair {
            (None, None) => return Ok(found),
            (Some(one), None) => Some(format!("missing after: {}", one.question.words())),
            (None, Some(one)) => Some(format!("missing before: {}", one.question.words())),
            (Some(one), Some(other)) if one.question != other.question => Some(format!(
                "other questions\n  before: {}\n  after:  {}",
                one.question.words(),
                other.question.words()
            )),
            (Some(one), Some(other)) => {
                let lines = first_difference(&one.answer, &other.answer);
                lines.map(|lines| format!("{}\n{lines}", one.question.words()))
            }
        };
        found.asked += 1;
        found
            .differences
            .extend(difference.map(|words| format!("question {number}: {words}")));
    }
}

/// Returns the first lines that differ, around the first byte that does; `None` if the texts are
/// equal.
fn first_difference(before: &str, after: &str) -> Option<String> {
    if before == after {
        return None;
    }
    let bytes = before.bytes().zip(after.bytes());
    let same = bytes.take_while(|(one, other)| one == other).count();
    let line = before.as_bytes()[..same]
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count()
        + 1;
    Some(format!(
        "  line {line}, byte {same} of {} and {}\n  before: {}\n  after:  {}",
        before.len(),
        after.len(),
        around(before, same),
        around(after, same)
    ))
}

/// Returns the part of a line around a byte.
fn around(text: &str, byte: usize) -> String {
    let mut at = byte.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let (before, following) = text.split_at(at);
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let start: Vec<char> = before[line_start..].chars().rev().take(AROUND).collect();
    let rest = following.lines().next().unwrap_or_default();
    let rest: String = rest.chars().take(AROUND).collect();
    if following.is_empty() {
        start.iter().rev().collect::<String>() + "(end)"
    } else {
        start.iter().rev().collect::<String>() + &rest
    }
}

#[cfg(test)]
mod tests {
    use crate::answers::library::Library;
    use crate::answers::question::{Asked, Question};

    use super::*;

    fn answered(target: &str, answer: &str) -> Answered {
        Answered {
            question: Question {
                library: Library::Go,
                asked: Asked::CommandLine {
                    words: vec!["query".to_owned(), target.to_owned()],
                },
            },
            answer: answer.to_owned(),
        }
    }

    fn compared(before: &[Answered], after: &[Answered]) -> Comparison {
        let [before, after] = [before, after].map(|list| list.iter().cloned().map(Ok));
        answers(before, after).unwrap()
    }

    #[test]
    fn equal_answers_have_no_difference() {
        let list = [answered("a", "x\ny\n"), answered("b", "")];
        let comparison = compared(&list, &list);
        assert!(comparison.differences.is_empty());
        assert_eq!(comparison.words(), "2 of 2 answers are the same bytes");
    }

    #[test]
    fn a_changed_byte_is_reported_with_its_line() {
        let comparison = compared(
            &[answered("a", "x\ngrößer 1\nz\n"), answered("b", "")],
            &[answered("a", "x\ngrüßer 1\nz\n"), answered("b", "")],
        );
        assert_eq!(
            comparison.differences,
            [
                "question 1: go: codeweft query a\n  line 2, byte 5 of 15 and 15\n  before: größer 1\n  \
                 after:  grüßer 1"
            ]
        );
        let comparison = compared(&[answered("a", "x")], &[answered("a", "x\n")]);
        assert_eq!(comparison.differences.len(), 1);
        assert!(comparison.differences[0].contains("before: x(end)"));
    }

    #[test]
    fn a_missing_answer_is_reported() {
        let list = [answered("a", "x"), answered("b", "y")];
        let comparison = compared(&list, &list[..1]);
        assert_eq!(
            comparison.differences,
            ["question 2: missing after: go: codeweft query b"]
        );
        assert_eq!(compared(&list[..1], &list).differences.len(), 1);
    }

    #[test]
    fn other_questions_are_a_difference() {
        let comparison = compared(&[answered("a", "x")], &[answered("b", "x")]);
        assert!(comparison.differences[0].contains("other questions"));
    }
}
