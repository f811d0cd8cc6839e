//! How long something takes: by the wall, or by the processor for machines that do something else
//! too.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::time::Instant;

static BY_PROCESSOR: AtomicBool = AtomicBool::new(false);

/// From now on times are those that all threads of this process were on a processor, together.
pub fn by_processor() {
    BY_PROCESSOR.store(true, Ordering::Relaxed);
}

/// When something began.
#[derive(Clone, Copy)]
pub struct Started {
    wall: Instant,
    processor: Duration,
}

impl Started {
    /// It begins.
    pub fn now() -> Started {
        Started {
            processor: processor(),
            wall: Instant::now(),
        }
    }

    /// How long it has taken.
    pub fn elapsed(self) -> Duration {
        match BY_PROCESSOR.load(Ordering::Relaxed) {
            true => processor().saturating_sub(self.processor),
            false => self.wall.elapsed(),
        }
    }
}

fn processor() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
