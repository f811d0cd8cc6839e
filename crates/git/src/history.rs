//! The history: the newest commits with their messages and the files that they touch.

use std::io::{self, BufRead};
use std::path::Path;
use std::time::Duration;

use crate::{Commit, GitError, Objects};

/// The time after which the reading of a history is ended. A repository of 100,000 commits takes some seconds;
/// the reading is in the background.
const DEADLINE: Duration = Duration::from_secs(180);

/// At most so many bytes of a message are kept. Messages of merged series run to megabytes.
const MAX_MESSAGE: usize = 16 << 10;

/// The byte before the hash of a commit in the output; no path begins with it and a hash.
const START: u8 = 1;

/// What is printed of a commit: hash, time of the commit, message; the names follow.
const FORMAT: &str = "--format=%x01%H%x00%ct%x00%B";

/// A commit that touches source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogEntry {
    /// The commit.
    pub commit: Commit,
    /// When it was committed, in seconds since 1970.
    pub time: i64,
    /// The whole message; of a very long one the beginning.
    pub message: String,
    /// The source files that it adds, changes or removes, from the folder of [`HistoryBounds::below`].
    pub files: Vec<Box<str>>,
}

/// How much of a history is read.
#[derive(Clone, Copy, Debug)]
pub struct HistoryBounds<'a> {
    /// At most so many commits that touch source below the folder, the newest.
    pub commits: usize,
    /// A commit that touches more source files is skipped: it reformats or moves, and says little of any file.
    pub files: usize,
    /// The folder whose files are listed: a path from the top folder, without `/` at its end; empty for all.
    pub below: &'a str,
}

impl Default for HistoryBounds<'_> {
    /// 6,000 commits of at most 30 files, of the whole repository.
    fn default() -> Self {
        HistoryBounds {
            commits: 6_000,
            files: 30,
            below: "",
        }
    }
}

/// Whether the history is the whole one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HistoryState {
    /// It is, within the bounds.
    Whole,
    /// The clone is shallow: it ends with the oldest commit that was fetched, whose files are not known.
    Shallow,
    /// A partial clone lacks an object; the history ends before the commit that needs it.
    Incomplete {
        /// The object, in words.
        object: String,
    },
}

/// The newest ancestors of a commit that touch source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    /// The commit itself.
    pub head: Commit,
    /// When it was committed, in seconds since 1970.
    pub head_time: i64,
    /// The commits, newest first; never a merge, whose changes are those of the merged commits.
    pub entries: Vec<LogEntry>,
    /// Whether there would be more.
    pub state: HistoryState,
}

/// What is new since a history was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NewEntries {
    /// The last head is an ancestor: the history of what came after it; empty if nothing did.
    Appended(History),
    /// The last head is no ancestor, by a rebase, a reset or another branch: the history read anew.
    Rewritten(History),
}

impl Objects {
    /// The history of a commit and what it descends from. `is_source` decides by a path from the top folder.
    ///
    /// One run of git, whose output is read as it comes and which is ended once there is enough.
    ///
    /// Errors: [`GitError::TookTooLong`], and those of running git. A missing object is no error.
    pub fn history(
        &self,
        head: &Commit,
        bounds: HistoryBounds<'_>,
        is_source: impl Fn(&str) -> bool + Send + 'static,
    ) -> Result<History, GitError> {
        self.log(head, None, bounds, is_source)
    }

    /// The history since another commit, which was the head when a history was last read.
    ///
    /// Errors: as [`Objects::history`].
    pub fn history_since(
        &self,
        last: &Commit,
        head: &Commit,
        bounds: HistoryBounds<'_>,
        is_source: impl Fn(&str) -> bool + Send + 'static,
    ) -> Result<NewEntries, GitError> {
        let arguments = ["merge-base", "--is-ancestor", last.hash(), head.hash()];
        if self.run(&arguments)?.success {
            let history = self.log(head, Some(last), bounds, is_source)?;
            return Ok(NewEntries::Appended(history));
        }
        let history = self.log(head, None, bounds, is_source)?;
        Ok(NewEntries::Rewritten(history))
    }

