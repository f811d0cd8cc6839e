//! The queue of changes that are not yet in the database: any thread appends, the writer takes all.

use std::sync::{Arc, Condvar, Mutex};

use codeweft_db::{FileIr, RequestCancellation};
use rustc_hash::FxHashMap;

use super::change_impact::ChangeImpact;
use super::request::ChangeId;
use crate::project::NewText;
use crate::sync::{lock, wait};

/// Changes that readers do not see yet.
#[derive(Default)]
pub(super) struct PendingChanges {
    log: Mutex<PendingLog>,
    woken: Condvar,
    /// The work of the writer that the next change interrupts.
    interrupted: Mutex<Option<RequestCancellation>>,
}

#[derive(Default)]
pub(super) struct PendingLog {
    /// The number of the last change.
    pub(super) last: u64,
    /// The number of the last change that the writer took.
    pub(super) taken: u64,
    /// For each path the first of its changes since then.
    pub(super) first: FxHashMap<Arc<str>, u64>,
    /// Paths to check on disk.
    pub(super) disk: Vec<String>,
    /// Whether something that the layout depends on has changed, which no path of `disk` says.
    pub(super) layout: bool,
    /// Whether other settings follow from their file.
    pub(super) settings: bool,
    /// Documents that were opened: their texts count as edited.
    pub(super) opened: Vec<Arc<str>>,
    /// Whether to check all files on disk.
    pub(super) recheck: bool,
    /// Large texts that the preparer has lowered; these are no changes. `None` if lowering panicked.
    pub(super) ready: Vec<(NewText, Option<FileIr>)>,
    /// Requests for the writer; these are no changes.
    pub(super) impacts: Vec<ChangeImpact>,
    ended: bool,
}

/// A change, by where its content is found.
pub(super) enum HostChange {
    /// A document was opened; its text is in the vfs.
    Opened(Arc<str>),
    /// A document was edited or closed; the effective text is in the vfs.
    Document(Arc<str>),
    /// A client has disconnected; the effective texts are in the vfs.
    Left,
    /// These may have changed on disk.
    Disk(Vec<String>),
    /// Something outside the watched folders that the layout depends on has changed: an environment, an
    /// installed package.
    Layout,
    /// Other settings follow from their file.
    Settings,
    /// Anything may have changed on disk.
    Recheck,
}

impl PendingChanges {
    /// Appends a change. Never waits for a write.
    pub(super) fn push(&self, change: HostChange) -> ChangeId {
        let mut log = lock(&self.log);
        log.last += 1;
        let last = log.last;
        match change {
            HostChange::Opened(path) => {
                log.first.entry(path.clone()).or_insert(last);
                log.opened.push(path);
            }
            HostChange::Document(path) => {
                log.first.entry(path).or_insert(last);
            }
            HostChange::Left => {}
            HostChange::Disk(paths) => log.disk.extend(paths),
            HostChange::Layout => log.layout = true,
            HostChange::Settings => log.settings = true,
            HostChange::Recheck => log.recheck = true,
        }
        drop(log);
        if let Some(work) = &*lock(&self.interrupted) {
            work.cancel();
        }
        self.woken.notify_all();
        ChangeId(last)
    }

    /// Appends a request for the writer.
    pub(super) fn push_impact(&self, impact: ChangeImpact) {
        lock(&self.log).impacts.push(impact);
        self.woken.notify_all();
    }

    /// Sets the work that the next change interrupts. One that came already interrupts it at once.
    pub(super) fn set_interrupted_by_changes(&self, work: Option<RequestCancellation>) {
        let log = lock(&self.log);
        if let Some(work) = work.as_ref().filter(|_| log.last > log.taken) {
            work.cancel();
        }
        *lock(&self.interrupted) = work;
    }

    /// Appends a large text that was lowered; `None` if lowering panicked.
    pub(super) fn push_ready(&self, text: NewText, ir: Option<FileIr>) {
        lock(&self.log).ready.push((text, ir));
        self.woken.notify_all();
    }

    /// Returns the id of the last change.
    pub(super) fn now(&self) -> ChangeId {
        ChangeId(lock(&self.log).last)
    }

    /// Ends the writer's loop.
    pub(super) fn end(&self) {
        lock(&self.log).ended = true;
        self.woken.notify_all();
    }

    /// Takes all changes without waiting.
    pub(super) fn take_now(&self) -> PendingLog {
        lock(&self.log).take()
    }

    /// Waits for changes and takes all; `None` once the host ends.
    pub(super) fn take(&self) -> Option<PendingLog> {
        let mut log = lock(&self.log);
        loop {
            if log.ended {
                return None;
            }
            if log.last > log.taken || !log.ready.is_empty() || !log.impacts.is_empty() {
                return Some(log.take());
            }
            log = wait(&self.woken, log);
        }
    }
}

impl PendingLog {
    /// Moves all changes out.
    fn take(&mut self) -> PendingLog {
        let before = self.taken;
        self.taken = self.last;
        PendingLog {
            taken: before,
            ..std::mem::replace(
                self,
                PendingLog {
                    last: self.last,
                    taken: self.taken,
                    ended: self.ended,
                    ..PendingLog::default()
                },
            )
        }
    }
}
