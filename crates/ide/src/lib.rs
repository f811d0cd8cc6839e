//! The Host of a workspace and its answers: what both doors and the command line use, and nothing
//! below it.

pub mod api;
pub mod export;
pub mod host;
mod parallel;
pub mod root;

pub use host::{
    Host, IndexReport, LeftOut, LoadError, LoadOptions, Memory, NotInFull, Phase, PhaseTimes,
    Progress, process_memory,
};
