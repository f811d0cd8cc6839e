//! Measuring of time: wall time, or processor time for machines that run something else too.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::time::Instant;

static BY_PROCESSOR: AtomicBool = AtomicBool::new(false);

/// Switches to processor time: the sum over all threads of this process.
pub fn by_processor() {
    BY_PROCESSOR.store(true, Ordering::Relaxed);
}

/// A start time.
#[derive(Clone, Copy)]
pub struct Started {
    wall: Instant,
    processor: Duration,
}

impl Started {
    /// Returns the current time.
    pub fn now() -> Started {
        Started {
            processor: processor(),
            wall: Instant::now(),
        }
    }

    /// Returns the time passed since.
    pub fn elapsed(self) -> Duration {
        if BY_PROCESSOR.load(Ordering::Relaxed) {
            processor().saturating_sub(self.processor)
        } else {
            self.wall.elapsed()
        }
    }
}

fn processor() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
