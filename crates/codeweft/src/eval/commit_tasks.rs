//! Tasks made of the commits of a clone.

use std::path::Path;

use codeweft_eval::{ChangedFile, CommitChange, Task, task_of_commit};
use codeweft_git::{Change, GitError, HistoryBounds, LogEntry, Objects, Patch};
use codeweft_retrieval::is_test;

use super::repositories::name_of;
use super::tree::is_source;

/// Makes tasks of the newest commits of a revision's history; returns their lines.
///
/// Errors: the folder is no repository, or it cannot be read.
pub fn made_of(folder: &Path, revision: &str, count: usize) -> Result<String, String> {
    let words = |error: GitError| format!("{error}; {}", error.what_to_do());
    let absolute = std::fs::canonicalize(folder)
        .map_err(|error| format!("{} cannot be read: {error}", folder.display()))?;
    let repo = name_of(&absolute);
    let objects = Objects::of(folder).map_err(words)?;
    let head = objects.commit(revision).map_err(words)?;
    let history = objects.history(&head, HistoryBounds::default(), is_source);
    let history = history.map_err(words)?;
    let mut lines = String::new();
    let mut made = 0;
    for entry in &history.entries {
        if made == count {
            break;
        }
        if let Some(task) = task(&objects, &repo, entry).map_err(words)? {
            let line = task.line();
            lines.push_str(&line.map_err(|error| format!("a task cannot be written: {error}"))?);
            lines.push('\n');
            made += 1;
        }
    }
    Ok(lines)
}

/// The task that a commit makes, if it makes one.
fn task(objects: &Objects, repo: &str, entry: &LogEntry) -> Result<Option<Task>, GitError> {
    let names: Vec<&str> = entry
        .files
        .iter()
        .map(AsRef::as_ref)
        .filter(|name| !is_test(name))
        .collect();
    let mut change = CommitChange {
        hash: entry.commit.hash().to_owned(),
        message: entry.message.clone(),
        others: names.len(),
        ..CommitChange::default()
    };
    if names.is_empty() {
        return Ok(None);
    }
    let parent = match objects.commit(&format!("{}^", entry.commit.hash())) {
        Ok(parent) => parent,
        // The first commit, or the oldest one of a shallow clone.
        Err(GitError::NoSuchRevision { .. } | GitError::NotInShallowClone { .. }) => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    change.parent = parent.hash().to_owned();
    let text = match objects.patch_between(&parent, &entry.commit, &names) {
        Ok(text) => text,
        // A content that the clone lacks.
        Err(GitError::ObjectMissing { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    // Without hunks, or of bytes that are no text, there is nothing to find.
    let Ok(patch) = Patch::parse(&text) else {
        return Ok(None);
    };
    for file in &patch.files {
        if file.change != Change::Edited || file.is_binary() {
            continue;
        }
        let line = |line: usize| u32::try_from(line).unwrap_or(u32::MAX);
        change.changed.push(ChangedFile {
            path: file.path().to_owned(),
            ranges: file
                .ranges_before()
                .map(|(first, last)| (line(first), line(last)))
                .collect(),
        });
    }
    change.others = names.len().saturating_sub(change.changed.len());
    Ok(task_of_commit(repo, &change))
}
