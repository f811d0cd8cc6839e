//! The progress of a call, for clients that request it (MCP, "Progress"): whole numbers that only grow, with a
//! total.
//!
//! ```text
//! 0 ── files that are read ──> files ── half seconds of the query, at most its deadline ──> files + 60
//! ```

use codeweft_workspace::HostState;

/// The largest number of reports on the query itself: one at each interval until its deadline.
const QUERY_STEPS: u64 = 60;

/// The number of intervals without a change after which a client is still notified that work goes on.
const SILENT_INTERVALS: u32 = 10;

/// One report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ProgressReport {
    /// Larger than that of the report before.
    pub(crate) done: u64,
    /// Never smaller than that of the report before, or than `done`.
    pub(crate) total: u64,
    /// What is done, for people.
    pub(crate) words: String,
}

/// The reports on one call so far.
#[derive(Default)]
pub(crate) struct CallProgress {
    reported: u64,
    /// The number of files that are known to be needed.
    files: u64,
    /// The number of intervals since the last report.
    silent: u32,
}

impl CallProgress {
    /// Returns the report at the end of an interval; `None` if there is nothing new.
    pub(crate) fn next(&mut self, state: &HostState) -> Option<ProgressReport> {
        let (done, words) = match state {
            HostState::Loading(at) => {
                self.files = self.files.max(at.total as u64);
                let words = match at.total {
                    0 => "looking for files".to_owned(),
                    total => format!("reading, {} of {total} files", at.done),
                };
                (at.done as u64, words)
            }
            HostState::Ready | HostState::Failed(_) => {
                (self.reported + 1, "looking it up".to_owned())
            }
        };
        self.silent += 1;
        if done <= self.reported && self.silent < SILENT_INTERVALS {
            return None;
        }
        self.silent = 0;
        self.reported = done.max(self.reported + 1);
        self.files = self.files.max(self.reported.saturating_sub(QUERY_STEPS));
        Some(ProgressReport {
            done: self.reported,
            total: self.files + QUERY_STEPS,
            words,
        })
    }
}

#[cfg(test)]
mod tests {
    use codeweft_workspace::{Phase, Progress};

    use super::*;

    fn reading(done: usize, total: usize) -> HostState {
        HostState::Loading(Progress {
            phase: Phase::Lower,
            done,
            total,
        })
    }

    fn report(done: u64, total: u64, words: &str) -> Option<ProgressReport> {
        let words = words.to_owned();
        Some(ProgressReport { done, total, words })
    }

    #[test]
    fn files_are_counted_then_the_time_of_the_query() {
        let mut progress = CallProgress::default();
        assert_eq!(progress.next(&reading(0, 0)), None);
        let given = progress.next(&reading(5, 11));
        assert_eq!(given, report(5, 71, "reading, 5 of 11 files"));
        // Libraries are found once the files that import them are read.
        let given = progress.next(&reading(11, 700));
        assert_eq!(given, report(11, 760, "reading, 11 of 700 files"));
        assert_eq!(progress.next(&reading(11, 700)), None);
        let given = progress.next(&HostState::Ready);
        assert_eq!(given, report(12, 760, "looking it up"));
    }

    #[test]
    fn a_client_hears_of_work_that_does_not_advance() {
        let mut progress = CallProgress::default();
        for _ in 1..SILENT_INTERVALS {
            assert_eq!(progress.next(&reading(0, 0)), None);
        }
        let given = progress.next(&reading(0, 0));
        assert_eq!(given, report(1, 60, "looking for files"));
        assert_eq!(progress.next(&reading(1, 9)), None);
    }

    #[test]
    fn the_total_is_never_passed() {
        let mut progress = CallProgress::default();
        for done in 1..=QUERY_STEPS + 2 {
            let given = progress.next(&HostState::Ready).expect("a report");
            assert_eq!(given.done, done);
            assert_eq!(given.total, QUERY_STEPS.max(done));
        }
    }
}
