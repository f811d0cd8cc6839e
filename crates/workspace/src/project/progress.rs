//! The phases of loading and indexing, for progress bars and reports.

use std::time::Duration;

/// A phase of loading or indexing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Looking for files.
    Walk,
    /// Reading them.
    Read,
    /// Parsing them.
    Lower,
    /// Resolving names.
    Resolve,
    /// Joining the files of each package.
    Join,
}

impl Phase {
    /// Returns one word for people.
    pub fn word(self) -> &'static str {
        match self {
            Phase::Walk => "walking",
            Phase::Read => "reading",
            Phase::Lower => "parsing",
            Phase::Resolve => "resolving",
            Phase::Join => "joining",
        }
    }
}

/// The progress of a phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The phase.
    pub phase: Phase,
    /// The number of items that are done.
    pub done: usize,
    /// The number of all items.
    pub total: usize,
}

/// The durations of the phases of a load.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct LoadTimes {
    pub walk: Duration,
    pub read: Duration,
    pub lower: Duration,
    pub layout: Duration,
}
