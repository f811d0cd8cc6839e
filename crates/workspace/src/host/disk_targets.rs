//! Places that agents name: in the file on disk, which is what their own tools show them, also
//! where an editor holds unsaved text.

use codeweft_graph::answer::{ApiError, ErrorType, GraphRequest};
use codeweft_vfs::{DiskState, Vfs};

use crate::project::Snapshot;

/// The request with its places as the database has them: those in files with unsaved text are
/// moved from the line of the disk's text to the same line of the unsaved one.
///
/// # Errors
/// `ambiguous_target`: that line is not in the unsaved text, or not once.
pub(super) fn moved(
    snapshot: &Snapshot<'_>,
    vfs: &Vfs,
    request: &GraphRequest,
) -> Result<Option<GraphRequest>, ApiError> {
    if snapshot.unsaved().is_empty() {
        return Ok(None);
    }
    let target = of_target(snapshot, vfs, &request.target)?;
    let to = of_target(snapshot, vfs, &request.to)?;
    if target.is_none() && to.is_none() {
        return Ok(None);
    }
    let mut request = request.clone();
    request.target = target.unwrap_or(request.target);
    request.to = to.unwrap_or(request.to);
    Ok(Some(request))
}

fn of_target(snapshot: &Snapshot<'_>, vfs: &Vfs, target: &str) -> Result<Option<String>, ApiError> {
    let Some((path, line, column)) = place(target) else {
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

/// `path:line` or `path:line:column`.
fn place(target: &str) -> Option<(&str, usize, Option<usize>)> {
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

/// Of a file with unsaved text: as answers print it, the disk's text, the database's.
fn texts(snapshot: &Snapshot<'_>, vfs: &Vfs, path: &str) -> Option<(String, String, String)> {
    let path = path.strip_prefix("./").unwrap_or(path);
    let root = &snapshot.shown.root;
    let path = codeweft_vfs::relative(root, path).unwrap_or(path);
    let named = |file: &&String| {
        let rest = file.strip_suffix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let printed = snapshot.unsaved().iter().find(named)?;
    let whole = match printed.starts_with('/') {
        true => printed.clone(),
        false => format!("{root}/{printed}"),
    };
    let DiskState::Text(disk) = vfs.disk(&whole) else {
        return None;
    };
    let entry = snapshot.shown.files.get(whole.as_str())?;
    let now = entry.file.text(&snapshot.db);
    Some((printed.clone(), disk.to_string(), now.to_string()))
}

/// The line (1-based) of `now` that line `line` (1-based) of `disk` has become: before the first
/// and behind the last difference they correspond by number, between them by their words, where
/// these stand once in both.
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
        let mut places = lines
            .iter()
            .enumerate()
            .filter(|(_, words)| **words == disk[at]);
        let (first, _) = places.next()?;
        places.next().is_none().then_some(first)
    };
    once(&disk[head..disk.len() - tail])?;
    let found = once(&now[head..now.len() - tail])?;
    Some(head + found + 1)
}

#[cfg(test)]
mod tests {
    use super::{line_now, place};

    #[test]
    fn a_place_is_a_path_with_one_or_two_numbers() {
        assert_eq!(place("a/b.go:3"), Some(("a/b.go", 3, None)));
        assert_eq!(place("a/b.go:3:7"), Some(("a/b.go", 3, Some(7))));
        assert_eq!(place("pkg.Type.Method"), None);
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
    fn a_line_between_differences_is_found_by_its_words_where_they_stand_once() {
        let (disk, now) = ("x\na\nb\nb\ny\n", "z\nmore\na\nb\nb\nw\n");
        assert_eq!(line_now(disk, now, 2), Some(3));
        assert_eq!(line_now(disk, now, 3), None);
    }
}
