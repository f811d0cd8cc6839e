//! The limit on how often a thin client looks for another server after one has ended.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time in which the number of servers is limited.
const PERIOD: Duration = Duration::from_secs(60);

/// The pauses before another server is looked for, by the number of those that ended within
/// [`PERIOD`] before; as many are looked for.
const PAUSES: [Duration; 3] = [
    Duration::ZERO,
    Duration::from_millis(250),
    Duration::from_secs(1),
];

/// The restarts of one client.
#[derive(Default)]
pub struct Restarts(Mutex<RestartTimes>);

#[derive(Default)]
struct RestartTimes {
    /// Whether the client was connected before.
    connected: bool,
    /// The times of the restarts within [`PERIOD`].
    times: Vec<Instant>,
}

impl Restarts {
    /// Returns the time to wait before the client connects. The first connection is no restart.
    ///
    /// # Errors
    /// Too many servers have ended: the reason, and what to do.
    pub fn next(&self) -> Result<Duration, String> {
        self.next_at(Instant::now())
    }

    fn next_at(&self, now: Instant) -> Result<Duration, String> {
        // The list is consistent at every point that could panic.
        let mut restarts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::replace(&mut restarts.connected, true) {
            return Ok(Duration::ZERO);
        }
        restarts
            .times
            .retain(|time| now.duration_since(*time) < PERIOD);
        let Some(pause) = PAUSES.get(restarts.times.len()) else {
            return Err(format!(
                "the server has ended {} times within a minute; \
                 `codeweft serve` in a terminal shows why, and clients find it while it runs",
                PAUSES.len() + 1
            ));
        };
        restarts.times.push(now);
        Ok(*pause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_restarts_a_minute_are_allowed() {
        let restarts = Restarts::default();
        let start = Instant::now();
        let at = |seconds| restarts.next_at(start + Duration::from_secs(seconds));
        assert_eq!(at(0), Ok(Duration::ZERO));
        assert_eq!(at(1), Ok(Duration::ZERO));
        assert_eq!(at(2), Ok(Duration::from_millis(250)));
        assert_eq!(at(30), Ok(Duration::from_secs(1)));
        assert!(at(31).is_err_and(|words| words.contains("4 times within a minute")));
        // The first of them is over.
        assert_eq!(at(61), Ok(Duration::from_secs(1)));
        assert!(at(61).is_err());
        assert_eq!(at(200), Ok(Duration::ZERO));
    }
}