    fn log(
        &self,
        head: &Commit,
        after: Option<&Commit>,
        bounds: HistoryBounds<'_>,
        is_source: impl Fn(&str) -> bool + Send + 'static,
    ) -> Result<History, GitError> {
        let is_shallow = self.is_shallow()?;
        // The oldest commit of a shallow clone has no parent, and would seem to add every file.
        let root = format!("log.showRoot={}", !is_shallow);
        let not_after = after.map(|after| format!("^{}", after.hash()));
        let mut arguments = vec![
            "-c",
            &root,
            "log",
            "-z",
            FORMAT,
            "--encoding=UTF-8",
            "--name-only",
            "--no-renames",
            "--no-merges",
            "--no-ext-diff",
            "--no-textconv",
            "--no-show-signature",
            "--no-notes",
            "--no-color",
            "--ignore-submodules=all",
            head.hash(),
        ];
        arguments.extend(not_after.as_deref());
        arguments.push("--");
        let mut reader = Reader::new(bounds, is_source);
        let git = self.git().with_deadline(DEADLINE);
        let folder = Path::new(self.folder());
        let ended = git.run(folder, &arguments, Vec::new(), move |output| {
            reader.read(output)?;
            Ok(reader)
        })?;
        let (mut reader, failure) = ended.partial()?;
        let state = match failure {
            // Git was ended while it was writing.
            _ if reader.is_full() => HistoryState::Whole,
            Some(GitError::ObjectMissing { object }) => HistoryState::Incomplete { object },
            Some(error) => return Err(error),
            None => {
                reader.finish();
                if is_shallow {
                    HistoryState::Shallow
                } else {
                    HistoryState::Whole
                }
            }
        };
        Ok(History {
            head: head.clone(),
            head_time: self.time(head)?,
            entries: reader.entries,
            state,
        })
    }

    /// When a commit was committed, in seconds since 1970.
    fn time(&self, commit: &Commit) -> Result<i64, GitError> {
        let arguments = [
            "log",
            "-1",
            "--no-show-signature",
            "--format=%ct",
            commit.hash(),
        ];
        let printed = self.run(&arguments)?.into_output()?;
        let text = String::from_utf8_lossy(&printed);
        text.trim().parse().map_err(|_| GitError::UnexpectedOutput {
            command: "git log".to_owned(),
        })
    }
}

/// Reads the output of `git log -z --name-only`: fields that end with a zero byte.
///
/// ```text
/// \x01HASH 0 TIME 0 MESSAGE 0 \nNAME 0 NAME 0 … \x01HASH 0 …
/// ```
struct Reader<F> {
    is_source: F,
    most_commits: usize,
    most_files: usize,
    /// The folder with `/` at its end; empty for all.
    below: String,
    entries: Vec<LogEntry>,
    /// The commit whose names are being read.
    pending: Option<Pending>,
}

/// A commit whose names are being read.
struct Pending {
    entry: LogEntry,
    /// Its source files so far, in the whole repository.
    sources: usize,
}

impl<F: Fn(&str) -> bool> Reader<F> {
    fn new(bounds: HistoryBounds<'_>, is_source: F) -> Reader<F> {
        let below = match bounds.below {
            "" => String::new(),
            folder => format!("{folder}/"),
        };
        Reader {
            is_source,
            most_commits: bounds.commits,
            most_files: bounds.files,
            below,
            entries: Vec::new(),
            pending: None,
        }
    }

    /// Whether there are as many commits as are wanted.
    fn is_full(&self) -> bool {
        self.entries.len() >= self.most_commits
    }

    /// Reads to the end, or until it is full. The last commit stays pending.
    fn read(&mut self, output: &mut dyn BufRead) -> io::Result<()> {
        let mut field = Vec::new();
        while !self.is_full() && next_field(output, &mut field)? {
            match start(&field) {
                Some(commit) => {
                    self.finish();
                    self.begin(commit, output)?;
                }
                None => self.name(&field),
            }
        }
        Ok(())
    }

    /// Reads the time and the message of a commit.
    fn begin(&mut self, commit: Commit, output: &mut dyn BufRead) -> io::Result<()> {
        let mut field = Vec::new();
        next_field(output, &mut field)?;
        let time = std::str::from_utf8(&field).map_err(io::Error::other)?;
        let time = time.parse().map_err(io::Error::other)?;
        next_field(output, &mut field)?;
        field.truncate(MAX_MESSAGE);
        let message = String::from_utf8_lossy(&field);
        // A message that was cut inside of a character ends with the replacement for it.
        let message = message.trim_end_matches([char::REPLACEMENT_CHARACTER, '\n']);
        let entry = LogEntry {
            commit,
            time,
            message: message.to_owned(),
            files: Vec::new(),
        };
        self.pending = Some(Pending { entry, sources: 0 });
        Ok(())
    }

