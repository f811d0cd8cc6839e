//! Figures of a Host, for people and for the tests that watch it.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::core::{HostCore, locked};

/// Of so many questions the times are kept.
const KEPT: usize = 4096;

#[derive(Default)]
pub(super) struct HostStatistics {
    questions: Mutex<RequestCounts>,
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
struct RequestCounts {
    count: u64,
    total: Duration,
    by_operation: BTreeMap<&'static str, (u64, Duration)>,
    /// Of the last ones, in microseconds; a ring.
    last: Vec<u32>,
}

impl HostStatistics {
    /// A question was answered, or has ended; `took` from when a worker first took it.
    pub(super) fn asked(&self, operation: &'static str, took: Duration) {
        let mut questions = locked(&self.questions);
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

impl HostCore {
    /// See [`super::AnalysisHost::stats`].
    pub(super) fn stats(&self) -> Value {
        let figures = &self.figures;
        let count = |figure: &AtomicU64| figure.load(Ordering::Relaxed);
        let (queries, average, p99, operations) = {
            let questions = locked(&figures.questions);
            let mut last = questions.last.clone();
            last.sort_unstable();
            let p99 = last.get((last.len() * 99).div_ceil(100).saturating_sub(1));
            let average = questions.total.as_secs_f64() * 1e3 / questions.count.max(1) as f64;
            let operations: BTreeMap<&str, Value> = questions
                .by_operation
                .iter()
                .map(|(&operation, &(count, total))| {
                    let average = total.as_secs_f64() * 1e3 / count.max(1) as f64;
                    let row = json!({ "count": count, "avg_time_ms": rounded(average) });
                    (operation, row)
                })
                .collect();
            let p99 = p99.map(|&micros| f64::from(micros) / 1e3);
            (questions.count, average, p99, operations)
        };
        let now = Instant::now();
        let running: Vec<Value> = self
            .asks()
            .into_iter()
            .filter_map(|(_, ask)| {
                let began = (*locked(&ask.began))?;
                Some(json!({
                    "class": ask.class.word(),
                    "operation": ask.operation,
                    "client": ask.client.0,
                    "ms": now.saturating_duration_since(began).as_millis() as u64,
                }))
            })
            .collect();
        let shown = self.gate.shown_at_once();
        let files = shown.as_ref().map(|shown| shown.present());
        let load = count(&figures.load_ms);
        json!({
            "query_count": queries,
            "avg_query_time_ms": rounded(average),
            "p99_query_time_ms": p99.map(rounded),
            "by_operation": operations,
            "cache_hit_rate": null,
            "graph_size_mb": null,
            "last_reload_time_ms": (load > 0).then_some(load),
            "revision": self.gate.revision(),
            "instance": self.instance,
            "state": self.state().word(),
            "files": files,
            "symbols": null,
            "edges": null,
            "rss_bytes": crate::process_memory().rss_bytes,
            "store_bytes": null,
            "cache_bytes": null,
            "writes": count(&figures.writes),
            "write_stalls": count(&figures.write_stalls),
            "retries": count(&figures.retries),
            "panics": count(&figures.panics),
            "primed": self.primed.done.load(Ordering::Relaxed),
            "to_prime": self.primed.total.load(Ordering::Relaxed),
            "clients": self.clients(),
            "running": running,
        })
    }
}

fn rounded(ms: f64) -> f64 {
    (ms * 1e3).round() / 1e3
}
