//! The gate between the writer and the readers of one database.
//!
//! The writer owns the project database and prepares a transaction with its own handle while readers read.
//! To write, it shuts the gate, which drops the gate's own handle and admits no reader; salsa then
//! waits for the handles of the readers inside. A reader never overtakes a pending writer.
//!
//! ```text
//! turns   even (open)          odd (shut)                         even (open)
//! writer  prepare ...          write_pending = true, drop handle  set inputs   publish state, wake all
//! inside  query                unwinds at its next check, drops its snapshot
//! outside enter -> Snapshot    enter waits ....................................... -> Snapshot of r + 1
//! ```
//!
//! A reader compares [`Gate::turns`] before and after an attempt: equal means that no write came between.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Instant;

use codeweft_db::{RequestCancellation, Shared};

use crate::project::{ReadState, RevisionState, Snapshot};
use crate::sync::{lock, wait_for};

#[derive(Default)]
pub(super) struct Gate {
    state: Mutex<ReaderPermit>,
    opened: Condvar,
    /// Incremented at each shutting and each opening; odd while the gate is shut.
    turns: AtomicU64,
    /// The published revision; 0 before the first.
    revision: AtomicU64,
}

#[derive(Default)]
struct ReaderPermit {
    /// `None` before the load has ended and while a writer is inside.
    view: Option<ReadState>,
    shut: bool,
    /// The time at which the last write ended.
    last_write: Option<Instant>,
}

impl Gate {
    /// Returns a snapshot of the current revision, once no writer is pending; `None` if nothing is loaded or
    /// `cancel` fired.
    pub(super) fn enter(&self, cancel: &RequestCancellation) -> Option<Snapshot<'static>> {
        let mut state = lock(&self.state);
        while state.shut && !cancel.is_cancelled() {
            state = self.wait(state);
        }
        let view = state.view.as_ref()?;
        Some(Snapshot::new(
            view.db.for_request(cancel),
            view.state.clone(),
        ))
    }

    /// Returns the published state without a database handle; waits while the gate is shut.
    pub(super) fn published(&self) -> Option<RevisionState> {
        let mut state = lock(&self.state);
        while state.shut {
            state = self.wait(state);
        }
        Some(state.view.as_ref()?.state.clone())
    }

    /// Returns the published state without a database handle; `None` also while the gate is shut.
    pub(super) fn published_at_once(&self) -> Option<RevisionState> {
        Some(lock(&self.state).view.as_ref()?.state.clone())
    }

    /// Shuts the gate, runs `write`, and opens the gate with the state that it returns. The gate is
    /// opened even if `write` panics.
    pub(super) fn write(&self, tables: &Shared, write: impl FnOnce() -> ReadState) {
        let closed = WriteGuard::new(self, tables);
        let view = write();
        self.revision.store(view.state.revision, Ordering::SeqCst);
        lock(&closed.gate.state).view = Some(view);
    }

    /// Publishes other state beside an unchanged database; readers need not leave.
    pub(super) fn publish(&self, view: ReadState) {
        self.revision.store(view.state.revision, Ordering::SeqCst);
        // The old state is dropped after the lock is released.
        let _old = lock(&self.state).view.replace(view);
    }

    /// Returns a number that changes with each write, from the moment that the write is pending.
    pub(super) fn turns(&self) -> u64 {
        self.turns.load(Ordering::SeqCst)
    }

    /// Returns the published revision; 0 before the first.
    pub(super) fn revision(&self) -> u64 {
        self.revision.load(Ordering::SeqCst)
    }

    /// Returns when the last write ended; now, if one is under way.
    pub(super) fn last_write(&self) -> Option<Instant> {
        let state = lock(&self.state);
        match self.turns() % 2 {
            0 => state.last_write,
            _ => Some(Instant::now()),
        }
    }

    fn wait<'a>(&self, state: MutexGuard<'a, ReaderPermit>) -> MutexGuard<'a, ReaderPermit> {
        let moment = std::time::Duration::from_millis(20);
        wait_for(&self.opened, state, moment)
    }
}

/// Keeps a gate shut while it lives.
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
