//! Targets by position that agents name: positions in the file on disk, which is the text that their own tools
//! read, also if an editor holds unsaved text.
//!
//! ```text
//! disk          unsaved       target on disk      in the database
//! 1 func A()    1 // new      a.go:1         ->   a.go:2   below the last difference: by number
//! 2 func B()    2 func A()    a.go:2         ->   a.go:3
//!               3 func B()
//! ```

use codeweft_graph::answer::{ApiError, ErrorType};
use codeweft_vfs::{DiskState, Vfs};

use crate::project::{GraphQuestion, Snapshot};

/// Returns the request with targets in files with unsaved text moved from the line of the disk's text to
/// the same line of the unsaved one; `None` if nothing moves.
///
/// # Errors
/// `ambiguous_target`: that line is not in the unsaved text, or not once.
pub(super) fn moved<R: GraphQuestion>(
    snapshot: &Snapshot<'_>,
    vfs: &Vfs,
    request: &R,
) -> Result<Option<R>, ApiError> {
    if snapshot.unsaved().is_empty() {
        return Ok(None);
    }
    let targets = request.targets();
    let moved: Vec<Option<String>> = targets
        .iter()
        .map(|target| of_target(snapshot, vfs, target))
        .collect::<Result<_, _>>()?;
    if moved.iter().all(Option::is_none) {
        return Ok(None);
    }
    let all = moved.into_iter().zip(targets);
    let all = all.map(|(moved, target)| moved.unwrap_or_else(|| target.to_owned()));
    request.with_targets(all.collect()).map(Some)
}

fn of_target(snapshot: &Snapshot<'_>, vfs: &Vfs, target: &str) -> Result<Option<String>, ApiError> {
    let Some((path, line, column)) = position(target) else {
        return Ok(None);
    };
    let Some((printed, disk, now)) = texts(snapshot, vfs, path) else {
        return Ok(None);
    };
    let Some(moved) = line_now(&disk, &now, line) else {
        return Err(ApiError::new(
            ErrorType::AmbiguousTarget,
            format!(
                "{printed} has unsaved text in an editor, and line {line} of the file on disk is not in it, or not once"
            ),
            "ask by the symbol's id, or by another line",
        ));
    };
    Ok(Some(match column {
        Some(column) => format!("{path}:{moved}:{column}"),
        None => format!("{path}:{moved}"),
    }))
}

/// Parses `path:line` or `path:line:column`.
fn position(target: &str) -> Option<(&str, usize, Option<usize>)> {
    let numbered = |text: &str| -> Option<(usize, usize)> {
        let at = text.rfind(':')?;
        Some((at, text[at + 1..].parse().ok()?))
    };
    let (at, last) = numbered(target)?;
    match numbered(&target[..at]) {
        Some((before, line)) => Some((&target[..before], line, Some(last))),
        None => Some((&target[..at], last, None)),
    }
}

/// Returns for a file with unsaved text its printed path, the disk's text and the database's.
fn texts(snapshot: &Snapshot<'_>, vfs: &Vfs, path: &str) -> Option<(String, String, String)> {
    let path = path.strip_prefix("./").unwrap_or(path);
    let root = &snapshot.state.root;
    let path = codeweft_vfs::relative(root, path).unwrap_or(path);
    let named = |file: &&String| {
        let rest = file.strip_suffix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let printed = snapshot.unsaved().iter().find(named)?;
    let whole = if printed.starts_with('/') {
        printed.clone()
    } else {
        format!("{root}/{printed}")
    };
    let DiskState::Text(disk) = vfs.disk(&whole) else {
        return None;
    };
    let entry = snapshot.state.files.get(whole.as_str())?;
    let now = entry.file.text(&snapshot.db);
    Some((printed.clone(), disk.to_string(), now.to_string()))
}

/// Returns the line (1-based) of `now` that corresponds to line `line` (1-based) of `disk`: before the first
/// and behind the last difference by number, between them by equal text, if that occurs once in both.
fn line_now(disk: &str, now: &str, line: usize) -> Option<usize> {
    let disk: Vec<&str> = disk.split('\n').collect();
    let now: Vec<&str> = now.split('\n').collect();
    let at = line.checked_sub(1).filter(|&at| at < disk.len())?;
    let head = disk.iter().zip(&now).take_while(|(a, b)| a == b).count();
    if at < head {
        return Some(line);
    }
    let rest = disk.len().min(now.len()) - head;
    let tails = disk.iter().rev().zip(now.iter().rev()).take(rest);
    let tail = tails.take_while(|(a, b)| a == b).count();
    if at >= disk.len() - tail {
        return Some(line + now.len() - disk.len());
    }
    let once = |lines: &[&str]| -> Option<usize> {
        let mut matches = lines
            .iter()
            .enumerate()
            .filter(|(_, words)| **words == disk[at]);
        let (first, _) = matches.next()?;
        matches.next().is_none().then_some(first)
    };
    once(&disk[head..disk.len() - tail])?;
    let found = once(&now[head..now.len() - tail])?;
    Some(head + found + 1)
}

#[cfg(test)]
mod tests {
    use super::{line_now, position};

    #[test]
    fn a_position_is_a_path_with_one_or_two_numbers() {
        assert_eq!(position("a/b.go:3"), Some(("a/b.go", 3, None)));
        assert_eq!(position("a/b.go:3:7"), Some(("a/b.go", 3, Some(7))));
        assert_eq!(position("pkg.Type.Method"), None);
    }

    #[test]
    fn lines_before_and_behind_the_differences_correspond_by_number() {
        let (disk, now) = ("a\nb\nc\nd\n", "a\nnew\nnew\nc\nd\n");
        assert_eq!(line_now(disk, now, 1), Some(1));
        assert_eq!(line_now(disk, now, 3), Some(4));
        assert_eq!(line_now(disk, now, 4), Some(5));
        assert_eq!(line_now(disk, now, 2), None);
        assert_eq!(line_now(disk, now, 9), None);
        assert_eq!(line_now(disk, now, 0), None);
    }

    #[test]
    fn a_line_between_differences_is_found_by_its_text_if_that_occurs_once() {
        let (disk, now) = ("x\na\nb\nb\ny\n", "z\nmore\na\nb\nb\nw\n");
        assert_eq!(line_now(disk, now, 2), Some(3));
        assert_eq!(line_now(disk, now, 3), None);
    }
}
