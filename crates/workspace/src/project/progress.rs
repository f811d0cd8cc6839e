//! The phases of loading and indexing, for progress bars and reports.

use std::time::Duration;

/// What loading and indexing go through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Looking for files.
    Walk,
    /// Reading them.
    Read,
    /// Parsing them.
    Lower,
    /// Resolving what they use.
    Resolve,
    /// Joining the files of each package.
    Join,
}

impl Phase {
    /// One word for people.
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

/// How far a phase is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Which phase.
    pub phase: Phase,
    /// How many are done.
    pub done: usize,
    /// Of how many.
    pub total: usize,
}

/// How long the phases of a load took.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct LoadTimes {
    pub walk: Duration,
    pub read: Duration,
    pub lower: Duration,
    pub layout: Duration,
}
