//! Reads the files of a patch: their headers, and the hunks behind them.

use crate::PatchError;
use crate::patch::hunk::{self, Hunk};
use crate::patch::lines::Lines;
use crate::patch::names::{self, NameLine};
use crate::patch::{Change, FilePatch};

/// The modes of symbolic links and submodules, whose lines are no text of a file.
const MODES_OF_NO_TEXT: [&str; 2] = ["120000", "160000"];

/// Returns whether a text is a patch, as opposed to the name of a revision: it has a line break, and a line
/// that begins the changes of a file or a hunk.
pub fn is_patch(text: &str) -> bool {
    if !text.contains('\n') {
        return false;
    }
    let mut lines = Lines::new(text);
    while let Some(line) = lines.peek() {
        if is_git_header(line)
            || is_plain_header(&lines)
            || is_combined(line)
            || hunk::spans(line).is_some()
        {
            return true;
        }
        lines.advance();
    }
    false
}

/// Reads all files of a patch.
pub(crate) fn files(text: &str) -> Result<Vec<FilePatch>, PatchError> {
    let mut lines = Lines::new(text);
    let mut files = Vec::new();
    let mut has_header = false;
    while let Some(line) = lines.peek() {
        if is_git_header(line) {
            has_header = true;
            files.extend(git_file(&mut lines)?);
        } else if is_plain_header(&lines) {
            has_header = true;
            files.extend(plain_file(&mut lines)?);
        } else if is_combined(line) {
            let line = lines.number();
            return Err(PatchError::Combined { line });
        } else if hunk::spans(line).is_some() {
            return Err(PatchError::Unreadable {
                line: lines.number(),
                reason: "no line before this hunk names its file",
            });
        } else {
            lines.advance();
        }
    }
    if has_header {
        Ok(files)
    } else {
        Err(PatchError::NotAPatch)
    }
}

fn is_git_header(line: &str) -> bool {
    line.starts_with("diff --git ")
}

/// Returns whether the next lines name a file without a line of git: `--- `, `+++ `, and a hunk. A line of
/// dashes in a mail is none.
fn is_plain_header(lines: &Lines<'_>) -> bool {
    let begins = |ahead, mark| {
        let line: Option<&str> = lines.ahead(ahead);
        line.is_some_and(|line| line.starts_with(mark))
    };
    begins(0, "--- ") && begins(1, "+++ ") && lines.ahead(2).and_then(hunk::spans).is_some()
}

