//! The history of a repository as retrieval sees it: messages as documents, and which files they touched.

/// A commit that touched source: message, seconds since epoch, workspace-relative paths that it touched (at most 30).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryCommit {
    /// The hash of the commit, in hexadecimal.
    pub id: String,
    /// When it was committed, in seconds since the epoch.
    pub time: i64,
    /// The whole message.
    pub message: String,
    /// The source files that it touched, from the workspace's root, with `/`.
    pub files: Vec<Box<str>>,
}

/// How much of the history is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistoryState {
    /// All of it, to the bound of commits.
    Read,
    /// The commits that a shallow clone has.
    Shallow,
    /// Nothing: the workspace is in no repository.
    NoRepository,
    /// Nothing: no program `git` could be run.
    NoGit,
    /// Nothing: the repository could not be read.
    Unreadable,
    /// Nothing yet: it is being read.
    #[default]
    Pending,
}

/// What is known of the history: newest first, ancestors of HEAD only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// When HEAD was committed, in seconds since the epoch.
    pub head_time: i64,
    /// The commits, newest first, at most 6,000.
    pub commits: Vec<HistoryCommit>,
    /// How much of the history that is.
    pub state: HistoryState,
}

/// Messages of commits as searchable documents, and the time of each file's last commit.
#[derive(Debug, Default)]
pub struct HistoryIndex {
    state: HistoryState,
}

impl HistoryIndex {
    /// Returns the index of a history.
    pub fn new(history: &History) -> HistoryIndex {
        HistoryIndex {
            state: history.state,
        }
    }

    /// Returns how much of the history is known.
    pub fn state(&self) -> HistoryState {
        self.state
    }
}
