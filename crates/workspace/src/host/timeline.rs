//! What a host did first, and when: where the time to the first answers went.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The number of spans that are kept: the load and the first requests.
const KEPT: usize = 64;

/// The first spans in the life of a host, in the order of their ends.
pub(super) struct Timeline {
    began: Instant,
    /// The end of the load, since `began`.
    loaded: Duration,
    spans: Vec<Span>,
}

struct Span {
    /// `walk`, `read`, `lower`, `layout`, `priming`, or the operation of a request.
    what: &'static str,
    /// Since the host was made.
    from: Duration,
    took: Duration,
}

impl Default for Timeline {
    fn default() -> Timeline {
        Timeline {
            began: Instant::now(),
            loaded: Duration::ZERO,
            spans: Vec::new(),
        }
    }
}

impl Timeline {
    /// Adds a span that ended at `end`, unless there are many already.
    pub(super) fn add(&mut self, what: &'static str, took: Duration, end: Instant) {
        if self.spans.len() < KEPT {
            let until = end.saturating_duration_since(self.began);
            self.spans.push(Span {
                what,
                from: until.saturating_sub(took),
                took,
            });
        }
    }

    /// Adds spans of which each begins where the one before has ended, the first at `from`.
    pub(super) fn add_phases(&mut self, from: Instant, phases: &[(&'static str, Duration)]) {
        let mut end = from;
        for &(what, took) in phases {
            end += took;
            self.add(what, took, end);
        }
        self.loaded = end.saturating_duration_since(self.began);
    }

    /// Adds the time from the end of the load to that of the first priming, requests in between included.
    pub(super) fn note_primed(&mut self, end: Instant) {
        const PRIMING: &str = "priming";
        if self.spans.iter().all(|span| span.what != PRIMING) {
            let until = end.saturating_duration_since(self.began);
            self.add(PRIMING, until.saturating_sub(self.loaded), end);
        }
    }

    /// Returns the spans: what, and from when (since the start) and for how long, in milliseconds.
    pub(super) fn json(&self) -> Value {
        let ms = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
        let spans = self.spans.iter();
        let spans = spans.map(
            |span| json!({ "what": span.what, "from_ms": ms(span.from), "took_ms": ms(span.took) }),
        );
        spans.collect()
    }
}