fn is_combined(line: &str) -> bool {
    ["diff --cc ", "diff --combined ", "@@@ -"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

/// The lines that git writes between `diff --git` and the hunks.
#[derive(Default)]
struct GitHeader {
    is_added: bool,
    is_removed: bool,
    is_copied: bool,
    is_of_no_text: bool,
    is_binary: bool,
    /// The names behind `rename from` and `rename to`, or `copy from` and `copy to`.
    from: Option<String>,
    to: Option<String>,
}

impl GitHeader {
    /// Takes a line in; returns whether it belongs to the header.
    fn take(&mut self, line: &str) -> bool {
        let line = line.trim_end_matches(['\n', '\r']);
        let rest = |mark| line.strip_prefix(mark);
        let mut mode = None;
        if let Some(text) = rest("new file mode ") {
            self.is_added = true;
            mode = Some(text);
        } else if let Some(text) = rest("deleted file mode ") {
            self.is_removed = true;
            mode = Some(text);
        } else if let Some(text) = rest("old mode ").or(rest("new mode ")) {
            mode = Some(text);
        } else if let Some(text) = rest("index ") {
            mode = text.split_once(' ').map(|(_, mode)| mode);
        } else if let Some(name) = rest("rename from ").or(rest("rename old ")) {
            self.from = Some(names::whole(name));
        } else if let Some(name) = rest("rename to ").or(rest("rename new ")) {
            self.to = Some(names::whole(name));
        } else if let Some(name) = rest("copy from ") {
            self.is_copied = true;
            self.from = Some(names::whole(name));
        } else if let Some(name) = rest("copy to ") {
            self.to = Some(names::whole(name));
        } else if line == "GIT binary patch" || rest("Binary files ").is_some() {
            self.is_binary = true;
        } else {
            return rest("similarity index ").is_some() || rest("dissimilarity index ").is_some();
        }
        self.is_of_no_text |= mode.is_some_and(|mode| MODES_OF_NO_TEXT.contains(&mode));
        true
    }
}

/// Reads a file behind `diff --git`; `None` if it is a link or a submodule.
fn git_file(lines: &mut Lines<'_>) -> Result<Option<FilePatch>, PatchError> {
    let line = lines.number();
    let first = lines.peek().unwrap_or_default();
    let converted = first.ends_with("\r\n");
    lines.advance();
    let mut header = GitHeader::default();
    while lines.peek().is_some_and(|line| header.take(line)) {
        lines.advance();
    }
    let (before, after) = name_lines(lines).unzip();
    let hunks = hunks(lines, converted)?;
    if header.is_of_no_text {
        return Ok(None);
    }
    let is_missing = |line: &Option<NameLine>| {
        line.as_ref()
            .is_some_and(|line| line.name == names::NO_FILE)
    };
    header.is_added |= is_missing(&before);
    header.is_removed |= is_missing(&after);
    let (before, after) = (existing(before), existing(after));
    let rest = first.strip_prefix("diff --git ").unwrap_or_default();
    let (before, after, change) = match (header.from, header.to) {
        (Some(from), Some(to)) if header.is_copied => (from, to, Change::Copied),
        (Some(from), Some(to)) => (from, to, Change::Renamed),
        _ => {
            let change = match (header.is_added, header.is_removed) {
                (true, _) => Change::Added,
                (_, true) => Change::Removed,
                _ => Change::Edited,
            };
            let (before, after) = match (before, after) {
                (Some(before), Some(after)) => names::without_prefixes(&before, &after),
                (before, after) => one_name(rest, before, after).ok_or(PatchError::Unreadable {
                    line,
                    reason: "the names of the file cannot be separated",
                })?,
            };
            (before, after, change)
        }
    };
    Ok(Some(FilePatch {
        before: (change != Change::Added).then_some(before),
        after: (change != Change::Removed).then_some(after),
        change,
        hunks,
        is_binary: header.is_binary,
    }))
}

/// The names of a file of which the lines `--- ` and `+++ ` name at most one.
fn one_name(rest: &str, before: Option<String>, after: Option<String>) -> Option<(String, String)> {
    if let Some((before, after)) = names::pair(rest, before.as_deref(), after.as_deref()) {
        return Some(names::without_prefixes(&before, &after));
    }
    let before = before.map(|name| names::without_prefix(&name, "a/"));
    let after = after.map(|name| names::without_prefix(&name, "b/"));
    let name = before.or(after)?;
    Some((name.clone(), name))
}

/// Reads a file behind `--- ` and `+++ ` alone.
fn plain_file(lines: &mut Lines<'_>) -> Result<Option<FilePatch>, PatchError> {
    let converted = lines.peek().is_some_and(|line| line.ends_with("\r\n"));
    let line = lines.number();
    let Some((before, after)) = name_lines(lines) else {
        return Ok(None);
    };
    let hunks = hunks(lines, converted)?;
    if before.name == names::NO_FILE && after.name == names::NO_FILE {
        return Err(PatchError::Unreadable {
            line,
            reason: "both names are /dev/null",
        });
    }
    // A time alone does not make a file new: it must have no lines, too.
    let is_nothing = |name: &NameLine, span: fn(&Hunk) -> hunk::Span| {
        let has_no_lines = matches!(hunks.as_slice(), [hunk] if span(hunk).is_nothing());
        name.name == names::NO_FILE || (name.is_of_no_file && has_no_lines)
    };
    let is_added = is_nothing(&before, |hunk| hunk.before);
    let is_removed = is_nothing(&after, |hunk| hunk.after);
    let has_both = before.name != names::NO_FILE && after.name != names::NO_FILE;
    let (before, after) = if has_both {
        names::without_prefixes(&before.name, &after.name)
    } else {
        let before = names::without_prefix(&before.name, "a/");
        (before, names::without_prefix(&after.name, "b/"))
    };
    Ok(Some(FilePatch {
        before: (!is_added).then_some(before),
        after: (!is_removed || is_added).then_some(after),
        change: match (is_added, is_removed) {
            (true, _) => Change::Added,
            (_, true) => Change::Removed,
            _ => Change::Edited,
        },
        hunks,
        is_binary: false,
    }))
}

/// Reads the lines `--- ` and `+++ ` if they come next.
fn name_lines(lines: &mut Lines<'_>) -> Option<(NameLine, NameLine)> {
    let before = lines.peek()?.strip_prefix("--- ")?;
    let after = lines.ahead(1)?.strip_prefix("+++ ")?;
    lines.advance();
    lines.advance();
    Some((names::name_line(before), names::name_line(after)))
}

/// The name of a line if it is that of a file.
fn existing(line: Option<NameLine>) -> Option<String> {
    line.map(|line| line.name)
        .filter(|name| name != names::NO_FILE)
}

fn hunks(lines: &mut Lines<'_>, converted: bool) -> Result<Vec<Hunk>, PatchError> {
    let mut hunks = Vec::new();
    while let Some(hunk) = hunk::read(lines, converted)? {
        hunks.push(hunk);
    }
    Ok(hunks)
}
