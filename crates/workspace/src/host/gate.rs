//! The gate between the writer and the readers of one database.
//!
//! The writer owns the World and prepares what it will write with its own handle, readers beside
//! it. To write it shuts the gate, which gives its own handle up and lets no reader in; salsa then
//! waits for the handles of the readers inside. A reader never overtakes a writer that waits.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Instant;

use codeweft_db::{RequestCancellation, Shared};

use crate::project::{ReadState, RevisionState, Snapshot};
use crate::sync::lock;

#[derive(Default)]
pub(super) struct Gate {
    state: Mutex<ReaderPermit>,
    opened: Condvar,
    /// How often it was shut. Odd: it is shut now.
    turns: AtomicU64,
    /// What is shown; 0: nothing yet.
    revision: AtomicU64,
}

#[derive(Default)]
struct ReaderPermit {
    /// `None`: nothing is loaded yet, or a writer is inside.
    view: Option<ReadState>,
    shut: bool,
    /// When it was opened last after a write.
    last_write: Option<Instant>,
}

impl Gate {
    /// This revision, once no writer waits. `None`: nothing is loaded, or `cancel` fired.
    pub(super) fn enter(&self, cancel: &RequestCancellation) -> Option<Snapshot<'static>> {
        let mut state = lock(&self.state);
        while state.shut && !cancel.is_cancelled() {
            state = self.wait(state);
        }
        let view = state.view.as_ref()?;
        Some(Snapshot::new(
            view.db.for_request(cancel),
            view.shown.clone(),
        ))
    }

    /// What is shown now, without a handle.
    pub(super) fn shown(&self) -> Option<RevisionState> {
        let mut state = lock(&self.state);
        while state.shut {
            state = self.wait(state);
        }
        Some(state.view.as_ref()?.shown.clone())
    }

    /// What is shown now, without a handle; `None` also while a write is under way.
    pub(super) fn shown_at_once(&self) -> Option<RevisionState> {
        Some(lock(&self.state).view.as_ref()?.shown.clone())
    }

    /// Shuts the gate, has `write` done, and opens it with the view that it gives. It is opened
    /// whatever happens.
    pub(super) fn write(&self, tables: &Shared, write: impl FnOnce() -> ReadState) {
        let closed = WriteGuard::new(self, tables);
        let view = write();
        self.revision.store(view.shown.revision, Ordering::SeqCst);
        lock(&closed.gate.state).view = Some(view);
    }

    /// Shows something else beside the same database.
    pub(super) fn show(&self, view: ReadState) {
        self.revision.store(view.shown.revision, Ordering::SeqCst);
        // The old view is dropped unlocked.
        let _old = lock(&self.state).view.replace(view);
    }

    /// Changes with each write, also of one that waits.
    pub(super) fn turns(&self) -> u64 {
        self.turns.load(Ordering::SeqCst)
    }

    /// The revision that is shown; 0: none yet.
    pub(super) fn revision(&self) -> u64 {
        self.revision.load(Ordering::SeqCst)
    }

    /// When the last write ended; now, where one is under way.
    pub(super) fn last_write(&self) -> Option<Instant> {
        let state = lock(&self.state);
        match self.turns() % 2 {
            0 => state.last_write,
            _ => Some(Instant::now()),
        }
    }

    fn wait<'a>(&self, state: MutexGuard<'a, ReaderPermit>) -> MutexGuard<'a, ReaderPermit> {
        let moment = std::time::Duration::from_millis(20);
        match self.opened.wait_timeout(state, moment) {
            Ok((state, _)) => state,
            Err(poisoned) => poisoned.into_inner().0,
        }
    }
}

/// A gate that is shut while this lives.
struct WriteGuard<'a> {
    gate: &'a Gate,
    tables: &'a Shared,
}

impl<'a> WriteGuard<'a> {
    fn new(gate: &'a Gate, tables: &'a Shared) -> WriteGuard<'a> {
        gate.turns.fetch_add(1, Ordering::SeqCst);
        tables.write_pending.store(true, Ordering::SeqCst);
        let view = {
            let mut state = lock(&gate.state);
            state.shut = true;
            state.view.take()
        };
        drop(view);
        WriteGuard { gate, tables }
    }
}

impl Drop for WriteGuard<'_> {
    fn drop(&mut self) {
        self.tables.write_pending.store(false, Ordering::SeqCst);
        let mut state = lock(&self.gate.state);
        state.shut = false;
        state.last_write = Some(Instant::now());
        self.gate.turns.fetch_add(1, Ordering::SeqCst);
        drop(state);
        self.gate.opened.notify_all();
    }
}
