//! The thread that writes, and its mailbox of one batch.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};

use super::batch::Batch;
use super::counts::RowCounts;
use super::open::{self, OpenStore};
use super::transaction::{self, Known};
use crate::timestamp::generated_at;

/// The pause after a batch that could not be written.
const AGAIN: Duration = Duration::from_secs(30);

/// The pause after a batch for which the file stayed locked.
const AGAIN_LOCKED: Duration = Duration::from_secs(1);

/// The time without a batch after which the WAL is moved to the file.
const IDLE: Duration = Duration::from_secs(2);

/// The size of a batch that takes no other one any more, in bytes.
const FULL: usize = 32 << 20;

/// The store's thread, from outside. Cheap to clone; [`Store::end`] ends the thread.
#[derive(Clone)]
pub(crate) struct Store(Arc<Shared>);

struct Shared {
    path: PathBuf,
    state: Mutex<State>,
    woken: Condvar,
}

#[derive(Default)]
struct State {
    waiting: Option<Batch>,
    is_writing: bool,
    opened: Option<Opened>,
    ended: bool,
    figures: Figures,
    /// The pause after a failure; of tests.
    again: Option<Duration>,
    /// Bounds of tests: on the size of the file, in pages, and on that of a batch, in bytes.
    #[cfg(test)]
    max_pages: Option<i64>,
    #[cfg(test)]
    has_ended: bool,
    #[cfg(test)]
    full: Option<usize>,
}

impl State {
    /// Returns the size of a batch that takes no other one any more, in bytes.
    fn full(&self) -> usize {
        #[cfg(test)]
        if let Some(full) = self.full {
            return full;
        }
        FULL
    }
}

/// What the file had when it was opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Opened {
    /// Another one each time that the file is another one.
    pub(crate) number: u64,
    /// What all rows were made from, if they were level.
    pub(crate) inputs: Option<String>,
}

/// What the store has done.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Figures {
    /// The revision of the exact rows; 0 before the first.
    pub(crate) revision: u64,
    /// The revision of the sets; 0 before the first.
    pub(crate) dispatch_revision: u64,
    pub(crate) batches: u64,
    pub(crate) rows: RowCounts,
    /// Why the last batch is not in the file.
    pub(crate) error: Option<String>,
    /// What was done to the file when it was opened.
    pub(crate) note: Option<String>,
}

