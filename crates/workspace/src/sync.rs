//! Locking without poison.

use std::sync::{Mutex, MutexGuard};

/// Locks a mutex, also one that a panicking thread has poisoned: what the mutexes of this crate guard is
/// consistent at every point that could panic.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}
