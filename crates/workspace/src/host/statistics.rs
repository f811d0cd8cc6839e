//! Figures of a Host, for people and for the tests that watch it.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::sync::lock;

/// Of so many questions the times are kept.
const KEPT: usize = 4096;

#[derive(Default)]
pub(super) struct HostStatistics {
    pub(super) questions: Mutex<RequestCounts>,
    /// Questions that a write made begin again.
    pub(super) retries: AtomicU64,
    /// Effective transactions.
    pub(super) writes: AtomicU64,
    /// Writes that waited long for readers.
    pub(super) write_stalls: AtomicU64,
    pub(super) panics: AtomicU64,
    /// How long the last load took, in milliseconds; 0: none has ended.
    pub(super) load_ms: AtomicU64,
}

#[derive(Default)]
pub(super) struct RequestCounts {
    pub(super) count: u64,
    pub(super) total: Duration,
    pub(super) by_operation: BTreeMap<&'static str, (u64, Duration)>,
    /// Of the last ones, in microseconds; a ring.
    pub(super) last: Vec<u32>,
}

impl HostStatistics {
    /// A question was answered, or has ended; `took` from when a worker first took it.
    pub(super) fn asked(&self, operation: &'static str, took: Duration) {
        let mut questions = lock(&self.questions);
        let at = questions.count as usize % KEPT;
        questions.count += 1;
        questions.total += took;
        let name = if operation.is_empty() {
            "other"
        } else {
            operation
        };
        let of = questions.by_operation.entry(name).or_default();
        of.0 += 1;
        of.1 += took;
        let micros = u32::try_from(took.as_micros()).unwrap_or(u32::MAX);
        match questions.last.get_mut(at) {
            Some(old) => *old = micros,
            None => questions.last.push(micros),
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