    fn name(&mut self, field: &[u8]) {
        // The first name is behind a line break.
        let field = field.strip_prefix(b"\n").unwrap_or(field);
        let (Some(pending), Ok(name)) = (&mut self.pending, std::str::from_utf8(field)) else {
            return;
        };
        if name.is_empty() || !(self.is_source)(name) {
            return;
        }
        pending.sources += 1;
        if let Some(below) = name.strip_prefix(&self.below)
            && pending.sources <= self.most_files
        {
            pending.entry.files.push(below.into());
        }
    }

    /// Ends the pending commit and keeps it if it touches few source files, and some below the folder.
    fn finish(&mut self) {
        let Some(Pending { entry, sources }) = self.pending.take() else {
            return;
        };
        if !entry.files.is_empty() && sources <= self.most_files {
            self.entries.push(entry);
        }
    }
}

/// Reads a field, without the zero byte behind it; `false` at the end.
fn next_field(output: &mut dyn BufRead, field: &mut Vec<u8>) -> io::Result<bool> {
    field.clear();
    let read = output.read_until(0, field)?;
    if field.last() == Some(&0) {
        field.pop();
    }
    Ok(read > 0)
}

/// The commit that a field begins.
fn start(field: &[u8]) -> Option<Commit> {
    match field.split_first() {
        Some((&START, hash)) => Commit::printed(hash),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    const B: &str = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

    fn read(output: &str, bounds: HistoryBounds<'_>) -> Vec<LogEntry> {
        let mut reader = Reader::new(bounds, |name: &str| name.ends_with(".x"));
        reader.read(&mut output.as_bytes()).expect("well formed");
        if !reader.is_full() {
            reader.finish();
        }
        reader.entries
    }

    fn files(entries: &[LogEntry]) -> Vec<(&str, Vec<&str>)> {
        entries
            .iter()
            .map(|entry| {
                let files = entry.files.iter().map(AsRef::as_ref).collect();
                (entry.message.as_str(), files)
            })
            .collect()
    }

    #[test]
    fn zero_bytes_separate_messages_and_names() {
        let output = format!(
            "\x01{A}\x0020\0one\n\nmore\n\0\na.x\0b.md\0d/c.x\0\x01{B}\x0010\0no files\n\0"
        );
        let entries = read(&output, HistoryBounds::default());
        assert_eq!(files(&entries), [("one\n\nmore", vec!["a.x", "d/c.x"])]);
        assert_eq!((entries[0].commit.hash(), entries[0].time), (A, 20));
    }

    #[test]
    fn a_commit_of_too_many_source_files_is_skipped_wherever_they_are() {
        let output = format!("\x01{A}\x0020\0m\0\na.x\0d/b.x\0c.md\0\x01{B}\x0010\0n\0\nd/b.x\0");
        let bounds = |files, below| HistoryBounds {
            files,
            below,
            ..HistoryBounds::default()
        };
        let all = read(&output, bounds(2, "d"));
        assert_eq!(files(&all), [("m", vec!["b.x"]), ("n", vec!["b.x"])]);
        let few = read(&output, bounds(1, "d"));
        assert_eq!(files(&few), [("n", vec!["b.x"])]);
        assert!(read(&output, bounds(2, "other")).is_empty());
    }

    #[test]
    fn only_the_newest_commits_are_read() {
        let one = format!("\x01{A}\x0020\0m\0\na.x\0");
        let bounds = HistoryBounds {
            commits: 3,
            ..HistoryBounds::default()
        };
        assert_eq!(read(&one.repeat(5), bounds).len(), 3);
        assert_eq!(read(&one.repeat(2), bounds).len(), 2);
    }

    #[test]
    fn a_long_message_is_cut_at_a_character() {
        let message = format!("a{}", "ü".repeat(MAX_MESSAGE));
        let output = format!("\x01{A}\x0020\0{message}\0\na.x\0");
        let entries = read(&output, HistoryBounds::default());
        assert_eq!(entries[0].message.len(), MAX_MESSAGE - 1);
        assert!(entries[0].message.ends_with('ü'));
    }

    #[test]
    fn output_without_a_time_is_an_error() {
        let output = format!("\x01{A}\0x\0m\0");
        let mut reader = Reader::new(HistoryBounds::default(), |_: &str| true);
        assert!(reader.read(&mut output.as_bytes()).is_err());
    }
}
