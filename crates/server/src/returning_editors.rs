//! The editors of a server that was killed. They come back with documents that are part of every
//! answer, so other clients wait for them.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, test_kill_process};

/// The time that editors have to come back.
const RETURN_TIMEOUT: Duration = Duration::from_secs(5);

/// The time between two checks that an editor still runs.
const CHECK: Duration = Duration::from_millis(50);

/// The editors that are expected.
pub(super) struct ReturningEditors {
    expected: Mutex<BTreeSet<u32>>,
    changed: Condvar,
    until: Instant,
}

impl ReturningEditors {
    /// Expects the editors with these process ids.
    pub(super) fn new(editors: &[u32]) -> ReturningEditors {
        ReturningEditors {
            expected: Mutex::new(editors.iter().copied().filter(|pid| runs(*pid)).collect()),
            changed: Condvar::new(),
            until: Instant::now() + RETURN_TIMEOUT,
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<u32>> {
        // The set is consistent at every point that could panic.
        self.expected.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the process ids of the editors that are expected.
    pub(super) fn expected(&self) -> BTreeSet<u32> {
        self.lock().clone()
    }

    /// Records that an editor is back with its documents, or has gone.
    pub(super) fn is_back(&self, pid: u32) {
        self.lock().remove(&pid);
        self.changed.notify_all();
    }

    /// Waits until all editors are back that still run, for a bounded time.
    pub(super) fn wait(&self) {
        let mut expected = self.lock();
        loop {
            let left = self.until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                expected.clear();
            }
            expected.retain(|pid| runs(*pid));
            if expected.is_empty() {
                return;
            }
            let waited = self.changed.wait_timeout(expected, left.min(CHECK));
            expected = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Returns whether a process of this user runs.
fn runs(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| test_kill_process(pid).is_ok())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::*;

    #[test]
    fn clients_wait_for_the_editors_that_run() {
        let own = std::process::id();
        // No process has the largest id.
        let editors = Arc::new(ReturningEditors::new(&[own, i32::MAX as u32, 0]));
        assert_eq!(editors.expected(), BTreeSet::from([own]));
        let waiting = {
            let editors = editors.clone();
            thread::spawn(move || editors.wait())
        };
        thread::sleep(CHECK * 2);
        assert!(!waiting.is_finished());
        editors.is_back(own);
        waiting.join().expect("no panic");
        editors.wait();
    }

    #[test]
    fn an_editor_that_does_not_come_back_is_waited_for_once() {
        let mut editors = ReturningEditors::new(&[std::process::id()]);
        editors.until = Instant::now() + Duration::from_millis(10);
        editors.wait();
        assert_eq!(editors.expected(), BTreeSet::new());
    }
}
