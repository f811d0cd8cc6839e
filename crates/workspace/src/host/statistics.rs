//! Counters of an analysis host, for `stats` and for tests.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use codeweft_db::Shared;

use super::timeline::Timeline;
use crate::sync::lock;

/// The number of last requests whose times are kept.
const KEPT: usize = 4096;

#[derive(Default)]
pub(super) struct HostStatistics {
    pub(super) requests: Mutex<RequestCounts>,
    /// Attempts that a write cancelled.
    pub(super) retries: AtomicU64,
    /// Transactions that made a revision.
    pub(super) writes: AtomicU64,
    /// Writes that waited long for readers.
    pub(super) write_stalls: AtomicU64,
    pub(super) panics: AtomicU64,
    /// The duration of the load in milliseconds; 0 before its end.
    pub(super) load_ms: AtomicU64,
    /// What happened first in the life of the host.
    pub(super) timeline: Mutex<Timeline>,
    /// The tables of the database, once it is loaded.
    pub(super) tables: OnceLock<Arc<Shared>>,
}

#[derive(Default)]
pub(super) struct RequestCounts {
    pub(super) count: u64,
    pub(super) total: Duration,
    pub(super) by_operation: BTreeMap<&'static str, (u64, Duration)>,
    /// The times of the last requests in microseconds; a circular buffer.
    pub(super) last: Vec<u32>,
}

impl HostStatistics {
    /// Counts a finished request; `took` is the time since a worker first took it.
    pub(super) fn finished(&self, operation: &'static str, took: Duration) {
        lock(&self.timeline).add(operation, took, Instant::now());
        let mut requests = lock(&self.requests);
        let at = requests.count as usize % KEPT;
        requests.count += 1;
        requests.total += took;
        let name = if operation.is_empty() {
            "other"
        } else {
            operation
        };
        let counts = requests.by_operation.entry(name).or_default();
        counts.0 += 1;
        counts.1 += took;
        let micros = u32::try_from(took.as_micros()).unwrap_or(u32::MAX);
        match requests.last.get_mut(at) {
            Some(old) => *old = micros,
            None => requests.last.push(micros),
        }
    }

    pub(super) fn interrupted(&self) {
        self.retries.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn panicked(&self, operation: &str, words: &str) {
        self.panics.fetch_add(1, Ordering::Relaxed);
        eprintln!("codeweft: a question broke ({operation}): {words}");
    }
}
