//! The history of the workspace's repository, read beside the questions.
//!
//! No answer of a server waits for git: the first question starts the reading and is answered without a history; later
//! ones are answered with what was read last, while a thread looks whether HEAD has moved. What came since is read alone;
//! a history that was rewritten is read anew.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use codeweft_git::{Commit, GitError, HistoryBounds, NewEntries, Repository};
use codeweft_retrieval::{History, HistoryCommit, HistoryIndex, HistoryState};

/// The time after which a question looks again whether HEAD has moved.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// The history that was read last.
#[derive(Clone, Default)]
pub(crate) struct KeptHistory(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    index: Option<Arc<HistoryIndex>>,
    read: Option<Arc<ReadHistory>>,
    is_being_read: bool,
    looked_at: Option<Instant>,
}

/// A history with the commit that it is of.
struct ReadHistory {
    head: Commit,
    history: History,
}

impl KeptHistory {
    /// Returns the history that was read last, and begins to look for a newer one.
    pub(crate) fn current(&self, root: &Arc<str>) -> Option<Arc<HistoryIndex>> {
        let mut state = self.state();
        let is_due = state
            .looked_at
            .is_none_or(|then| then.elapsed() > LOOK_AGAIN);
        if is_due && !state.is_being_read {
            state.is_being_read = true;
            let (own, root) = (self.clone(), root.clone());
            let thread = thread::Builder::new().name("history".to_owned());
            if thread.spawn(move || own.read(&root)).is_err() {
                state.is_being_read = false;
            }
        }
        state.index.clone()
    }

    /// Reads the history now, unless one was read before.
    pub(crate) fn wait(&self, root: &str) {
        if self.state().index.is_none() {
            self.read(root);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, root: &str) {
        let last = self.state().read.clone();
        let next = read_next(root, last.as_deref());
        let index = match &next {
            Ok(Some(next)) => Some(Arc::new(HistoryIndex::new(&next.history))),
            Ok(None) => None,
            Err(state) => Some(Arc::new(HistoryIndex::new(&History {
                state: *state,
                ..History::default()
            }))),
        };
        let mut state = self.state();
        match next {
            Ok(Some(next)) => state.read = Some(Arc::new(next)),
            Ok(None) => {}
            Err(_) => state.read = None,
        }
        if index.is_some() {
            state.index = index;
        }
        state.is_being_read = false;
        state.looked_at = Some(Instant::now());
    }
}

/// Reads what came after a history; `None` if nothing did.
fn read_next(root: &str, last: Option<&ReadHistory>) -> Result<Option<ReadHistory>, HistoryState> {
    let repository = Repository::around(Path::new(root)).map_err(|error| state_of(&error))?;
    let objects = repository.objects();
    let head = objects.commit("HEAD").map_err(|error| state_of(&error))?;
    if last.is_some_and(|last| last.head.hash() == head.hash()) {
        return Ok(None);
    }
    let below = root
        .strip_prefix(repository.top())
        .unwrap_or("")
        .trim_matches('/');
    let bounds = HistoryBounds {
        below,
        ..HistoryBounds::default()
    };
    let is_source = |path: &str| codeweft_graph::languages::of_path(path).is_some();
    let new = match last {
        Some(last) => objects.history_since(&last.head, &head, bounds, is_source),
        None => {
            let history = objects.history(&head, bounds, is_source);
            history.map(NewEntries::Rewritten)
        }
    };
    let (new, before) = match new.map_err(|error| state_of(&error))? {
        NewEntries::Appended(new) => (new, last),
        NewEntries::Rewritten(new) => (new, None),
    };
    let state = match new.state {
        codeweft_git::HistoryState::Whole => HistoryState::Read,
        codeweft_git::HistoryState::Shallow => HistoryState::Shallow,
        codeweft_git::HistoryState::Incomplete { .. } => HistoryState::Incomplete,
    };
    let entries = new.entries.into_iter().map(|entry| HistoryCommit {
        id: entry.commit.hash().to_owned(),
        time: entry.time,
        message: entry.message,
        files: entry.files,
    });
    let mut commits: Vec<HistoryCommit> = entries.collect();
    let state = match before {
        Some(before) => {
            commits.extend(before.history.commits.iter().cloned());
            before.history.state
        }
        None => state,
    };
    commits.truncate(bounds.commits);
    Ok(Some(ReadHistory {
        head,
        history: History {
            head_time: new.head_time,
            commits,
            state,
        },
    }))
}

fn state_of(error: &GitError) -> HistoryState {
    match error {
        GitError::NoGit => HistoryState::NoGit,
        GitError::NoRepository { .. } | GitError::NoWorkTree { .. } => HistoryState::NoRepository,
        _ => HistoryState::Unreadable,
    }
}