impl Store {
    /// Starts the thread, which opens the file.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub(crate) fn start(path: PathBuf) -> std::io::Result<Store> {
        let store = Store(Arc::new(Shared {
            path,
            state: Mutex::default(),
            woken: Condvar::new(),
        }));
        let serving = store.clone();
        thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || {
                serving.serve();
                #[cfg(test)]
                serving.note_end();
            })?;
        Ok(store)
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.0.path
    }

    /// Returns what the file had when it was opened; `None` before that.
    pub(crate) fn opened(&self) -> Option<Opened> {
        self.state().opened.clone()
    }

    /// Returns whether the mailbox takes another batch without growing beyond its bound.
    pub(crate) fn takes_more(&self) -> bool {
        let state = self.state();
        let waiting = state.waiting.as_ref();
        waiting.is_none_or(|batch| batch.bytes < state.full())
    }

    /// Adds a batch to the one that waits. One for a file that was replaced meanwhile is dropped.
    pub(crate) fn post(&self, opened: u64, batch: Batch) {
        let mut state = self.state();
        if state.opened.as_ref().is_none_or(|now| now.number != opened) {
            return;
        }
        match &mut state.waiting {
            Some(waiting) => waiting.merge(batch),
            None => state.waiting = Some(batch),
        }
        drop(state);
        self.0.woken.notify_all();
    }

    /// Returns what the store has done.
    pub(crate) fn figures(&self) -> Figures {
        self.state().figures.clone()
    }

    /// Waits until everything that was posted is in the file, at most for `longest`; returns whether it is.
    pub(crate) fn flush(&self, longest: Duration) -> bool {
        let until = Instant::now() + longest;
        let mut state = self.state();
        while state.waiting.is_some() || state.is_writing {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = self.wait(state, left);
        }
        true
    }

    /// Ends the thread. What waits is not written.
    pub(crate) fn end(&self) {
        self.state().ended = true;
        self.0.woken.notify_all();
    }

    #[cfg(test)]
    fn note_end(&self) {
        self.state().has_ended = true;
        self.0.woken.notify_all();
    }

    /// Waits until the thread has closed the file.
    #[cfg(test)]
    pub(crate) fn wait_for_end(&self) {
        let mut state = self.state();
        while !state.has_ended {
            state = self.wait(state, IDLE);
        }
    }

    /// Returns the size of the batch that waits, in bytes.
    #[cfg(test)]
    pub(crate) fn waiting_bytes(&self) -> usize {
        self.state().waiting.as_ref().map_or(0, |batch| batch.bytes)
    }

    #[cfg(test)]
    pub(crate) fn set_test_bounds(&self, max_pages: Option<i64>, full: Option<usize>) {
        let mut state = self.state();
        state.again = Some(Duration::from_millis(40));
        state.max_pages = max_pages;
        state.full = full;
        drop(state);
        self.0.woken.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        let state = self.0.state.lock();
        state.unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>, time: Duration) -> MutexGuard<'a, State> {
        let waited = self.0.woken.wait_timeout(state, time);
        waited.map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state)
    }

    fn serve(&self) {
        let mut number = 0;
        while let Some(opened) = self.open() {
            number += 1;
            {
                let mut state = self.state();
                state.waiting = None;
                state.figures.error = None;
                if let Some(note) = &opened.note {
                    eprintln!("codeweft: {note}");
                    state.figures.note = Some(note.clone());
                }
                state.opened = Some(Opened {
                    number,
                    inputs: opened.inputs,
                });
            }
            self.0.woken.notify_all();
            let identity = identity(self.path());
            self.write_all(opened.connection, opened.is_new, identity);
        }
    }

    /// Opens the file, however often it takes; `None` if the thread is to end.
    fn open(&self) -> Option<OpenStore> {
        loop {
            if self.state().ended {
                return None;
            }
            match open::open(self.path()) {
                Ok(opened) => return Some(opened),
                Err(error) => {
                    self.failed(&error);
                    self.pause(&error);
                }
            }
        }
    }

    /// Writes batches until the file has to be opened again, or the thread is to end.
    fn write_all(
        &self,
        mut connection: Connection,
        mut is_new: bool,
        identity: Option<(u64, u64)>,
    ) {
        let mut known = Known::default();
        while let Some(batch) = self.next(&connection, &mut is_new) {
            if self::identity(self.path()) != identity {
                // Removed or replaced: what is written to it is lost.
                self.done();
                return;
            }
            #[cfg(test)]
            self.bound(&connection);
            match transaction::write(&mut connection, &mut known, &batch, &generated_at()) {
                Ok(counts) => {
                    let mut state = self.state();
                    let figures = &mut state.figures;
                    figures.revision = batch.revision;
                    if batch.has_level_sets {
                        figures.dispatch_revision = batch.revision;
                    }
                    figures.batches += 1;
                    figures.rows.add_all(counts);
                    figures.error = None;
                    drop(state);
                    self.done();
                }
                Err(error) if open::is_damage(&error) => {
                    drop(connection);
                    let aside = open::set_aside(self.path());
                    let words = match aside {
                        Ok(aside) => format!("it is now {}", aside.display()),
                        Err(error) => format!("it cannot be renamed: {error}"),
                    };
                    eprintln!("codeweft: {} is damaged: {words}", self.path().display());
                    self.done();
                    return;
                }
                Err(error) => {
                    self.failed(&error);
                    self.give_back(batch);
                    self.pause(&error);
                }
            }
        }
    }

    /// Takes the batch that waits, once there is one; `None` if the thread is to end.
    fn next(&self, connection: &Connection, is_new: &mut bool) -> Option<Batch> {
        let mut is_checkpointed = false;
        let mut state = self.state();
        loop {
            if state.ended {
                return None;
            }
            if let Some(batch) = state.waiting.take() {
                state.is_writing = true;
                return Some(batch);
            }
            let time = if is_checkpointed { AGAIN } else { IDLE };
            let before = Instant::now();
            state = self.wait(state, time);
            if state.waiting.is_none() && !is_checkpointed && before.elapsed() >= IDLE {
                let is_whole = state.figures.dispatch_revision > 0;
                drop(state);
                // A reader or a full disk may hinder both; the file is right without them.
                if is_whole && std::mem::take(is_new) {
                    let _ = open::compact(connection);
                }
                let _ = open::checkpoint(connection);
                is_checkpointed = true;
                state = self.state();
            }
        }
    }

    fn done(&self) {
        self.state().is_writing = false;
        self.0.woken.notify_all();
    }

    /// Puts a batch back before what came meanwhile.
    fn give_back(&self, mut batch: Batch) {
        let mut state = self.state();
        if let Some(newer) = state.waiting.take() {
            batch.merge(newer);
        }
        state.waiting = Some(batch);
        state.is_writing = false;
    }

    /// Notes a failure; it is printed once, until a batch is written again.
    fn failed(&self, error: &rusqlite::Error) {
        let words = format!("{} is behind: {error}", self.path().display());
        let mut state = self.state();
        if state.figures.error.is_none() {
            eprintln!("codeweft: {words}; it is tried again until it is written");
        }
        state.figures.error = Some(words);
    }

    fn pause(&self, error: &rusqlite::Error) {
        let is_locked = matches!(
            error.sqlite_error_code(),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
        );
        let mut state = self.state();
        let time = state
            .again
            .unwrap_or(if is_locked { AGAIN_LOCKED } else { AGAIN });
        let until = Instant::now() + time;
        while !state.ended {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self.wait(state, left);
        }
    }

    #[cfg(test)]
    fn bound(&self, connection: &Connection) {
        let pages = self.state().max_pages;
        let pages = pages.unwrap_or(i64::from(u32::MAX) - 1);
        let _ = connection.pragma_update(None, "max_page_count", pages);
    }
}

/// Returns what distinguishes a file from another one at its path; `None` if there is none.
fn identity(path: &Path) -> Option<(u64, u64)> {
    let found = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        Some((found.dev(), found.ino()))
    }
    #[cfg(not(unix))]
    {
        found.created().ok().map(|_| (0, 0))
    }
}
