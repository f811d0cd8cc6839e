//! A log of changed paths, each with the number of its last change, and the set of unsaved paths.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::sync::lock;

/// The changes of effective texts.
#[derive(Default)]
pub(super) struct ChangeLog(Mutex<LogState>);

#[derive(Default)]
struct LogState {
    last: u64,
    /// The changed paths, each once, by the number of its last change.
    paths: BTreeMap<u64, Arc<str>>,
    unsaved: BTreeSet<Arc<str>>,
}

impl ChangeLog {
    /// Records whether the text of a path changed and whether the path is unsaved. `number` is that
    /// of the path's last change (0: none) and is updated.
    pub(super) fn record(&self, path: Arc<str>, number: &mut u64, changed: bool, unsaved: bool) {
        let mut locked = self.locked();
        if unsaved {
            locked.unsaved.insert(path.clone());
        } else {
            locked.unsaved.remove(&path);
        }
        if changed {
            locked.last += 1;
            let old = std::mem::replace(number, locked.last);
            locked.paths.remove(&old);
            locked.paths.insert(*number, path);
        }
    }

    /// Returns the number of the last change and the paths that changed after `number`, sorted.
    pub(super) fn since(&self, number: u64) -> (u64, Vec<Arc<str>>) {
        let locked = self.locked();
        let mut paths: Vec<_> = locked
            .paths
            .range(number.saturating_add(1)..)
            .map(|(_, path)| path.clone())
            .collect();
        let last = locked.last;
        drop(locked);
        paths.sort_unstable();
        (last, paths)
    }

    pub(super) fn last(&self) -> u64 {
        self.locked().last
    }

    /// Returns the unsaved paths, sorted.
    pub(super) fn unsaved(&self) -> Vec<Arc<str>> {
        self.locked().unsaved.iter().cloned().collect()
    }

    fn locked(&self) -> MutexGuard<'_, LogState> {
        lock(&self.0)
    }
}
