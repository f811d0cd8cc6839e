//! Changes that are not yet in the database: filled by any thread, emptied by the writer.

use std::sync::{Arc, Condvar, Mutex};

use codeweft_db::FileIr;
use rustc_hash::FxHashMap;

use super::request::ChangeId;
use crate::project::NewText;
use crate::sync::lock;

/// What has changed and is not yet shown.
#[derive(Default)]
pub(super) struct PendingChanges {
    log: Mutex<PendingLog>,
    woken: Condvar,
}

#[derive(Default)]
pub(super) struct PendingLog {
    /// The number of the last change.
    pub(super) last: u64,
    /// Of the last one that the writer took.
    pub(super) taken: u64,
    /// The first of the changes of each path since then.
    pub(super) first: FxHashMap<Arc<str>, u64>,
    /// Paths to look at on disk.
    pub(super) disk: Vec<String>,
    /// Documents that were opened: their texts count as typed.
    pub(super) opened: Vec<Arc<str>>,
    /// The whole disk is to be looked at.
    pub(super) recheck: bool,
    /// Large texts that were lowered; these are no changes.
    pub(super) ready: Vec<(NewText, Option<FileIr>)>,
    ended: bool,
}

/// One change.
pub(super) enum HostChange {
    /// A document was opened; its text stands in the vfs.
    Opened(Arc<str>),
    /// A document changed or was closed; what holds stands in the vfs.
    Document(Arc<str>),
    /// A client has gone; what holds stands in the vfs.
    Left,
    /// These may have changed on disk.
    Disk(Vec<String>),
    /// Anything may have changed on disk.
    Recheck,
}

impl PendingChanges {
    /// Notes a change. Never waits for a write.
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
            HostChange::Recheck => log.recheck = true,
        }
        drop(log);
        self.woken.notify_all();
        ChangeId(last)
    }

    /// A large text was lowered.
    pub(super) fn push_ready(&self, text: NewText, ir: Option<FileIr>) {
        lock(&self.log).ready.push((text, ir));
        self.woken.notify_all();
    }

    pub(super) fn now(&self) -> ChangeId {
        ChangeId(lock(&self.log).last)
    }

    pub(super) fn end(&self) {
        lock(&self.log).ended = true;
        self.woken.notify_all();
    }

    /// Takes what is there, without waiting.
    pub(super) fn take_now(&self) -> PendingLog {
        lock(&self.log).take()
    }

    /// Waits for changes and takes all of them; `None`: it is over.
    pub(super) fn take(&self) -> Option<PendingLog> {
        let mut log = lock(&self.log);
        loop {
            if log.ended {
                return None;
            }
            if log.last > log.taken || !log.ready.is_empty() {
                return Some(log.take());
            }
            log = self
                .woken
                .wait(log)
                .unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }
}

impl PendingLog {
    /// What is there, as the writer takes it.
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
