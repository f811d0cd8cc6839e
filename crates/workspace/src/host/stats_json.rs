//! The figures of an analysis host as `codeweft stats --json` prints them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use codeweft_db::Shared;
use codeweft_db::cache::LoweringCache;

use serde_json::{Value, json};

use super::core::HostCore;
use crate::project::process_memory;
use crate::sync::lock;

impl HostCore {
    /// See [`super::AnalysisHost::stats`].
    pub(super) fn stats(&self) -> Value {
        let figures = &self.figures;
        let count = |figure: &AtomicU64| figure.load(Ordering::Relaxed);
        let (queries, average, p99, operations) = {
            let requests = lock(&figures.requests);
            let mut last = requests.last.clone();
            last.sort_unstable();
            let p99 = last.get((last.len() * 99).div_ceil(100).saturating_sub(1));
            let average = requests.total.as_secs_f64() * 1e3 / requests.count.max(1) as f64;
            let operations: BTreeMap<&str, Value> = requests
                .by_operation
                .iter()
                .map(|(&operation, &(count, total))| {
                    let average = total.as_secs_f64() * 1e3 / count.max(1) as f64;
                    let row = json!({ "count": count, "avg_time_ms": rounded(average) });
                    (operation, row)
                })
                .collect();
            let p99 = p99.map(|&micros| f64::from(micros) / 1e3);
            (requests.count, average, p99, operations)
        };
        let now = Instant::now();
        let running: Vec<Value> = self
            .requests()
            .into_iter()
            .filter_map(|(_, ask)| {
                let began = (*lock(&ask.began))?;
                Some(json!({
                    "class": ask.class.word(),
                    "operation": ask.operation,
                    "client": ask.client.0,
                    "ms": now.saturating_duration_since(began).as_millis() as u64,
                }))
            })
            .collect();
        let state = self.gate.published_at_once();
        let files = state.as_ref().map(|state| state.files.present_count());
        let load = count(&figures.load_ms);
        let store = self.follower.figures();
        let tables = figures.tables.get();
        let cache = tables.and_then(|tables| tables.cache());
        json!({
            "query_count": queries,
            "avg_query_time_ms": rounded(average),
            "p99_query_time_ms": p99.map(rounded),
            "by_operation": operations,
            "cache_hit_rate": cache.and_then(LoweringCache::hit_rate),
            "graph_size_mb": null,
            "last_reload_time_ms": (load > 0).then_some(load),
            "revision": self.gate.revision(),
            "instance": self.instance,
            "state": self.state().word(),
            "files": files,
            "symbols": null,
            "edges": null,
            "rss_bytes": process_memory().rss_bytes,
            "store_bytes": store.as_ref().map(|store| store["bytes"].clone()),
            "store": store,
            "cache_bytes": cache.map(LoweringCache::size),
            "cache": cache_figures(tables),
            "parses": tables.map(|tables| count(&tables.parses)),
            "writes": count(&figures.writes),
            "write_stalls": count(&figures.write_stalls),
            "retries": count(&figures.retries),
            "panics": count(&figures.panics),
            "primed": self.primed.done.load(Ordering::Relaxed),
            "to_prime": self.primed.total.load(Ordering::Relaxed),
            "clients": self.clients(),
            "running": running,
            "timeline": lock(&figures.timeline).json(),
        })
    }
}

/// Returns what the cache of lowered texts did, or why there is none.
fn cache_figures(tables: Option<&Arc<Shared>>) -> Option<Value> {
    let opened = tables?.cache.get()?;
    Some(match opened {
        Ok(cache) => {
            let counts = cache.counts();
            json!({
                "folder": cache.folder(),
                "found": counts.found,
                "missing": counts.missing,
                "rejected": counts.rejected,
                "written": counts.written,
                "error": cache.write_error(),
            })
        }
        Err(error) => json!({ "error": error.to_string() }),
    })
}

fn rounded(ms: f64) -> f64 {
    (ms * 1e3).round() / 1e3
}
