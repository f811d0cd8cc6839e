//! Which paths changed, by number, and which are not as on disk.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

/// What happened to the effective texts.
#[derive(Default)]
pub(super) struct ChangeLog(Mutex<Noted>);

#[derive(Default)]
struct Noted {
    last: u64,
    /// Each once, by the number of its last change.
    paths: BTreeMap<u64, Arc<str>>,
    unsaved: BTreeSet<Arc<str>>,
}

impl ChangeLog {
    /// Notes a path whose text changed, if it did (`number`: that of its last change, 0 for none,
    /// set to the new one), and whether it is unsaved.
    pub(super) fn note(&self, path: Arc<str>, number: &mut u64, changed: bool, unsaved: bool) {
        let mut noted = self.noted();
        if unsaved {
            noted.unsaved.insert(path.clone());
        } else {
            noted.unsaved.remove(&path);
        }
        if changed {
            noted.last += 1;
            let old = std::mem::replace(number, noted.last);
            noted.paths.remove(&old);
            noted.paths.insert(*number, path);
        }
    }

    /// The paths that changed after a number, sorted, and the number of the last change.
    pub(super) fn since(&self, number: u64) -> (u64, Vec<Arc<str>>) {
        let noted = self.noted();
        let mut paths: Vec<_> = noted
            .paths
            .range(number.saturating_add(1)..)
            .map(|(_, path)| path.clone())
            .collect();
        let last = noted.last;
        drop(noted);
        paths.sort_unstable();
        (last, paths)
    }

    pub(super) fn last(&self) -> u64 {
        self.noted().last
    }

    /// Sorted.
    pub(super) fn unsaved(&self) -> Vec<Arc<str>> {
        self.noted().unsaved.iter().cloned().collect()
    }

    fn noted(&self) -> MutexGuard<'_, Noted> {
        // It is whole at every moment that could panic.
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
