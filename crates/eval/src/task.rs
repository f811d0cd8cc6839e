//! Tasks: a text, the state of a repository that it was written about, and the files that were edited for it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// A task whose answer is known from the history of a repository. One line of JSON; fields that are not listed
/// here are ignored.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Task {
    /// A name that no other task of the file has.
    pub task_id: String,
    /// The repository: `owner/name`, or a name.
    pub repo: String,
    /// The commit before the edits: the state that is ranked.
    pub commit_before: String,
    /// The commit with the edits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit_after: Option<String>,
    /// The kind of task: `fix`, `refactoring`, `feature`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The text that files are ranked by.
    pub description: String,
    /// The file that is open in the editor, from the top folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor_file: Option<String>,
    /// What one would search for with grep; without any they are taken from the description.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub query_terms: Vec<String>,
    /// The files that were edited and existed before, from the top folder.
    pub files_edited: Vec<String>,
    /// The edited lines of each file before the edits: first and last of each hunk with its context, 1-based.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ranges: BTreeMap<String, Vec<(u32, u32)>>,
    /// Files or names of declarations that a good bundle has, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expected_bundle_should_contain: Vec<String>,
    /// The tokens that an agent was seen to send for the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline_tokens_sent: Option<u64>,
    /// Anything, for readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

/// A line of a file of tasks that is no task.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct TaskError {
    /// 1-based.
    pub line: usize,
    /// The reason, with what to write instead.
    pub reason: String,
}

impl Task {
    /// Reads a file of tasks, one a line; empty lines are skipped.
    ///
    /// Errors: the first line that is no task, or has the name of an earlier one.
    pub fn read_all(text: &str) -> Result<Vec<Task>, TaskError> {
        let mut names = BTreeSet::new();
        let mut tasks = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            if text.trim().is_empty() {
                continue;
            }
            let failed = |reason: String| TaskError { line, reason };
            let task: Task = serde_json::from_str(text).map_err(|error| failed(words(&error)))?;
            task.check().map_err(failed)?;
            if !names.insert(task.task_id.clone()) {
                return Err(failed(format!(
                    "the task_id {} is that of an earlier line: give each task its own",
                    task.task_id
                )));
            }
            tasks.push(task);
        }
        Ok(tasks)
    }

    /// The line of JSON, without a line break.
    ///
    /// Errors: none for a task that was read or made here; those of `serde_json` otherwise.
    pub fn line(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    fn check(&self) -> Result<(), String> {
        let needed = [
            ("task_id", &self.task_id),
            ("repo", &self.repo),
            ("commit_before", &self.commit_before),
            ("description", &self.description),
        ];
        for (field, value) in needed {
            if value.trim().is_empty() {
                return Err(format!("{field} is empty"));
            }
        }
        if self.files_edited.is_empty() {
            return Err(
                "files_edited is empty: without an edited file there is no right answer".to_owned(),
            );
        }
        let named = self.files_edited.iter().chain(self.ranges.keys());
        for path in named.chain(&self.cursor_file) {
            let is_relative = !path.starts_with('/') && !path.contains('\\');
            if !is_relative || path.split('/').any(|part| matches!(part, "" | "." | "..")) {
                return Err(format!(
                    "{path} is no path from the top folder with / between parts"
                ));
            }
        }
        let mut ranges = self.ranges.values().flatten();
        if let Some((first, last)) = ranges.find(|(first, last)| *first > *last) {
            return Err(format!("the range {first} to {last} ends before it begins"));
        }
        Ok(())
    }
}

/// The words of a JSON error without its line, which is always 1.
fn words(error: &serde_json::Error) -> String {
    let words = error.to_string();
    match words.rsplit_once(" at line ") {
        Some((words, _)) => format!("{words} (column {})", error.column()),
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"task_id": "t", "repo": "o/n", "commit_before": "abc", "description": "d", "files_edited": ["a.x"], "ranges": {"a.x": [[1, 3]]}, "created_at": "2020"}"#;

    #[test]
    fn unknown_fields_are_ignored_and_missing_ones_are_errors() {
        let tasks = Task::read_all(&format!("{LINE}\n\n")).expect("tasks");
        assert_eq!(tasks[0].ranges["a.x"], [(1, 3)]);
        let again = Task::read_all(&tasks[0].line().expect("JSON")).expect("tasks");
        assert_eq!(again, tasks);
        let error = |text: &str| Task::read_all(text).expect_err("wrong").to_string();
        assert_eq!(
            error(&format!("{LINE}\n{LINE}")),
            "line 2: the task_id t is that of an earlier line: give each task its own"
        );
        let broken = LINE.replace("\"repo\": \"o/n\", ", "");
        assert!(error(&broken).starts_with("line 1: missing field `repo`"));
        assert_eq!(
            error(&LINE.replace("[\"a.x\"]", "[]")),
            "line 1: files_edited is empty: without an edited file there is no right answer"
        );
        assert!(error(&LINE.replace("[\"a.x\"]", "[\"../a.x\"]")).contains("../a.x is no path"));
        assert!(error(&LINE.replace("[1, 3]", "[3, 1]")).contains("ends before it begins"));
        assert_eq!(
            error(&LINE.replace("\"d\"", "\" \"")),
            "line 1: description is empty"
        );
        assert!(error("[").starts_with("line 1: EOF"));
    }
}
