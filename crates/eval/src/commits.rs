//! Tasks made of commits: the message as the text, the files that it changes as the answer.

use std::collections::BTreeMap;

use crate::task::Task;

/// A commit that edits more source files is about more than one thing.
const MOST_FILES: usize = 5;

/// A message of fewer words says nothing that could be ranked by.
const FEWEST_WORDS: usize = 3;

/// A commit, not a merge, beside its parent.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CommitChange {
    /// The hash of the commit.
    pub hash: String,
    /// The hash of its parent.
    pub parent: String,
    /// The whole message.
    pub message: String,
    /// The source files that it changes and that were there before, without tests.
    pub changed: Vec<ChangedFile>,
    /// How many source files it adds, removes or renames, without tests.
    pub others: usize,
}

/// A file that a commit changes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChangedFile {
    /// From the top folder.
    pub path: String,
    /// The lines of each hunk before the commit, with context: first and last, 1-based.
    pub ranges: Vec<(u32, u32)>,
}

/// The task that a commit of a repository makes; `None` for a commit that edits no source file, or more than five
/// with those that it adds, removes and renames, or whose message has less than three words.
pub fn task_of_commit(repo: &str, change: &CommitChange) -> Option<Task> {
    let edited = change.changed.len();
    let is_small = edited > 0 && edited + change.others <= MOST_FILES;
    if !is_small || change.message.split_whitespace().count() < FEWEST_WORDS {
        return None;
    }
    let short = change.hash.get(..12).unwrap_or(&change.hash);
    let mut files: Vec<&ChangedFile> = change.changed.iter().collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let ranges: BTreeMap<String, Vec<(u32, u32)>> = files
        .iter()
        .filter(|file| !file.ranges.is_empty())
        .map(|file| (file.path.clone(), file.ranges.clone()))
        .collect();
    Some(Task {
        task_id: format!("{repo}@{short}"),
        repo: repo.to_owned(),
        commit_before: change.parent.clone(),
        commit_after: Some(change.hash.clone()),
        description: change.message.trim().to_owned(),
        files_edited: files.iter().map(|file| file.path.clone()).collect(),
        ranges,
        ..Task::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(files: &[&str], others: usize, message: &str) -> CommitChange {
        CommitChange {
            hash: "0123456789abcdef".to_owned(),
            parent: "fedc".to_owned(),
            message: message.to_owned(),
            changed: files
                .iter()
                .map(|path| ChangedFile {
                    path: (*path).to_owned(),
                    ranges: vec![(1, 7)],
                })
                .collect(),
            others,
        }
    }

    #[test]
    fn a_small_commit_is_a_task_about_its_parent() {
        let task = task_of_commit(
            "o/n",
            &change(&["b", "a"], 3, "Mend the lock\n\nIt was open.\n"),
        );
        let task = task.expect("a task");
        assert_eq!(task.task_id, "o/n@0123456789ab");
        assert_eq!(task.commit_before, "fedc");
        assert_eq!(task.description, "Mend the lock\n\nIt was open.");
        assert_eq!(task.files_edited, ["a", "b"]);
        assert_eq!(task.ranges["b"], [(1, 7)]);
        assert_eq!(Task::read_all(&task.line().expect("JSON")), Ok(vec![task]));
    }

    #[test]
    fn commits_that_say_little_or_touch_much_are_no_tasks() {
        let is_task = |files: &[&str], others, message| {
            task_of_commit("n", &change(files, others, message)).is_some()
        };
        assert!(is_task(&["a"], 4, "one two three"));
        assert!(!is_task(&["a"], 5, "one two three"));
        assert!(!is_task(&[], 1, "one two three"));
        assert!(!is_task(&["a"], 0, "one two"));
        assert!(is_task(&["a", "b", "c", "d", "e"], 0, "one two three"));
        assert!(!is_task(
            &["a", "b", "c", "d", "e", "f"],
            0,
            "one two three"
        ));
    }
}
